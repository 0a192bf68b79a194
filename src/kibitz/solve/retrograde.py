"""Solve a StateSpace backwards from its end: a value and a distance for every state.

For one role, or two whose goals add up to the same number wherever play ends, which is checked.
Where every move leads from one layer of the space to the next, one sweep over the layers from the
last to the first gives both. Elsewhere there may be cycles, and a play that never ends is worth
the middle value. Then values are fixed from the extremes inwards: the first role's best goal
spreads to the states in which it can force it, one ply a round, then the next best, down to the
middle; likewise the second role's from below; what is left is worth the middle.
"""

from __future__ import annotations

import ctypes
import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.engine import Move, Role
from kibitz.errors import KibitzError
from kibitz.space import SEVERAL, StateId, StateSpace
from kibitz.space.kernels import Sweep, space_kernels

__all__ = ["NEVER", "Solution", "solve"]

NEVER = 0xFFFF
"""The distance of states from which best play never ends."""

_SWEEP = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


@dataclass(frozen=True)
class Solution:
    """What every state is worth, and how many plies best play goes on.

    `value` is the first role's goal under best play; the second's is `total` less that. Whoever is
    ahead hurries and whoever is behind holds out, so that `distance` is exact for both; a draw is
    held as long as it can be.
    """

    space: StateSpace
    value: npt.NDArray[np.uint8]
    distance: npt.NDArray[np.uint16]
    total: int
    seconds: float

    @property
    def middle(self) -> int:
        """What a play that never ends is worth to the first role."""
        return self.total // 2

    def values(self, state: StateId = 0) -> dict[Role, int]:
        """Give what a state is worth to each role."""
        first = int(self.value[state])
        return dict(zip(self.space.game.roles, (first, self.total - first), strict=False))

    def plies(self, state: StateId = 0) -> int | None:
        """Give the plies to the end under best play, None where it never comes."""
        distance = int(self.distance[state])
        return None if distance == NEVER else distance

    def best_moves(self, state: StateId = 0) -> list[tuple[tuple[Move, ...], StateId]]:
        """Give the joint moves that keep the value."""
        moves = self.space.moves(state)
        return [(move, to) for move, to in moves if self.value[to] == self.value[state]]

    def principal_variation(self, state: StateId = 0) -> list[tuple[Move, ...]]:
        """Give one line of best play to the end, or until it would go round in circles."""
        line: list[tuple[Move, ...]] = []
        while self.plies(state):
            move, state = next(
                (move, to)
                for move, to in self.best_moves(state)
                if self.distance[to] + 1 == self.distance[state]
            )
            line.append(move)
        return line


def solve(space: StateSpace) -> Solution:
    """Solve a space; raise KibitzError where the game is not one that this can solve.

    >>> from kibitz.engine.compiled import CompiledGame
    >>> from kibitz.games import load
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load("nim:1,2,4,5"))))
    >>> solution.values(), solution.plies()
    ({'player1': 100, 'player2': 0}, 11)
    """
    start = time.perf_counter()
    total, middle = _check(space)
    value, distance = _ends(space, middle)
    if space.is_layered:
        _sweep_layers(space, value, distance, middle)
    else:
        value, distance = _spread(space, value, distance, middle)
    seconds = time.perf_counter() - start
    return Solution(space, value.astype(np.uint8), distance, total, seconds)


def _check(space: StateSpace) -> tuple[int, int]:
    """Give the sum of goals and the middle value of the first role's."""
    name, roles = space.game.sheet.name, space.game.roles
    if not space.is_complete:
        raise KibitzError(f"{name} was not explored completely", hint="allow more states or time")
    if len(roles) > 2:
        raise KibitzError(f"{name} has {len(roles)} roles; only one or two can be solved")
    if (space.turn == SEVERAL).any():
        raise KibitzError(f"in {name} roles choose at the same time, so states have no one value")
    goals = space.goals[space.terminal]
    if (goals < 0).any():
        raise KibitzError(f"a terminal state of {name} has no goal, or more than one, for a role")
    if len(roles) == 1:
        return 100, 50
    sums = np.unique(goals.astype(np.int16).sum(axis=1)) if len(goals) else np.array([100])
    if len(sums) > 1:
        shown = ", ".join(map(str, sums[:5]))
        raise KibitzError(f"the goals of {name} do not add up to one number, but to {shown}")
    return int(sums[0]), int(sums[0]) // 2


def _ends(space: StateSpace, middle: int) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
    """Value the states that no move leads from; others get -1."""
    ends = space.first_edge[:-1] == space.first_edge[1:]
    value = np.full(len(space), -1, dtype=np.int16)
    value[ends] = middle
    value[space.terminal] = space.goals[space.terminal, 0]
    distance = np.zeros(len(space), dtype=np.uint16)
    distance[ends & ~space.terminal] = NEVER
    return value, distance


def _sweep_layers(
    space: StateSpace,
    value: npt.NDArray[np.int16],
    distance: npt.NDArray[np.uint16],
    middle: int,
) -> None:
    """Value a layered space in place, by one native sweep from the last state to the first."""
    short = value.astype(np.uint8)
    turn = (space.turn == 1).astype(np.uint8)
    context = np.zeros(Sweep.SIZE, dtype=np.int64)
    for column, array in (
        (Sweep.FIRST_EDGE, space.first_edge),
        (Sweep.TARGETS, space.target),
        (Sweep.TURN, turn),
        (Sweep.VALUE, short),
        (Sweep.DISTANCE, distance),
    ):
        context[column] = array.ctypes.data
    context[Sweep.MIDDLE] = middle
    sweep = _SWEEP(space_kernels(space.states.shape[1]).address("layered"))
    sweep(context.ctypes.data, 0, len(space))
    value[:] = short


def _spread(
    space: StateSpace,
    value: npt.NDArray[np.int16],
    distance: npt.NDArray[np.uint16],
    middle: int,
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
    """Value any space, goal by goal from the extremes to the middle."""
    inner = np.flatnonzero(space.first_edge[:-1] < space.first_edge[1:])
    starts = space.first_edge[inner]
    is_second = space.turn[inner] == 1
    target = space.target
    goals = sorted({int(v) for v in np.unique(value[space.terminal])})
    above = [(goal, 1) for goal in reversed(goals) if goal > middle]
    below = [(goal, -1) for goal in goals if goal < middle]
    for goal, sign in [*above, *below, (middle, 0)]:
        # Whoever wants this goal needs one move to it; the other must have no better one left.
        wants = ~is_second if sign > 0 else is_second if sign < 0 else np.zeros_like(is_second)
        level = 0
        while True:
            open_ = value[inner] < 0
            after = value[target]
            arrives = (after == goal) & (distance[target] == level)
            if sign >= 0:
                forced = after >= goal if sign else after >= 0
            else:
                forced = (after >= 0) & (after <= goal)
            some = np.logical_or.reduceat(arrives, starts) if len(starts) else open_
            every = np.logical_and.reduceat(forced, starts) if len(starts) else open_
            new = open_ & some & (wants | every)
            if not new.any():
                break
            level += 1
            value[inner[new]] = goal
            distance[inner[new]] = level
    left = value < 0
    value[left] = middle
    distance[left] = NEVER
    return value, distance
