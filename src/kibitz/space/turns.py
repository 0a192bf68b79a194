"""Whose turn it is: the legal moves of all roles in, the roles that have the turn out.

All code of Kibitz that judges moves by strategies uses this definition:

- It is the turn of each role that has more than one legal move.
- Where no role has, it is the turn of those whose only move is a *choice*: in some reachable state
    it is one of several legal moves of a role. Other moves, such as `noop`, are waiting.
- Where all wait, it is every role's turn.
- Where play has ended, or a role has no legal move, it is no role's turn.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from itertools import product

import numpy as np

from kibitz.attached import Attached
from kibitz.engine import CompiledGame, Game, Move, Role, State
from kibitz.errors import InputError
from kibitz.space.exploration.exploration import Limits, list_space
from kibitz.space.space import StateSpace

__all__ = ["choices_of", "choices_on", "few_states", "roles_to_move", "turns_at"]

MOST_STATES = 100_000
"""How many states of a compiled game are searched for choices, and how many of other games."""
_GATES = 5_000
"""Gates up to which that many are searched. In larger games a state takes longer and has more
moves: they are fewer by the square, but not fewer than of other games.
"""
MOST_SLOW_STATES = 1_000
_MATCHES = 20
_LONGEST = 500

_CHOICES: Attached[Game, frozenset[Move]] = Attached()


def roles_to_move(
    legal: Mapping[Role, Sequence[Move]], choices: Collection[Move]
) -> tuple[Role, ...]:
    """Return the roles that have the turn in a state that is not terminal.

    >>> from kibitz.gdl import parse_terms
    >>> noop, mark = parse_terms("noop (mark 1)")
    >>> roles_to_move({"x": (noop,), "o": (mark,)}, {mark})
    ('o',)
    """
    if not all(legal.values()):
        return ()
    several = tuple(role for role, moves in legal.items() if len(moves) > 1)
    return several or (
        tuple(role for role, (move,) in legal.items() if move in choices) or tuple(legal)
    )


def turns_at(state: State) -> tuple[Role, ...]:
    """Return the roles that have the turn in a state.

    >>> from kibitz.games import load_sheet
    >>> turns_at(CompiledGame(load_sheet("tictactoe")).initial())
    ('xplayer',)
    """
    if state.is_terminal:
        return ()
    legal = {role: state.legal(role) for role in state.game.roles}
    is_forced = len(legal) > 1 and all(len(moves) == 1 for moves in legal.values())
    return roles_to_move(legal, choices_of(state.game) if is_forced else ())


def choices_on(space: StateSpace) -> frozenset[Move]:
    """Return the moves that are one of several legal moves of a role somewhere in a space.

    >>> from kibitz.games import load_sheet
    >>> space = list_space(CompiledGame(load_sheet("nim:1")), Limits())
    >>> choices_on(space)
    frozenset()
    """
    found: set[Move] = set()
    sizes = np.diff(space.first_edge)
    source = np.repeat(np.arange(len(space)), sizes)
    inner = np.flatnonzero(sizes)
    for index in range(len(space.game.roles)):
        moves = list(dict.fromkeys(joint[index] for joint in space.joint_moves))
        number = {move: i for i, move in enumerate(moves)}
        by_action = np.array([number[joint[index]] for joint in space.joint_moves], dtype=np.int32)
        made = by_action[space.action]
        if not len(made):
            continue
        starts = space.first_edge[inner]
        several = np.zeros(len(space), dtype=bool)
        several[inner] = np.minimum.reduceat(made, starts) != np.maximum.reduceat(made, starts)
        chosen = {moves[i] for i in np.unique(made[several[source]])}
        found |= space.symmetries.move_orbit(index, chosen) if space.symmetries else chosen
    return frozenset(found)


def choices_of(game: Game) -> frozenset[Move]:
    """Return the moves of a game that are one of several somewhere, found once.

    Where a game has too many states, only those found in the first states and in some random
    matches count.
    """
    if game not in _CHOICES:
        if isinstance(game, CompiledGame):
            try:
                space = list_space(game, Limits(states=few_states(game)))
                found, is_whole = choices_on(space), space.is_complete
            except InputError:  # a state has too many joint moves
                found, is_whole = frozenset[Move](), False
        else:
            found, is_whole = _first_choices(game)
        _CHOICES[game] = found if is_whole else found | _choices_in_matches(game)
    return _CHOICES[game]


def few_states(game: CompiledGame) -> int:
    """Return how many states are listed to find out something about all matches of a game.

    >>> from kibitz.games import load_sheet
    >>> few_states(CompiledGame(load_sheet("tictactoe")))
    100000
    """
    gates = max(_GATES, len(game.network.gates))
    return max(MOST_SLOW_STATES, MOST_STATES * _GATES**2 // gates**2)


def _several(state: State) -> set[Move]:
    legal = [state.legal(role) for role in state.game.roles]
    if state.is_terminal or not all(legal):
        return set()
    return {move for moves in legal if len(moves) > 1 for move in moves}


def _first_choices(game: Game) -> tuple[frozenset[Move], bool]:
    """Go through the nearest states; return also whether these are all."""
    found: set[Move] = set()
    seen = {game.initial()}
    queue = deque(seen)
    while queue:
        state = queue.popleft()
        found |= _several(state)
        if state.is_terminal:
            continue
        for joint in product(*(state.legal(role) for role in game.roles)):
            after = game.successor(state.key, joint)
            if after not in seen:
                if len(seen) == MOST_SLOW_STATES:
                    return frozenset(found), False
                seen.add(after)
                queue.append(after)
    return frozenset(found), True


def _choices_in_matches(game: Game) -> frozenset[Move]:
    source = random.Random(1)
    found: set[Move] = set()
    for _ in range(_MATCHES):
        state = game.initial()
        for _ in range(_LONGEST):
            legal = [state.legal(role) for role in game.roles]
            if state.is_terminal or not all(legal):
                break
            found |= _several(state)
            state = game.successor(state.key, tuple(map(source.choice, legal)))
    return frozenset(found)
