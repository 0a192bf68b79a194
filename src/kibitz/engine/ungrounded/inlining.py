"""Clauses in, clauses out with relations that one clause alone asks for put into it.

Evaluated separately, "who can move where" is found for all players, though only one of them is to
move. Inside the clause that asks, it starts from what that clause knows.
"""

from __future__ import annotations

from collections import Counter
from itertools import count

from kibitz.engine.grounding import dynamic_relations, resolve
from kibitz.gdl import KEYWORD_ARITY, Atom, Clause, variables_of

__all__ = ["inline"]

MOST_CLAUSES = 40
MOST_ATOMS = 16


def inline(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Replace each atom of a changing relation that occurs in only one body by its clauses.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(<= (legal ?p ?m) (true (control ?p)) (can ?p ?m)) (<= (can ?q go) (true (at ?q)))"
    >>> for clause in inline(clauses_of(parse(text))):
    ...     print(clause.head, "<=", *clause.positive)
    (legal ?p go) <= (true (control ?p)) (true (at ?p))
    """
    numbers = count()
    while True:
        found = _candidate(clauses)
        if found is None:
            return clauses
        place, atom = found
        bodies = [c for c in clauses if c.head.relation == atom.relation]
        merged = [
            new
            for body in bodies
            if (new := resolve(clauses[place], atom, body, next(numbers))) is not None
        ]
        clauses = tuple(
            clause
            for number, old in enumerate(clauses)
            for clause in (merged if number == place else [old])
            if clause.head.relation != atom.relation
        )


def _candidate(clauses: tuple[Clause, ...]) -> tuple[int, Atom] | None:
    """Find a clause and an atom in it that can be replaced."""
    heads = Counter(clause.head.relation for clause in clauses)
    uses = Counter(a.relation for c in clauses for a in (*c.positive, *c.negative))
    dynamic = dynamic_relations(clauses)
    for place, clause in enumerate(clauses):
        for atom in clause.positive:
            name = atom.relation
            if (
                uses[name] == 1
                and name in dynamic
                and name not in KEYWORD_ARITY
                and name != "fnext"
                and 0 < heads[name] <= MOST_CLAUSES
                and heads[clause.head.relation] + heads[name] <= 2 * MOST_CLAUSES
                and clause.head.relation != name
                # What shares no variable is a separate question, asked once.
                and any(variables_of(atom))
                and all(
                    len(body.positive) + len(clause.positive) <= MOST_ATOMS
                    for body in clauses
                    if body.head.relation == name
                )
            ):
                return place, atom
    return None
