"""Order the literals of a clause by how many tuples match them.

Literals that share no variable, not even through others, are evaluated separately: what does not
concern the head is a guard, a yes-or-no question that is asked once. Within a group the literal
that should have the fewest matches comes next, and a test as soon as its variables are known. What
remains when the head is known is again a yes-or-no question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
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
    pattern_variables as _variables,
)
from kibitz.gdl import Variable

if TYPE_CHECKING:
    from kibitz.engine.ungrounded.compiler import Compiler


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


Pair = tuple[Pattern, Pattern]
Guess = Callable[[FlatAtom, set[Variable]], float]
"""Estimates how many matches an atom has when some variables are known."""


@dataclass(frozen=True, slots=True)
class JoinStep:
    """Evaluate one literal; `place` is a positive atom's place in the clause's body."""

    literal: FlatAtom | Pair
    is_positive: bool = True
    place: int = -1


@dataclass(frozen=True, slots=True)
class JoinPlan:
    """Guards to ask first, each on its own; steps that find the head; and what is left to ask."""

    guards: tuple[tuple[JoinStep, ...], ...]
    steps: tuple[JoinStep, ...]
    rest: tuple[JoinStep, ...]


def make_plan(
    clause: FlatClause,
    guess: Guess,
    *,
    first: int | None = None,
    given: Iterable[Variable] = (),
) -> JoinPlan:
    """Order the literals of a clause; a positive atom given by `first` comes before the others.

    The values of variables in `given` are known before.
    """
    before = set(given)
    steps = [JoinStep(atom, True, place) for place, atom in enumerate(clause.positive)]
    steps += [JoinStep(atom, False) for atom in clause.negative]
    steps += [JoinStep(pair, False) for pair in clause.distinct]
    wanted = atom_variables(clause.head) - before
    guards = []
    main: list[JoinStep] = []
    for part in _parts(steps, before):
        if wanted & {v for step in part for v in variables_of(step)}:
            main += part
        else:
            guards.append(tuple(_order(part, before, guess, first)))
    guards.sort(key=lambda part: (len(part), _cost(part, guess, before)))
    ordered = _order(main, before, guess, first)
    known = set(before)
    count = 0
    while count < len(ordered) and not wanted <= known:
        known |= variables_of(ordered[count])
        count += 1
    while count < len(ordered) and _is_test(ordered[count], known):
        count += 1
    return JoinPlan(tuple(guards), tuple(ordered[:count]), tuple(ordered[count:]))


def variables_of(step: JoinStep) -> set[Variable]:
    """Return the variables of a step's literal."""
    if isinstance(step.literal, FlatAtom):
        return atom_variables(step.literal)
    return {v for side in step.literal for v in _variables(side)}


def _is_test(step: JoinStep, known: set[Variable]) -> bool:
    return variables_of(step) <= known


def _cost(part: tuple[JoinStep, ...], guess: Guess, known: set[Variable]) -> float:
    atoms = [step.literal for step in part if isinstance(step.literal, FlatAtom)]
    return min((guess(atom, known) for atom in atoms), default=0.0)


def _parts(steps: list[JoinStep], known: set[Variable]) -> list[list[JoinStep]]:
    """Group steps that share variables whose values are not known."""
    parts: list[tuple[set[Variable], list[JoinStep]]] = []
    for step in steps:
        names = variables_of(step) - known
        joined = (names, [step])
        apart = []
        for part in parts:
            if part[0] & names:
                joined = (joined[0] | part[0], part[1] + joined[1])
            else:
                apart.append(part)
        parts = [*apart, joined]
    return [part for _, part in parts]


def _order(
    steps: list[JoinStep], known: set[Variable], guess: Guess, first: int | None
) -> list[JoinStep]:
    waiting = list(steps)
    ordered: list[JoinStep] = []
    known = set(known)

    def take(step: JoinStep) -> None:
        waiting.remove(step)
        ordered.append(step)
        known.update(variables_of(step))

    for step in waiting:
        if first is not None and step.place == first:
            take(step)
            break
    while waiting:
        tests = [step for step in waiting if _is_test(step, known)]
        if tests:
            # Comparing two numbers is cheaper than looking for a tuple in a set.
            take(min(tests, key=lambda s: isinstance(s.literal, FlatAtom)))
            continue
        atoms = [s for s in waiting if s.place >= 0 and isinstance(s.literal, FlatAtom)]
        take(min(atoms, key=lambda s: _fanout(s, guess, known)))
    return ordered


def _fanout(step: JoinStep, guess: Guess, known: set[Variable]) -> float:
    assert isinstance(step.literal, FlatAtom)
    return guess(step.literal, known)
