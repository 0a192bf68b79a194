"""Solve a StateSpace backwards from its end: a value and a distance for every state.

For one role, or two whose goals add up to the same number wherever play ends, which is checked.
Where every move leads from one layer of the space to the next, one sweep over the layers from the
last to the first gives both. Otherwise there may be cycles, and a play that never ends has the
middle value. Then values are fixed from the extremes inwards: the first role's best goal spreads to
the states in which it can force it, one ply per round, then the next best, down to the middle;
likewise the second role's from below; the remaining states have the middle value. Where play can
get stuck, states have no value.
"""

from __future__ import annotations

import time
from collections.abc import Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.engine import Role, goal_error
from kibitz.errors import KibitzError
from kibitz.solve.values import ExactValues, ListedValues, Place
from kibitz.space import (
    SEVERAL,
    StateSpace,
    graph_of,
    invert,
    require_no_stuck,
)
from kibitz.threads import thread_count

NEVER = 0xFFFF
"""The distance of states from which best play never ends."""

Values = npt.NDArray[np.uint8]
Distances = npt.NDArray[np.uint16]
Marks = npt.NDArray[np.bool_]

_CHUNK = 1 << 20
UNKNOWN = 255
"""The value of states that have none yet."""
_SHARE = 1 << 16  # For fewer states, starting a thread does not pay.


@dataclass(frozen=True)
class Solution(ExactValues, ListedValues):
    """The value of every state, and how many plies best play lasts.

    `values` are the first role's goals under best play; the second's are `total` minus those. A
    role that is ahead prefers short play and a role that is behind long play, so `distance` is
    exact for both; a draw is held as long as possible.
    """

    space: StateSpace
    values: Values
    distance: Distances
    total: int
    seconds: float

    @property
    def listed(self) -> Solution:
        """These arrays."""
        return self

    @property
    def bytes(self) -> int:
        """How much memory the arrays take, including those of the space."""
        return self.space.bytes + self.values.nbytes + self.distance.nbytes

    @cached_property
    def goals(self) -> Set[int]:
        """The goals of the first role at ends."""
        return {*self.space.goals[self.space.terminal, 0].tolist()}

    def first(self, at: Place | None = None) -> tuple[int, int | None]:
        """Return the first role's value and the plies to the end, None where play never ends."""
        number = self.number(at)
        distance = int(self.distance[number])
        return int(self.values[number]), None if distance == NEVER else distance


def endless_goal(total: int, role: int) -> int:
    """Return the value of a play that never ends for a role, by its number and the sum of goals.

    >>> endless_goal(100, 0), endless_goal(65, 0), endless_goal(65, 1)
    (50, 32, 33)
    """
    return total - total // 2 if role else total // 2


def solve(space: StateSpace, *, total: int | None = None) -> Solution:
    """Solve a space; raise KibitzError where the game is not one that this can solve.

    `total` is the sum of goals, needed where the space is a subspace that may have no end.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("nim:1,2,4,5"))))
    >>> solution.value(), solution.plies()
    ({'player1': 100, 'player2': 0}, 11)
    """
    start = time.perf_counter()
    total = _check(space, total)
    middle = endless_goal(total, 0)
    value, distance = _ends(space)
    if space.is_layered and len(space.layers) <= NEVER:  # so that all distances can be stored
        _sweep_layers(space, value, distance, middle)
    else:
        spread_values(space, value, distance, middle, space.turn == 1)
    seconds = time.perf_counter() - start
    return Solution(space, value, distance, total, seconds)


def _check(space: StateSpace, total: int | None) -> int:
    """Return the sum of goals."""
    name, roles = space.game.sheet.name, space.game.roles
    space.require_complete()
    require_no_stuck(space)
    if len(roles) > 2:
        raise KibitzError(f"{name} has {len(roles)} roles; only one or two can be solved")
    if (space.turn == SEVERAL).any():
        raise KibitzError(f"in {name} roles choose at the same time: states have no single value")
    sums = sums_of_goals(space)
    if len(roles) == 1:
        return 100
    if total is not None:
        sums = sorted({*sums, total})
    if len(sums) > 1:
        shown = ", ".join(map(str, sums[:5]))
        raise KibitzError(f"the goals of {name} do not add up to one number, but to {shown}")
    return sums[0] if sums else 100


def sums_of_goals(space: StateSpace) -> list[int]:
    """Return the different sums of all roles' goals at ends; raise KibitzError if one is missing.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> sums_of_goals(explore(CompiledGame(load_sheet("tictactoe"))))
    [100]
    """
    found: set[int] = set()
    for start in range(0, len(space), _CHUNK):
        ends = space.terminal[start : start + _CHUNK]
        sums = np.zeros(int(ends.sum()), dtype=np.int16)
        for role, goals in zip(
            space.game.roles, space.goals[start : start + _CHUNK].T, strict=True
        ):
            here = goals[ends]
            if len(here) and here.min() < 0:
                without = start + int(np.flatnonzero(ends & (goals < 0))[0])
                raise goal_error(space.state(without), role)
            sums += here
        found.update(np.flatnonzero(np.bincount(sums)).tolist())
    return sorted(found)


def _ends(space: StateSpace) -> tuple[Values, Distances]:
    """Value the states that no move leads from; others get UNKNOWN."""
    value = np.full(len(space), UNKNOWN, dtype=np.uint8)
    distance = np.zeros(len(space), dtype=np.uint16)
    np.copyto(value, space.goals[:, 0].view(np.uint8), where=space.terminal)
    return value, distance


def _sweep_layers(space: StateSpace, value: Values, distance: Distances, middle: int) -> None:
    """Value a layered space in place, layer by layer from the last to the first.

    States of one layer need only those of the next, so threads share a layer.
    """
    turn = (space.turn == 1).view(np.uint8)
    sweep = Struct(
        "sweep", first_edge=space.first_edge, targets=space.target, turn=turn, value=value,
        distance=distance, middle=middle,
    )  # fmt: skip
    run = partial(core.function("sweep_layered"), sweep)
    bounds = [*space.layers, len(space)]
    with ThreadPoolExecutor(thread_count()) as pool:
        for first, last in zip(reversed(bounds[:-1]), reversed(bounds[1:]), strict=True):
            parts = min(thread_count(), 1 + (last - first) // _SHARE)
            cuts = [first + (last - first) * part // parts for part in range(parts + 1)]
            list(pool.map(run, cuts[:-1], cuts[1:]))


def spread_values(
    space: StateSpace,
    value: Values,
    distance: Distances,
    middle: int,
    is_second: npt.NDArray[np.bool_],
) -> None:
    """Value any space in place, goal by goal from the extremes to the middle.

    States at distance 0 that have a value spread it; `is_second` marks where the role that wants
    small values is to move. Each state is visited once and each edge twice: once to invert the
    edges, and once when the state it leads to has its value.
    """
    graph, (first_back, back) = graph_of(space), invert(space)
    queue = np.empty(len(space), dtype=np.uint32)
    left = np.diff(space.first_edge).astype(np.uint32)
    is_end = (value != UNKNOWN) & (distance == 0)
    goals = np.flatnonzero(np.bincount(value[is_end], minlength=1)).tolist()
    above = [(goal, ~is_second) for goal in reversed(goals) if goal > middle]
    below = [(goal, is_second) for goal in goals if goal < middle]
    for goal, wants in [*above, *below, (middle, np.zeros_like(is_second))]:
        # The role that wants this goal needs one move to it; the other must have no better one
        # left. That counts moves to goals on this side of the middle only, so each side has its
        # states: `left` is of the second role's states above the middle and of the first's below.
        if goal == middle:
            core.function("value_count_open")(graph, value, distance, middle, left)
        seeds = np.flatnonzero(is_end & (value == goal))
        queue[: len(seeds)] = seeds
        places = first_back, back, wants, left, value, distance
        if not core.function("value_spread")(queue, len(seeds), *places):
            name = space.game.sheet.name
            raise KibitzError(f"in {name} the end is more than {NEVER - 1:,} moves away")
    unknown = value == UNKNOWN
    value[unknown] = middle
    distance[unknown] = NEVER


def edge_sources(space: StateSpace) -> npt.NDArray[np.uint32]:
    """Return the state that each edge leaves.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> [int(state) for state in edge_sources(explore(CompiledGame(load_sheet("nim:2"))))]
    [0, 0, 2]
    """
    source = np.empty(space.edges, dtype=np.uint32)
    core.function("graph_sources")(graph_of(space), source)
    return source


def keeping_edges(solution: Solution) -> Marks:
    """Mark the edges that keep the value of the state they leave, for the role that moves.

    Every state that is not an end has one. In a game with cycles a player who only plays these may
    cycle forever; see `progress_edges`.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> [bool(mark) for mark in keeping_edges(solve(explore(CompiledGame(load_sheet("nim:2")))))]
    [True, False, True]
    """
    space = solution.space
    marks = np.empty(space.edges, dtype=np.bool_)
    core.function("graph_mark_keeping")(graph_of(space), solution.values, None, 0, marks)
    return marks


def progress_edges(solution: Solution) -> Marks:
    """Mark the best edges: those that keep the value and make progress.

    A role that is ahead comes one ply nearer to the end, and a role that is behind stays as far
    from it as possible. At the middle value there is no progress to make, so every edge that keeps
    it is marked.
    """
    space = solution.space
    marks = np.empty(space.edges, dtype=np.bool_)
    keeping = solution.values, solution.distance, solution.middle
    core.function("graph_mark_keeping")(graph_of(space), *keeping, marks)
    return marks


def guaranteed_goals(space: StateSpace) -> dict[Role, int]:
    """Return the goal that each role can force from the first state, whatever the others do.

    States that were found but not expanded count as the worst; so do those in which a role has no
    move, or several choose at the same time. A play that never ends counts as half of the sum of
    the goals of two roles at all ends, and as 50 where that sum varies.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import Limits, explore
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> guaranteed_goals(explore(game)), guaranteed_goals(explore(game, limits=Limits(states=3)))
    ({'player1': 100, 'player2': 0}, {'player1': 0, 'player2': 0})
    """
    try:
        sums = sums_of_goals(space)
    except KibitzError:  # a goal is missing at some end
        sums = []
    total = sums[0] if len(sums) == 1 and len(space.game.roles) == 2 else 100
    return {
        role: _sure(space, number, endless_goal(total, number))
        for number, role in enumerate(space.game.roles)
    }


def _sure(space: StateSpace, role: int, middle: int) -> int:
    # A state without moves is stuck, or was not expanded.
    ends = space.first_edge[:-1] == space.first_edge[1:]
    worst = (space.turn == SEVERAL) | ends
    value = np.where(worst, np.uint8(0), np.uint8(UNKNOWN))
    np.copyto(value, np.maximum(space.goals[:, role], 0).view(np.uint8), where=space.terminal)
    distance = np.zeros(len(space), dtype=np.uint16)
    spread_values(space, value, distance, middle, space.turn != role)
    return int(value[0])
