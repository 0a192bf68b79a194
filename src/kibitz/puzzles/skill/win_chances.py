"""Compute the chance that a role wins from every state when one skill plays another.

Two skills make a Markov chain of a state space, and a state's chance is the mean of its
successors'. Where every move leads to a later layer, one sweep from the last layer to the first
gives them all; likewise where there is an order of states in which every move leads back. Where
there are cycles, sweeps are repeated from below and from above: chances that start at 0 only grow
towards the true ones, and those that start at 1 where a win can be reached only shrink, so the
truth is always between the two. Certain results are found first: no win where none can be reached,
a win where nothing else can.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.puzzles.skill.skills import MoveChances
from kibitz.solve import Solution, in_parts
from kibitz.space import StateId, StateSpace, ends_first, graph_of

__all__ = ["Chances", "Order", "is_won", "sample_wins", "sweep_order", "winning_chances"]

ERROR = 1e-12
"""The largest gap between lower and upper bounds where there are cycles."""

Order = npt.NDArray[np.uint32]

_MOST_LOOKS = 2_000_000_000
"""How many edges are processed before the search for chances in cycles gives up."""
_MOST_PLIES = 10_000


@dataclass(frozen=True, eq=False)
class Chances:
    """The chance that a role wins from each state, and its largest error."""

    chance: npt.NDArray[np.float64]
    error: float


WON = 100
"""The goal of a win."""


def is_won(space: StateSpace, role: int) -> npt.NDArray[np.bool_]:
    """Return which states are ends that a role has won."""
    return space.terminal & (space.goals[:, role] >= WON)


def sweep_order(space: StateSpace) -> Order | None:
    """Order the states of a space so that moves lead back; None if it has layers, or cycles."""
    if space.is_layered:
        return None
    try:
        return ends_first(space, because="there is no such order")
    except KibitzError:
        return None


def winning_chances(
    solution: Solution,
    role: int,
    own: MoveChances,
    other: MoveChances,
    *,
    order: Order | None = None,
) -> Chances:
    """Return the chance that `role` wins from each state with the skill `own` against `other`.

    A play that never ends is not won. `order` is that of `sweep_order`, if it is known already.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.puzzles.skill.skills import RandomSkill
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("tictactoe"))))
    >>> anyhow = RandomSkill().choose(solution, 0)
    >>> round(float(winning_chances(solution, 0, anyhow, anyhow).chance[0]), 4)
    0.5849
    """
    space = solution.space
    chain, graph = _chain(solution, role, own, other), graph_of(space)
    sweep = core.function("chances_sweep")
    chance = is_won(space, role).astype(np.float64)
    if not space.is_layered:
        order = sweep_order(space) if order is None else order
        if order is None:
            return _between(solution, chain, chance)
        sweep(graph, chain, chance, order, None, 0, len(order))
        return Chances(chance, 0.0)
    # Places count from the last state, so layers come in the order of their starts' places.
    ends = [len(space) - start for start in (len(space), *reversed(space.layers))]
    for start, stop in pairwise(ends):
        in_parts(lambda a, b: sweep(graph, chain, chance, None, None, a, b), stop, start)
    return Chances(chance, 0.0)


def sample_wins(
    solution: Solution,
    role: int,
    own: MoveChances,
    other: MoveChances,
    *,
    states: npt.NDArray[np.int64] | list[StateId],
    plays: int = 30,
    seed: int = 1,
) -> npt.NDArray[np.int64]:
    """Play from each of some states and count the plays that `role` wins.

    The same seed gives the same plays, whatever other states are given. A state that is given more
    than once is played separately each time.
    """
    space = solution.space
    begins = np.ascontiguousarray(states, dtype=np.int64)
    rounds = _count_before(begins)
    wins = np.zeros(len(begins), dtype=np.int64)
    chain = _chain(solution, role, own, other)
    run = Struct(
        "plays", is_won=is_won(space, role), begins=begins, rounds=rounds, plays=plays, seed=seed,
        most_plies=_MOST_PLIES, wins=wins,
    )  # fmt: skip
    graph, play = graph_of(space), core.function("chances_play")
    in_parts(lambda a, b: play(graph, chain, run, a, b), len(begins))
    return wins


def _count_before(states: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return how often each state occurs before its place."""
    order = np.argsort(states, kind="stable")
    ordered = states[order]
    before = np.empty_like(states)
    before[order] = np.arange(len(states)) - np.searchsorted(ordered, ordered)
    return before


def _chain(solution: Solution, role: int, own: MoveChances, other: MoveChances) -> Struct:
    return Struct(
        "chain", turn=solution.space.turn, role=role, own=own.chosen, own_slip=own.slip,
        other=other.chosen, other_slip=other.slip,
    )  # fmt: skip


def _between(solution: Solution, chain: Struct, low: npt.NDArray[np.float64]) -> Chances:
    space = solution.space
    graph = graph_of(space)
    can_reach, sweep = core.function("chances_reach"), core.function("chances_sweep")
    reaches = low > 0
    while can_reach(graph, chain, reaches):
        pass
    # Where no state without a win can be reached, the win is certain, however long it takes.
    can_fail = ~reaches
    while can_reach(graph, chain, can_fail):
        pass
    low[~can_fail] = 1.0
    high = reaches.astype(np.float64)
    is_open = reaches & can_fail
    error = 0.0
    for _ in range(max(100, _MOST_LOOKS // max(1, space.edges))):
        sweep(graph, chain, low, None, is_open, 0, len(space))
        sweep(graph, chain, high, None, is_open, 0, len(space))
        error = float((high - low).max(initial=0.0))
        if error <= ERROR:
            return Chances((low + high) / 2, error)
    raise BudgetExceededError(
        f"plays of {space.game.sheet.name} cycle for so long that chances are known only to "
        f"within {error:.1g}",
        hint="estimate them from plays with --sample 1000",
        options=["--sample"],
    )
