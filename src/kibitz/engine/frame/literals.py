"""Literals and what can be done with them: substitute, negate, rename, read their variables.

A literal is an atom, a negated atom, a `Distinct`, or a negated `Distinct`, which is an equality.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kibitz.errors import Place
from kibitz.gdl import (
    Atom,
    Clause,
    Distinct,
    Formula,
    Function,
    Not,
    Rule,
    Term,
    Variable,
    substitute,
    variables_of,
)

__all__ = [
    "MARK",
    "Bindings",
    "Literal",
    "apply_to",
    "body_of",
    "equal",
    "negate",
    "place_at",
    "rename_apart",
    "tidy",
    "variables_in",
]

MARK = "~"
"""Marks the names of new variables, before a number."""

Literal = Formula
Bindings = dict[Variable, Term]


def equal(left: Term, right: Term) -> Literal:
    """Make the literal that says two terms are equal."""
    return Not(Distinct(left, right))


def negate(literal: Literal) -> Literal:
    """Return the opposite literal.

    >>> str(negate(Not(Atom("p"))))
    'p'
    """
    return literal.formula if isinstance(literal, Not) else Not(literal)


def body_of(clause: Clause) -> tuple[Literal, ...]:
    """Return the body of a clause as literals."""
    return (
        *clause.positive,
        *(Not(atom) for atom in clause.negative),
        *(Distinct(a, b) for a, b in clause.distinct),
    )


def apply_to(literal: Literal, bindings: Bindings) -> Literal:
    """Replace the variables of a literal by what they are bound to."""
    match literal:
        case Atom():
            return Atom(literal.relation, tuple(substitute(t, bindings) for t in literal.args))
        case Not():
            return Not(apply_to(literal.formula, bindings))
        case Distinct():
            return Distinct(substitute(literal.left, bindings), substitute(literal.right, bindings))
        case _:
            raise TypeError(f"{literal} is not a literal")


def variables_in(literals: Iterable[Literal | Term]) -> dict[Variable, None]:
    """Return the variables of literals, in the order in which they occur."""
    return dict.fromkeys(Variable(v.name) for node in literals for v in variables_of(node))


def rename_apart(literals: Iterable[Literal], names: Iterator[int]) -> tuple[Literal, ...]:
    """Return literals with new variables."""
    listed = tuple(literals)
    bindings: Bindings = {
        v: Variable(f"{v.name.split(MARK)[0]}{MARK}{next(names)}") for v in variables_in(listed)
    }
    return tuple(apply_to(literal, bindings) for literal in listed)


def tidy(rule: Rule) -> Rule:
    """Give new variables of a rule short names that differ from all others."""
    nodes = (rule.head, *rule.body)
    taken = {v.name for v in variables_in(nodes) if MARK not in v.name}
    bindings: Bindings = {}
    for variable in variables_in(nodes):
        if MARK in variable.name:
            base = variable.name.split(MARK)[0]
            choices = (base, *(f"{base}{i}" for i in range(2, len(taken) + 3)))
            name = next(choice for choice in choices if choice not in taken)
            taken.add(name)
            bindings[variable] = Variable(name)
    head = apply_to(rule.head, bindings)
    assert isinstance(head, Atom)
    return Rule(head, tuple(apply_to(literal, bindings) for literal in rule.body))


def place_at(rule: Rule, place: Place) -> Rule:
    """Return a rule whose parts all have one place, for a rule that no text has."""

    def term(t: Term) -> Term:
        if isinstance(t, Variable):
            return Variable(t.name, place)
        return Function(t.name, tuple(map(term, t.args)), place)

    def literal(x: Literal) -> Literal:
        match x:
            case Atom():
                return Atom(x.relation, tuple(map(term, x.args)), place)
            case Not():
                return Not(literal(x.formula), place)
            case Distinct():
                return Distinct(term(x.left), term(x.right), place)
            case _:
                raise TypeError(f"{x} is not a literal")

    head = literal(rule.head)
    assert isinstance(head, Atom)
    return Rule(head, tuple(map(literal, rule.body)), place)
