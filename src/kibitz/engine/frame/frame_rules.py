"""A RuleSheet in, its frame rules out, separate from the rules that stay as they are.

A frame rule is `next(f)` if `true(f)` and more (paper 002, section "Preliminaries"). Rules are
looked at one alternative at a time: of a rule with `or`, some alternatives may be frame rules and
others not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kibitz.engine.frame.argument_domains import Functor
from kibitz.gdl import (
    Atom,
    Clause,
    Distinct,
    Function,
    Not,
    Rule,
    RuleSheet,
    Variable,
    clauses_of,
    substitute_all,
)

__all__ = ["FrameRules", "clause_to_rule", "find_frame_rules"]


@dataclass(frozen=True, slots=True)
class FrameRules:
    """Frame rules, by the kind of fluent that they keep, and the other rules."""

    kept: dict[Functor, tuple[Clause, ...]]
    count: int
    others: tuple[Rule, ...]


def find_frame_rules(sheet: RuleSheet, fluents: Iterable[Functor]) -> FrameRules:
    """Find the frame rules of a sheet.

    >>> from kibitz.gdl import parse
    >>> sheet = parse("(<= (next (p ?x)) (true (p ?x)) (or (q ?x) (does r a))) (<= (next s) (q 1))")
    >>> found = find_frame_rules(sheet, [("p", 1), ("s", 0)])
    >>> found.count, list(found.kept), [str(rule) for rule in found.others]
    (2, [('p', 1)], ['(<= (next s) (q 1))'])
    """
    names = list(fluents)
    kept: dict[Functor, list[Clause]] = {}
    others: list[Rule] = []
    count = 0
    for rule in sheet.rules:
        clauses = clauses_of(RuleSheet((rule,))) if rule.head.relation == "next" else ()
        frames = [clause for clause in clauses if is_frame(clause)]
        if not frames:
            others.append(rule)
            continue
        count += len(frames)
        others += [clause_to_rule(clause) for clause in clauses if clause not in frames]
        for clause in frames:
            for functor, instance in _by_kind(clause, names):
                kept.setdefault(functor, []).append(instance)
    return FrameRules({f: tuple(found) for f, found in kept.items()}, count, tuple(others))


def is_frame(clause: Clause) -> bool:
    """Return whether a clause keeps a fluent that holds."""
    return clause.head.relation == "next" and Atom("true", clause.head.args) in clause.positive


def _by_kind(clause: Clause, names: list[Functor]) -> Iterable[tuple[Functor, Clause]]:
    """Return a clause with its kind of fluent, or, if it keeps any fluent, once for each kind."""
    (fluent,) = clause.head.args
    if isinstance(fluent, Function):
        yield (fluent.name, len(fluent.args)), clause
        return
    for name, arity in names:
        term = Function(name, tuple(Variable(f"{fluent.name}{i}") for i in range(arity)))
        yield (name, arity), substitute_all(clause, {fluent: term})


def clause_to_rule(clause: Clause) -> Rule:
    """Write a clause as a rule."""
    return Rule(
        clause.head,
        (
            *clause.positive,
            *(Not(atom) for atom in clause.negative),
            *(Distinct(a, b) for a, b in clause.distinct),
        ),
    )
