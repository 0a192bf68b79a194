"""What `kibitz synth --measured` does and prints: rules of thumb, and what they are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from kibitz.cli.common.inputs import note, print_json, read_text
from kibitz.cli.common.outputs import write_file
from kibitz.cli.common.progress import clear_line, shown_line

if TYPE_CHECKING:
    from pathlib import Path

    from kibitz.engine import CompiledGame
    from kibitz.measured import MeasuredRules

__all__ = ["MeasuredOptions", "print_measured", "synth_measured"]

_RULES, _ROUNDS = 8, 3
"""How many rules a list has at most, and how many rounds are made, if nothing is said."""


@dataclass(frozen=True, slots=True)
class MeasuredOptions:
    """What was asked for on the command line."""

    max_rules: int | None
    seconds: float | None
    rounds: int | None
    seed: int
    start: str | None


def synth_measured(
    game: CompiledGame,
    role: str | None,
    asked: MeasuredOptions,
    *,
    as_json: bool,
    output: Path | None,
) -> None:
    """Find rules by matches, and print them with what was measured."""
    from kibitz.measured import SearchOptions, find_measured_rules
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
    )
    found = find_measured_rules(game, role, options, report=shown_line() or (lambda _: None))
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
    from kibitz.wording import counted

    print(f"{counted(len(found.per_rule), 'rule')} for {found.whom}, found by matches; ", end="")
    print("nothing about them is proved.\n")
    for number, sentence in enumerate(found.sentences, start=1):
        print(f"{number}. {sentence}")
    print("\nWhere no rule applies, any move will do.\n")
    print("Points of 100, a draw being half, with their 95 % intervals:")
    width = max(map(len, found.strength), default=0)
    for name, strength in found.strength.items():
        print(f"  against {name:{width}}  {strength}")
    if found.elo is not None:
        print(f"Rating {found.elo:.0f}, where random play has 0.")
    if found.accuracy is not None:
        one = found.accuracy
        print(
            f"In {one.positions} positions whose moves were proved by search, the rules kept the "
            f"value in {one.share:.0f} % ({one.low:.0f} to {one.high:.0f}); "
            f"{one.open} more were not decided."
        )
    print(
        f"Each rule: its share of the moves against {found.watched}, and points of the list "
        "without it:"
    )
    for number, worth in enumerate(found.per_rule, start=1):
        without = ", ".join(
            f"{strength.score:.0f} ({strength.low:.0f} to {strength.high:.0f}) against {name}"
            for name, strength in worth.without.items()
        )
        print(f"  {number}. {worth.share:4.1f} %  without it {without}")
    print(f"Found in {found.seconds:.0f} s.")
