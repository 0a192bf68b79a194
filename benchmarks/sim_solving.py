"""Sim by hand, solved whole: 15 edges between six points, each red, blue or not coloured.

A state is the edges of red and of blue, 15 bits each. Written to base three it is a number below
14,348,907, which is its place in a table of all states there could be, so that nothing is hashed.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numba import njit

__all__ = ["solve"]

_EDGES = list(combinations(range(6), 2))
_TRIANGLES = np.array(
    [
        sum(1 << _EDGES.index(pair) for pair in combinations(corners, 2))
        for corners in combinations(range(6), 3)
    ],
    dtype=np.int64,
)
_IN_BASE_THREE = np.array(
    [sum(3**i for i in range(15) if side >> i & 1) for side in range(1 << 15)], dtype=np.int64
)
_HAS_TRIANGLE = np.array(
    [any(side & t == t for t in _TRIANGLES.tolist()) for side in range(1 << 15)]
)
_MOST = 3**15


@njit
def _find(table: Any, red: Any, blue: Any, first_edge: Any, target: Any) -> tuple[int, int]:
    """Number every state that play reaches, and every move."""
    known, edges, first = 1, 0, 0
    table[0] = 1
    red_moves = True
    while first < known:
        last = known
        for state in range(first, last):
            first_edge[state] = edges
            mine, theirs = (red[state], blue[state]) if red_moves else (blue[state], red[state])
            if _HAS_TRIANGLE[theirs]:
                continue
            free = 0x7FFF & ~(mine | theirs)
            while free:
                edge = free & -free
                free ^= edge
                r, b = red[state], blue[state]
                if red_moves:
                    r |= edge
                else:
                    b |= edge
                place = _IN_BASE_THREE[r] + 2 * _IN_BASE_THREE[b]
                if table[place] == 0:
                    red[known], blue[known] = r, b
                    known += 1
                    table[place] = known
                target[edges] = table[place] - 1
                edges += 1
        first = last
        red_moves = not red_moves
    first_edge[known] = edges
    return known, edges


@njit
def _sweep(
    known: int, red: Any, blue: Any, first_edge: Any, target: Any, value: Any, distance: Any
) -> int:
    """Value every state for red; give how many are terminal."""
    terminal = 0
    for before in range(known):
        state = known - 1 - before
        begin, end = first_edge[state], first_edge[state + 1]
        if begin == end:
            terminal += 1
            value[state] = 50
            if _HAS_TRIANGLE[red[state]]:
                value[state] = 0
            elif _HAS_TRIANGLE[blue[state]]:
                value[state] = 100
            continue
        played = 0
        both = red[state] | blue[state]
        while both:
            both &= both - 1
            played += 1
        red_moves = played % 2 == 0
        best, plies = -1, 0
        for edge in range(begin, end):
            here, after = value[target[edge]], distance[target[edge]] + 1
            liked = here if red_moves else 100 - here
            if liked > best or (liked == best and (after < plies if liked > 50 else after > plies)):
                best, plies = liked, after
        value[state] = best if red_moves else 100 - best
        distance[state] = plies
    return terminal


def solve() -> dict[str, int]:
    """Find and value every state; the value is that of red, who begins."""
    table = np.zeros(_MOST, dtype=np.uint32)
    room = 2_300_000
    red, blue = np.zeros(room, dtype=np.int32), np.zeros(room, dtype=np.int32)
    first_edge = np.zeros(room + 1, dtype=np.int64)
    target = np.zeros(9_000_000, dtype=np.uint32)
    known, edges = _find(table, red, blue, first_edge, target)
    value = np.zeros(known, dtype=np.uint8)
    distance = np.zeros(known, dtype=np.uint8)
    terminal = _sweep(known, red, blue, first_edge, target, value, distance)
    return {
        "states": known,
        "terminal_states": terminal,
        "moves": edges,
        "value": int(value[0]),
        "distance": int(distance[0]),
    }
