"""Rows, distances and lines between sites in, literals out, where sites are known only in play."""

from __future__ import annotations

from kibitz.gdl import Term
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation import counting
from kibitz.ludii.translation.core import Bodies, Compiler, Context, joined
from kibitz.ludii.translation.expressions import REGIONS, region, site
from kibitz.ludii.translation.moves import moves_of
from kibitz.ludii.translation.problems import Unsupported
from kibitz.ludii.translation.values import VALUES, Value

__all__ = ["around_at"]

_TYPES = ("Cell", "Vertex", "Edge")


@VALUES("row", "column", "phase")
def _row(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    """The row, column or phase of a site."""
    of, board = ludeme.get("of"), c.equipment.board
    if of is None:
        raise Unsupported(ludeme)
    table = {"row": board.rows, "column": board.columns, "phase": board.phases}[ludeme.name]
    rows = list(zip(c.equipment.sites, table, strict=False))
    number = c.fresh("n")
    return [
        Value((*body, *rest), number, min(table), max(table))
        for body, place in site(c, of, context)
        for rest in c.holds(f"{ludeme.name}_of", rows, place, number)
    ]


@VALUES("count Steps")
def _steps(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    """How many steps lead from one site to another."""
    words = [i for i in ludeme.unlabelled()[1:] if i.shape == "word" and i.name not in _TYPES]
    words = [i for i in words if not i.name.isdigit()]
    ends = [i for i in ludeme.unlabelled()[1:] if i not in words and i.name not in _TYPES]
    if len(ends) != 2:
        raise Unsupported(ludeme)
    names = c.names(words, context) or ["Adjacent"]
    sites, number = c.equipment.sites, c.fresh("n")
    rows = [(sites[a], sites[b], n) for (a, b), n in _distances(c, names).items()]
    most = max(n for *_, n in rows)
    return [
        Value((*one, *two, *rest), number, 0, most)
        for one, a in site(c, ends[0], context)
        for two, b in site(c, ends[1], context)
        for rest in c.holds("steps_between", rows, a, b, number)
    ]


def _distances(c: Compiler, names: list[str]) -> dict[tuple[int, int], int]:
    """Return how far each site is from each other one that can be reached."""
    beside: dict[int, set[int]] = {}
    for a, b in c.directions.pairs(names):
        beside.setdefault(a, set()).add(b)
    found: dict[tuple[int, int], int] = {}
    for start in range(len(c.equipment.board)):
        reached, steps = {start}, 0
        edge = {start}
        while edge:
            found |= {(start, one): steps for one in edge}
            edge = {b for a in edge for b in beside.get(a, ())} - reached
            reached |= edge
            steps += 1
    return found


@REGIONS("sites Distance")
def _at_distance(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return the sites so many steps away from a site."""
    start, limit = (
        ludeme.get("from"),
        next(iter(ludeme.calls("range", "exact", "min", "max")), None),
    )
    words = [i for i in ludeme.unlabelled()[1:] if i.shape == "word" and i.name not in _TYPES]
    if start is None or limit is None or ludeme.calls("step") or ludeme.get("newRotation"):
        raise Unsupported(ludeme)
    bounds = [counting.number_of(c, item, context) for item in limit.items]
    if None in bounds or not bounds:
        raise Unsupported(limit)
    numbers = [n for n in bounds if n is not None]
    least, most = numbers[0], numbers[-1]
    if limit.name == "min":
        most = len(c.equipment.sites)
    if limit.name == "max":
        least = 0
    names = c.names(words, context) or ["Adjacent"]
    sites, origin = c.equipment.sites, c.fresh("s")
    rows = [
        (sites[a], sites[b]) for (a, b), n in _distances(c, names).items() if least <= n <= most
    ]
    near = c.holds(f"within_{least}_to_{most}", rows, origin, term)
    return joined(region(c, start, context, origin), near)


@REGIONS("sites Between")
def _between(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return the sites on the line between two sites."""
    first, last = ludeme.get("from"), ludeme.get("to")
    if first is None or last is None or ludeme.get("cond"):
        raise Unsupported(ludeme)
    ends = {
        label
        for label in ("fromIncluded", "toIncluded")
        if (item := ludeme.get(label)) is not None and item.name == "True"
    }
    words = [i for i in ludeme.unlabelled()[1:] if i.shape == "word" and i.name not in _TYPES]
    names = c.names(words, context) or c.directions.supported
    sites = c.equipment.sites
    rows = set()
    for name in names:
        for a, b in c.directions.pairs([name]):
            line = [a, *c.directions.radial(name, a, b)]
            for n in range(1, len(line)):
                inner = line["fromIncluded" not in ends : n + ("toIncluded" in ends)]
                rows |= {(sites[a], sites[line[n]], sites[s]) for s in inner}
    return [
        (*one, *two, *rest)
        for one, a in site(c, first, context)
        for two, b in site(c, last, context)
        for rest in c.holds("lies_between", sorted(rows), a, b, term)
    ]


@REGIONS("sites From", "sites To")
def _ends_of_moves(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return where some moves start, or where they end."""
    end = ludeme.items[0].name.lower()
    found: Bodies = []
    inner = context.at(member=term)
    for move in moves_of(c, ludeme.items[1], context):
        place = move.context.sites.get(end)
        if place is not None:
            found += joined(move.bodies, c.same(place, term))
    return [(c.relation(f"can_go_{end}", found, inner),)] if found else []


@REGIONS("sites LastTo", "sites LastFrom")
def _last(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return the site where the last move ended, or started."""
    end = Ludeme("word", ludeme.items[0].name.removeprefix("Last"))
    return region(c, Ludeme("call", "last", (end,), "", ludeme.place), context, term)


def around_at(c: Compiler, names: list[str], distance: int, start: Term, term: Term) -> Bodies:
    """Return what says that one site lies so many steps from another, on a line."""
    sites = c.equipment.sites
    rows = {
        (sites[a], sites[line[distance - 1]])
        for name in names
        for a, b in c.directions.pairs([name])
        if len(line := list(c.directions.radial(name, a, b))) >= distance > 0
    }
    return c.holds(f"at_{distance}_{'_'.join(names)}", sorted(rows), start, term)
