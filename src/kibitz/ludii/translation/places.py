"""Ludemes that mean one site in, terms and what binds them out."""

from __future__ import annotations

from kibitz.gdl import Atom, Term
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation.core import Body, Compiler, Context
from kibitz.ludii.translation.expressions import SITES, condition, players, site, tabulated
from kibitz.ludii.translation.problems import NotStatic, Unsupported
from kibitz.ludii.translation.statics import Statics


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
