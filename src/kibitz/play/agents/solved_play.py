"""Play from solutions: which moves a solution advises."""

from __future__ import annotations

import random

from kibitz.engine import Move, Role
from kibitz.play.agents.agent import MatchSoFar
from kibitz.solve import Listed
from kibitz.space import StateId

__all__ = ["HINT", "advise", "draw", "is_drawn"]

HINT = "give more time, or let it search: --agent auto"
"""What to do where a game cannot be solved in time."""


def advise(solution: Listed, line: MatchSoFar, role: Role) -> dict[Move, float]:
    """Return how often a role should play which move; the shares add up to 1.

    Equal shares of the best moves: those of the fastest win, else of the longest play. Where roles
    choose at the same time, the mix that guarantees the value. Empty where the line has left the
    solved states.

    >>> from kibitz.engine import make_game
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_game
    >>> game = make_game(load_sheet("roshambo"))
    >>> solution = solve_game(game)
    >>> advice = advise(solution, MatchSoFar((game.initial(),)), "player2")
    >>> {str(move): round(share, 3) for move, share in advice.items()}
    {'paper': 0.333, 'rock': 0.333, 'scissors': 0.333}
    """
    state = _state_of(solution, line)
    if state is None:
        return {}
    mix = solution.mixes(state).get(role) or dict.fromkeys(line.state.legal(role), 1.0)
    return {move: share / sum(mix.values()) for move, share in mix.items()}


def draw(advice: dict[Move, float], source: random.Random) -> Move:
    """Draw a move with the advised frequencies."""
    return source.choices(list(advice), list(advice.values()))[0]


def is_drawn(solution: Listed, line: MatchSoFar) -> bool:
    """Return whether nobody wins from the present state with best play."""
    state = _state_of(solution, line)
    return (
        solution.kind == "exact"
        and state is not None
        and int(solution.values[state]) * 2 == solution.total
    )


def _state_of(solution: Listed, line: MatchSoFar) -> StateId | None:
    """Follow a line from the initial state; return None where it leaves the solved states."""
    state: StateId | None = 0
    for joint in line.moves:
        if state is not None:
            state = dict(solution.space.moves(state)).get(joint)
    return state
