"""Read the inputs of commands: the game that an argument names, states, files, and budgets."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz import reading
from kibitz.cli.common.options import Backend, Engine
from kibitz.errors import InputError, RuleSheetError, Severity

if TYPE_CHECKING:
    from kibitz.budget import Budget
    from kibitz.engine import CompiledGame, Game, State
    from kibitz.gdl import Function, RuleSheet
    from kibitz.space import Limits


AS_GDL1 = ContextVar("AS_GDL1", default=False)
"""Whether the command line says that every role sees all, and that random is a player."""


def budget_of(timeout: float, memory: float) -> Budget:
    """Make a budget of the two options."""
    from kibitz.budget import Budget

    return Budget(seconds=timeout, bytes=int(memory * 1e9))


def limits_of(max_states: int, timeout: float, memory: float) -> Limits:
    """Make bounds of exploring of the three options."""
    from kibitz.space import Limits

    return Limits(states=max_states, seconds=timeout, bytes=int(memory * 1e9))


def read_file(path: str) -> bytes:
    """Read a file, or stdin for -."""
    if path == "-":
        if sys.stdin is None:
            raise InputError("stdin is closed", hint="give a path instead of -")
        data = sys.stdin.buffer.read(reading.MOST_BYTES + 1)
        if len(data) > reading.MOST_BYTES:
            raise InputError(f"stdin has more than {reading.MOST_BYTES:,} bytes")
        return data
    return reading.read_bytes(path)


def read_text(path: str) -> str:
    """Read a file of text, or stdin for -."""
    return reading.decoded(read_file(path), path)


class Rules(NamedTuple):
    """The text of rules in GDL, the game's name, and the text in another language it comes from."""

    text: str | bytes
    name: str
    original: bytes | None = None


def rules_of(game: str) -> Rules:
    """Return the rules that an argument names."""
    if game == "-":
        return _as_gdl(read_file(game), "stdin")
    if Path(game).suffix in (".kif", ".gdl", ".rules", ".lp", ".lud", ".txt") or os.sep in game:
        return _as_gdl(read_file(game), game)
    with contextlib.suppress(OSError):  # such as a name too long for a file
        if Path(game).is_file():
            return _as_gdl(read_file(game), game)
    from kibitz.games import library_name, rule_text

    name = library_name(game)
    return Rules(rule_text(name), name)


def _as_gdl(text: bytes, name: str) -> Rules:
    from kibitz.games import gdl_from

    rules = gdl_from(text, name=name)
    return Rules(rules, name, None if rules is text else text)


def find_sheet(game: str, position: str | None = None) -> RuleSheet:
    """Read and check the rules that an argument names; warnings go to stderr.

    With the file of a position, the game starts there.
    """
    from kibitz.gdl import diagnose

    text, name, _ = rules_of(game)
    sheet, diagnostics = diagnose(text, name=name, as_gdl1=AS_GDL1.get())
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    if errors:
        raise RuleSheetError(sheet.source, errors)
    if diagnostics:
        count = f"{len(diagnostics)} warning{'s' * (len(diagnostics) > 1)}"
        print(f"{name}: {count}; kibitz check {game} shows them", file=sys.stderr)
    return sheet if position is None else start_at(sheet, position)


def start_at(sheet: RuleSheet, position: str) -> RuleSheet:
    """Let a game start at the position of a file; its name then has the option for that."""
    from kibitz.gdl import starting_at

    return starting_at(sheet, read_fluents(position), name=f"{sheet.name} --position {position}")


def read_fluents(path: str) -> tuple[Function, ...]:
    """Read the fluents of a state from a file in KIF, or from stdin for -."""
    from kibitz.gdl import parse_terms

    return parse_terms(read_text(path), name="stdin" if path == "-" else path)


def compile_game(game: str, timeout: float, memory: float) -> CompiledGame:
    """Compile the game that an argument names, within the two options."""
    from kibitz.engine import CompiledGame

    return CompiledGame(find_sheet(game), budget=budget_of(timeout, memory))


def read_state(game: Game, path: str) -> State:
    """Read a state of a game, as Kibitz prints it, from a file, or from stdin for -."""
    from kibitz.board import read_position

    return read_position(game, read_text(path))


def make_game(
    sheet: RuleSheet, engine: Engine, budget: Budget, backend: Backend = Backend.AUTO
) -> Game:
    """Make a game of a sheet with an engine; report where that engine is not available."""
    from kibitz.engine import ReferenceGame, UngroundedGame, make_game

    if engine is Engine.REFERENCE:
        return ReferenceGame(sheet)
    if engine is Engine.UNGROUNDED:
        return UngroundedGame(sheet)
    return make_game(sheet, budget=budget, backend=backend, note=note)


def note(message: str) -> None:
    """Print a message to stderr."""
    print(message, file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(value, ensure_ascii=not is_unicode))
