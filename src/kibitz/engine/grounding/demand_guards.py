"""Derive relations only for arguments that some rule can ask for, in some state.

`argument_restriction` knows what is asked for only as far as constants and fixed relations say so.
Here every relation has a relaxed twin, which holds where it possibly holds in any state: a fluent
that can hold, holds, a move that can be legal is made, and negations of what depends on the state
are left out. Twins do not depend on the state, so the grounder evaluates them completely and they
do not appear in ground rules. With them the questions that rules ask can be followed through all
relations, as in the magic-set rewriting (Beeri and Ramakrishnan 1991): a rule's atoms are put in an
order, and each is asked for the arguments that its head's own question and the twins of the atoms
before it bind.

So "count on from field x, starting at n" is derived only for the n that can come about at x, and a
relation over all numbers of the sheet only for those that the game uses. A relation has one set of
arguments that questions bind, those that all its callers know; its clauses stay as many as they
were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kibitz.engine.frame.argument_domains import find_domains, places_of
from kibitz.engine.grounding.argument_restriction import dynamic_relations, inequalities
from kibitz.gdl import KEYWORD_ARITY, Atom, Clause, Variable, variables_of

_FEEDS = (("init", "true"), ("next", "true"), ("legal", "does"))


def guard(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Guard all relations that rules derive by the arguments that they can be asked for.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = '''(init (at 1)) (s 1 2) (s 2 3) (<= (less ?x ?y) (s ?x ?y))
    ... (<= terminal (true (at ?x)) (less ?x 3))'''
    >>> for clause in guard(clauses_of(parse(text)))[3:7]:
    ...     print(clause.head, "<=", *clause.positive)
    (less ?x ?y) <= (less;asked ?x ?y) (s ?x ?y)
    terminal <= (true (at ?x)) (less ?x 3)
    terminal;possible <= (true;possible (at ?x)) (less ?x 3)
    (less;asked ?x 3) <= (true;possible (at ?x))
    """
    return _Guarding(tuple(clauses)).result()


class _Guarding:
    def __init__(self, clauses: tuple[Clause, ...]) -> None:
        self.clauses = clauses
        self.dynamic = dynamic_relations(clauses)
        derived = {c.head.relation for c in clauses if c.positive or c.negative}
        free = derived - KEYWORD_ARITY.keys() - self.below_negation()
        arity = {c.head.relation: len(c.head.args) for c in clauses}
        self.places = {name: frozenset(range(arity[name])) for name in free if arity[name]}
        self.orders: dict[Clause, list[Atom]] = {}
        self.unlike = inequalities(clauses)
        self.narrow()
        self.domains = find_domains(clauses).places
        self.groups: dict[str, list[frozenset[int]]] = {}
        self.group()

    def below_negation(self) -> set[str]:
        """Find the fixed relations that are denied, and those they need: derived completely.

        Otherwise what is asked for could depend on the negation of what is asked for.
        """
        needs: dict[str, set[str]] = {}
        for clause in self.clauses:
            below = needs.setdefault(clause.head.relation, set())
            below.update(atom.relation for atom in (*clause.positive, *clause.negative))
        stack = [a.relation for c in self.clauses for a in c.negative]
        found: set[str] = set()
        while stack:
            name = stack.pop()
            if name not in found and name not in self.dynamic:
                found.add(name)
                stack.extend(needs.get(name, ()))
        return found

    def narrow(self) -> None:
        """Find the arguments that every question binds: drop others until none is left."""
        changed = True
        while changed:
            changed = False
            for clause in self.clauses:
                order = self.orders[clause] = self.order(clause)
                bound = self.bound_by_head(clause)
                for atom in order:
                    changed |= self.keep(atom, bound)
                    bound.update(variables_of(atom))

    def keep(self, atom: Atom, bound: set[Variable]) -> bool:
        """Keep the places of an atom's relation that are bound; return whether some are not."""
        places = self.places.get(atom.relation, frozenset())
        kept = frozenset(i for i in places if bound.issuperset(variables_of(atom.args[i])))
        if kept != places:
            self.places[atom.relation] = kept
        return kept != places

    def bound_by_head(self, clause: Clause) -> set[Variable]:
        places = self.places.get(clause.head.relation, frozenset())
        return {v for i in places for v in variables_of(clause.head.args[i])}

    def order(self, clause: Clause) -> list[Atom]:
        """Order the positive atoms: first those that are bound, or leave few variables free.

        That things differ says little about one of them, so inequalities come last.
        """
        bound = self.bound_by_head(clause)
        left = list(clause.positive)
        order: list[Atom] = []

        def cost(atom: Atom) -> tuple[bool, bool, bool, int]:
            own = set(variables_of(atom))
            is_unlike = atom.relation in self.unlike and not own <= bound
            places = self.places.get(atom.relation, frozenset())
            asked = {v for i in places for v in variables_of(atom.args[i])}
            is_apart = bool(own) and not own & bound and bool(bound)
            return is_unlike, bool(asked - bound), is_apart, len(own - bound)

        while left:
            best = min(left, key=cost)
            left.remove(best)
            order.append(best)
            bound.update(variables_of(best))
        return order

    def calls(self, clause: Clause) -> Iterator[tuple[Atom, list[Atom]]]:
        """Walk the guarded atoms of a clause, each with what binds its arguments."""
        before: list[Atom] = list(self.guards(clause.head))
        for atom in self.orders[clause]:
            if self.places.get(atom.relation):
                yield atom, list(before)
            before.append(self.twin(atom))
        for atom in clause.negative:
            if self.places.get(atom.relation):
                yield atom, list(before)

    def group(self) -> None:
        """Find which arguments are asked for together.

        Arguments that different atoms bind, which share no other variable or only the player, are
        asked for separately: that two fields hold pieces of one player is no reason to list all
        pairs of fields.
        """
        weak = {clause: self.weak(clause) for clause in self.clauses}
        self.groups = {name: [places] for name, places in self.places.items()}
        changed = True
        while changed:
            changed = False
            for clause in self.clauses:
                for atom, before in self.calls(clause):
                    groups = self.groups[atom.relation]
                    finer = _meet(groups, self.bound_together(atom, before, weak[clause]))
                    changed |= finer != groups
                    self.groups[atom.relation] = finer

    def bound_together(
        self, atom: Atom, before: list[Atom], weak: set[Variable]
    ) -> list[frozenset[int]]:
        """Return the sets of arguments of an atom that are bound together; constants are in all."""
        places = self.places[atom.relation]
        of_place = {i: set(variables_of(atom.args[i])) for i in places}
        own = set().union(*of_place.values())
        found = [
            frozenset(i for i in places if of_place[i] <= variables)
            for variables in _components(before, own, weak)
        ]
        return found or [places]

    def weak(self, clause: Clause) -> set[Variable]:
        """Find the variables of a clause that range over roles, or have two values at most."""
        roles = self.domains.get(("role", 0), set())
        return {
            variable
            for atom in clause.positive
            for variable, place in places_of(atom)
            if len(values := self.domains.get(place, set())) <= 2 or values <= roles
        }

    def result(self) -> tuple[Clause, ...]:
        written: dict[Clause, None] = {}
        for clause in self.clauses:
            guards = self.guards(clause.head)
            positive = (*guards, *clause.positive)
            written[Clause(clause.head, positive, clause.negative, clause.distinct)] = None
            if clause.head.relation in self.dynamic:
                written[self.twin_clause(clause, guards)] = None
            for question in self.questions(clause):
                written[question] = None
        if "true" in self.dynamic:
            for source, target in _FEEDS:
                args = tuple(Variable(f"x{i}") for i in range(KEYWORD_ARITY[target]))
                twin = Atom(target + ";possible", args)
                written[Clause(twin, (self.twin(Atom(source, args)),))] = None
        return tuple(written)

    def guards(self, atom: Atom) -> tuple[Atom, ...]:
        groups = self.groups.get(atom.relation, [self.places.get(atom.relation, frozenset())])
        return tuple(
            Atom(
                f"{atom.relation};asked" + (f";{number}" if number else ""),
                tuple(atom.args[i] for i in sorted(group)),
            )
            for number, group in enumerate(groups)
            if group
        )

    def twin(self, atom: Atom) -> Atom:
        if atom.relation not in self.dynamic:
            return atom
        return Atom(atom.relation + ";possible", atom.args)

    def twin_clause(self, clause: Clause, guards: tuple[Atom, ...]) -> Clause:
        fixed = tuple(a for a in clause.negative if a.relation not in self.dynamic)
        positive = (*guards, *map(self.twin, clause.positive))
        return Clause(self.twin(clause.head), positive, fixed, clause.distinct)

    def questions(self, clause: Clause) -> Iterator[Clause]:
        """Walk the clauses that say what a clause asks its atoms for."""
        weak = self.weak(clause)
        for atom, before in self.calls(clause):
            for asked in self.guards(atom):
                yield self.question(asked, before, clause, weak)

    def question(
        self, asked: Atom, before: list[Atom], clause: Clause, weak: set[Variable]
    ) -> Clause:
        wanted = set(variables_of(asked))
        body = _connected(before, wanted - weak, weak)
        for variable in wanted:
            if not any(variable in variables_of(atom) for atom in body):
                body.append(next(atom for atom in before if variable in variables_of(atom)))
        bound = {v for atom in body for v in variables_of(atom)}
        negative = tuple(
            a
            for a in clause.negative
            if a.relation not in self.dynamic and bound.issuperset(variables_of(a))
        )
        distinct = tuple(
            (a, b)
            for a, b in clause.distinct
            if bound.issuperset([*variables_of(a), *variables_of(b)])
        )
        return Clause(asked, tuple(body), negative, distinct)


def _meet(one: list[frozenset[int]], other: list[frozenset[int]]) -> list[frozenset[int]]:
    """Return the largest sets that are within a set of both lists, sorted."""
    found = {a & b for a in one for b in other}
    largest = [group for group in found if not any(group < larger for larger in found)]
    return sorted(largest, key=sorted)


def _components(
    atoms: list[Atom], own: set[Variable], weak: set[Variable]
) -> Iterator[set[Variable]]:
    """Walk the variables of `own` that are bound together, by atoms that share other variables."""
    left = list(atoms)
    while left:
        atom = left.pop()
        reached = set(variables_of(atom))
        size = -1
        while size != len(reached):
            size = len(reached)
            for other in tuple(left):
                if (reached - own - weak).intersection(variables_of(other)):
                    left.remove(other)
                    reached.update(variables_of(other))
        if reached & own:
            yield reached & own


def _connected(atoms: list[Atom], wanted: set[Variable], weak: set[Variable]) -> list[Atom]:
    """Keep the atoms that contain wanted variables, directly or through one another."""
    reached = set(wanted)
    kept: dict[Atom, None] = {}
    size = -1
    while size != len(kept):
        size = len(kept)
        for atom in atoms:
            if reached.intersection(variables_of(atom)):
                kept[atom] = None
                reached.update(set(variables_of(atom)) - weak)
    return [atom for atom in atoms if atom in kept]
