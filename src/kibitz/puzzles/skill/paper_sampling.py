"""Positions in, those that paper 003 would look at out: three ways to look at fewer than all.

========= ======================================================================================
rand      5,000 positions, drawn at random
b100      the hundred in which the role does worst against an opponent that looks one round ahead
iterative of a player of depth k, those that are hard for players of depth 1, 2, …, k - 1
========= ======================================================================================

The paper saves time with them. Here all positions take little more, so that these show what the
paper's ways miss: a position that is hard at one depth need not be hard at all smaller ones.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.puzzles.skill.hardness import LEVELS, Level, Thresholds, measure_all
from kibitz.puzzles.skill.rewards import ThreatReward
from kibitz.puzzles.skill.skills import DepthSkill, Skill
from kibitz.solve import Solution

__all__ = ["PaperSampling", "sampled_states"]

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
    >>> states = ((solution.value == 100) & (solution.distance == 5)).nonzero()[0]
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
