"""Game in; out who owns what: the fluents that say what a role has where, such as its men.

A role owns what appears by its own moves alone, in random matches.
"""

from __future__ import annotations

import random
from typing import cast
from weakref import WeakKeyDictionary

from kibitz.engine import CompiledGame, Role
from kibitz.gdl import Function, Term

__all__ = ["Place", "owned_things"]

Place = tuple[str, int, int]
"""A fluent's name, its arity, and which of its arguments is what is owned."""

_MATCHES, _LONGEST = 20, 200
"""Random matches in which things are seen to appear, and their length."""
_KNOWN: WeakKeyDictionary[CompiledGame, dict[Place, dict[Term, Role]]] = WeakKeyDictionary()


def owned_things(game: CompiledGame, role: Role) -> dict[Place, list[Function]]:
    """Return the fluents that say what a role has where, by name, arity and owned argument.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> {place: len(things) for place, things in owned_things(game, "xplayer").items()}
    {('cell', 3, 2): 9}
    """
    owners = _owners(game)
    found: dict[Place, list[Function]] = {}
    hidden = (hidden.fluent for hidden in game.network.hidden)
    for fluent in (*game.network.fluents, *hidden):
        name, arity = fluent.name, len(fluent.args)
        owned = [k for k in range(arity) if (name, arity, k) in owners]
        if len(owned) == 1 and arity > 1:
            place = (name, arity, owned[0])
            if owners[place].get(fluent.args[owned[0]]) == role:
                found.setdefault(place, []).append(fluent)
    return found


def _owners(game: CompiledGame) -> dict[Place, dict[Term, Role]]:
    """Return who owns the values of an argument, where each role owns some."""
    if game in _KNOWN:
        return _KNOWN[game]
    source = random.Random(1)
    makers: dict[Place, dict[Term, set[Role]]] = {}
    for _ in range(_MATCHES):
        state = game.initial()
        for _ in range(_LONGEST):
            legal = {role: state.legal(role) for role in game.roles}
            if state.is_terminal or not all(legal.values()):
                break
            after = game.successor(state.key, tuple(map(source.choice, legal.values())))
            movers = [role for role, moves in legal.items() if len(moves) > 1]
            new = cast(int, after.key) & ~cast(int, state.key)
            for index, fluent in enumerate(game.network.fluents):
                if new >> index & 1 and len(movers) == 1:
                    for k, value in enumerate(fluent.args):
                        known = makers.setdefault((fluent.name, len(fluent.args), k), {})
                        known.setdefault(value, set()).update(movers)
            state = after
    owners = {
        place: {value: next(iter(by)) for value, by in known.items() if len(by) == 1}
        for place, known in makers.items()
    }
    _KNOWN[game] = {
        place: known for place, known in owners.items() if set(known.values()) == set(game.roles)
    }
    return _KNOWN[game]
