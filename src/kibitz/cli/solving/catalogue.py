"""The command for many games at once: catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common.inputs import budget_of, find_sheet, note, print_json
from kibitz.cli.common.options import JsonOption, MemoryOption
from kibitz.cli.common.outputs import clear_line, shown_line, write_file
from kibitz.errors import InputError

if TYPE_CHECKING:
    from kibitz.present import CatalogueEntry


_SUFFIXES = (".kif", ".gdl", ".lud", ".rules.txt")


def register(app: typer.Typer) -> None:
    """Add the command of this module to the application."""
    app.command()(catalogue)


def catalogue(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="library for all games of the library, folders of rule sheets, or games.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="The folder of the pages.")
    ],
    as_json: JsonOption = False,
    timeout: Annotated[
        float, typer.Option(metavar="S", min=1, max=1e6, help="Seconds for each game.")
    ] = 120,
    memory: MemoryOption = 4,
    max_states: Annotated[
        int, typer.Option("--max-states", min=1, help="Beyond this many states, play matches only.")
    ] = 3_000_000,
) -> None:
    """Study many games, and write pages to browse: value, size, fairness, rules, a hard position.

    Each game has its own time and memory. What the folder already has of the same rules is kept, so
    the same command goes on after Ctrl-C.
    """
    from kibitz.present import Source, study_games, write_index

    if output.exists() and not output.is_dir():
        raise InputError(f"cannot write {output}: it is a file", hint="name a folder")
    named = list(dict.fromkeys(name for source in sources for name in _games_of(source)))
    games = [Source(name, partial(find_sheet, name)) for name in named]
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make {output}: {error.strerror or error}") from None
    found: list[CatalogueEntry] = []
    interrupted = False
    try:
        for entry, files in study_games(
            games,
            output,
            budget=budget_of(timeout, memory),
            max_states=max_states,
            progress=shown_line(),
        ):
            found.append(entry)
            for name, text in files.items():
                write_file(output / name, text)
            write_file(output / "index.html", write_index(found))
    except KeyboardInterrupt:
        interrupted = True
    finally:
        clear_line()
    left_out = [entry for entry in found if entry.why_not]
    for entry in left_out:
        note(f"{entry.game}: left out: {entry.why_not}")
    if as_json:
        print_json(
            {"games": [entry.as_json() for entry in found], "index": str(output / "index.html")}
        )
    else:
        print(f"{len(found) - len(left_out)} of {len(named)} games: {output / 'index.html'}")
    if interrupted:
        note("interrupted; the same command goes on from here")
        raise typer.Exit(130)
    if found and len(left_out) == len(found):
        raise typer.Exit(1)


def _games_of(source: str) -> Iterator[str]:
    """Yield the games that one argument names."""
    from kibitz.games import catalogue as library

    if source == "library":
        for entry in library():
            yield from entry.examples
    elif Path(source).is_dir():
        sheets = sorted(p for p in Path(source).rglob("*") if p.name.endswith(_SUFFIXES))
        if not sheets:
            raise InputError(
                f"{source} has no rule sheets", hint=f"their names end in {', '.join(_SUFFIXES)}"
            )
        yield from map(str, sheets)
    else:
        yield source
