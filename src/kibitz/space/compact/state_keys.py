"""The states of one layer, sorted, in a few bytes each: of most only the bytes that differ from
the state before are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.rows import rows_of_keys
from kibitz.space.exploration.growing_arrays import Column
from kibitz.threads import ThreadTeam

__all__ = ["CODE_BLOCK", "StateKeys", "in_shares"]

Rows = npt.NDArray[np.uint64]
CODE_BLOCK = core.constant("CODE_BLOCK")
_SHARE = 64  # Blocks that a thread codes at a time.


class StateKeys:
    """Sorted rows of states; the last word counts most.

    >>> rows = np.array([[3], [5], [5 << 40], [5 << 40 | 1]], dtype=np.uint64)
    >>> with ThreadTeam(1) as team:
    ...     keys = StateKeys(rows, team)
    >>> len(keys), keys.bytes, keys.find(5 << 40), keys.find(4)
    (4, 31, 2, None)
    """

    def __init__(self, rows: Rows, team: ThreadTeam) -> None:
        self.count: int = rows.shape[0]
        self.words: int = rows.shape[1]
        blocks = -(-self.count // CODE_BLOCK)
        self.starts = np.zeros(blocks + 1, dtype=np.int64)
        sizes = self.starts[1:]
        measure = core.function("compact_measure", self.words)
        in_shares(team, blocks, _SHARE, lambda _, a, b: measure(rows, self.count, sizes, a, b))
        np.cumsum(self.starts, out=self.starts)
        self.data = Column(np.uint8)
        self.data.array = np.empty(int(self.starts[-1]), dtype=np.uint8)
        encode = core.function("compact_encode", self.words)
        places = rows, self.count, self.starts, self.data.array
        in_shares(team, blocks, _SHARE, lambda _, a, b: encode(*places, a, b))

    def __len__(self) -> int:
        return self.count

    @property
    def bytes(self) -> int:
        """How much memory or disk it takes."""
        return int(self.data.array.nbytes + self.starts.nbytes)

    @property
    def bytes_in_memory(self) -> int:
        """How much memory it takes."""
        return self.data.bytes_in_memory + self.starts.nbytes

    def move_to(self, folder: str | Path) -> None:
        """Continue in a file."""
        self.data.move_to(folder)

    def read(self, first: int, last: int, into: Rows) -> None:
        """Write the rows from a multiple of 1024 to another number into an array."""
        decode = core.function("compact_decode", self.words)
        for start in range(first, last, CODE_BLOCK):
            at = int(self.starts[start // CODE_BLOCK])
            decode(self.data.array, at, min(CODE_BLOCK, last - start), into, start - first)

    def rows(self, team: ThreadTeam) -> Rows:
        """Return all rows."""
        rows = np.empty((self.count, self.words), dtype=np.uint64)

        def read(_number: int, first: int, last: int) -> None:
            self.read(first, last, rows[first:last])

        in_shares(team, self.count, _SHARE * CODE_BLOCK, read)
        return rows

    def find(self, key: int) -> int | None:
        """Return the place of a state, by its bits as one number; None if it is not here."""
        low, high = 0, len(self.starts) - 1
        while low < high:
            middle = (low + high) // 2
            start = int(self.starts[middle])
            head = self.data.array[start : start + 8 * self.words].tobytes()
            if int.from_bytes(head, "little") <= key:
                low = middle + 1
            else:
                high = middle
        if not low:
            return None
        first = (low - 1) * CODE_BLOCK
        rows = np.empty((min(CODE_BLOCK, self.count - first), self.words), dtype=np.uint64)
        self.read(first, first + len(rows), rows)
        row = rows_of_keys([key], self.words)
        places = np.flatnonzero((rows == row).all(axis=1))
        return first + int(places[0]) if len(places) else None


def in_shares(
    team: ThreadTeam, count: int, share: int, work: Callable[[int, int, int], None]
) -> None:
    """Call `work(thread, first, last)` for all shares of a range, in whichever thread is free.

    Where one fails, or this thread is interrupted, the others stop after their present share.
    """
    starts = iter(range(0, count, share))
    is_ended: list[bool] = []

    def run(number: int) -> None:
        try:
            for start in starts:  # which gives each number to one thread only, by Python's lock
                if is_ended:
                    return
                work(number, start, min(count, start + share))
        except BaseException:
            is_ended.append(True)
            raise

    try:
        if count > share:
            team.each(run)
        else:
            run(0)
    except BaseException:
        is_ended.append(True)
        raise
