"""Differences of counts in, weights and priorities that violate few examples out: local search.

Each step tries every change of one constraint at once, as one sum of arrays, and makes the best
that was not undone recently.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.budget import is_over

__all__ = ["Chosen", "descend"]

Chosen = dict[int, tuple[int, int]]
"""The weight and priority of each selected constraint, by its number."""

Ints = npt.NDArray[np.int64]

_WORK = 4_000_000_000
"""How many numbers to process where no time is given."""


@dataclass
class _State:
    rows: npt.NDArray[np.int32]
    price: Ints
    lengths: Ints
    levels: int
    sums: Ints
    chosen: Chosen

    def put(self, column: int, option: tuple[int, int] | None) -> None:
        """Give a constraint another weight and priority, or remove it."""
        old = self.chosen.pop(column, None)
        if old is not None:
            self.sums[:, old[1] - 1] -= old[0] * self.rows[:, column]
        if option is not None:
            self.sums[:, option[1] - 1] += option[0] * self.rows[:, column]
            self.chosen[column] = option

    def broken(self) -> int:
        """Return the cost of the examples that are not in order."""
        return int(self.price[~self._right(0)].sum())

    def size(self) -> int:
        return int(self.lengths[list(self.chosen)].sum())

    def _right(self, above: int) -> npt.NDArray[np.bool_]:
        """Return which examples the priorities up to the lowest `levels - above` put in order."""
        right = np.zeros(len(self.rows), dtype=bool)
        for level in range(self.levels - above):
            sums = self.sums[:, level]
            right = (sums < 0) | ((sums == 0) & right)
        return right

    def prices(self, level: int, weight: int) -> Ints:
        """Return the cost after adding each constraint, with each priority and weight."""
        undecided = np.ones(len(self.rows), dtype=bool)
        for higher in range(level, self.levels):
            undecided &= self.sums[:, higher] == 0
        decided = np.zeros(len(self.rows), dtype=bool)
        for higher in range(level, self.levels):
            sums = self.sums[:, higher]
            decided = (sums < 0) | ((sums == 0) & decided)
        fixed = int(self.price[~undecided & ~decided].sum())
        here = np.flatnonzero(undecided)
        below = self._right(self.levels - level + 1)[here]
        after = self.sums[here, level - 1][:, None] + weight * self.rows[here]
        wrong = (after > 0) | ((after == 0) & ~below[:, None])
        return np.asarray(fixed + self.price[here] @ wrong, dtype=np.int64)


def descend(
    rows: npt.NDArray[np.int32],
    price: Ints,
    lengths: Ints,
    *,
    weights: Sequence[int],
    levels: int,
    deadline: float = math.inf,
    scale: int = 1,
) -> tuple[Chosen, int]:
    """Search for a choice of low cost: `scale` times that of violated examples, plus its length.

    Returns the best choice and the cost of what it violates. The steps are the same each time; how
    many there are depends on the size of the arrays, and on the deadline if there is one.

    >>> rows = np.array([[-1, 1], [0, -1]], dtype=np.int32)
    >>> ones = np.ones(2, dtype=np.int64)
    >>> descend(rows, ones, ones, weights=(1,), levels=2, scale=9)[1]
    0
    """
    state = _State(rows, price, lengths, levels, np.zeros((len(rows), levels), np.int64), {})
    source = np.random.default_rng(1)
    tabu = np.zeros(rows.shape[1], dtype=np.int64)
    best: Chosen = {}
    best_cost = scale * state.broken()
    best_broken = state.broken()
    step = stale = 0
    most = 20_000
    if deadline == math.inf:
        most = min(most, max(100, _WORK // max(1, rows.size * levels * len(weights))))
    while not is_over(deadline) and stale < 1000 and step < most:
        step += 1
        stale += 1
        size = state.size()
        moves: list[tuple[float, int, tuple[int, int] | None]] = []
        free = np.ones(rows.shape[1], dtype=bool)
        free[list(state.chosen)] = False
        open_ = free & (tabu <= step)
        if open_.any():
            for level in range(1, levels + 1):
                for weight in weights:
                    costs = scale * state.prices(level, weight) + size + lengths
                    noise = source.random(len(costs))
                    column = int(np.argmin(np.where(open_, costs + 0.5 * noise, np.inf)))
                    moves.append((float(costs[column]), column, (weight, level)))
        for column in [c for c in state.chosen if tabu[c] <= step]:
            old = state.chosen[column]
            options = [None, *((w, p) for w in weights for p in range(1, levels + 1))]
            for option in options:
                if option == old:
                    continue
                state.put(column, option)
                moves.append((float(scale * state.broken() + state.size()), column, option))
            state.put(column, old)
        if not moves:
            continue
        cost, column, option = min(moves, key=lambda move: move[0] + 0.5 * source.random())
        state.put(column, option)
        tabu[column] = step + 3 + int(source.integers(0, 8))
        if cost < best_cost:
            best, best_cost, best_broken, stale = dict(state.chosen), int(cost), state.broken(), 0
    return best, best_broken
