"""Sets of rows that number new ones."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.rows import Rows, hash_rows
from kibitz.space import Column

__all__ = ["RowSet"]

_LEAST = 1 << 10


class RowSet:
    """Rows numbered from 0 in the order in which they are first met.

    >>> seen = RowSet(1)
    >>> seen.add(np.array([[7], [9], [7]], dtype=np.uint64)).tolist()
    [0, 1, 0]
    >>> seen.add(np.array([[8], [9]], dtype=np.uint64)).tolist(), len(seen)
    ([2, 1], 3)
    """

    def __init__(self, words: int) -> None:
        self._rows = Column(np.uint64, words)
        self._count = 0
        self._table = np.zeros(_LEAST, dtype=np.uint64)
        self._words = words
        no_mark = np.zeros(words, dtype=np.uint64)
        self._context = Struct(
            "intake", batch=np.zeros(128, dtype=np.int64), counted=no_mark, fixed=no_mark,
            pattern=no_mark,
        )  # fmt: skip

    def __len__(self) -> int:
        return self._count

    def rows(self, first: int = 0) -> Rows:
        """Return the rows from a number on; the next `add` may move them."""
        return self._rows.array[first : self._count]

    def add(self, rows: Rows) -> npt.NDArray[np.int64]:
        """Add rows; return the number of each."""
        rows = np.ascontiguousarray(rows)
        found, known = len(rows), self._count
        if known + found > len(self._rows.array):
            self._rows.resize(max(known + found, known * 3 // 2, _LEAST))
        hashes = hash_rows(rows)
        numbers = np.empty(found, dtype=np.int64)
        slots = np.empty(found, dtype=np.int64)
        run = self._context
        run.states, run.known, run.rows = self._rows.array, known, rows
        run.hashes, run.numbers, run.slots = hashes, numbers, slots
        self._make_table(known + found)
        self._count += core.function("space_claim", self._words)(run, 0, found)
        core.function("space_number", self._words)(run, 0, found, known)
        passing = (slots == -1) & (numbers >= known)
        numbers[passing] = numbers[numbers[passing] - known]
        return numbers

    def _make_table(self, total: int) -> None:
        size = len(self._table)
        while 3 * total > 2 * size:
            size *= 2
        is_larger = size > len(self._table)
        if is_larger:
            self._table = np.zeros(size, dtype=np.uint64)
        self._context.table = self._table
        self._context.mask = self._context.section_mask = size - 1
        if is_larger:
            core.function("space_rehash", self._words)(self._context, 0, self._count)
