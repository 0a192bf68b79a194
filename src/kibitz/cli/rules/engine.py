"""Commands about stepping states: ground, perft, simulate."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import budget_of, find_sheet, make_game, print_json
from kibitz.cli.common.outputs import clear_line, counted_states

if TYPE_CHECKING:
    from kibitz.engine import Grounding


ThreadsOption = Annotated[
    int | None,
    typer.Option("--threads", metavar="N", min=1, max=1024, help="Threads; all if not given."),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    for command in (ground, perft, simulate):
        app.command()(command)


def ground(
    game: options.GameArgument,
    as_json: options.JsonOption = False,
    timeout: options.TimeoutOption = 60,
    memory: options.MemoryOption = 4,
) -> None:
    """Ground a game into gates, and show what came of it."""
    from kibitz.engine import ground
    from kibitz.errors import BudgetExceededError

    sheet = find_sheet(game)
    try:
        result = ground(sheet, budget_of(timeout, memory), group_seconds=min(20, timeout))
    except BudgetExceededError as error:
        print(
            f"{error.message}; {sheet.name} runs ungrounded, which is correct but slower",
            file=sys.stderr,
        )
        if as_json:
            print_json({"game": sheet.name, "grounded": False, "reason": error.message})
        raise typer.Exit(1) from None
    if as_json:
        print_json({"game": sheet.name, "grounded": True, **_grounding_json(result)})
        return
    network = result.network
    fluents = len(network.fluents) + len(network.hidden)
    print(f"{sheet.name}: {fluents} fluents, {result.rules} ground rules")
    for role, moves in zip(network.roles, network.moves, strict=True):
        print(f"  {role}: {len(moves)} moves")
    print(f"  gates: {result.gates_before} as written, {result.gates} after simplification")
    sizes = Counter((is_exact, len(group)) for group, is_exact in result.groups)
    for (is_exact, size), count in sorted(sizes.items(), reverse=True):
        print(f"  {count} groups of {size}: {'exactly' if is_exact else 'at most'} one holds")
    print(f"  {result.strata} strata, {result.seconds:.2f} s")


def _grounding_json(result: Grounding) -> dict[str, Any]:
    from kibitz.rows import row_words

    network = result.network
    return {
        "fluents": len(network.fluents) + len(network.hidden),
        "moves": {r: len(m) for r, m in zip(network.roles, network.moves, strict=True)},
        "ground_rules": result.rules,
        "gates_before": result.gates_before,
        "gates_after": result.gates,
        "exclusive_groups": [
            {"fluents": list(map(str, group)), "exactly_one": is_exact}
            for group, is_exact in result.groups
        ],
        "hidden_fluents": len(network.hidden),
        "bytes_per_state": 8 * row_words(len(network.fluents)),
        "strata": result.strata,
        "seconds": result.seconds,
    }


def perft(
    game: options.GameArgument,
    depth: Annotated[int, typer.Option(min=0, max=10_000, help="How deep to count.")],
    stop_at_terminal: Annotated[
        bool, typer.Option("--stop-at-terminal", help="Do not go on from terminal states.")
    ] = False,
    as_json: options.JsonOption = False,
    engine: options.EngineOption = options.Engine.COMPILED,
    backend: options.BackendOption = options.Backend.AUTO,
    threads: ThreadsOption = None,
    timeout: options.TimeoutOption = 60,
    memory: options.MemoryOption = 4,
) -> None:
    """Count the states of the game tree down to a depth, each as often as it is met."""
    from kibitz.engine import perft

    sheet = find_sheet(game)
    made = make_game(sheet, engine, budget_of(timeout, memory), backend)
    result = perft(
        made, depth, stop_at_terminal=stop_at_terminal, threads=threads, progress=counted_states()
    )
    clear_line()
    speed = result.states / result.seconds if result.seconds else 0.0
    if as_json:
        print_json(
            {
                "game": sheet.name,
                "depth": depth,
                "states": result.states,
                "per_depth": result.per_depth,
                "seconds": result.seconds,
                "states_per_second": speed,
            }
        )
        return
    for level, count in enumerate(result.per_depth):
        print(f"{level:>4} {count:>20,}")
    print(f"{result.states:,} states in {result.seconds:.3f} s, {speed:,.0f} a second")


def simulate(
    game: options.GameArgument,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=1e6, help="Seconds to play, once the game is made.")
    ] = 3.0,
    seed: Annotated[int, typer.Option(help="Where the random numbers start.")] = 1,
    playouts: Annotated[
        int | None, typer.Option(min=1, help="Stop after this many matches instead.")
    ] = None,
    as_json: options.JsonOption = False,
    position: options.PositionOption = None,
    engine: options.EngineOption = options.Engine.COMPILED,
    backend: options.BackendOption = options.Backend.AUTO,
    threads: ThreadsOption = None,
    timeout: options.TimeoutOption = 60,
    memory: options.MemoryOption = 4,
) -> None:
    """Play uniformly random matches, and show who wins, how long they take, and how fast."""
    from kibitz.budget import time_to_work
    from kibitz.engine import simulate

    sheet = find_sheet(game, position)
    made = make_game(sheet, engine, budget_of(timeout, memory), backend)
    limit = min(seconds if playouts is None else timeout, max(0.01, time_to_work()))
    result = simulate(made, seconds=limit, seed=seed, playouts=playouts, threads=threads)
    if as_json:
        print_json(
            {
                "game": sheet.name,
                "seed": seed,
                "playouts": result.playouts,
                "states": result.states,
                "stuck": result.stuck,
                "unfinished": result.unfinished,
                "mean_length": result.mean_length,
                "mean_goals": result.mean_goals,
                "seconds": result.seconds,
                "cpu_seconds": result.cpu_seconds,
                "states_per_second": result.states_per_second,
            }
        )
        return
    length = "-" if result.mean_length is None else f"{result.mean_length:.2f}"
    print(f"{sheet.name}: {result.playouts:,} random matches, {length} moves each on average")
    for role, goal in result.mean_goals.items():
        print(f"  {role}: {'no goal' if goal is None else f'{goal:.2f}'}")
    if result.stuck:
        print(f"  {result.stuck:,} matches ended because a role had no legal move")
    if result.unfinished:
        print(f"  {result.unfinished:,} more matches did not end in time, and are not counted")
    speed = f"{result.states_per_second:,.0f} a second"
    print(f"  {result.states:,} states in {result.seconds:.2f} s, {speed}")
