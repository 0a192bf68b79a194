"""A Solution and a role in, the list to teach out: one that people remember, or a short one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kibitz.engine import CompiledGame, Role
from kibitz.english import say_rule, scene_of
from kibitz.present.explanation.explanation import RoleAdvice
from kibitz.present.explanation.known_lists import KnownList, known_list
from kibitz.present.explanation.options import StudyOptions
from kibitz.present.explanation.rule_order import in_teaching_order
from kibitz.solve import Solution
from kibitz.space import StateSpace
from kibitz.strategy import Strategy
from kibitz.synth import (
    Insight,
    Options,
    Prepared,
    Synthesis,
    check_choice,
    find_insight,
    synthesise,
)

__all__ = ["FEW_STATES", "FoundRules", "RuleSearch", "explained_language"]

FEW_STATES = 300_000
"""The most states with which rules may look ahead, which is evaluated in all states."""
_ROUNDS = 10
_FEW_RULES = 8
_QUICK_PROOF = 30_000
_PROOF = 150_000
"""Rounds and conflicts for a list at first, and for one of few rules more of both."""

FoundRules = Synthesis | Insight | KnownList
Report = Callable[[str], None]
Draft = Callable[[Role, list[str]], None]


def _looks_ahead(space: StateSpace) -> bool:
    return not space.is_reduced and len(space) <= FEW_STATES


def explained_language(space: StateSpace) -> str:
    """Return what lists are made of that are looked for in a space."""
    return Options(features=_looks_ahead(space)).language


@dataclass(frozen=True)
class RuleSearch:
    """Looks for the rules of one role; `draft` gets lists in words while shorter ones are sought.

    `before` is advice from an earlier explanation, whose list is checked instead of being sought.
    """

    game: CompiledGame
    role: Role
    solution: Solution
    prepared: Prepared
    options: StudyOptions
    report: Report
    before: RoleAdvice | None = None
    draft: Draft | None = None

    def run(self) -> FoundRules:
        """Look first for rules that people remember; for others if these are not general."""
        insight = None
        before = self.before
        if _looks_ahead(self.solution.space):
            check_choice(self.solution, self.role)
            self._say("numbers and symmetry")
            insight = find_insight(self.solution, self.role)
        if insight is not None and insight.is_general:
            return insight
        if insight and before and insight.strategy.text == before.strategy:
            return insight
        found: Synthesis | KnownList | None = None
        if before and before.holds_for is None:
            found = known_list(before, self.prepared.judging)
        if found is None:
            found = self._synthesise()
        return insight if insight and insight.length < len(found.rules) else found

    def _synthesise(self) -> Synthesis:
        """Look for a list by rounds, so that it is the same on any machine, or for a time."""
        given = self.options.seconds
        options = Options(
            seconds=given,
            seed=self.options.seed,
            objective="easy",
            features=_looks_ahead(self.solution.space),
        )
        seen = self._drafting()
        if given is None:
            quick = replace(options, rounds=_ROUNDS, proof_conflicts=_QUICK_PROOF)
            found = self._list(quick, seen)
            if len(found.rules) > _FEW_RULES or found.was_interrupted:
                return found
            options = replace(options, rounds=4 * _ROUNDS, proof_conflicts=_PROOF)
        return in_teaching_order(self._list(options, seen), self.prepared.judging)

    def _list(self, options: Options, seen: Callable[[Strategy], None] | None) -> Synthesis:
        return synthesise(
            self.game, self.role, options, prepared=self.prepared, report=self._say, seen=seen
        )

    def _say(self, message: str) -> None:
        self.report(f"rules for {self.role}: {message}")

    def _drafting(self) -> Callable[[Strategy], None] | None:
        """Return what puts lists into words as they are found, those shorter than the last one."""
        draft, scene = self.draft, scene_of(self.game, self.role)
        fewest = float("inf")

        def show(strategy: Strategy) -> None:
            nonlocal fewest
            rules = strategy.rules_for(self.role)
            if draft and len(rules) < fewest:
                fewest = len(rules)
                draft(
                    scene.named(self.role),
                    [say_rule(scene, rule, symmetric=True) for rule in rules],
                )

        return show if draft else None
