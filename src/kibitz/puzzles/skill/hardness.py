"""Compute win chances between skills, and the hardness of positions.

Two skills make a Markov chain of a state space, and a state's chance is the mean of its
successors'. Where every move leads to a later layer, one sweep from the last layer to the first
gives them all; likewise where there is an order of states in which every move leads back. Where
there are cycles, sweeps are repeated from below and from above: chances that start at 0 only grow
towards the true ones, and those that start at 1 where a win can be reached only shrink, so the
truth is always between the two. Certain results are found first: no win where none can be reached,
a win where nothing else can.

Paper 003, definition 1: a position that a role can win is easy if it wins with a chance of at
least 2/3, hard if at most 1/3, and medium between. The paper estimates the chance from 30 plays;
here it is computed for all positions at once.

========= ======================================================================================
rand      5,000 positions, drawn at random
b100      the hundred in which the role does worst against an opponent that looks one round ahead
iterative of a player of depth k, those that are hard for players of depth 1, 2, …, k - 1
========= ======================================================================================

The paper saves time with them. Here all positions take little more, so that these show what the
paper's ways miss: a position that is hard at one depth need not be hard at all smaller ones.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.puzzles.skill.skills import DepthSkill, MoveChances, Skill, ThreatReward, choose_all
from kibitz.solve import Solution, in_parts
from kibitz.space import StateId, StateSpace, ends_first, graph_of

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


_ROUNDING = 1e-9
"""Chances are floating-point sums; those this near to a threshold are on it."""


class Level(StrEnum):
    """How hard a position is."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


LEVELS = tuple(Level)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Up to which chance a position is hard, and from which on it is easy."""

    hard: float = 1 / 3
    easy: float = 2 / 3

    def __post_init__(self) -> None:
        if not 0 <= self.hard < self.easy <= 1:
            raise InputError(
                f"positions cannot be hard up to {self.hard:g} and easy from {self.easy:g} on",
                hint="0 <= hard < easy <= 1",
            )


@dataclass(frozen=True, eq=False)
class Hardness:
    """Positions of a space, the chance to win each, and its level by index into LEVELS."""

    states: npt.NDArray[np.int64]
    chance: npt.NDArray[np.float64]
    level: npt.NDArray[np.int8]
    error: float
    seconds: float

    def __len__(self) -> int:
        return len(self.states)

    def count(self, level: Level) -> int:
        """Count the positions of a level."""
        return int((self.level == LEVELS.index(level)).sum())

    def counts(self) -> dict[str, int]:
        """Count the positions of every level."""
        return {level.value: self.count(level) for level in LEVELS}


def classify(
    chance: npt.NDArray[np.float64], thresholds: Thresholds | None = None
) -> npt.NDArray[np.int8]:
    """Return the levels of chances, by index into LEVELS.

    >>> classify(np.array([0.2, 1 / 3, 0.5, 2 / 3, 1])).tolist()
    [2, 2, 1, 0, 0]
    """
    bounds = thresholds or Thresholds()
    level = np.ones(len(chance), dtype=np.int8)
    level[chance >= bounds.easy - _ROUNDING] = LEVELS.index(Level.EASY)
    level[chance <= bounds.hard + _ROUNDING] = LEVELS.index(Level.HARD)
    return level


def measure(
    solution: Solution,
    states: npt.ArrayLike,
    *,
    role: int,
    own: MoveChances,
    other: MoveChances,
    thresholds: Thresholds | None = None,
    sample: int | None = None,
    seed: int = 1,
    order: Order | None = None,
) -> Hardness:
    """Compute how hard positions are for `role` with the skill `own` against `other`.

    With `sample`, chances are estimated from that number of plays instead.
    """
    start = time.perf_counter()
    listed = np.asarray(states, dtype=np.int64)
    error = 0.0
    if sample is None:
        chances = winning_chances(solution, role, own, other, order=order)
        chance, error = chances.chance[listed], chances.error
    elif sample < 1:
        raise InputError(f"at least one play is needed, not {sample}")
    else:
        wins = sample_wins(solution, role, own, other, states=listed, plays=sample, seed=seed)
        chance = wins / sample
    level = classify(chance, thresholds)
    return Hardness(listed, chance, level, error, time.perf_counter() - start)


def measure_all(
    solution: Solution,
    states: npt.ArrayLike,
    *,
    role: int,
    pairs: Sequence[tuple[Skill, Skill]],
    thresholds: Thresholds | None = None,
    sample: int | None = None,
    seed: int = 1,
) -> list[Hardness]:
    """Compute how hard positions are for each pair of the role's and the opponent's skill.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.puzzles.skill.skills import DepthSkill
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("tictactoe"))))
    >>> won_in_five = (solution.values == 100) & (solution.distance == 5)
    >>> pairs = [(DepthSkill(k), DepthSkill(3)) for k in (1, 2)]
    >>> for found in measure_all(solution, won_in_five.nonzero()[0], role=0, pairs=pairs):
    ...     print(found.counts())
    {'easy': 32, 'medium': 24, 'hard': 16}
    {'easy': 56, 'medium': 8, 'hard': 8}
    """
    other = (role + 1) % len(solution.space.game.roles)
    players = [
        (skill, seat) for pair in pairs for skill, seat in zip(pair, (role, other), strict=True)
    ]
    choices = choose_all(players, solution)
    order = sweep_order(solution.space) if sample is None else None
    return [
        measure(
            solution,
            states,
            role=role,
            own=choices[2 * i],
            other=choices[2 * i + 1],
            thresholds=thresholds,
            sample=sample,
            seed=seed,
            order=order,
        )
        for i in range(len(pairs))
    ]


_DRAWN, _WORST = 5_000, 100
Ids = npt.NDArray[np.int64]


class PaperSampling(StrEnum):
    """Which positions are looked at."""

    ALL = "all"
    RAND = "rand"
    B100 = "b100"
    ITERATIVE = "iterative"


def sampled_states(
    solution: Solution,
    states: Ids,
    *,
    role: int,
    own: Skill,
    other: Skill,
    sampling: PaperSampling = PaperSampling.ALL,
    thresholds: Thresholds | None = None,
    seed: int = 1,
) -> Ids:
    """Return the positions that are looked at, in their order.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("tictactoe"))))
    >>> states = ((solution.values == 100) & (solution.distance == 5)).nonzero()[0]
    >>> kept = sampled_states(solution, states, role=0, own=DepthSkill(2), other=DepthSkill(3),
    ...     sampling=PaperSampling.ITERATIVE)
    >>> len(states), len(kept)
    (72, 16)
    """
    match sampling:
        case PaperSampling.ALL:
            return states
        case PaperSampling.RAND:
            source = np.random.default_rng(seed)
            return np.sort(source.permutation(states)[:_DRAWN])
        case PaperSampling.B100:
            reward = other.reward if isinstance(other, DepthSkill) else ThreatReward()
            pairs = [(own, DepthSkill(1, reward))]
            (scored,) = measure_all(solution, states, role=role, pairs=pairs)
            worst = np.argsort(scored.chance, kind="stable")[:_WORST]
            return np.sort(states[worst])
        case PaperSampling.ITERATIVE:
            if not isinstance(own, DepthSkill):
                raise InputError(
                    f"{own.name} has no smaller depths to begin with",
                    hint="iterative sampling needs a number of rounds as --k1",
                )
            smaller = [(DepthSkill(k, own.reward), other) for k in range(1, own.k)]
            for measured in measure_all(
                solution, states, role=role, pairs=smaller, thresholds=thresholds
            ):
                hard = measured.level == LEVELS.index(Level.HARD)
                states = np.intersect1d(states, measured.states[hard])
            return states
