"""Compile LLVM modules to native code, kept on disk from one start of the program to the next."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import threading
from collections.abc import Callable, Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Any, ParamSpec

import llvmlite
import llvmlite.binding as llvm
from llvmlite import ir

from kibitz.engine.compiled.code_cache import code_folder
from kibitz.errors import InputError
from kibitz.files import written_whole

__all__ = [
    "BIT",
    "LANES",
    "POINTER",
    "VECTOR",
    "WORD",
    "WORDS",
    "Code",
    "Emitter",
    "compile_module",
    "compiled_once",
]

WORD = ir.IntType(64)
BIT = ir.IntType(1)
POINTER = ir.PointerType()
WORDS = 8
"""Machine words in a slot."""
LANES = 64 * WORDS
"""States in a block."""
VECTOR = ir.VectorType(WORD, WORDS)
P = ParamSpec("P")
_DIGEST = hashlib.sha256().digest_size
COMPILING = threading.RLock()
"""Held by whoever compiles, before any lock of LLVM."""
if hasattr(os, "register_at_fork"):  # a child must not inherit the lock of a thread it has not
    os.register_at_fork(
        before=COMPILING.acquire,
        after_in_parent=COMPILING.release,
        after_in_child=COMPILING.release,
    )


class Emitter(ir.IRBuilder):  # type: ignore[misc]
    """An instruction builder with loops, variables and slots."""

    def word(self, value: int) -> ir.Constant:
        """Make a constant word."""
        return ir.Constant(WORD, value)

    def splat(self, value: int) -> ir.Constant:
        """Make a constant vector of equal words."""
        return ir.Constant(VECTOR, [value] * WORDS)

    def at(self, base: ir.Value, index: ir.Value | int, kind: ir.Type = VECTOR) -> ir.Value:
        """Return the address of the index-th element behind a base."""
        if isinstance(index, int):
            index = self.word(index)
        return self.gep(base, [index], source_etype=kind)

    def get(self, base: ir.Value, index: ir.Value | int = 0, kind: ir.Type = VECTOR) -> ir.Value:
        """Load the index-th element behind a base."""
        return self.load(self.at(base, index, kind), typ=kind)

    def put(
        self, value: ir.Value, base: ir.Value, index: ir.Value | int = 0, kind: ir.Type = VECTOR
    ) -> None:
        """Store the index-th element behind a base."""
        self.store(value, self.at(base, index, kind))

    def variable(self, value: ir.Value) -> ir.Value:
        """Make a local variable; a pass turns it into a register."""
        with self.goto_entry_block():
            place = self.alloca(value.type)
        self.store(value, place)
        return place

    def read(self, variable: ir.Value) -> ir.Value:
        """Read a local variable."""
        return self.load(variable, typ=variable.allocated_type)

    @contextlib.contextmanager
    def loop(self, count: ir.Value | int) -> Iterator[ir.Value]:
        """Repeat the body for each index below count."""
        if isinstance(count, int):
            count = self.word(count)
        index = self.variable(self.word(0))
        head = self.append_basic_block("loop")
        body = self.append_basic_block("body")
        done = self.append_basic_block("done")
        self.branch(head)
        self.position_at_end(head)
        current = self.read(index)
        self.cbranch(self.icmp_unsigned("<", current, count), body, done)
        self.position_at_end(body)
        yield current
        self.store(self.add(current, self.word(1)), index)
        self.branch(head)
        self.position_at_end(done)

    @contextlib.contextmanager
    def while_(self) -> Iterator[Any]:
        """Repeat the body until it calls the function it gets with a false bit."""
        head = self.append_basic_block("while")
        done = self.append_basic_block("done")
        self.branch(head)
        self.position_at_end(head)

        def go_on_if(bit: ir.Value) -> None:
            body = self.append_basic_block("body")
            self.cbranch(bit, body, done)
            self.position_at_end(body)

        yield go_on_if
        self.branch(head)
        self.position_at_end(done)

    def intrinsic(self, name: str, result: ir.Type, args: list[ir.Value]) -> ir.Value:
        """Call an intrinsic of LLVM by its full name."""
        function = self.module.globals.get(name)
        if function is None:
            kind = ir.FunctionType(result, [arg.type for arg in args])
            function = ir.Function(self.module, kind, name)
        return self.call(function, args)

    def popcount(self, vector: ir.Value) -> ir.Value:
        """Count the ones of a vector."""
        each = self.intrinsic("llvm.ctpop.v8i64", VECTOR, [vector])
        return self.intrinsic("llvm.vector.reduce.add.v8i64", WORD, [each])

    def is_any(self, vector: ir.Value) -> ir.Value:
        """Return whether any bit of a vector is one."""
        joined = self.intrinsic("llvm.vector.reduce.or.v8i64", WORD, [vector])
        return self.icmp_unsigned("!=", joined, self.word(0))

    def and_not(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """Return a AND NOT b."""
        return self.and_(a, self.not_(b))

    def choose(self, mask: ir.Value, a: ir.Value, b: ir.Value) -> ir.Value:
        """Return a where the mask has ones and b elsewhere."""
        return self.or_(self.and_(mask, a), self.and_not(b, mask))


class Code:
    """Native functions of a module, alive as long as this object is."""

    def __init__(self, engine: llvm.ExecutionEngine) -> None:
        self._engine = engine

    def address(self, name: str) -> int:
        """Return the address of a function."""
        return int(self._engine.get_function_address(name))


def compiled_once(make: Callable[P, Code]) -> Callable[P, Code]:
    """Let a function that compiles do so once for the same arguments, whichever threads ask.

    Code that a second thread made at the same time would be freed while it is still called.
    """
    made = cache(make)

    @wraps(make)
    def locked(*args: P.args, **kwargs: P.kwargs) -> Code:
        with COMPILING:
            return made(*args, **kwargs)  # type: ignore[arg-type]

    return locked


def compile_module(module: ir.Module, *, optimise: bool) -> Code:
    """Compile a module, or load it from the cache where the same text was compiled before."""
    with COMPILING:
        return _compile(module, optimise=optimise)


def _compile(module: ir.Module, *, optimise: bool) -> Code:
    text = _with_aligned_stack(str(module))
    machine = _target_machine(3 if optimise else 1)
    key = hashlib.sha256(
        "\0".join([text, llvmlite.__version__, machine.triple, _cpu(), str(optimise)]).encode()
    ).hexdigest()
    path = code_folder() / f"{key}.o"
    with contextlib.suppress(OSError, RuntimeError):
        return _load(machine, _fetch(path))
    parsed = llvm.parse_assembly(text)
    if optimise:
        options = llvm.create_pipeline_tuning_options(speed_level=3)
        passes = llvm.create_pass_builder(machine, options)
        passes.getModulePassManager().run(parsed, passes)
    code = bytes(machine.emit_object(parsed))
    _store(path, code)
    return _load(machine, code)


def _with_aligned_stack(text: str) -> str:
    """Let every function align its stack to whole vectors.

    Callers align it to 16 bytes only. Vectors that are spilled there would straddle cache lines
    in some processes and not in others, at up to half the speed.
    """
    return re.sub(r"^(define .*\))$", r'\1 "stackrealign" alignstack(64)', text, flags=re.MULTILINE)


def _load(machine: llvm.TargetMachine, code: bytes) -> Code:
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return Code(engine)


def _target_machine(level: int) -> llvm.TargetMachine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=_cpu(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        reloc="pic",
        codemodel="default",
        jit=True,
    )


@cache
def _cpu() -> str:
    return str(llvm.get_host_cpu_name())


def _fetch(path: Path) -> bytes:
    """Read code that was stored; a corrupt file would crash the whole process."""
    data = path.read_bytes()
    digest, code = data[:_DIGEST], data[_DIGEST:]
    if hashlib.sha256(code).digest() != digest:
        raise OSError(f"{path} is corrupt")
    return code


def _store(path: Path, code: bytes) -> None:
    """Write beside the target and rename, so that no half-written file is ever read."""
    with contextlib.suppress(OSError, InputError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as part:
            part.write_bytes(hashlib.sha256(code).digest() + code)
