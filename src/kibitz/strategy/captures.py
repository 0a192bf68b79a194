"""Game and role in; out the formula that says of a move that something of the role is taken.

Something is taken where a place has a thing of the role before the move, and none after it.
"""

from __future__ import annotations

from kibitz.attached import Attached
from kibitz.engine import CompiledGame, Role
from kibitz.gdl import Function
from kibitz.strategy.ownership import owned_things, random_steps
from kibitz.strategy.tree import Formula, Holds, Next, conjunction, disjunction, negation

__all__ = ["something_is_taken", "taken"]

_KNOWN: Attached[CompiledGame, dict[Role, Formula]] = Attached()
_SEEN: Attached[CompiledGame, bool] = Attached()


def taken(game: CompiledGame, role: Role) -> Formula:
    """Return the formula that something of a role is taken; it is false if it owns nothing.

    >>> from kibitz.games import load_sheet
    >>> len(taken(CompiledGame(load_sheet("breakthrough:4x3")), "white").parts)
    12
    """
    known = _KNOWN.setdefault(game, {})
    if role not in known:
        known[role] = disjunction(
            conjunction([held := disjunction(map(Holds, sorted(things, key=str))), _gone(held)])
            for things in _places(game, role)
        )
    return known[role]


def _gone(held: Formula) -> Formula:
    return Next(negation(held))


def something_is_taken(game: CompiledGame) -> bool:
    """Return whether a move takes something of another role in some random matches.

    >>> from kibitz.games import load_sheet
    >>> names = ("tictactoe", "breakthrough:4x3")
    >>> [something_is_taken(CompiledGame(load_sheet(name))) for name in names]
    [False, True]
    """
    if game not in _SEEN:
        _SEEN[game] = _is_seen(game)
    return _SEEN[game]


def _is_seen(game: CompiledGame) -> bool:
    places = {role: _places(game, role) for role in game.roles}
    for before, movers, after in random_steps(game):
        held_before, held_after = frozenset(before.fluents), frozenset(after.fluents)
        for role in game.roles:
            if role in movers:
                continue
            held = (where for where in places[role] if not where.isdisjoint(held_before))
            if any(map(held_after.isdisjoint, held)):
                return True
    return False


def _places(game: CompiledGame, role: Role) -> list[frozenset[Function]]:
    """Return for each place what a role can have there."""
    found: dict[tuple[object, ...], list[Function]] = {}
    for (name, arity, at), owned in owned_things(game, role).items():
        for thing in owned:
            where = (name, arity, thing.args[:at], thing.args[at + 1 :])
            found.setdefault(where, []).append(thing)
    return [frozenset(things) for things in found.values()]
