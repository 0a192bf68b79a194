"""Translate sowing and other moves of counted pieces into rules for the counts after them.

In games whose sites hold any number of equal pieces, the second argument of `cell` is that number,
and an empty site has no `cell`. Hands are sites of their own.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

from kibitz.gdl import Atom, Not, Term
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, constant, joined
from kibitz.ludii.translation.effects import EFFECTS, effect
from kibitz.ludii.translation.expressions import SITES, condition, players, region, site
from kibitz.ludii.translation.problems import Unsupported
from kibitz.ludii.translation.values import VALUES, Value, values

_LAST_TO = Ludeme("call", "last", (Ludeme("word", "To"),))


@EFFECTS("sow")
def _sow(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Take all pieces of a site, and drop them one by one on the sites that follow on a track."""
    known = {"", "if", "apply", "skipIf", "includeSelf", "origin", "backtracking", "owner"}
    if not c.equipment.has_counts or any(item.label not in known for item in ludeme.items):
        raise Unsupported(ludeme)
    track, loops = _track(c, ludeme, context)
    start = next((i for i in ludeme.unlabelled() if i.shape == "call" and i.name != "then"), None)
    gains, ends = _sown(c, ludeme, context, track, loops)
    back: set[tuple[str, str]] = set()
    if (item := ludeme.get("backtracking")) is not None:
        if item.name != "True":
            raise Unsupported(item)
        back = {(b, a) for a, b in _follows(track, loops)}
    for body, origin in site(c, start or _LAST_TO, context):
        number, place, gain = c.fresh("n"), c.fresh("s"), c.fresh("g")
        held = joined(when, [(*body, c.cell(context, origin, number))])
        elsewhere = [row for row in gains if row[0] != row[2]]
        gets = joined(held, c.holds("sown", elsewhere, origin, number, place, gain))
        c.clear(context, origin, held)
        _add(c, context, place, gain, gets)
        returns = [(o, n, g) for o, n, s, g in gains if o == s]
        for again in joined(held, c.holds("returns", returns, origin, number, gain)):
            c.put(context, origin, gain, [again])
        end = c.fresh("s")
        last = joined(held, c.holds("sown_last", ends, origin, number, end))
        if not context.imagined:
            c.rule(Atom("sown_to", (end,)), last)
        _at_the_end(c, ludeme, context.moved_on(), last, end, back)


@SITES("trackSite Move")
def _further(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, Term]]:
    """Return the site some steps further on a track."""
    start, steps = ludeme.get("from"), ludeme.get("steps")
    owner = next((i for i in ludeme.unlabelled()[1:] if i.shape in ("word", "call")), None)
    given = (*(i for i in ludeme.items if i.shape == "text"),)
    wanted = replace(owner, label="owner") if owner is not None else None
    track, loops = _track(
        c, replace(ludeme, items=(*given, *((wanted,) if wanted else ()))), context
    )
    number = c.statics.integer(steps) if steps is not None else 1
    count, place = len(track), c.fresh("s")
    rows = [
        (one, track[(index + number) % count])
        for index, one in enumerate(track)
        if loops or 0 <= index + number < count
    ]
    return [
        ((*body, *rest), place)
        for body, origin in site(c, start or _LAST_TO, context)
        for rest in c.holds(f"further_{number}", rows, origin, place)
    ]


@EFFECTS("set Count")
def _set_count(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Let a site hold so many pieces."""
    at = ludeme.get("at")
    items = [i for i in ludeme.unlabelled()[1:] if i.name not in ("Cell", "Vertex", "then")]
    if at is None or len(items) != 1 or not c.equipment.has_counts:
        raise Unsupported(ludeme)
    for body, place in site(c, at, context):
        for value in values(c, items[0], context):
            if value.most > c.most_pieces:
                raise Unsupported(ludeme, "more pieces than there are")
            bodies = joined(when, [(*body, *value.body)])
            some = c.holds("positive", [(n,) for n in range(1, c.most_pieces + 1)], value.term)
            c.put(context, place, value.term, joined(bodies, some))
            c.clear(context, place, bodies)


def _track(c: Compiler, ludeme: Ludeme, context: Context) -> tuple[list[str], bool]:
    name = next((item.name for item in ludeme.items if item.shape == "text"), "")
    owner = ludeme.get("owner")
    wanted = players(c, owner, context)[0][1] if owner is not None else 0
    for title, player, numbers, loops in c.equipment.tracks:
        if title.startswith(name) and player in (0, wanted):
            return [c.equipment.sites[n] for n in numbers], loops
    raise Unsupported(ludeme, "a track that is not there")


def _follows(track: list[str], loops: bool) -> list[tuple[str, str]]:
    pairs = list(itertools.pairwise(track))
    return [*pairs, (track[-1], track[0])] if loops else pairs


def _sown(
    c: Compiler, ludeme: Ludeme, context: Context, track: list[str], loops: bool
) -> tuple[list[tuple[str, int, str, int]], list[tuple[str, int, str]]]:
    """Return how many pieces each site gets from each number on each site, and where they end."""
    after = dict(_follows(track, loops))
    origin_too = (item := ludeme.get("origin")) is not None and item.name == "True"
    itself = (item := ludeme.get("includeSelf")) is None or item.name == "True"
    skipped = _skipped(c, ludeme, context)
    gains: list[tuple[str, int, str, int]] = []
    ends: list[tuple[str, int, str]] = []
    for origin in track:
        got: dict[str, int] = {}
        here = origin
        for number in range(1, c.most_pieces + 1):
            if number > 1 or not origin_too:
                for _ in range(len(track) + 1):
                    here = after.get(here, here)
                    if here not in skipped and (itself or here != origin):
                        break
            got[here] = got.get(here, 0) + 1
            gains += [(origin, number, place, gain) for place, gain in got.items()]
            ends.append((origin, number, here))
    return gains, ends


def _skipped(c: Compiler, ludeme: Ludeme, context: Context) -> set[str]:
    test = ludeme.get("skipIf")
    if test is None:
        return set()
    found = set()
    for place in c.equipment.sites[: len(c.equipment.board)]:
        holds = condition(c, test, Context(context.mover, sites={"to": constant(place)}))
        if holds and () not in holds:
            raise Unsupported(test)
        if holds:
            found.add(place)
    return found


def _at_the_end(
    c: Compiler,
    ludeme: Ludeme,
    context: Context,
    when: Bodies,
    end: Term,
    back: set[tuple[str, str]],
) -> None:
    """Apply what follows when the last piece is sown, perhaps on the sites before it as well."""
    test, apply = ludeme.get("if"), ludeme.get("apply")
    if apply is not None:
        place = c.fresh("s")
        inner = context.at(to=place)
        holds: Bodies = condition(c, test, inner) if test is not None else [()]
        if back:
            key = ("taken_back", str(when), str(holds), context.stage, str(context.imagined))
            name = c.name("taken", key)
            prefix = context.imagined[1] if context.imagined else ()
            before = c.fresh("s")
            taken = Atom(name, (*prefix, place))
            c.rule(taken, joined(when, c.same(end, place), holds))
            step: Bodies = [(Atom(name, (*prefix, before)),)]
            c.rule(taken, joined(step, c.holds("track_back", sorted(back), before, place), holds))
            effect(c, apply, inner, [(taken,)])
        else:
            here = context.at(to=end)
            holds = condition(c, test, here) if test is not None else [()]
            effect(c, apply, here, joined(when, holds))
    for item in ludeme.calls("then"):
        effect(c, item.items[0], context.moved_on(), when)


def _plus(c: Compiler) -> str:
    top = c.most_pieces
    rows = [(a, b, a + b) for a in range(top + 1) for b in range(top + 1 - a)]
    return c.fact_relation("plus", rows)


def _add(c: Compiler, context: Context, place: Term, gain: Term, bodies: Bodies) -> None:
    """Add pieces to what is on a site, in the stage after that of the context."""
    number, total = c.fresh("n"), c.fresh("m")
    there = (c.cell(context, place, number), Atom(_plus(c), (number, gain, total)))
    c.put(context, place, total, joined(bodies, [there]))
    c.put(context, place, gain, joined(bodies, c.empty(context.at(site=place), place)))
    c.clear(context, place, bodies)


def move_count(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Move pieces from one site to another; what several sites send to one is added up."""
    first, second = ludeme.calls("from")[0], ludeme.calls("to")[0]
    count = ludeme.get("count")
    prefix = context.imagined[1] if context.imagined else ()
    stage = f"{context.stage} {context.imagined[0] if context.imagined else ''}"
    moved = c.name("moved", ("moved", stage))
    for body, start in site(c, first.items[0], context):
        for more, end in site(c, second.items[0], context):
            held = c.fresh("n")
            here = joined(when, [(*body, *more, c.cell(context, start, held))])
            amounts = [Value((), constant(1), 1, 1)]
            if count is not None:
                amounts = values(c, count, context)
            for amount in amounts:
                moving = joined(here, [amount.body])
                c.rule(Atom(moved, (*prefix, start, end, amount.term)), moving)
                rest = c.fresh("m")
                left = Atom(_plus(c), (rest, amount.term, held))
                c.clear(context, start, joined(moving, [(left,)]))
                more_than_none = c.holds("positive", [(n,) for n in range(1, c.most_pieces)], rest)
                c.put(context, start, rest, joined(moving, [(left,)], more_than_none))
    _receive(c, context, moved, prefix)


def _receive(c: Compiler, context: Context, moved: str, prefix: tuple[Term, ...]) -> None:
    if ("received", moved) in c.emitted:
        return
    c.emitted.add(("received", moved))
    s, t, a, n, m, k = (c.fresh(hint) for hint in ("s", "t", "a", "n", "m", "k"))
    sites = c.equipment.sites
    order = c.fact_relation("follows", [("start", sites[0]), *itertools.pairwise(sites)])
    upto, sends = f"{moved}_upto", f"{moved}_by"
    one = Atom(moved, (*prefix, s, t, n))
    c.rule(Atom(sends, (*prefix, s, t)), [(one,)])
    c.rule(Atom(upto, (*prefix, t, constant("start"), constant(0))), [(one,)])
    step = (Atom(order, (a, s)), Atom(upto, (*prefix, t, a, k)))
    total = Atom(_plus(c), (k, n, m))
    c.rule(Atom(upto, (*prefix, t, s, m)), [(*step, one, total)])
    c.rule(Atom(upto, (*prefix, t, s, k)), [(*step, Not(Atom(sends, (*prefix, s, t))))])
    last = Atom(upto, (*prefix, t, constant(sites[-1]), m))
    _add(c, context, t, m, [(last,)])


@VALUES("count in")
def _pieces_in(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    """Return how many pieces there are in a region."""
    where = ludeme.get("in")
    assert where is not None
    place = c.fresh("s")
    inside = region(c, where, context, place)
    if not inside:
        return [Value((), constant(0), 0, 0)]
    item = c.relation("counted", inside, Context(context.mover), place)
    prefix = context.imagined[1] if context.imagined else ()
    key = ("seeds", item.relation, context.stage, str(context.imagined))
    upto = c.name(f"pieces_{item.relation}", key)
    number = c.fresh("n")
    sites = c.equipment.sites
    if key not in c.emitted:
        c.emitted.add(key)
        s, a, n, m, k = (c.fresh(hint) for hint in ("s", "a", "n", "m", "k"))
        order = c.fact_relation("follows", [("start", sites[0]), *itertools.pairwise(sites)])
        ready: Bodies = [(c.worlds[context.imagined[0]].ready,)] if context.imagined else [()]
        c.rule(Atom(upto, (*prefix, constant("start"), constant(0))), ready)
        step = (Atom(order, (a, s)), Atom(upto, (*prefix, a, k)))
        here = Atom(item.relation, (s,))
        full = (here, c.cell(context, s, n), Atom(_plus(c), (k, n, m)))
        c.rule(Atom(upto, (*prefix, s, m)), [(*step, *full)])
        c.rule(Atom(upto, (*prefix, s, k)), [(*step, Not(here))])
        for none in c.empty(context.at(site=s), s):
            c.rule(Atom(upto, (*prefix, s, k)), [(*step, here, *none)])
    last = Atom(upto, (*prefix, constant(sites[-1]), number))
    return [Value((last,), number, 0, c.most_pieces)]


@SITES("handSite")
def _hand(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, Term]]:
    """A hand is a site where pieces are counted."""
    if not c.equipment.has_counts or len(ludeme.items) != 1:
        raise Unsupported(ludeme)
    return [(body, constant(f"hand{p}")) for body, p in players(c, ludeme.items[0], context)]
