"""Commands that measure a paper's tables again: reproduce frame, reproduce fft."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.inputs import (
    JsonOption,
    MemoryOption,
    RulesOption,
    budget_of,
    find_sheet,
    note,
    print_json,
)
from kibitz.cli.outputs import OutputOption, check_folder, write_file
from kibitz.errors import InputError, KibitzError

if TYPE_CHECKING:
    from kibitz.reproduce import Measured

__all__ = ["register", "reproduce"]

reproduce = typer.Typer(
    no_args_is_help=True, help="Measure the tables of a paper again.", rich_markup_mode=None
)


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    for command in (frame, fft):
        reproduce.command()(command)
    app.add_typer(reproduce, name="reproduce")


@reproduce.callback()
def _keep_subcommands() -> None:
    """Measure the tables of a paper again."""


def frame(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Games as the paper's table names them; all if none."),
    ] = None,
    rules: RulesOption = None,
    seconds: Annotated[
        float,
        typer.Option(min=0.01, max=1000, help="Seconds that one search may take; cuts the depth."),
    ] = 2,
    compiled: Annotated[bool, typer.Option(help="Time the compiled engine as well.")] = True,
    as_json: JsonOption = False,
    output: OutputOption = None,
    memory: MemoryOption = 4,
) -> None:
    """Paper 002's Table 1: how long a search takes with and without frame rules.

    The file written is an HTML page with a plot.
    """
    from kibitz.budget import run_within
    from kibitz.reproduce import measure_row, rows_at_hand
    from kibitz.reproduce.frame_page import page

    check_folder(output)
    at_hand = rows_at_hand(rules)
    unknown = sorted(set(games or ()) - {row.game for row, _ in at_hand})
    if unknown:
        raise InputError(
            f"no rules at hand for {' '.join(unknown)}",
            hint="at hand: " + " ".join(row.game for row, _ in at_hand),
        )
    results: list[Measured] = []
    skipped: list[str] = []
    try:
        for row, source in at_hand:
            if games and row.game not in games:
                continue
            note(f"{row.game}")
            sheet = find_sheet(source)
            try:
                measured = run_within(
                    budget_of(20 * seconds + 60, memory),
                    lambda row=row, sheet=sheet: measure_row(  # type: ignore[misc]
                        row, sheet, seconds=seconds, compiled=compiled
                    ),
                    doing=row.game,
                )
            except KibitzError as error:
                skipped.append(f"{row.game}: {error.message}")
                note(f"  left out: {error.message}")
                continue
            results.append(measured)
            if not as_json:
                print(_line(measured), flush=True)
    except KeyboardInterrupt:
        note(f"stopped after {len(results)} games")
        skipped.append("interrupted before the end")
    if output:
        write_file(output, page(results, skipped))
    if as_json:
        print_json({"games": [_json(m) for m in results], "left_out": skipped})
    if not results:
        raise typer.Exit(1)


def fft(
    rows: Annotated[
        list[str] | None, typer.Argument(metavar="ROW", help="Rows to measure; all if none.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, max=1000, help="How many seeds.")] = 10,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time", metavar="S", min=0.1, max=1e6, help="Seconds for each search; by row if none."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Paper 000's Table II and more games: rules and literals, ours beside the paper's."""
    from kibitz.reproduce.fft import ROWS, measure

    unknown = sorted(set(rows or ()) - {row.key for row in ROWS})
    if unknown:
        raise InputError(
            f"no row {' '.join(unknown)}", hint="rows: " + " ".join(row.key for row in ROWS)
        )
    results = []
    for row in ROWS:
        if rows and row.key not in rows:
            continue
        note(row.key)
        results.append(measure(row, range(seeds), seconds=seconds))
        if not as_json:
            print(results[-1].line(), flush=True)
    if as_json:
        print_json({"rows": [figures.as_json() for figures in results]})


def _line(m: Measured) -> str:
    times = "  ".join(
        f"{label} {m.seconds[name]:.3f}"
        for label, name in (("O", "original"), ("X_D", "direct"), ("X_P", "pruned"))
        if name in m.seconds
    )
    ratio = "" if m.speed_up is None else f"  O/X_P {m.speed_up:.2f} (paper {m.row.speed_up:.2f})"
    return (
        f"{m.row.game:<18} d {m.depth} of {m.row.depth}  {m.states:>9,} states  {times}{ratio}  "
        f"joint moves {m.joint_moves_before} to {m.joint_moves}  portfolio {m.chosen}"
    )


def _json(m: Measured) -> dict[str, Any]:
    return {
        **asdict(m),
        "speed_up": m.speed_up,
        "paper_speed_up": m.row.speed_up,
        "chosen": m.chosen,
        "chosen_over_best": m.chosen_over_best,
    }
