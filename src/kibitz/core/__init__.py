"""Call the native loops of `core.h`: compile their bitcode for this processor, pass arrays.

The bitcode (`core.bc`, made by tools/build_core) names no processor. A section of the header is
compiled when one of its functions is first asked for, and its object is kept in the user's cache.

>>> import numpy as np
>>> memory, code = vectors(3), np.array([1, 2, 1, 2, 0, 1, 0], dtype=np.int32)
>>> memory[0, 0] = 0b0011
>>> function("interpret")(memory, code)  # one gate: slot 2 is neither slot 0 nor slot 1
>>> bin(memory[2, 0] & 0b1111)
'0b1100'
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import re
import sys
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.files import written_whole

__all__ = [
    "COMPILING",
    "LANES",
    "LANES_TYPE",
    "WORDS",
    "Code",
    "Function",
    "Stage",
    "Struct",
    "code_folder",
    "columns",
    "compile_ir",
    "constant",
    "constants_of",
    "function",
    "ir_function",
    "ir_game",
    "is_kept",
    "record_type",
    "records",
    "room",
    "source_hash",
    "vectors",
]

WORDS = 8
"""Machine words in a slot."""
LANES = 64 * WORDS
"""States in a block."""

COMPILING = threading.RLock()
"""Held by whoever compiles, before any lock of LLVM."""
if hasattr(os, "register_at_fork"):  # a child must not inherit the lock of a thread it has not
    os.register_at_fork(
        before=COMPILING.acquire,
        after_in_parent=COMPILING.release,
        after_in_child=COMPILING.release,
    )

_FOLDER = Path(__file__).parent
_LIBRARY = os.environ.get("KIBITZ_CORE")
"""The path of a shared library of the core to call in place of the bitcode; see tools/sanitize."""
if _LIBRARY:
    llvm.load_library_permanently(_LIBRARY)
_DIGEST = hashlib.sha256().digest_size
_ELEMENTS = {
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "lanes": "uint64",
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "f32": "float32",
    "f64": "float64",
}  # fmt: skip

Array = npt.NDArray[Any]


# ---- what core.h declares ----


@dataclass(frozen=True, slots=True)
class _Kind:
    """The type of a field, a parameter or a result."""

    name: str
    is_pointer: bool = False
    is_written: bool = False
    count: int = 1
    dtype: np.dtype[Any] = field(init=False)
    """Of arrays that are pointed to; an array of structs is one of words."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dtype", np.dtype(_ELEMENTS.get(self.name, "int64")))

    @property
    def is_real(self) -> bool:
        """Whether it is a floating-point number."""
        return self.name == "f64" and not self.is_pointer

    def word(self, value: Any, what: str) -> int | float:
        """Turn a value into what is passed in eight bytes; refuse what native code cannot take."""
        if not self.is_pointer:
            return float(value) if self.is_real else int(value)
        if value is None:
            return 0
        if isinstance(value, Struct):
            if value.kind != self.name:
                raise TypeError(f"{what} is a {self.name}, not a {value.kind}")
            return value.address
        if not isinstance(value, np.ndarray):
            raise TypeError(f"{what} is an array of {self.dtype}, not {type(value).__name__}")
        expected = self.dtype
        if value.dtype.names and self.name in _header().structs:
            expected = record_type(self.name)
        if value.dtype != expected and (value.dtype != np.bool_ or expected != np.uint8):
            raise TypeError(f"{what} is an array of {expected}, not one of {value.dtype}")
        flags = value.flags
        if not flags.c_contiguous or (self.is_written and not flags.writeable):
            raise TypeError(f"{what} must be contiguous, and writable if it is written")
        address = value.ctypes.data
        if self.name == "lanes" and value.size and address % 64:
            raise TypeError(f"{what} must be aligned to 64 bytes, as `vectors` makes it")
        return address


@dataclass(frozen=True, slots=True)
class _Prototype:
    name: str
    section: str
    result: str
    parameters: tuple[tuple[str, _Kind], ...]

    @property
    def constants(self) -> tuple[str, ...]:
        """The names of the last parameters that are constants of a compilation."""
        names = [name for name, _ in self.parameters]
        trailing = takewhile(lambda name: name in ("bits", "words"), reversed(names))
        return tuple(reversed([*trailing]))

    @property
    def taken(self) -> tuple[tuple[str, _Kind], ...]:
        """The parameters that are not constants of a compilation."""
        return self.parameters[: len(self.parameters) - len(self.constants)]


@dataclass(frozen=True, slots=True)
class _Header:
    constants: dict[str, int]
    structs: dict[str, dict[str, _Kind]]
    functions: dict[str, _Prototype]


_TOKEN = re.compile(
    r"/\* ---- (?P<section>\w+).*?\*/"
    r"|/\*.*?\*/"
    r"|^#define (?P<constant>\w+) (?P<number>\d+)\b"
    r"|^struct (?P<struct>\w+) \{(?P<fields>.*?)^\};"
    r"|^(?P<result>void|[iuf]\d+) (?P<name>\w+)\((?P<parameters>[^)]*)\);",
    re.DOTALL | re.MULTILINE,
)
_DECLARED = re.compile(r"(const )?(?:struct )?(\w+) (\*?)(\w+)(?:\[(\d+)\])?")


@cache
def _header() -> _Header:
    constants: dict[str, int] = {}
    structs: dict[str, dict[str, _Kind]] = {}
    functions: dict[str, _Prototype] = {}
    section = ""
    for token in _TOKEN.finditer((_FOLDER / "core.h").read_text()):
        if token["section"]:
            section = token["section"]
        elif token["constant"]:
            constants[token["constant"]] = int(token["number"])
        elif token["struct"]:
            plain = re.sub(r"/\*.*?\*/", "", token["fields"], flags=re.DOTALL)
            structs[token["struct"]] = dict(map(_declared, plain.split(";")[:-1]))
        elif token["name"]:
            parameters = tuple(map(_declared, token["parameters"].split(",")))
            functions[token["name"]] = _Prototype(
                token["name"], section, token["result"], parameters
            )
    return _Header(constants, structs, functions)


def _declared(text: str) -> tuple[str, _Kind]:
    found = _DECLARED.fullmatch(" ".join(text.split()))
    assert found is not None, text
    constant, kind, star, name, count = found.groups()
    return name, _Kind(kind, bool(star), bool(star) and not constant, int(count or 1))


class Struct:
    """A struct of `core.h`: its fields as words, and the arrays that they point to.

    >>> run = Struct("expansion", row_words=2)
    >>> run.stop = 1
    >>> run.row_words + run.stop
    3
    """

    __slots__ = ("address", "fields", "held", "kind", "words")
    address: int
    fields: dict[str, tuple[int, _Kind]]
    held: dict[str, object]
    kind: str
    words: npt.NDArray[np.int64]

    def __init__(self, kind: str, **fields: Any) -> None:
        layout = _fields(kind)
        words = np.zeros(len(layout), dtype=np.int64)
        for name, value in (
            ("kind", kind),
            ("fields", layout),
            ("held", {}),
            ("words", words),
            ("address", int(words.__array_interface__["data"][0])),
        ):
            object.__setattr__(self, name, value)
        for name, value in fields.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        """Put a number, an array or a struct into a field."""
        place, kind = self.fields[name]
        words = self.words.view(np.float64) if kind.is_real else self.words
        words[place] = kind.word(value, f"{self.kind}.{name}")
        if kind.is_pointer:
            self.held[name] = value

    def __getattr__(self, name: str) -> Any:
        """Return the number in a field, or what it points to."""
        try:
            place, kind = self.fields[name]
        except KeyError:
            raise AttributeError(f"{self.kind} has no field {name}") from None
        if kind.is_pointer:
            return self.held[name]
        return float(self.words.view(np.float64)[place]) if kind.is_real else int(self.words[place])


@cache
def _fields(kind: str) -> dict[str, tuple[int, _Kind]]:
    """Return the place and the type of each field of a struct."""
    return {n: (i, k) for i, (n, k) in enumerate(_header().structs[kind].items())}


def records(kind: str, rows: list[dict[str, int]]) -> npt.NDArray[np.int64]:
    """Return an array of structs."""
    names = list(_header().structs[kind])
    table = np.zeros((max(1, len(rows)), len(names)), dtype=np.int64)
    for place, row in enumerate(rows):
        for name, value in row.items():
            table[place, names.index(name)] = value
    return table


@cache
def record_type(kind: str) -> np.dtype[Any]:
    """Return the type of the elements of an array of structs, whose fields may be small."""
    fields: list[Any] = []
    for name, one in _header().structs[kind].items():
        element = "int64" if one.is_pointer else _ELEMENTS.get(one.name, "int64")
        fields.append((name, element, (one.count,)) if one.count > 1 else (name, element))
    return np.dtype(fields, align=True)


def room(kind: str, count: int) -> Array:
    """Make zeroed memory for an array of structs."""
    return np.zeros(count, dtype=record_type(kind))


def constant(name: str) -> int:
    """Return a number that `core.h` defines."""
    return _header().constants[name]


def constants_of(name: str) -> tuple[str, ...]:
    """Return which constants a function is compiled for: of `bits` and `words` those it takes."""
    return _header().functions[name].constants


def columns(kind: str) -> dict[str, int]:
    """Return the place of each field of a struct."""
    return {name: place for place, name in enumerate(_header().structs[kind])}


def vectors(count: int) -> npt.NDArray[np.uint64]:
    """Make zeroed memory of `count` slots, aligned for vector instructions."""
    raw = np.zeros(count * WORDS + WORDS, dtype=np.uint64)
    skip = (-raw.ctypes.data // 8) % WORDS
    return raw[skip : skip + count * WORDS].reshape(count, WORDS)


# ---- functions ----


class Stage:
    """The gates of one stage, called for a block of memory; `code` is for the interpreter."""

    __slots__ = ("_call", "_code", "_numbers")

    def __init__(self, address: int, code: Array) -> None:
        self._call = ctypes.CFUNCTYPE(None, ctypes.c_size_t, ctypes.c_size_t)(address)
        self._code, self._numbers = code.ctypes.data, code  # which live as long as this stage

    def __call__(self, memory: Array) -> None:
        """Run the gates; `memory` has a slot for each of them."""
        self._call(memory.ctypes.data, self._code)


class Function:
    """A native function; arrays are checked against its prototype. Threads may call it at once."""

    __slots__ = ("_kinds", "address", "code", "name", "raw")

    def __init__(self, prototype: _Prototype, code: Code, symbol: str) -> None:
        self.name, self.code = prototype.name, code  # which lives as long as this function
        self.address = code.address(symbol)
        self._kinds = tuple((kind, f"{prototype.name}: {name}") for name, kind in prototype.taken)
        types = [ctypes.c_double if kind.is_real else ctypes.c_int64 for kind, _ in self._kinds]
        result = {"void": None, "f64": ctypes.c_double}.get(prototype.result, ctypes.c_int64)
        self.raw = ctypes.CFUNCTYPE(result, *types)(self.address)  # takes words, unchecked

    def __call__(self, *arguments: Any) -> Any:
        """Call the function without holding Python's lock."""
        return self.raw(
            *[kind.word(value, what) for (kind, what), value in
              zip(self._kinds, arguments, strict=True)]
        )  # fmt: skip


_FUNCTIONS: dict[tuple[object, ...], Function] = {}
"""Functions that were asked for before: these need not wait while another thread compiles."""


def function(name: str, *constants: int, game: str = "") -> Function:
    """Return a function of `core.h`, compiled for this processor and for its constants.

    `game` is the assembly of a game's stages and numbers, which are linked in: LLVM then inlines
    the gates. Such a function still takes a game as its first argument, and does not read it.
    """
    key = (name, constants, game)
    if key not in _FUNCTIONS:
        with COMPILING:
            _FUNCTIONS[key] = _function(name, constants, game)
    return _FUNCTIONS[key]


@cache
def _function(name: str, constants: tuple[int, ...], game: str) -> Function:
    prototype = _header().functions[name]
    section = [p for p in _header().functions.values() if p.section == prototype.section]
    chosen = (prototype,) if game else tuple(section)
    return Function(prototype, _section(chosen, constants, game), _symbol(prototype, constants))


def _symbol(prototype: _Prototype, constants: tuple[int, ...]) -> str:
    return ".".join([prototype.name, *map(str, constants)])


@cache
def _section(chosen: tuple[_Prototype, ...], constants: tuple[int, ...], game: str) -> Code:
    """Compile functions of the header together, or one of them with a game."""
    stubs = [_stub(p, constants, game) for p in chosen] if constants else []
    exported = [_symbol(p, constants) for p in chosen]

    def build() -> llvm.ModuleRef:
        module = llvm.parse_assembly("\n".join([game, *stubs]))
        if not _LIBRARY:
            module.link_in(llvm.parse_bitcode((_FOLDER / "core.bc").read_bytes()))
        for one in module.functions:
            if not one.is_declaration and one.name not in exported:
                one.linkage = llvm.Linkage.internal
        return module

    return _compiled(_source(exported, game), build, optimise=True)


def _source(exported: Iterable[str], game: str) -> str:
    return "\0".join([_LIBRARY or source_hash(), *exported, game])


def is_kept(name: str, *constants: int, game: str) -> bool:
    """Return whether a function was linked with a game before, so that it is there at once."""
    symbol = _symbol(_header().functions[name], constants)
    with COMPILING:
        return _path_of(_source([symbol], game), _target_machine(3), optimise=True).exists()


def _stub(prototype: _Prototype, constants: tuple[int, ...], game: str) -> str:
    """Write a function that passes constants; LLVM inlines the rest."""
    kinds = ["ptr" if kind.is_pointer else "i64" for _, kind in prototype.parameters]
    taken = [f"{kind} %{i}" for i, kind in enumerate(kinds[: len(prototype.taken)])]
    given = ["ptr @game", *taken[1:]] if game else taken
    given = [*given, *(f"i64 {number}" for number in constants)]
    result = "void" if prototype.result == "void" else "i64"
    call = f"call {result} @{prototype.name}({', '.join(given)})"
    lines = [call, "ret void"] if result == "void" else [f"%result = {call}", "ret i64 %result"]
    declared = f"declare {result} @{prototype.name}({', '.join(kinds)})"
    head = f'{result} @"{_symbol(prototype, constants)}"({", ".join(taken)})'
    return "\n".join([declared, ir_function(head, lines[:-1], lines[-1])])


# ---- LLVM assembly ----

LANES_TYPE = f"<{WORDS} x i64>"


def ir_function(head: str, lines: Iterable[str], end: str = "ret void") -> str:
    """Write a function whose stack is aligned: spilled vectors would straddle cache lines."""
    return "\n".join([f'define {head} "stackrealign" alignstack(64) {{', *lines, end, "}"])


def ir_game(roles: Array, numbers: Mapping[str, int], stages: Iterable[str]) -> str:
    """Write a struct game as a constant, with functions of the same name for stages."""
    row = f"[{roles.shape[1]} x i64]"
    rows = ", ".join(f"{row} [{', '.join(f'i64 {n}' for n in one)}]" for one in roles.tolist())
    words = {name: f"ptr @{name}" for name in (*stages, "roles")}
    fields = [
        words.get(name) or (f"i64 {numbers[name]}" if name in numbers else "ptr null")
        for name in _header().structs["game"]
    ]
    kinds = ", ".join(field.split()[0] for field in fields)
    return (
        f"\n@roles = internal constant [{len(roles)} x {row}] [{rows}]\n"
        f"@game = internal constant {{{kinds}}} {{{', '.join(fields)}}}\n"
    )


@cache
def source_hash() -> str:
    """Hash the C sources; core.hash says from which ones core.bc was made."""
    digest = hashlib.sha256()
    for path in sorted([*_FOLDER.glob("*.[ch]")]):
        digest.update(f"{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()


# ---- compiling ----


class Code:
    """Native functions, alive as long as this object is."""

    def __init__(self, engine: llvm.ExecutionEngine) -> None:
        self._engine = engine

    def address(self, name: str) -> int:
        """Return the address of a function."""
        return int(self._engine.get_function_address(name) or llvm.address_of_symbol(name))


def compile_ir(text: str, *, optimise: bool = False) -> Code:
    """Compile functions written as LLVM assembly; without passes unless they are asked for."""
    with COMPILING:
        return _compiled(text, lambda: llvm.parse_assembly(text), optimise=optimise)


def _compiled(source: str, build: Any, *, optimise: bool) -> Code:
    machine = _target_machine(3 if optimise else 1)
    path = _path_of(source, machine, optimise=optimise)
    with contextlib.suppress(OSError, RuntimeError):
        return _load(machine, _fetch(path))
    module = build()
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    if optimise:
        options = llvm.create_pipeline_tuning_options(speed_level=3)
        passes = llvm.create_pass_builder(machine, options)
        unused = llvm.create_new_module_pass_manager()
        unused.add_global_dead_code_eliminate_pass()
        unused.run(module, passes)  # most of the core, which early passes would work on
        passes.getModulePassManager().run(module, passes)
    code = bytes(machine.emit_object(module))
    _store(path, code)
    return _load(machine, code)


def _path_of(source: str, machine: llvm.TargetMachine, *, optimise: bool) -> Path:
    """Return where the object of a source is kept."""
    key = "\0".join([source, llvmlite.__version__, machine.triple, _processor(), str(optimise)])
    return code_folder() / f"{hashlib.sha256(key.encode()).hexdigest()}.o"


def _load(machine: llvm.TargetMachine, code: bytes) -> Code:
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return Code(engine)


def _target_machine(level: int) -> llvm.TargetMachine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=_processor(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        reloc="pic",
        codemodel="default",
        jit=True,
    )


@cache
def _processor() -> str:
    return str(llvm.get_host_cpu_name())


def code_folder() -> Path:
    """Return where objects are kept: in $KIBITZ_CACHE, or where the system keeps such things."""
    base = os.environ.get("KIBITZ_CACHE")
    if base:
        return Path(base) / "code"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "kibitz" / "code"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kibitz" / "code"


def _fetch(path: Path) -> bytes:
    """Read an object; a corrupt file would crash the whole process."""
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
