"""Solve a game or a StateSpace in the way that it calls for, or by a method that is named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from kibitz.engine import Game, State, require_compiled
from kibitz.errors import InputError
from kibitz.solve.compact import solve_layers
from kibitz.solve.maxn import MaxnSolution, solve_maxn
from kibitz.solve.mixed import MixedSolution, solve_mixed
from kibitz.solve.retrograde import Solution, solve, sums_of_goals
from kibitz.solve.values import Values
from kibitz.space import (
    SEVERAL,
    Limits,
    Progress,
    StateSpace,
    Symmetries,
    explore,
    explore_layers,
)

_HELD = "_held_solution"

Listed = Solution | MaxnSolution | MixedSolution
"""Values of all states in arrays; `kind` says which of the three they are."""
Method = Literal["listing", "compact", "symbolic"]


def solve_any(space: StateSpace) -> Listed:
    """Solve a space; raise KibitzError where states have no value.

    One role, or two with opposed goals who move in turn, have a Solution. If these two choose at
    the same time, values are averages over mixed moves. Roles that move in turn and each maximise
    their own goal have max-n values.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> solve_any(explore(CompiledGame(load_sheet("roshambo")))).kind
    'average'
    """
    if (space.turn == SEVERAL).any():
        return solve_mixed(space)
    roles = len(space.game.roles)
    if roles > 2 or (roles == 2 and space.is_complete and len(sums_of_goals(space)) > 1):
        return solve_maxn(space)
    return solve(space)


def hold_solution(game: Game, solution: Listed) -> None:
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
) -> Listed:
    """Explore a game within limits, and solve it in the way that it calls for, unless it is held.

    Raise NotCompiledError for a game that could not be grounded, IncompleteError where a limit is
    met, StuckError where play can get stuck, and KibitzError where states have no value otherwise.

    >>> from kibitz.engine import make_game
    >>> from kibitz.games import load_sheet
    >>> solve_game(make_game(load_sheet("nim:1,2"))).value()
    {'player1': 100, 'player2': 0}
    """
    held: Listed | None = vars(game).get(_HELD)
    if held is not None and not starts and symmetries is None:
        return held
    return solve_any(
        explore(game, starts=starts, symmetries=symmetries, limits=limits, progress=progress)
    )


def solve_by(
    method: Method, game: Game, *, starts: Sequence[State] = (), limits: Limits | None = None
) -> Values:
    """Solve a game, or what play can reach from given states, by one method, within limits.

    Decision diagrams have no limit of states. Of them and of compact listings only layered games,
    or those of one role or two opposed ones, can be solved; KibitzError says so of others.

    >>> from kibitz.engine import make_game
    >>> from kibitz.games import load_sheet
    >>> game = make_game(load_sheet("tictactoe"))
    >>> [solve_by(method, game).plies() for method in ("listing", "compact", "symbolic")]
    [9, 9, 9]
    """
    limits = limits or Limits()
    match method:
        case "listing":
            return solve_game(game, starts=starts, limits=limits)
        case "compact":
            return solve_layers(explore_layers(game, starts=starts, limits=limits))
        case "symbolic":
            from kibitz.solve.symbolic import nodes_within, reach, solve_symbolically

            nodes, seconds = nodes_within(limits.bytes), limits.seconds
            compiled = require_compiled(game)
            return solve_symbolically(reach(compiled, starts=starts, nodes=nodes, seconds=seconds))
    raise InputError(f"there is no method {method}", hint="methods: listing compact symbolic")
