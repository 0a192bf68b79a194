"""Clauses in, clauses over numbers out, each relation with what it depends on.

The one argument of `true`, `next` and `fnext`, and the second of `does`, is split: the atom
`(true (cell ?x ?y b))` is one of the relation "true, cell with three arguments" with three columns.
So a state is one set of tuples for each kind of fluent. An atom such as `(true ?f)`, which names no
kind, belongs to a separate relation that ranges over all kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from kibitz.engine.ungrounded.symbols import FunctorId, Symbols
from kibitz.errors import KibitzError
from kibitz.gdl import Atom, Clause, Term, Variable, components

__all__ = [
    "ANY",
    "SPLIT",
    "Build",
    "DependencyLevel",
    "FlatAtom",
    "FlatClause",
    "Pattern",
    "Pred",
    "UnstratifiedError",
    "atom_variables",
    "find_groups",
    "find_levels",
    "flatten",
    "pattern_variables",
]

ANY: FunctorId = -1
"""Stands for the kind of a term that is known only when it is met."""

SPLIT = ("true", "next", "does")
"""Relations whose last argument is split; in a translated sheet `fnext` as well."""


class DependencyLevel(IntEnum):
    """What a relation depends on."""

    STATIC = 0
    STATE = 1
    MOVE = 2


@dataclass(frozen=True, slots=True)
class Build:
    """A compound term with variables in it."""

    functor: FunctorId
    args: tuple[Pattern, ...]


Pattern = Variable | int | Build
"""An argument: a variable, the number of a ground term, or a term to build or split."""


@dataclass(frozen=True, slots=True)
class Pred:
    """A relation by name, the kind of its last argument where that is split, and columns."""

    relation: str
    functor: FunctorId | None
    columns: int


@dataclass(frozen=True, slots=True)
class FlatAtom:
    """A relation applied to patterns."""

    pred: Pred
    args: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class FlatClause:
    """A head that holds when all positive atoms hold, no negative one does, and pairs differ."""

    head: FlatAtom
    positive: tuple[FlatAtom, ...]
    negative: tuple[FlatAtom, ...]
    distinct: tuple[tuple[Pattern, Pattern], ...]


def flatten(
    clauses: Iterable[Clause], symbols: Symbols, *, split: tuple[str, ...] = SPLIT
) -> tuple[FlatClause, ...]:
    """Write clauses over numbers; clauses that can never hold are left out.

    >>> from kibitz.gdl import clauses_of, parse
    >>> (clause,) = flatten(clauses_of(parse("(<= p (true (cell 1 ?x)))")), Symbols())
    >>> clause.positive[0].pred.relation, clause.positive[0].pred.columns
    ('true', 2)
    """
    result = []
    for clause in clauses:
        if set(clause.positive) & set(clause.negative) or any(a == b for a, b in clause.distinct):
            continue
        flat = FlatClause(
            _atom(clause.head, symbols, split),
            tuple(dict.fromkeys(_atom(a, symbols, split) for a in clause.positive)),
            tuple(dict.fromkeys(_atom(a, symbols, split) for a in clause.negative)),
            tuple((_pattern(a, symbols), _pattern(b, symbols)) for a, b in clause.distinct),
        )
        result.append(flat)
    return tuple(dict.fromkeys(result))


def _atom(atom: Atom, symbols: Symbols, split: tuple[str, ...]) -> FlatAtom:
    if atom.relation not in split or not atom.args:
        args = tuple(_pattern(arg, symbols) for arg in atom.args)
        return FlatAtom(Pred(atom.relation, None, len(args)), args)
    *first, last = atom.args
    before = tuple(_pattern(arg, symbols) for arg in first)
    if isinstance(last, Variable):
        return FlatAtom(Pred(atom.relation, ANY, len(before) + 1), (*before, last))
    args = (*before, *(_pattern(arg, symbols) for arg in last.args))
    functor = symbols.functor(last.name, len(last.args))
    return FlatAtom(Pred(atom.relation, functor, len(args)), args)


def _pattern(term: Term, symbols: Symbols) -> Pattern:
    if isinstance(term, Variable):
        return Variable(term.name)
    args = tuple(_pattern(arg, symbols) for arg in term.args)
    functor = symbols.functor(term.name, len(args))
    numbers = tuple(arg for arg in args if isinstance(arg, int))
    if len(numbers) == len(args):
        return symbols.make((functor, *numbers))
    return Build(functor, args)


def pattern_variables(pattern: Pattern) -> Iterable[Variable]:
    """Walk the variables of a pattern."""
    if isinstance(pattern, Variable):
        yield pattern
    elif isinstance(pattern, Build):
        for arg in pattern.args:
            yield from pattern_variables(arg)


def atom_variables(*atoms: FlatAtom) -> set[Variable]:
    """Return the variables of some atoms."""
    return {v for atom in atoms for arg in atom.args for v in pattern_variables(arg)}


class UnstratifiedError(KibitzError):
    """A relation depends on its own negation."""


def find_levels(by_head: Mapping[Pred, Sequence[FlatClause]]) -> dict[Pred, DependencyLevel]:
    """Return what relations depend on, for those that depend on something."""
    levels: dict[Pred, DependencyLevel] = {}
    users: dict[Pred, set[Pred]] = {}
    for head, clauses in by_head.items():
        for clause in clauses:
            for atom in (*clause.positive, *clause.negative):
                users.setdefault(atom.pred, set()).add(head)
    for relation, level in (("true", DependencyLevel.STATE), ("does", DependencyLevel.MOVE)):
        stack = [pred for pred in users if pred.relation == relation]
        seen: set[Pred] = set()
        while stack:
            pred = stack.pop()
            if pred not in seen:
                seen.add(pred)
                levels[pred] = level
                stack.extend(users.get(pred, ()))
    return levels


def find_groups(by_head: Mapping[Pred, Sequence[FlatClause]]) -> list[list[Pred]]:
    """Return relations that need one another together, each after those that it needs."""
    needs = {
        head: list(dict.fromkeys(a.pred for c in clauses for a in (*c.positive, *c.negative)))
        for head, clauses in by_head.items()
    }
    groups = components(needs)
    for group in groups:
        inside = set(group)
        for head in group:
            for clause in by_head.get(head, ()):
                if any(atom.pred in inside for atom in clause.negative):
                    raise UnstratifiedError(f"{head.relation} depends on its own negation")
    return groups
