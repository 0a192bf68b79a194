"""Translate expressions for sites, players and pieces into literals."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar, cast

from kibitz.gdl import Atom, Not, Term
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, Registry, joined
from kibitz.ludii.translation.equipment import Piece
from kibitz.ludii.translation.problems import NotStatic, Unsupported, reading
from kibitz.ludii.translation.statics import Statics

CONDITIONS = Registry()
"""Functions from a compiler, a ludeme and a context to alternatives."""
REGIONS = Registry()
"""Functions from a compiler, a ludeme, a context and a term to alternatives."""
SITES = Registry()
"""Functions from a compiler, a ludeme and a context to sites, each with what binds it."""

PLAYERS = Registry()
"""Functions from a compiler, a ludeme and a context to players, each with what must hold."""

Condition = Callable[[Compiler, Ludeme, Context], Bodies]
_MOST_TABULATED = 150
_PLACES = ("from", "to", "between", "site")


def condition(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """Return the alternatives under which a condition holds."""
    try:
        return [()] if c.statics.for_player(context.mover).boolean(ludeme) else []
    except NotStatic:
        pass
    table = _table(c, ludeme, context)
    if table is not None:
        return table
    function = CONDITIONS.get(ludeme.kind) or CONDITIONS.get(ludeme.name)
    if function is None or ludeme.shape != "call":
        raise Unsupported(ludeme)
    with reading(ludeme):
        return cast(Condition, function)(c, ludeme, context)


def _table(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies | None:
    """Tabulate a condition on one or two known sites that does not depend on the position."""
    found = tabulated(c, ludeme, context, lambda statics: statics.boolean(ludeme))
    if found is None:
        return None
    terms, rows = found
    hint = ludeme.kind.replace(" ", "_")
    if len(terms) == 1:
        return c.in_region(hint, [numbers[0] for numbers, holds in rows if holds], terms[0])
    sites = c.equipment.sites
    return c.holds(hint, [[sites[n] for n in numbers] for numbers, holds in rows if holds], *terms)


T = TypeVar("T")


def tabulated(
    c: Compiler, ludeme: Ludeme, context: Context, evaluate: Callable[[Statics], T]
) -> tuple[list[Term], list[tuple[tuple[int, ...], T]]] | None:
    """Evaluate what depends on one or two known sites alone, for all of them."""
    places = {
        one.name
        for one in ludeme.walk()
        if one.shape == "call" and one.name in _PLACES and not one.items
    }
    if not 1 <= len(places) <= 2 or not places <= context.sites.keys():
        return None
    statics = c.statics.for_player(context.mover)
    names = sorted(places)
    sites = range(len(c.equipment.board))
    if len(names) == 2 and len(sites) > _MOST_TABULATED:
        return None
    try:
        rows = [
            (numbers, evaluate(replace(statics, sites=dict(zip(names, numbers, strict=True)))))
            for numbers in itertools.product(sites, repeat=len(names))
        ]
    except NotStatic:
        return None
    return [context.sites[name] for name in names], rows


def every(*parts: Bodies) -> Bodies:
    """Combine alternatives that must hold together."""
    return joined(*parts)


# Players


def players(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, int]]:
    """Return which player a word or ludeme means, with what must hold for it."""
    count = c.equipment.players
    after = context.mover % count + 1
    name = ludeme.name
    if name in ("Next", "next") and context.settled:
        if "moveAgain" not in c.uses:
            return [((), after)]
        return [((c.control(p),), p) for p in range(1, count + 1)]
    if name in ("Next", "next") and context.ending and "moveAgain" in c.uses:
        again = Atom("again")
        return [((again,), context.mover), ((Not(again),), after)]
    if name in ("Next", "next"):
        return [((), after)]
    if name in ("Player", "player") and not ludeme.items and context.player is not None:
        return [((), context.player)]
    if name in ("Prev", "prev"):
        if count == 2 and "moveAgain" not in c.uses:
            return [((), after)]
        c.needed.add("last_mover")
        return [((c.fluent("last_mover", c.role(p)),), p) for p in range(1, count + 1)]
    try:
        return [((), c.statics.for_player(context.mover).player(ludeme))]
    except NotStatic:
        function = PLAYERS.get(ludeme.kind) or PLAYERS.get(ludeme.name)
        if ludeme.shape != "call" or function is None:
            raise Unsupported(ludeme) from None
    return cast("Callable[..., list[tuple[Body, int]]]", function)(c, ludeme, context)


def pieces_of(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, list[Piece]]]:
    """Return the pieces of whoever a word means: a player, Enemy, Each, All, …"""
    pieces = c.equipment.pieces
    match ludeme.name:
        case "Enemy" | "NonMover":
            return [((), [p for p in pieces if p.owner not in (0, context.mover)])]
        case "Friend":
            return [((), c.equipment.owned(context.mover))]
        case "All":
            return [((), list(pieces))]
        case "Each":
            return [((), [p for p in pieces if p.owner])]
        case number if ludeme.shape == "word" and number.isdigit():
            return [((), c.equipment.owned(int(number)))]
    return [(body, c.equipment.owned(p)) for body, p in players(c, ludeme, context)]


# Sites


def site(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, Term]]:
    """Return the site that a ludeme means, with what binds it."""
    if ludeme.shape == "call" and not ludeme.items and ludeme.name in context.sites:
        return [((), context.sites[ludeme.name])]
    try:
        number = c.statics.for_player(context.mover).site(ludeme)
        return [((), c.in_site(number))]
    except NotStatic:
        pass
    function = SITES.get(ludeme.kind) or SITES.get(ludeme.name)
    if function is None:
        raise Unsupported(ludeme)
    with reading(ludeme):
        return cast("Callable[..., list[tuple[Body, Term]]]", function)(c, ludeme, context)


# Regions


def region(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return what says that a term is a site of a region; it binds a variable."""
    if ludeme.kind == "sites Player" and context.player is not None:
        role = Ludeme("word", f"P{context.player}", (), "", ludeme.place)
        ludeme = replace(ludeme, items=(role, *ludeme.items[1:]))
    try:
        sites = c.statics.for_player(context.mover).region(ludeme)
        return c.in_region(_hint(ludeme), sites, term)
    except NotStatic:
        pass
    function = REGIONS.get(ludeme.kind) or REGIONS.get(ludeme.name)
    if function is not None and ludeme.shape == "call":
        with reading(ludeme):
            return cast("Callable[..., Bodies]", function)(c, ludeme, context, term)
    if ludeme.shape == "list":
        return [body for item in ludeme.items for body in region(c, item, context, term)]
    # A single site is a region as well.
    found: Bodies = []
    for body, place in site(c, ludeme, context):
        found += [(*body, *same) for same in c.same(place, term)]
    return found


def _hint(ludeme: Ludeme) -> str:
    words = [one.name for one in ludeme.walk() if one.shape in ("word", "text")][:3]
    return "_".join(words) or ludeme.name


@SITES("if")
def _site_if(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, Term]]:
    test, yes, no = ludeme.items
    holds = condition(c, test, context)
    fails = c.negated("otherwise", holds, context)
    return [
        ((*body, *more), term)
        for branch, bodies in ((yes, holds), (no, fails))
        for body in bodies
        for more, term in site(c, branch, context)
    ]


@SITES("+", "-", "*", "mapEntry", "coord")
def _computed_site(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, Term]]:
    """Compute the number of a site from that of another; where there is none, nothing holds."""

    def number(statics: Statics) -> int:
        try:
            return statics.integer(ludeme)
        except NotStatic:
            return -1

    found = tabulated(c, ludeme, context, number)
    names = c.equipment.sites
    if found is None:
        raise Unsupported(ludeme)
    terms, rows = found
    place = c.fresh("s")
    table = [
        (*(names[n] for n in numbers), names[value])
        for numbers, value in rows
        if 0 <= value < len(c.equipment.board)
    ]
    return [(body, place) for body in c.holds("site_by_number", table, *terms, place)]


@SITES("ahead")
def _ahead(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, Term]]:
    """Go some steps from a site; who would leave the board stays on the site."""
    items = ludeme.unlabelled()
    steps = c.statics.integer(item) if (item := ludeme.get("steps")) else 1
    sites = c.equipment.sites
    place = c.fresh("s")
    way = items[1] if len(items) > 1 else Ludeme("word", "Forward")
    relative = way.name in ("SameDirection", "OppositeDirection")
    ends = [way.get("from"), way.get("to")] if way.name == "directions" else [None, None]
    found: list[tuple[Body, Term]] = []
    if relative or ends != [None, None]:
        first = ends[0] or Ludeme("call", "from")
        last = ends[1] or Ludeme("call", "to")
        if way.name == "OppositeDirection":
            first, last = last, first
        rows = _aligned(c, steps)
        for body, start in site(c, items[0], context):
            for one, a in site(c, first, context):
                for two, b in site(c, last, context):
                    table = c.holds(f"ahead_{steps}", rows, a, b, start, place)
                    found += [((*body, *one, *two, *rest), place) for rest in table]
        return found
    names = c.names([way], context)
    if len(names) != 1:
        raise Unsupported(ludeme)
    pairs = []
    for number, here in enumerate(sites[: len(c.equipment.board)]):
        onward = c.directions.steps(names[0])[number]
        line = list(c.directions.radial(names[0], number, onward[0])) if onward else []
        pairs.append((here, sites[line[steps - 1]] if len(line) >= steps else here))
    return [
        ((*body, *rest), place)
        for body, start in site(c, items[0], context)
        for rest in c.holds(f"ahead_{names[0]}_{steps}", pairs, start, place)
    ]


def _aligned(c: Compiler, steps: int) -> list[tuple[str, str, str, str]]:
    """Return sites a, b, s, t: t lies some steps from s, in the direction from a to b."""
    names = [name for name in c.directions.supported if c.directions.pairs([name])]
    sites = c.equipment.sites
    rows: list[tuple[str, str, str, str]] = []
    for name in names:
        onward: dict[int, int] = {}
        pairs: list[tuple[int, int]] = []
        for a, ends in enumerate(c.directions.steps(name)):
            for first in ends:
                line = list(c.directions.radial(name, a, first))
                pairs += [(a, b) for b in line]
                onward[a] = line[steps - 1] if len(line) >= steps else a
        for a, b in pairs:
            rows += [(sites[a], sites[b], sites[s], sites[onward.get(s, s)]) for s in {a, b}]
    return rows


@SITES("last To", "last From")
def _last(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, Term]]:
    end = "to" if ludeme.kind == "last To" else "from"
    late = (item := ludeme.get("afterConsequence")) is not None and item.name == "True"
    if late and c.equipment.has_counts and end == "to" and "sow" in c.uses:
        c.needed.add("last_sown")
        place = c.fresh("s")
        if context.stage or context.ending:
            return [((Atom("sown_to", (place,)),), place)]
        return [((c.fluent("last_sown", place),), place)]
    if late:
        raise Unsupported(ludeme, "after what followed a move")
    if (known := context.sites.get(f"last_{end}")) is not None:
        return [((), known)]
    place = c.fresh("s")
    if context.stage or context.ending:
        c.needed.add(f"moved_{end}")
        return [((Atom(f"moved_{end}", (place,)),), place)]
    name = "last_target" if end == "to" else "last_origin"
    c.needed.add(name)
    return [((c.fluent(name, place),), place)]


@SITES("value Pending")
def _pending_site(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, Term]]:
    place = c.fresh("s")
    return [((c.fluent("pending", place),), place)]


@SITES("where")
def _where(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, Term]]:
    items = ludeme.unlabelled()
    if items[0].shape != "text" or len(items) < 2:
        raise Unsupported(ludeme)
    place = c.fresh("s")
    return [
        ((*body, c.cell(context, place, c.named(piece))), place)
        for body, owner in players(c, items[1], context)
        for piece in c.equipment.named(items[0].name, owner)
    ]
