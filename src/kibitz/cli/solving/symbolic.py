"""Solving on decision diagrams, as `solve --symbolic` shows it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kibitz.cli.common.inputs import print_json
from kibitz.cli.common.progress import clear_line, shown_line
from kibitz.cli.common.refusals import refuse

if TYPE_CHECKING:
    from kibitz.budget import Budget
    from kibitz.engine import CompiledGame, State
    from kibitz.solve import SymbolicSolution

__all__ = ["solve_by_diagrams"]


def solve_by_diagrams(
    game: CompiledGame, starts: Sequence[State], budget: Budget, *, as_json: bool
) -> None:
    """Solve a game, or what play can reach from a state, and print its value."""
    from kibitz.solve import (
        describe_state,
        describe_successors,
        find_stuck_states,
        nodes_within,
        reach,
        solve_symbolically,
    )

    begin = time.perf_counter()
    space = reach(
        game,
        starts=starts,
        nodes=nodes_within(budget.bytes),
        seconds=budget.seconds,
        progress=shown_line(),
    )
    stuck = find_stuck_states(space)
    solution = None if stuck else solve_symbolically(space)
    clear_line()
    state = starts[0] if starts else game.initial()
    result: dict[str, Any] = {
        "game": game.sheet.name,
        "states": space.states.count,
        "nonterminal_states": space.inner.count,
        "terminal_states": space.states.count - space.inner.count,
        "moves": space.edges,
        "roles": game.roles,
        "value": None,
        "distance": None,
        "symmetry_order": None,
        "nodes": space.nodes,
    }
    if solution is None:
        assert stuck is not None
        result |= {"stuck": stuck.as_json(), "seconds": time.perf_counter() - begin}
        refuse(stuck, result, as_json=as_json)
    result |= {
        **describe_state(state, solution.values(state), solution.plies(state)),
        "worth": {str(goal): states.count for goal, states in solution.by_value.items()},
    }
    if starts:
        result["position"] = describe_successors(solution, state)
    result["seconds"] = time.perf_counter() - begin
    result["bytes"] = space.bytes
    if as_json:
        print_json(result)
    else:
        _print(solution, result)


def _print(solution: SymbolicSolution, result: dict[str, Any]) -> None:
    from kibitz.wording import value_text

    print(
        f"{result['game']}: {result['states']:,} states, {result['terminal_states']:,} of them "
        f"terminal, {result['moves']:,} moves"
    )
    print(f"  with best play {value_text(result)}")
    for goal, states in solution.by_value.items():
        print(f"  value {goal} for {solution.space.game.roles[0]}: {states.count:,} states")
    for move in result.get("position", []):
        print(f"  {' '.join(move['move'])}: {value_text(move)}{' *' * move['best']}")
    print(
        f"  {solution.space.states.nodes:,} nodes for all states, {result['nodes']:,} in all, "
        f"{result['seconds']:.2f} s"
    )
