"""Flat clauses in, flat clauses out whose bodies also state what their atoms imply about fluents.

If every rule for "this piece can move there" asks whose piece it is, then a rule that asks for such
moves may ask so too. It finds the piece first, and asks for the moves of one piece at a time: an
answer about one piece is kept longer than one about all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kibitz.engine.ungrounded.flat_clauses import ANY, FlatAtom, FlatClause, Pattern, Pred
from kibitz.gdl import Variable

__all__ = ["imply"]

_Shape = tuple[Pred, tuple[tuple[bool, int], ...]]
"""A kind of fluent, and for each argument whether it is a column of the head, and a number."""


def imply(clauses: Iterable[FlatClause]) -> tuple[FlatClause, ...]:
    """Add to each body the first fluent that all rules of one of its atoms ask for.

    >>> from kibitz.engine.ungrounded.flat_clauses import flatten
    >>> from kibitz.engine.ungrounded.symbols import Symbols
    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(<= (can ?p ?x) (true (at ?p ?x)) free) (<= (legal ?p (go ?x)) (can ?p ?x))"
    >>> [len(clause.positive) for clause in imply(flatten(clauses_of(parse(text)), Symbols()))]
    [2, 2]
    """
    listed = list(clauses)
    by_head: dict[Pred, list[FlatClause]] = {}
    for clause in listed:
        by_head.setdefault(clause.head.pred, []).append(clause)
    shapes = {pred: shape for pred, own in by_head.items() if (shape := _shared(own)) is not None}
    return tuple(_extend(clause, shapes) for clause in listed)


def _shared(clauses: Sequence[FlatClause]) -> _Shape | None:
    """Return the first fluent that all clauses ask for, by the columns of their heads."""
    first, *others = (list(filter(None, (_shape(a, c) for a in c.positive))) for c in clauses)
    found = (s for s in first if all(s in shapes for shapes in others))
    return next(found, None)


def _shape(atom: FlatAtom, clause: FlatClause) -> _Shape | None:
    if atom.pred.relation != "true" or atom.pred.functor in (None, ANY):
        return None
    columns: dict[Pattern, int] = {}
    for column, arg in enumerate(clause.head.args):
        if isinstance(arg, Variable):
            columns.setdefault(arg, column)
    places: list[tuple[bool, int]] = []
    for arg in atom.args:
        if isinstance(arg, int):
            places.append((False, arg))
        elif arg in columns:
            places.append((True, columns[arg]))
        else:
            return None
    return (atom.pred, tuple(places)) if any(is_column for is_column, _ in places) else None


def _extend(clause: FlatClause, shapes: Mapping[Pred, _Shape]) -> FlatClause:
    implied = []
    for atom in clause.positive:
        if atom.pred in shapes and atom.pred != clause.head.pred:
            pred, places = shapes[atom.pred]
            args = tuple(atom.args[value] if is_col else value for is_col, value in places)
            implied.append(FlatAtom(pred, args))
    return replace(clause, positive=tuple(dict.fromkeys((*clause.positive, *implied))))
