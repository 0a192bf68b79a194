"""Bind integers that depend on the position by literals: sums, counts, scores.

A value is an alternative: what must hold, the term that is the number, and its bounds. Sums and
products are looked up in tables of all numbers within the bounds, so these are kept small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from kibitz.gdl import Atom, Not, Term
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation import counting
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, Registry, constant
from kibitz.ludii.translation.expressions import PLAYERS, condition, players, site, tabulated
from kibitz.ludii.translation.problems import Unsupported, reading

_MOST_ROWS = 70_000

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
    "^": ("power", lambda a, b: a**b if 0 <= b <= 8 and abs(a) <= 100 else 0),
    "pow": ("power", lambda a, b: a**b if 0 <= b <= 8 and abs(a) <= 100 else 0),
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
    if ludeme.name == "mapEntry":
        return is_value(ludeme.items[-1])
    if ludeme.name == "if":
        return len(ludeme.items) == 3 and any(is_value(item) for item in ludeme.items[1:])
    if ludeme.name in _ARITHMETIC:
        return any(
            is_value(i) or i.kind in counting.MOVE_COUNTS or i.name == "sizes"
            for i in _items(ludeme)
        )
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
            return computed(c, ludeme, context)
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


def computed(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    """Return the values of a sum, a difference, a product, …"""
    first, *rest = _items(ludeme)
    name, function = _ARITHMETIC[ludeme.name]
    if ludeme.name == "%" and len(rest) == 1 and first.kind in counting.MOVE_COUNTS:
        divisor = counting.number_of(c, rest[0], context)
        if divisor is None:
            raise Unsupported(ludeme)
        body, term = counting.remainder(c, first, divisor, context)
        return [Value(body, term, 0, divisor - 1)]
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


@VALUES("mapEntry")
def _entry(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    """Return the values that a map gives a number, such as that of the piece on a site."""
    name = next((item.name for item in ludeme.items if item.shape == "text"), None)
    rows: list[tuple[int, int]] = []
    for one in c.equipment.maps:
        title = next((item.name for item in one.items if item.shape == "text"), None)
        if name in (None, title):
            listed = [i for item in one.items for i in (item.items if item.shape == "list" else ())]
            rows += [
                (c.statics.integer(pair.items[0]), c.statics.integer(pair.items[1]))
                for pair in listed
            ]
    if not rows:
        raise Unsupported(ludeme)
    found: list[Value] = []
    results = [result for _, result in rows]
    for key in values(c, ludeme.items[-1], context):
        number = c.fresh("n")
        found += [
            Value((*key.body, *rest), number, min(results), max(results))
            for rest in c.holds(f"map_{name or 'entry'}", rows, key.term, number)
        ]
    return found


@VALUES("abs")
def _absolute(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    """Leave the sign of a number out."""
    found: list[Value] = []
    for one in values(c, ludeme.items[0], context):
        number = c.fresh("n")
        rows = [(n, abs(n)) for n in range(one.least, one.most + 1)]
        most = max(abs(one.least), abs(one.most))
        found += [
            Value((*one.body, *rest), number, 0, most)
            for rest in c.holds("absolute", rows, one.term, number)
        ]
    return found


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


@VALUES("who", "what")
def _who(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    """The number of the owner or of the kind of what stands on a site; 0 where nothing does."""
    at = ludeme.get("at")
    if at is None or ludeme.get("level"):
        raise Unsupported(ludeme)
    order = [piece.full_name for piece in c.equipment.kinds]
    rows = [
        (p.term, p.owner if ludeme.name == "who" else order.index(p.full_name) + 1)
        for p in c.equipment.pieces
    ]
    return of_piece(c, f"{ludeme.name}_number", rows, at, context)


def of_piece(
    c: Compiler, hint: str, rows: list[tuple[str, int]], at: Ludeme, context: Context
) -> list[Value]:
    """Return the number that a table gives the piece on a site; 0 where there is none."""
    numbers = [number for _, number in rows] or [0]
    found: list[Value] = []
    for body, place in site(c, at, context):
        piece, number = c.fresh("p"), c.fresh("n")
        here = (*body, c.cell(context, place, piece))
        table = c.holds(hint, rows, piece, number)
        found += [Value((*here, *one), number, min(numbers), max(numbers)) for one in table]
        inner = context.at(counted=place)
        found += [Value((*body, *none), constant(0), 0, 0) for none in c.empty(inner, place)]
    return found


@PLAYERS("who", "state", "value Piece", "if")
def _player_by_number(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, int]]:
    """Return whose number a value is."""
    found: list[tuple[Body, int]] = []
    for player in range(1, c.equipment.players + 1):
        for value in values(c, ludeme, context):
            if value.least <= player <= value.most:
                same = c.holds(f"only_{player}", [(player,)], value.term)
                found += [((*value.body, *rest), player) for rest in same]
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
