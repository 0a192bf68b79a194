"""Rule and what holds in, moves out: what a rule with variables recommends in a state."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.engine import Move, Role
from kibitz.gdl import Function, Term, Variable
from kibitz.learn.rules import BestRule

__all__ = ["said_moves", "variables_in"]

_TRIES = 2_000
"""How many fluents are tried for one match of a rule with variables."""

_Values = dict[Variable, Function]


def said_moves(rule: BestRule, holds: frozenset[Function], role: Role) -> set[Move]:
    """Return the moves that a rule recommends to a role, legal or not."""
    if not rule.variables:
        assert isinstance(rule.role, Function)
        fits = rule.role.name == role and holds.issuperset(rule.fluents)
        return {rule.move} if fits else set()
    moves: set[Move] = set()
    start = _unified(rule.role, Function(role), {})
    tries = _TRIES
    stack = [] if start is None else [(0, start)]
    while stack and tries:
        depth, values = stack.pop()
        if depth == len(rule.fluents):
            made = _filled(rule.move, values)
            assert isinstance(made, Function)
            moves.add(made)
            continue
        pattern = rule.fluents[depth]
        for fluent in holds:
            if fluent.name == pattern.name:
                tries -= 1
                further = _unified(pattern, fluent, values)
                if further is not None:
                    stack.append((depth + 1, further))
        tries = max(0, tries)
    return moves


def _unified(pattern: Term, term: Term, values: _Values) -> _Values | None:
    """Extend the values of variables so that a pattern becomes a term; different ones differ."""
    if isinstance(pattern, Variable):
        assert isinstance(term, Function)
        if pattern in values:
            return values if values[pattern] == term else None
        return None if term in values.values() else {**values, pattern: term}
    assert isinstance(term, Function)
    if pattern.name != term.name or len(pattern.args) != len(term.args):
        return None
    found: _Values | None = values
    for inner, outer in zip(pattern.args, term.args, strict=True):
        if found is not None:
            found = _unified(inner, outer, found)
    return found


def _filled(term: Term, values: _Values) -> Term:
    if isinstance(term, Variable):
        return values[term]
    return Function(term.name, tuple(_filled(arg, values) for arg in term.args))


def variables_in(term: Term) -> Iterator[Variable]:
    """Give the variables of a term, as often as they come."""
    if isinstance(term, Variable):
        yield term
    else:
        for arg in term.args:
            yield from variables_in(arg)
