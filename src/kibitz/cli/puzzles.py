"""Commands about positions to start from: hardness."""

from __future__ import annotations

import sys
import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.inputs import (
    GameArgument,
    JsonOption,
    MemoryOption,
    TimeoutOption,
    budget_of,
    find_sheet,
    note,
    print_json,
)

if TYPE_CHECKING:
    from kibitz.puzzles import Positions

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    app.command()(hardness)


class SetKind(StrEnum):
    """Which positions count as won in j more rounds."""

    PAPER = "paper"
    EXACT = "exact"


RoleOption = Annotated[
    str | None,
    typer.Option("--role", metavar="ROLE", help="Who is to win; the first role if not given."),
]
WinInOption = Annotated[
    int,
    typer.Option(
        "--win-in",
        metavar="J",
        min=0,
        max=10_000,
        help="Own moves before the one that wins.",
    ),
]
OwnOption = Annotated[
    str,
    typer.Option(
        "--k1",
        metavar="SKILL",
        help="How the role plays: rounds it searches, random, …",
    ),
]
OtherOption = Annotated[str, typer.Option("--k2", metavar="SKILL", help="How the others play.")]
SetOption = Annotated[
    SetKind,
    typer.Option("--set", help="Won in J as paper 003 prints it, or all won in exactly J."),
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, max=2**63 - 1, help="Seed of what is random.")
]
EasyOption = Annotated[
    float, typer.Option("--easy", metavar="P", min=0, max=1, help="Easy from this chance on.")
]
HardOption = Annotated[
    float, typer.Option("--hard", metavar="P", min=0, max=1, help="Hard up to this chance.")
]
MaxStatesOption = Annotated[
    int, typer.Option("--max-states", min=1, help="Give up beyond this many states.")
]


def hardness(
    game: GameArgument,
    role: RoleOption = None,
    win_in: WinInOption = 2,
    k1: OwnOption = "1",
    k2: OtherOption = "3",
    set_: SetOption = SetKind.PAPER,
    sample: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10**9,
            help="Estimate chances from so many plays of each position, as the paper did.",
        ),
    ] = None,
    seed: SeedOption = 1,
    easy: EasyOption = 2 / 3,
    hard: HardOption = 1 / 3,
    as_json: JsonOption = False,
    max_states: MaxStatesOption = 500_000_000,
    timeout: TimeoutOption = 600,
    memory: MemoryOption = 12,
) -> None:
    """Count the positions that a role can win by how hard they are for players of given skills."""
    from kibitz.puzzles import LEVELS, Thresholds, measure_all, read_skill

    start = time.perf_counter()
    thresholds = Thresholds(hard, easy)
    pair = (read_skill(k1), read_skill(k2))
    positions = _positions(game, role, set_, max_states, timeout, memory)
    (found,) = measure_all(
        positions.solution,
        positions.won_in(win_in),
        role=positions.role,
        pairs=[pair],
        thresholds=thresholds,
        sample=sample,
        seed=seed,
    )
    name = positions.solution.space.game.sheet.name
    result = {
        "game": name,
        "role": positions.role_name,
        "win_in": win_in,
        "k1": pair[0].name,
        "k2": pair[1].name,
        "positions": len(found),
        **found.counts(),
        "seconds": time.perf_counter() - start,
    }
    if not len(found):
        why, hint = positions.why_none(win_in)
        note(f"{why}\n  hint: {hint}" if hint else why)
    if as_json:
        print_json(result)
        return
    print(f"{name}: {len(found):,} positions that {result['role']} wins in {win_in} more rounds")
    print(f"  {pair[0].name} against {pair[1].name}")
    for level in LEVELS:
        print(f"  {level.value:<7}{found.count(level):>12,}")
    print(f"  {result['seconds']:.2f} s")


def _positions(
    game: str, role: str | None, set_: SetKind, max_states: int, timeout: float, memory: float
) -> Positions:
    from kibitz.engine.compiled import CompiledGame
    from kibitz.puzzles import find_positions
    from kibitz.space import Limits

    made = CompiledGame(find_sheet(game), budget=budget_of(timeout, memory))
    progress = _show if sys.stderr.isatty() else None
    limits = Limits(states=max_states, seconds=timeout, bytes=int(memory * 1e9))
    found = find_positions(
        made, role or made.roles[0], set=set_.value, limits=limits, progress=progress
    )
    if progress:
        print("\r\033[K", end="", file=sys.stderr)
    return found


def _show(found: int, expanded: int) -> None:
    print(f"\r{found:,} states", end="", file=sys.stderr, flush=True)
