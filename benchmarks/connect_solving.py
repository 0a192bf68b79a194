"""Connect by hand, solved whole: every board of a small grid, found layer by layer.

A board is one word: who is to move has the low half, all men the high half. Each layer has a hash
table of its own; what a batch of boards will look up is fetched ahead. Edges are kept as numbers of
the boards they lead to, and one sweep over the layers from the last gives value and distance.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from benchmarks.bits import Words, popcount, prefetch

__all__ = ["solve"]

_ONE = np.uint64(1)
_NONE = np.uint64(0)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_BATCH = 64
_WON = np.uint8(0)
_DRAWN = np.uint8(1)
_LOST = np.uint8(2)


@njit(inline="always")
def _wins(side: np.uint64, height: np.uint64, length: int) -> Any:
    """Tell whether a side has `length` in a line; the top bit of a column is never set."""
    for step in (_ONE, height, height - _ONE, height + _ONE):
        found = side
        for _ in range(length - 1):
            found = found & (found >> step)
            if found == _NONE:
                break
        if found != _NONE:
            return True
    return False


@njit
def _expand(
    boards: Words,
    first: int,
    last: int,
    sizes: tuple[int, int, int],
    table: Any,
    known: int,
    first_edge: Any,
    target: Any,
    edges: int,
) -> tuple[int, int]:
    """Find the boards after those from first to last; give how many boards and edges there are.

    A board that is won has the bit above all columns set in both halves, so that it has no moves.
    """
    rows, columns, length = sizes
    height = np.uint64(rows + 1)
    bottom = board = _NONE
    for column in range(columns):
        bottom |= _ONE << (np.uint64(column) * height)
        board |= ((_ONE << np.uint64(rows)) - _ONE) << (np.uint64(column) * height)
    over = _ONE << (height * np.uint64(columns))
    mask = np.uint64(len(table) - 1)
    shift = np.uint64(64) - popcount(mask)
    made = np.zeros(_BATCH * columns, dtype=np.uint64)
    for start in range(first, last, _BATCH):
        count = 0
        for state in range(start, min(start + _BATCH, last)):
            first_edge[state] = edges + count
            own, taken = boards[state] & _LOW, boards[state] >> _HALF
            if taken & over != _NONE:
                continue
            free = (taken + bottom) & board
            while free != _NONE:
                rest = free & (free - _ONE)
                cell = free ^ rest
                free = rest
                theirs, all_men = own ^ taken, taken | cell
                if _wins(own | cell, height, length):
                    all_men |= over
                made[count] = theirs | (all_men << _HALF)
                prefetch(table, np.int64((made[count] * _FACTOR) >> shift))
                count += 1
        for index in range(count):
            word = made[index]
            place = (word * _FACTOR) >> shift
            while True:
                number = table[place]
                if number == 0:
                    boards[known] = word
                    table[place] = known + 1
                    target[edges] = known
                    known += 1
                    break
                if boards[number - 1] == word:
                    target[edges] = number - 1
                    break
                place = (place + _ONE) & mask
            edges += 1
    first_edge[last] = edges
    return known, edges


@njit
def _sweep(
    boards: Words, cells: int, first_edge: Any, target: Any, value: Any, distance: Any
) -> tuple[int, int]:
    """Value every board for who is to move; give how many are terminal, and how many are won."""
    over = _ONE << np.uint64(cells)
    terminal = won = 0
    for before in range(len(boards)):
        state = len(boards) - 1 - before
        begin, end = first_edge[state], first_edge[state + 1]
        if begin == end:
            terminal += 1
            value[state] = _LOST if (boards[state] >> _HALF) & over != _NONE else _DRAWN
            continue
        best, plies = np.uint8(3), 0
        for edge in range(begin, end):
            here = np.uint8(2) - value[target[edge]]
            after = distance[target[edge]] + 1
            # Who wins hurries, who does not holds out.
            if here < best or (here == best and (after < plies if here == _WON else after > plies)):
                best, plies = here, after
        value[state], distance[state] = best, plies
        won += best == _WON
    return terminal, won


def solve(rows: int = 5, columns: int = 5, length: int = 4) -> dict[str, int]:
    """Find and value every board; the value is 100, 50 or 0 for who begins."""
    sizes = (rows, columns, length)
    cells = (rows + 1) * columns
    boards: Words = np.zeros(1 << 12, dtype=np.uint64)
    first_edge = np.zeros(len(boards) + 1, dtype=np.int64)
    target = np.zeros(0, dtype=np.uint32)
    first, known, edges = 0, 1, 0
    while first < known:
        last = known
        most = known + (last - first) * columns
        if most > len(boards):
            boards.resize(max(most, len(boards) * 3 // 2), refcheck=False)
            first_edge.resize(len(boards) + 1, refcheck=False)
        if edges + (last - first) * columns > len(target):
            wanted = max(edges + (last - first) * columns, len(target) * 3 // 2)
            target.resize(wanted, refcheck=False)
        table = np.zeros(1 << max(4, ((last - first) * columns).bit_length()), dtype=np.uint32)
        known, edges = _expand(boards, first, last, sizes, table, known, first_edge, target, edges)
        first = last
    boards = boards[:known]
    value = np.zeros(known, dtype=np.uint8)
    distance = np.zeros(known, dtype=np.uint8)
    terminal, _ = _sweep(boards, cells, first_edge, target, value, distance)
    return {
        "states": known,
        "terminal_states": terminal,
        "moves": edges,
        "value": 100 - 50 * int(value[0]),
        "distance": int(distance[0]),
    }
