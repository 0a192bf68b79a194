"""Derive what each argument can be, and separate frame rules from the others.

Each argument of each relation, and of each function inside it, is a place. A place holds the
constants and functions that any rule can put there; a variable ranges over what all places of its
positive occurrences share. This looks at one argument at a time, so it finds a superset of what
can come about, and is quick on any rule sheet.

A frame rule is `next(f)` if `true(f)` and more (paper 002, section "Preliminaries"). Rules are
looked at one alternative at a time: of a rule with `or`, some alternatives may be frame rules and
others not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kibitz.gdl import (
    Atom,
    Clause,
    Distinct,
    Function,
    Not,
    Rule,
    RuleSheet,
    Term,
    Variable,
    clauses_of,
    substitute_all,
)

Functor = tuple[str, int]
"""A name with a number of arguments; constants have none."""

Place = tuple[object, ...]

_ANYTHING: Functor = ("", -1)
_DEEPEST = 7
_FEEDS = {"init": "true", "next": "true", "legal": "does"}


@dataclass(frozen=True, slots=True)
class Domains:
    """The values that each argument can have."""

    places: dict[Place, set[Functor]]
    roles: tuple[str, ...]
    actions: dict[str, tuple[Functor, ...]]
    hints: dict[Functor, tuple[str, ...]]

    @property
    def is_complete(self) -> bool:
        """Whether the kinds of all roles, fluents and moves are known."""
        kinds = self.places.get(("role", 0), set())
        others = self.places.get(("true", 0), set()) | self.places.get(("does", 1), set())
        return bool(kinds) and not any(arity for _, arity in kinds) and _ANYTHING not in others

    def names(self, functor: Functor) -> tuple[str, ...]:
        """Return names for the arguments of a fluent or a move, as some rule has them."""
        return self.hints.get(functor, tuple(f"x{i}" for i in range(1, functor[1] + 1)))

    def fluents(self) -> tuple[Functor, ...]:
        """Return the kinds of fluents that can hold."""
        return tuple(sorted(self.places.get(("true", 0), set()) - {_ANYTHING}))

    def of(self, relation: str, argument: int, functor: Functor, place: int) -> set[str] | None:
        """Return the constants that can be an argument of a fluent or a move; None if not known."""
        found = self.places.get((relation, argument, functor, place), set())
        if _ANYTHING in found or any(arity for _, arity in found):
            return None
        return {name for name, _ in found}


def find_domains(clauses: Iterable[Clause]) -> Domains:
    """Find what each argument can be.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(role me) (init (at 1)) (<= (next (at 2)) (true (at 1))) (legal me (go left))"
    >>> domains = find_domains(clauses_of(parse(text)))
    >>> domains.fluents(), domains.actions
    ((('at', 1),), {'me': (('go', 1),)})
    >>> sorted(domains.of("true", 0, ("at", 1), 0))
    ['1', '2']
    """
    listed = list(clauses)
    analysis = _Analysis()
    changed = True
    while changed:
        changed = False
        for clause in listed:
            changed |= analysis.apply(clause)
    roles = [name for name, arity in analysis.places.get(("role", 0), ()) if not arity]
    written = [str(c.head.args[0]) for c in listed if c.head.relation == "role"]
    roles.sort(key=lambda r: (written.index(r) if r in written else len(written), r))
    actions: dict[str, dict[Functor, None]] = {role: {} for role in roles}
    for clause in listed:
        if clause.head.relation == "legal":
            for role, functor in analysis.pairs(clause):
                actions.get(role, {})[functor] = None
    return Domains(
        analysis.places,
        tuple(roles),
        {role: tuple(sorted(found)) for role, found in actions.items()},
        _hints(listed),
    )


def places_of(atom: Atom) -> Iterator[tuple[Variable, Place]]:
    """Walk the variables that are arguments of an atom, or of a fluent or move in it.

    >>> from kibitz.gdl import clauses_of, parse
    >>> for variable, place in places_of(clauses_of(parse("(<= p (true (at ?x)))"))[0].positive[0]):
    ...     print(variable, place)
    ?x ('true', 0, ('at', 1), 0)
    """
    for number, arg in enumerate(atom.args):
        if isinstance(arg, Variable):
            yield arg, (atom.relation, number)
        else:
            functor = (arg.name, len(arg.args))
            for place, inner in enumerate(arg.args):
                if isinstance(inner, Variable):
                    yield inner, (atom.relation, number, functor, place)


class _Analysis:
    def __init__(self) -> None:
        self.places: dict[Place, set[Functor]] = {}

    def apply(self, clause: Clause) -> bool:
        """Put into the places of the head what the body allows; return whether anything is new."""
        ranges = self.ranges(clause)
        if ranges is None:
            return False
        changed = False
        relations = (clause.head.relation, _FEEDS.get(clause.head.relation))
        for relation in filter(None, relations):
            for number, arg in enumerate(clause.head.args):
                changed |= self.write((relation, number), arg, ranges)
            if not clause.head.args:
                changed |= self.add((relation,), {("", 0)})
        return changed

    def ranges(self, clause: Clause) -> dict[Variable, list[Place]] | None:
        """Return the places in which each variable occurs, or None if the body can never hold."""
        found: dict[Variable, list[Place]] = {}
        for atom in clause.positive:
            if not all(self.walk((atom.relation, i), a, found) for i, a in enumerate(atom.args)):
                return None
            if not atom.args and (atom.relation,) not in self.places:
                return None
        if any(not self.shared(places) for places in found.values()):
            return None
        return found

    def walk(self, place: Place, term: Term, found: dict[Variable, list[Place]]) -> bool:
        if isinstance(term, Variable):
            found.setdefault(term, []).append(place)
            return True
        here = self.places.get(place, set())
        if _ANYTHING in here or len(place) > _DEEPEST:
            for variable in _variables(term):
                found.setdefault(variable, []).append(())
            return True
        functor = (term.name, len(term.args))
        return functor in here and all(
            self.walk((*place, functor, i), arg, found) for i, arg in enumerate(term.args)
        )

    def shared(self, places: list[Place]) -> set[Functor]:
        """Return what all places hold; the empty place holds anything."""
        sets = [self.places.get(p, set()) for p in places if p]
        bounded = [s for s in sets if _ANYTHING not in s]
        if not bounded:
            return {_ANYTHING} if len(sets) < len(places) or all(sets) else set()
        return set.intersection(*bounded)

    def write(self, place: Place, term: Term, ranges: dict[Variable, list[Place]]) -> bool:
        if len(place) > _DEEPEST:
            return self.add(place, {_ANYTHING})
        if isinstance(term, Variable):
            return self.copy(place, ranges.get(term, [()]))
        functor = (term.name, len(term.args))
        changed = self.add(place, {functor})
        for number, arg in enumerate(term.args):
            changed |= self.write((*place, functor, number), arg, ranges)
        return changed

    def copy(self, place: Place, sources: list[Place]) -> bool:
        if len(place) > _DEEPEST:
            return self.add(place, {_ANYTHING})
        functors = self.shared(sources)
        changed = self.add(place, functors)
        for functor in functors:
            for number in range(functor[1]):
                inner = [(*p, functor, number) for p in sources if p and p in self.places]
                inner = [p for p in inner if p in self.places]
                changed |= self.copy((*place, functor, number), inner or [()])
        return changed

    def add(self, place: Place, functors: set[Functor]) -> bool:
        here = self.places.setdefault(place, set())
        before = len(here)
        here |= functors
        return len(here) > before

    def pairs(self, clause: Clause) -> Iterator[tuple[str, Functor]]:
        """Walk the roles and kinds of moves that a `legal` clause allows."""
        role, move = clause.head.args
        ranges = self.ranges(clause)
        if ranges is None:
            return
        roles = _constants(role, ranges, self)
        for name in roles:
            if isinstance(move, Variable):
                for functor in self.shared(ranges.get(move, [()])):
                    yield name, functor
            else:
                yield name, (move.name, len(move.args))


def _hints(clauses: list[Clause]) -> dict[Functor, tuple[str, ...]]:
    """Find heads with different variables as all arguments, those that keep fluents first."""
    found: dict[Functor, tuple[str, ...]] = {}
    frames = [c for c in clauses if Atom("true", c.head.args) in c.positive]
    for clause in (*frames, *clauses):
        if clause.head.relation in ("next", "legal", "init"):
            term = clause.head.args[-1]
            if isinstance(term, Function):
                names = [arg.name for arg in term.args if isinstance(arg, Variable)]
                if len(set(names)) == len(term.args):
                    found.setdefault((term.name, len(names)), tuple(names))
    return found


def _constants(term: Term, ranges: dict[Variable, list[Place]], analysis: _Analysis) -> list[str]:
    if isinstance(term, Function):
        return [term.name]
    found = analysis.shared([*ranges.get(term, []), ("role", 0)])
    return [name for name, arity in found if arity == 0]


def _variables(term: Term | Atom) -> Iterator[Variable]:
    if isinstance(term, Variable):
        yield term
    else:
        for arg in term.args:
            yield from _variables(arg)


@dataclass(frozen=True, slots=True)
class FrameRules:
    """Frame rules, by the kind of fluent that they keep, and the other rules."""

    kept: dict[Functor, tuple[Clause, ...]]
    count: int
    others: tuple[Rule, ...]


def find_frame_rules(sheet: RuleSheet, fluents: Iterable[Functor]) -> FrameRules:
    """Find the frame rules of a sheet.

    >>> from kibitz.gdl import parse
    >>> sheet = parse("(<= (next (p ?x)) (true (p ?x)) (or (q ?x) (does r a))) (<= (next s) (q 1))")
    >>> found = find_frame_rules(sheet, [("p", 1), ("s", 0)])
    >>> found.count, list(found.kept), [str(rule) for rule in found.others]
    (2, [('p', 1)], ['(<= (next s) (q 1))'])
    """
    names = list(fluents)
    kept: dict[Functor, list[Clause]] = {}
    others: list[Rule] = []
    count = 0
    for rule in sheet.rules:
        clauses = clauses_of(RuleSheet((rule,))) if rule.head.relation == "next" else ()
        frames = [clause for clause in clauses if is_frame(clause)]
        if not frames:
            others.append(rule)
            continue
        count += len(frames)
        others += [clause_to_rule(clause) for clause in clauses if clause not in frames]
        for clause in frames:
            for functor, instance in _by_kind(clause, names):
                kept.setdefault(functor, []).append(instance)
    return FrameRules({f: tuple(found) for f, found in kept.items()}, count, tuple(others))


def is_frame(clause: Clause) -> bool:
    """Return whether a clause keeps a fluent that holds."""
    return clause.head.relation == "next" and Atom("true", clause.head.args) in clause.positive


def _by_kind(clause: Clause, names: list[Functor]) -> Iterable[tuple[Functor, Clause]]:
    """Return a clause with its kind of fluent, or, if it keeps any fluent, once for each kind."""
    (fluent,) = clause.head.args
    if isinstance(fluent, Function):
        yield (fluent.name, len(fluent.args)), clause
        return
    for name, arity in names:
        term = Function(name, tuple(Variable(f"{fluent.name}{i}") for i in range(arity)))
        yield (name, arity), substitute_all(clause, {fluent: term})


def clause_to_rule(clause: Clause) -> Rule:
    """Write a clause as a rule."""
    return Rule(
        clause.head,
        (
            *clause.positive,
            *(Not(atom) for atom in clause.negative),
            *(Distinct(a, b) for a, b in clause.distinct),
        ),
    )
