"""Ludemes of hops in, Moves out: over one piece, over several in a row, and from afar."""

from __future__ import annotations

from kibitz.gdl import Atom, Term, variables_of
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation import counting
from kibitz.ludii.translation.core import Bodies, Compiler, Context, joined
from kibitz.ludii.translation.expressions import condition, site
from kibitz.ludii.translation.moves import MOVES, Move
from kibitz.ludii.translation.problems import Unsupported
from kibitz.ludii.translation.travel import (
    allowed,
    binding,
    effect_of,
    end_of,
    names_of,
    onward,
    start_of,
)
from kibitz.ludii.translation.values import values


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
