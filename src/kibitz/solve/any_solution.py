"""Solve a StateSpace by the algorithm that its game needs."""

from __future__ import annotations

from kibitz.solve.algorithms.maxn import MaxnSolution, solve_maxn
from kibitz.solve.algorithms.mixed import MixedSolution, solve_mixed
from kibitz.solve.algorithms.retrograde import Solution, solve, sums_of_goals
from kibitz.space import SEVERAL, StateSpace

__all__ = ["AnySolution", "solve_any"]

AnySolution = Solution | MaxnSolution | MixedSolution


def solve_any(space: StateSpace) -> AnySolution:
    """Solve a space; raise KibitzError where states have no value.

    One role, or two with opposed goals who move in turn, have a Solution. If these two choose at
    the same time, values are averages over mixed moves. Roles that move in turn and each maximise
    their own goal have max-n values.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> type(solve_any(explore(CompiledGame(load_sheet("roshambo"))))).__name__
    'MixedSolution'
    """
    if (space.turn == SEVERAL).any():
        return solve_mixed(space)
    roles = len(space.game.roles)
    if roles > 2 or (roles == 2 and space.is_complete and len(sums_of_goals(space)) > 1):
        return solve_maxn(space)
    return solve(space)
