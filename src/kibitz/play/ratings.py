"""Fit Elo ratings to results, and look up those of agents by name.

Ratings are those of `tools/rate_levels.py`: Elo numbers with random play at 0, fitted to matches
with those that are near in strength. They hold for the games they were measured on.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kibitz.play.match import Match
from kibitz.wording import join_words

_ELO = 400 / math.log(10)
_Z = 1.96
"""Standard deviations of a 95 % interval."""
_STEPS = 100

Floats = npt.NDArray[np.float64]
PairResult = tuple[str, str, float]
"""Two names, and what the first got of one point: 1 for a win, a half for equal goals, or 0."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of an agent, with its 95 % interval; the mean of all agents is 0.

    A lead of 100 means 64 points of 100, one of 400 means 91.
    """

    name: str
    elo: float
    interval: tuple[float, float]
    points: float
    matches: int

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.name} {self.elo:+.0f} (95 %: {low:+.0f} to {high:+.0f}), "
            f"{self.points:g} of {self.matches} points"
        )

    def as_json(self) -> dict[str, object]:
        """Return the rating as plain data."""
        return {
            "agent": self.name,
            "rating": round(self.elo, 1),
            "interval": [round(bound, 1) for bound in self.interval],
            "points": self.points,
            "matches": self.matches,
        }


def pair_results(matches: Sequence[Match]) -> list[PairResult]:
    """Return a result for each two different agents in each finished match."""
    found = []
    for match in matches:
        if not match.is_finished:
            continue
        for one, two in combinations(match.game.roles, 2):
            first, second = match.agents[one], match.agents[two]
            if first != second:
                lead = (match.goals[one] or 0) - (match.goals[two] or 0)
                found.append((first, second, 0.5 + 0.5 * ((lead > 0) - (lead < 0))))
    return found


def fit_ratings(results: Iterable[PairResult]) -> list[Rating]:
    """Fit ratings to results (Bradley and Terry 1952), the best agent first.

    They are most likely, given the results and one more: a draw of each agent with an average one,
    which keeps the rating of an agent that won or lost everything finite.

    >>> ratings = fit_ratings([("a", "b", 1.0)] * 15 + [("a", "b", 0.0)] * 5)
    >>> [(rating.name, round(rating.elo)) for rating in ratings]
    [('a', 92), ('b', -92)]
    """
    listed = list(results)
    names = list(dict.fromkeys(name for one, two, _ in listed for name in (one, two)))
    count = len(names)
    number = {name: i for i, name in enumerate(names)}
    played, points = np.zeros((count, count)), np.zeros(count)
    for one, two, score in listed:
        i, j = number[one], number[two]
        played[i, j] += 1
        played[j, i] += 1
        points[i] += score
        points[j] += 1 - score
    strength: Floats = np.zeros(count)
    inverse: Floats = np.zeros((count, count))
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        average = 1 / (1 + np.exp(-strength))
        slope = points - (played * expected).sum(axis=1) + 0.5 - average
        curve = -played * expected * (1 - expected)
        np.fill_diagonal(curve, -curve.sum(axis=1) + average * (1 - average))
        inverse = np.asarray(np.linalg.inv(curve))
        step = inverse @ slope
        strength += np.clip(step, -1, 1)
        if np.abs(step).max(initial=0) < 1e-9:
            break
    centred = np.eye(count) - 1 / max(1, count)
    strength = centred @ strength
    spread = np.sqrt(np.diag(centred @ inverse @ centred.T)) if count else strength
    rated = [
        Rating(
            name,
            _ELO * float(strength[i]),
            (
                _ELO * float(strength[i] - _Z * spread[i]),
                _ELO * float(strength[i] + _Z * spread[i]),
            ),
            float(points[i]),
            int(played[i].sum()),
        )
        for i, name in enumerate(names)
    ]
    return sorted(rated, key=lambda rating: -rating.elo)


LADDER_OF_LEVELS = (
    "level:1",
    "level:2",
    "level:3",
    "level:4",
    "uct:100",
    "uct:300",
    "uct:1000",
    "level:6",
    "level:7",
    "level:8",
    "level:9",
)
"""Those who meet, from weak to strong; level:5 is uct:300."""

RATINGS: dict[str, dict[str, tuple[int, int]]] = {
    "level:1": {"connectfour": (0, 308), "breakthrough:6x6": (0, 298)},
    "level:2": {"connectfour": (503, 181), "breakthrough:6x6": (488, 171)},
    "level:3": {"connectfour": (798, 133), "breakthrough:6x6": (694, 139)},
    "level:4": {"connectfour": (1041, 111), "breakthrough:6x6": (878, 128)},
    "level:5": {"connectfour": (1261, 104), "breakthrough:6x6": (978, 118)},
    "level:6": {"connectfour": (1637, 95), "breakthrough:6x6": (1345, 139)},
    "level:7": {"connectfour": (1807, 112), "breakthrough:6x6": (1756, 198)},
    "level:8": {"connectfour": (1950, 118), "breakthrough:6x6": (2080, 239)},
    "level:9": {"connectfour": (2020, 148), "breakthrough:6x6": (2169, 267)},
    "uct:100": {"connectfour": (1021, 110), "breakthrough:6x6": (685, 129)},
    "uct:300": {"connectfour": (1261, 104), "breakthrough:6x6": (978, 118)},
    "uct:1000": {"connectfour": (1610, 93), "breakthrough:6x6": (1114, 128)},
}
"""Ratings by game, each with half of its 95 % interval; that of level:9 is for 0.5 s a move."""


def rating_text(name: str) -> str:
    """Say how an agent was rated on which games; nothing if it was not measured.

    >>> rating_text("level:4")
    '1041 ± 111 on connectfour and 878 ± 128 on breakthrough:6x6'
    >>> rating_text("mine.strategy")
    ''
    """
    found = RATINGS.get(name, {})
    return join_words([f"{rating} ± {half} on {game}" for game, (rating, half) in found.items()])


def agent_rated(rating: int, game: str = "") -> str:
    """Return the agent whose rating is nearest, in this game if it was measured, else on average.

    >>> agent_rated(0), agent_rated(5000), agent_rated(900, "breakthrough:6x6")
    ('level:1', 'level:9', 'level:4')
    """

    def distance(name: str) -> float:
        found = {one: value for one, (value, _) in RATINGS[name].items()}
        return abs(found.get(game, sum(found.values()) / len(found)) - rating)

    return min(RATINGS, key=distance)
