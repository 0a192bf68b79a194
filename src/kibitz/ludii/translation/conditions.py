"""Conditions in, literals out: what is where, lines, connections, comparisons, quantifiers."""

from __future__ import annotations

import itertools

from kibitz.gdl import Atom, Not, Term, Variable
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation import counting
from kibitz.ludii.translation.core import Bodies, Compiler, Context, constant, joined
from kibitz.ludii.translation.expressions import (
    CONDITIONS,
    condition,
    pieces_of,
    players,
    region,
    site,
)
from kibitz.ludii.translation.problems import Unsupported

__all__ = ["CONDITIONS"]


def _items(ludeme: Ludeme) -> tuple[Ludeme, ...]:
    items = ludeme.unlabelled()
    return items[0].items if len(items) == 1 and items[0].shape == "list" else items


@CONDITIONS("and")
def _and(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    parts = [c.compact("any_of", condition(c, i, context), context) for i in _items(ludeme)]
    return joined(*parts)


@CONDITIONS("or")
def _or(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    return [body for item in _items(ludeme) for body in condition(c, item, context)]


@CONDITIONS("not")
def _not(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    inner = ludeme.items[0]
    return c.negated(_hint(inner), condition(c, inner, context), context)


@CONDITIONS("xor")
def _xor(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    a, b = (condition(c, item, context) for item in _items(ludeme))
    return [
        *joined(a, c.negated("second", b, context)),
        *joined(b, c.negated("first", a, context)),
    ]


@CONDITIONS("if")
def _if(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    test, then, *rest = ludeme.items
    holds = condition(c, test, context)
    found = joined(holds, condition(c, then, context))
    if rest:
        found += joined(c.negated("otherwise", holds, context), condition(c, rest[0], context))
    return found


def _hint(ludeme: Ludeme) -> str:
    return ludeme.kind.replace(" ", "_")


@CONDITIONS("is Empty")
def _is_empty(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    place = ludeme.unlabelled()[-1]
    if place.name == "handSite" and place.items:
        return [
            (*body, *none)
            for body, player in players(c, place.items[0], context)
            for none in c.negated(
                "holds_pieces",
                [(c.hand(context, player, c.fresh("p"), c.fresh("n")),)],
                context,
            )
        ]
    return [
        (*body, *empty)
        for body, term in site(c, ludeme.unlabelled()[-1], context)
        for empty in c.empty(context, term)
    ]


@CONDITIONS("is Occupied")
def _is_occupied(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    places = site(c, ludeme.unlabelled()[-1], context)
    return [(*body, c.occupied(context, term)) for body, term in places]


@CONDITIONS("is Enemy", "is Friend")
def _is_enemy(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    who = ludeme.items[1]
    wants_enemy = ludeme.kind == "is Enemy"
    if who.name == "who" and (at := who.get("at")):
        pieces = [
            p for p in c.equipment.pieces if p.owner and (p.owner != context.mover) == wants_enemy
        ]
        return _stands(c, at, context, pieces, f"{ludeme.items[0].name}_of_p{context.mover}")
    return [
        body
        for body, player in players(c, who, context)
        if player and (player != context.mover) == wants_enemy
    ]


def _stands(c: Compiler, at: Ludeme, context: Context, pieces: list, hint: str) -> Bodies:  # type: ignore[type-arg]
    """Return what says that one of some pieces stands on a site."""
    found: Bodies = []
    for body, term in site(c, at, context):
        if len(pieces) == 1:
            found.append((*body, c.cell(context, term, c.named(pieces[0]))))
            continue
        piece = c.fresh("p")
        here: Bodies = [(*body, c.cell(context, term, piece))]
        found += joined(here, c.piece_in(hint, pieces, piece))
    return found


@CONDITIONS("is Mover", "is Next", "is Prev")
def _is_player(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    which, who = ludeme.items[0], ludeme.items[1]
    first = [((), context.mover)] if which.name == "Mover" else players(c, which, context)
    return [
        (*a, *b)
        for a, one in first
        for b, other in players(c, who, context)
        if one == other and not _contradict((*a, *b))
    ]


def _contradict(body: tuple[object, ...]) -> bool:
    return any(isinstance(f, Not) and f.formula in body for f in body)


@CONDITIONS("is In")
def _is_in(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    place, where = ludeme.items[1], ludeme.items[2]
    if place.shape == "list":
        raise Unsupported(ludeme)
    found: Bodies = []
    for body, term in site(c, place, context):
        inner = context.at(member=term) if isinstance(term, Variable) else context
        inside = region(c, where, inner, term)
        found += [(*body, *one) for one in inside]
    return found


@CONDITIONS("is Related")
def _is_related(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    _, relation, first, second = ludeme.unlabelled()[:4]
    other = c.fresh("s")
    names = c.names([relation], context)
    return [
        (*body, *rest)
        for body, term in site(c, first, context)
        for rest in joined(
            region(c, second, context, other), c.pairs(relation.name, names, term, other)
        )
    ]


@CONDITIONS("is Within")
def _is_within(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    where, piece = ludeme.get("in"), ludeme.items[1]
    if where is None:
        raise Unsupported(ludeme)
    place = c.fresh("s")
    return [
        (*rest, c.cell(context, place, c.named(one)))
        for one in _named(c, piece, context)
        for rest in region(c, where, context, place)
    ]


def _named(c: Compiler, ludeme: Ludeme, context: Context) -> list:  # type: ignore[type-arg]
    """Return the pieces that `(id "Name" Role)` or a text means."""
    if ludeme.shape == "text":
        return c.equipment.named(ludeme.name)
    if ludeme.name != "id" or not ludeme.items:
        raise Unsupported(ludeme)
    if ludeme.items[0].shape != "text":
        raise Unsupported(ludeme)
    if len(ludeme.items) == 1:
        return c.equipment.named(ludeme.items[0].name)
    owners = players(c, ludeme.items[1], context)
    if len(owners) != 1 or owners[0][0]:
        raise Unsupported(ludeme)
    return c.equipment.named(ludeme.items[0].name, owners[0][1])


@CONDITIONS("is Full")
def _is_full(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    place = c.fresh("s")
    some: Bodies = [(c.site_guard(place), *body) for body in c.empty(context, place)]
    return c.negated("some_empty", some, context)


@CONDITIONS("no Pieces")
def _no_pieces(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    who = ludeme.items[1] if len(ludeme.items) > 1 else None
    if who is None or ludeme.get("in") or ludeme.get("of"):
        raise Unsupported(ludeme)
    found: Bodies = []
    for body, pieces in pieces_of(c, who, context):
        place, piece = c.fresh("s"), c.fresh("p")
        hint = f"of_{who.name}"
        some = joined([(c.cell(context, place, piece),)], c.piece_in(hint, pieces, piece))
        for p in pieces:
            if p.owner in c.equipment.hands:
                some.append((c.hand(context, p.owner, c.named(p), c.fresh("n")),))
        found += joined([body], c.negated("has_pieces", some, context))
    return found


@CONDITIONS("all Sites")
def _all_sites(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    where, test = ludeme.items[1], ludeme.get("if")
    if test is None:
        raise Unsupported(ludeme)
    if where.kind == "sites Hand":
        owners = players(c, where.items[1], context) if len(where.items) > 1 else []
        found: Bodies = []
        for body, owner in owners:
            hand = context.at(site=constant(f"hand_p{owner}"))
            found += joined([body], condition(c, test, hand))
        return found
    place = c.fresh("s")
    inner = context.at(site=place)
    inside = region(c, where, context, place)
    fails = c.negated(_hint(test), condition(c, test, inner), inner)
    return c.negated("exception", joined(inside, fails), context)


@CONDITIONS("all Passed")
def _all_passed(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    return [(Atom("all_passed"),)]


@CONDITIONS("is Even", "is Odd")
def _is_even(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    if ludeme.items[1].kind != "count Moves":
        raise Unsupported(ludeme)
    c.needed.add("odd_moves")
    odd = c.fluent("odd_moves")
    later = context.ending or context.stage > 0
    return [(odd,)] if (ludeme.kind == "is Odd") != later else [(Not(odd),)]


@CONDITIONS("=", "!=", "<", "<=", ">", ">=")
def _compare(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    a, b = ludeme.items[:2]
    operator = ludeme.name
    if operator == "!=":
        equal = Ludeme("call", "=", ludeme.items, "", ludeme.place)
        return c.negated("equal", condition(c, equal, context), context)
    if _known(c, a, context) is not None:
        a, b = b, a
        operator = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(operator, operator)
    known = _known(c, b, context)
    if counting.is_count(a) and known is not None:
        return _compare_count(c, a, operator, known, context)
    if operator == "=":
        return _equal(c, ludeme, a, b, context)
    if counting.is_count(a) and counting.is_count(b):
        return _compare_counts(c, a, b, operator, context)
    raise Unsupported(a if known is not None else ludeme)


def _known(c: Compiler, ludeme: Ludeme, context: Context) -> int | None:
    return counting.number_of(c, ludeme, context)


def _compare_count(
    c: Compiler, count: Ludeme, operator: str, number: int, context: Context
) -> Bodies:
    def least(n: int) -> Bodies:
        return counting.at_least(c, count, context, n)

    def less(n: int) -> Bodies:
        return c.negated(f"at_least_{n}", least(n), context)

    match operator:
        case ">=":
            return least(number)
        case ">":
            return least(number + 1)
        case "<":
            return less(number)
        case "<=":
            return less(number + 1)
        case _:
            return joined(least(number), less(number + 1))


def _compare_counts(c: Compiler, a: Ludeme, b: Ludeme, operator: str, context: Context) -> Bodies:
    tests = {
        "<": lambda x, y: x < y,
        "<=": lambda x, y: x <= y,
        ">": lambda x, y: x > y,
        ">=": lambda x, y: x >= y,
    }
    top = len(c.equipment.sites) + c.most_in_hand + 1
    rows = [(x, y) for x in range(top) for y in range(top) if tests[operator](x, y)]
    names = {"<": "less", "<=": "at_most", ">": "more", ">=": "at_least"}
    found: Bodies = []
    for one, m in counting.value_of(c, a, context):
        for two, n in counting.value_of(c, b, context):
            found += [(*one, *two, *rest) for rest in c.holds(names[operator], rows, m, n)]
    return found


def _equal(c: Compiler, ludeme: Ludeme, a: Ludeme, b: Ludeme, context: Context) -> Bodies:
    for one, other in ((a, b), (b, a)):
        at = one.get("at") if one.shape == "call" else None
        if one.name == "what" and at is not None:
            if other.name == "id" or other.shape == "text":
                return _stands(c, at, context, _named(c, other, context), "kind")
            if other.name == "what" and (there := other.get("at")):
                piece = c.fresh("p")
                return [
                    (*x, *y, c.cell(context, s, piece), c.cell(context, t, piece))
                    for x, s in site(c, at, context)
                    for y, t in site(c, there, context)
                ]
            number = _known(c, other, context)
            if number is not None and 1 <= number <= len(c.equipment.pieces):
                return _stands(c, at, context, [c.equipment.pieces[number - 1]], "kind")
            if other.shape == "word" and other.name == "0":
                return [
                    (*x, *empty) for x, s in site(c, at, context) for empty in c.empty(context, s)
                ]
        if one.name == "who" and at is not None:
            return [
                (*body, *rest)
                for body, pieces in pieces_of(c, other, context)
                for rest in _stands(c, at, context, pieces, f"of_{other.name}")
            ]
    if _is_region(a) or _is_region(b):
        return _same_region(c, a, b, context)
    found: Bodies = []
    for x, s in site(c, a, context):
        for y, t in site(c, b, context):
            found += [(*x, *y, *rest) for rest in c.same(s, t)]
    return found


def _is_region(ludeme: Ludeme) -> bool:
    names = ("sites", "union", "intersection", "difference", "expand")
    return ludeme.shape == "call" and ludeme.name in names


def _same_region(c: Compiler, a: Ludeme, b: Ludeme, context: Context) -> Bodies:
    """Two regions are equal if no site is in one of them alone."""
    place = c.fresh("s")
    inner = context.at(member=place)
    found: Bodies = []
    for one, other in ((a, b), (b, a)):
        outside = c.negated("outside", region(c, other, inner, place), inner)
        found += joined(region(c, one, inner, place), outside)
    return c.negated("differs", found, context)


@CONDITIONS("is Line")
def _is_line(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    rest = [item for item in ludeme.unlabelled()[1:] if item.shape != "text"]
    length = _known(c, rest[0], context)
    if length is None or not 1 < length <= 12:
        raise Unsupported(ludeme)
    roles = {"Mover", "Next", "P1", "P2", "P3", "P4", "Prev"}
    owner = next((i for i in rest[1:] if i.shape == "word" and i.name in roles), None)
    words = [i for i in rest[1:] if i.shape == "word" and i.name not in roles]
    others = [i for i in rest[1:] if i.shape != "word"]
    known = {"exact", "through", "contiguous", "if", "what"}
    if others or any(i.label and i.label not in known for i in ludeme.items):
        raise Unsupported(ludeme)
    names = c.names(words, context) or ["Adjacent"]
    through = ludeme.get("through")
    pivots = site(c, through or _LAST_TO, context)
    contiguous = (item := ludeme.get("contiguous")) is None or item.name == "True"
    exact = (item := ludeme.get("exact")) is not None and item.name == "True"
    test = ludeme.get("if")
    what = ludeme.get("what")
    kinds = _named(c, what, context) if what else None
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
    pieces: list | None,  # type: ignore[type-arg]
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
    if pieces is not None:
        fresh = [c.fresh("p") for _ in range(length)]
        kind = list(fresh)
        extra = joined(*(c.piece_in("in_line", pieces, one) for one in fresh))
        if len(pieces) == 1:
            kind, extra = [c.named(pieces[0])] * length, [()]
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
    if not exact:
        table = c.holds(f"row_{length}_{tag}", rows, pivot, *others)
        return joined([(cells[0],)], table, [cells[1:]], extra)
    window = c.fresh("w")
    table = c.holds(f"row_{length}_{tag}", rows, window, pivot, *others)
    ends = [
        (f"row{number}", sites[i])
        for number, (_, beyond) in enumerate(sorted(windows))
        for i in beyond
    ]
    longer: Bodies = [()]
    if ends:
        end = c.fresh("s")
        beyond = Atom(c.fact_relation(f"beyond_{length}_{tag}", ends), (window, end))
        last = c.fresh("p") if pieces is not None else piece
        more = joined([(beyond, c.cell(context, end, last))])
        if pieces is not None:
            more = joined(more, c.piece_in("in_line", pieces, last))
        name = c.name(f"longer_{length}_{tag}", ("longer", str(more), context.stage))
        arguments = (window,) if pieces is not None else (window, piece)
        c.rule(Atom(name, arguments), more)
        longer = [(Not(Atom(name, arguments)),)]
    return joined([(cells[0],)], table, [cells[1:]], extra, longer)


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
    owners = players(c, role, context) if role else [((), context.mover)]
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
        numbers = [_known(c, item, context) for item in lists[1].items]
        sites = [sites[n] for n in numbers if n is not None and 0 <= n < len(sites)]
    listed = lists[0] if lists else None
    if listed is None or len(listed.items) != len(sites):
        raise Unsupported(ludeme)
    found: Bodies = [()]
    for place, item in zip(sites, listed.items, strict=True):
        number = _known(c, item, context)
        if number is None or number > len(c.equipment.pieces):
            raise Unsupported(item)
        term = constant(place)
        if number == 0:
            found = joined(found, c.empty(context, term))
        else:
            piece = c.named(c.equipment.pieces[number - 1])
            found = joined(found, [(c.cell(context, term, piece),)])
    return found


@CONDITIONS("is Pattern")
def _is_pattern(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """Look for pieces of the kind just moved along a walk, in any direction."""
    walk = ludeme.items[1]
    if walk.shape != "list" or len(ludeme.items) != 2 or any(i.items for i in walk.items):
        raise Unsupported(ludeme)
    sites = c.equipment.sites
    rows = [[sites[i] for i in row] for row in c.directions.trails([i.name for i in walk.items])]
    if not rows:
        return []
    piece = c.fresh("p")
    others = [c.fresh("s") for _ in rows[0][1:]]
    found: Bodies = []
    for body, pivot in site(c, _LAST_TO, context):
        cells = tuple(c.cell(context, place, piece) for place in (pivot, *others))
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
        found.append((*body, c.fluent("visited", place)))
        if later:
            found += [(*body, Atom(f"moved_{end}", (place,))) for end in ("from", "to")]
    return found
