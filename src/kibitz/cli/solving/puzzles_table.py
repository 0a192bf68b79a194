"""The command that compares variants of a game by their positions: puzzles-table."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common.inputs import budget_of, compile_game, limits_of, note, print_json
from kibitz.cli.common.options import JsonOption, MaxStatesOption, MemoryOption, TimeoutOption
from kibitz.cli.solving.puzzles import AmongOption, RoleOption, SetOption
from kibitz.cli.solving.winsets import Kind, Where

if TYPE_CHECKING:
    from kibitz.puzzles import Variant

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command of this module to the application."""
    app.command("puzzles-table")(puzzles_table)


def puzzles_table(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME...",
            help="Games; 3-5 stands for 3, 4 and 5, * for all kinds of lines: connect:3,4x4-5,*",
        ),
    ],
    role: RoleOption = None,
    win_in: Annotated[
        list[int] | None,
        typer.Option(
            "--win-in",
            metavar="J",
            min=0,
            help="Own moves before the one that wins; 2 and 3 if none.",
        ),
    ] = None,
    k2: Annotated[int, typer.Option(min=1, max=100, help="Rounds that the others search.")] = 3,
    set_: SetOption = Kind.EXACT,
    among: AmongOption = Where.AUTO,
    as_json: JsonOption = False,
    max_states: MaxStatesOption = 20_000_000,
    timeout: TimeoutOption = 600,
    memory: MemoryOption = 12,
) -> None:
    """Count for all variants of a game the positions that are easy, medium and hard to win."""
    from kibitz.budget import run_within
    from kibitz.errors import KibitzError
    from kibitz.puzzles import RESERVE, expand_names, load_loops, measure_variant

    rounds = sorted({*(win_in or (2, 3))})
    deadline = time.monotonic() + timeout
    found: list[Variant] = []
    left_out: list[dict[str, str]] = []
    interrupted = False
    if not as_json:
        depths = "".join(f"{f'k1 = {k}':>20}" for k in (1, 2, 3))
        print(f"{'':<24}{'states':>12}  j{'positions':>12}{depths}")
        print(f"{'':<51}" + f"{'easy/medium/hard':>20}" * 3)

    def measure(name: str, left: float) -> Variant:
        return measure_variant(
            compile_game(name, left, memory),
            role,
            rounds=rounds,
            other=(k2,),
            set=set_.value,
            among=among.value,
            limits=limits_of(max_states, left, memory),
        )

    try:
        load_loops()
        for name in expand_names(games):
            left = max(0.1, deadline - time.monotonic())
            try:
                budget = replace(budget_of(left, memory), reserve=RESERVE)
                variant = run_within(budget, partial(measure, name, left), doing=name)
            except KibitzError as error:
                left_out.append({"game": name, "why": error.message})
                note(f"{name}: left out: {error.message}")
                continue
            found.append(variant)
            if variant.fell_back:
                note(f"{name}: {variant.fell_back}")
            if not as_json:
                _print_variant(variant)
    except KeyboardInterrupt:
        interrupted = True
        note(f"interrupted after {len(found)} games")
    if as_json:
        print_json({"games": [asdict(variant) for variant in found], "left_out": left_out})
    elif found:
        best = max(found, key=lambda variant: variant.interesting)
        most = f"{best.game}, with {best.interesting:,}" if best.interesting else "none"
        print(f"most positions that are not easy at depth 1: {most}")
    if interrupted:
        raise typer.Exit(130)
    if not found:
        raise typer.Exit(1)


def _print_variant(variant: Variant) -> None:
    for j in dict.fromkeys(classes.rounds for classes in variant.classes):
        here = [classes for classes in variant.classes if classes.rounds == j]
        counts = "".join(f"{'/'.join(f'{n:,}' for n in c.exact):>20}" for c in here)
        print(f"{variant.game:<24}{variant.states:>12,}{j:>3}{here[0].positions:>12,}{counts}")
