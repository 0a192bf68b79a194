"""Replace an atom that depends on moves by its rules' bodies, and moves by those of a joint move.

`marked(X,Y)`, where some rule says that it holds if any role marks that cell, says nothing new
once the joint move is known: it is an equality between its arguments and those of the move.
"""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.engine.frame.literals import (
    Literal,
    apply_to,
    body_of,
    equal,
    rename_apart,
    variables_in,
)
from kibitz.engine.frame.move_coverings import JointMove
from kibitz.engine.frame.static_knowledge import Knowledge
from kibitz.engine.frame.unifiers import unify_atoms, unify_with_moves
from kibitz.gdl import Atom, Not, substitute

__all__ = ["Way", "resolve", "unfold"]

Way = tuple[Literal, ...]
"""Literals that hold together; an equality is a negated Distinct."""

_DEEPEST = 6
_MOST_WAYS = 24


def unfold(way: Way, knowledge: Knowledge, names: Iterator[int]) -> list[Way]:
    """Replace the positive atoms of relations that depend on moves by the bodies of their rules.

    Recursive relations, and those with too many rules, stay as they are.
    """
    return _unfold(way, knowledge, names, _DEEPEST)


def _unfold(way: Way, knowledge: Knowledge, names: Iterator[int], depth: int) -> list[Way]:
    for place, literal in enumerate(way):
        if not _can_unfold(literal, knowledge):
            continue
        assert isinstance(literal, Atom)
        rest = way[:place] + way[place + 1 :]
        bodies = _bodies(literal, knowledge, names)
        if depth == 0 or len(bodies) > _MOST_WAYS:
            continue
        found: list[Way] = []
        for body in bodies:
            found += _unfold((*rest, *body), knowledge, names, depth - 1)
            if len(found) > _MOST_WAYS:
                return [way]
        return found
    return [way]


def _can_unfold(literal: Literal, knowledge: Knowledge) -> bool:
    return (
        isinstance(literal, Atom)
        and literal.relation != "does"
        and literal.relation in knowledge.moving
        and literal.relation not in knowledge.recursive
    )


def _bodies(atom: Atom, knowledge: Knowledge, names: Iterator[int]) -> list[Way]:
    """Return the bodies of an atom's rules, with equalities where arguments must match."""
    found = []
    outer = variables_in([atom])
    for clause in knowledge.by_head.get(atom.relation, ()):
        if len(clause.head.args) != len(atom.args):
            continue
        head, *body = rename_apart((clause.head, *body_of(clause)), names)
        assert isinstance(head, Atom)
        bindings = unify_atoms(head, atom, {})
        if bindings is not None:
            equalities = [equal(v, substitute(v, bindings)) for v in bindings if v in outer]
            found.append((*equalities, *(apply_to(literal, bindings) for literal in body)))
    return found


def resolve(way: Way, joint: JointMove) -> list[Way]:
    """Replace `does` atoms by equalities with the joint move; no result means impossible."""
    asked = [x for x in way if isinstance(x, Atom) and x.relation == "does"]
    rest = []
    for literal in way:
        if literal in asked:
            continue
        if isinstance(literal, Not) and isinstance(literal.formula, Atom):
            atom = literal.formula
            if atom.relation == "does":
                if atom in joint:
                    return []
                if all(unify_atoms(atom, move, {}) is None for move in joint):
                    continue
        rest.append(literal)
    found = unify_with_moves(asked, joint, {})
    return [(*rest, *(equal(v, term) for v, term in bindings.items())) for bindings in found]
