"""Tic-tac-toe by hand: nine bits for each side."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from benchmarks.bits import Words, draw, pick, pick_many, popcount, shuffle

__all__ = ["numpy_playouts", "perft", "playouts"]

_ALL = np.uint64(0b111_111_111)
_ONE = np.uint64(1)
_NONE = np.uint64(0)
_LINES = (0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124)
_WON = np.array([any(side & line == line for line in _LINES) for side in range(512)])


@njit
def playouts(matches: int, seed: int) -> tuple[int, int, int]:
    """Play random matches; give moves made, matches won by x, and by o."""
    states = first = second = 0
    random = np.uint64(seed)
    for _ in range(matches):
        own = other = _NONE
        x_moves = True
        while True:
            empty = _ALL & ~(own | other)
            count = popcount(empty)
            if count == 0:
                break
            random = shuffle(random)
            own |= pick(empty, draw(random, count))
            states += 1
            if _WON[own]:
                if x_moves:
                    first += 1
                else:
                    second += 1
                break
            own, other = other, own
            x_moves = not x_moves
    return states, first, second


@njit("void(uint64, uint64, int64, int64[::1])")
def _count(own: np.uint64, other: np.uint64, left: int, counts: Any) -> None:
    """Count below a state that is not terminal; `counts` ends with the deepest layer."""
    empty = _ALL & ~(own | other)
    counts[-left] += popcount(empty)
    if left == 1:
        return
    while empty != _NONE:
        rest = empty & (empty - _ONE)
        after = own | (empty ^ rest)
        if not _WON[after]:
            _count(other, after, left - 1, counts)
        empty = rest


def perft(depth: int) -> list[int]:
    """Count the states at each depth, stopping at terminal ones."""
    counts = np.zeros(depth + 1, dtype=np.int64)
    counts[0] = 1
    if depth:
        _count(_NONE, _NONE, depth, counts)
    return [int(count) for count in counts]


def numpy_playouts(rounds: int, seed: int, *, matches: int = 8192) -> tuple[int, int, int]:
    """Make moves in many matches at once; give moves made, matches won by x, and by o."""
    source = np.random.default_rng(seed)
    own: Words = np.zeros(matches, dtype=np.uint64)
    other = own.copy()
    x_moves = np.ones(matches, dtype=bool)
    first = second = 0
    for _ in range(rounds):
        empty = _ALL & ~(own | other)
        rank = source.integers(0, np.bitwise_count(empty), dtype=np.int64)
        after = own | pick_many(empty, rank)
        won = _WON[after]
        over = won | ((after | other) == _ALL)
        first += int((won & x_moves).sum())
        second += int((won & ~x_moves).sum())
        own, other = np.where(over, _NONE, other), np.where(over, _NONE, after)
        x_moves = over | ~x_moves
    return rounds * matches, first, second
