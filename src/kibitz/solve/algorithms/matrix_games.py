"""Solve matrix games: what mixed moves guarantee to one role when both choose at once.

The simplex method on a compact tableau finds a mix for each side, in floating point. It is not
trusted: what each mix guarantees is computed afterwards, with safe rounding, and these two bounds
hold whatever the simplex did. Entries are themselves bounds, so the errors of a sweep over many
stages are included.
"""

from __future__ import annotations

import numpy as np

from kibitz.native import native
from kibitz.solve.algorithms.kernels import Numbers

__all__ = ["find_mixes", "guarantees", "sweep_stages"]

_ROUNDING = 2.0**-50
_TINY = 1e-12
_SMALL = 1e-9


@native
def find_mixes(matrix: Numbers, rows: int, columns: int, work: Numbers, mixes: Numbers) -> None:
    """Mix the rows of a matrix for the largest value, and its columns for the smallest.

    `work` has a row and a column more than the matrix; `mixes` gets both sides' shares.
    """
    least = matrix[0, 0]
    for i in range(rows):
        for j in range(columns):
            least = min(least, matrix[i, j])
    for i in range(rows):
        for j in range(columns):
            work[i, j] = matrix[i, j] - least + 1.0
        work[i, columns] = 1.0
    for j in range(columns):
        work[rows, j] = -1.0
    work[rows, columns] = 0.0
    # The variable of each row and column: the columns' shares, then the rows'.
    at_row = np.arange(columns, columns + rows)
    at_column = np.arange(columns)
    patience = 20 * (rows + columns)
    for turn in range(10 * patience):
        entering = -1
        for j in range(columns):
            if work[rows, j] < -_TINY and (
                entering < 0
                or (
                    work[rows, j] < work[rows, entering]
                    if turn < patience
                    else at_column[j] < at_column[entering]  # Bland's rule prevents cycling
                )
            ):
                entering = j
        if entering < 0:
            break
        # Of rows that bind equally, the largest pivot is the most exact.
        leaving = -1
        ratio = np.inf
        for i in range(rows):
            if work[i, entering] > _SMALL:
                ratio = min(ratio, work[i, columns] / work[i, entering])
        for i in range(rows):
            if (
                work[i, entering] > _SMALL
                and work[i, columns] <= (ratio + _TINY) * work[i, entering]
                and (
                    leaving < 0
                    or (
                        work[i, entering] > work[leaving, entering]
                        if turn < patience
                        else at_row[i] < at_row[leaving]
                    )
                )
            ):
                leaving = i
        if leaving < 0:
            break
        pivot = work[leaving, entering]
        for j in range(columns + 1):
            if j != entering:
                work[leaving, j] /= pivot
        for i in range(rows + 1):
            if i != leaving:
                factor = work[i, entering]
                for j in range(columns + 1):
                    if j != entering:
                        work[i, j] -= factor * work[leaving, j]
                work[i, entering] = -factor / pivot
        work[leaving, entering] = 1.0 / pivot
        at_row[leaving], at_column[entering] = at_column[entering], at_row[leaving]
    mixes[: rows + columns] = 0.0
    for i in range(rows):
        if at_row[i] < columns:
            mixes[rows + at_row[i]] = max(work[i, columns], 0.0)
    for j in range(columns):
        if at_column[j] >= columns:
            mixes[at_column[j] - columns] = max(work[rows, j], 0.0)
    for begin, end in ((0, rows), (rows, rows + columns)):
        total = mixes[begin:end].sum()
        for k in range(begin, end):
            mixes[k] = mixes[k] / total if total > 0.0 else 1.0 / (end - begin)


@native
def guarantees(
    low: Numbers, high: Numbers, rows: int, columns: int, mixes: Numbers
) -> tuple[float, float]:
    """Return the least that the rows' mix gains in `low`, and the most that the columns' loses in
    `high`, both rounded outwards; shares need not quite add up to one.
    """
    slack = _ROUNDING * (rows + columns + 8)
    least = np.inf
    weight = mixes[:rows].sum()
    for j in range(columns):
        total = 0.0
        for i in range(rows):
            total += mixes[i] * low[i, j]
        least = min(least, total / weight)
    most = -np.inf
    weight = mixes[rows : rows + columns].sum()
    for i in range(rows):
        total = 0.0
        for j in range(columns):
            total += mixes[rows + j] * high[i, j]
        most = max(most, total / weight)
    scale = 0.0
    for i in range(rows):
        for j in range(columns):
            scale = max(scale, abs(low[i, j]), abs(high[i, j]))
    return least - slack * scale, most + slack * scale


@native
def sweep_stages(
    order: Numbers,
    first_edge: Numbers,
    target: Numbers,
    turn: Numbers,
    row_of: Numbers,
    column_of: Numbers,
    low: Numbers,
    high: Numbers,
    shortest: Numbers,
    longest: Numbers,
) -> None:
    """Bound the value of all states from the ends backwards; `row_of` and `column_of` number the
    moves of both roles that an edge stands for.
    """
    most_rows, most_columns = row_of.max() + 1, column_of.max() + 1
    place_of_row = np.full(most_rows, -1, dtype=np.int64)
    place_of_column = np.full(most_columns, -1, dtype=np.int64)
    lower = np.zeros((most_rows, most_columns))
    upper = np.zeros((most_rows, most_columns))
    middle = np.zeros((most_rows, most_columns))
    work = np.zeros((most_rows + 1, most_columns + 1))
    mixes = np.zeros(most_rows + most_columns)
    for state in order:
        begin, end = first_edge[state], first_edge[state + 1]
        if begin == end:
            continue
        if turn[state] != -2:
            sign = -1.0 if turn[state] == 1 else 1.0
            best_low = best_high = -np.inf
            for edge in range(begin, end):
                to = target[edge]
                one, other = sign * low[to], sign * high[to]
                best_low = max(best_low, min(one, other))
                best_high = max(best_high, max(one, other))
            low[state] = min(sign * best_low, sign * best_high)
            high[state] = max(sign * best_low, sign * best_high)
        else:
            best_low = -np.inf
            rows = columns = 0
            for edge in range(begin, end):
                row, column, to = row_of[edge], column_of[edge], target[edge]
                if place_of_row[row] < 0:
                    place_of_row[row] = rows
                    rows += 1
                if place_of_column[column] < 0:
                    place_of_column[column] = columns
                    columns += 1
                i, j = place_of_row[row], place_of_column[column]
                lower[i, j], upper[i, j] = low[to], high[to]
                middle[i, j] = (low[to] + high[to]) / 2
            for edge in range(begin, end):
                place_of_row[row_of[edge]] = place_of_column[column_of[edge]] = -1
            least, most = -np.inf, np.inf
            for i in range(rows):
                least = max(least, lower[i, :columns].min())
            for j in range(columns):
                most = min(most, upper[:rows, j].max())
            if most - least > _TINY:  # no pure move is best for both
                find_mixes(middle, rows, columns, work, mixes)
                proved = guarantees(lower, upper, rows, columns, mixes)
                least, most = max(least, proved[0]), min(most, proved[1])
            low[state], high[state] = least, most
        short, long = np.int64(0xFFFFFFFF), np.int64(0)
        for edge in range(begin, end):
            to = target[edge]
            # A role that moves alone plays only moves that may have the best value.
            if turn[state] == -2 or sign * (low[to] if sign < 0 else high[to]) >= best_low:
                short = min(short, shortest[to] + 1)
                long = max(long, longest[to] + 1)
        shortest[state], longest[state] = short, long
