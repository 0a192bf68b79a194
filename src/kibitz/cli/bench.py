"""Commands that measure: bench engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.inputs import JsonOption, RulesOption, find_sheet, note, print_json
from kibitz.cli.outputs import OutputOption, check_folder, write_file
from kibitz.errors import InputError

if TYPE_CHECKING:
    from kibitz.bench import Failure, Figures

__all__ = ["register"]

bench = typer.Typer(no_args_is_help=True, help="Measure how fast Kibitz is.", rich_markup_mode=None)


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    bench.command()(engine)
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
        float, typer.Option(min=0.01, max=1000, help="How long a window of measuring is.")
    ] = 0.5,
    windows: Annotated[int, typer.Option(min=1, max=1000, help="Windows; the best counts.")] = 3,
    timeout: Annotated[
        float, typer.Option(metavar="S", min=1, max=1e6, help="Seconds that a game may take.")
    ] = 600,
    as_json: JsonOption = False,
    output: OutputOption = None,
) -> None:
    """Measure playouts and perft, beside code written by hand and the figures of others."""
    from kibitz.bench import Figures, Job, measure

    check_folder(output)
    names = _names(games or [], rules)
    results: list[Figures | Failure] = []
    interrupted = False
    try:
        for number, name in enumerate(names, start=1):
            note(f"{number}/{len(names)} {name}")
            text = find_sheet(name).source.text
            result = measure(Job(name, text, seconds, windows, timeout))
            if not isinstance(result, Figures):
                note(f"  not measured: {result.reason}")
            elif result.reference and result.reference.yardstick:
                _note_yardstick(result)
            results.append(result)
    except KeyboardInterrupt:
        interrupted = True
        note(f"stopped after {len(results)} of {len(names)} games")
    if results:
        _show(results, as_json, output)
    if interrupted:
        raise typer.Exit(130)
    if not any(isinstance(result, Figures) for result in results):
        raise typer.Exit(1)


def _names(games: list[str], rules: Path | None) -> list[str]:
    """Find what to measure: what is named, else what is in the folder, else the default."""
    from kibitz.bench import DEFAULTS, SHEETS

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
    from kibitz.bench import as_json_value, as_tables

    value: Any = as_json_value(results) if as_json else as_tables(results)
    if output:
        write_file(output, f"{json.dumps(value) if as_json else value}\n")
    elif as_json:
        print_json(value)
    else:
        print(value)
