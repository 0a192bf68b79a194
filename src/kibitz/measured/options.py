"""How long to look for measured rules, and for which."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.strategy import Strategy

AT_THE_BOARD = 4
"""How many moves ahead people see: keeping the opponent from a double threat."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How long to look, and for what: `rounds` bounds the work, or `seconds` the time.

    The rules of `start` are used like everything that is made from the rules of the game. `effort`
    is the share of the usual work that goes into a round, and into measuring. Where matches take
    long, `slow_s` is a time in place of rounds, which might not end. Rules look at most
    `ahead` moves ahead, unless those of `start` look further.
    """

    most_rules: int = 8
    rounds: int = 4
    seconds: float | None = None
    slow_s: float | None = None
    seed: int = 0
    start: Strategy | None = None
    effort: float = 1.0
    ahead: float = AT_THE_BOARD

    def share(self, number: int, least: int = 1) -> int:
        """Return a number of positions, matches or steps that fits the effort."""
        return max(least, round(self.effort * number))
