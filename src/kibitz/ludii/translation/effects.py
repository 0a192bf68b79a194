"""Translate the effects of moves, also of moves that are only imagined.

`(do MOVES ifAfterwards:CONDITION)` keeps the moves after which a condition holds. What each of them
would do to the board is worked out beside the position, for every move that may be made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from kibitz.gdl import Atom, Function, Term, Variable, variables_of
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation import counting, values as numbers
from kibitz.ludii.translation.core import (
    Bodies,
    Body,
    Compiler,
    Context,
    Registry,
    World,
    constant,
    joined,
)
from kibitz.ludii.translation.expressions import (
    CONDITIONS,
    condition,
    pieces_of,
    players,
    region,
    site,
)
from kibitz.ludii.translation.moves import MOVES, Move, beside, moves_of
from kibitz.ludii.translation.problems import Unsupported, reading

EFFECTS = Registry()
"""Functions from a compiler, a ludeme, a context and what must hold to nothing: they add rules.

The context's stage is the board that is looked at; what an effect does shows in the next stage.
"""

_LAST_TO = Ludeme("call", "last", (Ludeme("word", "To"),))


def emit_effects(
    c: Compiler, move: Move, does: Atom, context: Context, is_choice: bool = True
) -> None:
    """Add the rules for what a move does in a context, if a literal holds.

    A move that nobody chooses, such as that of the rook in castling, is no last move.
    """
    trigger: Bodies = [(does,)]
    named = set(variables_of(does))
    loose = {
        n for n, term in context.sites.items() if isinstance(term, Variable) and term not in named
    }

    def bound(ludeme: Ludeme) -> Bodies:
        """Return what binds the sites that an effect asks for and the move does not name."""
        asked = {one.name for one in ludeme.walk() if one.shape == "call" and not one.items}
        return move.bodies if asked & loose else [()]

    start, end = context.sites.get("from"), context.sites.get("to")
    if move.action in ("relocate", "copy"):
        assert start is not None
        assert end is not None
        piece = c.fresh("p")
        c.put(context, end, piece, [(does, c.cell(context, start, piece))])
        if move.action == "relocate":
            c.clear(context, start, trigger)
        c.clear(context, end, trigger)
    elif move.action == "remove" and end is not None:
        c.clear(context, end, trigger)
    elif end is not None and move.piece is not None and move.action != "select":
        c.put(context, end, move.piece, trigger)
        c.clear(context, end, trigger)
        if move.action.startswith("drop ") and not context.imagined:
            c.take(int(move.action.removeprefix("drop ")), move.piece, trigger)
    if end is not None and not context.imagined and is_choice:
        c.rule(Atom("moved_to", (end,)), trigger)
        c.rule(Atom("moved_from", (start if start is not None else end,)), trigger)
    for ludeme, inner, bodies in move.applied:
        when = joined(trigger, bound(ludeme) if bodies == [()] else bodies)
        effect(c, ludeme, replace(inner, imagined=context.imagined), when)
    after = context.moved_on()
    if end is not None and is_choice:
        after = after.at(last_to=end, last_from=start if start is not None else end)
    effects = [*(one for one, _, _ in move.applied), *move.then] if is_choice else []
    adding = [one for ludeme in effects for one in ludeme.walk() if one.name == "addScore"]
    for number, one in enumerate(adding, start=1):
        c.gain_numbers[one.place] = number
    for ludeme in move.then:
        effect(c, ludeme, after, joined(trigger, bound(ludeme)))


_ELSEWHERE = frozenset(
    {"moveAgain", "set Counter", "set Score", "addScore", "trigger", "set Pending", "set Var"}
)
"""Effects that do not show on the board, so that boards that are imagined have none of them."""


def effect(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Add the rules of one effect."""
    function = EFFECTS.get(ludeme.kind) or EFFECTS.get(ludeme.name)
    if function is None and ludeme.shape == "call" and ludeme.name in _MOVES:
        _forced(c, ludeme, context, when)
        return
    if function is None or ludeme.shape != "call":
        raise Unsupported(ludeme)
    if context.imagined and (ludeme.kind in _ELSEWHERE or ludeme.name in _ELSEWHERE):
        return
    with reading(ludeme):
        cast("Callable[..., None]", function)(c, ludeme, context, when)
    for item in ludeme.calls("then"):
        if ludeme.name not in ("if", "and", "or", "do", "sow"):
            effect(c, item.items[0], context.moved_on(), when)


_MOVES = frozenset({"move", "slide", "step", "hop", "leap", "priority"})


def _forced(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Let moves be made that nobody chooses, all of them that are possible."""
    for move in moves_of(c, ludeme, context):
        if move.action == "pass" or move.action.startswith("drop"):
            raise Unsupported(ludeme)
        sites = {str(n): one for n, one in enumerate(move.context.sites.values())}
        known = Context(context.mover, sites=sites, imagined=context.imagined)
        does = c.relation("follows_by_force", joined(when, move.bodies), known)
        emit_effects(c, move, does, replace(move.context, stage=context.stage), is_choice=False)


@EFFECTS("swap Pieces")
def _swap_pieces(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Exchange what stands on two sites; as Ludii has it, the second piece loses its state."""
    items = [item for item in ludeme.unlabelled()[1:] if item.name != "then"]
    first, second = items if items else (_LAST_TO, Ludeme("call", "to"))
    for body, a in site(c, first, context):
        for more, b in site(c, second, context):
            bodies = joined(when, [(*body, *more)])
            piece, other, plain = c.fresh("p"), c.fresh("p"), c.fresh("p")
            rows = [
                (one.term, kind.term)
                for one in c.equipment.pieces
                for kind in c.equipment.kinds
                if one.full_name == kind.full_name
            ]
            c.put(context, b, piece, joined(bodies, [(c.cell(context, a, piece),)]))
            back = joined(bodies, [(c.cell(context, b, other),)])
            c.put(context, a, plain, joined(back, c.holds("without_state", rows, other, plain)))
            c.clear(context, a, bodies)
            c.clear(context, b, bodies)


@EFFECTS("seq")
def _sequence(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Apply effects one after another."""
    for part in _parts(ludeme):
        effect(c, part, context, when)
        context = context.moved_on()


@EFFECTS("forEach Player")
def _for_each_player(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    inner = [item for item in ludeme.unlabelled()[1:] if item.name != "then"]
    for player in range(1, c.equipment.players + 1):
        effect(c, inner[-1], replace(context, player=player), when)


@EFFECTS("set NextPlayer")
def _next_player(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Say who has the next turn."""
    if c.equipment.players > 2 or context.imagined:
        raise Unsupported(ludeme)
    c.needed.add("next_player")
    for body, player in players(c, ludeme.items[1], context):
        c.rule(Atom("next_player", (c.role(player),)), joined(when, [body]))


@EFFECTS("forEach Direction")
def _for_each_direction(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Apply an effect to each site beside one that fulfils a condition."""
    bodies, inner, apply = beside(c, ludeme, context)
    effect(c, apply, inner, joined(when, bodies))


@EFFECTS("note", "pass")
def _nothing(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Ignore effects that only inform players, since they change nothing."""


def _parts(ludeme: Ludeme) -> list[Ludeme]:
    items = [item for item in ludeme.unlabelled() if item.name != "then"]
    return list(items[0].items) if len(items) == 1 and items[0].shape == "list" else items


@EFFECTS("and", "or")
def _and(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    for part in _parts(ludeme):
        effect(c, part, context, when)


@EFFECTS("if")
def _if(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    test, *branches = _parts(ludeme)
    holds = condition(c, test, context)
    effect(c, branches[0], context, joined(when, c.compact("holds", holds, context)))
    if len(branches) > 1:
        effect(c, branches[1], context, joined(when, c.negated("otherwise", holds, context)))


@EFFECTS("moveAgain")
def _again(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    c.rule(Atom("again"), when)


@EFFECTS("set Pending")
def _set_pending(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Remember for the next move alone that something is pending, perhaps a site."""
    items = [item for item in ludeme.unlabelled()[1:] if item.name != "then"]
    c.needed.add("pending")
    if not items:
        c.rule(Atom("next", (Function("pending", (constant("yes"),)),)), when)
        return
    place = c.fresh("s")
    head = Atom("next", (Function("pending", (place,)),))
    c.rule(head, joined(when, region(c, items[0], context, place)))


@EFFECTS("set Counter")
def _set_counter(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    if len(ludeme.unlabelled()) > 1:
        raise Unsupported(ludeme)
    c.rule(Atom("counter_restarts"), when)


@EFFECTS("trigger")
def _trigger(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    name, who = ludeme.items[:2]
    for body, player in players(c, who, context):
        head = Atom("triggered", (constant(_event(name)), c.role(player)))
        c.rule(head, joined(when, [body]))


def _event(ludeme: Ludeme) -> str:
    return "".join(ch if ch.isalnum() else "_" for ch in ludeme.name).lower()


@CONDITIONS("is Triggered")
def _is_triggered(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    if not context.ending:
        raise Unsupported(ludeme)
    return [
        (*body, Atom("triggered", (constant(_event(ludeme.items[1])), c.role(player))))
        for body, player in players(c, ludeme.items[2], context)
    ]


@EFFECTS("remove")
def _remove(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    items = [item for item in ludeme.unlabelled() if item.name != "then"]
    late = (item := ludeme.get("at")) is not None and item.name == "EndOfTurn"
    if len(items) != 1 or any(item.label and not late for item in ludeme.items):
        raise Unsupported(ludeme)
    where = items[0]
    if late:
        c.needed.add("to_clear")
        place = c.fresh("s")
        for body in region(c, where, context, place):
            c.rule(Atom("marked", (place,)), joined(when, [body]))
        return
    if where.shape == "call" and not where.items and where.name in context.sites:
        c.clear(context, context.sites[where.name], when)
        return
    place = c.fresh("s")
    c.clear(context, place, joined(when, region(c, where, context, place)))


@EFFECTS("add")
def _add(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    given = next(iter(ludeme.calls("piece")), None)
    where = next(iter(ludeme.calls("to")), None)
    if where is None or not where.unlabelled():
        raise Unsupported(ludeme)
    if given and any(i.label not in ("", "state") for i in given.items):
        raise Unsupported(given)
    place = c.fresh("s")
    bodies = joined(when, region(c, where.unlabelled()[0], context, place))
    for body, piece in piece_of(c, given, ludeme, context):
        c.put(context, place, piece, joined(bodies, [body]))
        c.clear(context, place, joined(bodies, [body]))


def piece_of(
    c: Compiler, given: Ludeme | None, ludeme: Ludeme, context: Context
) -> list[tuple[Body, Term]]:
    """Return the piece that `(piece …)` means, with the state that it says."""
    if given is not None and (state := given.get("state")) is not None:
        plain = replace(given, items=tuple(item for item in given.items if item is not state))
        return [
            ((*body, *value.body, *rest), c.named(new))
            for body, piece in piece_of(c, plain, ludeme, context)
            for kind in c.equipment.kinds
            if kind.term == str(piece)
            for new in c.equipment.named(kind.full_name)
            if not new.value
            for value in numbers.values(c, state, context)
            for rest in c.holds(f"only_{new.state}", [(new.state,)], value.term)
        ]
    if given is None:
        return [((), c.named(piece)) for piece in c.equipment.owned(context.mover)[:1]]
    name = given.items[0]
    if name.shape == "text":
        found = c.equipment.named(name.name, context.mover) or c.equipment.named(name.name)
        owner = next((i for i in given.items[1:] if i.shape == "word"), None)
        if owner is not None:
            return [
                (body, c.named(piece))
                for body, pieces in pieces_of(c, owner, context)
                for piece in pieces
                if piece.name == name.name
            ]
        return [((), c.named(piece)) for piece in found[:1]]
    if name.shape == "call" and name.name in ("mover", "next"):
        return [
            (body, c.named(piece))
            for body, player in players(c, name, context)
            for piece in c.equipment.owned(player)[:1]
        ]
    if name.shape == "call" and name.name == "id" and name.items[0].shape == "text":
        owners = players(c, name.items[1], context) if len(name.items) > 1 else [((), None)]
        return [
            (body, c.named(piece))
            for body, player in owners
            for piece in c.equipment.named(name.items[0].name, player)[:1]
        ]
    if name.shape != "call":
        raise Unsupported(ludeme)
    return [
        ((*value.body, *rest), c.named(piece))
        for value in numbers.values(c, name, context)
        for index, piece in enumerate(c.equipment.kinds, start=1)
        if value.least <= index <= value.most
        for rest in c.holds(f"only_{index}", [(index,)], value.term)
    ]


@EFFECTS("promote")
def _promote(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    where = ludeme.unlabelled()[0]
    given = next(iter(ludeme.calls("piece")), None)
    if given is None:
        raise Unsupported(ludeme)
    if given.items[0].shape == "list" and len(given.items[0].items) == 1:
        given = replace(given, items=given.items[0].items)
    if given.items[0].shape == "list":
        raise Unsupported(ludeme)
    for body, place in site(c, where, context):
        for more, piece in piece_of(c, given, ludeme, context):
            bodies = joined(when, [(*body, *more)])
            c.put(context, place, piece, bodies)
            c.clear(context, place, bodies)


@EFFECTS("forEach Site")
def _for_each(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    where, inner = ludeme.unlabelled()[1:3]
    place = c.fresh("s")
    bodies = joined(when, region(c, where, context, place))
    effect(c, inner, context.at(site=place), bodies)


@EFFECTS("fromTo")
def _from_to(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    first = next(iter(ludeme.calls("from")), None)
    second = next(iter(ludeme.calls("to")), None)
    if first is None or second is None or ludeme.get("copy"):
        raise Unsupported(ludeme)
    if c.equipment.has_counts:
        c.move_count(ludeme, context, when)
        return
    if ludeme.get("count"):
        raise Unsupported(ludeme)
    for body, start in site(c, first.items[0], context):
        for more, end in site(c, second.items[0], context):
            piece = c.fresh("p")
            bodies = joined(when, [(*body, *more)])
            held = (c.cell(context, start, piece),)
            c.put(context, end, piece, joined(bodies, [held]))
            c.clear(context, start, bodies)
            c.clear(context, end, bodies)


@EFFECTS("set Score", "addScore")
def _score(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Set a score to a count, or add a count to it."""
    who, value = ludeme.unlabelled()[-2:]
    head = "scores" if ludeme.name == "set" else f"gains_{c.gain_numbers.get(ludeme.place, 1)}"
    c.needed.add("score")
    number = counting.number_of(c, value, context)
    if number is not None:
        values: list[tuple[Body, Term]] = [((), constant(number))]
        c.gains.add(number)
        if not 0 <= number <= c.most_score:
            raise Unsupported(value)
    else:
        values = []
        for one in numbers.values(c, value, context):
            if one.least < -c.most_score or one.most > c.most_score:
                raise Unsupported(value, "numbers that are too large")
            values.append((one.body, one.term))
            c.gains |= set(range(one.least, one.most + 1))
    count = c.equipment.players
    owners: list[tuple[Body, int]] = [((), p) for p in range(1, count + 1)]
    for body, player in owners if who.name == "Each" else players(c, who, context):
        for more, term in values:
            c.rule(Atom(head, (c.role(player), term)), joined(when, [(*body, *more)]))


_STAGES = 4
"""How many stages the consequences of a move can have."""


@MOVES("do")
def _do(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    """Keep the moves after which a condition holds, on the board that they lead to."""
    test = ludeme.get("ifAfterwards")
    c.real(context, ludeme)
    if test is None or ludeme.get("next"):
        raise Unsupported(ludeme)
    found = moves_of(c, ludeme.unlabelled()[0], context)
    for move in found:
        ready, after = _imagined(c, move, context)
        move.bodies = joined([(ready,)], condition(c, test, after))
    return found


def _imagined(c: Compiler, move: Move, context: Context) -> tuple[Atom, Context]:
    """Return what says that a move can be made, and the context of the board after it."""
    to = move.context.sites.get("to")
    start = move.context.sites.get("from", to)
    if move.action == "pass" or to is None or start is None:
        raise Unsupported(Ludeme("word", "do"), "a pass that is only looked at")
    places = tuple(dict.fromkeys(one for one in (start, to) if isinstance(one, Variable)))
    bare = Context(move.context.mover, sites={str(n): one for n, one in enumerate(places)})
    ready = c.relation("candidate", move.bodies, bare)
    ready = Atom(ready.relation, tuple(arg for arg in ready.args))
    acts = [str(effect) for effect, _, _ in move.applied]
    then = [str(one) for one in move.then]
    key = ("imagined", str(ready.relation), move.action, str(move.piece), str(acts), str(then))
    name = c.name("imagined", (*key, move.context.stage, move.context.mover))
    args = tuple(arg for arg in ready.args if isinstance(arg, Variable))
    inner = replace(move.context, imagined=(name, args))
    if name not in c.worlds:
        c.worlds[name] = World(ready, move.context, {move.context.stage + 1})
        emit_effects(c, move, ready, inner)
    stage = move.context.stage + _STAGES
    after = replace(inner.at(last_to=to, last_from=start), stage=stage, mover=context.mover)
    return ready, after
