"""The command for designers: report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common.inputs import find_sheet, note, print_json
from kibitz.cli.common.options import JsonOption, MemoryOption, TimeoutOption
from kibitz.cli.common.outputs import check_folder, clear_line, shown_line, write_file
from kibitz.errors import InputError, KibitzError

if TYPE_CHECKING:
    from kibitz.present import Report


_SUFFIXES = (".html", ".htm", ".json", ".txt")


def register(app: typer.Typer) -> None:
    """Add the command of this module to the application."""
    app.command()(report)


def report(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME...", help="Games of the library or paths of rule sheets; several compare."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write .html, .json or .txt.",
        ),
    ] = None,
    as_json: JsonOption = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="S",
            min=0,
            max=1e6,
            help="Seconds to search for each role's rules, once the game is solved or found too "
            "large, 0 for none; if not given, a number of rounds, which gives the same rules on "
            "any machine, or a minute in slow games.",
        ),
    ] = None,
    positions: Annotated[
        int,
        typer.Option("-n", metavar="N", min=0, max=100, help="Hard positions to show."),
    ] = 3,
    seed: Annotated[int, typer.Option(help="Seed of random choices.")] = 1,
    max_states: Annotated[
        int, typer.Option("--max-states", min=1, help="Beyond this many states, play matches only.")
    ] = 3_000_000,
    timeout: TimeoutOption = 120,
    memory: MemoryOption = 4,
) -> None:
    """Report on games for designers: value, length, skill, decisions, dead rules and more."""
    from kibitz.present import Wish, as_text, compare_text, make_report, report_page

    if output is not None and output.suffix.lower() not in _SUFFIXES:
        raise InputError(
            f"the suffix of {output} names no format",
            hint=f"one of {' '.join(_SUFFIXES)}",
        )
    check_folder(output)
    wish = Wish(
        seconds=timeout,
        bytes=int(memory * 1e9),
        max_states=max_states,
        rule_seconds=seconds,
        positions=positions,
        seed=seed,
    )
    found: list[Report] = []
    left_out: list[tuple[str, str]] = []
    for name in games:
        try:
            found.append(make_report(find_sheet(name), wish, progress=shown_line(f"{name}: ")))
        except KibitzError as error:
            if len(games) == 1:
                raise
            left_out.append((name, error.message))
            note(f"{name}: left out: {error.message}")
            continue
        finally:
            clear_line()
        if not as_json and output is None:
            print(as_text(found[-1]), flush=True)
        if found[-1].was_interrupted:
            break
    result = {
        "games": [one.as_json() for one in found],
        "left_out": [{"game": name, "why": why} for name, why in left_out],
    }
    if output is not None and found:
        texts = [*map(as_text, found), *([compare_text(found)] if len(found) > 1 else [])]
        written = {
            ".json": lambda: json.dumps(result) + "\n",
            ".txt": lambda: "\n\n".join(texts) + "\n",
        }
        write_file(
            output, written.get(output.suffix.lower(), lambda: report_page(found, left_out))()
        )
        note(f"wrote {output}")
    if as_json:
        print_json(result)
    elif output is None and len(found) > 1:
        print(f"\n{compare_text(found)}")
    if any(one.was_interrupted for one in found):
        note("interrupted; this is what was found so far")
        raise typer.Exit(130)
    if not found:
        raise typer.Exit(1)
