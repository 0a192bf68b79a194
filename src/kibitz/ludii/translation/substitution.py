"""Formulas in, the same formulas with other terms out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from kibitz.gdl import Atom, Distinct, Formula, Function, Not, Or, Term, Variable

__all__ = ["mapped", "substituted"]


def substituted(formula: Formula, names: Mapping[str, Term]) -> Formula:
    """Write terms in the place of variables.

    >>> substituted(Atom("p", (Variable("x"),)), {"x": Function("a1")})
    (p a1)
    """
    return mapped(formula, lambda t: names.get(t.name, t) if isinstance(t, Variable) else t)


def mapped(formula: Formula, change: Callable[[Term], Term]) -> Formula:
    """Change the constants and variables of a formula.

    >>> mapped(Not(Atom("p", (Function("a1"),))), lambda term: Function("b2"))
    (not (p b2))
    """
    match formula:
        case Atom():
            return replace(formula, args=tuple(_term(arg, change) for arg in formula.args))
        case Not():
            return Not(mapped(formula.formula, change))
        case Or():
            return Or(tuple(mapped(part, change) for part in formula.formulas))
        case Distinct():
            return Distinct(_term(formula.left, change), _term(formula.right, change))


def _term(term: Term, change: Callable[[Term], Term]) -> Term:
    if isinstance(term, Variable) or not term.args:
        return change(term)
    return Function(term.name, tuple(_term(arg, change) for arg in term.args))
