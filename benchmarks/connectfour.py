"""Connect four by hand: a board of six rows and seven columns, seven bits for each column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from benchmarks.bits import Words, draw, pick, pick_many, popcount, shuffle

__all__ = ["numpy_playouts", "perft", "playouts"]

_ONE = np.uint64(1)
_NONE = np.uint64(0)
_BOTTOM = np.uint64(sum(1 << 7 * column for column in range(7)))
_BOARD = np.uint64(sum(0b111111 << 7 * column for column in range(7)))
_UP, _ASIDE, _RISING, _FALLING = (np.uint64(step) for step in (1, 7, 8, 6))


@njit(inline="always")
def _wins(side: np.uint64) -> Any:
    """Tell whether a side has four in a line; the seventh bit of a column is never set."""
    pairs = side & (side >> _ASIDE)
    found = pairs & (pairs >> (_ASIDE + _ASIDE))
    pairs = side & (side >> _UP)
    found |= pairs & (pairs >> (_UP + _UP))
    pairs = side & (side >> _RISING)
    found |= pairs & (pairs >> (_RISING + _RISING))
    pairs = side & (side >> _FALLING)
    found |= pairs & (pairs >> (_FALLING + _FALLING))
    return found != _NONE


@njit
def playouts(matches: int, seed: int) -> tuple[int, int, int]:
    """Play random matches; give moves made, matches won by x, and by o."""
    states = first = second = 0
    random = np.uint64(seed)
    for _ in range(matches):
        own = taken = _NONE
        x_moves = True
        while True:
            free = (taken + _BOTTOM) & _BOARD
            count = popcount(free)
            if count == 0:
                break
            random = shuffle(random)
            cell = pick(free, draw(random, count))
            states += 1
            if _wins(own | cell):
                if x_moves:
                    first += 1
                else:
                    second += 1
                break
            own ^= taken
            taken |= cell
            x_moves = not x_moves
    return states, first, second


@njit("void(uint64, uint64, int64, int64[::1])")
def _count(own: np.uint64, taken: np.uint64, left: int, counts: Any) -> None:
    """Count below a state that is not terminal; `counts` ends with the deepest layer."""
    free = (taken + _BOTTOM) & _BOARD
    counts[-left] += popcount(free)
    if left == 1:
        return
    while free != _NONE:
        rest = free & (free - _ONE)
        cell = free ^ rest
        if not _wins(own | cell):
            _count(own ^ taken, taken | cell, left - 1, counts)
        free = rest


def perft(depth: int) -> list[int]:
    """Count the states at each depth, stopping at terminal ones."""
    counts = np.zeros(depth + 1, dtype=np.int64)
    counts[0] = 1
    if depth:
        _count(_NONE, _NONE, depth, counts)
    return [int(count) for count in counts]


def _wins_of_many(side: Words) -> Any:
    found = np.zeros_like(side)
    for step in (_UP, _ASIDE, _RISING, _FALLING):
        pairs = side & (side >> step)
        found |= pairs & (pairs >> (step + step))
    return found != _NONE


def numpy_playouts(rounds: int, seed: int, *, matches: int = 8192) -> tuple[int, int, int]:
    """Make moves in many matches at once; give moves made, matches won by x, and by o."""
    source = np.random.default_rng(seed)
    own: Words = np.zeros(matches, dtype=np.uint64)
    taken = own.copy()
    x_moves = np.ones(matches, dtype=bool)
    first = second = 0
    for _ in range(rounds):
        free = (taken + _BOTTOM) & _BOARD
        rank = source.integers(0, np.bitwise_count(free), dtype=np.int64)
        cell = pick_many(free, rank)
        won = _wins_of_many(own | cell)
        over = won | ((taken | cell) == _BOARD)
        first += int((won & x_moves).sum())
        second += int((won & ~x_moves).sum())
        own = np.where(over, _NONE, own ^ taken)
        taken = np.where(over, _NONE, taken | cell)
        x_moves = over | ~x_moves
    return rounds * matches, first, second
