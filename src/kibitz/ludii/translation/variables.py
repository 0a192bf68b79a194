"""Translate variables, remembered values, and states of pieces into fluents.

A variable holds a site or a number, as what is written into it says. Like the board it is looked at
in stages: what a move sets shows in the stage after.

A piece that can have states 0, 1 and 2 becomes three pieces, `disc0`, `disc0_1` and `disc0_2`, so
that whatever moves a piece moves its state along. Values are kept in the same way (`disc0_v1`).
"""

from __future__ import annotations

from dataclasses import replace

from kibitz.gdl import Atom, Function, Not, Rule, Term, Variable
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, constant, joined
from kibitz.ludii.translation.effects import EFFECTS
from kibitz.ludii.translation.equipment import Equipment, Piece
from kibitz.ludii.translation.expressions import PLAYERS, REGIONS, SITES, players, region, site
from kibitz.ludii.translation.problems import NotStatic, Unsupported
from kibitz.ludii.translation.values import VALUES, Value, is_value, of_piece, values


def _name(ludeme: Ludeme) -> Function:
    text = next((item.name for item in ludeme.items if item.shape == "text"), "value")
    return constant("".join(ch if ch.isalnum() else "_" for ch in text).lower())


@EFFECTS("remember Value", "forget Value")
def _remember(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    """Remember or forget a site or a number."""
    c.needed.add("remembered")
    items = [i for i in ludeme.unlabelled()[1:] if i.shape != "text" and i.name != "then"]
    name = _name(ludeme)
    head = "remembers" if ludeme.name == "remember" else "forgets"
    if head == "forgets" and (not items or items[0].name == "All"):
        value = c.fresh("v")
        every = joined(when, [(c.fluent("remembered", name, value),)])
        c.rule(Atom("forgets", (name, value)), every)
        c.forgets.append((context.stage, ludeme))
        c.rule(Atom(f"forgets_all_{context.stage}", (name,)), when)
        return
    if not items:
        raise Unsupported(ludeme)
    found = (
        [(one.body, one.term) for one in values(c, items[0], context)]
        if is_value(items[0]) or items[0].shape == "word"
        else site(c, items[0], context)
    )
    for body, term in found:
        c.rule(Atom(head, (name, term)), joined(when, [body]))
        if head == "remembers":
            c.remembers.append((context.stage, ludeme))
            c.rule(Atom(f"remembers_{context.stage}", (name, term)), joined(when, [body]))


@REGIONS("values Remembered")
def _remembered(c: Compiler, ludeme: Ludeme, context: Context, term: Term) -> Bodies:
    """Return what is remembered, also by the move that is being made."""
    c.real(context, ludeme)
    c.needed.add("remembered")
    name = _name(ludeme)
    now: Bodies = [(c.fluent("remembered", name, term),)]
    return now if not context.stage else [*now, (Atom("remembers", (name, term)),)]


def emit_memory(c: Compiler) -> None:
    """Add the rules for what is remembered in the next position."""
    name, value = c.fresh("v"), c.fresh("n")
    head = Atom("next", (Function("remembered", (name, value)),))
    for stage in {stage for stage, _ in c.remembers}:
        later = {one for one, _ in c.forgets if one > stage}
        gone = (Not(Atom(f"forgets_all_{one}", (name,))) for one in sorted(later))
        c.rule(head, [(Atom(f"remembers_{stage}", (name, value)), *gone)])
    for stage, ludeme in c.remembers:
        for other, forget in c.forgets:
            if stage == other and ludeme.place.start < forget.place.start:
                c.problems.add(Unsupported(forget, "after something was remembered"))
    kept = (c.fluent("remembered", name, value), Not(Atom("forgets", (name, value))))
    c.rule(head, [kept])


_MOST = 400
UNSET = -1
"""The number that a variable has before it is set."""


def _variable_name(ludeme: Ludeme) -> str:
    text = next((item.name for item in ludeme.items if item.shape == "text"), "value")
    return "".join(ch if ch.isalnum() else "_" for ch in text).lower()


def _written(c: Compiler, name: str) -> list[Ludeme]:
    """Return everything that is written into a variable anywhere in the sheet."""
    found = []
    for one in c.game.walk():
        if one.kind == "set Var" and _variable_name(one) == name:
            items = [i for i in one.unlabelled()[1:] if i.shape != "text" and i.name != "then"]
            found += items[:1]
    return found


def is_site_variable(c: Compiler, ludeme: Ludeme) -> bool:
    """Return whether a variable holds sites, which is so if all that is written into it are."""
    written = _written(c, _variable_name(ludeme))
    return bool(written) and not any(_is_number(c, one) for one in written)


def _is_number(c: Compiler, ludeme: Ludeme) -> bool:
    if is_value(ludeme) or ludeme.shape == "word" or ludeme.name in ("mover", "next", "player"):
        return True
    return ludeme.name in ("count", "counter", "size", "id")


def _literal(context: Context, name: str, value: Term) -> Atom:
    return Atom(f"@var {context.stage}", (constant(name), value))


@SITES("var")
def _site(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, Term]]:
    """Return the site that a variable holds."""
    c.real(context, ludeme)
    if not is_site_variable(c, ludeme):
        raise Unsupported(ludeme)
    c.needed.add("var")
    place = c.fresh("s")
    return [((_literal(context, _variable_name(ludeme), place),), place)]


@VALUES("var")
def _value(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    c.real(context, ludeme)
    if is_site_variable(c, ludeme):
        raise Unsupported(ludeme, "a site as a number")
    c.needed.add("var")
    name, number, some = _variable_name(ludeme), c.fresh("n"), c.fresh("n")
    known = [_bounds(c, one) for one in _written(c, name)]
    least, most = min((a for a, _ in known), default=0), max((b for _, b in known), default=0)
    unset = c.relation(f"{name}_is_set", [(_literal(context, name, some),)], Context(1))
    return [
        Value((_literal(context, name, number),), number, least, most),
        Value((Not(unset),), constant(UNSET), UNSET, UNSET),
    ]


@PLAYERS("var")
def _player(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, int]]:
    name = _variable_name(ludeme)
    c.needed.add("var")
    return [
        ((_literal(context, name, constant(player)),), player)
        for player in range(1, c.equipment.players + 1)
    ]


def _bounds(c: Compiler, ludeme: Ludeme) -> tuple[int, int]:
    try:
        number = c.statics.integer(ludeme)
    except NotStatic:
        return 0, min(_MOST, max(len(c.equipment.sites) + c.most_in_hand, c.equipment.players))
    return number, number


@EFFECTS("set Var")
def _set(c: Compiler, ludeme: Ludeme, context: Context, when: Bodies) -> None:
    items = [i for i in ludeme.unlabelled()[1:] if i.shape != "text" and i.name != "then"]
    name = _variable_name(ludeme)
    c.needed.add("var")
    c.variable_stages.add(context.stage + 1)
    alternatives: list[tuple[Body, Term]] = []
    if not items:
        raise Unsupported(ludeme)
    if is_site_variable(c, ludeme):
        alternatives = site(c, items[0], context)
    elif items[0].name in ("mover", "next", "prev", "player"):
        found = players(c, items[0], context)
        alternatives = [(body, constant(player)) for body, player in found]
    else:
        alternatives = [(value.body, value.term) for value in values(c, items[0], context)]
    for body, term in alternatives:
        bodies = joined(when, [body])
        c.rule(Atom(f"@varput {context.stage + 1}", (constant(name), term)), bodies)


def variable_rules(c: Compiler) -> list[Rule]:
    """Return the rules for variables in each stage and in the next position."""
    if "var" not in c.needed:
        return []
    found: list[Rule] = []
    name, value, other = c.fresh("v"), c.fresh("n"), c.fresh("m")
    stages = sorted(c.variable_stages)
    for stage in stages:
        head = Atom(f"@var {stage}", (name, value))
        put = f"@varput {stage}"
        found.append(Rule(head, (Atom(put, (name, value)),)))
        found.append(Rule(Atom(f"{put} any", (name,)), (Atom(put, (name, other)),)))
        kept = (Atom(f"@var {stage - 1}", (name, value)), Not(Atom(f"{put} any", (name,))))
        found.append(Rule(head, kept))
    last = Atom(f"@var {stages[-1] if stages else 0}", (name, value))
    found.append(Rule(Atom("next", (Function("var", (name, value)),)), (last,)))
    return found


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
