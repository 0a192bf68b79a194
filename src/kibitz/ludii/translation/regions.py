"""Translate regions, rows and distances into literals that bind their sites."""

from __future__ import annotations

from kibitz.gdl import Atom, Not, Term
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation import counting
from kibitz.ludii.translation.core import Bodies, Compiler, Context, joined
from kibitz.ludii.translation.expressions import REGIONS, condition, pieces_of, region, site
from kibitz.ludii.translation.moves import moves_of
from kibitz.ludii.translation.problems import Unsupported
from kibitz.ludii.translation.values import VALUES, Value, values

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


def _parts(ludeme: Ludeme) -> tuple[Ludeme, ...]:
    items = ludeme.unlabelled()
    return items[0].items if len(items) == 1 and items[0].shape == "list" else items


@REGIONS("sites Empty")
def _empty(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    return [(c.site_guard(term), *body) for body in c.empty(context, term)]


@REGIONS("sites Occupied")
def _occupied(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    by, container = ludeme.get("by"), ludeme.get("container")
    if by is None or (container is not None and container.name not in ("Board", "0")):
        raise Unsupported(ludeme)
    listed = ludeme.get("component") or ludeme.get("components")
    names = [item.name for item in (listed.items or (listed,))] if listed else []
    wanted = {piece.term for name in names for piece in c.equipment.named(name)}
    found: Bodies = []
    for body, pieces in pieces_of(c, by, context):
        chosen = [p for p in pieces if p.term in wanted] if listed else pieces
        piece = c.fresh("p")
        cell = c.cell(context, term, piece)
        found += [(*body, cell, *rest) for rest in c.piece_in(f"of_{by.name}", chosen, piece)]
    return found


@REGIONS("sites Pending", "sites ToClear")
def _marked(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return the sites that are pending, or that are cleared when the turn is over."""
    if ludeme.kind == "sites Pending":
        return [(c.site_guard(term), c.fluent("pending", term))]
    c.needed.add("to_clear")
    now: Bodies = [(c.fluent("to_clear", term),)]
    return now if not context.stage else [*now, (Atom("marked", (term,)),)]


@REGIONS("sites")
def _listed(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return the sites of a list, some of which are known only in play."""
    first = ludeme.items[0]
    if first.shape != "list":
        raise Unsupported(ludeme)
    return region(c, first, context, term)


@REGIONS("sites Row", "sites Column", "sites Phase")
def _row_region(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return the sites of a row whose number is known only in play."""
    board, kind = c.equipment.board, ludeme.items[0].name
    table = {"Row": board.rows, "Column": board.columns, "Phase": board.phases}[kind]
    rows = [(c.equipment.sites[site], number) for site, number in enumerate(table)]
    return [
        (*value.body, *rest)
        for value in values(c, ludeme.unlabelled()[-1], context)
        for rest in c.holds(f"{kind}_of", rows, term, value.term)
    ]


@REGIONS("if")
def _either(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    test, *branches = ludeme.items
    holds = c.compact("holds", condition(c, test, context), context)
    found = joined(holds, region(c, branches[0], context, term)) if holds else []
    if len(branches) > 1:
        fails = c.negated("otherwise", holds, context)
        found += joined(fails, region(c, branches[1], context, term)) if fails else []
    return found


@REGIONS("union")
def _union(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    return [body for part in _parts(ludeme) for body in region(c, part, context, term)]


@REGIONS("intersection")
def _intersection(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    return joined(*(region(c, part, context, term) for part in _parts(ludeme)))


@REGIONS("difference")
def _difference(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    first, second = ludeme.items[:2]
    inner = context.at(member=term)
    without = c.negated("excluded", region(c, second, inner, term), inner)
    return joined(region(c, first, context, term), without)


@REGIONS("forEach")
def _filtered(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    test = ludeme.get("if")
    if test is None or ludeme.kind != "forEach":
        raise Unsupported(ludeme)
    inside = region(c, ludeme.items[0], context, term)
    return joined(inside, condition(c, test, context.at(site=term)))


@REGIONS("sites Around")
def _around(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    rest = ludeme.unlabelled()[1:]
    kinds = {"Own", "Enemy", "Empty", "NotEmpty", "All"}
    kind = next((i.name for i in rest[1:] if i.shape == "word" and i.name in kinds), None)
    words = [i for i in rest[1:] if not (i.shape == "word" and i.name in kinds and i.name != "All")]
    if kind == "All" and len(words) > 1:
        raise Unsupported(ludeme)
    names = c.names(words, context) or ["Adjacent"]
    start = c.fresh("s")
    near = c.pairs("_".join(names), names, start, term)
    if (far := ludeme.get("distance")) is not None:
        near = around_at(c, names, c.statics.integer(far), start, term)
    found = joined(region(c, rest[0], context, start), near)
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


@REGIONS("expand")
def _expand(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    steps, rest = ludeme.get("steps"), list(ludeme.unlabelled())
    origin = ludeme.get("origin") or rest.pop(0)
    names = c.names(rest, context) or ["Adjacent"]
    start = c.fresh("s")
    pairs = c.directions.pairs(names)
    sites = c.equipment.sites
    reached = {(a, a) for a in range(len(c.equipment.board))}
    for _ in range(min(c.statics.integer(steps) if steps is not None else 1, len(sites))):
        beside: dict[int, set[int]] = {}
        for a, b in reached:
            beside.setdefault(b, set()).add(a)
        reached |= {(a, d) for b, d in pairs for a in beside.get(b, ())}
    rows = [(sites[a], sites[b]) for a, b in sorted(reached)]
    near = c.holds("within_" + "_".join(names), rows, start, term)
    return joined(region(c, origin, context, start), near)


@REGIONS("sites LineOfSight")
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


@REGIONS("sites Direction")
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


@REGIONS("sites Start")
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


@REGIONS("handSite")
def _no_site(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    return []  # hands are no sites of the board
