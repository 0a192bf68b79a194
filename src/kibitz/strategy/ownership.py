"""Game in; out who owns what: the fluents that say what a role has where, such as its men.

A role owns what appears by its own moves alone, in random matches, or what becomes more by them
alone: turning part of a board moves things of others as well, and adds none.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import cast

from kibitz.attached import Attached
from kibitz.engine import CompiledGame, Role, State
from kibitz.gdl import Function, Term

__all__ = ["Place", "owned_things", "random_steps"]

Place = tuple[str, int, int]
"""A fluent's name, its arity, and which of its arguments is what is owned."""

_MATCHES, _LONGEST = 20, 200
"""Random matches in which things are seen to appear, and their length."""
_MOST_SHARED = 1
"""The most values that moves of several roles make, such as what stands for an empty place."""
_KNOWN: Attached[CompiledGame, dict[Place, dict[Term, Role]]] = Attached()


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
    """Return who owns the values of an argument, where each role owns some.

    Of the arguments of a fluent, that one is what is owned whose values are made by several roles
    least often: men of both sides come to most rows, and to some row those of one side only.
    """
    if game in _KNOWN:
        return _KNOWN[game]
    _KNOWN[game] = {}
    best: dict[tuple[str, int], int] = {}
    for makers in _makers(game):
        for place, known in makers.items():
            owners = {value: next(iter(by)) for value, by in known.items() if len(by) == 1}
            shared = len(known) - len(owners)
            if set(owners.values()) == set(game.roles) and shared < len(owners):
                fluent = place[:2]
                if shared < best.get(fluent, _MOST_SHARED + 1):
                    best[fluent] = shared
                    _KNOWN[game] = {
                        one: found for one, found in _KNOWN[game].items() if one[:2] != fluent
                    }
                if shared == best.get(fluent):
                    _KNOWN[game].setdefault(place, owners)
    return _KNOWN[game]


def _makers(game: CompiledGame) -> tuple[dict[Place, dict[Term, set[Role]]], ...]:
    """Return by whose moves the values of arguments appear, and by whose they become more."""
    appearing: dict[Place, dict[Term, set[Role]]] = {}
    growing: dict[Place, dict[Term, set[Role]]] = {}
    for before, movers, after in random_steps(game):
        if len(movers) != 1:
            continue
        changed = cast(int, after.key) ^ cast(int, before.key)
        more: Counter[tuple[Place, Term]] = Counter()
        for index, fluent in enumerate(game.network.fluents):
            if not changed >> index & 1:
                continue
            is_new = cast(int, after.key) >> index & 1
            for k, value in enumerate(fluent.args):
                place = (fluent.name, len(fluent.args), k)
                more[place, value] += 1 if is_new else -1
                if is_new:
                    appearing.setdefault(place, {}).setdefault(value, set()).update(movers)
        for (place, value), count in more.items():
            if count > 0:
                growing.setdefault(place, {}).setdefault(value, set()).update(movers)
    return appearing, growing


def random_steps(game: CompiledGame) -> Iterator[tuple[State, list[Role], State]]:
    """Play some random matches: for each step the state, who could choose, and the next state."""
    source = random.Random(1)
    for _ in range(_MATCHES):
        state = game.initial()
        for _ in range(_LONGEST):
            legal = {role: state.legal(role) for role in game.roles}
            if state.is_terminal or not all(legal.values()):
                break
            after = game.successor(state.key, tuple(map(source.choice, legal.values())))
            yield state, [role for role, moves in legal.items() if len(moves) > 1], after
            state = after
