"""Solve a StateSpace of two opposed roles that may choose at the same time, by mixed moves.

A state in which both choose is a matrix game over the values of the states that follow (Shapley
1953). Its value is found from the ends backwards, as two bounds that the mixes of both sides prove;
there must be no cycles.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.engine import Move, Role
from kibitz.errors import KibitzError
from kibitz.solve.algorithms.retrograde import sums_of_goals
from kibitz.solve.notebook import NotebookSolution
from kibitz.space import StateId, StateSpace, ends_first, require_no_stuck

__all__ = ["MixedSolution", "solve_mixed"]

_LOOSE = 1e-7
_DIGITS = 6


@dataclass(frozen=True)
class MixedSolution(NotebookSolution):
    """The average value of every state for the first of two opposed roles, who may mix moves.

    The value is between `low` and `high`, which differ by rounding only; the second role gets
    `total` less that. `shortest` and `longest` are plies to the end; where roles choose at the same
    time every move counts for these.
    """

    space: StateSpace
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    total: int
    shortest: npt.NDArray[np.uint32]
    longest: npt.NDArray[np.uint32]
    seconds: float

    @property
    def bytes(self) -> int:
        """How much memory the arrays take, including those of the space."""
        kept = (self.low, self.high, self.shortest, self.longest)
        return self.space.bytes + sum(array.nbytes for array in kept)

    def bounds(self, state: StateId = 0) -> dict[Role, tuple[float, float]]:
        """Return bounds of the value of a state for each role."""
        low, high = float(self.low[state]), float(self.high[state])
        pairs = ((low, high), (self.total - high, self.total - low))
        return dict(zip(self.space.game.roles, pairs, strict=True))

    def values(self, state: StateId = 0) -> dict[Role, float]:
        """Return the average value of a state for each role, to six digits after the point."""
        bounds = self.bounds(state)
        return {role: round((low + high) / 2, _DIGITS) for role, (low, high) in bounds.items()}

    def plies(self, state: StateId = 0) -> int | None:
        """Return the plies to the end, None where that depends on the moves."""
        short, long = int(self.shortest[state]), int(self.longest[state])
        return short if short == long else None

    def mixes(self, state: StateId = 0) -> tuple[dict[Move, float], dict[Move, float]]:
        """Return for each role how often to play which move, so that its value is guaranteed."""
        from kibitz.solve.algorithms.matrix_games import find_mixes

        moves = self.space.moves(state)
        ours = list(dict.fromkeys(joint[0] for joint, _ in moves))
        theirs = list(dict.fromkeys(joint[1] for joint, _ in moves))
        matrix = np.zeros((len(ours), len(theirs)))
        for (mine, other), to in moves:
            matrix[ours.index(mine), theirs.index(other)] = (self.low[to] + self.high[to]) / 2
        shares = np.zeros(len(ours) + len(theirs))
        work = np.zeros((len(ours) + 1, len(theirs) + 1))
        find_mixes(matrix, len(ours), len(theirs), work, shares)
        given = [round(float(share), _DIGITS) for share in shares]
        return (
            {move: share for move, share in zip(ours, given, strict=False) if share},
            {move: share for move, share in zip(theirs, given[len(ours) :], strict=True) if share},
        )


def solve_mixed(space: StateSpace) -> MixedSolution:
    """Solve a space of two opposed roles that may choose at once; raise KibitzError for others.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> solution = solve_mixed(explore(CompiledGame(load_sheet("roshambo"))))
    >>> solution.values(), solution.plies()
    ({'player1': 50.0, 'player2': 50.0}, 3)
    >>> {str(move): share for move, share in solution.mixes()[0].items()}
    {'paper': 0.333333, 'rock': 0.333333, 'scissors': 0.333333}
    """
    from kibitz.solve.algorithms.matrix_games import sweep_stages

    start = time.perf_counter()
    name = space.game.sheet.name
    total = _check(space)
    order = ends_first(space, because="then simultaneous choices have no single value")
    low = np.where(space.terminal, space.goals[:, 0], 0.0)
    high = low.copy()
    shortest = np.zeros(len(space), dtype=np.uint32)
    longest = np.zeros(len(space), dtype=np.uint32)
    if space.edges:
        rows, columns = (_numbers(space, role)[space.action] for role in (0, 1))
        sweep_stages(
            order,
            space.first_edge,
            space.target,
            space.turn,
            rows,
            columns,
            low,
            high,
            shortest,
            longest,
        )
    widest = float((high - low).max(initial=0.0))
    if not widest <= _LOOSE:
        raise KibitzError(f"values of {name} are known only to within {widest:g}")
    seconds = time.perf_counter() - start
    return MixedSolution(space, low, high, total, shortest, longest, seconds)


def _check(space: StateSpace) -> int:
    """Return the sum of both roles' goals."""
    name, roles = space.game.sheet.name, space.game.roles
    space.require_complete()
    require_no_stuck(space)
    sums = sums_of_goals(space)
    if len(roles) != 2 or len(sums) > 1:
        why = f"{len(roles)} roles" if len(roles) != 2 else "goals without a constant sum"
        raise KibitzError(
            f"in {name} roles choose at the same time; with {why} states have no single value"
        )
    return sums[0] if sums else 100


def _numbers(space: StateSpace, role: int) -> npt.NDArray[np.uint32]:
    """Number the moves of a role; return the number of each joint move's."""
    known: dict[Move, int] = {}
    numbers = [known.setdefault(joint[role], len(known)) for joint in space.joint_moves]
    return np.array(numbers, dtype=np.uint32)
