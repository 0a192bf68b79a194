"""Game in, MeasuredRules out: a few rules for a game too large to solve, and what they are worth.

Nothing here is proved: every number comes from matches, with its interval, its opponent and how
many matches there were.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kibitz.engine import CompiledGame, Role
from kibitz.errors import InputError, KibitzError
from kibitz.measured.accuracy import Accuracy, measure_accuracy
from kibitz.measured.candidates import Candidate, Terms, make_players
from kibitz.measured.fitting import Examples
from kibitz.measured.positions import collect_positions, estimate_moves
from kibitz.measured.racing import Opponent, hash_of, random_player, tree_player
from kibitz.measured.search import SearchOptions, find_rules
from kibitz.measured.strength import (
    LIST,
    RuleWorth,
    Strength,
    measure_rules,
    measure_strength,
    new_referee,
    rate_all,
)
from kibitz.measured.vocabulary import vocabulary_for
from kibitz.play import Rating
from kibitz.strategy import Strategy

__all__ = ["MeasuredRules", "find_measured_rules"]

Report = Callable[[str], None]

_PLAYED = ((None, 2000), (100, 1000), (1000, 400), (10_000, 100))
"""Opponents that a list is measured against, by their playouts, and in how many matches."""
_PLAYED_WITHOUT = ((100, 400), (1000, 200))
_JUDGED, _SEARCHED, _JUDGED_S = 100, 200_000, 2.0
"""Positions whose moves are judged, and how much is searched for each."""


@dataclass(frozen=True)
class MeasuredRules:
    """A list of rules for some roles, and what was measured of it."""

    game: CompiledGame = field(repr=False)
    roles: tuple[Role, ...]
    candidate: Candidate
    strategies: Mapping[Role, Strategy] = field(repr=False)
    words: Mapping[str, str] = field(repr=False)
    strength: Mapping[str, Strength]
    per_rule: tuple[RuleWorth, ...]
    ratings: tuple[Rating, ...]
    accuracy: Accuracy | None
    rounds: int
    seed: int
    seconds: float
    dropped: tuple[str, ...] = ()
    was_interrupted: bool = False

    @property
    def text(self) -> str:
        """The list in the strategy language, for the first of its roles."""
        return self.strategies[self.roles[0]].text

    @property
    def elo(self) -> float | None:
        """The rating of the list, if it played; random play has 0."""
        by_name = {rating.name: rating.elo for rating in self.ratings}
        if LIST not in by_name:
            return None
        return by_name[LIST] - by_name.get("random", 0.0)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "game": self.game.sheet.name,
            "roles": list(self.roles),
            "rules": len(self.candidate),
            "strategy": self.text,
            "strategies": {role: found.text for role, found in self.strategies.items()},
            "strength": {name: found.as_json() for name, found in self.strength.items()},
            "elo": None if self.elo is None else round(self.elo, 1),
            "ratings": [rating.as_json() for rating in self.ratings if "#" not in rating.name],
            "accuracy": None if self.accuracy is None else self.accuracy.as_json(),
            "per_rule": [
                {"rule": line, **worth.as_json()}
                for line, worth in zip(self.text.splitlines(), self.per_rule, strict=True)
            ],
            "proved": False,
            "rounds": self.rounds,
            "seed": self.seed,
            "seconds": round(self.seconds, 2),
            "interrupted": self.was_interrupted,
        }


def find_measured_rules(
    game: CompiledGame,
    role: Role | None = None,
    options: SearchOptions | None = None,
    *,
    report: Report = lambda _: None,
) -> MeasuredRules:
    """Look for a list of rules for a role, or one for all roles, and measure it.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> found = find_measured_rules(game, options=SearchOptions(most_rules=3, rounds=1))
    >>> found.strength["random"].score > 80
    True
    """
    options = options or SearchOptions()
    began = time.monotonic()
    roles = (role,) if role is not None else game.roles
    report("reading the rules")
    players = make_players(game, roles, {one: vocabulary_for(game, one) for one in roles})
    terms = Terms(players)
    found = find_rules(game, terms, options, report=report)
    searched = time.monotonic() - began
    referee = new_referee(game, found.referee, seed=hash_of(options.seed, 3))
    allowance = max(20.0, searched / 2)
    opponents = [
        (random_player() if playouts is None else tree_player(playouts), matches)
        for playouts, matches in _PLAYED
        if len(game.roles) > 1 or playouts is None
    ]
    strength = measure_strength(
        referee, found.candidate, opponents, seconds=allowance, report=report
    )
    ...
    raise NotImplementedError
