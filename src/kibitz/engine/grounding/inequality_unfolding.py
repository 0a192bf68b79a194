"""Put the definition of a fixed inequality in its place: each way to differ is a clause by itself.

"Cells (X,Y) and (U,V) differ" is one atom over four variables, which ties all of them together.
As "X differs from U" or "Y differs from V" each clause is tied less, so that variables can be
eliminated and arguments are free.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from kibitz.engine.grounding.move_decoupling import inequalities
from kibitz.gdl import Atom, Clause, Term, Variable, substitute_all, unify, variables_of

__all__ = ["resolve", "unfold_inequalities"]

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
