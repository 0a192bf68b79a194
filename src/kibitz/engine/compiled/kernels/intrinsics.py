"""What loops compiled by numba ask of the processor itself; import this where it is needed."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic as numba_intrinsic

__all__ = [
    "add",
    "call",
    "call_loop",
    "call_range",
    "exchange",
    "exchange_if",
    "fetch_ahead",
    "load",
    "load_after",
    "ones",
]

_POINTER = ir.IntType(8).as_pointer()
_WORD = ir.IntType(64)


def intrinsic(write: Any) -> Any:
    """Let a function write what numba puts in the place of a call."""
    return numba_intrinsic(write)


def _call(builder: Any, args: Any) -> ir.Value:
    """Write a call of the function at the first address with the second, and with numbers."""
    address, context, *numbers = args
    kind = ir.FunctionType(ir.VoidType(), [_POINTER, *[_WORD] * len(numbers)])
    given = [builder.inttoptr(context, _POINTER), *numbers]
    builder.call(builder.inttoptr(address, kind.as_pointer()), given)
    return ir.Constant(_WORD, 0)


@intrinsic
def call(typing_context: Any, address: Any, context: Any) -> Any:
    """Call a native function of one pointer, both by address."""
    del typing_context, address, context

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        del context, signature
        return _call(builder, args)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def call_loop(typing_context: Any, address: Any, game: Any, context: Any) -> Any:
    """Call a native function of a game and a context, all by address."""
    del typing_context, address, game, context

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        del context, signature
        return _call(builder, args)

    return types.int64(*[types.int64] * 3), generate


@intrinsic
def call_range(
    typing_context: Any, address: Any, game: Any, context: Any, first: Any, count: Any
) -> Any:
    """Call a native function of a game, a context and two numbers."""
    del typing_context, address, game, context, first, count

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        del context, signature
        return _call(builder, args)

    return types.int64(*[types.int64] * 5), generate


@intrinsic
def exchange(typing_context: Any, address: Any, value: Any) -> Any:
    """Put a number where an address points, and return the one that was there, atomically."""
    del typing_context, address, value

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        del context, signature
        pointer = builder.inttoptr(args[0], _WORD.as_pointer())
        return builder.atomic_rmw("xchg", pointer, args[1], "seq_cst")

    return types.int64(types.int64, types.int64), generate


@intrinsic
def exchange_if(typing_context: Any, address: Any, old: Any, new: Any) -> Any:
    """Put a number where an address points if another one is there; return whether it was."""
    del typing_context, address, old, new

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        del context, signature
        pointer = builder.inttoptr(args[0], _WORD.as_pointer())
        done = builder.cmpxchg(pointer, args[1], args[2], "seq_cst", "seq_cst")
        return builder.zext(builder.extract_value(done, 1), _WORD)

    return types.int64(types.int64, types.int64, types.int64), generate


@intrinsic
def load(typing_context: Any, address: Any) -> Any:
    """Read a number that other threads write, before all that is read after it."""
    del typing_context, address

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        del context, signature
        pointer = builder.inttoptr(args[0], _WORD.as_pointer())
        return builder.load_atomic(pointer, "acquire", 8)

    return types.int64(types.int64), generate


@intrinsic
def load_after(typing_context: Any, address: Any) -> Any:
    """Read a number that other threads write, after all that was read before it."""
    del typing_context, address

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        del context, signature
        pointer = builder.inttoptr(args[0], _WORD.as_pointer())
        builder.fence("acquire")
        return builder.load_atomic(pointer, "acquire", 8)

    return types.int64(types.int64), generate


@intrinsic
def add(typing_context: Any, address: Any, value: Any) -> Any:
    """Add to the number where an address points, atomically."""
    del typing_context, address, value

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        del context, signature
        pointer = builder.inttoptr(args[0], _WORD.as_pointer())
        return builder.atomic_rmw("add", pointer, args[1], "seq_cst")

    return types.int64(types.int64, types.int64), generate


@intrinsic
def fetch_ahead(typing_context: Any, address: Any) -> Any:
    """Let the processor fetch what an address points to, ahead of its use."""
    del typing_context, address

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        del context, signature
        place = builder.inttoptr(args[0], _POINTER)
        half = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [_POINTER, half, half, half])
        name = "llvm.prefetch.p0"
        function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        builder.call(function, [place, *(ir.Constant(half, n) for n in (0, 3, 1))])
        return ir.Constant(_WORD, 0)

    return types.int64(types.int64), generate


@intrinsic
def ones(typing_context: Any, word: Any) -> Any:
    """Count the ones of a word."""
    del typing_context, word

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        del context, signature
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate
