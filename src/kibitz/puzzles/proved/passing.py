"""State in; out the same position with the other role to move, where the rules have such a thing.

GDL knows no passing. But in most games two fluents that exclude one another say whose turn it is,
and exchanging them passes the turn. They are found by trying them out in positions of matches.
"""

from __future__ import annotations

import random
from typing import cast

from kibitz.attached import Attached
from kibitz.engine import CompiledGame, State
from kibitz.puzzles.state_variables import Variables

__all__ = ["passed"]

_MATCHES, _LONGEST = 8, 60
_turns: Attached[CompiledGame, int] = Attached()


def passed(state: State) -> State | None:
    """Return the position as it is if the role to move passes; None if that is not known.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> then = passed(game.initial())
    >>> then and [len(then.legal(role)) for role in game.roles]
    [1, 9]
    """
    game = cast(CompiledGame, state.game)
    if game not in _turns:
        _turns[game] = _turn_bits(game)
    if not _turns[game]:
        return None
    then = _exchanged(state, _turns[game])
    return None if then.is_terminal or not all(map(then.legal, game.roles)) else then


def _turn_bits(game: CompiledGame) -> int:
    """Return the bits of a state that say whose turn it is; 0 if there are none."""
    variables = [one.fluents for one in Variables(game).listed if len(one.values) == 2]
    candidates = [sum(1 << fluent for fluent in fluents) for fluents in variables]
    shown: set[int] = set()
    for state in _positions(game):
        mover = _choosers(state)
        for bits in list(candidates):
            then = _exchanged(state, bits)
            other = [] if then.is_terminal else _choosers(then)
            if other and other != mover and len(other) == 1:
                shown.add(bits)
            elif other or not all(map(then.legal, game.roles)):
                candidates.remove(bits)
    found = [bits for bits in candidates if bits in shown]
    return found[0] if len(found) == 1 else 0


def _positions(game: CompiledGame) -> list[State]:
    """Return positions of random matches in which one role has a choice."""
    source = random.Random(1)
    found = []
    for _ in range(_MATCHES):
        state = game.initial()
        for _ in range(_LONGEST):
            legal = [state.legal(role) for role in game.roles]
            if state.is_terminal or not all(legal):
                break
            if sum(len(moves) > 1 for moves in legal) == 1:
                found.append(state)
            state = game.successor(state.key, tuple(map(source.choice, legal)))
    return found


def _exchanged(state: State, bits: int) -> State:
    return State(state.game, cast(int, state.key) ^ bits)


def _choosers(state: State) -> list[str]:
    return [role for role in state.game.roles if len(state.legal(role)) > 1]
