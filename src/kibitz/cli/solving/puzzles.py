"""The command puzzles: positions to practise on, with their answers."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import (
    budget_of,
    compile_game,
    limits_of,
    note,
    print_json,
    read_text,
)
from kibitz.cli.common.outputs import check_folder, clear_line, shown_line, write_file
from kibitz.cli.solving.positions import (
    AmongOption,
    EasyOption,
    HardOption,
    OtherOption,
    OwnOption,
    RewardOption,
    RoleOption,
    SeedOption,
    SetOption,
    explain_none,
    listed_positions,
    read_skills,
    within,
)
from kibitz.cli.solving.puzzle_text import puzzles_text
from kibitz.cli.solving.winsets import Kind, Where
from kibitz.errors import BudgetExceededError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kibitz.puzzles import PuzzleSet


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command()(puzzles)


class LevelName(StrEnum):
    """How hard puzzles are."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class TaskName(StrEnum):
    """Task of a puzzle: the result to find."""

    WIN = "win"
    DEFEND = "defend"
    DRAW = "draw"


def puzzles(
    game: options.GameArgument,
    role: RoleOption = None,
    win_in: Annotated[
        int | None,
        typer.Option(
            "--win-in",
            metavar="J",
            min=0,
            max=10_000,
            help="Own moves before the one that wins; 2 if not given.",
        ),
    ] = None,
    k1: OwnOption = "1",
    k2: OtherOption = "3",
    level: Annotated[
        LevelName | None, typer.Option(help="How hard; all levels if not given.")
    ] = None,
    count: Annotated[
        int, typer.Option("-n", metavar="N", min=1, max=100_000, help="How many.")
    ] = 10,
    unique: Annotated[
        bool | None,
        typer.Option(
            "--unique/--all",
            help="Only positions with one right first move, or with several as well; "
            "--unique, but for --balanced.",
        ),
    ] = None,
    canonical: Annotated[
        bool, typer.Option("--canonical", help="Only one position of each symmetry orbit.")
    ] = False,
    task: Annotated[
        TaskName,
        typer.Option(
            "--task",
            help="What to find: a win, the only defence against a win in J more rounds, or the "
            "only move that holds a draw; the last two are searched for.",
        ),
    ] = TaskName.WIN,
    theme: Annotated[
        str | None,
        typer.Option(
            metavar="THEME",
            help="Only puzzles with this theme: win, parry, doubleThreat, zugzwang, sacrifice, "
            "forcing, quiet, or rule1, rule2, … of --rules.",
        ),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Tag puzzles by the rule of this strategy that solves them."
        ),
    ] = None,
    search: Annotated[
        bool | None,
        typer.Option(
            "--search/--list",
            help="Take positions of matches and prove each, or list all states; by the size of the "
            "game if not given.",
        ),
    ] = None,
    balanced: Annotated[
        bool,
        typer.Option("--balanced", help="Positions in which the two skills have even chances."),
    ] = False,
    drawn: Annotated[
        bool,
        typer.Option("--drawn", help="Openings that a search proves to be draws with best play."),
    ] = False,
    after: Annotated[
        str | None,
        typer.Option(
            metavar="A-B",
            help="With --drawn, or with --balanced and --search: how many moves after the start; "
            "3-30 or 3-12 if not given.",
        ),
    ] = None,
    set_: SetOption = Kind.EXACT,
    among: AmongOption = Where.AUTO,
    seed: SeedOption = 1,
    easy: EasyOption = 2 / 3,
    hard: HardOption = 1 / 3,
    reward: RewardOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write .csv, .json, .html or .pdf to print, .svg, or .txt or .anki for flash-card "
            "programs.",
        ),
    ] = None,
    as_json: options.JsonOption = False,
    max_states: options.MaxStatesOption = 500_000_000,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = 12,
) -> None:
    """Find positions to practise on, from easy to hard, with their answers."""
    from kibitz.budget import time_to_work
    from kibitz.puzzles import (
        Level,
        Task,
        Thresholds,
        Wanted,
        as_json as plain,
        check_theme,
        choose_balanced,
        choose_puzzles,
        read_player,
        read_solver,
        search_balanced,
        search_drawn,
        search_puzzles,
    )
    from kibitz.space import find_symmetries
    from kibitz.strategy import read_strategy

    write = _writer(output) if output else None
    thresholds = Thresholds(hard, easy)
    made = compile_game(game, timeout, memory)
    limits = limits_of(max_states, timeout, memory)
    rounds = 2 if win_in is None else win_in
    whole = balanced and win_in is None
    among = Where.REACHABLE if whole else among
    must_list = set_ is Kind.PAPER or reward is not None or (balanced and win_in is not None)
    must_search = search is True or task is not TaskName.WIN or drawn
    if (must_list and must_search) or (
        balanced and (task is not TaskName.WIN or theme is not None)
    ):
        raise InputError(
            "--balanced, --set paper and --reward need all states, which --search, --drawn and "
            "--task do not list"
        )
    if drawn and (balanced or task is not TaskName.WIN or theme is not None):
        raise InputError("--drawn does not go with --balanced, --task or --theme")
    opening = _opening(after, drawn=drawn)
    who = role or made.roles[0]
    made.check_role(who)
    known = read_strategy(read_text(rules), made, name=rules) if rules else None
    check_theme(theme, known, who)
    wish = Wanted(
        count, Level(level) if level else None, unique, None, seed, thresholds, theme, known
    )
    may_search = not must_list and search is not False

    def by_search() -> PuzzleSet:
        seconds = 0.9 * min(timeout, time_to_work())
        show = shown_line()
        if drawn:
            return search_drawn(
                made, who, wanted=wish, plies=opening, seconds=seconds, progress=show
            )
        if balanced:
            other = next((one for one in made.roles if one != who), who)
            return search_balanced(
                made,
                who,
                read_player(k1, made, who, read_text=read_text),
                read_player(k2, made, other, read_text=read_text),
                wanted=replace(wish, level=None),
                plies=opening,
                seconds=seconds,
                progress=show,
            )
        names = dict.fromkeys([k1, "1", "2", "uct:10", "uct:100"])
        return search_puzzles(
            made,
            who,
            task=Task(task),
            rounds=rounds,
            solvers=[read_solver(name, made, read_text=read_text, seed=seed) for name in names],
            wanted=wish,
            seconds=seconds,
            progress=show,
        )

    def by_listing() -> PuzzleSet:
        skills = read_skills(made, (k1, k2, "1", "2", "3"), reward)
        symmetries = find_symmetries(made, budget=budget_of(timeout, memory)) if canonical else None
        wanted = replace(wish, symmetries=symmetries)
        positions = listed_positions(
            made,
            role,
            set_,
            among,
            None if whole else [rounds],
            replace(limits, seconds=limits.seconds / 2) if may_search else limits,
            watch=_hopeless(made.sheet.name, max_states) if may_search else None,
        )
        if balanced:
            found = choose_balanced(
                positions.solution,
                positions.role,
                own=skills[0],
                other=skills[1],
                among=None if win_in is None else positions.won_in(rounds),
                wanted=wanted,
            )
        else:
            found = choose_puzzles(
                positions, rounds, own=skills[0], other=skills[1], beside=skills[2:], wanted=wanted
            )
        return found

    def work() -> tuple[int, str | bytes, Any]:
        found = by_search() if must_search else None
        if found is None and not may_search:
            found = by_listing()
        elif found is None:
            try:
                found = by_listing()
            except BudgetExceededError as error:
                clear_line()
                note(f"{error.message}; so positions come from matches, and a search proves each")
                found = by_search()
        if found.why:
            explain_none(found.why, found.hint)
        shown = plain(found) if as_json else "" if output else puzzles_text(found)
        return len(found), write(found) if write else "", shown

    made_count, text, shown = within(
        timeout, memory, work, doing=f"finding puzzles of {made.sheet.name}"
    )
    if output:
        write_file(output, text)
        note(f"wrote {made_count} puzzles to {output}")
    if as_json:
        print_json(shown)
    elif not output:
        print(shown)


def _opening(text: str | None, *, drawn: bool) -> range:
    """Read how many moves after the start: 3-12, or one number."""
    from kibitz.puzzles import OPENING, PROVABLE

    if text is None:
        return PROVABLE if drawn else OPENING
    ends = text.split("-")
    if len(ends) > 2 or not all(end.isascii() and end.isdecimal() for end in ends):
        raise InputError(f"--after {text} is no range of numbers", hint="such as --after 3-12")
    first, last = int(ends[0]), int(ends[-1])
    if not 0 <= first <= last <= 1000:
        raise InputError(f"--after {text} is empty or too long", hint="such as --after 3-12")
    return range(first, last + 1)


def _writer(path: Path) -> Callable[[PuzzleSet], str | bytes]:
    """Choose how to write by the name of the file."""
    from kibitz.puzzles import to_csv, to_deck, to_html, to_json, to_pdf_sheet, to_svg_sheet

    writers: dict[str, Callable[[PuzzleSet], str | bytes]] = {
        ".csv": to_csv,
        ".json": to_json,
        ".html": to_html,
        ".htm": to_html,
        ".pdf": to_pdf_sheet,
        ".svg": to_svg_sheet,
        ".txt": to_deck,
        ".tsv": to_deck,
        ".anki": to_deck,
    }
    if path.suffix.lower() not in writers:
        raise InputError(
            f"the suffix of {path} names no format", hint=f"one of {' '.join(writers)}"
        )
    check_folder(path)
    return writers[path.suffix.lower()]


def _hopeless(name: str, max_states: int) -> Callable[[int, int], None]:
    """Return what ends the listing of a game that clearly has too many states."""
    from kibitz.space import SolverOutlook

    outlook = SolverOutlook()

    def watch(found: int, expanded: int) -> None:
        outlook.note(found, expanded)
        if outlook.is_beyond(max_states):
            raise BudgetExceededError(
                f"{name} has more than {max_states:,} states, by their growth"
            )

    return watch
