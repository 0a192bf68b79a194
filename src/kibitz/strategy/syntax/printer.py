"""Formulas and rules in; out their text in the strategy language, with words for operators."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kibitz.engine import Move
from kibitz.gdl import Function, Term
from kibitz.strategy import tree
from kibitz.strategy.syntax.grammar import WORDS
from kibitz.strategy.syntax.numbers import Number

_PLAIN = re.compile(r"[^\W\d]\w*|\d+")


def write_term(term: Term) -> str:
    """Write a term so that reading it gives the same term."""
    assert isinstance(term, Function)
    name = term.name
    if not _PLAIN.fullmatch(name) or name in WORDS:
        name = "'" + name.replace("'", "''") + "'"
    return f"({name} {' '.join(map(write_term, term.args))})" if term.args else name


def write_formula(formula: tree.Formula) -> str:
    """Write a formula.

    >>> cell = Function("cell", (Function("1"), Function("x")))
    >>> print(write_formula(tree.And((tree.Holds(cell), tree.Next(tree.Not(tree.Wins("me")))))))
    (cell 1 x) & next not wins(me)
    """
    return _write(formula, 0)


def write_rule(
    choices: tuple[tuple[tree.Formula, tuple[Move, ...]], ...],
    preferences: Sequence[tree.Preference] = (),
) -> str:
    """Write a rule as one line; a rule with variables becomes its instances.

    >>> preference = tree.Preference((tree.Terminal(), tree.Initial()))
    >>> write_rule(((tree.Wins("me"), tree.AllMoves()),), [preference])
    'wins(me) => any also terminal also initial'
    """
    if not preferences:
        return _write_choices(choices)
    text = _write_choices(choices if len(choices) == 1 else _as_one(choices))
    goes_on = False
    for preference in preferences:
        more = write_preference(preference)
        text = f"({text}) also {more}" if goes_on and not preference.text else f"{text} also {more}"
        goes_on = not preference.text
    return text


def write_preference(preference: tree.Preference) -> str:
    """Write a preference, as it stands after `also`."""
    return preference.text or " also ".join(map(write_formula, preference.formulas))


def _as_one(
    choices: tuple[tuple[tree.Formula, tuple[Move, ...]], ...],
) -> tuple[tuple[tree.Formula, tuple[Move, ...]], ...]:
    """Return one choice for any move that asks for the moves in its condition."""
    parts = [
        condition
        if isinstance(moves, tree.AllMoves)
        else tree.conjunction([condition, tree.disjunction(tree.Does("", move) for move in moves)])
        for condition, moves in choices
    ]
    return ((tree.disjunction(parts), tree.AllMoves()),)


def _write_choices(choices: tuple[tuple[tree.Formula, tuple[Move, ...]], ...]) -> str:
    parts = []
    for condition, moves in choices:
        named = [write_term(move) for move in moves]
        shown = named[0] if len(named) == 1 else "{" + ", ".join(named) + "}"
        if isinstance(moves, tree.AllMoves):
            shown = "any"
        parts.append(f"{write_formula(condition)} => {shown}")
    return " | ".join(parts)


def write_number(number: Number) -> str:
    """Write a number of a state.

    >>> one = Number("number", text="left.1")
    >>> write_number(Number("remainder", parts=(one, Number("constant", constant=4))))
    'left.1 % 4'
    """
    if number.kind == "constant":
        return str(number.constant)
    if number.kind in ("distance", "xor"):
        return f"{number.kind}({', '.join(map(write_number, number.parts))})"
    if number.kind == "entry":
        return f"entry({', '.join([write_number(number.parts[0]), *map(str, number.table)])})"
    if number.parts:
        first, second = (
            write_number(part) if part.is_atomic else f"({write_number(part)})"
            for part in number.parts
        )
        return f"{first} {_SIGNS[number.kind]} {second}"
    if number.text:
        return number.text
    things = ", ".join(f"{value} * {write_term(fluent)}" for fluent, value in number.things)
    return f"{number.kind}({things})"


_SIGNS = {"plus": "+", "minus": "-", "times": "*", "remainder": "%"}


def _write(formula: tree.Formula, above: int) -> str:
    """Write, in brackets if the outer operator binds tighter: 1 for or, 2 for and, 3 for not."""
    match formula:
        case tree.Const():
            return "true" if formula.value else "false"
        case tree.Holds(fluent) | tree.Derived(fluent):
            return write_term(fluent)
        case tree.Does("", move):  # of the one who follows the strategy
            return f"does({write_term(move)})"
        case tree.Does(role, move):
            return f"does({_name(role)}, {write_term(move)})"
        case tree.Legal(role, move):
            return f"legal({_name(role)}, {write_term(move)})"
        case tree.Wins(role):
            return f"wins({_name(role)})"
        case tree.Turn(role):
            return f"turn({_name(role)})"
        case tree.GoalIs(role, comparison, number):
            return f"goal({_name(role)}) {comparison} {number}"
        case tree.NumberIs(left, comparison, right):
            text = f"{write_number(left)} {comparison} {write_number(right)}"
            return f"({text})" if above > 2 else text
        case tree.Unchanged(name, pairs):
            if name:
                return f"unchanged({name})"
            alike = [
                tree.Or((tree.And((a, b)), tree.And((tree.Not(a), tree.Not(b)))))
                for a, b in map(_both, pairs)
            ]
            return _write(tree.conjunction(alike), above)
        case tree.Initial():
            return "initial"
        case tree.Terminal():
            return "terminal"
        case tree.Not(inner):
            return f"not {_write(inner, 3)}"
        case tree.Next(inner):
            return f"next {_write(inner, 3)}"
        case tree.Previous(inner):
            return f"previous {_write(inner, 3)}"
        case tree.Can(role, inner):
            return f"can({_name(role)}, {_write(inner, 0)})"
        case tree.Made(moves):
            return "not " + "previous " * moves + "false"
        case tree.Before(moves, leaf):
            text = _write(leaf, 3)
            return f"({_write(tree.Made(moves), 2)} & {'previous ' * moves}{text})"
        case tree.AtLeast(count, parts):
            return f"at least {count} of ({', '.join(_write(part, 0) for part in parts)})"
        case tree.Or(parts):
            text = " | ".join(_write(part, 1) for part in parts)
            return f"({text})" if above > 0 else text
        case tree.And(parts):
            text = " & ".join(_write(part, 2) for part in parts)
            return f"({text})" if above > 1 else text


def _both(pair: tuple[Function, Function]) -> tuple[tree.Holds, tree.Holds]:
    return tree.Holds(pair[0]), tree.Holds(pair[1])


def _name(role: str) -> str:
    return role if _PLAIN.fullmatch(role) and role not in WORDS else f"'{role}'"
