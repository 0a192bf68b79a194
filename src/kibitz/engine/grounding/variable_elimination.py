"""Split clauses that join many variables, and unfold fixed inequalities.

"Cells (X,Y) and (U,V) differ" is one atom over four variables, which ties all of them together.
As "X differs from U" or "Y differs from V" each clause is tied less, so that variables can be
eliminated and arguments are free.

A body over k variables grounds to up to n^k instances. A variable that the head does not
need can be eliminated: the literals that contain it become the body of a new relation over their
other variables, and one atom of that relation replaces them (Bichler, Morak and Woltran 2016).
Equal new bodies are shared between clauses.

Each step looks at every literal for every variable. So that a rule with thousands of variables does
not take hours, these looks are counted: the whole sheet has a limit, and a clause that needs more
than remain stays as it is. Beyond that bound the time is in proportion to the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import count

from kibitz.engine.grounding.argument_restriction import inequalities
from kibitz.gdl import Atom, Clause, Function, Term, Variable, substitute_all, unify, variables_of

_MOST_WAYS = 3
"""Clauses of a relation that is unfolded."""
_MOST_CLAUSES = 16
"""What one clause may become."""


def unfold_inequalities(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Replace the atoms of fixed inequalities by what their clauses say.

    >>> from kibitz.gdl import clauses_of, parse
    >>> rules = '''(<= (other ?x ?y) (n ?x) (n ?y) (distinct ?x ?y))
    ... (<= (p ?a) (q ?a ?b) (other ?a ?b))'''
    >>> for clause in unfold_inequalities(clauses_of(parse(rules))):
    ...     print(clause.head, *clause.positive)
    (other ?x ?y) (n ?x) (n ?y)
    (p ?a) (q ?a ?b) (n ?a) (n ?b)
    """
    listed = tuple(clauses)
    unlike = inequalities(listed)
    ways: dict[str, list[Clause]] = {name: [] for name in unlike}
    for clause in listed:
        if clause.head.relation in unlike:
            ways[clause.head.relation].append(clause)
    for name, found in tuple(ways.items()):
        if len(found) > _MOST_WAYS or any(
            clause.negative or any(a.relation in unlike for a in clause.positive)
            for clause in found
        ):
            del ways[name]
    numbers = count()
    result: list[Clause] = []
    for clause in listed:
        unfolded = [clause]
        for atom in clause.positive:
            if atom.relation in ways and len(unfolded) <= _MOST_CLAUSES:
                unfolded = [
                    new
                    for old in unfolded
                    for body in ways[atom.relation]
                    if (new := resolve(old, atom, body, next(numbers))) is not None
                ]
        result += unfolded
    return tuple(result)


def resolve(clause: Clause, atom: Atom, body: Clause, number: int) -> Clause | None:
    """Put a clause's body in the place of an atom; None if its head does not fit.

    The number makes the variables of the body differ from all others.

    >>> from kibitz.gdl import clauses_of, parse
    >>> able, go = clauses_of(parse("(<= (can ?q go) (at ?q)) (<= (legal ?p ?m) (can ?p ?m))"))
    >>> found = resolve(go, go.positive[0], able, 1)
    >>> print(found.head, *found.positive)
    (legal ?p go) (at ?p)
    """
    body = _renamed(body, number)
    if len(atom.args) != len(body.head.args):
        return None
    bindings: dict[Variable, Term] = {}
    for own, given in zip(body.head.args, atom.args, strict=True):
        extended = unify(own, given, bindings)
        if extended is None:
            return None
        bindings = extended
    return substitute_all(
        Clause(
            clause.head,
            (*(a for a in clause.positive if a is not atom), *body.positive),
            (*clause.negative, *body.negative),
            (*clause.distinct, *body.distinct),
        ),
        bindings,
    )


def _renamed(clause: Clause, number: int) -> Clause:
    atoms = (clause.head, *clause.positive, *clause.negative)
    return substitute_all(
        clause, {v: Variable(f"{v.name};{number}") for a in atoms for v in variables_of(a)}
    )


Pair = tuple[Term, Term]
Chosen = Callable[[set[Variable]], bool]
"""Whether literals with these variables belong to a part."""

_MOST_LOOKS = 1_000_000


def split(clauses: Iterable[Clause], *, project: bool = False) -> tuple[Clause, ...]:
    """Eliminate variables one by one wherever the new body has fewer than the old one had.

    A negated literal goes into a new body together with atoms that bind its variables. With
    `project` these are projected to the variables needed, and negated literals that have few of a
    body's variables are put together: more relations, and fewer or shorter instances.

    >>> from kibitz.gdl import clauses_of, parse
    >>> for clause in split(clauses_of(parse("(<= (p ?a ?d) (q ?a ?b) (q ?b ?c) (q ?c ?d))"))):
    ...     print(clause.head, "<=", *clause.positive)
    (split;0 ?v0 ?v1) <= (q ?v0 ?v2) (q ?v2 ?v1)
    (p ?a ?d) <= (q ?c ?d) (split;0 ?a ?c)
    """
    splitting = _Splitting(project)
    left = _MOST_LOOKS
    for clause in clauses:
        while (looks := _looks(clause)) <= left and (
            part := _best_part(clause, project)
        ) is not None:
            left -= looks
            clause = splitting.without(clause, part)
        splitting.result.append(splitting.bundled(clause))
    return tuple(splitting.result)


class _Splitting:
    def __init__(self, project: bool) -> None:
        self.project = project
        self.result: list[Clause] = []
        self.known: dict[Clause, str] = {}

    def without(self, clause: Clause, part: _Part) -> Clause:
        """Put an atom of a new relation in the place of a part of a clause."""
        shared = _shared(clause, part)
        helpers = [
            atom
            if set(kept) == set(variables_of(atom))
            else Atom(self.relation(Clause(Atom("", kept), (atom,))), kept)
            for atom, kept in part.helpers
        ]
        positive = (*part.eliminated, *helpers)
        body = self.bundled(Clause(Atom("", shared), positive, part.negative, part.distinct))
        return Clause(
            clause.head,
            (*_without(clause.positive, part.eliminated), Atom(self.relation(body), shared)),
            _without(clause.negative, part.negative),
            tuple(pair for pair in clause.distinct if pair not in part.distinct),
        )

    def bundled(self, clause: Clause) -> Clause:
        """Put negated literals that have few of a clause's variables into a relation."""
        if self.project and (part := _denials(clause)) is not None:
            return self.without(clause, part)
        return clause

    def relation(self, clause: Clause) -> str:
        """Name a relation for the body of a clause; add its clause unless an equal one is known."""
        atoms = (clause.head, *clause.positive)
        order = dict.fromkeys(v for atom in atoms for v in variables_of(atom))
        names = {variable: Variable(f"v{i}") for i, variable in enumerate(order)}
        body = Clause(
            _renamed_atom(clause.head, names),
            tuple(_renamed_atom(a, names) for a in clause.positive),
            tuple(_renamed_atom(a, names) for a in clause.negative),
            tuple((_renamed_apart(a, names), _renamed_apart(b, names)) for a, b in clause.distinct),
        )
        if body not in self.known:
            self.known[body] = f"split;{len(self.known)}"
            head = Atom(self.known[body], body.head.args)
            self.result.append(Clause(head, body.positive, body.negative, body.distinct))
        return self.known[body]


def _looks(clause: Clause) -> int:
    """Count what a step looks at: for each variable every literal, and the variables in it."""
    atoms = (*clause.positive, *clause.negative)
    size = sum(1 + sum(1 for _ in variables_of(atom)) for atom in atoms) + 2 * len(clause.distinct)
    return size * len(_of_atoms(clause.positive))


class _Part:
    """Some literals of a clause, and what else makes them safe."""

    def __init__(self, clause: Clause, chosen: Chosen, project: bool) -> None:
        self.eliminated = tuple(a for a in clause.positive if chosen(_of_atoms([a])))
        self.negative = tuple(a for a in clause.negative if chosen(_of_atoms([a])))
        self.distinct = tuple(p for p in clause.distinct if chosen(_of_pair(p)))
        bound = _of_atoms(self.eliminated)
        needed = _of_atoms(self.negative).union(*map(_of_pair, self.distinct))
        self.helpers: list[tuple[Atom, tuple[Variable, ...]]] = []
        atoms = clause.positive
        if project:
            atoms = tuple(sorted(atoms, key=lambda a: -len((needed - bound) & _of_atoms([a]))))
        for atom in atoms:
            own = _of_atoms([atom])
            if (needed - bound) & own:
                kept = own & (needed | bound) if project else own
                self.helpers.append((atom, tuple(sorted(kept, key=lambda v: v.name))))
                bound |= kept
        self.variables = bound
        self.size = len(self.eliminated) + len(self.helpers)


def _best_part(clause: Clause, project: bool) -> _Part | None:
    """Choose the variable whose literals have the fewest variables, if fewer than the clause."""
    head = set(variables_of(clause.head))
    width = len(head | _of_atoms(clause.positive))
    if width < 3:
        return None
    best: _Part | None = None
    for variable in sorted(_of_atoms(clause.positive) - head, key=lambda v: v.name):
        part = _Part(clause, partial(_contains, variable), project)
        fewest = len(best.variables) if best else width
        if len(part.variables) < fewest and part.size < len(clause.positive):
            best = part
    return best


def _denials(clause: Clause) -> _Part | None:
    """Choose the most negated literals that leave out a quarter of a clause's variables."""
    width = len(_of_atoms(clause.positive))
    own = [_of_atoms([atom]) for atom in clause.negative]
    unions = dict.fromkeys(frozenset(a | b) for i, a in enumerate(own) for b in own[:i])
    found = [
        (sum(variables <= union for variables in own), -len(union), union)
        for union in unions
        if union and 4 * len(union) < 3 * width
    ]
    if not found:
        return None
    _, _, union = max(found, key=lambda entry: entry[:2])
    return _Part(clause, union.issuperset, True)


def _contains(variable: Variable, variables: set[Variable]) -> bool:
    return variable in variables


def _shared(clause: Clause, part: _Part) -> tuple[Variable, ...]:
    """Return the variables that these literals share with the rest of the clause."""
    rest = set(variables_of(clause.head))
    rest |= _of_atoms(_without(clause.positive, part.eliminated))
    rest |= _of_atoms(_without(clause.negative, part.negative))
    rest = rest.union(*(_of_pair(p) for p in clause.distinct if p not in part.distinct))
    return tuple(sorted(part.variables & rest, key=lambda v: v.name))


def _renamed_atom(atom: Atom, names: dict[Variable, Variable]) -> Atom:
    return Atom(atom.relation, tuple(_renamed_apart(t, names) for t in atom.args))


def _renamed_apart(term: Term, names: dict[Variable, Variable]) -> Term:
    if isinstance(term, Variable):
        return names[term]
    return Function(term.name, tuple(_renamed_apart(t, names) for t in term.args))


def _without(atoms: tuple[Atom, ...], removed: tuple[Atom, ...]) -> tuple[Atom, ...]:
    return tuple(a for a in atoms if a not in removed)


def _of_atoms(atoms: Iterable[Atom]) -> set[Variable]:
    return {v for atom in atoms for v in variables_of(atom)}


def _of_pair(pair: Pair) -> set[Variable]:
    return {v for term in pair for v in variables_of(term)}
