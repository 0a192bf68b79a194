"""Unify and unfold frame rules, with relations for conditions that have inner variables.

Paper 002, "Translation for an atom and a general joint move": a unifier makes the fluent of the
rule equal to the given fluent, and each of the rule's `does` atoms equal to one of the joint move.

`marked(X,Y)`, where some rule says that it holds if any role marks that cell, says nothing new
once the joint move is known: it is an equality between its arguments and those of the move.

GDL has no quantifier within a body, so "for no value of these variables" is the negation of a new
relation (paper 002, section "Implementing the Translation").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kibitz.engine.frame.literals import (
    Bindings,
    JointMove,
    Literal,
    apply_to,
    body_of,
    equal,
    rename_apart,
    tidy,
    variables_in,
)
from kibitz.engine.frame.static_knowledge import Condition, Knowledge
from kibitz.gdl import (
    Atom,
    Clause,
    Distinct,
    Function,
    Not,
    Rule,
    Term,
    Variable,
    substitute,
    unify,
    variables_of,
)


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


class Auxiliaries:
    """Relations made so far; equal conditions share one."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.rules: list[Rule] = []
        self._taken = set(taken)
        self._known: dict[tuple[Literal, ...], str] = {}

    def atom(self, condition: Condition, fluent: Function, joint: JointMove) -> Atom:
        """Return an atom that holds where a condition does for some inner values."""
        bindings: Bindings | None = {}
        literals: list[Literal] = []
        for literal in condition.literals:
            if isinstance(literal, Not) and isinstance(literal.formula, Distinct):
                sides = literal.formula
                assert bindings is not None
                bindings = unify(sides.left, sides.right, bindings)
                assert bindings is not None, "contradictions have been removed by now"
            else:
                literals.append(literal)
        assert bindings is not None
        args = tuple(substitute(key, bindings) for key in condition.keys)
        body = [apply_to(literal, bindings) for literal in literals]
        body = [*_binders(args, body, fluent, joint, bindings), *body]
        name = self._name(Atom("", args), body)
        return Atom(name, condition.keys)

    def _name(self, head: Atom, body: list[Literal]) -> str:
        names: Bindings = {v: Variable(f"v~{i}") for i, v in enumerate(variables_in([head, *body]))}
        canonical = tuple(apply_to(literal, names) for literal in (head, *body))
        if canonical not in self._known:
            name = next(self._names())
            self._taken.add(name)
            self._known[canonical] = name
            self.rules.append(tidy(Rule(Atom(name, head.args), tuple(body))))
        return self._known[canonical]

    def _names(self) -> Iterator[str]:
        number = 1
        while True:
            if f"keeps{number}" not in self._taken:
                yield f"keeps{number}"
            number += 1


def _binders(
    args: tuple[Term, ...],
    body: list[Literal],
    fluent: Function,
    joint: JointMove,
    bindings: Bindings,
) -> list[Literal]:
    """Return the atoms of the case that are needed so that every variable of a rule is bound."""
    bound = set(variables_in(x for x in body if isinstance(x, Atom)))
    open_ = [v for v in variables_in([*args, *body]) if v not in bound]
    found: list[Literal] = []
    for atom in (*joint, Atom("true", (fluent,))):
        instance = apply_to(atom, bindings)
        if any(v in open_ for v in variables_in([instance])):
            found.append(instance)
            open_ = [v for v in open_ if v not in variables_in([instance])]
    return found
