"""Learn to estimate states of two opposed roles: a weight for each fluent, fitted to matches.

The weights of the fluents that hold are added up, and the logistic function of the sum is what the
first role gets, from 0 to 1. Weights are fitted to random matches first, and then, round after
round, to matches of players that prefer moves to states with good estimates.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.engine import CompiledGame
from kibitz.play.search.sample_matches import (
    Rows,
    SampleMatches,
    TooSlow,
    byte_table,
    score,
)

__all__ = ["Evaluation", "learned_evaluation"]

Floats = npt.NDArray[np.float32]

_RANDOM_BLOCKS, _FEWEST_ROUNDS, _ROUNDS, _JUDGING_ROUNDS = 64, 10, 40, 2
_JUDGED = 4096
"""Positions by which estimates and random matches are compared."""
_FITTING = 0.8
"""The share of the time that may go into more than the fewest rounds."""
_RATE, _LATER_RATE = 0.1, 0.3
_GREED = 2.0
"""A move is as much likelier than another as the odds of its estimate are better, squared."""
_LEAST_S = 0.5
_LEAST_MATCH = 0.3
"""How well estimates must go with the results of matches: their correlation."""


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Weights of fluents, and last of all of every state; and how long random matches are."""

    weights: Floats
    table: Floats
    """For each byte of a row and each value of it the sum of weights; last, that of every state."""
    length: float


def learned_evaluation(game: CompiledGame, seconds: float) -> Evaluation | None:
    """Return an evaluation of a game's states; learn it, if that takes no longer than `seconds`.

    None as well where it goes less well with the results of new matches than random matches do.
    What was found is kept with the game.

    >>> from kibitz.games import load_sheet
    >>> learned_evaluation(CompiledGame(load_sheet("nim:1,2")), 0) is None
    True
    """
    kept = vars(game)
    if "_evaluation" not in kept and seconds >= kept.get("_evaluation_s", _LEAST_S):
        begin = time.monotonic()
        try:
            kept["_evaluation"] = _learn(SampleMatches(game, begin + seconds))
        except TooSlow:
            kept["_evaluation_s"] = 2 * seconds
    found: Evaluation | None = kept.get("_evaluation")
    return found


def _learn(matches: SampleMatches) -> Evaluation | None:
    if not matches.is_opposed:
        return None
    weights = np.zeros(64 * matches.words + 1, np.float32)
    samples = matches.random(_RANDOM_BLOCKS)
    _fit(samples.rows, samples.results, weights, np.ones_like(weights), _RATE)
    squares, rounds = np.ones_like(weights), list[Floats]()
    end = time.monotonic() + _FITTING * (matches.deadline - time.monotonic())
    while len(rounds) < _ROUNDS and (len(rounds) < _FEWEST_ROUNDS or time.monotonic() < end):
        samples = matches.greedy(weights, _GREED)
        _fit(samples.rows, samples.results, weights, squares, _LATER_RATE)
        rounds.append(weights.copy())
    return _if_better(matches, np.mean(rounds[len(rounds) // 2 :], axis=0))


def _if_better(matches: SampleMatches, weights: Floats) -> Evaluation | None:
    """Return an evaluation if it is a better predictor of new matches than random matches are."""
    table = byte_table(weights)
    samples = [matches.greedy(weights, _GREED) for _ in range(_JUDGING_ROUNDS)]
    rows: Rows = np.concatenate([sample.rows for sample in samples])
    results = np.concatenate([sample.results for sample in samples])
    some = slice(None, None, -(-len(rows) // _JUDGED))
    rows, results = rows[some], results[some]
    estimates = 1 / (1 + np.exp(-score(rows, table)))
    both = np.stack([estimates, matches.means(rows), np.ones(len(rows))], axis=1)
    ours, theirs, _ = np.linalg.lstsq(both, results, rcond=None)[0]
    if estimates.std() == 0 or results.std() == 0:
        return None
    match = np.corrcoef(estimates, results)[0, 1]
    if ours <= theirs or match < _LEAST_MATCH:
        return None
    return Evaluation(weights, table, matches.length)


def _fit(rows: Rows, results: Floats, weights: Floats, squares: Floats, rate: float) -> None:
    """Improve weights by one sample after another; `squares` keeps the size of their steps."""
    fit = core.function("estimates_fit")
    fit(rows, rows.shape[1], len(rows), results, weights, squares, rate)
