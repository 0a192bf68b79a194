"""Ground a rule sheet once for all tests of a run, though each test asks for it anew.

Most tests start from a small game, and grounding it starts two processes: together that took a
third of a run. What comes back is read from a file each time, so that tests share no object. What
was not grounded before, such as a random game, is grounded in this process if it is small.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from kibitz.budget import Budget
from kibitz.engine.grounding import gringo, grounder
from kibitz.engine.grounding.grounder_child import Rule, ground_program
from kibitz.gdl import Clause, RuleSheet

__all__ = ["ground_as_users_do", "share_groundings"]

_AMPLE = Budget(seconds=10, bytes=500_000_000)
"""Less than this, and a test is about the budget."""
_ENOUGH_S = 1.0
"""For few ground rules, in any case."""
_LARGE = 2_000_000
"""Bytes; larger networks are not kept."""
_MANY_RULES = 20_000
"""What has more is grounded in a process with limits."""

_Ground = Callable[[RuleSheet, Budget, bool, float | None], grounder.Grounding]

_ground: _Ground = grounder._ground
_Grounder = gringo.Grounder


def share_groundings(folder: Path) -> None:
    """Let this process, and those forked from it, keep what they ground in a folder only."""
    setattr(grounder, "LONG_S", float("inf"))  # noqa: B010 - for mypy
    setattr(grounder, "_ground", _shared(_ground, folder))  # noqa: B010 - for mypy
    for module in (grounder, gringo):
        setattr(module, "Grounder", _grounder)  # noqa: B010


def ground_as_users_do(patch: pytest.MonkeyPatch) -> None:
    """Ground anew and in processes, whatever was shared."""
    patch.setattr(grounder, "_ground", _ground)
    for module in (grounder, gringo):
        patch.setattr(module, "Grounder", _Grounder)


def _is_ample(budget: Budget) -> bool:
    return budget.seconds >= _AMPLE.seconds and budget.bytes >= _AMPLE.bytes


def _shared(ground: _Ground, folder: Path) -> _Ground:
    def shared(
        sheet: RuleSheet, budget: Budget, groups: bool, group_seconds: float | None
    ) -> grounder.Grounding:
        if not _is_ample(budget):
            return ground(sheet, budget, groups, group_seconds)
        asked = repr((sheet.source, sheet.rules, groups, group_seconds))
        path = folder / hashlib.sha256(asked.encode()).hexdigest()
        try:
            found: grounder.Grounding = pickle.loads(path.read_bytes())
        except FileNotFoundError:
            found = ground(sheet, budget, groups, group_seconds)
            data = pickle.dumps(found)
            if len(data) < _LARGE:
                path.with_suffix(f".{os.getpid()}").write_bytes(data)
                path.with_suffix(f".{os.getpid()}").rename(path)
        return found

    return shared


class _TooManyRulesError(Exception):
    """A program is better grounded in a process that can be ended."""


class _FewRules(list[Rule]):
    """Ground rules, as long as they are few."""

    def append(self, rule: Rule) -> None:
        if len(self) == _MANY_RULES:
            raise _TooManyRulesError
        super().append(rule)


class _GroundedHere:
    """What a Grounder is once it is done."""

    is_done = succeeded = True

    def __init__(self, clauses: Iterable[Clause]) -> None:
        rules = _FewRules()
        shown = ground_program(gringo.write_program(clauses), rules)
        self._rules = gringo.named_rules(rules, shown)

    def result(self) -> gringo.GroundRules:
        return self._rules

    def stop(self) -> None:
        """Do nothing: it is done."""


def _grounder(clauses: Iterable[Clause], budget: Budget) -> gringo.Grounder | _GroundedHere:
    """Ground clauses here if the result is small, and otherwise as users do."""
    clauses = list(clauses)
    if budget.seconds >= _ENOUGH_S and budget.bytes >= _AMPLE.bytes:
        try:
            return _GroundedHere(clauses)
        except _TooManyRulesError:
            pass
    return _Grounder(clauses, budget)
