"""Commands that measure papers' tables again: reproduce all, frame, fft, positions, learning."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import budget_of, find_sheet, note, print_json
from kibitz.cli.common.outputs import check_folder, write_file
from kibitz.errors import InputError, KibitzError

if TYPE_CHECKING:
    from kibitz.experiments.reproduce import Measured


reproduce = typer.Typer(
    no_args_is_help=True, help="Measure the tables of a paper again.", rich_markup_mode=None
)


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    reproduce.command("all")(everything)
    for command in (frame, fft, positions, learning):
        reproduce.command()(command)
    app.add_typer(reproduce, name="reproduce")


@reproduce.callback()
def _keep_subcommands() -> None:
    """Measure the tables of a paper again."""


def everything(
    papers: Annotated[
        list[str] | None,
        typer.Argument(metavar="PAPER", help="Papers by their numbers, such as 003; all if none."),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            min=1,
            max=1e6,
            help="Seconds to share among all tables; rows that do not fit are listed as left out.",
        ),
    ] = 600,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small games and short searches only: a minute or two.")
    ] = False,
    rules: options.RulesOption = None,
    cluster: options.ClusterOption = None,
    as_json: options.JsonOption = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write .html, or .md for docs."),
    ] = None,
) -> None:
    """Every table of the five papers, theirs beside ours, with what differs and why."""
    from kibitz.experiments.reproduce import TITLES, reproduce_all, to_html, to_markdown

    check_folder(output)
    if output is not None and output.suffix.lower() not in (".html", ".htm", ".md"):
        raise InputError(f"the suffix of {output} names no format", hint=".html or .md")
    unknown = sorted(set(papers or ()) - set(TITLES))
    if unknown:
        raise InputError(f"no paper {' '.join(unknown)}", hint="papers: " + " ".join(TITLES))
    found = reproduce_all(
        seconds=seconds,
        quick=quick,
        rules=rules,
        only=papers or (),
        progress=note,
        cluster=cluster,
    )
    if output is not None:
        is_page = output.suffix.lower() != ".md"
        write_file(output, to_html(found) if is_page else to_markdown(found))
        note(f"wrote {output}")
    if as_json:
        print_json(found.as_json())
    elif output is None:
        print(to_markdown(found), end="")
    if found.was_interrupted:
        note("interrupted; this is what was measured so far")
        raise typer.Exit(130)


def frame(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Games as the paper's table names them; all if none."),
    ] = None,
    rules: options.RulesOption = None,
    seconds: Annotated[
        float,
        typer.Option(
            min=0.01, max=1000, help="Seconds that each search should take; cuts the depth."
        ),
    ] = 2,
    compiled: Annotated[bool, typer.Option(help="Time the compiled engine as well.")] = True,
    as_json: options.JsonOption = False,
    output: options.OutputOption = None,
    memory: options.MemoryOption = 4,
) -> None:
    """Paper 002's Table 1: how long a search takes with and without frame rules.

    The file written is an HTML page with a plot.
    """
    from kibitz.budget import run_within
    from kibitz.experiments.reproduce import frame_html, measure_row, rows_at_hand

    check_folder(output)
    at_hand = rows_at_hand(rules)
    unknown = sorted(set(games or ()) - {row.game for row, _ in at_hand})
    if unknown:
        raise InputError(
            f"no rules are available for {' '.join(unknown)}",
            hint="available: " + " ".join(row.game for row, _ in at_hand),
        )
    results: list[Measured] = []
    skipped: list[str] = []
    interrupted = False
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
        interrupted = True
        note(f"interrupted after {len(results)} games")
        skipped.append("interrupted before the end")
    if output:
        write_file(output, frame_html(results, skipped))
    if as_json:
        print_json({"games": [_json(m) for m in results], "left_out": skipped})
    if interrupted:
        raise typer.Exit(130)
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
    as_json: options.JsonOption = False,
) -> None:
    """Paper 000's Table II and more games: rules and literals, ours beside the paper's."""
    from kibitz.experiments.reproduce import ROWS, measure_lists

    unknown = sorted(set(rows or ()) - {row.key for row in ROWS})
    if unknown:
        raise InputError(
            f"no row {' '.join(unknown)}", hint="rows: " + " ".join(row.key for row in ROWS)
        )
    results = []
    interrupted = False
    try:
        for row in ROWS:
            if rows and row.key not in rows:
                continue
            note(row.key)
            results.append(measure_lists(row, range(seeds), seconds=seconds))
            if not as_json:
                print(results[-1].line(), flush=True)
    except KeyboardInterrupt:
        interrupted = True
        note(f"interrupted after {len(results)} rows")
    if as_json:
        print_json({"rows": [figures.as_json() for figures in results]})
    if interrupted:
        raise typer.Exit(130)


def positions(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="Parts of names, such as bottom2 or 4x4; all if none."),
    ] = None,
    large: Annotated[
        bool, typer.Option("--large", help="Measure connect-4 on 5x5 as well: minutes, 10 GB.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of sampled plays.")] = 1,
    as_json: options.JsonOption = False,
    output: options.OutputOption = None,
    timeout: options.TimeoutOption = 1200,
    memory: options.MemoryOption = 12,
) -> None:
    """Paper 003's Tables 1 to 7: winning positions and how hard they are, exact and sampled."""
    from kibitz.experiments.reproduce import measure_tables, positions_html, printed_rows
    from kibitz.space import Limits

    check_folder(output)
    known = printed_rows()
    rows = [row for row in known if not games or any(part in row.game for part in games)]
    if not rows:
        names = " ".join(dict.fromkeys(row.game for row in known))
        raise InputError(f"no game of the tables is called {games}", hint=f"there are {names}")
    skipped = sorted({row.game for row in rows if row.is_large and not large})
    if skipped:
        note(f"left out without --large: {' '.join(skipped)}")
    tables = measure_tables(
        [row for row in rows if large or not row.is_large],
        seed=seed,
        limits=Limits(seconds=timeout, bytes=int(memory * 1e9)),
        progress=note if as_json else print,
    )
    if output:
        write_file(output, positions_html(tables))
    explained, numbers = tables.agreement()
    if as_json:
        print_json(tables.as_json())
    else:
        print(f"{explained} of {numbers} printed numbers lie within what sampling explains")
    if tables.was_interrupted:
        note("interrupted; this is what was measured so far")
        raise typer.Exit(130)
    if not tables.rows:
        raise typer.Exit(1)


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


def learning(
    rows: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="nim or tictactoe; both if none."),
    ] = None,
    sizes: Annotated[str, typer.Option(help="Instances to learn from.")] = "S,M,L",
    approaches: Annotated[
        str, typer.Option(help="Approaches to measure.")
    ] = "minimax,pruned,rules,constraints",
    matches: Annotated[int, typer.Option(min=1, max=100_000, help="Matches for each row.")] = 300,
    general: Annotated[
        bool, typer.Option("--generalise/--no-generalise", help="Verify on larger games as well.")
    ] = True,
    as_json: options.JsonOption = False,
    output: options.OutputOption = None,
) -> None:
    """Paper 004's Tables 1 to 3 and Figures 19 and 20: nodes, seconds, and wins against random.

    The file written is an HTML page.
    """
    from kibitz.experiments.reproduce import (
        APPROACHES,
        Generalised,
        LearningRow,
        learning_html,
        learning_json,
        measure_generalisation,
        measure_learning,
    )

    check_folder(output)
    chosen = {"GAME": rows or ["nim", "tictactoe"], "--sizes": sizes.split(",")}
    chosen["--approaches"] = approaches.split(",")
    known = {"GAME": ("nim", "tictactoe"), "--sizes": ("S", "M", "L")}
    known["--approaches"] = APPROACHES
    for option, values in chosen.items():
        for value in values:
            if value not in known[option]:
                raise InputError(f"no {value} for {option}", hint=" ".join(known[option]))
    found: list[LearningRow] = []
    table: list[Generalised] = []
    interrupted = False
    try:
        for row in measure_learning(
            games=tuple(chosen["GAME"]),
            sizes=tuple(chosen["--sizes"]),
            approaches=tuple(chosen["--approaches"]),
            matches=matches,
        ):
            found.append(row)
            if not as_json:
                print(row.line(), flush=True)
        if general:
            for one in measure_generalisation(
                games=tuple(chosen["GAME"]), sizes=tuple(chosen["--sizes"])
            ):
                table.append(one)
                if not as_json:
                    print(one.line(), flush=True)
    except KeyboardInterrupt:
        interrupted = True
        note(f"interrupted after {len(found)} rows")
    if output:
        write_file(output, learning_html(found, table))
    if as_json:
        print_json(learning_json(found, table))
    if interrupted:
        raise typer.Exit(130)
