"""Breakthrough by hand: one bit for each man on a board of eight by eight.

The side to move always moves up: after each move the board is turned upside down.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from benchmarks.bits import Words, draw, flip, pick, pick_many, popcount, shuffle

__all__ = ["numpy_playouts", "perft", "playouts"]

_ONE = np.uint64(1)
_NONE = np.uint64(0)
_OWN = np.uint64(0xFFFF)
_OTHER = np.uint64(0xFFFF << 48)
_FAR = np.uint64(0xFF << 56)
_NOT_FIRST = np.uint64(0xFEFEFEFEFEFEFEFE)
_NOT_LAST = np.uint64(0x7F7F7F7F7F7F7F7F)
_LEFT, _AHEAD, _RIGHT = (np.uint64(step) for step in (7, 8, 9))


@njit
def playouts(matches: int, seed: int) -> tuple[int, int, int]:
    """Play random matches; give moves made, matches won by white, and by black."""
    states = first = second = 0
    random = np.uint64(seed)
    for _ in range(matches):
        own, other = _OWN, _OTHER
        is_white = True
        while True:
            ahead = (own << _AHEAD) & ~(own | other)
            left = ((own & _NOT_FIRST) << _LEFT) & ~own
            right = ((own & _NOT_LAST) << _RIGHT) & ~own
            straight, sideways = popcount(ahead), popcount(left)
            random = shuffle(random)
            rank = draw(random, straight + sideways + popcount(right))
            if rank < straight:
                target = pick(ahead, rank)
                own ^= target | (target >> _AHEAD)
            elif rank < straight + sideways:
                target = pick(left, rank - straight)
                own ^= target | (target >> _LEFT)
            else:
                target = pick(right, rank - straight - sideways)
                own ^= target | (target >> _RIGHT)
            other &= ~target
            states += 1
            if target & _FAR != _NONE or other == _NONE:
                if is_white:
                    first += 1
                else:
                    second += 1
                break
            own, other = flip(other), flip(own)
            is_white = not is_white
    return states, first, second


@njit("void(uint64, uint64, int64, int64[::1])")
def _count(own: np.uint64, other: np.uint64, left: int, counts: Any) -> None:
    """Count below a state that is not terminal; `counts` ends with the deepest layer."""
    for step in (_LEFT, _AHEAD, _RIGHT):
        if step == _AHEAD:
            targets = (own << step) & ~(own | other)
        elif step == _LEFT:
            targets = ((own & _NOT_FIRST) << step) & ~own
        else:
            targets = ((own & _NOT_LAST) << step) & ~own
        counts[-left] += popcount(targets)
        while left > 1 and targets != _NONE:
            rest = targets & (targets - _ONE)
            target = targets ^ rest
            theirs = other & ~target
            if target & _FAR == _NONE and theirs != _NONE:
                _count(flip(theirs), flip(own ^ (target | (target >> step))), left - 1, counts)
            targets = rest


def perft(depth: int) -> list[int]:
    """Count the states at each depth, stopping at terminal ones."""
    counts = np.zeros(depth + 1, dtype=np.int64)
    counts[0] = 1
    if depth:
        _count(_OWN, _OTHER, depth, counts)
    return [int(count) for count in counts]


def numpy_playouts(rounds: int, seed: int, *, matches: int = 8192) -> tuple[int, int, int]:
    """Make moves in many matches at once; give moves made, matches won by white, and by black."""
    source = np.random.default_rng(seed)
    own: Words = np.full(matches, _OWN)
    other: Words = np.full(matches, _OTHER)
    is_white = np.ones(matches, dtype=bool)
    first = second = 0
    for _ in range(rounds):
        ahead = (own << _AHEAD) & ~(own | other)
        left = ((own & _NOT_FIRST) << _LEFT) & ~own
        right = ((own & _NOT_LAST) << _RIGHT) & ~own
        straight = np.bitwise_count(ahead).astype(np.int64)
        sideways = straight + np.bitwise_count(left)
        rank = source.integers(0, sideways + np.bitwise_count(right), dtype=np.int64)
        goes_ahead, goes_right = rank < straight, rank >= sideways
        targets = np.where(goes_ahead, ahead, np.where(goes_right, right, left))
        below = np.where(goes_ahead, 0, np.where(goes_right, sideways, straight))
        target = pick_many(targets, rank - below)
        step = np.where(goes_ahead, _AHEAD, np.where(goes_right, _RIGHT, _LEFT))
        own = own ^ (target | (target >> step))
        other = other & ~target
        over = ((target & _FAR) != _NONE) | (other == _NONE)
        first += int((over & is_white).sum())
        second += int((over & ~is_white).sum())
        own, other = (
            np.where(over, _OWN, other.byteswap()),
            np.where(over, _OTHER, own.byteswap()),
        )
        is_white = over | ~is_white
    return rounds * matches, first, second
