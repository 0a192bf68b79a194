"""Room for the walks of one batch down a tree, and how many there are to be."""

from __future__ import annotations

import numpy as np

__all__ = ["Walks"]

_DEEPEST = 512
_HURRY = 4.0
"""Where only so many batches are left, each has as many leaves as it can."""


class Walks:
    """The walks of one batch: their edges, how many these are, and the leaf of each."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.paths = np.zeros((2 * most + 2, _DEEPEST), np.int64)
        self.lengths = np.zeros(2 * most + 2, np.int64)
        self.leaves = np.zeros(2 * most + 2, np.int64)
        self.counts = np.zeros(3, np.int64)
        """Walks whose leaves are to be valued, leaves with successors, leaves without."""

    def limit(self, visits: int, most: int, batches: float) -> int:
        """Return how many leaves to look for: few while the tree is small, if time is left."""
        least = _HURRY * most / batches if batches > _HURRY else most
        return min(self.most, most, max(8 + visits // 4, int(least)))
