"""Conditions with inner variables in, new relations out.

GDL has no quantifier within a body, so "for no value of these variables" is the negation of a new
relation (paper 002, section "Implementing the Translation").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kibitz.engine.frame.literals import Bindings, Literal, apply_to, tidy, variables_in
from kibitz.engine.frame.move_coverings import JointMove
from kibitz.engine.frame.static_knowledge import Condition
from kibitz.gdl import Atom, Distinct, Function, Not, Rule, Term, Variable, substitute, unify

__all__ = ["Auxiliaries"]


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
