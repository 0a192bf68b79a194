"""An explanation made before in, its lists out, so that they need not be searched for again.

A proven list is read and goes through the checker. What was proved of shorter lists, and what was
measured by matches, is taken as it was found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec

from kibitz.engine import CompiledGame, Role
from kibitz.measured import Accuracy, MeasuredRules, RuleWorth, Strength
from kibitz.play import Rating
from kibitz.present.explanation.explanation import RoleAdvice
from kibitz.solve import Solution
from kibitz.strategy import Strategy, StrategyRule, Verdict, read_strategy, verify

__all__ = ["KnownList", "known_list", "known_measured_rules"]


@dataclass(frozen=True)
class KnownList:
    """A list found before, its verdict by the checker now, and what was proved of shorter ones."""

    role: Role
    strategy: Strategy
    verdict: Verdict
    lower_bound: int
    time_ended: bool
    was_interrupted: ClassVar[bool] = False

    @property
    def reading(self) -> str:
        """How its rules apply to symmetric states."""
        return self.strategy.symmetry

    @property
    def rules(self) -> tuple[StrategyRule, ...]:
        """The rules of the list."""
        return self.strategy.rules_for(self.role)

    @property
    def rule_texts(self) -> list[str]:
        """The rules one by one, in the strategy language."""
        return [rule.text for rule in self.rules]

    @property
    def proved_minimal(self) -> bool:
        """Whether no list with fewer rules exists."""
        return self.lower_bound >= len(self.rules)


def known_list(before: RoleAdvice, judging: Solution) -> KnownList | None:
    """Return the list of an advice, if the checker finds it perfect now."""
    strategy = read_strategy(before.strategy, judging.space.game)
    verdict = verify(strategy, judging, before.role)
    if not verdict.perfect or verdict.dead_rules:
        return None
    return KnownList(before.role, strategy, verdict, before.lower_bound, before.time_ended)


def known_measured_rules(game: CompiledGame, data: dict[str, Any]) -> MeasuredRules:
    """Return the rules that `MeasuredRules.as_json` gave, with what was measured of them."""
    accuracy = data["accuracy"]
    return MeasuredRules(
        game=game,
        roles=tuple(data["roles"]),
        strategies={role: read_strategy(text, game) for role, text in data["strategies"].items()},
        strength=msgspec.convert(data["strength"], dict[str, Strength]),
        per_rule=msgspec.convert(data["per_rule"], tuple[RuleWorth, ...]),
        ratings=tuple(
            Rating(
                one["agent"], one["rating"], tuple(one["interval"]), one["points"], one["matches"]
            )
            for one in data["ratings"]
        ),
        accuracy=msgspec.convert(accuracy, Accuracy) if "random" in (accuracy or ()) else None,
        rounds=data["rounds"],
        seed=data["seed"],
        seconds=data["seconds"],
        was_interrupted=data["interrupted"],
        watched=data.get("watched", MeasuredRules.watched),
        time_ended=data.get("time_ended", False),
    )
