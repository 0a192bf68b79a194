"""Translate layout conditions into literals: lines, connections, patterns, whole boards."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

from kibitz.gdl import Atom, Not, Term, Variable
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.conditions import known_number, named_pieces
from kibitz.ludii.translation.core import Bodies, Compiler, Context, constant, joined
from kibitz.ludii.translation.equipment import Piece
from kibitz.ludii.translation.expressions import CONDITIONS, condition, pieces_of, players, site
from kibitz.ludii.translation.problems import Unsupported


@CONDITIONS("is Line")
def _is_line(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    rest = [item for item in ludeme.unlabelled()[1:] if item.shape != "text"]
    length = known_number(c, rest[0], context)
    if length is None or not 1 < length <= 12:
        raise Unsupported(ludeme)
    roles = {"Mover", "Next", "P1", "P2", "P3", "P4", "Prev"}
    owner = next((i for i in rest[1:] if i.shape == "word" and i.name in roles), None)
    words = [i for i in rest[1:] if i.shape == "word" and i.name not in roles]
    others = [i for i in rest[1:] if i.shape != "word"]
    known = {"exact", "through", "contiguous", "if", "what", "whats"}
    if others or any(i.label and i.label not in known for i in ludeme.items):
        raise Unsupported(ludeme)
    names = c.names(words, context) or ["Adjacent"]
    through = ludeme.get("through")
    pivots = site(c, through or _LAST_TO, context)
    contiguous = (item := ludeme.get("contiguous")) is None or item.name == "True"
    exact = (item := ludeme.get("exact")) is not None and item.name == "True"
    test = ludeme.get("if")
    what = ludeme.get("what")
    kinds = named_pieces(c, what, context) if what else None
    if whats := ludeme.get("whats"):
        numbers = [known_number(c, item, context) for item in whats.items]
        kinds = []
        for item, number in zip(whats.items, numbers, strict=True):
            if number is None:
                kinds += named_pieces(c, item, context)
            elif 1 <= number <= len(c.equipment.kinds):
                kinds += c.equipment.named(c.equipment.kinds[number - 1].full_name)
            else:
                raise Unsupported(whats)
    found: Bodies = []
    for body, pivot in pivots:
        inner = context.at(pivot=pivot) if isinstance(pivot, Variable) else context
        for extra, pieces in pieces_of(c, owner, context) if owner else [((), kinds)]:
            lines = _lines(c, inner, pivot, names, length, exact, contiguous, test, pieces)
            if lines:
                hint = f"line_{length}"
                found.append((*body, *extra, c.relation(hint, lines, inner)))
    return found


_LAST_TO = Ludeme("call", "last", (Ludeme("word", "To"),))


def _lines(
    c: Compiler,
    context: Context,
    pivot: Term,
    names: list[str],
    length: int,
    exact: bool,
    contiguous: bool,
    test: Ludeme | None,
    pieces: list[Piece] | None,
) -> Bodies:
    """Return what says that a site is in a row of pieces of its kind, or of some pieces."""
    sites = c.equipment.sites
    windows = c.directions.windows(names, length)
    if not contiguous:
        windows = c.directions.spread(names, length)
    tag = "_".join(names)
    if exact:
        tag = f"exact_{tag}"
    piece = c.fresh("p")
    others = [c.fresh("s") for _ in range(length - 1)]
    kind: list[Term] = [piece] * length
    extra: Bodies = [()]
    if pieces is None and len(c.equipment.pieces) > len(c.equipment.kinds):
        fresh = [piece, *(c.fresh("p") for _ in range(length - 1))]
        kind = list(fresh)
        every = c.equipment.pieces
        rows_alike = [(a.term, b.term) for a in every for b in every if a.full_name == b.full_name]
        extra = joined(*(c.holds("same_kind", rows_alike, piece, one) for one in fresh[1:]))
    if pieces is not None:
        fresh = [c.fresh("p") for _ in range(length)]
        kind = list(fresh)
        extra = joined(*(c.piece_in("in_line", pieces, one) for one in fresh))
        if len(pieces) == 1:
            kind, extra = [c.named(pieces[0])] * length, [()]
    window = c.fresh("w")
    longer: Bodies = [()]
    if exact:
        longer = _longer(c, context, windows, window, piece, pieces, tag)
    tag = f"{length}_{tag}"
    if test is None and length >= _LONG and len(set(kind)) == 1:
        return joined(_long_lines(c, context, windows, window, pivot, kind[0], tag), longer)
    rows = []
    for number, (row, _) in enumerate(sorted(windows)):
        for index, here in enumerate(row):
            rest = [sites[i] for i in (*row[:index], *row[index + 1 :])]
            rows.append((*([f"row{number}"] if exact else []), sites[here], *rest))
    cells = tuple(
        c.cell(context, place, one) for place, one in zip([pivot, *others], kind, strict=True)
    )
    if test is not None:
        for place in [pivot, *others]:
            inner = context.at(to=place, line=place)
            extra = joined(extra, condition(c, test, inner))
    named = (window,) if exact else ()
    table = c.holds(f"row_{tag}", rows, *named, pivot, *others)
    return joined([(cells[0],)], table, [cells[1:]], extra, longer)


_LONG = 4
"""How many sites a row has of which rules speak one after the other."""


def _long_lines(
    c: Compiler,
    context: Context,
    windows: Iterable[tuple[tuple[int, ...], tuple[int, ...]]],
    window: Variable,
    pivot: Term,
    kind: Term,
    tag: str,
) -> Bodies:
    """Go along each row site by site, so that what is grounded grows with the number of rows."""
    sites = c.equipment.sites
    rows = [(f"row{number}", row) for number, (row, _) in enumerate(sorted(windows))]
    table = c.fact_relation(
        f"row_{tag}", [(name, k, sites[i]) for name, row in rows for k, i in enumerate(row, 1)]
    )
    known = [window, *([kind] if isinstance(kind, Variable) else [])]
    alone = replace(context, sites={})
    filled: Bodies = [()]
    for k in range(1, max((len(row) for _, row in rows), default=0) + 1):
        place = c.fresh("s")
        here = (Atom(table, (window, constant(k), place)), c.cell(context, place, kind))
        filled = [(c.relation(f"first_{k}_of_{tag}", joined(filled, [here]), alone, *known),)]
    inside = [(name, sites[i]) for name, row in rows for i in row]
    return joined(c.holds(f"in_row_{tag}", inside, window, pivot), filled)


def _longer(
    c: Compiler,
    context: Context,
    windows: Iterable[tuple[tuple[int, ...], tuple[int, ...]]],
    window: Variable,
    piece: Variable,
    pieces: list[Piece] | None,
    tag: str,
) -> Bodies:
    """Return what says that a row does not go on beyond its ends."""
    ends = [
        (f"row{number}", c.equipment.sites[i])
        for number, (_, beyond) in enumerate(sorted(windows))
        for i in beyond
    ]
    if not ends:
        return [()]
    end = c.fresh("s")
    last = c.fresh("p") if pieces is not None else piece
    more = joined(c.holds(f"beyond_{tag}", ends, window, end), [(c.cell(context, end, last),)])
    if pieces is not None:
        more = joined(more, c.piece_in("in_line", pieces, last))
    known = (window,) if pieces is not None else (window, piece)
    alone = replace(context, sites={})
    return [(Not(c.relation(f"longer_{tag}", more, alone, *known)),)]


@CONDITIONS("is Connected")
def _is_connected(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    rest = ludeme.unlabelled()[1:]
    c.real(context, ludeme)
    if ludeme.get("at") or any(item.shape == "call" for item in rest):
        raise Unsupported(ludeme)
    board = c.equipment.board
    needed = next((int(i.name) for i in rest if i.name.isdigit()), None)
    kinds = ("Sides", "SidesNoCorners", "Corners")
    kind = next((i.name for i in rest if i.name in kinds), None)
    role = next(
        (
            i
            for i in rest
            if i.shape == "word"
            and not i.name.isdigit()
            and i.name != kind
            and i.name not in board.relations
        ),
        None,
    )
    ways = [i.name for i in rest if i.name in board.relations] or ["Adjacent"]
    sides = [frozenset(sites) for sites in board.sides.values()]
    whole: list[frozenset[int]] | None = None
    if kind is not None:
        outside = frozenset(board.regions["Corners"]) if kind == "SidesNoCorners" else frozenset()
        whole = [side - outside for side in sides]
        if kind == "Corners":
            whole = [frozenset([site]) for site in board.regions["Corners"]]
    listed = next((i for i in rest if i.shape == "list"), None)
    found: Bodies = []
    everyone = range(1, c.equipment.players + 1)  # whose piece was moved last is not said
    owners = players(c, role, context) if role else [((), player) for player in everyone]
    for body, owner in owners:
        if whole is not None:
            parts = whole
        elif listed is not None:
            parts = [c.statics.for_player(owner).region(item) for item in listed.items]
        else:
            parts = c.statics.owned_parts(owner)
        if not parts or (needed is not None and needed > len(parts)):
            raise Unsupported(ludeme)
        reached = [_linked(c, context, owner, part, ways) for part in parts]
        for last, pivot in site(c, _LAST_TO, context):
            for some in itertools.combinations(reached, needed or len(reached)):
                found.append((*body, *last, *(Atom(name, (pivot,)) for name in some)))
    return found


@CONDITIONS("is Blocked")
def _is_blocked(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """A player is blocked whose regions cannot be joined any more, over empty and own sites."""
    c.real(context, ludeme)
    if len(ludeme.items) != 2:
        raise Unsupported(ludeme)
    found: Bodies = []
    for body, owner in players(c, ludeme.items[1], context):
        parts = c.statics.owned_parts(owner)
        if len(parts) != 2:
            raise Unsupported(ludeme)
        key = ("open", owner, context.stage)
        name = c.name(f"open_to_p{owner}", key)
        if key not in c.emitted:
            c.emitted.add(key)
            s, t, p = (c.fresh(hint) for hint in ("s", "t", "p"))
            pieces = c.equipment.owned(owner)
            mine = joined([(c.cell(context, s, p),)], c.piece_in(f"of_p{owner}", pieces, p))
            passable = [*mine, *c.empty(context.at(site=s), s)]
            c.rule(Atom(name, (s,)), joined(c.in_region("first_side", parts[0], s), passable))
            near = c.pairs("Adjacent", ["Adjacent"], s, t)
            c.rule(Atom(name, (s,)), joined([(Atom(name, (t,)),)], near, passable))
        end = c.fresh("s")
        reaches = joined([(Atom(name, (end,)),)], c.in_region("second_side", parts[1], end))
        found += joined([body], c.negated("can_be_joined", reaches, context))
    return found


def _linked(
    c: Compiler, context: Context, owner: int, part: frozenset[int], ways: list[str]
) -> str:
    """Return the relation of sites whose pieces are connected with a region."""
    pieces = c.equipment.owned(owner)
    key = ("linked", owner, part, context.stage, *ways)
    is_new = key not in c._names
    name = c.name(f"linked_p{owner}", key)
    if is_new:
        s, t, p = (c.fresh(hint) for hint in ("s", "t", "p"))
        mine = joined([(c.cell(context, s, p),)], c.piece_in(f"of_p{owner}", pieces, p))
        c.rule(Atom(name, (s,)), joined(c.in_region("goal_side", part, s), mine))
        near = c.pairs("_".join(ways), ways, s, t)
        c.rule(Atom(name, (s,)), joined([(Atom(name, (t,)),)], near, mine))
    return name


@CONDITIONS("is Target")
def _is_target(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """Compare the whole board with a list of pieces by their numbers; 0 is an empty site."""
    lists = [item for item in ludeme.items if item.shape == "list"]
    sites = c.equipment.sites
    if len(lists) == 2:
        numbers = [known_number(c, item, context) for item in lists[1].items]
        sites = [sites[n] for n in numbers if n is not None and 0 <= n < len(sites)]
    listed = lists[0] if lists else None
    if listed is None or len(listed.items) != len(sites):
        raise Unsupported(ludeme)
    found: Bodies = [()]
    for place, item in zip(sites, listed.items, strict=True):
        number = known_number(c, item, context)
        if number is None or number > len(c.equipment.kinds):
            raise Unsupported(item)
        term = constant(place)
        if number == 0:
            found = joined(found, c.empty(context, term))
        else:
            piece = c.named(c.equipment.kinds[number - 1])
            found = joined(found, [(c.cell(context, term, piece),)])
    return found


@CONDITIONS("is Pattern")
def _is_pattern(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """Look for pieces of the kind just moved along a walk, in any direction."""
    walk = ludeme.items[1]
    known = ("", "whats")
    if walk.shape != "list" or any(i.items for i in walk.items):
        raise Unsupported(ludeme)
    if len(ludeme.unlabelled()) != 2 or any(i.label not in known for i in ludeme.items):
        raise Unsupported(ludeme)
    kinds: list[Term] = []
    if whats := ludeme.get("whats"):
        for item in whats.items:
            owners = players(c, item, context)
            if len(owners) != 1 or not c.equipment.owned(owners[0][1]):
                raise Unsupported(whats)
            kinds.append(c.named(c.equipment.owned(owners[0][1])[0]))
    sites = c.equipment.sites
    rows = [[sites[i] for i in row] for row in c.directions.trails([i.name for i in walk.items])]
    if not rows:
        return []
    piece = c.fresh("p")
    others = [c.fresh("s") for _ in rows[0][1:]]
    found: Bodies = []
    for body, pivot in site(c, _LAST_TO, context):
        cells = tuple(
            c.cell(context, place, kinds[n % len(kinds)] if kinds else piece)
            for n, place in enumerate((pivot, *others))
        )
        table = c.holds("pattern", rows, pivot, *others)
        found += joined([(*body, cells[0])], table, [cells[1:]])
    return found


@CONDITIONS("is Visited")
def _is_visited(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """Ask whether a piece was on a site during this turn."""
    c.needed.add("visited")
    later = context.stage > 0
    found: Bodies = []
    for body, place in site(c, ludeme.items[1], context):
        found.append((*body, c.fluent("visited_this_turn", place)))
        if later:
            found += [(*body, Atom(f"moved_{end}", (place,))) for end in ("from", "to")]
    return found
