"""Translate moves that travel: steps, leaps, slides and hops."""

from __future__ import annotations

from dataclasses import replace

from kibitz.gdl import Atom, Term, variables_of
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation import counting
from kibitz.ludii.translation.core import Bodies, Compiler, Context, joined
from kibitz.ludii.translation.expressions import condition, region, site
from kibitz.ludii.translation.moves import MOVES, Move
from kibitz.ludii.translation.problems import NotStatic, Unsupported
from kibitz.ludii.translation.values import values

_LONGEST = 12


def start_of(c: Compiler, ludeme: Ludeme, context: Context) -> tuple[Bodies, Term]:
    """Return where a move starts: `(from …)`, or what the context says."""
    given = next(iter(ludeme.calls("from")), None)
    if given is None or (not given.items and "from" in context.sites):
        if "from" not in context.sites:
            raise Unsupported(ludeme, "a move from nowhere")
        return [()], context.sites["from"]
    where = next(iter(given.unlabelled()), None)
    bodies: Bodies = [()]
    if where is None:
        start: Term = context.sites["from"] if "from" in context.sites else c.fresh("f")
    elif where.shape == "call" and where.name == "from" and "from" in context.sites:
        start = context.sites["from"]
    else:
        start = c.fresh("f")
        bodies = region(c, where, context, start)
    if test := given.get("if"):
        bodies = joined(bodies, condition(c, test, context.at(**{"from": start})))
    if any(item.label not in ("", "if") for item in given.items):
        raise Unsupported(given)
    return bodies, start


def end_of(c: Compiler, ludeme: Ludeme) -> tuple[Ludeme | None, Ludeme | None]:
    """Return the condition and the effect of `(to if:… (apply …))`."""
    given = next(iter(ludeme.calls("to")), None)
    if given is None:
        return None, None
    return given.get("if"), effect_of(given)


def effect_of(ludeme: Ludeme) -> Ludeme | None:
    """Return the effect in `(apply …)`, under its condition if it has one."""
    apply = next(iter(ludeme.calls("apply")), None)
    found = next(iter(apply.unlabelled()), None) if apply is not None else None
    if apply is None or found is None or (test := apply.get("if")) is None:
        return found
    return Ludeme("call", "if", (replace(test, label=""), found), "", apply.place)


def allowed(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """Return the condition of `(to (apply if:…))`, without which there is no move."""
    given = next(iter(ludeme.calls("to")), None)
    apply = next(iter(given.calls("apply")), None) if given is not None else None
    test = apply.get("if") if apply is not None and not apply.unlabelled() else None
    return condition(c, test, context) if test is not None else [()]


def names_of(c: Compiler, ludeme: Ludeme, context: Context, default: str = "Adjacent") -> list[str]:
    """Return the directions that a move names, or the usual ones."""
    words = [
        _chosen(c, item.items[0] if _turns_not_back(item) else item, context)
        for item in ludeme.unlabelled()[1:]
        if item.name not in ("from", "to", "between", "then")
    ]
    return c.names(words, context) or [default]


def _turns_not_back(ludeme: Ludeme) -> bool:
    """Return whether directions are all but that from which the last move came."""
    return (
        ludeme.name == "difference"
        and len(ludeme.items) == 2
        and str(ludeme.items[1]) == "OppositeDirection"
    )


def onward(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """Return what says that a hop does not turn back, if it must not."""
    if not any(_turns_not_back(item) for item in ludeme.unlabelled()):
        return [()]
    sites = c.equipment.sites
    rows = {
        (sites[start], sites[x], sites[y])
        for name in c.directions.supported
        for start, first in c.directions.pairs([name])
        for line in [list(c.directions.radial(name, start, first))]
        for x in line
        for y in line
    }
    last = Ludeme("call", "last", (Ludeme("word", "From"),))
    here, end = context.sites["from"], context.sites["to"]
    back = [
        (*body, *rest)
        for body, before in site(c, last, context)
        for rest in c.holds("on_one_side", sorted(rows), here, before, end)
    ]
    return c.negated("turns_back", back, context)


def _chosen(c: Compiler, ludeme: Ludeme, context: Context) -> Ludeme:
    """Choose between directions by what is known before play, such as who moves."""
    if ludeme.name == "directions" or ludeme.shape == "list":
        return replace(ludeme, items=tuple(_chosen(c, item, context) for item in ludeme.items))
    if ludeme.name != "if" or len(ludeme.items) != 3:
        return ludeme
    test, yes, no = ludeme.items
    try:
        holds = c.statics.for_player(context.mover).boolean(test)
    except NotStatic:
        raise Unsupported(ludeme) from None
    return _chosen(c, yes if holds else no, context)


def binding(move_context: Context, start: Term, end: Term) -> Context:
    """Return the context in which a move from one site to another is looked at."""
    return move_context.at(**{"from": start, "to": end})


@MOVES("move Step")
def _step(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    begin, start = start_of(c, ludeme, context)
    names = names_of(c, ludeme, context)
    end = c.fresh("t")
    inner = binding(context, start, end)
    bodies = joined(begin, c.pairs("step_" + "_".join(names), names, start, end))
    test, effect = end_of(c, ludeme)
    if test is not None:
        bodies = joined(bodies, condition(c, test, inner))
    bodies = joined(bodies, allowed(c, ludeme, inner))
    move = Move("step", (start, end), inner, bodies, "relocate")
    if effect is not None:
        move.applied.append((effect, inner, [()]))
    return [move]


@MOVES("move Leap")
def _leap(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    begin, start = start_of(c, ludeme, context)
    walks = next((item for item in ludeme.items if item.shape == "list"), None)
    if walks is None:
        raise Unsupported(ludeme)
    forward = (item := ludeme.get("forward")) is not None and item.name == "True"
    turns = ludeme.get("rotations")
    turns_all = turns is None or turns.name == "True"
    rows = [[one.name for one in walk.items] for walk in walks.items]
    sites = c.equipment.sites
    facing = context.facing or c.statics.for_player(context.mover).facing()
    pairs = [
        (sites[a], sites[b])
        for a, b in c.directions.walks(rows, None if turns_all else facing)
        if not forward or c.directions.ahead(facing, a, b)
    ]
    end = c.fresh("t")
    inner = binding(context, start, end)
    bodies = joined(begin, c.holds("leap", pairs, start, end))
    test, effect = end_of(c, ludeme)
    if test is not None:
        bodies = joined(bodies, condition(c, test, inner))
    bodies = joined(bodies, allowed(c, ludeme, inner))
    move = Move("leap", (start, end), inner, bodies, "relocate")
    if effect is not None:
        move.applied.append((effect, inner, [()]))
    return [move]


@MOVES("move Slide")
def _slide(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    begin, start = start_of(c, ludeme, context)
    names = names_of(c, ludeme, context)
    between = next(iter(ludeme.calls("between")), None)
    if any(item.shape == "text" for item in ludeme.items):
        raise Unsupported(ludeme)
    go = between.get("if") if between else None
    if between is not None and between.calls("exact", "max", "min", "range"):
        return _limited_slide(c, ludeme, between, context)
    labels = ("", "if", "trail")
    if between is not None and (
        between.calls("apply") or any(item.label not in labels for item in between.items)
    ):
        raise Unsupported(between)
    trail = between.get("trail") if between is not None else None
    test, effect = end_of(c, ludeme)
    end, line, a = c.fresh("t"), c.fresh("l"), c.fresh("a")
    inner = binding(context, start, end)
    sites = c.equipment.sites
    rows = [(tag, sites[i], sites[j]) for tag, i, j in c.directions.lines(names)]
    along = c.fact_relation("line_" + "_".join(names), rows)
    passing = context.at(**{"from": start, "between": end, "to": end})
    free = condition(c, go, passing) if go is not None else c.empty(context, end)
    if test is not None:
        stops = condition(c, test, inner)
        free = joined(free, c.negated("stops", stops, inner))
    prefix = context.imagined[1] if context.imagined is not None else ()
    key = ("slide", str(free), along, context.stage, str(start), str(context.imagined))
    known = {v.name for v in context.variables() if v != start and v not in prefix}
    if any(v.name in known for body in free for f in body for v in variables_of(f)):
        raise Unsupported(ludeme)
    free_way = c.name("slide_" + "_".join(names), key)
    if key not in c.emitted:
        c.emitted.add(key)
        head = Atom(free_way, (*prefix, line, start, end))
        piece = c.fresh("p")
        guard = c.cell(context, start, piece) if prefix else c.site_guard(start)
        c.rule(head, joined([(guard, Atom(along, (line, start, end)))], free))
        step: Bodies = [(Atom(free_way, (*prefix, line, start, a)), Atom(along, (line, a, end)))]
        c.rule(head, joined(step, free))
    way: Bodies = [(Atom(free_way, (*prefix, line, start, end)),)]
    found = [Move("slide", (start, end), inner, joined(begin, way), "relocate")]
    if test is not None:
        last: Bodies = [
            (Atom(along, (line, start, end)),),
            (Atom(free_way, (*prefix, line, start, a)), Atom(along, (line, a, end))),
        ]
        stop = Move("slide", (start, end), inner, joined(begin, last, stops), "relocate")
        found.append(stop)
    for move in found:
        move.bodies = joined(move.bodies, allowed(c, ludeme, inner))
        if effect is not None:
            move.applied.append((effect, inner, [()]))
        if trail is not None:
            move.applied.append((_left_behind(trail), inner, [()]))
    return found


def _left_behind(trail: Ludeme) -> Ludeme:
    """Return the effect that puts pieces where a piece slid from and over."""
    ends = [Ludeme("call", name, (), name, trail.place) for name in ("from", "to")]
    start = Ludeme("word", "True", (), "fromIncluded", trail.place)
    between = Ludeme("call", "sites", (Ludeme("word", "Between"), *ends, start), "", trail.place)
    piece = Ludeme("call", "piece", (replace(trail, label=""),), "", trail.place)
    to = Ludeme("call", "to", (between,), "", trail.place)
    return Ludeme("call", "add", (piece, to), "", trail.place)


def _limited_slide(c: Compiler, ludeme: Ludeme, between: Ludeme, context: Context) -> list[Move]:
    """Slide over a number of sites that is known."""
    begin, start = start_of(c, ludeme, context)
    names = names_of(c, ludeme, context)
    limit = between.calls("exact", "max", "min", "range")[0]
    numbers = [counting.number_of(c, item, context) for item in limit.items]
    board = c.equipment.board
    longest = max(max(board.rows), max(board.columns))
    if any(n is None for n in numbers) or longest > _LONGEST or between.calls("apply"):
        raise Unsupported(between)
    most = longest if limit.name == "min" else min(numbers[-1] or 0, longest)
    first = {"exact": numbers[-1], "range": numbers[0], "min": numbers[0], "max": 1}[limit.name]
    least = first or 1
    test, effect = end_of(c, ludeme)
    go = between.get("if")
    sites = c.equipment.sites
    found = []
    for length in range(max(1, least), most + 1):
        rows = {
            tuple(sites[i] for i in (a, *line[:length]))
            for name in names
            for a, b in c.directions.pairs([name])
            if len(line := list(c.directions.radial(name, a, b))) >= length
        }
        way = [c.fresh("t") for _ in range(length)]
        end = way[-1]
        inner = binding(context, start, end)
        bodies = joined(begin, c.holds(f"ray_{length}_{'_'.join(names)}", rows, start, *way))
        for index, place in enumerate(way):
            here = context.at(**{"from": start, "between": place, "to": place})
            free = condition(c, go, here) if go is not None else c.empty(here, place)
            stop = condition(c, test, here) if test is not None else []
            if place is end:
                bodies = joined(bodies, [*free, *(one for one in stop if one not in free)])
            else:
                stays: Bodies = [()]
                if index + 1 >= least:
                    stays = c.negated("stops", stop, here)
                bodies = joined(bodies, free, stays)
        bodies = joined(bodies, allowed(c, ludeme, inner))
        move = Move("slide", (start, end), inner, bodies, "relocate")
        if effect is not None:
            move.applied.append((effect, inner, [()]))
        found.append(move)
    return found


@MOVES("move Hop")
def _hop(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    begin, start = start_of(c, ludeme, context)
    same = any(item.name == "SameDirection" for item in ludeme.unlabelled())
    names = ["Adjacent"] if same else names_of(c, ludeme, context)
    between = next(iter(ludeme.calls("between")), None)
    if between is None or ludeme.get("stack"):
        raise Unsupported(ludeme)
    limits = [item for item in between.unlabelled() if item.name != "apply"]
    if any(i.label not in ("", "if", "before", "after") for i in between.items):
        raise Unsupported(between)
    exact = limits[0].items[0] if len(limits) == 1 and limits[0].name == "exact" else None
    if exact is not None and counting.number_of(c, exact, context) is None:
        return _counted_hop(c, ludeme, between, exact, context, names)
    lengths = _hurdles(c, between, limits, context)
    end, over = c.fresh("t"), c.fresh("b")
    inner = binding(context, start, end).at(between=over)
    if same:
        begin = joined(begin, _same_way(c, context, start, end))
    hurdle = between.get("if")
    test, effect = end_of(c, ludeme)
    if lengths != [1]:
        return _hop_over_row(c, ludeme, between, context, names, lengths)
    if between.get("before") or between.get("after"):
        jump = _long_jump(c, between, context, inner, names, hurdle, test)
    else:
        sites = c.equipment.sites
        rows = [tuple(sites[i] for i in row) for row in c.directions.jumps(names)]
        jump = c.holds("jump_" + "_".join(names), rows, start, over, end)
        if hurdle is not None:
            jump = joined(jump, condition(c, hurdle, inner))
        if test is not None:
            jump = joined(jump, condition(c, test, inner))
    jump = joined(jump, allowed(c, ludeme, inner), onward(c, ludeme, inner))
    move = Move("hop", (start, end), inner, joined(begin, jump), "relocate")
    if effect is not None:
        move.applied.append((effect, inner, [()]))
    capture = effect_of(between)
    if capture is not None:
        move.applied.append((capture, inner, jump))
    return [move]


def _counted_hop(
    c: Compiler,
    ludeme: Ludeme,
    between: Ludeme,
    number: Ludeme,
    context: Context,
    names: list[str],
) -> list[Move]:
    """Jump over as many sites as a number says that depends on the position."""
    _, start = start_of(c, ludeme, context)
    board = c.equipment.board
    known = values(c, number, context.at(**{"from": start}))
    found = []
    for length in range(max(max(board.rows), max(board.columns)) + 1):
        for move in _hop_over_row(c, ludeme, between, context, names, [length]):
            for value in known:
                if value.least <= length <= value.most:
                    exact = c.holds(f"only_{length}", [(length,)], value.term)
                    found.append(move.when(joined([value.body], exact)))
    return found


def _hurdles(c: Compiler, between: Ludeme, limits: list[Ludeme], context: Context) -> list[int]:
    """Return how many pieces in a row a piece may jump over."""
    if not limits:
        return [1]
    limit = limits[0]
    numbers = [counting.number_of(c, item, context) for item in limit.items]
    if len(limits) > 1 or not numbers or limit.name not in ("exact", "max", "range"):
        raise Unsupported(between)
    known = [n for n in numbers if n is not None]
    if len(known) < len(numbers) or known[-1] > 12:
        raise Unsupported(between)
    longest = max(c.equipment.board.rows) + max(c.equipment.board.columns)
    most = min(known[-1], longest)
    least = {"exact": most, "max": 1, "range": known[0]}[limit.name]
    return list(range(max(1, least), most + 1))


def _hop_over_row(
    c: Compiler,
    ludeme: Ludeme,
    between: Ludeme,
    context: Context,
    names: list[str],
    lengths: list[int],
) -> list[Move]:
    """Jump over several pieces in a row."""
    begin, start = start_of(c, ludeme, context)
    hurdle, capture = between.get("if"), effect_of(between)
    test, effect = end_of(c, ludeme)
    sites = c.equipment.sites
    if between.get("before") or between.get("after"):
        raise Unsupported(between)
    found = []
    for length in lengths:
        rows = {
            tuple(sites[i] for i in (a, *line[: length + 1]))
            for name in names
            for a, b in c.directions.pairs([name])
            if len(line := list(c.directions.radial(name, a, b))) > length
        }
        way = [c.fresh("b") for _ in range(length)]
        end = c.fresh("t")
        inner = binding(context, start, end)
        ray = c.holds(f"ray_{length + 1}_{'_'.join(names)}", rows, start, *way, end)
        bodies = joined(begin, ray)
        for place in way if hurdle is not None else []:
            assert hurdle is not None
            bodies = joined(bodies, condition(c, hurdle, inner.at(between=place)))
        if test is not None:
            bodies = joined(bodies, condition(c, test, inner))
        bodies = joined(bodies, allowed(c, ludeme, inner))
        move = Move("hop", (start, end), inner, bodies, "relocate")
        if effect is not None:
            move.applied.append((effect, inner, [()]))
        if capture is not None:
            move.applied += [(capture, inner.at(between=place), ray) for place in way]
        found.append(move)
    return found


def _same_way(c: Compiler, context: Context, start: Term, end: Term) -> Bodies:
    """Return what says that a move goes on in the direction of the last one."""
    sites = c.equipment.sites
    rows = set()
    for name in ("Adjacent",):
        for a, b in c.directions.pairs([name]):
            line = [a, *c.directions.radial(name, a, b)]
            for i in range(1, len(line)):
                rows |= {(sites[a], sites[line[i]], sites[t]) for t in line[i + 1 :]}
    last = Ludeme("call", "last", (Ludeme("word", "From"),))
    return [
        (*body, *rest)
        for body, before in site(c, last, context)
        for rest in c.holds("straight_on", sorted(rows), before, start, end)
    ]


def _long_jump(
    c: Compiler,
    between: Ludeme,
    outer: Context,
    context: Context,
    names: list[str],
    hurdle: Ludeme | None,
    test: Ludeme | None,
) -> Bodies:
    """Jump over a piece that may be farther away, and land farther behind it."""
    c.real(outer, between)
    if hurdle is None or test is None:
        raise Unsupported(between)

    def free(name: str) -> bool:
        limit = between.get(name)
        if limit is None:
            return False
        number = counting.number_of(c, limit, context)
        if number is None or number < max(c.equipment.board.rows) - 1:
            raise Unsupported(between, "a jump of limited length")
        return True

    before, after = free("before"), free("after")
    start, over, end = context.sites["from"], context.sites["between"], context.sites["to"]
    line = c.fresh("l")
    a, b = c.fresh("a"), c.fresh("s")
    sites = c.equipment.sites
    rows = [(tag, sites[i], sites[j]) for tag, i, j in c.directions.lines(names)]
    along = c.fact_relation("line_" + "_".join(names), rows)
    open_here = condition(c, test, outer.at(**{"from": start, "to": b}))
    key = ("approach", str(open_here), along, outer.stage)
    reach = c.name("clear_way", key)
    known = {v.name for v in outer.variables() if v != start}
    if any(v.name in known for body in open_here for f in body for v in variables_of(f)):
        raise Unsupported(between)
    if key not in c.emitted:
        c.emitted.add(key)
        guard = c.site_guard(start)
        c.rule(
            Atom(reach, (line, start, b)),
            joined([(guard, Atom(along, (line, start, b)))], open_here),
        )
        c.rule(
            Atom(reach, (line, start, b)),
            joined([(Atom(reach, (line, start, a)), Atom(along, (line, a, b)))], open_here),
        )
    first: Bodies = [(Atom(along, (line, start, over)),)]
    if before:
        first.append((Atom(reach, (line, start, a)), Atom(along, (line, a, over))))
    hit = condition(c, hurdle, context)
    beyond: Bodies = [(Atom(along, (line, over, end)),)]
    here = condition(c, test, context)
    found = joined(first, hit, beyond, here)
    if after:
        found += joined(first, hit, [(Atom(reach, (line, over, end)),)])
    return found
