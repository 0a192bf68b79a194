"""Whole numbers that depend on the position in, literals that bind them out: sums, counts, scores.

A value is an alternative: what must hold, the term that is the number, and its bounds. Sums and
products are looked up in tables of all numbers within the bounds, so these are kept small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from kibitz.gdl import Atom, Not, Term
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation import counting
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, Registry, constant
from kibitz.ludii.translation.expressions import condition, players, site, tabulated
from kibitz.ludii.translation.problems import Unsupported, reading

__all__ = ["VALUES", "Value", "compared", "is_value", "values"]

_MOST_ROWS = 40_000

VALUES = Registry()
"""Functions from a compiler, a ludeme and a context to values."""


@dataclass(frozen=True)
class Value:
    """A number under a condition: what must hold, the term, and the least and greatest number."""

    body: Body
    term: Term
    least: int
    most: int


_ARITHMETIC: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "+": ("plus", lambda a, b: a + b),
    "-": ("minus", lambda a, b: a - b),
    "*": ("times", lambda a, b: a * b),
    "/": ("divided_by", lambda a, b: a // b if b else 0),
    "%": ("modulo", lambda a, b: a % b if b else 0),
    "max": ("greater_of", max),
    "min": ("less_of", min),
}
_COMPARISONS: dict[str, tuple[str, Callable[[int, int], bool]]] = {
    "=": ("same_number", lambda a, b: a == b),
    "!=": ("other_number", lambda a, b: a != b),
    "<": ("less", lambda a, b: a < b),
    "<=": ("at_most", lambda a, b: a <= b),
    ">": ("more", lambda a, b: a > b),
    ">=": ("at_least", lambda a, b: a >= b),
}


def is_value(ludeme: Ludeme) -> bool:
    """Return whether a ludeme is a number that depends on the position."""
    if ludeme.shape != "call":
        return False
    if ludeme.name == "if":
        return len(ludeme.items) == 3 and any(is_value(item) for item in ludeme.items[1:])
    if ludeme.name in _ARITHMETIC:
        return any(is_value(item) for item in _items(ludeme))
    return ludeme.kind in VALUES or ludeme.name in VALUES


def values(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    """Return the values that a number can have."""
    known = counting.number_of(c, ludeme, context)
    if known is not None:
        return [Value((), constant(known), known, known)]
    if ludeme.shape != "call":
        raise Unsupported(ludeme)
    if (found := _by_site(c, ludeme, context)) is not None:
        return found
    with reading(ludeme):
        if ludeme.name == "if" and len(ludeme.items) == 3:
            return _either(c, ludeme, context)
        if ludeme.name in _ARITHMETIC and _items(ludeme) and ludeme.kind not in VALUES:
            return _computed(c, ludeme, context)
        function = VALUES.get(ludeme.kind) or VALUES.get(ludeme.name)
        if function is None:
            raise Unsupported(ludeme)
        return cast("Callable[..., list[Value]]", function)(c, ludeme, context)


def _by_site(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value] | None:
    """Return a number that depends on sites alone, from a table."""
    found = tabulated(c, ludeme, context, lambda statics: statics.integer(ludeme))
    if found is None:
        return None
    terms, rows = found
    sites, number = c.equipment.sites, c.fresh("n")
    table = [(*(sites[n] for n in numbers), value) for numbers, value in rows]
    numbers = [value for _, value in rows]
    return [
        Value(body, number, min(numbers), max(numbers))
        for body in c.holds(ludeme.kind, table, *terms, number)
    ]


def compared(c: Compiler, operator: str, left: Ludeme, right: Ludeme, context: Context) -> Bodies:
    """Return what says how two values compare."""
    name, holds = _COMPARISONS[operator]
    found: Bodies = []
    for a in values(c, left, context):
        for b in values(c, right, context):
            table = _table(
                c, a, b, name, lambda x, y: (x, y) if holds(x, y) else None, (a.term, b.term)
            )
            found += [(*a.body, *b.body, *rest) for rest in table]
    return found


def _items(ludeme: Ludeme) -> tuple[Ludeme, ...]:
    items = ludeme.unlabelled()
    return items[0].items if len(items) == 1 and items[0].shape == "list" else items


def _either(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    test, yes, no = ludeme.items
    holds = condition(c, test, context)
    fails = c.negated("otherwise", holds, context)
    return [
        Value((*body, *one.body), one.term, one.least, one.most)
        for branch, bodies in ((yes, holds), (no, fails))
        for body in bodies
        for one in values(c, branch, context)
    ]


def _computed(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    first, *rest = _items(ludeme)
    name, function = _ARITHMETIC[ludeme.name]
    found = values(c, first, context)
    for item in rest:
        found = [combined(c, name, function, a, b) for a in found for b in values(c, item, context)]
    return found


def combined(
    c: Compiler, name: str, function: Callable[[int, int], int], a: Value, b: Value
) -> Value:
    """Return what a function makes of two values."""
    if a.least == a.most and b.least == b.most:
        number = function(a.least, b.least)
        return Value((*a.body, *b.body), constant(number), number, number)
    result = c.fresh("n")
    body = _table(c, a, b, name, lambda x, y: (x, y, function(x, y)), (a.term, b.term, result))
    corners = [
        function(x, y) for x in range(a.least, a.most + 1) for y in range(b.least, b.most + 1)
    ]
    return Value((*a.body, *b.body, *body[0]), result, min(corners), max(corners))


def _table(
    c: Compiler,
    a: Value,
    b: Value,
    name: str,
    row: Callable[[int, int], tuple[int, ...] | None],
    args: tuple[Term, ...],
) -> Bodies:
    if (a.most - a.least + 1) * (b.most - b.least + 1) > _MOST_ROWS:
        raise OverflowError("numbers that are too large")
    rows = [
        found
        for x in range(a.least, a.most + 1)
        for y in range(b.least, b.most + 1)
        if (found := row(x, y)) is not None
    ]
    return c.holds(name, rows, *args)


# Numbers of a position


@VALUES("count Sites", "count Pieces")
def _count(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    top = len(c.equipment.sites) + c.most_in_hand
    return [Value(body, term, 0, top) for body, term in counting.value_of(c, ludeme, context)]


@VALUES("count", "count Cell", "count Vertex")
def _count_at(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    """How many pieces there are at one place, which is a hand or a site with one piece at most."""
    if ludeme.get("in") is not None:
        function = VALUES["count in"] if c.equipment.has_counts else _count
        return cast("Callable[..., list[Value]]", function)(c, ludeme, context)
    at = ludeme.get("at")
    if at is None:
        raise Unsupported(ludeme)
    found: list[Value] = []
    if at.name == "handSite" and at.items and not c.equipment.has_counts:
        for body, player in players(c, at.items[0], context):
            number = c.fresh("n")
            held = c.hand(context, player, c.fresh("p"), number)
            some = c.relation("holds_pieces", [(held,)], Context(player))
            found.append(Value((*body, held), number, 0, c.most_in_hand))
            found.append(Value((*body, Not(some)), constant(0), 0, 0))
        return found
    for body, term in site(c, at, context):
        if c.equipment.has_counts:
            number = c.fresh("n")
            found.append(Value((*body, c.cell(context, term, number)), number, 1, c.most_pieces))
            inner = context.at(counted=term)
            found += [Value((*body, *none), constant(0), 0, 0) for none in c.empty(inner, term)]
            continue
        found.append(Value((*body, c.occupied(context, term)), constant(1), 1, 1))
        found += [Value((*body, *none), constant(0), 0, 0) for none in c.empty(context, term)]
    return found


@VALUES("score")
def _score(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    c.needed.add("score")
    found: list[Value] = []
    for body, player in players(c, ludeme.items[0], context):
        number = c.fresh("n")
        role = c.role(player)
        literal = (
            Atom("score_after", (role, number))
            if context.ending
            else c.fluent("score", role, number)
        )
        found.append(Value((*body, literal), number, 0, c.most_score))
    return found
