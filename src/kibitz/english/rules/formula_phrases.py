"""Formulas of the strategy language that have fixed phrases, and their parts."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.gdl import Function
from kibitz.strategy import (
    FALSE,
    PLACE_KINDS,
    SYMMETRIES,
    And,
    AtLeast,
    Before,
    Can,
    Const,
    Formula,
    Holds,
    Next,
    Not,
    Or,
    Previous,
    at_least,
    conjunction,
    disjunction,
    negation,
    write_formula,
)

_FORK = "next (not terminal & next can({0}, next wins({0})))"
_MINE, _THEIRS = _FORK.format("me"), _FORK.format("opponent")
_WIN_LOOMS = "can(me, next can(opponent, next wins(opponent)))"
_FORK_LOOMS = f"can(me, next can(opponent, {_THEIRS}))"
_SOON = "next (wins({0}) | not terminal & next can({0}, next wins({0})))"
_MY_PLAN = f"next (not terminal & next can(me, {_SOON.format('me')}))"
_THEIR_PLAN = f"next (wins({{0}}) | not terminal & next can({{0}}, {_SOON}))".format("opponent")

FORMULAS = {
    f"{_WIN_LOOMS} & next next not wins(opponent)": (
        "this parries a threat to win at once",
        "that parries a threat to win at once",
    ),
    f"{_FORK_LOOMS} & next not can(opponent, {_THEIRS})": (
        "this keeps the opponent from making a double threat",
        "that keeps the opponent from making a double threat",
    ),
    "next wins(me)": ("this wins at once", "that wins at once"),
    _MINE: ("this makes a double threat", "that makes a double threat"),
    "next not wins(opponent)": ("this does not lose at once", "that does not lose at once"),
    "next next not wins(opponent)": (
        "no reply then wins for the opponent",
        "after which no reply wins for the opponent",
    ),
    "next next wins(me)": (
        "this wins whatever the reply",
        "that wins whatever the reply",
    ),
    f"next not can(opponent, {_THEIRS})": (
        "the opponent then cannot make a double threat",
        "after which the opponent cannot make a double threat",
    ),
    _MY_PLAN: ("this forces a win within three moves", "that forces a win within three moves"),
    f"next not can(opponent, {_THEIR_PLAN})": (
        "the opponent then cannot force a win within three moves",
        "after which the opponent cannot force a win within three moves",
    ),
    "answers(opponent, 0)": (
        "this goes where the opponent moved last",
        "that goes where the opponent moved last",
    ),
    "answers(opponent, 1)": (
        "this goes at most one step from where the opponent moved last",
        "that goes at most one step from where the opponent moved last",
    ),
    **{
        f"mirrors(opponent, {name})": (
            f"this is the image of the opponent's last move in {words}",
            f"that is the image of the opponent's last move in {words}",
        )
        for name, words in SYMMETRIES.items()
    },
    **{
        f"at({kind})": (f"this goes {where}", f"that goes {where}")
        for kind, where in PLACE_KINDS.items()
    },
    **{
        f"not at({kind})": (f"this does not go {where}", f"that does not go {where}")
        for kind, where in PLACE_KINDS.items()
    },
    **{
        f"next not can(opponent, at(opponent, {kind}))": (
            f"the opponent then cannot go {where}",
            f"after which the opponent cannot go {where}",
        )
        for kind, where in PLACE_KINDS.items()
    },
    "not taken(opponent)": ("this takes nothing", "that takes nothing"),
    "next taken(me)": (
        "every reply then takes something of yours",
        "after which every reply takes something of yours",
    ),
    "taken(opponent)": ("this takes something", "that takes something"),
    "next not can(opponent, taken(me))": (
        "the opponent then can take nothing",
        "after which the opponent can take nothing",
    ),
    "next (taken(me) implies next can(me, taken(opponent)))": (
        "whatever the opponent then takes, you can take back",
        "after which you can take back whatever the opponent takes",
    ),
    "can(me, next can(opponent, taken(me)))": (
        "some move would let the opponent take something",
        "",
    ),
    _WIN_LOOMS: ("some move would let the opponent win at once", ""),
    _FORK_LOOMS: ("some move would let the opponent make a double threat", ""),
}
"""Phrases for formulas that every game has: after a move, and after *a move*.

No reply parries a double threat: whatever is played next, the win can follow.
"""


def parts_of(condition: Formula) -> frozenset[Formula]:
    """Split a condition into parts that must hold together."""
    parts = condition.parts if isinstance(condition, And) else (condition,)
    found = (normal(part) for part in parts if part != Const(True))
    return frozenset(p for f in found for p in (f.parts if isinstance(f, And) else (f,)))


def normal(formula: Formula) -> Formula:
    """Sort what is joined, and negate single fluents, so that equal formulas are the same."""
    match formula:
        case Not(Or(parts)) if all(isinstance(part, Holds) for part in parts):
            return normal(And(tuple(map(Not, parts))))
        case Not(inner):
            return Not(normal(inner))
        case Next(inner):
            return Next(normal(inner))
        case Previous(inner):
            return Previous(normal(inner))
        case Can(role, inner):
            return Can(role, normal(inner))
        case And(parts) | Or(parts):
            return type(formula)(tuple(sorted(map(normal, parts), key=write_formula)))
        case AtLeast(count, parts):
            return AtLeast(count, tuple(sorted(map(normal, parts), key=write_formula)))
        case _:
            return formula


def carry_fluents(formula: Formula, carry: Callable[[Function], Function | None]) -> Formula:
    """Replace the fluents of a formula; where there is no replacement, it is false."""
    match formula:
        case Holds(fluent):
            carried = carry(fluent)
            return FALSE if carried is None else Holds(carried)
        case Before(moves, Holds(fluent)):
            carried = carry(fluent)
            return FALSE if carried is None else Before(moves, Holds(carried))
        case Not(inner):
            return negation(carry_fluents(inner, carry))
        case Next(inner):
            return Next(carry_fluents(inner, carry))
        case Previous(inner):
            return Previous(carry_fluents(inner, carry))
        case Can(role, inner):
            return Can(role, carry_fluents(inner, carry))
        case And(parts):
            return conjunction(carry_fluents(part, carry) for part in parts)
        case Or(parts):
            return disjunction(carry_fluents(part, carry) for part in parts)
        case AtLeast(count, parts):
            return at_least(count, (carry_fluents(part, carry) for part in parts))
        case _:
            return formula
