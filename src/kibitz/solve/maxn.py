"""Solve a StateSpace in which each role maximises only its own goal: max-n, with ties reported.

With more than two roles, or with two whose goals have no constant sum, the role to move picks what
is best for itself (Luckhardt and Irani 1986). Where moves are equal for the mover and differ for
others, a state has no single value. So each state gets the set of all outcomes that best play may
have, however ties are broken, here and later: for a mover m,

    V(s) = { v in V(t) for a move to t : v_m >= max over moves to t' of min over w in V(t') of w_m }

because a move may be played if it can give the mover at least what every other move guarantees.
These are the outcomes of the subgame-perfect equilibria in pure strategies. One sweep from the ends
finds them; there must be no cycles. An outcome is one bit in a row of words.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.errors import KibitzError
from kibitz.solve.retrograde import sums_of_goals
from kibitz.solve.values import Known, ListedValues, Place
from kibitz.space import SEVERAL, StateSpace, ends_first, graph_of, require_no_stuck

_MOST_OUTCOMES = 1024


@dataclass(frozen=True)
class MaxnSolution(ListedValues):
    """Max^n solution: possible goals of best play in every state, each role maximising its own.

    Row s of `possible` has bit b where best play from state s may end with the goals
    `outcomes[b]`. `has_tie` marks where the mover has several best moves that differ for others.
    `shortest` and `longest` are plies to the end under any best play.
    """

    kind: ClassVar[Literal["outcomes"]] = "outcomes"

    space: StateSpace
    outcomes: npt.NDArray[np.int8]
    possible: npt.NDArray[np.uint64]
    has_tie: npt.NDArray[np.bool_]
    shortest: npt.NDArray[np.uint32]
    longest: npt.NDArray[np.uint32]
    seconds: float
    total: None = field(default=None, init=False)

    @property
    def listed(self) -> MaxnSolution:
        """These arrays."""
        return self

    @property
    def ties(self) -> int:
        """In how many states the mover has equally good moves that differ for others."""
        return int(self.has_tie.sum())

    @property
    def bytes(self) -> int:
        """How much memory the arrays take, including those of the space."""
        kept = (self.possible, self.has_tie, self.shortest, self.longest)
        return self.space.bytes + sum(array.nbytes for array in kept)

    def look(self, at: Place | None = None) -> Known:
        """Return what is known of a position."""
        number, roles = self.number(at), self.game.roles
        words = self.possible[number]
        found = tuple(
            dict(zip(roles, map(int, self.outcomes[bit]), strict=True))
            for bit in range(len(self.outcomes))
            if int(words[bit // 64]) >> bit % 64 & 1
        )
        bounds = {r: (min(o[r] for o in found), max(o[r] for o in found)) for r in roles}
        plies = int(self.shortest[number]), int(self.longest[number])
        return Known(bounds, plies, found, bool(self.has_tie[number]))


def solve_maxn(space: StateSpace) -> MaxnSolution:
    """Solve a space by max-n; raise KibitzError where that is impossible.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.gdl import read
    >>> from kibitz.space import explore
    >>> game = CompiledGame(read('''
    ...     (role a) (role b) (init start) (legal b wait)
    ...     (legal a one) (legal a two) (legal a three)
    ...     (<= (next (played ?m)) (does a ?m)) (<= terminal (not (true start)))
    ...     (<= (goal a 10) (true (played one))) (<= (goal a 60) (not (true (played one))))
    ...     (<= (goal b 90) (true (played two))) (<= (goal b 20) (not (true (played two))))
    ... '''))
    >>> solution = solve_maxn(explore(game))
    >>> solution.value(), solution.bounds()["b"]
    ({'a': 60, 'b': None}, (20, 90))
    """
    start = time.perf_counter()
    _check(space)
    order = ends_first(space, because="then states have no single max-n value")
    outcomes, number = _outcomes(space)
    if len(outcomes) > _MOST_OUTCOMES:
        raise KibitzError(
            f"{space.game.sheet.name} can end in {len(outcomes):,} different ways; max-n values "
            f"are found for up to {_MOST_OUTCOMES:,}"
        )
    possible = np.zeros((len(space), -(-len(outcomes) // 64)), dtype=np.uint64)
    ends = np.flatnonzero(space.terminal)
    possible[ends, number // 64] = np.uint64(1) << (number % 64).astype(np.uint64)
    has_tie = np.zeros(len(space), dtype=np.bool_)
    shortest = np.zeros(len(space), dtype=np.uint32)
    longest = np.zeros(len(space), dtype=np.uint32)
    words = possible.shape[1]
    sweep = Struct(
        "outcomes", order=order, turn=space.turn, goals=outcomes, roles=outcomes.shape[1],
        possible=possible, words=words, first=np.zeros(words, np.uint64), has_tie=has_tie,
        shortest=shortest, longest=longest,
    )  # fmt: skip
    core.function("value_outcomes")(graph_of(space), sweep)
    seconds = time.perf_counter() - start
    return MaxnSolution(space, outcomes, possible, has_tie, shortest, longest, seconds)


def _check(space: StateSpace) -> None:
    name = space.game.sheet.name
    space.require_complete()
    if (space.turn == SEVERAL).any():
        raise KibitzError(
            f"in {name} roles choose at the same time, and their goals are not opposed, "
            "so states have no single value"
        )
    require_no_stuck(space)
    sums_of_goals(space)


def _outcomes(space: StateSpace) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]:
    """List the different goals of ends, and return each end's index in that list."""
    goals = space.goals[space.terminal]
    number = np.zeros(len(goals), dtype=np.int64)
    for column in goals.T:
        number = np.unique(number * 128 + column, return_inverse=True)[1]
    _, examples = np.unique(number, return_index=True)
    return goals[examples], number
