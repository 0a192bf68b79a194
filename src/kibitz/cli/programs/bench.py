"""Commands that measure: bench engine, core, solve, prove, growth, players, policy, and more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common.inputs import find_sheet, note, print_json, read_text
from kibitz.cli.common.options import JsonOption, OutputOption, RulesOption
from kibitz.cli.common.outputs import check_folder, write_file
from kibitz.errors import InputError, KibitzError
from kibitz.files import written_whole

if TYPE_CHECKING:
    from kibitz.experiments.bench import Failure, Figures, Solved


bench = typer.Typer(no_args_is_help=True, help="Measure how fast Kibitz is.", rich_markup_mode=None)


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    for command in (engine, core, solve, prove, growth, players, policy, rules, puzzles, envs):
        bench.command()(command)
    app.add_typer(bench, name="bench")


@bench.callback()
def _keep_subcommands() -> None:
    """Measure how fast Kibitz is."""


def engine(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Games of the library or paths; a chosen few if none."),
    ] = None,
    rules: RulesOption = None,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=1000, help="Seconds that a window of measuring takes.")
    ] = 0.5,
    windows: Annotated[int, typer.Option(min=1, max=1000, help="Windows; the best counts.")] = 3,
    timeout: Annotated[
        float,
        typer.Option(
            metavar="S", min=1, max=1e6, help="Seconds that each game may take, by the clock."
        ),
    ] = 600,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Measure playouts and perft, beside code written by hand and the figures of others."""
    from kibitz.experiments.bench import Figures, Measurement, measure_game

    check_folder(output)
    names = _names(games or [], rules)
    results: list[Figures | Failure] = []
    interrupted = False
    try:
        for number, name in enumerate(names, start=1):
            note(f"{number}/{len(names)} {name}")
            text = find_sheet(name).source.text
            result = measure_game(Measurement(name, text, seconds, windows, timeout))
            if not isinstance(result, Figures):
                note(f"  not measured: {result.reason}")
            elif result.reference and result.reference.yardstick:
                _note_yardstick(result)
            results.append(result)
    except KeyboardInterrupt:
        interrupted = True
        note(f"interrupted after {len(results)} of {len(names)} games")
    if results:
        _show(results, as_json, output)
    if interrupted:
        raise typer.Exit(130)
    if not any(isinstance(result, Figures) for result in results):
        raise typer.Exit(1)


def core(
    against: Annotated[
        Path, typer.Option(metavar="DIR", help="Another checkout of Kibitz, with its sources.")
    ],
    only: Annotated[
        list[str] | None,
        typer.Argument(metavar="PART", help="Measure what has this in its name; all if none."),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=1000, help="CPU-seconds of a window of measuring.")
    ] = 0.5,
    windows: Annotated[int, typer.Option(min=1, max=1000, help="Windows of each; medians.")] = 5,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Measure native loops beside those of another version, a window of each in turn."""
    from kibitz.experiments.bench import Failure, compare_cores, core_json, core_table

    check_folder(output)
    if not (against / "src" / "kibitz").is_dir():
        raise InputError(f"{against} is no checkout of Kibitz", hint="it has no folder src/kibitz")
    results = compare_cores(
        against.resolve(), only=only or [], windows=windows, seconds=seconds, report=note
    )
    if not results:
        raise InputError(f"nothing measured has {' or '.join(only or [])} in its name")
    _put_out(core_json(results) if as_json else core_table(results), as_json, output)
    if all(isinstance(result, Failure) for result in results):
        raise typer.Exit(1)


def solve(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Games of the library or paths; a chosen few if none."),
    ] = None,
    runs: Annotated[int, typer.Option(min=1, max=100, help="Runs; the fastest counts.")] = 2,
    timeout: Annotated[
        float,
        typer.Option(
            metavar="S", min=1, max=1e6, help="Seconds that each run may take, by the clock."
        ),
    ] = 600,
    compact: Annotated[
        bool, typer.Option("--compact", help="Keep no moves, as kibitz solve --compact does.")
    ] = False,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Measure solving from rules alone, beside code written by hand and OpenSpiel."""
    from kibitz.experiments.bench import (
        PEER,
        SOLVED,
        Failure,
        has_peer,
        solving_json,
        solving_tables,
    )

    check_folder(output)
    names = games or list(SOLVED)
    if any(name in PEER for name in names) and not has_peer():
        note("without OpenSpiel beside it: pip install open_spiel cvxpy")
    results = _solve_all(names, runs, timeout, compact=compact)
    value: Any = solving_json(results) if as_json else solving_tables(results)
    _put_out(value, as_json, output)
    if all(isinstance(result, Failure) for result in results):
        raise typer.Exit(1)


def prove(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Games of the library or paths; a chosen few if none."),
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="S", min=1, max=1e6, help="Seconds that each search may take.")
    ] = 300,
    memory: Annotated[
        float, typer.Option(metavar="GB", min=0.1, max=1e4, help="Memory that each may use.")
    ] = 4,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Measure the search for the first position of games, beside a search written by hand."""
    from kibitz.experiments.bench import (
        SEARCHED,
        Failure,
        Searched,
        measure_proving,
        proving_json,
        proving_tables,
    )

    check_folder(output)
    names = games or list(SEARCHED)
    results: list[Searched | Failure] = []
    interrupted = False
    try:
        for number, name in enumerate(names, start=1):
            note(f"{number}/{len(names)} {name}")
            result = measure_proving(name, timeout_s=timeout, memory_gb=memory)
            if isinstance(result, Failure):
                note(f"  not measured: {result.reason}")
            results.append(result)
    except KeyboardInterrupt:
        interrupted = True
        note(f"interrupted after {len(results)} of {len(names)} games")
    if results:
        value: Any = proving_json(results) if as_json else proving_tables(results)
        _put_out(value, as_json, output)
    if interrupted:
        raise typer.Exit(130)
    if all(isinstance(result, Failure) for result in results):
        raise typer.Exit(1)


def players(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Games of the library or paths; two if none."),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent", metavar="AGENT", help="An agent of the ladder; random careful uct mcts."
        ),
    ] = None,
    matches: Annotated[int, typer.Option(min=2, help="Matches of each two agents.")] = 100,
    play_clock: Annotated[
        float, typer.Option(metavar="S", min=0.01, max=1000, help="Seconds for each move.")
    ] = 0.2,
    as_json: JsonOption = False,
) -> None:
    """Let agents meet one another with the same clock, rate them, and measure the tree search.

    Ratings are Elo numbers fitted to all matches of a game, with 95 % intervals; their mean is 0.
    """
    from kibitz.engine import CompiledGame
    from kibitz.experiments.bench import LADDER, measure_players

    results = []
    for name in games or ["connectfour", "breakthrough:6x6"]:
        note(name)
        result = measure_players(
            CompiledGame(find_sheet(name)),
            agents=agent or LADDER,
            matches=matches,
            play_s=play_clock,
            read=read_text,
        )
        results.append(result)
        if not as_json:
            for rating in result.ladder:
                print(f"{result.game}: {rating}")
            for rival, score in result.against.items():
                low, high = score.win_interval
                print(
                    f"{result.game}: against {rival} {score.wins} won, {score.draws} drawn, "
                    f"{score.losses} lost of {score.matches} (95 %: {low:.0%} to {high:.0%} won)"
                )
            print(
                f"{result.game}: {result.playouts_per_cpu_s / 1e6:.2f} million playouts in a "
                f"CPU-second, {result.share:.0%} of simulate"
            )
    if as_json:
        print_json([result.as_json() for result in results])


def growth(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The plot, as SVG or PNG.")
    ],
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Games of the library; four families if none."),
    ] = None,
    most: Annotated[
        float, typer.Option(metavar="S", min=0.1, help="Stop a family after a game this long.")
    ] = 120,
    as_json: JsonOption = False,
) -> None:
    """Plot how time and memory grow from a thousand states to a hundred million."""
    from kibitz.experiments.bench import GROWTH, Solved, plot_growth, solving_json, solving_tables

    check_folder(output)
    if output.suffix not in (".svg", ".png"):
        raise InputError(f"cannot draw {output}", hint="its name must end in .svg or .png")
    results = _solve_all(games or list(GROWTH), 2, most, compare=False)
    solved = [result for result in results if isinstance(result, Solved)]
    if not solved:
        raise typer.Exit(1)
    with written_whole(output) as part:
        plot_growth(solved, part)
    value: Any = solving_json(results) if as_json else solving_tables(results)
    _put_out(value, as_json, None)


def _solve_all(
    names: list[str],
    runs: int,
    timeout: float,
    *,
    compare: bool = True,
    compact: bool = False,
) -> list[Solved | Failure]:
    from kibitz.experiments.bench import Failure, measure_solving

    results: list[Solved | Failure] = []
    for number, name in enumerate(names, start=1):
        note(f"{number}/{len(names)} {name}")
        result = measure_solving(
            name, runs=runs, timeout_s=timeout, compare=compare, compact=compact
        )
        if isinstance(result, Failure):
            note(f"  not measured: {result.reason}")
        results.append(result)
    return results


def policy(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game of the library or a path.")
    ] = "connectfour",
    strategy: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A list of rules; eight for connect four if none."),
    ] = None,
    windows: Annotated[int, typer.Option(min=1, max=1000, help="Windows; the best counts.")] = 3,
    as_json: JsonOption = False,
) -> None:
    """Measure how fast a list of rules is followed in blocks, beside one state at a time."""
    from kibitz.engine import CompiledGame
    from kibitz.experiments.bench import EIGHT_RULES, measure_policy

    if strategy is None and game != "connectfour":
        raise InputError(f"which rules for {game}?", hint="--strategy FILE")
    text = EIGHT_RULES if strategy is None else read_text(strategy)
    found = measure_policy(CompiledGame(find_sheet(game)), text, windows=windows)
    if as_json:
        print_json(found.as_json())
        return
    print(
        f"{found.game}: {found.rules} rules, {found.gates:,} gates, compiled in "
        f"{found.seconds_to_compile:.1f} CPU-seconds"
    )
    print(
        f"{found.game}: {found.moves_per_cpu_second / 1e6:.2f} million moves in a CPU-second, "
        f"{found.times:,.0f} times the {found.evaluator_moves_per_cpu_second:,.1f} of one state at "
        "a time"
    )


_GROUNDING_S = 300
"""Seconds that the rules of a game may take to become gates, at least."""


def rules(
    games: Annotated[
        list[str], typer.Argument(metavar="GAME", help="Games of the library or paths.")
    ],
    seconds: Annotated[
        float, typer.Option("--time", metavar="S", min=1, max=1e6, help="Seconds for each game.")
    ] = 120,
    max_rules: Annotated[int, typer.Option(min=1, help="The most rules of a list.")] = 8,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 0,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Find rules by matches for each game, and measure what they are worth.

    A file that ends in .json gets JSON after each game, and games that it has are not measured
    again; any other file gets the table.
    """
    from kibitz.cli.common.inputs import compile_game
    from kibitz.experiments.bench import MeasuredGame, measure_rule_list, rules_table
    from kibitz.measured import SearchOptions

    check_folder(output)
    options = SearchOptions(most_rules=max_rules, seconds=seconds, seed=seed)
    keeps = output is not None and output.suffix == ".json"
    measured = _measured_before(output) if keeps and output is not None else []
    interrupted = False
    try:
        for number, name in enumerate(games, start=1):
            stem = Path(name).stem
            if any(one["game"] == stem for one in measured):
                continue
            note(f"{number}/{len(games)} {name}")
            try:
                made = compile_game(name, max(_GROUNDING_S, seconds), 4)
                found = measure_rule_list(made, stem, options)
            except KibitzError as error:
                found = MeasuredGame(stem, reason=error.message)
            measured.append(found.as_json())
            if keeps and output is not None:
                write_file(output, json.dumps(measured, indent=1) + "\n")
    except KeyboardInterrupt:
        interrupted = True
        note(f"interrupted after {len(measured)} of {len(games)} games")
    text = rules_table(measured)
    if output is not None and not keeps:
        write_file(output, text)
    if as_json:
        print_json(measured)
    else:
        print(text, end="")
    if interrupted:
        raise typer.Exit(130)


def _measured_before(output: Path) -> list[dict[str, Any]]:
    """Return the games that a file of an earlier run has."""
    if not output.exists():
        return []
    try:
        found = json.loads(output.read_text("utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, list) or not all(isinstance(x, dict) and "game" in x for x in found):
        raise InputError(
            f"{output} is not a file of kibitz bench rules", hint="give another name after -o"
        )
    return found


def puzzles(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Games; some of paper 003's if none."),
    ] = None,
    win_in: Annotated[
        int, typer.Option("--win-in", min=0, help="Own moves before the one that wins.")
    ] = 2,
    depth: Annotated[int, typer.Option(min=1, max=9, help="Rounds that both search.")] = 3,
    seconds: Annotated[
        float,
        typer.Option(min=0.01, max=1e5, help="Seconds to play from one position of each game."),
    ] = 10,
    as_json: JsonOption = False,
) -> None:
    """Classify all positions of a game exactly, against thirty plays of one of them."""
    from dataclasses import asdict

    from kibitz.engine import CompiledGame
    from kibitz.experiments.bench import measure_puzzles

    results = []
    for name in games or ["tictactoe", "connect:3,4x4", "bottom2:3,4x4", "mnk:4,4,3"]:
        made = CompiledGame(find_sheet(name))
        found = measure_puzzles(made, rounds=win_in, depth=depth, seconds=seconds)
        results.append({**asdict(found), "ratio": found.ratio, "ratio_of_all": found.ratio_of_all})
        if not as_json:
            print(
                f"{name}: {found.positions:,} positions exactly {found.exact_s:.3g} s, 30 plays of "
                f"one {found.plays_s:.3g} s, {found.ratio:,.3g} times as long; of all "
                f"{found.ratio_of_all:,.3g} times"
            )
    if as_json:
        print_json({"games": results})


def envs(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME[=SPIEL]",
            help="Games of the library or paths, each with the name that OpenSpiel has for the "
            "same game; four of them if none.",
        ),
    ] = None,
    matches: Annotated[
        int, typer.Option("--matches", min=1, max=1_000_000, help="Matches in a batch.")
    ] = 4096,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=1000, help="CPU-seconds of a window of measuring.")
    ] = 1.0,
    windows: Annotated[int, typer.Option(min=1, max=1000, help="Windows; the best counts.")] = 3,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Measure random play through learning libraries, beside the games of OpenSpiel and pgx."""
    from kibitz.engine import CompiledGame
    from kibitz.experiments.bench import ENV_GAMES, env_table, measure_envs

    check_folder(output)
    pgx_names = {name: pgx for name, _, pgx in ENV_GAMES}
    known = {name: spiel for name, spiel, _ in ENV_GAMES}
    results = []
    for text in games or list(known):
        name, _, spiel = text.partition("=")
        note(name)
        results.append(
            measure_envs(
                CompiledGame(find_sheet(name)),
                spiel=spiel or known.get(name, ""),
                pgx=pgx_names.get(name, spiel),
                matches=matches,
                seconds=seconds,
                windows=windows,
            )
        )
    value: Any = [one.as_json() for one in results] if as_json else env_table(results)
    _put_out(value, as_json, output)


def _names(games: list[str], rules: Path | None) -> list[str]:
    """Find what to measure: what is named, else what is in the folder, else the default."""
    from kibitz.experiments.bench import DEFAULTS, SHEETS

    if not rules:
        return games or list(DEFAULTS)
    if games:
        paths = [(game, rules / f"{game}.kif") for game in games]
        return [str(path) if path.is_file() else game for game, path in paths]
    found = [str(path) for name in SHEETS if (path := rules / f"{name}.kif").is_file()]
    if not found:
        raise InputError(f"{rules} has none of the rule sheets {' '.join(SHEETS)}")
    return found


def _note_yardstick(figures: Figures) -> None:
    if not figures.yardstick:
        note("  no yardstick: it needs numba and the folder benchmarks/ of a checkout")
    elif not figures.yardstick.perft_agrees:
        note("  the yardstick counts other states, so these rules are of another game")


def _show(results: list[Figures | Failure], as_json: bool, output: Path | None) -> None:
    from kibitz.experiments.bench import as_json_value, as_tables

    _put_out(as_json_value(results) if as_json else as_tables(results), as_json, output)


def _put_out(value: Any, as_json: bool, output: Path | None) -> None:
    if output:
        write_file(output, f"{json.dumps(value) if as_json else value}\n")
    elif as_json:
        print_json(value)
    else:
        print(value)
