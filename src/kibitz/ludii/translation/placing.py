"""Translate ludemes of other moves into Moves: placing, dropping, shooting, removing, passing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kibitz.gdl import Term
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.captures import custody
from kibitz.ludii.translation.core import Body, Compiler, Context, joined
from kibitz.ludii.translation.effects import piece_of
from kibitz.ludii.translation.equipment import Piece
from kibitz.ludii.translation.expressions import condition, players, region
from kibitz.ludii.translation.moves import MOVES, Move
from kibitz.ludii.translation.problems import Unsupported
from kibitz.ludii.translation.travel import allowed, binding, effect_of, start_of
from kibitz.ludii.translation.values import values


@MOVES("move Shoot")
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


@MOVES("move Add")
def _add(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    given = next(iter(ludeme.calls("piece")), None)
    where = next(iter(ludeme.calls("to")), None)
    if where is None or not where.unlabelled() or ludeme.get("count") or ludeme.get("stack"):
        raise Unsupported(ludeme)
    if given is None:
        pieces = c.equipment.owned(context.mover)[:1]
    else:
        if given.get("state") is not None:
            return _placed(c, piece_of(c, given, ludeme, context), where, context)
        if any(item.label for item in given.items):
            raise Unsupported(given)
        listed = given.items[0]
        names = listed.items if listed.shape == "list" else (listed,)
        pieces = []
        for name in names:
            if name.shape == "text":
                pieces += c.equipment.named(name.name, None)[:1] or []
            elif name.shape == "call" and name.name in ("mover", "next"):
                ((_, owner),) = players(c, name, context)
                pieces += c.equipment.owned(owner)[:1]
            elif name.shape == "call" and name.name == "id" and name.items[0].shape == "text":
                owners = players(c, name.items[1], context) if len(name.items) > 1 else []
                who = owners[0][1] if owners else None
                pieces += c.equipment.named(name.items[0].name, who)[:1]
            else:
                return _add_by_number(c, ludeme, name, where, context)
    if not pieces:
        raise Unsupported(ludeme, "no piece to add")
    return _placed(c, [((), c.named(piece)) for piece in pieces], where, context)


def _placed(
    c: Compiler, pieces: Iterable[tuple[Body, Term]], where: Ludeme, context: Context
) -> list[Move]:
    """Return the moves that place pieces, each under its condition."""
    found = []
    for body, piece in pieces:
        end = c.fresh("t")
        inner = context.at(**{"from": end, "to": end})
        bodies = joined([body], region(c, where.unlabelled()[0], context, end))
        if test := where.get("if"):
            bodies = joined(bodies, condition(c, test, inner))
        move = Move("place", (piece, end), inner, bodies, "add", piece=piece)
        if effect := effect_of(where):
            move.applied.append((effect, inner, [()]))
        found.append(move)
    return found


@MOVES("append")
def _append(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    """Place a piece and capture in all directions at once, where there is something to capture."""
    inner = ludeme.items[0]
    place = context.sites.get("site")
    if inner.name != "custodial" or place is None:
        raise Unsupported(ludeme)
    caught, over, result = custody(c, inner, context)
    if result.name != "allCombinations" or result.items[0].name != "add":
        raise Unsupported(result)
    added, rest = result.items[:2]
    given = next(iter(added.calls("piece")), None)
    some = c.relation("can_capture_from", caught, context)
    found = []
    for body, piece in piece_of(c, given, added, context):
        here = context.at(**{"from": place, "to": place})
        move = Move("place", (piece, place), here, [(some, *body)], "add", piece=piece)
        move.applied.append((rest, over, caught))
        found.append(move)
    return found


def _add_by_number(
    c: Compiler, ludeme: Ludeme, number: Ludeme, where: Ludeme, context: Context
) -> list[Move]:
    """Place the piece whose number among all kinds is computed."""
    found = []
    for index, piece in enumerate(c.equipment.kinds, start=1):
        for value in values(c, number, context):
            if not value.least <= index <= value.most:
                continue
            exact = joined([value.body], c.holds(f"only_{index}", [(index,)], value.term))
            chosen = Ludeme("call", "piece", (Ludeme("text", piece.full_name),), "", number.place)
            items = (Ludeme("word", "Add"), chosen, where)
            found += [move.when(exact) for move in _add(c, replace(ludeme, items=items), context)]
    return found


@MOVES("move Remove")
def _remove(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    items = [item for item in ludeme.unlabelled()[1:] if item.name != "then"]
    if len(items) != 1 or any(item.label for item in ludeme.items):
        raise Unsupported(ludeme)
    end = c.fresh("t")
    inner = context.at(**{"from": end, "to": end})
    bodies = joined(region(c, items[0], context, end), [(c.occupied(context, end),)])
    return [Move("remove", (end,), inner, bodies, "remove")]


@MOVES("move Select")
def _select(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    first = next(iter(ludeme.calls("from")), None)
    second = next(iter(ludeme.calls("to")), None)
    if first is None:
        raise Unsupported(ludeme)
    bodies, start = start_of(c, ludeme, context)
    inner = context.at(**{"from": start, "to": start})
    if second is None:
        return [Move("select", (start,), inner, bodies, "select")]
    if not second.unlabelled() or second.calls("apply"):
        raise Unsupported(second)
    end = c.fresh("t")
    outer = context.at(**{"from": start})
    bodies = joined(bodies, region(c, second.unlabelled()[0], outer, end))
    inner = binding(context, start, end)
    if test := second.get("if"):
        bodies = joined(bodies, condition(c, test, inner))
    return [Move("select", (start, end), inner, bodies, "select")]


@MOVES("move Promote")
def _promote(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    """Replace a piece by one of some others."""
    given = next(iter(ludeme.calls("piece")), None)
    items = [item for item in ludeme.unlabelled()[1:] if item.name not in ("then", "piece")]
    if given is None or not items or len(given.items) != 1:
        raise Unsupported(ludeme)
    listed = given.items[0].items if given.items[0].shape == "list" else given.items
    owners = players(c, items[1], context) if len(items) > 1 else [((), context.mover)]
    found = []
    for body, owner in owners:
        for name in listed:
            if name.shape != "text":
                return _promote_by_number(c, given, ludeme, items[0], context)
            for piece in c.equipment.named(name.name, owner):
                end = c.fresh("t")
                inner = context.at(**{"from": end, "to": end})
                bodies = joined([body], region(c, items[0], context, end))
                term = c.named(piece)
                found.append(Move("promote", (term, end), inner, bodies, "add", piece=term))
    return found


def _promote_by_number(
    c: Compiler, given: Ludeme, ludeme: Ludeme, where: Ludeme, context: Context
) -> list[Move]:
    """Replace a piece by one whose number is computed."""
    found = []
    for body, piece in piece_of(c, given, ludeme, context):
        end = c.fresh("t")
        inner = context.at(**{"from": end, "to": end})
        bodies = joined([body], region(c, where, context, end))
        found.append(Move("promote", (piece, end), inner, bodies, "add", piece=piece))
    return found


@MOVES("move Pass")
def _pass(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    return [Move("pass", (), context, [()], "pass")]


@MOVES("move")
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
        return _drop(c, copy, context, source, first, second, target)
    begin, start = start_of(c, ludeme, context)
    end = c.fresh("t")
    inner = binding(context, start, end)
    if target is None:
        raise Unsupported(second)
    outer = context.at(**{"from": start})
    bodies = joined(begin, [(c.occupied(outer, start),)], region(c, target, outer, end))
    if test := second.get("if"):
        bodies = joined(bodies, condition(c, test, inner))
    bodies = joined(bodies, allowed(c, ludeme, inner))
    move = Move("move", (start, end), inner, bodies, "copy" if copy else "relocate")
    if effect := effect_of(second):
        move.applied.append((effect, inner, [()]))
    return [move]


def _is_hand(ludeme: Ludeme) -> bool:
    container = ludeme.get("container") if ludeme.shape == "call" else None
    return (
        ludeme.name == "handSite"
        or ludeme.kind == "sites Hand"
        or (ludeme.kind == "sites Occupied" and container is not None and container.shape != "text")
    )


def _with_piece(c: Compiler, ludeme: Ludeme, piece: Piece) -> Ludeme:
    """Write the number of the piece in hand, or of its owner, where a ludeme asks for it."""
    at = ludeme.get("at") if ludeme.shape == "call" else None
    if ludeme.name in ("what", "who") and at is not None and at.name == "from" and not at.items:
        kinds = [one.full_name for one in c.equipment.kinds]
        number = piece.owner if ludeme.name == "who" else kinds.index(piece.full_name) + 1
        return Ludeme("word", str(number), (), ludeme.label, ludeme.place)
    return replace(ludeme, items=tuple(_with_piece(c, item, piece) for item in ludeme.items))


def _drop(
    c: Compiler,
    copy: bool,
    context: Context,
    source: Ludeme,
    first: Ludeme,
    second: Ludeme,
    target: Ludeme | None,
) -> list[Move]:
    """Move a piece from a hand to the board."""
    owner = source.get("by") or next(
        (item for item in source.items if item.name not in ("Hand", "Occupied")), None
    )
    if owner is None or target is None or len(source.unlabelled()) > 2:
        raise Unsupported(source)
    index = source.items[1] if source.name == "handSite" and len(source.items) > 1 else None
    found = []
    for body, player in players(c, owner, context):
        for piece in c.equipment.pieces:
            if c.in_hand.get((player, piece.term), 0) <= 0:
                continue
            place = c.statics.integer(index) if index is not None else None
            if place is not None and c.hand_places.get((player, place)) != piece.term:
                continue
            end, number = c.fresh("t"), c.fresh("n")
            inner = context.at(to=end)
            term = c.named(piece)
            held = c.hand(context, player, term, number)
            goal = _with_piece(c, target, piece)
            bodies = joined([(*body, held)], region(c, goal, context, end))
            for one in (first, second):
                if test := one.get("if"):
                    bodies = joined(bodies, condition(c, _with_piece(c, test, piece), inner))
            if player == 0 and not copy:
                raise Unsupported(source, "pieces that leave a shared hand")
            action = "add" if copy else f"drop {player}"
            move = Move("drop", (term, end), inner, bodies, action, piece=term)
            if effect := effect_of(second):
                move.applied.append((effect, inner, [()]))
            found.append(move)
    return found
