"""Solving without keeping moves: `solve --compact`, and `solve --symbolic` on decision diagrams."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import typer

from kibitz.cli.common.inputs import note, print_json
from kibitz.cli.common.outputs import clear_line, shown_line
from kibitz.cli.common.refusals import refuse
from kibitz.errors import BudgetExceededError, IncompleteError

if TYPE_CHECKING:
    from kibitz.budget import Budget
    from kibitz.engine import CompiledGame, State
    from kibitz.solve import Place, Values
    from kibitz.space import Limits


_SHOWN = 12


def solve_compactly(
    game: CompiledGame, starts: Sequence[State], limits: Limits, spill: str, *, as_json: bool
) -> None:
    """Solve a layered game, or what play can reach from a state, and print its value."""
    from kibitz.solve import solve_layers
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
    result |= _described(solution, starts)
    result |= {
        "exploring_seconds": space.seconds,
        "solving_seconds": solution.seconds,
        "seconds": time.perf_counter() - begin,
        "bytes": solution.bytes,
    }
    if as_json:
        print_json(result)
        return
    print_values(solution, result)
    print(
        f"  {len(result['layers'])} layers, {result['seconds']:.2f} s, "
        f"{result['bytes'] / 1e6:,.0f} MB, {result['bytes'] / result['states']:.1f} bytes a state"
    )


def solve_by_diagrams(
    game: CompiledGame, starts: Sequence[State], budget: Budget, *, as_json: bool
) -> None:
    """Solve a game, or what play can reach from a state, and print its value."""
    from kibitz.solve import find_stuck_states, nodes_within, reach, solve_symbolically

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
    counts = {goal: states.count for goal, states in solution.by_value.items()}
    result |= _described(solution, starts)
    result |= {
        "worth": {str(goal): count for goal, count in counts.items()},
        "seconds": time.perf_counter() - begin,
        "bytes": space.bytes,
    }
    if as_json:
        print_json(result)
        return
    role = game.roles[0]
    print_values(
        solution,
        result,
        *(f"value {goal} for {role}: {count:,} states" for goal, count in counts.items()),
        has_line=False,
    )
    print(
        f"  {space.states.nodes:,} nodes for all states, {result['nodes']:,} in all, "
        f"{result['seconds']:.2f} s"
    )


def _shown(what: str) -> Callable[[int, int], None]:
    show = shown_line()
    return lambda found, done: show(f"{found:,} states, {done:,} of them {what}")


def _described(values: Values, starts: Sequence[State]) -> dict[str, Any]:
    """Return the value of the first position, and of its moves if one was given."""
    return values.as_json() | ({"position": values.moves_as_json()} if starts else {})


def print_values(
    values: Values,
    result: dict[str, Any],
    *more: str,
    at: Place | None = None,
    meant: str = "",
    has_line: bool = True,
) -> None:
    """Print the value of a position, a line of best play, more lines, and the value of moves."""
    from kibitz.wording import value_text

    print(
        f"{result['game']}: {result['states']:,} states, {result['terminal_states']:,} of them "
        f"terminal, {result['moves']:,} moves"
    )
    print(f"  {meant}with best play {value_text(result)}")
    line = values.line(at) if has_line else []
    if line:
        shown = ("/".join(map(values.game.write, joint)) for joint in line[:_SHOWN])
        print("  best play: " + ", ".join(shown) + (" …" if len(line) > _SHOWN else ""))
    for text in more:
        print(f"  {text}")
    for move in result.get("position", []):
        print(f"  {' '.join(move['move'])}: {value_text(move)}{' *' * move.get('best', 0)}")
