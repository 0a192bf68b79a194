"""What the yardsticks share: bits of 64-bit words, and random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

__all__ = ["Words", "draw", "flip", "pick", "pick_many", "popcount", "prefetch", "shuffle"]

Words = npt.NDArray[np.uint64]

_ONE = np.uint64(1)


def _popcount(_context: Any, _word: Any) -> Any:

    def emit(_target: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), emit


def _flip(_context: Any, _word: Any) -> Any:

    def emit(_target: Any, builder: Any, _signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        name = "llvm.bswap.i64"
        kind = ir.FunctionType(word, [word])
        function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        return builder.call(function, args)

    return types.uint64(types.uint64), emit


def _prefetch(_context: Any, _array: Any, _index: Any) -> Any:

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        address = builder.gep(array.data, [args[1]])
        word = ir.IntType(32)
        name = "llvm.prefetch.p0"
        kind = ir.FunctionType(ir.VoidType(), [address.type, word, word, word])
        function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        builder.call(function, [address, *(ir.Constant(word, n) for n in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(_array, types.int64), emit


popcount: Any = intrinsic(_popcount)
"""Counts the ones of a word, by the processor's instruction."""

prefetch: Any = intrinsic(_prefetch)
"""Lets the processor fetch an element of an array ahead of its use."""

flip: Any = intrinsic(_flip)
"""Reverses the eight bytes of a word: a board of eight rows upside down."""


@njit(inline="always")
def shuffle(random: np.uint64) -> np.uint64:
    """Give the state of xorshift after this one; no state is 0."""
    random ^= random << np.uint64(13)
    random ^= random >> np.uint64(7)
    random ^= random << np.uint64(17)
    return random


@njit(inline="always")
def draw(random: np.uint64, count: int) -> np.int64:
    """Give a number below `count`, uniform up to one part in 2^26."""
    high = (random * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)
    return np.int64((high * np.uint64(count)) >> np.uint64(32))


@njit(inline="always")
def pick(bits: np.uint64, rank: np.int64) -> np.uint64:
    """Give the one that has `rank` ones below it, alone."""
    for _ in range(rank):
        bits &= bits - _ONE
    return bits ^ (bits & (bits - _ONE))


def pick_many(bits: Words, rank: npt.NDArray[np.int64]) -> Words:
    """Do as `pick` does for arrays."""
    for done in range(int(rank.max(initial=0))):
        bits = np.where(rank > done, bits & (bits - _ONE), bits)
    result: Words = bits ^ (bits & (bits - _ONE))
    return result
