"""Compile LLVM modules to native code, kept on disk from one start of the program to the next."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

from llvmlite import ir

from kibitz import core
from kibitz.core import LANES, WORDS

__all__ = [
    "BIT",
    "LANES",
    "POINTER",
    "VECTOR",
    "WORD",
    "WORDS",
    "Emitter",
    "compile_module",
]

WORD = ir.IntType(64)
BIT = ir.IntType(1)
POINTER = ir.PointerType()
VECTOR = ir.VectorType(WORD, WORDS)


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


def compile_module(module: ir.Module) -> core.Code:
    """Compile a module, or load it from the cache where the same text was compiled before."""
    text = re.sub(
        r"^(define .*\))$", r'\1 "stackrealign" alignstack(64)', str(module), flags=re.MULTILINE
    )
    return core.compile_ir(text, optimise=True)
