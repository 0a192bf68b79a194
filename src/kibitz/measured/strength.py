"""A list of rules and opponents in; out what it is worth: points, ratings, and each rule's share.

All of it is measured, in matches that the search did not use, and is given with 95 % intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kibitz.measured.candidates import Candidate
from kibitz.measured.pace import WorkClock
from kibitz.measured.racing import Goals, Opponent, Referee
from kibitz.play import Rating, fit_ratings
from kibitz.policy import share_interval

__all__ = [
    "FEWEST",
    "LIST",
    "RuleWorth",
    "Strength",
    "measure_rules",
    "measure_strength",
    "rate_all",
    "strength_of",
]

FEWEST = 16
"""The fewest matches that are worth telling."""
LIST = "these rules"
"""The name of the list among the players that are rated."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Points of 100 against one opponent, with their 95 % interval, in a number of matches."""

    score: float
    low: float
    high: float
    matches: int

    def __str__(self) -> str:
        return f"{self.score:.1f} ({self.low:.1f} to {self.high:.1f}) in {self.matches:,} matches"

    def as_json(self) -> dict[str, float]:
        """Return it as plain data."""
        return {
            "score": round(self.score, 2),
            "low": round(self.low, 2),
            "high": round(self.high, 2),
            "matches": self.matches,
        }


@dataclass(frozen=True, slots=True)
class RuleWorth:
    """How often a rule decides, in percent of the moves, and what the list gets without it."""

    share: float
    without: dict[str, Strength]

    def as_json(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "share": round(self.share, 2),
            "without": {name: found.as_json() for name, found in self.without.items()},
        }


def strength_of(points: Goals | Sequence[float]) -> Strength:
    """Return the mean of points from 0 to 100, with its interval.

    The interval is that of a rate with the same mean, which is at least as wide.

    >>> strength_of([100] * 80 + [0] * 20)
    Strength(score=80.0, low=71.1..., high=86.6..., matches=100)
    """
    count, mean = len(points), float(np.mean(points))
    low, high = share_interval(mean / 100 * count, count)
    return Strength(mean, 100 * low, 100 * high, count)


def measure_strength(
    referee: Referee,
    candidate: Candidate,
    opponents: Sequence[tuple[Opponent, int]],
    *,
    seconds: float,
    report: Callable[[str], None] = lambda _: None,
) -> dict[str, Strength]:
    """Play a number of matches against each opponent, fewer where there is no time for them.

    An opponent against whom not even a few can be played is left out.
    """
    found: dict[str, Strength] = {}
    for opponent, matches in opponents:
        clock, end = WorkClock(), seconds / len(opponents)
        played = 0
        while played < matches:
            began = clock.seconds()
            report(f"matches against {opponent.name}: {played:,} of {matches:,}")
            # Many at once take hardly longer than few.
            step = min(matches, 2 * played or FEWEST)
            played = len(referee.points(candidate, opponent, step))
            if not clock.is_before((end + 2 * began) / 3):
                break
        found[opponent.name] = strength_of(referee.points(candidate, opponent, played))
    return found


def measure_rules(
    referee: Referee,
    candidate: Candidate,
    shares: Sequence[float],
    opponents: Sequence[tuple[Opponent, int]],
    *,
    seconds: float,
    report: Callable[[str], None] = lambda _: None,
) -> list[RuleWorth]:
    """Measure a list without each of its rules in turn."""
    found = []
    for number, share in enumerate(shares):
        without = (*candidate[:number], *candidate[number + 1 :])
        report(f"matches without rule {number + 1}")
        strengths = measure_strength(
            referee, without, opponents, seconds=seconds / max(1, len(shares))
        )
        found.append(RuleWorth(share, strengths))
    return found


def rate_all(referee: Referee, candidate: Candidate) -> list[Rating]:
    """Fit ratings to all matches that were played; random play has 0, if it was met.

    The list is rated with its parts, whose matches tell more about the opponents.
    """
    names = {who: f"list {number}" for number, (who, _) in enumerate(referee.records)}
    names[candidate] = LIST
    results = [
        (names[who], opponent, float(point) / 100)
        for (who, opponent), record in referee.records.items()
        for point in record.all
    ]
    ratings = fit_ratings(results)
    zero = next((rating.elo for rating in ratings if rating.name == "random"), 0.0)
    return [
        replace(
            rating,
            elo=rating.elo - zero,
            interval=(rating.interval[0] - zero, rating.interval[1] - zero),
        )
        for rating in ratings
    ]
