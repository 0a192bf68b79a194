"""What commands share: options, and finding the game that an argument names."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.errors import InputError, RuleSheetError, Severity

if TYPE_CHECKING:
    from kibitz.budget import Budget
    from kibitz.engine import Game
    from kibitz.gdl import RuleSheet

__all__ = [
    "Backend",
    "BackendOption",
    "Engine",
    "EngineOption",
    "GameArgument",
    "JsonOption",
    "MemoryOption",
    "RulesOption",
    "TimeoutOption",
    "budget_of",
    "complete_game",
    "find_sheet",
    "make_game",
    "note",
    "print_json",
    "read_file",
    "read_text",
    "rules_of",
]

MAX_FILE_BYTES = 50_000_000


def complete_game(incomplete: str) -> list[str]:
    """Give the names of the library that begin so, for shells."""
    from kibitz.games import catalogue

    names = [name for entry in catalogue() for name in entry.examples]
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]


GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        autocompletion=complete_game,
        help="A game of the library (tictactoe, nim:1,3,5), a rule sheet's path, or - for stdin.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
TimeoutOption = Annotated[
    float,
    typer.Option("--timeout", metavar="S", min=0.1, max=1e6, help="Seconds the work may take."),
]
MemoryOption = Annotated[
    float,
    typer.Option("--memory", metavar="GB", min=0.1, max=1e6, help="Gigabytes the work may use."),
]
RulesOption = Annotated[
    Path | None,
    typer.Option(
        "--rules",
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="A folder to take rule sheets from; games of the library if not given.",
    ),
]


class Engine(StrEnum):
    """Which engine steps the states."""

    COMPILED = "compiled"
    UNGROUNDED = "ungrounded"
    REFERENCE = "reference"


EngineOption = Annotated[Engine, typer.Option("--engine", help="Which engine steps the states.")]


class Backend(StrEnum):
    """What the compiled engine runs on."""

    AUTO = "auto"
    STRAIGHT = "straight"
    INTERPRETER = "interpreter"
    NUMPY = "numpy"


BackendOption = Annotated[
    Backend, typer.Option("--backend", help="What the compiled engine runs on; by size if auto.")
]


def budget_of(timeout: float, memory: float) -> Budget:
    """Make a budget of the two options."""
    from kibitz.budget import Budget

    return Budget(seconds=timeout, bytes=int(memory * 1e9))


def read_file(path: str) -> bytes:
    """Read a file, or stdin for -."""
    if path == "-":
        if sys.stdin is None:
            raise InputError("stdin is closed", hint="give a path instead of -")
        return sys.stdin.buffer.read(MAX_FILE_BYTES)
    try:
        if Path(path).stat().st_size > MAX_FILE_BYTES:
            raise InputError(f"{path} has more than {MAX_FILE_BYTES:,} bytes")
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


def read_text(path: str) -> str:
    """Read a file of text, or stdin for -."""
    try:
        return read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8 text") from None


def rules_of(game: str) -> tuple[str | bytes, str]:
    """Give the text of the rules that an argument names, and the name to call it by."""
    if game == "-":
        return read_file(game), "stdin"
    if Path(game).suffix in (".kif", ".gdl", ".rules", ".lp") or os.sep in game:
        return read_file(game), game
    with contextlib.suppress(OSError):  # such as a name too long for a file
        if Path(game).is_file():
            return read_file(game), game
    from kibitz.games import rule_text

    return rule_text(game), game


def find_sheet(game: str) -> RuleSheet:
    """Read and check the rules that an argument names; warnings go to stderr."""
    from kibitz.gdl import diagnose

    text, name = rules_of(game)
    sheet, diagnostics = diagnose(text, name=name)
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    if errors:
        raise RuleSheetError(sheet.source, errors)
    if diagnostics:
        count = f"{len(diagnostics)} warning{'s' * (len(diagnostics) > 1)}"
        print(f"{name}: {count}; kibitz check {game} shows them", file=sys.stderr)
    return sheet


def make_game(
    sheet: RuleSheet, engine: Engine, budget: Budget, backend: Backend = Backend.AUTO
) -> Game:
    """Make a game of a sheet with the engine asked for; say so where it is not to be had."""
    from kibitz.engine import ReferenceGame, make_game
    from kibitz.engine.ungrounded import UngroundedGame

    if engine is Engine.REFERENCE:
        return ReferenceGame(sheet)
    if engine is Engine.UNGROUNDED:
        return UngroundedGame(sheet)
    return make_game(sheet, budget=budget, backend=backend, note=note)


def note(message: str) -> None:
    """Tell a person something beside the result."""
    print(message, file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(value, ensure_ascii=not is_unicode))
