"""Translate captures into rules for the board after them: between two, surrounded, along a line."""

from __future__ import annotations

from dataclasses import replace

from kibitz.gdl import Atom, Term, Variable
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation import counting
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, joined
from kibitz.ludii.translation.effects import EFFECTS, effect
from kibitz.ludii.translation.expressions import condition, site
from kibitz.ludii.translation.problems import Unsupported

_LAST_TO = Ludeme("call", "last", (Ludeme("word", "To"),))


@EFFECTS("directional")
def _directional(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Apply an effect along a line from a site, as far as a condition holds."""
    given = next(iter(ludeme.calls("from")), None)
    second = next(iter(ludeme.calls("to")), None)
    ways = next(iter(ludeme.calls("directions")), None)
    test = second.get("if") if second is not None else None
    apply = next(iter(second.calls("apply")), None) if second is not None else None
    first, last = (ways.get("from"), ways.get("to")) if ways is not None else (None, None)
    if test is None or apply is None or first is None or last is None or not apply.items:
        raise Unsupported(ludeme)
    line, end, near = c.fresh("l"), c.fresh("t"), c.fresh("a")
    inner = context.at(to=end)
    hit = condition(c, test, inner)
    names = [name for name in c.directions.supported if c.directions.pairs([name])]
    sites = c.equipment.sites
    rows = [(tag, sites[i], sites[j]) for tag, i, j in c.directions.lines(names)]
    along = c.fact_relation("line_" + "_".join(names), rows)
    where = given.items[0] if given is not None and given.items else _LAST_TO
    for one, a in site(c, first, context):
        for two, b in site(c, last, context):
            for three, start in site(c, where, context):
                known = Context(context.mover, sites=context.sites, imagined=context.imagined)
                way: Bodies = [(*one, *two, *three, *_on_line(c, along, line, a, b))]
                key = ("directional", str(when), str(way), str(hit), context.stage)
                run = c.name("run_from", (*key, str(context.imagined)))
                prefix = context.imagined[1] if context.imagined else ()
                head = Atom(run, (*prefix, line, end))
                begins = joined(when, way, [(Atom(along, (line, start, end)),)], hit)
                c.rule(head, begins)
                step = (Atom(run, (*prefix, line, near)), Atom(along, (line, near, end)))
                c.rule(head, joined([step], hit))
                effect(
                    c, apply.items[0], replace(inner, sites={**known.sites, "to": end}), [(head,)]
                )


def _on_line(c: Compiler, along: str, line: Term, a: Term, b: Term) -> Body:
    """Return what says that a step on a line leads from one site to another."""
    return (Atom(along, (line, a, b)),)


def _capture(
    c: Compiler, ludeme: Ludeme, context: Context
) -> tuple[Bodies, Variable, list[str], Ludeme | None, Ludeme | None, Ludeme]:
    """Read `(from …) directions (between if:… (apply …)) (to if:…)`."""
    given = next(iter(ludeme.calls("from")), None)
    where = given.items[0] if given is not None and given.items else _LAST_TO
    between = next(iter(ludeme.calls("between")), None)
    second = next(iter(ludeme.calls("to")), None)
    words = [i for i in ludeme.unlabelled() if i.shape == "word" or i.name == "directions"]
    names = c.names(words, context) or ["Adjacent"]
    places = site(c, where, context)
    if len(places) != 1 or not isinstance(places[0][1], Variable):
        raise Unsupported(ludeme)
    found: Bodies = [places[0][0]]
    start = places[0][1]
    apply = next(iter(between.calls("apply")), None) if between else None
    if between is None or apply is None or not apply.items:
        raise Unsupported(ludeme)
    return (
        found,
        start,
        names,
        between.get("if"),
        second.get("if") if second else None,
        apply.items[0],
    )


@EFFECTS("custodial")
def _custodial(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    caught, inner, result = custody(c, ludeme, context)
    effect(c, result, inner, joined(when, caught))


def custody(c: Compiler, ludeme: Ludeme, context: Context) -> tuple[Bodies, Context, Ludeme]:
    """Return what says that a site is flanked, the context of its name, and what happens to it."""
    begin, start, names, hurdle, test, result = _capture(c, ludeme, context)
    between = ludeme.calls("between")[0]
    limits = [i for i in between.unlabelled() if i.name in ("max", "exact", "min", "range")]
    if len(limits) == 1 and limits[0].name in ("max", "range"):
        most = counting.number_of(c, limits[0].items[-1], context)
        least = counting.number_of(c, limits[0].items[0], context)
        board = c.equipment.board
        everything = max(max(board.rows), max(board.columns)) - 1
        least = 1 if limits[0].name == "max" else least
        if most is not None and most >= everything and least in (0, 1):
            limits = []
    over, end = c.fresh("b"), c.fresh("t")
    inner = context.at(between=over, to=end, start=start)
    sites = c.equipment.sites
    hit: Bodies = condition(c, hurdle, inner) if hurdle else [(c.occupied(context, over),)]
    closed: Bodies = condition(c, test, inner) if test else [()]
    if len(limits) == 1 and limits[0].name in ("max", "exact") and limits[0].items[0].name == "1":
        rows = [tuple(sites[i] for i in row) for row in c.directions.jumps(names)]
        jump = c.holds("jump_" + "_".join(names), rows, start, over, end)
        caught = c.relation("caught", joined(jump, hit, closed), context.at(start=start), over)
        return joined(begin, [(caught,)]), inner, result
    if limits:
        raise Unsupported(between)
    line, a = c.fresh("l"), c.fresh("a")
    rows = [(tag, sites[i], sites[j]) for tag, i, j in c.directions.lines(names)]
    along = c.fact_relation("line_" + "_".join(names), rows)
    key = ("run", str(hit), along, context.stage)
    run = c.name("run", key)
    head = Atom(run, (line, start, over))
    c.rule(head, joined([(c.site_guard(start), Atom(along, (line, start, over)))], hit))
    c.rule(head, joined([(Atom(run, (line, start, a)), Atom(along, (line, a, over)))], hit))
    flank = c.name("flanked", ("flanked", *key, str(closed)))
    c.rule(
        Atom(flank, (line, start)),
        joined([(Atom(run, (line, start, a)), Atom(along, (line, a, end)))], closed),
    )
    return joined(begin, [(head, Atom(flank, (line, start)))]), inner, result


@EFFECTS("surround")
def _surround(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    begin, start, names, hurdle, test, result = _capture(c, ludeme, context)
    if ludeme.get("except") or ludeme.get("with"):
        raise Unsupported(ludeme)
    over, near = c.fresh("b"), c.fresh("t")
    inner = context.at(between=over, to=near, start=start)
    hit: Bodies = condition(c, hurdle, inner) if hurdle else [(c.occupied(context, over),)]
    fails = c.negated("guarding", condition(c, test, inner), inner) if test else []
    step = c.pairs("step_" + "_".join(names), names, over, near)
    gap = c.negated("gap", joined(step, fails), context.at(between=over))
    beside = c.pairs("step_" + "_".join(names), names, start, over)
    effect(c, result, inner, joined(when, begin, beside, hit, gap))


@EFFECTS("intervene")
def _intervene(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Apply an effect to both sites beside one, if a condition holds of both."""
    given = next(iter(ludeme.calls("from")), None)
    second = next(iter(ludeme.calls("to")), None)
    test = second.get("if") if second is not None else None
    apply = next(iter(second.calls("apply")), None) if second is not None else None
    places = site(c, given.items[0] if given is not None and given.items else _LAST_TO, context)
    if ludeme.calls("between") or test is None or apply is None or len(places) != 1:
        raise Unsupported(ludeme)
    words = [i for i in ludeme.unlabelled() if i.shape == "word" or i.name == "directions"]
    names = c.names(words, context) or ["Adjacent"]
    sites = c.equipment.sites
    rows = [tuple(sites[i] for i in row) for row in c.directions.jumps(names)]
    near, far = c.fresh("b"), c.fresh("t")
    body, middle = places[0]
    table = c.holds("jump_" + "_".join(names), rows, near, middle, far)
    both = joined(condition(c, test, context.at(to=near)), condition(c, test, context.at(to=far)))
    effect(c, apply.items[0], context.at(to=near), joined(when, [body], table, both))
