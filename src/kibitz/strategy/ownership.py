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
_STRAY = 0.1
"""How often others may seem to make what one makes, as where both want to go to the same place."""
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
            owners = {value: top for value, by in known.items() if (top := _only(by)) is not None}
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


def _only(by: Counter[Role]) -> Role | None:
    """Return who makes a value, if hardly anybody else does."""
    ((top, times),) = by.most_common(1)
    return top if by.total() - times <= _STRAY * times else None


def _makers(game: CompiledGame) -> tuple[dict[Place, dict[Term, Counter[Role]]], ...]:
    """Count by whose moves the values of arguments appear, and by whose they become more."""
    appearing: dict[Place, dict[Term, Counter[Role]]] = {}
    growing: dict[Place, dict[Term, Counter[Role]]] = {}
    fluents = (*game.network.fluents, *(hidden.fluent for hidden in game.network.hidden))
    for maker, before, after in _changes(game):
        changed = after ^ before
        more: Counter[tuple[Place, Term]] = Counter()
        while changed:
            index = changed.bit_length() - 1
            changed ^= 1 << index
            fluent, is_new = fluents[index], after >> index & 1
            for k, value in enumerate(fluent.args):
                place = (fluent.name, len(fluent.args), k)
                more[place, value] += 1 if is_new else -1
                if is_new:
                    appearing.setdefault(place, {}).setdefault(value, Counter())[maker] += 1
        for (place, value), count in more.items():
            if count > 0:
                growing.setdefault(place, {}).setdefault(value, Counter())[maker] += 1
    return appearing, growing


def _changes(game: CompiledGame) -> Iterator[tuple[Role, int, int]]:
    """Yield who moved, and all fluents before and after the move as bits.

    Where several choose at a time, what changes by the move of one is what does not change where it
    makes another one and the others make the same.
    """
    steps = list(random_steps(game))
    unless = [sum(1 << n for n in hidden.unless) for hidden in game.network.hidden]
    shown = len(game.network.fluents)

    def bits(state: State) -> int:
        key = cast(int, state.key)
        held = sum(1 << n for n, others in enumerate(unless, start=shown) if not key & others)
        return key | held

    if any(len(movers) > 1 for _, movers, _ in steps):
        source = random.Random(2)
        for before, movers, _ in steps:
            joint = [source.choice(before.legal(role)) for role in game.roles]
            old, new = bits(before), bits(game.successor(before.key, tuple(joint)))
            for role in movers:
                other = list(joint)
                other[game.roles.index(role)] = source.choice(before.legal(role))
                otherwise = bits(game.successor(before.key, tuple(other)))
                yield role, old, old ^ ((new ^ old) & ~(otherwise ^ old))
    else:
        yield from (
            (movers[0], bits(before), bits(after)) for before, movers, after in steps if movers
        )


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
