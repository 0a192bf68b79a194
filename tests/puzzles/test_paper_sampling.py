"""The paper's ways to look at fewer positions, against what all positions show."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from tests.puzzles.grids import solved

from kibitz.errors import InputError
from kibitz.puzzles import (
    DepthSkill,
    Hardness,
    Level,
    PaperSampling,
    RandomSkill,
    measure_all,
    positions_of,
    sampled_states,
)
from kibitz.puzzles.skill import hardness
from kibitz.solve import Solution

NAME = "connect:3,4x4"
OTHER = DepthSkill(3)


def measured(own: int, other: int = 3) -> Hardness:
    pairs = [(DepthSkill(own), DepthSkill(other))]
    return measure_all(solved(NAME), won(), role=0, pairs=pairs)[0]


def won() -> npt.NDArray[np.int64]:
    return positions_of(solved(NAME), "xplayer", 2).won_in(2)


def sampled(own: int, sampling: PaperSampling, seed: int = 1) -> list[int]:
    solution: Solution = solved(NAME)
    kept = sampled_states(
        solution, won(), role=0, own=DepthSkill(own), other=OTHER, sampling=sampling, seed=seed
    )
    return [int(state) for state in kept]


def hard(own: int) -> set[int]:
    found = measured(own)
    return {int(s) for s, level in zip(found.states, found.level, strict=True) if level == 2}


def test_iterative_sampling_keeps_what_is_hard_at_all_smaller_depths() -> None:
    assert sampled(1, PaperSampling.ITERATIVE) == won().tolist()
    assert set(sampled(2, PaperSampling.ITERATIVE)) == hard(1)
    assert set(sampled(3, PaperSampling.ITERATIVE)) == hard(1) & hard(2)
    assert not hard(2) <= hard(1)  # the paper says that it is a subset


def test_b100_has_the_lowest_scores_against_depth_1() -> None:
    scores = dict(zip(won().tolist(), measured(2, other=1).chance.tolist(), strict=True))
    kept = sampled(2, PaperSampling.B100)
    assert len(kept) == len(set(kept)) == 100
    assert max(scores[state] for state in kept) <= min(
        score for state, score in scores.items() if state not in kept
    )


def test_rand_draws_by_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sampled(1, PaperSampling.RAND) == won().tolist()
    monkeypatch.setattr(hardness, "_DRAWN", 20)
    first, again, other = (sampled(1, PaperSampling.RAND, seed) for seed in (1, 1, 2))
    assert len(set(first)) == 20
    assert set(first) <= set(won().tolist())
    assert first == again != other


def test_iterative_sampling_needs_a_depth() -> None:
    with pytest.raises(InputError, match="no smaller depths"):
        sampled_states(
            solved(NAME),
            won(),
            role=0,
            own=RandomSkill(),
            other=OTHER,
            sampling=PaperSampling.ITERATIVE,
        )


def test_levels_are_numbered_as_here() -> None:
    assert measured(1).count(Level.HARD) == len(hard(1))
