"""Loops over the flat arrays of a space, compiled by numba; import this where it is needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.native import native
from kibitz.solve.algorithms import value_propagation

__all__ = [
    "count_open",
    "lowest_bit",
    "mark_keeping",
    "mark_progress",
    "spread",
    "sweep_outcomes",
]

Numbers = npt.NDArray[Any]


count_open = native(value_propagation.count_open)
spread = native(value_propagation.spread)


@native
def mark_keeping(first_edge: Numbers, target: Numbers, value: Numbers, keeps: Numbers) -> None:
    """Mark edges between states of equal value."""
    for state in range(len(first_edge) - 1):
        here = value[state]
        for edge in range(first_edge[state], first_edge[state + 1]):
            keeps[edge] = value[target[edge]] == here


@native
def mark_progress(
    first_edge: Numbers,
    target: Numbers,
    value: Numbers,
    distance: Numbers,
    middle: int,
    marks: Numbers,
) -> None:
    """Mark edges between states of equal value that, unless it is the middle, gain one ply."""
    for state in range(len(first_edge) - 1):
        here = value[state]
        plies = np.int64(distance[state])
        for edge in range(first_edge[state], first_edge[state + 1]):
            to = target[edge]
            comes_on = here == middle or np.int64(distance[to]) + 1 == plies
            marks[edge] = comes_on and value[to] == here


@native
def lowest_bit(word: np.uint64) -> int:
    """Return the index of the lowest set bit of a word that is not 0."""
    place = 0
    for step in (32, 16, 8, 4, 2, 1):
        if word & ((np.uint64(1) << np.uint64(step)) - np.uint64(1)) == 0:
            word >>= np.uint64(step)
            place += step
    return place


@native
def sweep_outcomes(
    order: Numbers,
    first_edge: Numbers,
    target: Numbers,
    turn: Numbers,
    outcomes: Numbers,
    possible: Numbers,
    has_tie: Numbers,
    shortest: Numbers,
    longest: Numbers,
) -> None:
    """Find the outcomes that best play may have if each mover maximises only its own goal."""
    words = possible.shape[1]
    one = np.uint64(1)
    first = np.zeros(words, dtype=np.uint64)
    for state in order:
        begin, end = first_edge[state], first_edge[state + 1]
        if begin == end:
            continue
        mover = turn[state]
        # The mover's guaranteed goal: the best of the least that each move gives.
        least = -1
        if mover >= 0:
            for edge in range(begin, end):
                worst = 127
                for w in range(words):
                    left = possible[target[edge], w]
                    while left != 0:
                        goal = outcomes[64 * w + lowest_bit(left), mover]
                        worst = min(worst, goal)
                        left &= left - one
                least = max(least, worst)
        short, long = 0xFFFFFFFF, 0
        is_first = True
        for edge in range(begin, end):
            to = target[edge]
            is_played = False
            differs = False
            for w in range(words):
                kept = possible[to, w]
                if mover >= 0:
                    left = kept
                    while left != 0:
                        if outcomes[64 * w + lowest_bit(left), mover] < least:
                            kept &= ~(left & (~left + one))
                        left &= left - one
                if kept != 0:
                    is_played = True
                if is_first:
                    first[w] = kept
                elif kept != first[w]:
                    differs = True
                possible[state, w] |= kept
            if is_played:
                if differs:
                    has_tie[state] = True
                is_first = False
                short = min(short, shortest[to] + 1)
                long = max(long, longest[to] + 1)
        shortest[state] = short
        longest[state] = long
