"""The command winsets: from how many states a role wins in how many rounds."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common.inputs import budget_of, find_sheet, print_json
from kibitz.cli.common.options import GameArgument, JsonOption, MemoryOption, TimeoutOption
from kibitz.cli.common.outputs import clear_line, shown_line

if TYPE_CHECKING:
    from kibitz.solve import WinningCounts


class Kind(StrEnum):
    """Which winning sets."""

    PAPER = "paper"
    EXACT = "exact"


class How(StrEnum):
    """The representation on which they are computed."""

    AUTO = "auto"
    EXPLICIT = "explicit"
    SYMBOLIC = "symbolic"


class Where(StrEnum):
    """Which states count besides those that are won."""

    AUTO = "auto"
    REACHABLE = "reachable"
    CONSISTENT = "consistent"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(winsets)


def winsets(
    game: GameArgument,
    role: Annotated[str | None, typer.Option(help="Whose wins; the first role's if none.")] = None,
    kind: Annotated[
        Kind, typer.Option("--set", help="All that are won, or those that paper 003 computes.")
    ] = Kind.EXACT,
    method: Annotated[How, typer.Option(help="On arrays, on decision diagrams, or as suits.")] = (
        How.AUTO
    ),
    among: Annotated[
        Where,
        typer.Option(
            help="With --set paper, count reachable or all consistent states; auto as the paper."
        ),
    ] = Where.AUTO,
    goal: Annotated[int, typer.Option(min=0, max=100, help="The goal that counts as a win.")] = 100,
    as_json: JsonOption = False,
    timeout: TimeoutOption = 600,
    memory: MemoryOption = 8,
) -> None:
    """Count the states from which a role can force a win in 0, 1, 2, … more rounds."""
    from kibitz.engine import CompiledGame
    from kibitz.solve import count_winning_sets

    sheet = find_sheet(game)
    budget = budget_of(timeout, memory)
    made = CompiledGame(sheet, budget=budget)
    found = count_winning_sets(
        made,
        made.roles[0] if role is None else role,
        set=kind.value,
        method=method.value,
        among=among.value,
        goal=goal,
        budget=budget,
        progress=shown_line(),
    )
    clear_line()
    if as_json:
        print_json(
            {
                "game": sheet.name,
                "role": found.role,
                "set": found.kind,
                "among": found.among,
                "method": found.method,
                "goal": found.goal,
                "states": found.states,
                "w": found.w,
                "seconds": found.seconds,
            }
        )
    else:
        _print(sheet.name, found)


def _print(name: str, found: WinningCounts) -> None:
    print(f"{name}: {found.states:,} states, {found.role} to move and win ({found.kind} sets)")
    for rounds, count in enumerate(found.w):
        more = "next move" if rounds == 0 else f"{rounds} more round{'s' * (rounds > 1)}"
        print(f"  W_{rounds}: {count:>12,}  {more}")
    if not any(found.w):
        print(f"  {_why_none(found)}")
    print(f"  {found.among} states, {found.method}, {found.seconds:.2f} s")


def _why_none(found: WinningCounts) -> str:
    if found.best is None:
        return f"play never ends with a goal for {found.role}"
    if found.best < found.goal:
        return (
            f"{found.role} never gets {found.goal}; the most is {found.best}: --goal {found.best}"
        )
    if found.kind == "paper":
        return f"the paper's sets of {found.role} are empty; try --set exact"
    return f"{found.role} can force {found.goal} from nowhere"
