"""Solve a game or a StateSpace in whichever way the game calls for."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.engine import Game, State
from kibitz.solve.algorithms.maxn import MaxnSolution, solve_maxn
from kibitz.solve.algorithms.mixed import MixedSolution, solve_mixed
from kibitz.solve.algorithms.retrograde import Solution, solve, sums_of_goals
from kibitz.space import SEVERAL, Limits, Progress, StateSpace, Symmetries, explore

__all__ = ["AnySolution", "hold_solution", "solve_any", "solve_game"]

_HELD = "_held_solution"

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


def hold_solution(game: Game, solution: AnySolution) -> None:
    """Keep a solution of all states with its game, so that nothing solves the game again."""
    space = solution.space
    if space.state(0) == game.initial() and not space.is_reduced:
        vars(game)[_HELD] = solution


def solve_game(
    game: Game,
    *,
    starts: Sequence[State] = (),
    symmetries: Symmetries | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> AnySolution:
    """Explore a game within limits, and solve it in the way that it calls for, unless it is held.

    Raise NotCompiledError for a game that could not be grounded, IncompleteError where a limit is
    met, StuckError where play can get stuck, and KibitzError where states have no value otherwise.

    >>> from kibitz.engine import make_game
    >>> from kibitz.games import load_sheet
    >>> solve_game(make_game(load_sheet("nim:1,2"))).values()
    {'player1': 100, 'player2': 0}
    """
    held: AnySolution | None = vars(game).get(_HELD)
    if held is not None and not starts and symmetries is None:
        return held
    return solve_any(
        explore(game, starts=starts, symmetries=symmetries, limits=limits, progress=progress)
    )
