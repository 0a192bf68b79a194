"""Solve a StateSpace of two opposed roles that may choose at the same time, by mixed moves.

A state in which both choose is a matrix game over the values of the states that follow (Shapley
1953). Its value is found from the ends backwards, as two bounds that the mixes of both sides prove;
there must be no cycles.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.engine import Move, Role
from kibitz.errors import KibitzError
from kibitz.solve.retrograde import sums_of_goals
from kibitz.solve.values import Known, ListedValues, Place
from kibitz.space import StateSpace, ends_first, graph_of, require_no_stuck

Matrix = npt.NDArray[np.float64]

_LOOSE = 1e-7
_DIGITS = 6


@dataclass(frozen=True)
class MixedSolution(ListedValues):
    """The average value of every state for the first of two opposed roles, who may mix moves.

    The value is between `low` and `high`, which differ by rounding only; the second role gets
    `total` less that. `shortest` and `longest` are plies to the end; where roles choose at the same
    time every move counts for these.
    """

    kind: ClassVar[Literal["average"]] = "average"

    space: StateSpace
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    total: int
    shortest: npt.NDArray[np.uint32]
    longest: npt.NDArray[np.uint32]
    seconds: float

    @property
    def listed(self) -> MixedSolution:
        """These arrays."""
        return self

    @property
    def bytes(self) -> int:
        """How much memory the arrays take, including those of the space."""
        kept = (self.low, self.high, self.shortest, self.longest)
        return self.space.bytes + sum(array.nbytes for array in kept)

    def look(self, at: Place | None = None) -> Known:
        """Return what is known of a position."""
        number = self.number(at)
        low, high = float(self.low[number]), float(self.high[number])
        pairs = (low, high), (self.total - high, self.total - low)
        plies = int(self.shortest[number]), int(self.longest[number])
        return Known(dict(zip(self.game.roles, pairs, strict=True)), plies)

    def mixes(self, at: Place | None = None) -> dict[Role, dict[Move, float]]:
        """Return for each role how often to play which move, so that its value is guaranteed."""
        moves = self.space.moves(self.number(at))
        sides = [list(dict.fromkeys(joint[role] for joint, _ in moves)) for role in (0, 1)]
        matrix = np.zeros((len(sides[0]), len(sides[1])))
        for joint, to in moves:
            place = sides[0].index(joint[0]), sides[1].index(joint[1])
            matrix[place] = (self.low[to] + self.high[to]) / 2
        shares = iter(round(float(share), _DIGITS) for share in find_mixes(matrix))
        return {
            role: {move: share for move in side if (share := next(shares))}
            for role, side in zip(self.game.roles, sides, strict=True)
        }


def find_mixes(matrix: Matrix) -> Matrix:
    """Mix the rows of a matrix for the largest value and its columns for the smallest.

    >>> find_mixes(np.array([[0.0, 1.0], [1.0, 0.0]])).round(6).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    rows, columns = matrix.shape
    work, padded = np.zeros((rows + 1, columns + 1)), np.zeros((rows, columns + 1))
    padded[:, :columns] = matrix
    places, mixes = np.zeros(rows + columns, dtype=np.int64), np.zeros(rows + columns)
    core.function("matrix_mixes")(padded, rows, columns, columns + 1, work, places, mixes)
    return mixes


def guarantees(matrix: Matrix, mixes: Matrix) -> tuple[float, float]:
    """Return the least that the rows' mix gains and the most that the columns' loses, rounded
    outwards.
    """
    bounds = np.zeros(2)
    rows, columns = matrix.shape
    core.function("matrix_guarantees")(matrix, matrix, rows, columns, columns, mixes, bounds)
    return float(bounds[0]), float(bounds[1])


def solve_mixed(space: StateSpace) -> MixedSolution:
    """Solve a space of two opposed roles that may choose at once; raise KibitzError for others.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> solution = solve_mixed(explore(CompiledGame(load_sheet("roshambo"))))
    >>> solution.value(), solution.plies()
    ({'player1': 50.0, 'player2': 50.0}, 3)
    >>> {str(move): share for move, share in solution.mixes()["player1"].items()}
    {'paper': 0.333333, 'rock': 0.333333, 'scissors': 0.333333}
    """
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
        most_rows, most_columns = int(rows.max()) + 1, int(columns.max()) + 1
        size = (most_rows + 1, most_columns + 1)
        sweep = Struct(
            "stages", order=order, turn=space.turn, row_of=rows, column_of=columns, low=low,
            high=high, shortest=shortest, longest=longest, width=size[1], lower=np.zeros(size),
            upper=np.zeros(size), middle=np.zeros(size), work=np.zeros(size),
            place_of_row=np.full(most_rows, -1, dtype=np.int64),
            place_of_column=np.full(most_columns, -1, dtype=np.int64),
            places=np.zeros(sum(size), dtype=np.int64), mixes=np.zeros(sum(size)),
        )  # fmt: skip
        core.function("matrix_sweep")(graph_of(space), sweep)
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
