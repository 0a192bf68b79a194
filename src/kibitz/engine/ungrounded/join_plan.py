"""A clause in, the order in which its literals are evaluated out.

Literals that share no variable, not even through others, are evaluated separately: what does not
concern the head is a guard, a yes-or-no question that is asked once. Within a group the literal
that should have the fewest matches comes next, and a test as soon as its variables are known. What
remains when the head is known is again a yes-or-no question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kibitz.engine.ungrounded.flat_clauses import (
    FlatAtom,
    FlatClause,
    Pattern,
    atom_variables,
    pattern_variables as _variables,
)
from kibitz.gdl import Variable

__all__ = ["JoinPlan", "JoinStep", "make_plan"]

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
