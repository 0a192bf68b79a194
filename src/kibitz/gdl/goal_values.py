"""A RuleSheet in; out the goal values that are not whole numbers from 0 to 100."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kibitz.errors import Diagnostic, Note
from kibitz.gdl.terms import (
    Atom,
    Distinct,
    Formula,
    Function,
    Rule,
    RuleSheet,
    Term,
    Variable,
    variables_of,
)

__all__ = ["goal_values"]

_GOAL_VALUE = re.compile(r"0*([0-9]{1,2}|100)")
_HINT = "scale the values: 0 is a loss, 50 a draw, 100 a win"
_MOST_STEPS = 20_000
"""How many facts are examined for a rule."""

Binding = dict[str, Term]
Facts = Mapping[str, Sequence[Atom]]


def goal_values(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL020, GDL030: goal values are whole numbers from 0 to 100, also those of facts.

    >>> from kibitz.gdl import parse
    >>> sheet = parse("(prize 150) (<= (goal me ?v) (prize ?v) (true over))")
    >>> [d.message for d in goal_values(sheet)]
    ['goal value ?v can be 150, which is not a whole number from 0 to 100']
    """
    facts = _relations_of_facts(sheet)
    for rule in sheet.rules:
        if rule.head.relation != "goal" or len(rule.head.args) != 2:
            continue
        value = rule.head.args[1]
        if isinstance(value, Variable):
            yield from _from_facts(rule, value, facts)
        elif not _is_goal_value(value):
            yield Diagnostic.error(
                "GDL020",
                f"goal value {value} is not a whole number from 0 to 100",
                value.place,
                _HINT,
            )


def _is_goal_value(value: Term) -> bool:
    return (
        isinstance(value, Function) and not value.args and bool(_GOAL_VALUE.fullmatch(value.name))
    )


def _relations_of_facts(sheet: RuleSheet) -> Facts:
    """Return the relations that have only facts, and these facts."""
    facts: dict[str, list[Atom]] = {}
    for rule in sheet.rules:
        facts.setdefault(rule.head.relation, []).append(rule.head)
    for rule in sheet.rules:
        if rule.body or any(variables_of(rule.head)):
            facts.pop(rule.head.relation, None)
    return facts


def _from_facts(rule: Rule, value: Variable, facts: Facts) -> Iterator[Diagnostic]:
    """Find a value that facts give, unless it depends on the state which of them count."""
    joined, others = _joined(rule, value, facts)
    if not any(value in variables_of(atom) for atom in joined):
        return
    known = {v.name for atom in joined for v in variables_of(atom)}
    unequal = [f for f in others if isinstance(f, Distinct)]
    if any(v.name in known for f in others if f not in unequal for v in variables_of(f)):
        return
    for binding, source in _bindings(joined, facts, value):
        found = binding[value.name]
        if _is_goal_value(found) or any(_is_refuted(f, binding) for f in unequal):
            continue
        yield Diagnostic.error(
            "GDL030",
            f"goal value {value} can be {found}, which is not a whole number from 0 to 100",
            value.place,
            _HINT,
            [Note("it comes from here", source.place)],
        )
        return


def _joined(rule: Rule, value: Variable, facts: Facts) -> tuple[list[Atom], list[Formula]]:
    """Split a body into atoms of facts that share variables with the value, and all else."""
    joined: list[Atom] = []
    others = list(rule.body)
    known = {value.name}
    while True:
        for formula in others:
            names = {v.name for v in variables_of(formula)}
            if isinstance(formula, Atom) and formula.relation in facts and names & known:
                joined.append(formula)
                others.remove(formula)
                known |= names
                break
        else:
            return joined, others


def _bindings(
    atoms: Sequence[Atom], facts: Facts, value: Variable
) -> Iterator[tuple[Binding, Atom]]:
    """Yield the values of the variables of atoms, and the fact that gave the wanted one."""
    steps = 0
    stack: list[tuple[int, Binding, Atom]] = [(0, {}, atoms[0])]
    while stack:
        depth, binding, source = stack.pop()
        if depth == len(atoms):
            yield binding, source
            continue
        more = []
        for fact in facts[atoms[depth].relation]:
            steps += 1
            if steps > _MOST_STEPS:
                return
            found = _matched(atoms[depth].args, fact.args, binding)
            if found is not None:
                first = value.name in found and value.name not in binding
                more.append((depth + 1, found, fact if first else source))
        stack += reversed(more)


def _matched(patterns: Sequence[Term], terms: Sequence[Term], binding: Binding) -> Binding | None:
    """Bind variables so that patterns match these terms; None where that is impossible."""
    found = dict(binding)
    open_ = list(zip(patterns, terms, strict=False)) if len(patterns) == len(terms) else None
    if open_ is None:
        return None
    while open_:
        pattern, term = open_.pop()
        if isinstance(pattern, Variable):
            if found.setdefault(pattern.name, term) != term:
                return None
            continue
        if not isinstance(term, Function) or pattern.name != term.name:
            return None
        if len(pattern.args) != len(term.args):
            return None
        open_ += zip(pattern.args, term.args, strict=True)
    return found


def _is_refuted(unequal: Distinct, binding: Binding) -> bool:
    """Return whether two terms are, or may be, the same under a binding."""
    sides = [
        binding.get(term.name) if isinstance(term, Variable) else term
        for term in (unequal.left, unequal.right)
    ]
    if any(side is None or any(variables_of(side)) for side in sides):
        return True
    return sides[0] == sides[1]
