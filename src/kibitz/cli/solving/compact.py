"""Solving without keeping moves, as `solve --compact` shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import typer

from kibitz.cli.common.inputs import note, print_json
from kibitz.cli.common.progress import clear_line, shown_line
from kibitz.cli.common.refusals import refuse
from kibitz.errors import BudgetExceededError, IncompleteError

if TYPE_CHECKING:
    from kibitz.engine import CompiledGame, State
    from kibitz.solve import CompactSolution
    from kibitz.space import Limits

__all__ = ["solve_compactly"]


def solve_compactly(
    game: CompiledGame, starts: Sequence[State], limits: Limits, spill: str, *, as_json: bool
) -> None:
    """Solve a layered game, or what play can reach from a state, and print its value."""
    from kibitz.solve import describe_state, describe_successors, solve_layers
    from kibitz.space import explore_layers

    begin = time.perf_counter()
    result: dict[str, Any] = {"game": game.sheet.name, "roles": game.roles, "value": None}
    try:
        space = explore_layers(
            game, starts=starts, limits=limits, spill=spill, progress=_shown("expanded")
        )
        result |= {
            "states": len(space),
            "nonterminal_states": len(space) - space.ends,
            "terminal_states": space.ends,
            "moves": space.edges,
            "layers": [len(keys) for keys in space.layers],
            "distance": None,
            "symmetry_order": None,
        }
        if space.stuck is not None:
            clear_line()
            result |= {"stuck": space.stuck.as_json(), "seconds": time.perf_counter() - begin}
            refuse(space.stuck, result, as_json=as_json)
        solution = solve_layers(space, progress=_shown("solved"))
    except BudgetExceededError as error:
        clear_line()
        if isinstance(error, IncompleteError):
            result["states"] = error.states
        result |= {"is_complete": False, "seconds": time.perf_counter() - begin}
        if as_json:
            print_json(result)
        else:
            print(f"not solved: {error.message}")
        note(f"hint: {error.hint}")
        raise typer.Exit(1) from None
    clear_line()
    state = starts[0] if starts else game.initial()
    result |= describe_state(state, solution.values(state), solution.plies(state))
    if starts:
        result["position"] = describe_successors(solution, state)
    result |= {
        "exploring_seconds": space.seconds,
        "solving_seconds": solution.seconds,
        "seconds": time.perf_counter() - begin,
        "bytes": solution.bytes,
    }
    if as_json:
        print_json(result)
    else:
        _print(solution, state, result)


def _shown(what: str) -> Callable[[int, int], None]:
    show = shown_line()
    return lambda found, done: show(f"{found:,} states, {done:,} of them {what}")


def _print(solution: CompactSolution, state: State, result: dict[str, Any]) -> None:
    from kibitz.wording import value_text

    print(
        f"{result['game']}: {result['states']:,} states, {result['terminal_states']:,} of them "
        f"terminal, {result['moves']:,} moves"
    )
    print(f"  with best play {value_text(result)}")
    write = solution.space.game.write
    line = ["/".join(map(write, joint)) for joint in solution.principal_variation(state)]
    if line:
        print("  best play: " + ", ".join(line[:12]) + (" …" if len(line) > 12 else ""))
    for move in result.get("position", []):
        print(f"  {' '.join(move['move'])}: {value_text(move)}{' *' * move['best']}")
    print(
        f"  {len(result['layers'])} layers, {result['seconds']:.2f} s, "
        f"{result['bytes'] / 1e6:,.0f} MB, {result['bytes'] / result['states']:.1f} bytes a state"
    )
