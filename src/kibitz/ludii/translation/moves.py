"""Move ludemes in, Moves out: when a player may make them, and what they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import cast

from kibitz.gdl import Atom, Distinct, Function, Not, Term, variables_of
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation import counting
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, Registry, joined
from kibitz.ludii.translation.expressions import CONDITIONS, condition, players, region, site
from kibitz.ludii.translation.problems import Unsupported

__all__ = ["Applied", "Move", "moves_of"]

_MOVES = Registry()

Applied = tuple[Ludeme, Context, Bodies]
"""An effect, the context of its sites, and what binds those that the move does not name."""


@dataclass
class Move:
    """A kind of move: its name and arguments, when it may be made, and what it does."""

    verb: str
    args: tuple[Term, ...]
    context: Context
    bodies: Bodies
    action: str
    applied: list[Applied] = field(default_factory=list)
    then: list[Ludeme] = field(default_factory=list)
    piece: Term | None = None

    def when(self, bodies: Bodies) -> Move:
        """Return the same move under further conditions."""
        return replace(self, bodies=joined(bodies, self.bodies))


def moves_of(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    """Return the moves that a ludeme generates."""
    function = _MOVES.get(ludeme.kind) or _MOVES.get(ludeme.name)
    if ludeme.shape != "call" or function is None:
        raise Unsupported(ludeme)
    found = cast("Callable[..., list[Move]]", function)(c, ludeme, context)
    consequences = [item.items[0] for item in ludeme.calls("then") if item.items]
    for move in found:
        move.then = [*move.then, *consequences]
    return found


def _parts(ludeme: Ludeme) -> list[Ludeme]:
    items = [item for item in ludeme.unlabelled() if item.name != "then"]
    return list(items[0].items) if len(items) == 1 and items[0].shape == "list" else items


@_MOVES("or", "and")
def _or(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    return [move for part in _parts(ludeme) for move in moves_of(c, part, context)]


@_MOVES("if")
def _if(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    test, *branches = [item for item in ludeme.unlabelled() if item.name != "then"]
    holds = condition(c, test, context)
    found = [move.when(holds) for move in moves_of(c, branches[0], context)] if holds else []
    if len(branches) > 1 and () not in holds:
        fails = c.negated("otherwise", holds, context)
        found += [move.when(fails) for move in moves_of(c, branches[1], context)]
    return found


@_MOVES("priority")
def _priority(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    found: list[Move] = []
    before: Bodies = []
    for part in _parts(ludeme):
        moves = moves_of(c, part, context)
        if before:
            none = c.negated("has_prior_move", before, context)
            moves_now = [move.when(none) for move in moves]
        else:
            moves_now = moves
        found += moves_now
        before = before + [body for move in moves for body in move.bodies]
    return found


@_MOVES("do")
def _do(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    """Keep the moves after which a condition holds, on the board that they lead to."""
    test = ludeme.get("ifAfterwards")
    c.real(context, ludeme)
    if test is None or ludeme.get("next") or context.stage:
        raise Unsupported(ludeme)
    found = moves_of(c, ludeme.unlabelled()[0], context)
    for move in found:
        to = move.context.sites.get("to")
        start = move.context.sites.get("from", to)
        quiet = all(str(effect) in _QUIET for effect, _, _ in move.applied)
        if to is None or start is None or not quiet or any(not _is_quiet(t) for t in move.then):
            raise Unsupported(ludeme, "moves with consequences for the board")
        places = (start, to) if start != to else (to,)
        ready = c.relation("candidate", move.bodies, move.context)
        key = ("imagined", str(ready), move.action, str(move.piece))
        name = c.name("imagined", key)
        s, p = c.fresh("s"), c.fresh("p")
        if key not in c.emitted:
            c.emitted.add(key)
            apart = tuple(Distinct(s, place) for place in places)
            stays: Body = (ready, c.cell(context, s, p), *apart)
            c.rule(Atom(name, (*places, s, p)), [stays])
            if move.action == "relocate":
                moved = (ready, c.cell(context, start, p))
                c.rule(Atom(name, (*places, to, p)), [moved])
            elif move.piece is not None:
                c.rule(Atom(name, (*places, to, move.piece)), [(ready,)])
        inner = replace(move.context.at(last_to=to, last_from=start), imagined=(name, places))
        move.bodies = joined([(ready,)], condition(c, test, inner))
    return found


_QUIET = ("(remove (to))",)
"""What moves to a site do anyway."""


_LOUD = frozenset(
    {"remove", "add", "promote", "custodial", "surround", "enclose", "fromTo", "slide", "sow"}
)


def _is_quiet(ludeme: Ludeme) -> bool:
    """Return whether a consequence changes nothing on the board."""
    return not any(one.shape == "call" and one.name in _LOUD for one in ludeme.walk())


@_MOVES("forEach Piece")
def _for_each_piece(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    rest = [item for item in ludeme.unlabelled()[1:] if item.name != "then"]
    names = [item.name for item in rest if item.shape == "text"]
    names += [i.name for item in rest if item.shape == "list" for i in item.items]
    given = next((item for item in rest if item.shape == "call"), None)
    role = next((item for item in rest if item.shape == "word"), None)
    known = {"container"}
    if any(item.label and item.label not in known for item in ludeme.items):
        raise Unsupported(ludeme)
    if role is not None and role.name != "Mover":
        raise Unsupported(ludeme)
    found: list[Move] = []
    for piece in c.equipment.owned(context.mover):
        if names and piece.name not in names and piece.full_name not in names:
            continue
        ludemes = given or piece.moves
        if ludemes is None:
            continue
        start = c.fresh("f")
        inner = replace(context.at(**{"from": start}), facing=piece.facing)
        here: Bodies = [(c.cell(context, start, c.named(piece)),)]
        found += [move.when(here) for move in moves_of(c, ludemes, inner)]
    return found


@_MOVES("forEach Site")
def _for_each_site(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    where, inner = ludeme.unlabelled()[1:3]
    place = c.fresh("s")
    inside = region(c, where, context, place)
    return [m.when(inside) for m in moves_of(c, inner, context.at(site=place))]


def _start(c: Compiler, ludeme: Ludeme, context: Context) -> tuple[Bodies, Term]:
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


def _end(c: Compiler, ludeme: Ludeme) -> tuple[Ludeme | None, Ludeme | None]:
    """Return the condition and the effect of `(to if:… (apply …))`."""
    given = next(iter(ludeme.calls("to")), None)
    if given is None:
        return None, None
    return given.get("if"), _effect(given)


def _effect(ludeme: Ludeme) -> Ludeme | None:
    apply = next(iter(ludeme.calls("apply")), None)
    return next(iter(apply.unlabelled()), None) if apply is not None else None


def _allowed(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """Return the condition of `(to (apply if:… …))`, without which there is no move."""
    given = next(iter(ludeme.calls("to")), None)
    apply = next(iter(given.calls("apply")), None) if given is not None else None
    test = apply.get("if") if apply is not None else None
    return condition(c, test, context) if test is not None else [()]


def _names(c: Compiler, ludeme: Ludeme, context: Context, default: str = "Adjacent") -> list[str]:
    words = [
        item
        for item in ludeme.unlabelled()[1:]
        if item.shape in ("word", "list") or item.name == "directions"
    ]
    return c.names(words, context) or [default]


def _binding(move_context: Context, start: Term, end: Term) -> Context:
    return move_context.at(**{"from": start, "to": end})


@_MOVES("move Step")
def _step(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    begin, start = _start(c, ludeme, context)
    names = _names(c, ludeme, context)
    end = c.fresh("t")
    inner = _binding(context, start, end)
    bodies = joined(begin, c.pairs("step_" + "_".join(names), names, start, end))
    test, effect = _end(c, ludeme)
    if test is not None:
        bodies = joined(bodies, condition(c, test, inner))
    bodies = joined(bodies, _allowed(c, ludeme, inner))
    move = Move("step", (start, end), inner, bodies, "relocate")
    if effect is not None:
        move.applied.append((effect, inner, [()]))
    return [move]


@_MOVES("move Leap")
def _leap(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    begin, start = _start(c, ludeme, context)
    walks = next((item for item in ludeme.items if item.shape == "list"), None)
    if walks is None:
        raise Unsupported(ludeme)
    forward = (item := ludeme.get("forward")) is not None and item.name == "True"
    turns = ludeme.get("rotations")
    if turns is not None and turns.name != "True":
        raise Unsupported(ludeme)
    rows = [[one.name for one in walk.items] for walk in walks.items]
    sites = c.equipment.sites
    facing = context.facing or c.statics.for_player(context.mover).facing()
    pairs = [
        (sites[a], sites[b])
        for a, b in c.directions.walks(rows)
        if not forward or c.directions.ahead(facing, a, b)
    ]
    end = c.fresh("t")
    inner = _binding(context, start, end)
    bodies = joined(begin, c.holds("leap", pairs, start, end))
    test, effect = _end(c, ludeme)
    if test is not None:
        bodies = joined(bodies, condition(c, test, inner))
    bodies = joined(bodies, _allowed(c, ludeme, inner))
    move = Move("leap", (start, end), inner, bodies, "relocate")
    if effect is not None:
        move.applied.append((effect, inner, [()]))
    return [move]


@_MOVES("move Hop")
def _hop(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    begin, start = _start(c, ludeme, context)
    same = any(item.name == "SameDirection" for item in ludeme.unlabelled())
    names = ["Adjacent"] if same else _names(c, ludeme, context)
    between = next(iter(ludeme.calls("between")), None)
    if between is None or ludeme.get("stack"):
        raise Unsupported(ludeme)
    limits = [item for item in between.unlabelled() if item.name != "apply"]
    if any(i.label not in ("", "if", "before", "after") for i in between.items):
        raise Unsupported(between)
    if any(not (i.name == "exact" and i.items[0].name == "1") for i in limits):
        raise Unsupported(between)
    end, over = c.fresh("t"), c.fresh("b")
    inner = _binding(context, start, end).at(between=over)
    if same:
        begin = joined(begin, _same_way(c, context, start, end))
    hurdle = between.get("if")
    test, effect = _end(c, ludeme)
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
    jump = joined(jump, _allowed(c, ludeme, inner))
    move = Move("hop", (start, end), inner, joined(begin, jump), "relocate")
    if effect is not None:
        move.applied.append((effect, inner, [()]))
    capture = _effect(between)
    if capture is not None:
        move.applied.append((capture, inner, jump))
    return [move]


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


@_MOVES("move Slide")
def _slide(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    begin, start = _start(c, ludeme, context)
    names = _names(c, ludeme, context)
    between = next(iter(ludeme.calls("between")), None)
    if any(item.shape == "text" for item in ludeme.items):
        raise Unsupported(ludeme)
    go = between.get("if") if between else None
    if between is not None and between.calls("exact", "max", "min", "range"):
        return _limited_slide(c, ludeme, between, context)
    if between is not None and (
        between.calls("apply") or any(item.label not in ("", "if") for item in between.items)
    ):
        raise Unsupported(between)
    test, effect = _end(c, ludeme)
    end, line, a = c.fresh("t"), c.fresh("l"), c.fresh("a")
    inner = _binding(context, start, end)
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
        move.bodies = joined(move.bodies, _allowed(c, ludeme, inner))
        if effect is not None:
            move.applied.append((effect, inner, [()]))
    return found


def _limited_slide(c: Compiler, ludeme: Ludeme, between: Ludeme, context: Context) -> list[Move]:
    """Slide over a number of sites that is known."""
    begin, start = _start(c, ludeme, context)
    names = _names(c, ludeme, context)
    limit = between.calls("exact", "max", "min", "range")[0]
    numbers = [counting.number_of(c, item, context) for item in limit.items]
    if any(n is None or n > 5 for n in numbers) or limit.name == "min" or between.calls("apply"):
        raise Unsupported(between)
    most = numbers[-1] or 0
    least = most if limit.name == "exact" else (numbers[0] or 1) if limit.name == "range" else 1
    test, effect = _end(c, ludeme)
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
        inner = _binding(context, start, end)
        bodies = joined(begin, c.holds(f"ray_{length}_{'_'.join(names)}", rows, start, *way))
        for place in way:
            here = context.at(**{"from": start, "between": place, "to": place})
            free = condition(c, go, here) if go is not None else c.empty(here, place)
            stop = condition(c, test, here) if test is not None else []
            if place is end:
                bodies = joined(bodies, [*free, *(one for one in stop if one not in free)])
            else:
                bodies = joined(bodies, free, c.negated("stops", stop, here))
        bodies = joined(bodies, _allowed(c, ludeme, inner))
        move = Move("slide", (start, end), inner, bodies, "relocate")
        if effect is not None:
            move.applied.append((effect, inner, [()]))
        found.append(move)
    return found


@_MOVES("move Shoot")
def _shoot(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    """Put a piece on an empty site in sight of where the last move ended."""
    given = next(iter(ludeme.calls("piece")), None)
    if given is None or given.items[0].shape != "text" or ludeme.calls("from", "between", "to"):
        raise Unsupported(ludeme)
    pieces = c.equipment.named(given.items[0].name)[:1]
    words = [i for i in ludeme.unlabelled()[1:] if i.shape == "word" or i.name == "directions"]
    at = Ludeme("call", "last", (Ludeme("word", "To"),), "at", ludeme.place)
    kind = Ludeme("word", "LineOfSight")
    sight = Ludeme("call", "sites", (kind, Ludeme("word", "Empty"), *words, at), "", ludeme.place)
    found = []
    for piece in pieces:
        end = c.fresh("t")
        inner = context.at(**{"from": end, "to": end})
        bodies = region(c, sight, context, end)
        found.append(Move("shoot", (end,), inner, bodies, "add", piece=c.named(piece)))
    return found


@_MOVES("move Add")
def _add(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    given = next(iter(ludeme.calls("piece")), None)
    where = next(iter(ludeme.calls("to")), None)
    if where is None or not where.unlabelled() or ludeme.get("count") or ludeme.get("stack"):
        raise Unsupported(ludeme)
    if given is None:
        pieces = c.equipment.owned(context.mover)[:1]
    else:
        if any(item.label for item in given.items):
            raise Unsupported(given)
        listed = given.items[0]
        names = listed.items if listed.shape == "list" else (listed,)
        pieces = []
        for name in names:
            if name.shape == "text":
                pieces += c.equipment.named(name.name, None)[:1] or []
            elif name.shape == "call" and name.name == "mover":
                pieces += c.equipment.owned(context.mover)[:1]
            elif name.shape == "call" and name.name == "id" and name.items[0].shape == "text":
                owner = players(c, name.items[1], context) if len(name.items) > 1 else [((), None)]
                pieces += c.equipment.named(name.items[0].name, owner[0][1])[:1]
            else:
                raise Unsupported(given)
    if not pieces:
        raise Unsupported(ludeme, "no piece to add")
    found = []
    for piece in pieces:
        end = c.fresh("t")
        inner = context.at(**{"from": end, "to": end})
        bodies = region(c, where.unlabelled()[0], context, end)
        if test := where.get("if"):
            bodies = joined(bodies, condition(c, test, inner))
        term = c.named(piece)
        move = Move("place", (term, end), inner, bodies, "add", piece=term)
        if effect := _effect(where):
            move.applied.append((effect, inner, [()]))
        found.append(move)
    return found


@_MOVES("move Remove")
def _remove(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    items = [item for item in ludeme.unlabelled()[1:] if item.name != "then"]
    if len(items) != 1 or any(item.label for item in ludeme.items):
        raise Unsupported(ludeme)
    end = c.fresh("t")
    inner = context.at(**{"from": end, "to": end})
    bodies = joined(region(c, items[0], context, end), [(c.occupied(context, end),)])
    return [Move("remove", (end,), inner, bodies, "remove")]


@_MOVES("move Select")
def _select(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    first = next(iter(ludeme.calls("from")), None)
    second = next(iter(ludeme.calls("to")), None)
    if first is None or second is not None or not first.unlabelled():
        raise Unsupported(ludeme)
    end = c.fresh("t")
    inner = context.at(**{"from": end, "to": end})
    bodies = region(c, first.unlabelled()[0], context, end)
    if test := first.get("if"):
        bodies = joined(bodies, condition(c, test, inner))
    return [Move("select", (end,), inner, bodies, "select")]


@_MOVES("move Pass")
def _pass(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    return [Move("pass", (), context, [()], "pass")]


@_MOVES("move Promote")
def _promote(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    raise Unsupported(ludeme)


@_MOVES("move")
def _from_to(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    first = next(iter(ludeme.calls("from")), None)
    second = next(iter(ludeme.calls("to")), None)
    copy = (item := ludeme.get("copy")) is not None and item.name == "True"
    if first is None or second is None or ludeme.get("count"):
        raise Unsupported(ludeme)
    source = next(iter(first.unlabelled()), None)
    target = next(iter(second.unlabelled()), None)
    if any(item.label not in ("", "if") for item in (*first.items, *second.items)):
        raise Unsupported(ludeme)
    if source is not None and _is_hand(source):
        return _drop(c, copy, context, source, second, target)
    if copy:
        raise Unsupported(ludeme)
    begin, start = _start(c, ludeme, context)
    end = c.fresh("t")
    inner = _binding(context, start, end)
    if target is None:
        raise Unsupported(second)
    outer = context.at(**{"from": start})
    bodies = joined(begin, [(c.occupied(outer, start),)], region(c, target, outer, end))
    if test := second.get("if"):
        bodies = joined(bodies, condition(c, test, inner))
    bodies = joined(bodies, _allowed(c, ludeme, inner))
    move = Move("move", (start, end), inner, bodies, "relocate")
    if effect := _effect(second):
        move.applied.append((effect, inner, [()]))
    return [move]


def _is_hand(ludeme: Ludeme) -> bool:
    container = ludeme.get("container") if ludeme.shape == "call" else None
    return (
        ludeme.name == "handSite"
        or ludeme.kind == "sites Hand"
        or (ludeme.kind == "sites Occupied" and container is not None and container.shape != "text")
    )


def _drop(
    c: Compiler,
    copy: bool,
    context: Context,
    source: Ludeme,
    second: Ludeme,
    target: Ludeme | None,
) -> list[Move]:
    """Move a piece from a hand to the board."""
    owner = source.get("by") or next(
        (item for item in source.items if item.name not in ("Hand", "Occupied")), None
    )
    if owner is None or target is None or len(source.unlabelled()) > 2:
        raise Unsupported(source)
    found = []
    for body, player in players(c, owner, context):
        for piece in c.equipment.pieces:
            if c.in_hand.get((player, piece.term), 0) <= 0:
                continue
            end, number = c.fresh("t"), c.fresh("n")
            inner = context.at(to=end)
            term = c.named(piece)
            held = c.hand(context, player, term, number)
            bodies = joined([(*body, held)], region(c, target, context, end))
            if test := second.get("if"):
                bodies = joined(bodies, condition(c, test, inner))
            if player == 0 and not copy:
                raise Unsupported(source, "pieces that leave a shared hand")
            action = "add" if copy else f"drop {player}"
            move = Move("drop", (term, end), inner, bodies, action, piece=term)
            if effect := _effect(second):
                move.applied.append((effect, inner, [()]))
            found.append(move)
    return found


@CONDITIONS("can Move")
def _can_move(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    inner = ludeme.items[1]
    known = dict(context.sites)
    looking = replace(context, sites=known)
    return [
        (
            c.relation(
                "can_move",
                [body for m in moves_of(c, inner, looking) for body in m.bodies],
                context,
            ),
        )
    ]


@CONDITIONS("no Moves")
def _no_moves(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    who = ludeme.items[1]
    if context.settled:
        return [
            (*body, c.control(player), Not(Atom("has_move", (c.role(player),))))
            for body, player in players(c, who, context)
        ]
    if not context.ending or who.name == "Next":
        raise Unsupported(ludeme)
    # That players other than the next have no moves is only known once they had to pass.
    role = c.role(context.mover)
    passed = (c.makes(context.mover, Function("pass")), Not(Atom("has_move", (role,))))
    return [
        (*body, *passed) for body, player in players(c, who, context) if player == context.mover
    ]


@CONDITIONS("is Threatened")
def _is_threatened(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """A piece is threatened if another player has a move to its site."""
    target = ludeme.items[1]
    if len(ludeme.items) != 2 or target.name != "id" or target.items[0].shape != "text":
        raise Unsupported(ludeme)
    owners = players(c, target.items[1], context) if len(target.items) > 1 else [((), 0)]
    place = c.fresh("k")
    found: Bodies = []
    every = Ludeme("call", "forEach", (Ludeme("word", "Piece"),), "", ludeme.place)
    for body, owner in owners:
        for piece in c.equipment.named(target.items[0].name, owner or None):
            here: Bodies = [(*body, c.cell(context, place, c.named(piece)))]
            for enemy in range(1, c.equipment.players + 1):
                if enemy == piece.owner:
                    continue
                looking = replace(context, mover=enemy, facing=None)
                looking = replace(
                    looking, sites={k: v for k, v in context.sites.items() if k != "from"}
                )
                hidden = context.sites.get("from")
                if hidden is not None:
                    looking = looking.at(moved=hidden)
                for move in moves_of(c, every, looking):
                    end = move.context.sites.get("to")
                    if move.action == "relocate" and end is not None:
                        found += joined(here, move.bodies, c.same(end, place))
    return [(c.relation("threatened", found, context),)] if found else []
