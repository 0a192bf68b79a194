"""Estimate how many tuples match an atom, so that joins begin where there are few."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from kibitz.engine.ungrounded.flat_clauses import (
    ANY,
    DependencyLevel,
    FlatAtom,
    FlatClause,
    Pattern,
    Pred,
    atom_variables,
    pattern_variables,
)
from kibitz.gdl import Variable

if TYPE_CHECKING:
    from kibitz.engine.ungrounded.compiler import Compiler

__all__ = ["Guesses"]

Columns = tuple[int, ...]


class Guesses:
    """Estimates from the tuples of fixed relations and the fluents of the initial state."""

    def __init__(self, relations: Compiler) -> None:
        self._relations = relations
        self._fanouts: dict[tuple[Pred, Columns, tuple[Pattern, ...]], float] = {}
        self._sizes: dict[tuple[Pred, Columns], float] = {}

    def matches(self, atom: FlatAtom, known: set[Variable]) -> float:
        """Estimate how many tuples match an atom, given the values of some variables."""
        bound = tuple(
            i for i, arg in enumerate(atom.args) if known.issuperset(pattern_variables(arg))
        )
        pred = atom.pred
        if pred.relation == "does":
            return 0.9 if bound or pred.functor != ANY else 1.5
        if self._relations.is_large(pred):
            return max(1.0, self.size(pred, bound))
        if self._relations.level(pred) == DependencyLevel.STATIC and pred.relation != "true":
            rows = self._relations.fixed(pred)
            if not bound or not rows:
                return float(len(rows))
            key = (pred, bound, ())
            if key not in self._fanouts:
                some = list(islice(rows, 5000))
                keys = {tuple(row[i] for i in bound) for row in some}
                self._fanouts[key] = len(some) / len(keys)
            return self._fanouts[key]
        if pred.relation == "true" and pred.functor in self._relations.initial_rows:
            return self._guess_fluents(atom, bound)
        size = 4.0 if pred.relation == "true" else 1000.0 if self._relations.memory else 30.0
        if not bound:
            return size
        return max(1.0, float(size ** (1 - len(bound) / max(1, pred.columns))))

    def size(self, pred: Pred, columns: Columns = ()) -> float:
        """Estimate how many tuples of a relation its clauses give, with values for some columns."""
        if (pred, columns) not in self._sizes:
            clauses = self._relations.by_head.get(pred, ())
            self._sizes[pred, columns] = sum(self._heads(clause, columns) for clause in clauses)
        return self._sizes[pred, columns]

    def _heads(self, clause: FlatClause, columns: Columns) -> float:
        """Estimate how many heads a clause gives, by what is known once all of the head is."""
        known = {v for i in columns for v in pattern_variables(clause.head.args[i])}
        wanted = atom_variables(clause.head)
        waiting = list(clause.positive)
        count = 1.0
        while waiting and not wanted <= known:
            matches = [self.matches(atom, known) for atom in waiting]
            least = min(matches)
            count *= least
            known |= atom_variables(waiting.pop(matches.index(least)))
        return count

    def _guess_fluents(self, atom: FlatAtom, bound: Columns) -> float:
        """Estimate from the initial state how many fluents of a kind share what is known."""
        assert atom.pred.functor is not None
        key = (atom.pred, bound, tuple(atom.args[i] for i in bound if _is_constant(atom.args[i])))
        if key not in self._fanouts:
            fixed = [(i, atom.args[i]) for i in bound if _is_constant(atom.args[i])]
            rows = self._relations.initial_rows[atom.pred.functor]
            rows = [row for row in rows if all(row[i] == value for i, value in fixed)]
            others = [i for i in bound if not _is_constant(atom.args[i])]
            keys = {tuple(row[i] for i in others) for row in rows}
            self._fanouts[key] = max(1.0, len(rows)) / max(1, len(keys))
        return self._fanouts[key]

    def within(self, numbers: dict[Pred, int]) -> Callable[[FlatAtom, set[Variable]], float]:
        """Estimate the same where some relations are still being evaluated: nothing is known."""

        def guess(atom: FlatAtom, known: set[Variable]) -> float:
            if atom.pred not in numbers:
                return self.matches(atom, known)
            free = sum(not known.issuperset(pattern_variables(arg)) for arg in atom.args)
            return float(8**free)

        return guess


def _is_constant(pattern: Pattern) -> bool:
    return isinstance(pattern, int)
