"""Split clauses that join many variables into small ones, by variable elimination.

A body over k variables grounds to up to n^k instances. A variable that the head does not
need can be eliminated: the literals that contain it become the body of a new relation over their
other variables, and one atom of that relation replaces them (Bichler, Morak and Woltran 2016).
Equal new bodies are shared between clauses.

Each step looks at every literal for every variable. So that a rule with thousands of variables does
not take hours, these looks are counted: the whole sheet has a limit, and a clause that needs more
than remain stays as it is. Beyond that bound the time is in proportion to the text.
"""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.gdl import Atom, Clause, Function, Term, Variable, variables_of

__all__ = ["split"]

Pair = tuple[Term, Term]

_MOST_LOOKS = 1_000_000


def split(clauses: Iterable[Clause], *, project: bool = False) -> tuple[Clause, ...]:
    """Eliminate variables one by one wherever the new body has fewer than the old one had.

    A negated literal goes into a new body together with atoms that bind its variables. With
    `project` these are projected to the variables needed, which are more relations, and fewer
    instances where an atom has many.

    >>> from kibitz.gdl import clauses_of, parse
    >>> for clause in split(clauses_of(parse("(<= (p ?a ?d) (q ?a ?b) (q ?b ?c) (q ?c ?d))"))):
    ...     print(clause.head, "<=", *clause.positive)
    (split;0 ?v0 ?v1) <= (q ?v0 ?v2) (q ?v2 ?v1)
    (p ?a ?d) <= (q ?c ?d) (split;0 ?a ?c)
    """
    result: list[Clause] = []
    known: dict[Clause, str] = {}
    left = _MOST_LOOKS
    for clause in clauses:
        while (looks := _looks(clause)) <= left and (
            part := _best_part(clause, project)
        ) is not None:
            left -= looks
            shared = _shared(clause, part)
            helpers = [
                atom
                if set(kept) == set(variables_of(atom))
                else Atom(_relation(Clause(Atom("", kept), (atom,)), known, result), kept)
                for atom, kept in part.helpers
            ]
            body = Clause(
                Atom("", shared), (*part.eliminated, *helpers), part.negative, part.distinct
            )
            name = _relation(body, known, result)
            clause = Clause(
                clause.head,
                (*_without(clause.positive, part.eliminated), Atom(name, shared)),
                _without(clause.negative, part.negative),
                tuple(pair for pair in clause.distinct if pair not in part.distinct),
            )
        result.append(clause)
    return tuple(result)


def _looks(clause: Clause) -> int:
    """Count what a step looks at: for each variable every literal, and the variables in it."""
    atoms = (*clause.positive, *clause.negative)
    size = sum(1 + sum(1 for _ in variables_of(atom)) for atom in atoms) + 2 * len(clause.distinct)
    return size * len(_of_atoms(clause.positive))


class _Part:
    """The literals of a clause that contain a variable, and what else makes them safe."""

    def __init__(self, clause: Clause, variable: Variable, project: bool) -> None:
        self.variable = variable
        self.eliminated = tuple(a for a in clause.positive if variable in variables_of(a))
        self.negative = tuple(a for a in clause.negative if variable in variables_of(a))
        self.distinct = tuple(p for p in clause.distinct if variable in _of_pair(p))
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
        part = _Part(clause, variable, project)
        fewest = len(best.variables) if best else width
        if len(part.variables) < fewest and part.size < len(clause.positive):
            best = part
    return best


def _shared(clause: Clause, part: _Part) -> tuple[Variable, ...]:
    """Return the variables that these literals share with the rest of the clause."""
    rest = set(variables_of(clause.head))
    rest |= _of_atoms(_without(clause.positive, part.eliminated))
    rest |= _of_atoms(_without(clause.negative, part.negative))
    rest = rest.union(*(_of_pair(p) for p in clause.distinct if p not in part.distinct))
    return tuple(sorted(part.variables & rest, key=lambda v: v.name))


def _relation(clause: Clause, known: dict[Clause, str], result: list[Clause]) -> str:
    """Name a relation for the body of a clause; add its clause unless an equal one is known."""
    atoms = (clause.head, *clause.positive)
    order = dict.fromkeys(v for atom in atoms for v in variables_of(atom))
    names = {variable: Variable(f"v{i}") for i, variable in enumerate(order)}
    body = Clause(
        _renamed_atom(clause.head, names),
        tuple(_renamed_atom(a, names) for a in clause.positive),
        tuple(_renamed_atom(a, names) for a in clause.negative),
        tuple((_renamed(left, names), _renamed(right, names)) for left, right in clause.distinct),
    )
    if body not in known:
        known[body] = f"split;{len(known)}"
        head = Atom(known[body], body.head.args)
        result.append(Clause(head, body.positive, body.negative, body.distinct))
    return known[body]


def _renamed_atom(atom: Atom, names: dict[Variable, Variable]) -> Atom:
    return Atom(atom.relation, tuple(_renamed(t, names) for t in atom.args))


def _renamed(term: Term, names: dict[Variable, Variable]) -> Term:
    if isinstance(term, Variable):
        return names[term]
    return Function(term.name, tuple(_renamed(t, names) for t in term.args))


def _without(atoms: tuple[Atom, ...], removed: tuple[Atom, ...]) -> tuple[Atom, ...]:
    return tuple(a for a in atoms if a not in removed)


def _of_atoms(atoms: Iterable[Atom]) -> set[Variable]:
    return {v for atom in atoms for v in variables_of(atom)}


def _of_pair(pair: Pair) -> set[Variable]:
    return {v for term in pair for v in variables_of(term)}
