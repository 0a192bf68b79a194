"""Sites, regions, players and pieces in a position in; literals that say which ones out."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from kibitz.gdl import Atom, Not, Term
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, Registry, joined
from kibitz.ludii.translation.equipment import Piece
from kibitz.ludii.translation.problems import NotStatic, Unsupported, reading

__all__ = ["CONDITIONS", "condition", "every", "pieces_of", "players", "region", "site"]

CONDITIONS = Registry()
"""Functions from a compiler, a ludeme and a context to alternatives."""
_REGIONS = Registry()
_SITES = Registry()

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
    places = {
        one.name
        for one in ludeme.walk()
        if one.shape == "call" and one.name in _PLACES and not one.items
    }
    if not 1 <= len(places) <= 2 or not places <= context.sites.keys():
        return None
    statics = c.statics.for_player(context.mover)
    names = sorted(places)
    sites = range(len(c.equipment.sites))
    if len(names) == 2 and len(sites) > _MOST_TABULATED:
        return None
    hint = ludeme.kind.replace(" ", "_")
    try:
        found = [
            numbers
            for numbers in itertools.product(sites, repeat=len(names))
            if replace(statics, sites=dict(zip(names, numbers, strict=True))).boolean(ludeme)
        ]
    except NotStatic:
        return None
    if len(names) == 1:
        return c.in_region(hint, [number for (number,) in found], context.sites[names[0]])
    rows = [[c.equipment.sites[number] for number in numbers] for numbers in found]
    return c.holds(hint, rows, *(context.sites[name] for name in names))


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
        c.needed.add("previous")
        return [((c.fluent("previous", c.role(p)),), p) for p in range(1, count + 1)]
    try:
        return [((), c.statics.for_player(context.mover).player(ludeme))]
    except NotStatic:
        raise Unsupported(ludeme) from None


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
    function = _SITES.get(ludeme.kind) or _SITES.get(ludeme.name)
    if function is None:
        raise Unsupported(ludeme)
    with reading(ludeme):
        return cast("Callable[..., list[tuple[Body, Term]]]", function)(c, ludeme, context)


@_SITES("last To", "last From")
def _last(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, Term]]:
    end = "to" if ludeme.kind == "last To" else "from"
    if (known := context.sites.get(f"last_{end}")) is not None:
        return [((), known)]
    place = c.fresh("s")
    if context.stage or context.ending:
        c.needed.add(f"moved_{end}")
        return [((Atom(f"moved_{end}", (place,)),), place)]
    c.needed.add(f"last_{end}")
    return [((c.fluent(f"last_{end}", place),), place)]


@_SITES("where")
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


# Regions


def region(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return what says that a term is a site of a region; it binds a variable."""
    try:
        sites = c.statics.for_player(context.mover).region(ludeme)
        return c.in_region(_hint(ludeme), sites, term)
    except NotStatic:
        pass
    function = _REGIONS.get(ludeme.kind) or _REGIONS.get(ludeme.name)
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


def _parts(ludeme: Ludeme) -> tuple[Ludeme, ...]:
    items = ludeme.unlabelled()
    return items[0].items if len(items) == 1 and items[0].shape == "list" else items


@_REGIONS("sites Empty")
def _empty(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    return [(c.site_guard(term), *body) for body in c.empty(context, term)]


@_REGIONS("sites Occupied")
def _occupied(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    by, container = ludeme.get("by"), ludeme.get("container")
    component = ludeme.get("component")
    if (
        by is None
        or ludeme.get("components")
        or (container is not None and (container.shape != "text" or container.name != "Board"))
    ):
        raise Unsupported(ludeme)
    found: Bodies = []
    for body, pieces in pieces_of(c, by, context):
        if component is not None:
            wanted = {p.term for p in c.equipment.named(component.name)}
            pieces = [p for p in pieces if p.term in wanted]
        piece = c.fresh("p")
        cell = c.cell(context, term, piece)
        found += [(*body, cell, *rest) for rest in c.piece_in(f"of_{by.name}", pieces, piece)]
    return found


@_REGIONS("union")
def _union(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    return [body for part in _parts(ludeme) for body in region(c, part, context, term)]


@_REGIONS("intersection")
def _intersection(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    return joined(*(region(c, part, context, term) for part in _parts(ludeme)))


@_REGIONS("difference")
def _difference(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    first, second = ludeme.items[:2]
    inner = context.at(member=term)
    without = c.negated("excluded", region(c, second, inner, term), inner)
    return joined(region(c, first, context, term), without)


@_REGIONS("forEach")
def _filtered(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    test = ludeme.get("if")
    if test is None or ludeme.kind != "forEach":
        raise Unsupported(ludeme)
    inside = region(c, ludeme.items[0], context, term)
    return joined(inside, condition(c, test, context.at(site=term)))


@_REGIONS("sites Around")
def _around(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    rest = ludeme.unlabelled()[1:]
    kinds = {"Own", "Enemy", "Empty", "NotEmpty", "All"}
    kind = next((i.name for i in rest[1:] if i.shape == "word" and i.name in kinds), None)
    words = [i for i in rest[1:] if not (i.shape == "word" and i.name in kinds and i.name != "All")]
    if ludeme.get("distance") or (kind == "All" and len(words) > 1):
        raise Unsupported(ludeme)
    names = c.names(words, context) or ["Adjacent"]
    start = c.fresh("s")
    found = joined(region(c, rest[0], context, start), c.pairs("_".join(names), names, start, term))
    match kind:
        case "Empty":
            found = joined(found, c.empty(context, term))
        case "NotEmpty":
            found = joined(found, [(c.occupied(context, term),)])
        case "Own" | "Enemy":
            piece = c.fresh("p")
            pieces = [
                p
                for p in c.equipment.pieces
                if p.owner and (p.owner == context.mover) == (kind == "Own")
            ]
            cell: Bodies = [(c.cell(context, term, piece),)]
            found = joined(found, cell, c.piece_in(f"{kind}_of_p{context.mover}", pieces, piece))
    if test := ludeme.get("if"):
        found = joined(found, condition(c, test, context.at(to=term)))
    if (self_too := ludeme.get("includeSelf")) and self_too.name == "True":
        found += region(c, rest[0], context, term)
    return found


@_REGIONS("expand")
def _expand(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    steps, rest = ludeme.get("steps"), list(ludeme.unlabelled())
    origin = ludeme.get("origin") or rest.pop(0)
    if steps is not None and steps.name != "1":
        raise Unsupported(ludeme)
    names = c.names(rest, context) or ["Adjacent"]
    start = c.fresh("s")
    near = joined(region(c, origin, context, start), c.pairs("_".join(names), names, start, term))
    return [*region(c, origin, context, term), *near]


@_REGIONS("sites LineOfSight")
def _line_of_sight(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Look along the lines from a site: the empty sites, the last of them, or the first piece."""
    at = ludeme.get("at")
    words = [item for item in ludeme.unlabelled()[1:] if item.shape == "word"]
    kind = words[0].name if words and words[0].name in ("Farthest", "Empty", "Piece") else "Piece"
    names = c.names([w for w in words if w.name != kind], context) or ["Adjacent"]
    c.real(context, ludeme)
    if at is None:
        raise Unsupported(ludeme)
    line, near, start = c.fresh("l"), c.fresh("a"), c.fresh("s")
    sites = c.equipment.sites
    rows = [(tag, sites[i], sites[j]) for tag, i, j in c.directions.lines(names)]
    along = c.fact_relation("line_" + "_".join(names), rows)
    key = ("sight", along, context.stage)
    seen = c.name("sees_empty", key)
    if key not in c.emitted:
        c.emitted.add(key)
        place = c.fresh("t")
        head = Atom(seen, (line, start, place))
        first: Bodies = [(Atom(along, (line, start, place)),)]
        further: Bodies = [(Atom(seen, (line, start, near)), Atom(along, (line, near, place)))]
        c.rule(head, joined(first, c.empty(context, place)))
        c.rule(head, joined(further, c.empty(context, place)))
    found: Bodies = []
    for body, origin in site(c, at, context):
        visible = Atom(seen, (line, origin, term))
        if kind == "Empty":
            found.append((*body, visible))
        elif kind == "Farthest":
            beyond = c.fresh("t")
            on = c.name("sees_beyond", ("beyond", key))
            if ("beyond", key) not in c.emitted:
                c.emitted.add(("beyond", key))
                one = c.fresh("t")
                step: Bodies = [(Atom(along, (line, one, beyond)),)]
                c.rule(Atom(on, (line, one)), joined(step, c.empty(context, beyond)))
            found.append((*body, visible, Not(Atom(on, (line, term)))))
        else:
            occupied = c.occupied(context, term)
            found.append((*body, Atom(along, (line, origin, term)), occupied))
            last = Atom(seen, (line, origin, near))
            found.append((*body, last, Atom(along, (line, near, term)), occupied))
    return found


@_REGIONS("sites Direction")
def _in_direction(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return the sites on lines from a site, whatever stands on them."""
    start = ludeme.get("from")
    known = {"", "from", "included", "distance"}
    if start is None or any(item.label not in known for item in ludeme.items):
        raise Unsupported(ludeme)
    words = ludeme.unlabelled()[1:]
    names = c.names(words, context) or ["Adjacent"]
    limit = ludeme.get("distance")
    most = c.statics.integer(limit) if limit is not None else len(c.equipment.sites)
    sites = c.equipment.sites
    rows = {
        (sites[a], sites[t])
        for name in names
        for a, b in c.directions.pairs([name])
        for t in list(c.directions.radial(name, a, b))[:most]
    }
    if (item := ludeme.get("included")) is not None and item.name == "True":
        rows |= {(one, one) for one in sites}
    return [
        (*body, *rest)
        for body, place in site(c, start, context)
        for rest in c.holds("toward_" + "_".join(names), sorted(rows), place, term)
    ]


@_REGIONS("sites Start")
def _start_sites(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return where pieces of the kind on a site stood at the start."""
    given = next(iter(ludeme.calls("piece")), None)
    what = given.items[0] if given is not None and given.items else None
    at = what.get("at") if what is not None and what.name == "what" else None
    if at is None:
        raise Unsupported(ludeme)
    piece = c.fresh("p")
    rows = [(kind, place) for place, kind in c.board_at_start.items()]
    return [
        (*body, c.cell(context, place, piece), *rest)
        for body, place in site(c, at, context)
        for rest in c.holds("stood_at_start", rows, piece, term)
    ]


@_REGIONS("handSite")
def _no_site(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    return []  # hands are no sites of the board
