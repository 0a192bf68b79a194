"""Translate conditions into literals: occupancy, regions, passes, comparisons, quantifiers."""

from __future__ import annotations

from kibitz.gdl import Atom, Distinct, Not, Term, Variable
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation import counting
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, constant, joined
from kibitz.ludii.translation.equipment import Piece
from kibitz.ludii.translation.expressions import (
    CONDITIONS,
    condition,
    pieces_of,
    players,
    region,
    site,
)
from kibitz.ludii.translation.problems import Unsupported
from kibitz.ludii.translation.values import compared, is_value, values


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


def _stands(c: Compiler, at: Ludeme, context: Context, pieces: list[Piece], hint: str) -> Bodies:
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
    if who.name == "who" and (at := who.get("at")):
        return [
            (*body, *rest)
            for body, pieces in pieces_of(c, which, context)
            for rest in _stands(c, at, context, pieces, f"of_{which.name}")
        ]
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
    if is_value(place):
        numbers = c.statics.for_player(context.mover).region(where)
        for value in values(c, place, context):
            rows = [(n,) for n in numbers]
            found += joined([value.body], c.holds("one_of_numbers", rows, value.term))
        return found
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
        for one in named_pieces(c, piece, context)
        for rest in region(c, where, context, place)
    ]


def named_pieces(c: Compiler, ludeme: Ludeme, context: Context) -> list[Piece]:
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


@CONDITIONS("is Pending")
def _is_pending(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    return [(c.relation("is_pending", [(c.fluent("pending", c.fresh("s")),)], context),)]


@CONDITIONS("is Full")
def _is_full(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    place = c.fresh("s")
    some: Bodies = [(c.site_guard(place), *body) for body in c.empty(context, place)]
    return c.negated("some_empty", some, context)


@CONDITIONS("no Pieces")
def _no_pieces(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    who = ludeme.items[1] if len(ludeme.items) > 1 else None
    where = ludeme.get("in")
    if who is None or ludeme.get("of"):
        raise Unsupported(ludeme)
    found: Bodies = []
    for body, pieces in pieces_of(c, who, context):
        place, piece = c.fresh("s"), c.fresh("p")
        hint = f"of_{who.name}"
        some = joined([(c.cell(context, place, piece),)], c.piece_in(hint, pieces, piece))
        if where is not None:
            some = joined(some, region(c, where, context, place))
        for p in pieces:
            if p.owner in c.equipment.hands and where is None:
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


@CONDITIONS("all Different")
def _all_different(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """Each site of a region fulfils a condition, and no two have pieces of one kind."""
    where, test = ludeme.unlabelled()[-1], ludeme.get("if")
    if any(item.label not in ("", "if") for item in ludeme.items):
        raise Unsupported(ludeme)
    a, b, piece, twin = (c.fresh(hint) for hint in ("s", "s", "p", "p"))
    first = region(c, where, context, a)
    twice = joined(first, region(c, where, context, b), [(Distinct(a, b),)])
    alike: Bodies = [
        (c.cell(context, a, piece), c.cell(context, b, other), *rest)
        for other, rest in _alike(c, piece, twin)
    ]
    bad = joined(twice, alike)
    if test is not None:
        inner = context.at(site=a)
        fails = c.negated(_hint(test), condition(c, test, inner), inner)
        bad = [*bad, *joined(first, fails)]
    return c.negated("not_all_different", bad, context)


@CONDITIONS("was Pass")
def _was_pass(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    if context.ending:
        return [(c.makes(context.mover, constant("pass")),)]
    if context.stage or c.equipment.players == 1:
        raise Unsupported(ludeme)
    return [(c.relation("passed", [(c.fluent("passes", c.fresh("n")),)], Context(1)),)]


@CONDITIONS("all Passed")
def _all_passed(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    return [(Atom("all_passed"),)]


@CONDITIONS("is Even", "is Odd")
def _is_even(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    if ludeme.items[1].kind != "count Moves":
        two = Ludeme("call", "%", (ludeme.items[1], Ludeme("word", "2")), "", ludeme.place)
        rest = Ludeme("word", "1" if ludeme.kind == "is Odd" else "0")
        return compared(c, "=", two, rest, context)
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
    if known_number(c, a, context) is not None:
        a, b = b, a
        operator = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(operator, operator)
    known = known_number(c, b, context)
    single = a.kind == "count Groups" and a.get("min") is None
    if a.name == "where" and known == -1 and operator == "=":
        places = [body for body, _ in site(c, a, context)]
        return c.negated("is_somewhere", places, context)
    if single and operator == "=" and known == 1 and context.imagined is None:
        return _one_group(c, a, context)
    summed = c.equipment.has_counts and a.get("in") is not None
    if counting.is_count(a) and known is not None and not summed:
        return _compare_count(c, a, operator, known, context)
    if is_value(a) or is_value(b):
        return compared(c, operator, a, b, context)
    if operator == "=":
        return _equal(c, ludeme, a, b, context)
    return compared(c, operator, a, b, context)


def known_number(c: Compiler, ludeme: Ludeme, context: Context) -> int | None:
    """Return a number that is known before play."""
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


def _equal(c: Compiler, ludeme: Ludeme, a: Ludeme, b: Ludeme, context: Context) -> Bodies:
    for one, other in ((a, b), (b, a)):
        at = one.get("at") if one.shape == "call" else None
        if one.name == "what" and at is not None:
            if other.name == "id" or other.shape == "text":
                return _stands(c, at, context, named_pieces(c, other, context), "kind")
            if other.name == "what" and (there := other.get("at")):
                piece, twin = c.fresh("p"), c.fresh("p")
                return [
                    (*x, *y, c.cell(context, s, piece), c.cell(context, t, other_piece), *rest)
                    for x, s in site(c, at, context)
                    for y, t in site(c, there, context)
                    for other_piece, rest in _alike(c, piece, twin)
                ]
            number = known_number(c, other, context)
            if number is not None and 1 <= number <= len(c.equipment.kinds):
                kind = c.equipment.named(c.equipment.kinds[number - 1].full_name)
                return _stands(c, at, context, kind, "kind")
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


def _alike(c: Compiler, piece: Variable, twin: Variable) -> list[tuple[Variable, Body]]:
    """Return what says that two pieces are of one kind, whatever their states are."""
    pieces = c.equipment.pieces
    if len(pieces) == len(c.equipment.kinds):
        return [(piece, ())]
    rows = [(a.term, b.term) for a in pieces for b in pieces if a.full_name == b.full_name]
    return [(twin, body) for body in c.holds("same_kind", rows, piece, twin)]


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


def _one_group(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """Return what says that the sites that fulfil a condition form one group."""
    c.real(context, ludeme)
    test = ludeme.get("if")
    if test is None or any(i.label not in ("", "if") for i in ludeme.items):
        raise Unsupported(ludeme)
    words = [i for i in ludeme.unlabelled()[1:] if i.shape == "word"]
    names = c.names(words, context) or ["Adjacent"]
    s, t, u = (c.fresh(hint) for hint in ("s", "t", "u"))
    inner = context.at(to=s)
    member = c.relation("member", condition(c, test, inner), inner)

    def one(term: Term) -> Atom:
        return Atom(member.relation, tuple(term if arg == s else arg for arg in member.args))

    key = ("group", member.relation, *names)
    group = c.name("in_group", key)
    if key not in c.emitted:
        c.emitted.add(key)
        c.rule(Atom(group, (s, s)), [(one(s),)])
        near = c.pairs("_".join(names), names, t, u)
        c.rule(Atom(group, (s, u)), joined([(Atom(group, (s, t)),)], near, [(one(u),)]))
    apart: Bodies = [(one(s), one(t), Not(Atom(group, (s, t))))]
    return joined([(one(u),)], c.negated("divided", apart, context))
