"""Variables of a sheet in, fluents `(var NAME VALUE)` and rules for them out.

A variable holds a site or a number, as what is written into it says. Like the board it is looked at
in stages: what a move sets shows in the stage after.
"""

from __future__ import annotations

from kibitz.gdl import Atom, Function, Not, Rule, Term
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, constant, joined
from kibitz.ludii.translation.effects import EFFECTS
from kibitz.ludii.translation.expressions import PLAYERS, SITES, players, site
from kibitz.ludii.translation.problems import NotStatic, Unsupported
from kibitz.ludii.translation.values import VALUES, Value, is_value, values

__all__ = ["is_site_variable", "variable_rules"]

_MOST = 400
UNSET = -1
"""The number that a variable has before it is set."""


def _name(ludeme: Ludeme) -> str:
    text = next((item.name for item in ludeme.items if item.shape == "text"), "value")
    return "".join(ch if ch.isalnum() else "_" for ch in text).lower()


def _written(c: Compiler, name: str) -> list[Ludeme]:
    """Return everything that is written into a variable anywhere in the sheet."""
    found = []
    for one in c.game.walk():
        if one.kind == "set Var" and _name(one) == name:
            items = [i for i in one.unlabelled()[1:] if i.shape != "text" and i.name != "then"]
            found += items[:1]
    return found


def is_site_variable(c: Compiler, ludeme: Ludeme) -> bool:
    """Return whether a variable holds sites, which is so if all that is written into it are."""
    written = _written(c, _name(ludeme))
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
    return [((_literal(context, _name(ludeme), place),), place)]


@VALUES("var")
def _value(c: Compiler, ludeme: Ludeme, context: Context) -> list[Value]:
    c.real(context, ludeme)
    if is_site_variable(c, ludeme):
        raise Unsupported(ludeme, "a site as a number")
    c.needed.add("var")
    name, number, some = _name(ludeme), c.fresh("n"), c.fresh("n")
    known = [_bounds(c, one) for one in _written(c, name)]
    least, most = min((a for a, _ in known), default=0), max((b for _, b in known), default=0)
    unset = c.relation(f"{name}_is_set", [(_literal(context, name, some),)], Context(1))
    return [
        Value((_literal(context, name, number),), number, least, most),
        Value((Not(unset),), constant(UNSET), UNSET, UNSET),
    ]


@PLAYERS("var")
def _player(c: Compiler, ludeme: Ludeme, context: Context) -> list[tuple[Body, int]]:
    name = _name(ludeme)
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
    name = _name(ludeme)
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
