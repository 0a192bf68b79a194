"""Names of agents in, their measured ratings out; a rating in, the agent nearest to it out.

Ratings are those of `tools/rate_levels.py`: Elo numbers with random play at 0, fitted to matches
with those that are near in strength. They hold for the games they were measured on.
"""

from __future__ import annotations

from kibitz.wording import join_words

__all__ = ["LADDER_OF_LEVELS", "RATINGS", "agent_rated", "rating_text"]

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


def agent_rated(rating: int) -> str:
    """Return the agent whose mean rating is nearest.

    >>> agent_rated(0), agent_rated(5000)
    ('level:1', 'level:9')
    """
    means = {
        name: sum(one for one, _ in found.values()) / len(found) for name, found in RATINGS.items()
    }
    return min(means, key=lambda name: abs(means[name] - rating))
