"""Play from solutions: which moves a solution advises."""

from __future__ import annotations

import random

from kibitz.engine import Move, Role
from kibitz.play.agents.agent import MatchSoFar
from kibitz.solve import AnySolution, MixedSolution, Solution
from kibitz.space import StateId

__all__ = ["HINT", "advise", "draw", "is_drawn"]

HINT = "give more time, or let it search: --agent auto"
"""What to do where a game cannot be solved in time."""


def advise(solution: AnySolution, line: MatchSoFar, role: Role) -> dict[Move, float]:
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
    index = solution.space.game.roles.index(role)
    if isinstance(solution, MixedSolution):
        mix = solution.mixes(state)[index]
        return {move: share / sum(mix.values()) for move, share in mix.items()}
    moves = list(line.state.legal(role))
    if solution.space.turn[state] == index:
        best = solution.best_moves(state)
        if isinstance(solution, Solution):  # a draw is held as long as possible
            longest = max(int(solution.distance[to]) for _, to in best)
            best = [(joint, to) for joint, to in best if solution.distance[to] == longest]
        moves = list(dict.fromkeys(joint[index] for joint, _ in best))
    return {move: 1 / len(moves) for move in moves}


def draw(advice: dict[Move, float], source: random.Random) -> Move:
    """Draw a move with the advised frequencies."""
    return source.choices(list(advice), list(advice.values()))[0]


def is_drawn(solution: AnySolution, line: MatchSoFar) -> bool:
    """Return whether nobody wins from the present state with best play."""
    state = _state_of(solution, line)
    return (
        isinstance(solution, Solution)
        and state is not None
        and int(solution.value[state]) * 2 == solution.total
    )


def _state_of(solution: AnySolution, line: MatchSoFar) -> StateId | None:
    """Follow a line from the initial state; return None where it leaves the solved states."""
    state: StateId | None = 0
    for joint in line.moves:
        if state is not None:
            state = dict(solution.space.moves(state)).get(joint)
    return state
