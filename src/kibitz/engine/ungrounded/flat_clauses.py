"""Clauses in, clauses over numbers out, each relation with what it depends on.

The one argument of `true`, `next` and `fnext`, and the second of `does`, is taken apart: the
atom `(true (cell ?x ?y b))` is one of the relation "true, cell with three arguments" with three
columns. So a state is one set of tuples for each kind of fluent. An atom such as `(true ?f)`,
which names no kind, belongs to a relation of its own that ranges over all kinds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from kibitz.engine.ungrounded.symbols import FunctorId, Symbols
from kibitz.gdl import Atom, Clause, Term, Variable

__all__ = [
    "ANY",
    "SPLIT",
    "Build",
    "DependencyLevel",
    "FlatAtom",
    "FlatClause",
    "Pattern",
    "Pred",
    "atom_variables",
    "flatten",
    "pattern_variables",
]

ANY: FunctorId = -1
"""Stands for the kind of a term that is known only when it is met."""

SPLIT = ("true", "next", "does")
"""Relations whose last argument is taken apart; in a translated sheet `fnext` as well."""


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
"""An argument: a variable, the number of a ground term, or a term to build or take apart."""


@dataclass(frozen=True, slots=True)
class Pred:
    """A relation by name, the kind of its last argument where that is taken apart, and columns."""

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
    """Give the variables of some atoms."""
    return {v for atom in atoms for arg in atom.args for v in pattern_variables(arg)}
