"""Endings in, entries of a search's table out: a loop compiled by numba; import this late."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.native import native
from kibitz.prove.kernels import INFINITE, hash_row, keep

__all__ = ["enter_bounds"]

Numbers = npt.NDArray[Any]

_WORK = np.int64(1) << np.int64(60)
"""What an ending is said to have cost, so that nothing takes its place in a table."""


@native
def enter_bounds(
    table: Numbers,
    locks: Numbers,
    rows: Numbers,
    least: Numbers,
    most: Numbers,
    values: int,
) -> None:
    """Write what bounds say of each row: a value that is reached, by index, or one that is not."""
    for number in range(len(rows)):
        for aim in range(1, values):
            mixed = hash_row(rows[number])
            if least[number] >= aim:
                keep(table, locks, rows[number], mixed, aim, 0, INFINITE, _WORK)
            elif most[number] < aim:
                keep(table, locks, rows[number], mixed, aim, INFINITE, 0, _WORK)
