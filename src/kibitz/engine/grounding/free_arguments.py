"""Derive what does not depend on an argument once, not for each of its values.

"The line from a to b is clear if field c is ignored" has c as an argument, but in most of its
derivations c plays no part: a rule binds it by a fixed relation alone ("c is a coordinate"), and
others hand it on. Such an argument is free in that clause. The relation is split by the sets of
arguments that are free,

    clear(A,B,C) :- next(A,B), coordinate(C).
    clear(A,B,C) :- next(A,C), clear(C,B,C).           becomes

    clear;free;0(A,B) :- next(A,B).
    clear(A,B,C) :- next(A,C), clear(C,B,C).
    clear(A,B,C) :- next(A,C), clear;free;0(C,B), coordinate(C).

and clauses that use it get one alternative for each of these, so freedom spreads to what they
derive. What remains with the argument are the derivations that look at it. A negated atom
becomes the negations of all of its relations, or the negation of what binds the argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from kibitz.engine.frame.argument_domains import find_domains, places_of
from kibitz.engine.grounding.argument_restriction import dynamic_relations
from kibitz.gdl import (
    KEYWORD_ARITY,
    Atom,
    Clause,
    Function,
    Term,
    Variable,
    substitute,
    variables_of,
)

__all__ = ["factor"]

Domain = frozenset[Atom]
"""What binds an argument: atoms of fixed relations over the variable `_SELF`."""
Kind = tuple[tuple[int, Domain], ...]
"""The arguments that are free, in order, and what binds each."""
Literals = frozenset[Atom]

_SELF = Variable("")
_MOST_KINDS = 6
_MOST_ALTERNATIVES = 64


def factor(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Split relations that depend on the state by which of their arguments are free.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(c 1) (<= (p ?x ?y) (true (q ?x)) (c ?y)) (<= terminal (p 1 1) (p 2 ?z))"
    >>> for clause in factor(clauses_of(parse(text))):
    ...     print(clause.head, "<=", *clause.positive)
    (c 1) <=
    (p;free;0 ?x) <= (true (q ?x))
    terminal <= (p;free;0 1) (c 1) (p;free;0 2) (c ?z)
    """
    listed = tuple(clauses)
    factoring = _Factoring(listed)
    try:
        while True:
            size = factoring.size()
            result = dict.fromkeys(
                written for clause in listed for written in factoring.written(clause)
            )
            if factoring.size() == size:
                return tuple(result)
    except OverflowError:
        return listed


class _Factoring:
    def __init__(self, clauses: tuple[Clause, ...]) -> None:
        self.dynamic = dynamic_relations(clauses)
        self.places = find_domains(clauses).places
        derived = {c.head.relation for c in clauses if c.positive or c.negative}
        self.listed = {c.head.relation for c in clauses if len(c.head.args) == 1} - derived
        self.kinds: dict[str, dict[Kind, str]] = {}
        self.rest: set[str] = set()

    def size(self) -> int:
        return len(self.rest) + sum(map(len, self.kinds.values()))

    def written(self, clause: Clause) -> Iterator[Clause]:
        """Walk what a clause becomes with the kinds that are known; note those that are new."""
        for alternative in self.alternatives(clause):
            relation = clause.head.relation
            kind = self.kind(alternative)
            known = self.kinds.setdefault(relation, {})
            if kind not in known and len(known) >= _MOST_KINDS:
                raise OverflowError
            if not kind:
                self.rest.add(relation)
                yield alternative
                continue
            name = known.setdefault(kind, f"{relation};free;{len(known)}")
            free = {alternative.head.args[i] for i, _ in kind}
            yield Clause(
                Atom(name, _others(alternative.head, kind)),
                tuple(a for a in alternative.positive if free.isdisjoint(variables_of(a))),
                alternative.negative,
                alternative.distinct,
            )

    def kind(self, clause: Clause) -> Kind:
        """Find the arguments of a head that fixed atoms with no other variable bind."""
        relation = clause.head.relation
        if relation not in self.dynamic or relation in KEYWORD_ARITY:
            return ()
        found: list[tuple[int, Domain]] = []
        in_head = [v for arg in clause.head.args for v in variables_of(arg)]
        tied = {v for a in clause.negative for v in variables_of(a)}
        tied |= {v for pair in clause.distinct for term in pair for v in variables_of(term)}
        for place, arg in enumerate(clause.head.args):
            if not isinstance(arg, Variable) or in_head.count(arg) > 1 or arg in tied:
                continue
            atoms = [a for a in clause.positive if arg in variables_of(a)]
            if atoms and all(
                a.relation not in self.dynamic and set(variables_of(a)) == {arg} for a in atoms
            ):
                found.append((place, frozenset(_replace(a, arg, _SELF) for a in atoms)))
        return tuple(found)

    def alternatives(self, clause: Clause) -> Iterator[Clause]:
        """Walk the ways to satisfy the atoms of a clause by the relations they are split into."""
        ways = [list(self.ways(atom)) for atom in clause.positive]
        denials = list(self.denials(clause))
        count = len(denials)
        for way in ways:
            count *= len(way)
        if count > _MOST_ALTERNATIVES:
            raise OverflowError
        for chosen in product(*ways):
            positive = tuple(dict.fromkeys(atom for way in chosen for atom in way))
            for denied in denials:
                if denied.isdisjoint(positive):
                    negative = tuple(sorted(denied, key=str))
                    yield Clause(clause.head, positive, negative, clause.distinct)

    def ways(self, atom: Atom) -> Iterator[tuple[Atom, ...]]:
        kinds = self.kinds.get(atom.relation, {})
        if not kinds or atom.relation in self.rest:
            yield (atom,)
        for kind, name in kinds.items():
            yield (Atom(name, _others(atom, kind)), *_bindings(atom, kind))

    def denials(self, clause: Clause) -> list[Literals]:
        """Return the smallest sets of atoms whose denial denies all atoms that a clause denies."""
        found: list[Literals] = [frozenset()]
        for atom in clause.negative:
            kinds = self.kinds.get(atom.relation, {})
            if not kinds or atom.relation in self.rest:
                found = [one | {atom} for one in found]
            for kind, name in kinds.items():
                bindings = (a for a in _bindings(atom, kind) if not self.holds(a, clause))
                options = [Atom(name, _others(atom, kind)), *bindings]
                found = [one | {option} for one in found for option in options]
                found = [one for one in found if not any(other < one for other in found)]
            found = list(dict.fromkeys(found))
        return found

    def holds(self, atom: Atom, clause: Clause) -> bool:
        """Return whether an atom over one argument, listed by facts, holds wherever a body does."""
        if atom.relation not in self.listed:
            return False
        values = {v for v in self.places.get((atom.relation, 0), set()) if not v[1]}
        term = atom.args[0]
        if isinstance(term, Function):
            return not term.args and (term.name, 0) in values
        occurrences = (place for a in clause.positive for v, place in places_of(a) if v == term)
        return any(self.places.get(place, set()) <= values for place in occurrences)


def _others(atom: Atom, kind: Kind) -> tuple[Term, ...]:
    free = {place for place, _ in kind}
    return tuple(arg for place, arg in enumerate(atom.args) if place not in free)


def _bindings(atom: Atom, kind: Kind) -> list[Atom]:
    return [
        _replace(bound, _SELF, atom.args[place])
        for place, domain in kind
        for bound in sorted(domain, key=str)
    ]


def _replace(atom: Atom, variable: Variable, term: Term) -> Atom:
    """Put a term in the place of a variable."""
    return Atom(atom.relation, tuple(substitute(arg, {variable: term}) for arg in atom.args))
