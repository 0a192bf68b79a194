"""What is guaranteed to each role in a space that was not explored completely."""

from __future__ import annotations

import numpy as np

from kibitz.engine import Role
from kibitz.errors import KibitzError
from kibitz.solve.algorithms.retrograde import UNKNOWN, endless_goal, spread_values, sums_of_goals
from kibitz.space import SEVERAL, StateSpace

__all__ = ["guaranteed_goals"]


def guaranteed_goals(space: StateSpace) -> dict[Role, int]:
    """Return the goal that each role can force from the first state, whatever the others do.

    States that were found but not expanded count as the worst; so do those in which a role has no
    move, or several choose at the same time. A play that never ends counts as half of the sum of
    the goals of two roles at all ends, and as 50 where that sum varies.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import Limits, explore
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> guaranteed_goals(explore(game)), guaranteed_goals(explore(game, limits=Limits(states=3)))
    ({'player1': 100, 'player2': 0}, {'player1': 0, 'player2': 0})
    """
    try:
        sums = sums_of_goals(space)
    except KibitzError:  # a goal is missing at some end
        sums = []
    total = sums[0] if len(sums) == 1 and len(space.game.roles) == 2 else 100
    return {
        role: _sure(space, number, endless_goal(total, number))
        for number, role in enumerate(space.game.roles)
    }


def _sure(space: StateSpace, role: int, middle: int) -> int:
    # A state without moves is stuck, or was not expanded.
    ends = space.first_edge[:-1] == space.first_edge[1:]
    worst = (space.turn == SEVERAL) | ends
    value = np.where(worst, np.uint8(0), np.uint8(UNKNOWN))
    np.copyto(value, np.maximum(space.goals[:, role], 0).view(np.uint8), where=space.terminal)
    distance = np.zeros(len(space), dtype=np.uint16)
    spread_values(space, value, distance, middle, space.turn != role)
    return int(value[0])
