"""A frame rule, a fluent and a general joint move in, the most general unifiers out.

Paper 002, "Translation for an atom and a general joint move": a unifier makes the fluent of the
rule equal to the given fluent, and each of the rule's `does` atoms equal to one of the joint move.
"""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.engine.frame.literals import Bindings
from kibitz.engine.frame.move_coverings import JointMove
from kibitz.gdl import Atom, Clause, Function, Term, Variable, substitute, unify, variables_of

__all__ = ["most_general_unifiers", "unify_atoms", "unify_with_moves"]


def most_general_unifiers(rule: Clause, fluent: Term, joint: JointMove) -> list[Bindings]:
    """Return the unifiers of which no other is an instance; variables must differ beforehand.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(<= (next (cell ?m ?c)) (true (cell ?m ?c)) (does ?p (mark ?j)) (distinct ?m ?j))"
    >>> (rule,) = clauses_of(parse(text))
    >>> fluent = Function("cell", (Variable("x"), Variable("y")))
    >>> joint = (Atom("does", (Function("o"), Function("mark", (Variable("a"),)))),)
    >>> (found,) = most_general_unifiers(rule, fluent, joint)
    >>> sorted(f"{v} {t}" for v, t in found.items())
    ['?c ?y', '?j ?a', '?m ?x', '?p o']
    """
    start = unify(rule.head.args[0], fluent, {})
    if start is None:
        return []
    asked = [atom for atom in rule.positive if atom.relation == "does"]
    found = unify_with_moves(asked, joint, start)
    outer = {v for node in (fluent, *joint) for v in variables_of(node)}
    shapes = [_shape((rule.head, *asked), bindings, outer) for bindings in found]
    return [
        bindings
        for i, bindings in enumerate(found)
        if not any(
            _subsumes(shapes[j], shapes[i]) and (j < i or not _subsumes(shapes[i], shapes[j]))
            for j in range(len(found))
            if j != i
        )
    ]


def unify_with_moves(asked: Iterable[Atom], joint: JointMove, start: Bindings) -> list[Bindings]:
    """Return the bindings that make each atom one of the moves, beginning with some."""
    found = [start]
    for atom in asked:
        found = [
            bindings
            for known in found
            for move in joint
            if (bindings := unify_atoms(atom, move, known)) is not None
        ]
    return found


def unify_atoms(left: Atom, right: Atom, bindings: Bindings) -> Bindings | None:
    """Extend bindings so that two atoms of one relation become equal, or return None."""
    extended: Bindings | None = bindings
    for own, other in zip(left.args, right.args, strict=True):
        extended = unify(own, other, extended) if extended is not None else None
    return extended


def _shape(atoms: tuple[Atom, ...], bindings: Bindings, outer: set[Variable]) -> Function:
    """Write what a unifier makes of a rule's atoms, and of the variables of the case.

    The paper compares the atoms alone. Then of two unifiers that differ only in which of two like
    `does` atoms of a general joint move they take, one would be dropped, though both are needed.
    """
    made = [
        Function("", tuple(_frozen(substitute(t, bindings), outer) for t in a.args)) for a in atoms
    ]
    held = [substitute(v, bindings) for v in sorted(outer, key=lambda v: v.name)]
    return Function("", (*made, *(_frozen(t, outer) for t in held)))


def _frozen(term: Term, outer: set[Variable]) -> Term:
    """Make constants of the variables of the case, which no substitution may touch."""
    if isinstance(term, Variable):
        return Function(f"?{term.name}") if term in outer else term
    return Function(term.name, tuple(_frozen(arg, outer) for arg in term.args))


def _subsumes(general: Function, special: Function) -> bool:
    """Return whether replacing variables of one term gives the other."""
    bindings: dict[Variable, Term] = {}
    pairs: list[tuple[Term, Term]] = [(general, special)]
    while pairs:
        left, right = pairs.pop()
        if isinstance(left, Variable):
            if bindings.setdefault(left, right) != right:
                return False
        elif isinstance(right, Variable) or (left.name, len(left.args)) != (
            right.name,
            len(right.args),
        ):
            return False
        else:
            pairs.extend(zip(left.args, right.args, strict=True))
    return True
