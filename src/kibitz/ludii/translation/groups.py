"""Express groups of pieces by literals and rules: sizes, liberties, territory, enclosing, loops."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.gdl import Atom, Formula, Not, Term, Variable, variables_of
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation import counting
from kibitz.ludii.translation.core import Bodies, Compiler, Context, constant, joined
from kibitz.ludii.translation.effects import EFFECTS, effect
from kibitz.ludii.translation.expressions import (
    CONDITIONS,
    REGIONS,
    condition,
    pieces_of,
    players,
    region,
    site,
)
from kibitz.ludii.translation.problems import Unsupported
from kibitz.ludii.translation.values import VALUES, Value, computed

_LAST_TO = Ludeme("call", "last", (Ludeme("word", "To"),))
_TYPES = ("Cell", "Vertex", "Edge")

Member = Callable[[Variable], Bodies]
"""What says that a site belongs to some group."""


def _names(c: Compiler, ludeme: Ludeme, context: Context, roles: bool = False) -> list[str]:
    """Return the directions in which neighbours are of one group."""
    words = [
        item
        for item in ludeme.unlabelled()[1 if ludeme.items and ludeme.kind != ludeme.name else 0 :]
        if (item.shape == "word" and item.name not in _TYPES) or item.name == "directions"
    ]
    if roles:
        words = [item for item in words if not _is_role(item)]
    return c.names(words, context) or ["Adjacent"]


def _is_role(ludeme: Ludeme) -> bool:
    names = {"Mover", "Next", "Prev", "All", "Each", "Neutral", "Enemy", "NonMover", "Shared"}
    return ludeme.name in names or (ludeme.name[:1] == "P" and ludeme.name[1:].isdigit())


def _prefix(context: Context) -> tuple[Term, ...]:
    return context.imagined[1] if context.imagined else ()


def _independent(bodies: Bodies, context: Context, ludeme: Ludeme, *own: Variable) -> None:
    """Refuse a condition on members that depends on the sites of a move."""
    prefix = _prefix(context)
    known = {v.name for v in context.variables() if v not in prefix and v not in own}
    if any(v.name in known for body in bodies for f in body for v in variables_of(f)):
        raise Unsupported(ludeme, "a group that depends on a move")


def _grouped(c: Compiler, context: Context, names: list[str], linked: Bodies, hint: str) -> str:
    """Return the relation of two sites of one group.

    `linked` says of sites named `?ga` and `?gb` that they are alike; neighbours are looked up here.
    """
    a, b, start = Variable("ga"), Variable("gb"), c.fresh("s")
    key = ("grouped", str(linked), tuple(names), context.stage, str(context.imagined))
    name = c.name(hint, key)
    if key not in c.emitted:
        c.emitted.add(key)
        prefix = _prefix(context)
        alike = c.relation(
            "alike", linked, Context(context.mover, 0, {}), *_variables(prefix, a, b)
        )
        same = Atom(alike.relation, tuple(a if arg == b else arg for arg in alike.args))
        c.rule(Atom(name, (*prefix, a, a)), [(same,)])
        step = (Atom(name, (*prefix, start, a)),)
        near = c.pairs("_".join(names), names, a, b)
        c.rule(Atom(name, (*prefix, start, b)), joined([step], near, [(alike,)]))
    return name


def _variables(prefix: tuple[Term, ...], *more: Variable) -> list[Variable]:
    return [*(one for one in prefix if isinstance(one, Variable)), *more]


def _of_kind(c: Compiler, context: Context) -> Bodies:
    """Return what says that the same piece stands on `?ga` and `?gb`."""
    piece, twin = c.fresh("p"), c.fresh("p")
    cells = (c.cell(context, Variable("ga"), piece), c.cell(context, Variable("gb"), twin))
    every = c.equipment.pieces
    rows = [(a.term, b.term) for a in every for b in every if a.full_name == b.full_name]
    return joined([cells], c.holds("same_kind", rows, piece, twin))


def _of_test(c: Compiler, test: Ludeme, context: Context) -> Bodies:
    """Return what says that a condition holds of `?ga` and `?gb`."""
    found = []
    for name in ("ga", "gb"):
        place = Variable(name)
        inner = context.at(to=place)
        bodies = condition(c, test, inner)
        _independent(bodies, context, test, place)
        found.append([(c.site_guard(place), *body) for body in bodies])
    return joined(*found)


@REGIONS("sites Group", "size Group")
def _group(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return the sites of the group of a site."""
    at, test = ludeme.get("at") or ludeme.get("from"), ludeme.get("if")
    if at is None or any(item.label not in ("", "at", "from", "if") for item in ludeme.items):
        raise Unsupported(ludeme)
    linked = _of_test(c, test, context) if test else _of_kind(c, context)
    name = _grouped(c, context, _names(c, ludeme, context), linked, "in_group")
    start = c.fresh("s")
    return [
        (*body, Atom(name, (*_prefix(context), start, term)))
        for body in region(c, at, context, start)
    ]


@REGIONS("count Liberties")
def _liberties(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return the empty sites beside the group of a site."""
    at = ludeme.get("at") or _LAST_TO
    if any(item.label not in ("", "at", "if") for item in ludeme.items):
        raise Unsupported(ludeme)
    names = _names(c, ludeme, context)
    linked = _of_test(c, test, context) if (test := ludeme.get("if")) else _of_kind(c, context)
    name = _grouped(c, context, names, linked, "in_group")
    start, near = c.fresh("s"), c.fresh("t")
    inside: Bodies = [
        (*body, Atom(name, (*_prefix(context), start, near)))
        for body in region(c, at, context, start)
    ]
    beside = c.pairs("_".join(names), names, near, term)
    inner = context.at(liberty=term)
    return joined(inside, beside, c.empty(inner, term))


@REGIONS("size Territory")
def _territory(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return the empty sites from which empty sites lead to pieces of one player alone."""
    c.real(context, ludeme)
    names = _names(c, ludeme, context, roles=True)
    role = next(item for item in ludeme.unlabelled()[1:] if _is_role(item))
    found: Bodies = []
    for body, owner in players(c, role, context):
        reached = [
            Atom(_reached(c, context, names, player), (term,))
            for player in range(1, c.equipment.players + 1)
        ]
        own = reached.pop(owner - 1)
        found.append((*body, own, *(Not(other) for other in reached)))
    return found


def _reached(c: Compiler, context: Context, names: list[str], player: int) -> str:
    """Return the relation of empty sites from which pieces of a player are reached."""
    key = ("reached", player, tuple(names), context.stage)
    name = c.name(f"open_to_p{player}", key)
    if key not in c.emitted:
        c.emitted.add(key)
        s, t, p = c.fresh("s"), c.fresh("t"), c.fresh("p")
        near = c.pairs("_".join(names), names, s, t)
        free = c.empty(context.at(site=s), s)
        mine = joined(
            [(c.cell(context, t, p),)],
            c.piece_in(f"of_p{player}", c.equipment.owned(player), p),
        )
        c.rule(Atom(name, (s,)), joined(near, mine, free))
        c.rule(Atom(name, (s,)), joined([(Atom(name, (t,)),)], near, free))
    return name


@VALUES("size Group", "size Territory", "count Liberties")
def _size(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    top = len(c.equipment.sites)
    return [Value(body, term, 0, top) for body, term in counting.value_of(c, ludeme, context)]


@REGIONS("count Groups")
def _groups(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return the first site of each group of sites that fulfil a condition."""
    test, least = ludeme.get("if"), ludeme.get("min")
    if test is None or any(item.label not in ("", "if", "min") for item in ludeme.items):
        raise Unsupported(ludeme)
    name = _grouped(c, context, _names(c, ludeme, context), _of_test(c, test, context), "in_group")
    size = c.statics.integer(least) if least is not None else 1
    return _first_of_groups(c, context, name, size, term)


def _first_of_groups(c: Compiler, context: Context, name: str, least: int, term: Term) -> Bodies:
    prefix = _prefix(context)
    sites = c.equipment.sites
    s, t = c.fresh("s"), c.fresh("t")
    rows = [(a, b) for n, a in enumerate(sites) for b in sites[n + 1 :]]
    before = c.fact_relation("comes_before", rows)
    later = Atom(c.name(f"not_first_{name}", ("not first", name)), (*prefix, s))
    if ("not first", name) not in c.emitted:
        c.emitted.add(("not first", name))
        c.rule(later, [(Atom(name, (*prefix, s, t)), Atom(before, (t, s)))])
    first: tuple[Formula, ...] = (
        Atom(name, (*prefix, term, term)),
        Not(Atom(later.relation, (*prefix, term))),
    )
    if least <= 1:
        return [first]
    member = c.fresh("t")
    of_group: Bodies = [(Atom(name, (*prefix, term, member)),)]
    inner = context.at(group=term)
    total, known = counting.total(c, of_group, inner, member, least)
    return [(*first, Atom(total, (*known, constant(least))))]


@VALUES("count Groups")
def _count_groups(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    top = len(c.equipment.sites)
    return [Value(body, term, 0, top) for body, term in counting.value_of(c, ludeme, context)]


@VALUES("max")
def _largest(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    """Return the greatest of some numbers, or the size of the largest group."""
    items = ludeme.unlabelled()
    if len(items) != 1 or items[0].kind != "sizes Group":
        return computed(c, ludeme, context)
    sizes = items[0]
    c.real(context, ludeme)
    test = sizes.get("if")
    role = next((item for item in sizes.unlabelled()[1:] if _is_role(item)), None)
    if any(item.label not in ("", "if") for item in sizes.items):
        raise Unsupported(sizes)
    names = _names(c, sizes, context, roles=True)
    found: list[Value] = []
    for body, pieces in (
        pieces_of(c, role, context) if role is not None else [((), list(c.equipment.pieces))]
    ):
        if test is not None:
            linked = _of_test(c, test, context)
        else:
            linked = joined(
                *(
                    [(c.cell(context, Variable(place), piece), *one)]
                    for place in ("ga", "gb")
                    for piece in [c.fresh("p")]
                    for one in c.piece_in("of_role", pieces, piece)
                )
            )
        name = _grouped(c, context, names, linked, "in_group")
        found += [Value((*body, *more), n, 0, len(c.equipment.sites)) for more, n in _most(c, name)]
        none = Not(Atom(c.name(f"some_{name}", ("some", name)), ()))
        found.append(Value((*body, none), constant(0), 0, 0))
    return found


def _most(c: Compiler, name: str) -> list[tuple[tuple[Formula, ...], Term]]:
    """Return what binds the size of the largest group of a relation."""
    n, m, s, t = (c.fresh(hint) for hint in ("n", "m", "s", "t"))
    size = c.name(f"size_{name}", ("size", name))
    if ("size", name) not in c.emitted:
        c.emitted.add(("size", name))
        inner = Context(1, sites={"group": s})
        total, known = counting.total(c, [(Atom(name, (s, t)),)], inner, t, None)
        c.rule(Atom(size, (n,)), [(Atom(name, (s, s)), Atom(total, (*known, n)))])
        top = len(c.equipment.sites)
        less = c.fact_relation("less", [(x, y) for y in range(top + 1) for x in range(y)])
        smaller = Atom(f"{size}_exceeded", (n,))
        c.rule(smaller, [(Atom(size, (n,)), Atom(size, (m,)), Atom(less, (n, m)))])
        c.rule(Atom(c.name(f"some_{name}", ("some", name))), [(Atom(name, (s, s)),)])
    number = c.fresh("n")
    exceeded = Not(Atom(f"{size}_exceeded", (number,)))
    return [((Atom(size, (number,)), exceeded), number)]


@EFFECTS("enclose")
def _enclose(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Apply an effect to groups beside a site that have no empty site beside them."""
    given = next(iter(ludeme.calls("from")), None)
    between = next(iter(ludeme.calls("between")), None)
    apply = next(iter(between.calls("apply")), None) if between else None
    test = between.get("if") if between else None
    if apply is None or test is None or any(item.label for item in ludeme.items):
        raise Unsupported(ludeme)
    words = [i for i in ludeme.unlabelled() if i.shape == "word" and i.name not in _TYPES]
    names = c.names(words, context) or ["Adjacent"]
    prefix = _prefix(context)
    s, t = c.fresh("s"), c.fresh("t")
    hit = condition(c, test, context.at(between=s))
    _independent(hit, context, test, s)
    near = c.pairs("_".join(names), names, s, t)
    key = ("liberty", str(test), context.mover, tuple(names), context.stage, str(context.imagined))
    alive = Atom(c.name("has_liberty", key), (*prefix, s))
    if key not in c.emitted:
        c.emitted.add(key)
        c.rule(alive, joined(near, hit, c.empty(context.at(site=t), t)))
        mate = Atom(alive.relation, (*prefix, t))
        c.rule(alive, joined(near, hit, [(mate,)]))
    start = c.fresh("s")
    where = given.items[0] if given is not None and given.items else _LAST_TO
    beside = Atom(c.name("beside_move", (*key, "beside", str(where))), (*prefix, s))
    if (*key, "beside", str(where)) not in c.emitted:
        c.emitted.add((*key, "beside", str(where)))
        for body, origin in site(
            c,
            where,
            Context(
                context.mover,
                context.stage,
                {name: term for name, term in context.sites.items() if term in prefix},
                imagined=context.imagined,
            ),
        ):
            first = c.pairs("_".join(names), names, origin, s)
            c.rule(beside, joined([body], first, hit))
        further = Atom(beside.relation, (*prefix, start))
        c.rule(beside, joined([(further,)], c.pairs("_".join(names), names, start, s), hit))
    caught: Bodies = [(beside, Not(alive))]
    effect(c, apply.items[0], context.at(between=s, to=s), joined(when, caught))


@CONDITIONS("is Loop")
def _is_loop(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """Find a closed chain of the mover's pieces around at least one site, on hexagons.

    Either a site that is not the mover's is cut off from the edge, or a site and all six around
    it are the mover's.
    """
    c.real(context, ludeme)
    board = c.equipment.board
    pairs = c.directions.pairs(["Adjacent"])
    count = [sum(1 for a, _ in pairs if a == one) for one in range(len(board))]
    if len(ludeme.items) > 1 or max(count) != 6:
        raise Unsupported(ludeme)
    edge = [one for one in range(len(board)) if count[one] < 6]
    pieces = c.equipment.owned(context.mover)
    s, t, p = c.fresh("s"), c.fresh("t"), c.fresh("p")
    mine = c.relation(
        f"of_p{context.mover}",
        joined([(c.cell(context, s, p),)], c.piece_in(f"of_p{context.mover}", pieces, p)),
        context,
        s,
    )
    key = ("outside", context.mover, context.stage)
    outside = Atom(c.name(f"outside_p{context.mover}", key), (s,))
    if key not in c.emitted:
        c.emitted.add(key)
        c.rule(outside, joined(c.in_region("edge", edge, s), [(Not(mine),)]))
        near = c.pairs("Adjacent", ["Adjacent"], t, s)
        c.rule(outside, joined([(Atom(outside.relation, (t,)),)], near, [(Not(mine),)]))
    inside: Bodies = [(c.site_guard(s), Not(mine), Not(outside))]
    gap = c.relation(
        "gap",
        joined(
            c.pairs("Adjacent", ["Adjacent"], s, t),
            [(Not(Atom(mine.relation, (t,))),)],
        ),
        context,
        s,
    )
    middle = c.in_region("inner", [one for one in range(len(board)) if count[one] == 6], s)
    full = joined(middle, [(mine, Not(gap))])
    return [(c.relation(f"loop_of_p{context.mover}", [*inside, *full], Context(context.mover)),)]
