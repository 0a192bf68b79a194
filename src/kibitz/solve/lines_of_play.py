"""A solved state in, one line of best play from it out."""

from __future__ import annotations

from kibitz.engine import Move
from kibitz.solve.algorithms.maxn import MaxnSolution
from kibitz.solve.algorithms.mixed import MixedSolution
from kibitz.solve.algorithms.retrograde import Solution
from kibitz.solve.any_solution import AnySolution
from kibitz.space import StateId

__all__ = ["best_line"]

_MOST_MOVES = 200


def best_line(solution: AnySolution, state: StateId) -> list[tuple[Move, ...]]:
    """Return the joint moves of one line of best play; of mixed moves the most frequent.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_any
    >>> from kibitz.space import explore
    >>> len(best_line(solve_any(explore(CompiledGame(load_sheet("nim:1,2")))), 0))
    3
    """
    if isinstance(solution, Solution):
        return solution.principal_variation(state)
    line: list[tuple[Move, ...]] = []
    while not solution.space.terminal[state] and len(line) < _MOST_MOVES:
        moves = solution.space.moves(state)
        if not moves:
            break
        joint, state = max(moves, key=lambda made: _likelihood(solution, state, *made))
        line.append(joint)
    return line


def _likelihood(
    solution: MaxnSolution | MixedSolution, state: StateId, joint: tuple[Move, ...], to: StateId
) -> float:
    """Return how likely a joint move is in best play; larger is likelier."""
    turn = int(solution.space.turn[state])
    if turn >= 0:
        role = solution.space.game.roles[turn]
        return float(solution.bounds(to)[role][0])
    if isinstance(solution, MixedSolution):
        ours, theirs = solution.mixes(state)
        return ours.get(joint[0], 0.0) * theirs.get(joint[1], 0.0)
    return 0.0
