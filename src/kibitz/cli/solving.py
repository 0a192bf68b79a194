"""Commands about whole games: symmetries, solve."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.inputs import (
    GameArgument,
    JsonOption,
    MemoryOption,
    TimeoutOption,
    budget_of,
    find_sheet,
    print_json,
    read_text,
)

if TYPE_CHECKING:
    from kibitz.engine import Role
    from kibitz.solve import Solution
    from kibitz.space import Symmetries

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    for command in (symmetries, solve):
        app.command()(command)


def symmetries(
    game: GameArgument,
    as_json: JsonOption = False,
    timeout: TimeoutOption = 60,
    memory: MemoryOption = 4,
) -> None:
    """Find the symmetries of a game, and say what they exchange."""
    from kibitz.engine.compiled import CompiledGame
    from kibitz.space import find_symmetries

    sheet = find_sheet(game)
    budget = budget_of(timeout, memory)
    found = find_symmetries(CompiledGame(sheet, budget=budget), budget=budget)
    generators = [_exchanges(found, number) for number in range(len(found.generators))]
    if as_json:
        print_json({"game": sheet.name, "order": found.order, "generators": generators})
        return
    plural = "symmetry, which changes nothing" if found.order == 1 else "symmetries"
    print(f"{sheet.name}: {found.order} {plural}")
    for number, cycles in enumerate(generators, start=1):
        print(f"  generator {number}: " + "; ".join(" -> ".join(cycle) for cycle in cycles))


def _exchanges(found: Symmetries, number: int) -> list[list[str]]:
    """Give the cycles of fluents that a generator moves."""
    permutation = found.generators[number].fluents
    cycles = []
    seen: set[int] = set()
    for start in range(len(permutation)):
        cycle = []
        at = start
        while at not in seen:
            seen.add(at)
            cycle.append(str(found.fluents[at]))
            at = permutation[at]
        if len(cycle) > 1:
            cycles.append(cycle)
    return cycles


def solve(
    game: GameArgument,
    as_json: JsonOption = False,
    position: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Value this state's moves: fluents in KIF; - for stdin."),
    ] = None,
    store: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep the solution in this file.")
    ] = None,
    reduce: Annotated[
        bool, typer.Option("--reduce", help="Explore one state of each symmetry orbit only.")
    ] = False,
    max_states: Annotated[
        int, typer.Option(min=1, help="Give up beyond this many states.")
    ] = 500_000_000,
    timeout: TimeoutOption = 600,
    memory: MemoryOption = 12,
) -> None:
    """Solve a game: what it is worth with best play, and how long that takes."""
    from kibitz.engine.compiled import CompiledGame
    from kibitz.errors import BudgetExceededError, KibitzError
    from kibitz.gdl import parse_terms
    from kibitz.solve import solve
    from kibitz.solve.storage import store_solution
    from kibitz.space import Limits, explore, find_symmetries

    start = time.perf_counter()
    sheet = find_sheet(game)
    budget = budget_of(timeout, memory)
    made = CompiledGame(sheet, budget=budget)
    starts = []
    if position is not None:
        name = "stdin" if position == "-" else position
        starts = [made.state(parse_terms(read_text(position), name=name))]
    progress = _show if sys.stderr.isatty() else None
    limits = Limits(states=max_states, seconds=timeout, bytes=budget.bytes)
    try:
        found = find_symmetries(made, budget=budget)
    except KibitzError:
        if reduce:
            raise
        found = None
    space = explore(
        made,
        starts=starts,
        symmetries=found if reduce else None,
        limits=limits,
        progress=progress,
    )
    if progress:
        print("\r\033[K", end="", file=sys.stderr)
    if not space.is_complete:
        raise BudgetExceededError(
            f"{sheet.name} has more than {len(space):,} states, "
            f"found in {space.seconds:.0f} s and {space.bytes / 1e9:.1f} GB",
            hint="allow more with --max-states, --timeout or --memory",
        )
    solution = solve(space)
    if store is not None:
        store_solution(solution, store)
    result = {
        "game": sheet.name,
        "states": len(space),
        "nonterminal_states": len(space) - int(space.terminal.sum()),
        "terminal_states": int(space.terminal.sum()),
        "moves": space.edges,
        "roles": made.roles,
        "value": solution.values(),
        "distance": solution.plies(),
        "symmetry_order": found.order if found else None,
        "seconds": time.perf_counter() - start,
        "bytes": space.bytes + solution.value.nbytes + solution.distance.nbytes,
    }
    if position is not None:
        result["position"] = [_move_json(solution, i) for i in range(len(space.moves(0)))]
    if as_json:
        print_json(result)
    else:
        _print(solution, result)


def _show(found: int, expanded: int) -> None:
    print(f"\r{found:,} states", end="", file=sys.stderr, flush=True)


def _move_json(solution: Solution, index: int) -> dict[str, Any]:
    joint, target = solution.space.moves(0)[index]
    write = solution.space.game.write
    return {
        "move": [write(move) for move in joint],
        "value": solution.values(target),
        "distance": solution.plies(target),
        "keeps_value": bool(solution.value[target] == solution.value[0]),
    }


def _print(solution: Solution, result: dict[str, Any]) -> None:
    print(
        f"{result['game']}: {result['states']:,} states, {result['terminal_states']:,} of them "
        f"terminal, {result['moves']:,} moves"
    )
    print(f"  {_verdict(solution.values(), solution.plies())}")
    write = solution.space.game.write
    line = ["/".join(map(write, joint)) for joint in solution.principal_variation()]
    if line:
        print("  best play: " + ", ".join(line[:12]) + (" …" if len(line) > 12 else ""))
    for move in result.get("position", []):
        plies = "never ends" if move["distance"] is None else f"{move['distance']} more plies"
        values = ", ".join(f"{role} {value}" for role, value in move["value"].items())
        print(f"  {' '.join(move['move'])}: {values}, {plies}{' *' * move['keeps_value']}")
    order = result["symmetry_order"]
    symmetries = "symmetries unknown" if order is None else f"symmetry order {order}"
    print(f"  {symmetries}, {result['seconds']:.2f} s, {result['bytes'] / 1e6:,.0f} MB")


def _verdict(values: dict[Role, int], plies: int | None) -> str:
    worth = ", ".join(f"{role} gets {value}" for role, value in values.items())
    length = "and play never ends" if plies is None else f"after {plies} plies"
    return f"with best play {worth}, {length}"
