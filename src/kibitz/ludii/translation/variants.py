"""States and values of pieces in, literals and rules out: each is a kind of piece of its own.

A piece that can have states 0, 1 and 2 becomes three pieces, `disc0`, `disc0_1` and `disc0_2`, so
that whatever moves a piece moves its state along. Values are kept in the same way (`disc0_v1`).
"""

from __future__ import annotations

from dataclasses import replace

from kibitz.gdl import Atom, Function, Not, Term, Variable
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation.core import Bodies, Compiler, Context, constant, joined
from kibitz.ludii.translation.effects import EFFECTS
from kibitz.ludii.translation.equipment import Equipment, Piece
from kibitz.ludii.translation.expressions import REGIONS, region, site
from kibitz.ludii.translation.problems import Unsupported
from kibitz.ludii.translation.values import VALUES, Value, of_piece, values

__all__ = ["add_variants", "variant"]

_MOST_VARIANTS = 9
_MOST_NUMBER = 20


def add_variants(equipment: Equipment, game: Ludeme) -> None:
    """Add a kind of piece for each state and value that a piece can have."""
    found: dict[tuple[str, int], set[tuple[int, int]]] = {}
    everywhere: dict[str, set[int]] = {"state": {0}, "value": {0}}
    for one in game.walk():
        if one.shape != "call":
            continue
        if one.kind in ("set State", "set Value") and one.get("at") is not None:
            label = "state" if one.kind == "set State" else "value"
            everywhere[label] |= _numbers(one.items[-1], equipment)
        if one.name in ("place", "piece") and one.items and one.items[0].shape == "text":
            given = {
                label: _numbers(item, equipment) if (item := one.get(label)) else {0}
                for label in ("state", "value")
            }
            for piece in equipment.named(one.items[0].name):
                key = (piece.name, piece.owner)
                for state in given["state"]:
                    found.setdefault(key, set()).update((state, v) for v in given["value"])
    base = list(equipment.pieces)
    for piece in base:
        kinds = found.get((piece.name, piece.owner), set()) | {(0, 0)}
        states = {s for s, _ in kinds} | everywhere["state"] | set(piece.flips)
        kinds |= {(s, v) for s in states for _, v in kinds}
        kinds |= {(s, v) for s, _ in kinds for v in everywhere["value"]}
        if len(kinds) > _MOST_VARIANTS:
            raise Unsupported(game, "pieces with so many states")
        equipment.pieces += [replace(piece, state=s, value=v) for s, v in sorted(kinds) if s or v]


def _numbers(ludeme: Ludeme, equipment: Equipment) -> set[int]:
    """Return the numbers that a state can be set to."""
    if ludeme.shape == "word" and ludeme.name.isdigit() and int(ludeme.name) <= _MOST_NUMBER:
        return {int(ludeme.name)}
    players = set(range(1, equipment.players + 1))
    if ludeme.shape == "call" and ludeme.name in ("mover", "next", "player", "prev", "who"):
        return players
    if ludeme.shape == "call" and ludeme.name == "if" and len(ludeme.items) == 3:
        return _numbers(ludeme.items[1], equipment) | _numbers(ludeme.items[2], equipment)
    if ludeme.shape == "call" and ludeme.name == "abs":
        return {0, 1}
    if ludeme.shape == "call" and ludeme.name == "%" and ludeme.items[-1].name.isdigit():
        return set(range(min(int(ludeme.items[-1].name), _MOST_NUMBER)))
    if ludeme.shape == "call" and ludeme.name in ("state", "value"):
        return set()  # those that are there
    raise Unsupported(ludeme, "as the state of a piece")


def variant(c: Compiler, piece: Piece, **changes: int) -> Piece:
    """Return the same piece with another state or value."""
    wanted = replace(piece, **changes)  # type: ignore[arg-type]
    if wanted not in c.equipment.pieces:
        raise Unsupported(Ludeme("word", wanted.full_name), "a state that no piece has")
    return wanted


@VALUES("state", "value Piece")
def _state(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    """The state or value of the piece on a site; 0 where there is none."""
    at = ludeme.get("at")
    if at is None or ludeme.get("level"):
        raise Unsupported(ludeme)
    is_state = ludeme.name == "state"
    rows = [(p.term, p.state if is_state else p.value) for p in c.equipment.pieces]
    found = of_piece(c, f"{'state' if is_state else 'value'}_of", rows, at, context)
    if not is_state or not c.keeps_states:
        return found
    c.real(context, ludeme)
    found = [value for value in found if isinstance(value.term, Variable)]
    for body, place in site(c, at, context):
        here, number = context.at(counted=place), c.fresh("n")
        kept = Atom(f"@var {context.stage}", (Function("state", (place,)), number))
        unset = Not(c.relation("keeps_state", [(kept,)], here))
        for empty in c.empty(here, place):
            found.append(Value((*body, *empty, kept), number, 0, _MOST_NUMBER))
            found.append(Value((*body, *empty, unset), constant(0), 0, 0))
    return found


@REGIONS("sites State")
def _sites_of_state(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return the sites whose pieces have a state."""
    given = [i for i in ludeme.unlabelled()[1:] if i.name not in ("Cell", "Vertex")]
    if c.keeps_states:
        raise Unsupported(ludeme, "where empty sites have states")
    piece, found = c.fresh("p"), list[tuple[Value, Bodies]]()
    rows = [(p.term, p.state) for p in c.equipment.pieces]
    for value in values(c, given[0], context):
        found.append((value, c.holds("state_of", rows, piece, value.term)))
    return [
        (*value.body, c.cell(context, term, piece), *one) for value, rest in found for one in rest
    ]


@EFFECTS("set State", "set Value")
def _set_state(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    at = ludeme.get("at")
    items = [i for i in ludeme.unlabelled()[1:] if i.name not in ("Cell", "Vertex", "then")]
    if at is None or ludeme.get("level") or len(items) != 1:
        raise Unsupported(ludeme)
    is_state = ludeme.kind == "set State"
    rows = [
        (a.term, b.state if is_state else b.value, b.term)
        for a in c.equipment.pieces
        for b in c.equipment.pieces
        if (a.name, a.owner) == (b.name, b.owner)
        and (a.value == b.value if is_state else a.state == b.state)
    ]
    for body, place in site(c, at, context):
        for value in values(c, items[0], context):
            bodies = joined(when, [(*body, *value.body)])
            _turned(c, context, place, rows, value.term, bodies)
            if is_state and c.keeps_states:
                _kept(c, context, place, value, bodies)


def _kept(c: Compiler, context: Context, place: Term, value: Value, bodies: Bodies) -> None:
    """Keep the state of an empty site, until it is set again or something is put there."""
    stage, key = context.stage + 1, Function("state", (place,))
    c.needed.add("var")
    c.variable_stages.add(stage)
    empty = joined(bodies, c.empty(context.at(counted=place), place))
    others = [(n,) for n in range(max(1, value.least), value.most + 1)]
    c.rule(
        Atom(f"@varput {stage}", (key, value.term)),
        joined(empty, c.holds("a_state", others, value.term)),
    )
    c.rule(Atom(f"@varput {stage} any", (key,)), empty)


@EFFECTS("flip")
def _flip(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Turn pieces over: from one of their two states to the other."""
    items = [item for item in ludeme.unlabelled() if item.name not in ("then", "Cell", "Vertex")]
    where = items[0] if items else Ludeme("call", "to", (), "", ludeme.place)
    rows = [
        (a.term, "flip", variant(c, a, state=b).term)
        for a in c.equipment.pieces
        if a.flips and a.state in a.flips
        for b in a.flips
        if b != a.state
    ]
    place = c.fresh("s")
    bodies = joined(when, region(c, where, context, place))
    _turned(c, context, place, rows, constant("flip"), bodies)


def _turned(
    c: Compiler,
    context: Context,
    place: Term,
    rows: list[tuple[str, int, str]] | list[tuple[str, str, str]],
    value: Term,
    bodies: Bodies,
) -> None:
    old, new = c.fresh("p"), c.fresh("p")
    changed = joined(
        bodies, [(c.cell(context, place, old),)], c.holds("becomes", rows, old, value, new)
    )
    c.put(context, place, new, changed)
    c.clear(context, place, changed)
