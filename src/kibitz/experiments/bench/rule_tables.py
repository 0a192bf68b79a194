"""Tabulate the rule lists that matches found for games, with their measured strength."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.engine import CompiledGame
from kibitz.errors import KibitzError
from kibitz.measured import MeasuredRules, SearchOptions, find_measured_rules

_OPPONENTS = ("random", "uct:100", "uct:1000", "uct:10000")


@dataclass(frozen=True)
class MeasuredGame:
    """A game and the list found for it, or why there is none."""

    game: str
    found: MeasuredRules | None = None
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        if self.found is None:
            return {"game": self.game, "reason": self.reason}
        return {**self.found.as_json(), "game": self.game}


def measure_rule_list(game: CompiledGame, name: str, options: SearchOptions) -> MeasuredGame:
    """Look for a list for all roles of a game, and measure it.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("roshambo"))
    >>> measure_rule_list(game, "roshambo", SearchOptions(rounds=1)).found is None
    True
    """
    try:
        return MeasuredGame(name, find_measured_rules(game, options=options))
    except KibitzError as error:
        return MeasuredGame(name, reason=error.message)


def rules_table(measured: Sequence[Mapping[str, Any]]) -> str:
    """Write a table in Markdown: points of 100 with 95 % intervals, and matches in brackets.

    Each game is plain data, as `MeasuredGame.as_json` gives it.

    >>> print(rules_table([MeasuredGame("x", reason="it has no moves").as_json()]), end="")
    | game | rules | random | uct:100 | uct:1000 | uct:10000 | rating | accuracy |
    |---|---|---|---|---|---|---|---|
    | x | none: it has no moves | | | | | | |
    """
    lines = [
        f"| game | rules | {' | '.join(_OPPONENTS)} | rating | accuracy |",
        f"|---|---|{'---|' * len(_OPPONENTS)}---|---|",
    ]
    for one in measured:
        if "reason" in one:
            lines.append(f"| {one['game']} | none: {one['reason']} | | | | | | |")
            continue
        cells = [
            f"{s['score']:.1f} ({s['low']:.1f} to {s['high']:.1f}) [{s['matches']:,}]" if s else ""
            for s in map(one["strength"].get, _OPPONENTS)
        ]
        rating = "" if one["elo"] is None else f"{one['elo']:.0f}"
        found = one["accuracy"]
        accuracy = (
            f"{found['share']:.0f} % of {found['positions']} (random {found['random']:.0f} %)"
            if found
            else ""
        )
        row = [one["game"], str(one["rules"]), *cells, rating, accuracy]
        lines.append(f"| {' | '.join(row)} |")
    return "".join(f"{line}\n" for line in lines)
