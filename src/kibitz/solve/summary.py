"""A solution in, what it says of a state and of its moves out, as plain values for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from kibitz.engine import Role, State
from kibitz.solve.algorithms.maxn import MaxnSolution
from kibitz.solve.algorithms.mixed import MixedSolution
from kibitz.solve.algorithms.retrograde import endless_goal
from kibitz.solve.any_solution import AnySolution
from kibitz.space import StateId, own_moves, playable_line

if TYPE_CHECKING:
    from kibitz.solve.compact.solution import CompactSolution
    from kibitz.solve.symbolic.values import SymbolicSolution

__all__ = ["describe_moves", "describe_state", "describe_successors", "describe_value"]


def describe_state(
    state: State, values: Mapping[Role, float | None], plies: int | None
) -> dict[str, Any]:
    """Return value and distance of a state, and the winner's own moves where turns alternate."""
    result: dict[str, Any] = {"value": values, "distance": plies}
    if plies is not None and len(values) == 2 and set(values.values()) == {0, 100}:
        winner = next(role for role, value in values.items() if value)
        own = own_moves(state, winner, plies)
        return result if own is None else result | {"own_moves": own}
    return result


def describe_value(solution: AnySolution, state: StateId = 0) -> dict[str, Any]:
    """Return value and distance of a state as values for JSON, with bounds and mixes if any.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> describe_value(solve(explore(CompiledGame(load_sheet("nim:1,2")))))
    {'value': {'player1': 100, 'player2': 0}, 'distance': 3, 'own_moves': 2}
    """
    result = describe_state(
        solution.space.state(state), solution.values(state), solution.plies(state)
    )
    if isinstance(solution, MaxnSolution):
        result["bounds"] = solution.bounds(state)
        result["outcomes"] = solution.possible_outcomes(state)
        result["has_tie"] = bool(solution.has_tie[state])
    elif isinstance(solution, MixedSolution):
        result["bounds"] = solution.bounds(state)
        write = solution.space.game.write
        mixes = solution.mixes(state) if solution.space.moves(state) else ()
        result["mix"] = {
            role: {write(move): share for move, share in mix.items()}
            for role, mix in zip(solution.space.game.roles, mixes, strict=False)
        }
    return result


def describe_moves(solution: AnySolution, *, start: State | None = None) -> list[dict[str, Any]]:
    """Return every first joint move: value, distance, whether it keeps the value and is best.

    Where roles choose at the same time, a joint move is no single role's choice, so those are
    not said of it. `start` is the state to begin with, where the space has one that is symmetric to
    it.
    """
    write = solution.space.game.write
    result = []
    exact = None if isinstance(solution, MixedSolution) else solution
    keeping, best = (exact.keeping_moves(0), exact.best_moves(0)) if exact else ([], [])
    for edge, (joint, target) in enumerate(solution.space.moves(0)):
        described = describe_value(solution, target)
        described.pop("mix", None)
        (played,) = playable_line(solution.space, [edge], start=start)
        entry = {"move": [write(move) for move in played], **described}
        made = (joint, target)
        if exact:
            entry |= {"keeps_value": made in keeping, "best": made in best}
        result.append(entry)
    return result


def describe_successors(
    solution: SymbolicSolution | CompactSolution, state: State
) -> list[dict[str, Any]]:
    """Describe every joint move of a state of a solution without edges, as `describe_moves` does.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import reach, solve_symbolically
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> found = describe_successors(solve_symbolically(reach(game)), game.initial())
    >>> [move["move"][0] for move in found if move["keeps_value"]]
    ['(reduce b 1)']
    """
    if state.is_terminal:
        return []
    game = solution.space.game
    value, plies = solution.values(state), solution.plies(state)
    is_middle = value[game.roles[0]] == endless_goal(solution.total, 0)
    result = []
    for joint in product(*(state.legal(role) for role in game.roles)):
        after = state.step(joint)
        values, left = solution.values(after), solution.plies(after)
        keeps = values == value
        result.append(
            {
                "move": [game.write(move) for move in joint],
                **describe_state(after, values, left),
                "keeps_value": keeps,
                "best": keeps and (is_middle or left == (plies or 0) - 1),
            }
        )
    return result
