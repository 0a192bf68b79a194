"""Positions and two skills in, how hard it is for one to win against the other out.

Paper 003, definition 1: a position that a role can win is easy if it wins with a chance of at
least 2/3, hard if at most 1/3, and medium between. The paper estimates the chance from 30 plays;
here it is computed for all positions at once.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.puzzles.skill.skills import MoveChances, Skill, choose_all
from kibitz.puzzles.skill.win_chances import Order, sample_wins, sweep_order, winning_chances
from kibitz.solve import Solution

__all__ = ["LEVELS", "Hardness", "Level", "Thresholds", "classify", "measure", "measure_all"]

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
    >>> won_in_five = (solution.value == 100) & (solution.distance == 5)
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
