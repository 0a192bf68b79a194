"""Handle literals, and general joint moves as coverings of moves.

A literal is an atom, a negated atom, a `Distinct`, or a negated `Distinct`, which is an equality.

A general joint move has one `does` atom for each role; its variables stand for any value. A
covering is a set of them such that every joint move that can be made is an instance of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import prod

from kibitz.engine.frame.argument_domains import Domains, Functor
from kibitz.errors import BudgetExceededError, Place
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


MAX_JOINT_MOVES = 1024
"""How many general joint moves are listed."""

MOST_UNNAMED = 3
"""Up to how many roles the generic covering leaves open who does what."""

GeneralMove = tuple[str, Functor]
"""A role, and the name and number of arguments of what it does."""

JointMove = tuple[Atom, ...]
"""A general joint move: a `does` atom for each role."""

Impossible = Callable[[tuple[GeneralMove, ...]], bool]
"""Returns whether it is proved that no state allows these moves together."""


class Covering(StrEnum):
    """How finely joint moves are distinguished."""

    GENERIC = "generic"
    DIRECT = "direct"
    PRUNED = "pruned"


@dataclass(frozen=True, slots=True)
class Listed:
    """The general joint moves of a covering, and how many there would be without proofs."""

    joint_moves: tuple[JointMove, ...]
    before: int


def generic(domains: Domains) -> Listed:
    """Return the covering with one general joint move: every role does something.

    With n roles that have no names, a rule that asks for the moves of all of them meets the joint
    move in n! ways, so many roles are named.
    """
    joint = []
    for i, name in enumerate(domains.roles, start=1):
        is_named = len(domains.roles) > MOST_UNNAMED
        role: Term = Function(name) if is_named else Variable(f"role{MARK}m{i}")
        joint.append(Atom("does", (role, Variable(f"move{MARK}m{i}"))))
    return Listed((tuple(joint),), 1)


def direct(domains: Domains, name: str) -> Listed:
    """Return every combination of the names of the roles' moves."""
    count = prod(len(domains.actions[role]) for role in domains.roles)
    if count > MAX_JOINT_MOVES:
        raise BudgetExceededError(
            f"the direct covering of {name} has {count:,} general joint moves, more than the "
            f"{MAX_JOINT_MOVES:,} that are listed",
            hint="--covering generic has one; pruned leaves out what is proved impossible",
            options=["--covering"],
        )
    return Listed(tuple(_joint_moves(domains, lambda _moves: False)), count)


def pruned(domains: Domains, name: str, impossible: Impossible) -> Listed:
    """Return the combinations that are not proved impossible.

    Combinations are built role by role, and one that cannot begin a joint move is dropped at once,
    so six roles with many moves are no problem where only one of them acts at a time.
    """
    count = prod(len(domains.actions[role]) for role in domains.roles)
    found = []
    for joint in _joint_moves(domains, impossible):
        found.append(joint)
        if len(found) > MAX_JOINT_MOVES:
            raise BudgetExceededError(
                f"the pruned covering of {name} has more than {MAX_JOINT_MOVES:,} general joint "
                "moves",
                hint="--covering generic has one",
                options=["--covering"],
            )
    return Listed(tuple(found), count)


def _joint_moves(domains: Domains, impossible: Impossible) -> Iterator[JointMove]:
    def extend(chosen: tuple[GeneralMove, ...]) -> Iterator[tuple[GeneralMove, ...]]:
        if len(chosen) == len(domains.roles):
            yield chosen
            return
        role = domains.roles[len(chosen)]
        for functor in domains.actions[role]:
            longer = (*chosen, (role, functor))
            if not impossible(longer):
                yield from extend(longer)

    for chosen in extend(()):
        yield tuple(
            Atom("does", (Function(role), _move(functor, domains.names(functor), i)))
            for i, (role, functor) in enumerate(chosen)
        )


def _move(functor: Functor, names: tuple[str, ...], role: int) -> Term:
    """Make a move with variables that no rule has; the text after the mark is removed later."""
    args = tuple(Variable(f"{name}{MARK}m{role}.{i}") for i, name in enumerate(names))
    return Function(functor[0], args)
