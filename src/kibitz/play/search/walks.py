"""What the trees of searches share: states by number, and walks from a root to leaves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct

__all__ = ["GROWN", "NEW", "PROVEN", "NumberedStates", "Walks"]

NEW, GROWN, PROVEN = (core.constant(f"NODE_{name}") for name in ("NEW", "GROWN", "PROVEN"))
"""What a node is: not looked at, with edges, or certain."""
_DEEPEST = 512
_HURRY = 4.0
"""Where only so many batches are left, each has as many leaves as it can."""


class NumberedStates:
    """States in the order in which they were met."""

    def __init__(self, words: int, room: int) -> None:
        self.rows = np.zeros((room, words), np.uint64)
        size = 1 << (2 * room - 1).bit_length()
        self.context = Struct(
            "numbered", rows=self.rows, words=words, room=room, mask=size - 1,
            table=np.full(size, -1, np.int32),
        )  # fmt: skip
        self._number = core.function("number_state")

    def number(self, row: npt.NDArray[np.uint64]) -> int:
        """Return the number of a state, which gets one if it has none."""
        return int(self._number(self.context, row))

    @property
    def used(self) -> int:
        """How many states there are."""
        return int(self.context.used)

    @property
    def nbytes(self) -> int:
        """The size of the rows and the table."""
        return int(self.rows.nbytes + self.context.table.nbytes)


class Walks:
    """The walks of one batch: their edges, how many these are, and the leaf of each."""

    def __init__(self, room: int) -> None:
        self.paths = np.zeros((room, _DEEPEST), np.int64)
        self.lengths = np.zeros(room, np.int64)
        self.leaves = np.zeros(room, np.int64)
        self.context = Struct(
            "walks", paths=self.paths, deepest=_DEEPEST, room=room, lengths=self.lengths,
            leaves=self.leaves,
        )  # fmt: skip

    def limit(self, visits: int, most: int, batches: float) -> int:
        """Return how many leaves to look for: few while the tree is small, if time is left."""
        least = _HURRY * most / batches if batches > _HURRY else most
        return min(most, max(8 + visits // 4, int(least)))
