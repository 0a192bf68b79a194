"""Translate move ludemes into Moves: when a player may make them, and what they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import cast

from kibitz.gdl import Atom, Distinct, Function, Not, Term, Variable
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.core import Bodies, Compiler, Context, Registry, joined
from kibitz.ludii.translation.equipment import player_number
from kibitz.ludii.translation.expressions import CONDITIONS, condition, players, region
from kibitz.ludii.translation.problems import Unsupported, reading

_MOST_VALUES = 40

MOVES = Registry()
"""Functions from a compiler, a ludeme and a context to moves."""

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
    if ludeme.shape == "call" and ludeme.name in ("hop", "step", "slide", "leap"):
        words = (Ludeme("word", ludeme.name.capitalize()), *ludeme.items)
        return moves_of(c, replace(ludeme, name="move", items=words), context)
    function = MOVES.get(ludeme.kind) or MOVES.get(ludeme.name)
    if ludeme.shape != "call" or function is None:
        raise Unsupported(ludeme)
    with reading(ludeme):
        found = cast("Callable[..., list[Move]]", function)(c, ludeme, context)
    consequences = [item.items[0] for item in ludeme.calls("then") if item.items]
    for move in found:
        move.then = [*move.then, *consequences]
    return found


def _parts(ludeme: Ludeme) -> list[Ludeme]:
    items = [item for item in ludeme.unlabelled() if item.name != "then"]
    return list(items[0].items) if len(items) == 1 and items[0].shape == "list" else items


@MOVES("or", "and")
def _or(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    return [move for part in _parts(ludeme) for move in moves_of(c, part, context)]


@MOVES("if")
def _if(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    test, *branches = [item for item in ludeme.unlabelled() if item.name != "then"]
    holds = condition(c, test, context)
    fails: Bodies = []
    if len(branches) > 1:
        fails = c.negated(test.kind, holds, context)
        if len(fails) == 1 and fails[0] and isinstance(no := fails[0][0], Not):
            holds = [(no.formula,)]  # both branches ask for one relation
    return [
        move.when(when)
        for when, branch in zip((holds, fails), branches, strict=False)
        if when
        for move in moves_of(c, branch, context)
    ]


@MOVES("priority")
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


@MOVES("forEach Piece")
def _for_each_piece(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    rest = [item for item in ludeme.unlabelled()[1:] if item.name != "then"]
    names = [item.name for item in rest if item.shape == "text"]
    names += [i.name for item in rest if item.shape == "list" for i in item.items]
    given = next((item for item in rest if item.shape == "call"), None)
    role = next((item for item in rest if item.shape == "word"), None)
    known = {"container"}
    if any(item.label and item.label not in known for item in ludeme.items):
        raise Unsupported(ludeme)
    found: list[Move] = []
    if role is not None and (number := player_number(role)):
        plain = replace(ludeme, items=tuple(item for item in ludeme.items if item is not role))
        return _for_each_piece(c, plain, replace(context, mover=number, settled=False))
    if role is not None and role.name in ("Next", "Prev"):
        plain = replace(ludeme, items=tuple(item for item in ludeme.items if item is not role))
        for body, player in players(c, role, context):
            other = replace(context, mover=player, settled=False)
            found += [move.when([body]) for move in _for_each_piece(c, plain, other)]
        return found
    if role is not None and role.name not in ("Mover", "Neutral", "Shared", "All"):
        raise Unsupported(ludeme)
    owner = 0 if role is not None and role.name in ("Neutral", "Shared") else context.mover
    every = role is not None and role.name == "All"
    for piece in c.equipment.pieces if every else c.equipment.owned(owner):
        if names and piece.name not in names and piece.full_name not in names:
            continue
        ludemes = given or piece.moves
        if ludemes is None:
            continue
        c.moves_of_pieces.append(ludemes)
        start = c.fresh("f")
        facing = piece.facing or c.equipment.facing.get(context.mover, "N")
        inner = replace(context.at(**{"from": start}), facing=facing)
        here: Bodies = [(c.cell(context, start, c.named(piece)),)]
        found += [move.when(here) for move in moves_of(c, ludemes, inner)]
    return found


def beside(c: Compiler, ludeme: Ludeme, context: Context) -> tuple[Bodies, Context, Ludeme]:
    """Read `(forEach Direction (from …) directions (to if:… (apply …)))`."""
    given = next(iter(ludeme.calls("from")), None)
    second = next(iter(ludeme.calls("to")), None)
    apply = next(iter(second.calls("apply")), None) if second is not None else None
    if second is None or apply is None or not apply.items or ludeme.calls("between"):
        raise Unsupported(ludeme)
    words = [
        item
        for item in ludeme.unlabelled()[1:]
        if item.shape in ("word", "list") or item.name == "directions"
    ]
    names = c.names(words, context) or ["Adjacent"]
    start, end = c.fresh("f"), c.fresh("t")
    bodies: Bodies = [()]
    if given is not None and given.items:
        bodies = region(c, given.items[0], context, start)
    elif isinstance(known := context.sites.get("from"), Variable):
        start = known
    else:
        raise Unsupported(ludeme)
    inner = context.at(**{"from": start, "to": end})
    bodies = joined(bodies, c.pairs("step_" + "_".join(names), names, start, end))
    if test := second.get("if"):
        bodies = joined(bodies, condition(c, test, inner))
    return bodies, inner, apply.items[0]


@MOVES("forEach Direction")
def _for_each_direction(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    bodies, inner, apply = beside(c, ludeme, context)
    return [move.when(bodies) for move in moves_of(c, apply, inner)]


@MOVES("forEach Player")
def _for_each_player(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    inner = [item for item in ludeme.unlabelled()[1:] if item.name != "then"][-1]
    found: list[Move] = []
    for player in range(1, c.equipment.players + 1):
        role = Ludeme("word", f"P{player}", (), "", inner.place)
        found += moves_of(c, _with(inner, ("Player", "player"), role), context)
    return found


@MOVES("forEach Value")
def _for_each_value(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    least, most = ludeme.get("min"), ludeme.get("max")
    if least is None or most is None:
        raise Unsupported(ludeme)
    statics = c.statics.for_player(context.mover)
    numbers = range(statics.integer(least), statics.integer(most) + 1)
    if len(numbers) > _MOST_VALUES:
        raise Unsupported(ludeme, "so many values")
    inner = [item for item in ludeme.unlabelled()[1:] if item.name != "then"][-1]
    found: list[Move] = []
    for number in numbers:
        word = Ludeme("word", str(number), (), "", inner.place)
        found += moves_of(c, _with(inner, ("value",), word), context)
    return found


def _with(ludeme: Ludeme, names: tuple[str, ...], put: Ludeme) -> Ludeme:
    """Write something in the place of words and of ludemes without items that have a name."""
    if ludeme.name in names and not ludeme.items and ludeme.shape in ("word", "call"):
        return replace(put, label=ludeme.label)
    return replace(ludeme, items=tuple(_with(item, names, put) for item in ludeme.items))


@MOVES("move Swap")
def _swap(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    """Exchange the pieces on two sites."""
    items = [item for item in ludeme.unlabelled()[1:] if item.name != "then"]
    if len(items) != 3 or items[0].name != "Pieces":
        raise Unsupported(ludeme)
    start, end = c.fresh("f"), c.fresh("t")
    inner = context.at(**{"from": start, "to": end})
    bodies = joined(
        region(c, items[1], context, start),
        region(c, items[2], context.at(**{"from": start}), end),
        [(Distinct(start, end),)],
    )
    both = (Ludeme("call", "from"), Ludeme("call", "to"))
    exchange = Ludeme("call", "swap", (Ludeme("word", "Pieces"), *both), "", ludeme.place)
    move = Move("exchange", (start, end), inner, bodies, "select")
    move.applied.append((exchange, inner, [()]))
    return [move]


@MOVES("forEach Site")
def _for_each_site(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    where, inner = ludeme.unlabelled()[1:3]
    place = c.fresh("s")
    inside = region(c, where, context, place)
    return [m.when(inside) for m in moves_of(c, inner, context.at(site=place))]


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
    found = players(c, who, context)
    if context.settled and who.name == "Next":
        return [
            (*body, c.control(player), Not(Atom("has_move", (c.role(player),))))
            for body, player in found
        ]
    if not (context.ending or context.settled) or who.name == "Next":
        raise Unsupported(ludeme)
    # That others than the next player have no moves is known from their last turn, a forced pass.
    role = c.role(context.mover)
    passed = (c.makes(context.mover, Function("pass")), Not(Atom("has_move", (role,))))
    if context.settled or any(player != context.mover for _, player in found):
        c.needed.add("was_stuck")
    return [
        (*body, *passed)
        if context.ending and player == context.mover
        else (*body, c.fluent("was_stuck", c.role(player)))
        for body, player in found
    ]


@CONDITIONS("is Threatened")
def _is_threatened(c: Compiler, ludeme: Ludeme, context: Context) -> Bodies:
    """A piece is threatened if another player has a move to its site."""
    target, at = ludeme.items[1], ludeme.get("at")
    known = len(ludeme.items) == (2 if at is None else 3)
    if not known or target.name != "id" or target.items[0].shape != "text":
        raise Unsupported(ludeme)
    owners = players(c, target.items[1], context) if len(target.items) > 1 else [((), 0)]
    place = c.fresh("k")
    found: Bodies = []
    every = Ludeme("call", "forEach", (Ludeme("word", "Piece"),), "", ludeme.place)
    for body, owner in owners:
        for piece in c.equipment.named(target.items[0].name, owner or None):
            here: Bodies = [(*body, c.cell(context, place, c.named(piece)))]
            if at is not None:  # the site as it is, whether or not the piece is there
                here = joined([body], region(c, at, context, place))
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
