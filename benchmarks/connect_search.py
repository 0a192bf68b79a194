"""Connect four by hand, one position searched: alpha-beta on the bits of two words.

Seven bits a column on six rows, the top one empty. A move that lets the opponent win at once is not
made, and the only move that parries is. Moves are tried by how often they were best before, at
first by how many lines of four run through a cell. The table has pairs of places, keyed by the
smaller of a board and its mirror image.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from benchmarks.bits import popcount

__all__ = ["solve"]

_ONE = np.uint64(1)
_TWO = np.uint64(2)
_THREE = np.uint64(3)
_NONE = np.uint64(0)
_USED = np.uint64(1 << 63)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_PLACES = 25
"""The table has two to this many places."""
_MIRRORED_PLIES = 22


@njit
def _threats(own: Any, column: Any) -> Any:
    """Return the cells that complete a line of four, on the board or beside it."""
    cells = (own << _ONE) & (own << _TWO) & (own << _THREE)
    for step in (column, column - _ONE, column + _ONE):
        pair = (own << step) & (own << (step + step))
        cells |= pair & ((own << (_THREE * step)) | (own >> step))
        pair = (own >> step) & (own >> (step + step))
        cells |= pair & ((own >> (_THREE * step)) | (own << step))
    return cells


@njit
def _mirror(board: Any, columns: int, column: Any) -> Any:
    mirrored = _NONE
    mask = (_ONE << column) - _ONE
    for number in range(columns):
        bits = (board >> (np.uint64(number) * column)) & mask
        mirrored |= bits << (np.uint64(columns - 1 - number) * column)
    return mirrored


@njit
def _order(moves: Any, columns: int, column: Any, scores: Any, cells: Any) -> int:
    """Write the cells of the moves, the best first; return how many there are."""
    count = 0
    mask = (_ONE << column) - _ONE
    for number in range(columns):
        move = moves & (mask << (np.uint64(number) * column))
        if move:
            cell = popcount(move - _ONE)
            place = count
            while place > 0 and scores[cells[place - 1]] < scores[cell]:
                cells[place] = cells[place - 1]
                place -= 1
            cells[place] = cell
            count += 1
    return count


@njit(
    "int64(uint64, uint64, int64, int64, int64, int64, int64, uint64[::1], int8[::1], "
    "int64[:, ::1], int64[:, ::1], int64[::1])"
)
def _search(
    own: Any, men: Any, alpha: int, beta: int, columns: int, rows: int, ply: int, keys: Any,
    bounds: Any, scores: Any, cells: Any, count: Any,
) -> Any:  # fmt: skip
    """Return the value for the role to move, which cannot win at once: -1, 0 or 1."""
    count[0] += 1
    column = np.uint64(rows + 1)
    bottom = _NONE
    for number in range(columns):
        bottom |= _ONE << (np.uint64(number) * column)
    board = bottom * ((_ONE << np.uint64(rows)) - _ONE)
    other = own ^ men
    moves = (men + bottom) & board
    if ply == columns * rows:
        return 0
    dangers = _threats(other, column) & (board ^ men)
    forced = moves & dangers
    if forced:
        if forced & (forced - _ONE):
            return -1
        moves = forced
    moves &= ~(dangers >> _ONE)
    if moves == _NONE:
        return -1
    if ply >= columns * rows - 2:
        return 0
    key = own + men
    if ply < _MIRRORED_PLIES:
        key = min(key, _mirror(own, columns, column) + _mirror(men, columns, column))
    key |= _USED
    first = np.int64((key * _MIX) >> np.uint64(64 - _PLACES))
    for place in (first, first ^ 1):
        if keys[place] == key:
            low, high = (bounds[place] & 3) - 1, ((bounds[place] >> 2) & 3) - 1
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
            alpha, beta = max(alpha, low), min(beta, high)
            break
    begun, best, lower, side = count[0], -1, alpha, ply & 1
    for tried in range(_order(moves, columns, column, scores[side], cells[ply])):
        cell = cells[ply, tried]
        value = -_search(
            other, men | (_ONE << np.uint64(cell)), -beta, -lower, columns, rows, ply + 1, keys,
            bounds, scores, cells, count,
        )  # fmt: skip
        best, lower = max(best, value), max(lower, value)
        if value >= beta:
            scores[side, cell] += tried
            for worse in range(tried):
                scores[side, cells[ply, worse]] -= 1
            break
    low, high = (best if best > alpha else -1), (best if best < beta else 1)
    work, size = count[0] - begun, 0
    while work > 0 and size < 7:
        work >>= 2
        size += 1
    place = first
    if keys[first] != key and (bounds[first] >> 4) > size:
        place = first ^ 1
    keys[place] = key
    bounds[place] = np.int8((low + 1) | (high + 1) << 2 | size << 4)
    return best


def solve(rows: int, columns: int) -> dict[str, Any]:
    """Return the first player's goal with best play from the empty board, and boards searched."""
    keys = np.zeros(1 << _PLACES, dtype=np.uint64)
    bounds = np.zeros(1 << _PLACES, dtype=np.int8)
    scores = np.zeros((2, 64), dtype=np.int64)
    for column in range(columns):
        for row in range(rows):
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if column + 3 * right < columns and 0 <= row + 3 * up < rows:
                    for man in range(4):
                        at = (column + man * right) * (rows + 1) + row + man * up
                        scores[:, at] += 1
    cells = np.zeros((rows * columns + 1, 8), dtype=np.int64)
    count = np.zeros(1, dtype=np.int64)
    value = _search(_NONE, _NONE, -1, 1, columns, rows, 0, keys, bounds, scores, cells, count)
    return {"value": 50 + 50 * int(value), "states": int(count[0])}
