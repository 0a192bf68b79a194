"""Run `kibitz synth --measured` and print its result: rules of thumb and their measured value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from kibitz.cli.common.inputs import note, print_json, read_text
from kibitz.cli.common.outputs import clear_line, shown_line, write_file

if TYPE_CHECKING:
    from pathlib import Path

    from kibitz.engine import CompiledGame
    from kibitz.measured import MeasuredRules


_RULES, _ROUNDS = 8, 3
"""How many rules a list has at most, and how many rounds are made, if nothing is said."""


@dataclass(frozen=True, slots=True)
class MeasuredOptions:
    """Options of `kibitz synth --measured` from the command line."""

    max_rules: int | None
    seconds: float | None
    rounds: int | None
    seed: int
    start: str | None
    ahead: int | None


def synth_measured(
    game: CompiledGame,
    role: str | None,
    asked: MeasuredOptions,
    *,
    as_json: bool,
    output: Path | None,
) -> None:
    """Find rules by matches, and print them with what was measured."""
    from kibitz.measured import AT_THE_BOARD, SearchOptions, find_measured_rules
    from kibitz.strategy import read_strategy

    start = None
    if asked.start is not None:
        start = read_strategy(read_text(asked.start), game, name=asked.start)
    options = SearchOptions(
        most_rules=_RULES if asked.max_rules is None else asked.max_rules,
        rounds=_ROUNDS if asked.rounds is None else asked.rounds,
        seconds=asked.seconds,
        seed=asked.seed,
        start=start,
        ahead=AT_THE_BOARD if asked.ahead is None else asked.ahead,
    )
    found = find_measured_rules(game, role, options, report=shown_line())
    clear_line()
    if found.was_interrupted:
        note("interrupted; this is the best list so far")
    if output is not None:
        write_file(output, found.text)
    if as_json:
        print_json(found.as_json())
    else:
        print_measured(found)
    if found.was_interrupted:
        raise typer.Exit(130)


def print_measured(found: MeasuredRules) -> None:
    """Print a list of rules and what was measured of it."""
    from kibitz.present import measured_heading, measured_lines, terms_in

    measured = found.as_json()
    print(f"{found.game.sheet.name}: {measured_heading(measured)}\n")
    for number, sentence in enumerate(found.sentences, start=1):
        print(f"{number}. {sentence}")
    print()
    print(" ".join(["Where no rule applies, any move will do.", *terms_in(found.sentences)]))
    print()
    for line in measured_lines(measured):
        print(line)
    print(f"Found in {found.seconds:.0f} s.")
