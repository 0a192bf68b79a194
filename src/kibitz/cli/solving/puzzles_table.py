"""The command that compares variants of a game by their positions: puzzles-table."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import budget_of, compile_game, limits_of, note, print_json
from kibitz.cli.solving.positions import AmongOption, RoleOption, SetOption
from kibitz.cli.solving.winsets import Kind, Where

if TYPE_CHECKING:
    from kibitz.puzzles import Variant


def register(app: typer.Typer) -> None:
    """Add the command of this module to the application."""
    app.command("puzzles-table")(puzzles_table)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Measurement parameters that apply to every game."""

    role: str | None
    rounds: tuple[int, ...]
    k2: int
    kind: Kind
    among: Where
    max_states: int
    memory: float


@dataclass(frozen=True, slots=True)
class _Task:
    """A game to measure until a time of this machine's clock, or on another for some seconds."""

    name: str
    asked: _Asked
    deadline: float
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class _LeftOut:
    """A game that was not measured, and why."""

    game: str
    why: str


def _measure(task: _Task) -> Variant | _LeftOut:
    """Measure a game in a child with bounds; return it, or why it is left out."""
    from kibitz.budget import run_within
    from kibitz.errors import KibitzError
    from kibitz.puzzles import RESERVE, measure_variant

    asked = task.asked
    left = task.seconds or max(0.1, task.deadline - time.monotonic())

    def work() -> Variant:
        return measure_variant(
            compile_game(task.name, left, asked.memory),
            asked.role,
            rounds=asked.rounds,
            other=(asked.k2,),
            set=asked.kind.value,
            among=asked.among.value,
            limits=limits_of(asked.max_states, left, asked.memory),
        )

    try:
        budget = replace(budget_of(left, asked.memory), reserve=RESERVE)
        return run_within(budget, work, doing=task.name)
    except KibitzError as error:
        return _LeftOut(task.name, error.message)


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
    cluster: options.ClusterOption = None,
    as_json: options.JsonOption = False,
    max_states: options.MaxStatesOption = 20_000_000,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 12,
) -> None:
    """Count for all variants of a game the positions that are easy, medium and hard to win."""
    from kibitz.puzzles import expand_names, load_loops
    from kibitz.solve import spread

    rounds = sorted({*(win_in or (2, 3))})
    deadline = time.monotonic() + timeout
    found: list[Variant] = []
    left_out: list[dict[str, str]] = []
    interrupted = False
    if not as_json:
        depths = "".join(f"{f'k1 = {k}':>20}" for k in (1, 2, 3))
        print(f"{'':<24}{'states':>12}  j{'positions':>12}{depths}")
        print(f"{'':<51}" + f"{'easy/medium/hard':>20}" * 3)

    asked = _Asked(role, tuple(rounds), k2, set_, among, max_states, memory)

    def show(result: Variant | _LeftOut) -> None:
        if isinstance(result, _LeftOut):
            left_out.append(asdict(result))
            note(f"{result.game}: left out: {result.why}")
            return
        found.append(result)
        if result.fell_back:
            note(f"{result.game}: {result.fell_back}")
        if not as_json:
            _print_variant(result)

    tasks = [_Task(name, asked, deadline) for name in expand_names(games)]
    try:
        if cluster is None:
            load_loops()
            spread(_measure, tasks, watch=show)
        else:  # in the order of the games, which may end in another
            whole = [replace(task, seconds=timeout) for task in tasks]
            for result in spread(_measure, whole, cluster=cluster):
                show(result)
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
