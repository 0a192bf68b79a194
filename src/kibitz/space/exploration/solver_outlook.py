"""How far exploring has come in; out about how many states there will be: is there any hope?"""

from __future__ import annotations

import math
from collections import deque
from itertools import pairwise

import numpy as np

__all__ = ["SolverOutlook"]

_FEW = 5_000_000
"""States that are found in seconds; with fewer, nothing is said."""
_SLOWEST_DECLINE = 0.05
_LAYERS = 1000
_NOTES = 20
"""Projections that must agree; in the middle of a layer one alone can be far too large."""
_CLEARLY = 2.0


class SolverOutlook:
    """Projects how many states a game has from how the search for them grows.

    What was found when a state was expanded divides the states into layers. The logarithm of the
    growth from layer to layer falls about evenly in most games; so it is continued until layers
    shrink, where half of the states are found.

    >>> outlook = SolverOutlook()
    >>> for layer in range(1, 17):
    ...     outlook.note(3**layer, 3 ** (layer - 1))
    >>> outlook.projected() > 1e9
    True
    """

    def __init__(self) -> None:
        self._samples = [(0.0, 0.0)]
        self._projections: deque[float] = deque([0.0], maxlen=_NOTES)

    def note(self, found: int, expanded: int) -> None:
        """Record how many states were found once so many of them were expanded."""
        sample = math.log(max(1, expanded)), math.log(max(1, found))
        if sample[0] > self._samples[-1][0] and sample[1] >= self._samples[-1][1]:
            self._samples.append(sample)
            self._projections.append(self.projected())

    def is_beyond(self, states: int) -> bool:
        """Return whether there are clearly more states than a number, by the last projections."""
        return min(self._projections) > _CLEARLY * states

    def projected(self) -> float:
        """Return about how many states there will be, or what was found while that is little."""
        expanded, found = self._samples[-1]
        if found < math.log(_FEW):
            return math.exp(found)
        ends = [found, expanded]
        columns = list(zip(*self._samples, strict=True))
        for _ in range(3):
            ends.append(float(np.interp(ends[-1], columns[1], columns[0])))
        sizes = [math.exp(a) - math.exp(b) for a, b in pairwise(ends)]
        if min(sizes) <= 0:
            return math.exp(found)
        growth = [math.log(a / b) for a, b in pairwise(sizes)]
        decline = max(_SLOWEST_DECLINE, (growth[-1] - growth[0]) / (len(growth) - 1))
        total, size, rate = math.exp(found), sizes[0], growth[0] - decline
        for _ in range(_LAYERS):
            if rate <= 0:
                break
            size *= math.exp(rate)
            total += size
            rate -= decline
        return total
