"""Shared parts of the commands about start positions: options, skills, and listing positions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from kibitz.cli.common.inputs import budget_of, note, read_text
from kibitz.cli.common.outputs import clear_line, counted_states, shown_line
from kibitz.cli.solving.winsets import Kind, Where

if TYPE_CHECKING:
    from collections.abc import Callable

    from kibitz.engine import CompiledGame
    from kibitz.puzzles import Positions, Reward, Skill
    from kibitz.space import Limits


T = TypeVar("T")

RoleOption = Annotated[
    str | None,
    typer.Option("--role", metavar="ROLE", help="Who is to win; the first role if not given."),
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
    Kind,
    typer.Option("--set", help="All won in exactly so many moves, or those that paper 003 counts."),
]
AmongOption = Annotated[
    Where,
    typer.Option(
        help="With --set paper: reachable positions, any that is consistent, or as the paper."
    ),
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, max=2**63 - 1, help="Seed of random choices.")
]
EasyOption = Annotated[
    float, typer.Option("--easy", metavar="P", min=0, max=1, help="Easy from this chance on.")
]
HardOption = Annotated[
    float, typer.Option("--hard", metavar="P", min=0, max=1, help="Hard up to this chance.")
]
RewardOption = Annotated[
    str | None,
    typer.Option(
        "--reward",
        metavar="FILE",
        help="What depth-k players count where a search stops: weighted formulas, one a line.",
    ),
]


def within(timeout: float, memory: float, work: Callable[[], T], *, doing: str) -> T:
    """Find and measure positions within bounds of time and memory."""
    from kibitz.budget import run_within
    from kibitz.puzzles import RESERVE

    try:
        return run_within(replace(budget_of(timeout, memory), reserve=RESERVE), work, doing=doing)
    finally:
        clear_line()


def explain_none(why: str, hint: str) -> None:
    """Say why no position was found, and what to try."""
    note(f"{why}\n  hint: {hint}" if hint else why)


def read_skills(game: CompiledGame, names: tuple[str, ...], reward: str | None) -> list[Skill]:
    """Read skills; depth-k players of one command share a reward."""
    from kibitz.puzzles import FormulaReward, ThreatReward, read_skill

    counted: Reward = ThreatReward()
    if reward is not None:
        counted = FormulaReward(read_text(reward), game, name=reward)
    return [read_skill(name, game, reward=counted, read_text=read_text) for name in names]


def listed_positions(
    game: CompiledGame,
    role: str | None,
    set_: Kind,
    among: Where,
    rounds: list[int] | None,
    limits: Limits,
    *,
    reduce: bool = False,
    watch: Callable[[int, int], None] | None = None,
) -> Positions:
    """List the positions that a role can win, with progress."""
    from kibitz.puzzles import find_positions

    show = counted_states()

    def progress(found: int, expanded: int) -> None:
        if watch:
            watch(found, expanded)
        show(found)

    found = find_positions(
        game,
        role or game.roles[0],
        set=set_.value,
        among=among.value,
        rounds=rounds,
        reduce=reduce,
        limits=limits,
        progress=progress,
    )
    clear_line()
    if found.fell_back:
        note(f"{game.sheet.name}: {found.fell_back}")
    shown_line()("measuring how hard they are")
    return found
