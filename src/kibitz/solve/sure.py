"""What each role can be sure of in a space that was not explored completely."""

from __future__ import annotations

import numpy as np

from kibitz.engine import Role
from kibitz.solve.queueing import UNKNOWN
from kibitz.solve.retrograde import spread_values
from kibitz.space import SEVERAL, StateSpace

__all__ = ["sure_goals"]

_MIDDLE = 50


def sure_goals(space: StateSpace) -> dict[Role, int]:
    """Give each role's goal that it can force from the first state, whatever the others do.

    States that were found but not looked into count as the worst; so do those in which a role has
    no move, or several choose at the same time. A play that never ends counts as 50.

    >>> from kibitz.engine.compiled import CompiledGame
    >>> from kibitz.games import load
    >>> from kibitz.space import Limits, explore
    >>> game = CompiledGame(load("nim:1,2"))
    >>> sure_goals(explore(game)), sure_goals(explore(game, limits=Limits(states=3)))
    ({'player1': 100, 'player2': 0}, {'player1': 0, 'player2': 0})
    """
    return {role: _sure(space, number) for number, role in enumerate(space.game.roles)}


def _sure(space: StateSpace, role: int) -> int:
    # A state without moves is stuck, or was not looked into.
    ends = space.first_edge[:-1] == space.first_edge[1:]
    worst = (space.turn == SEVERAL) | ends
    value = np.where(worst, np.uint8(0), np.uint8(UNKNOWN))
    np.copyto(value, np.maximum(space.goals[:, role], 0).view(np.uint8), where=space.terminal)
    distance = np.zeros(len(space), dtype=np.uint16)
    spread_values(space, value, distance, _MIDDLE, space.turn != role)
    return int(value[0])
