"""Commands that teach: explain, teach."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

import typer
from typer.core import TyperCommand

from kibitz.cli.common.inputs import budget_of, find_sheet, print_json
from kibitz.cli.common.options import (
    GameArgument,
    JsonOption,
    MemoryOption,
    PositionOption,
    TimeoutOption,
)
from kibitz.cli.common.outputs import check_folder, shown_line, write_file
from kibitz.errors import InputError

if TYPE_CHECKING:
    from rich.status import Status

    from kibitz.present import Explanation


RoleOption = Annotated[
    str | None, typer.Option(metavar="R", help="The role to explain; all if not given.")
]
TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time",
        metavar="S",
        min=0.1,
        max=1e6,
        help="Seconds for the whole answer, by the clock. If not given, rules are looked for in a "
        "number of rounds, which give the same rules on any machine unless --timeout, 60 s, ends "
        "them.",
    ),
]
CacheOption = Annotated[
    bool,
    typer.Option("--cache/--no-cache", help="Cache results, and look in the cache first."),
]
MeasuredOption = Annotated[
    bool,
    typer.Option(
        "--measured/--no-measured",
        help="Where a game is too large to be solved, find rules by matches, and measure them.",
    ),
]
StatesOption = Annotated[
    int,
    typer.Option("--max-states", min=1, help="Give up solving beyond this many positions."),
]


def register(app: typer.Typer) -> None:
    """Add the commands of this module to the application."""
    app.command()(explain)
    app.command(cls=_Teach)(teach)


def explain(
    game: GameArgument,
    role: RoleOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write a page (.html), Markdown (.md), text (.txt), or the rules (.strategy).",
        ),
    ] = None,
    position: PositionOption = None,
    as_json: JsonOption = False,
    cache: CacheOption = True,
    seconds: TimeOption = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same search.")] = 0,
    max_states: StatesOption = 3_000_000,
    measured: MeasuredOption = True,
    timeout: TimeoutOption = 60,
    memory: MemoryOption = 4,
) -> None:
    """Explain a game: its rules, its value, and proven rules for playing it perfectly.

    Where it is too large to be solved, the rules are found by matches, and measured.
    """
    from kibitz.present import StudyOptions, contents_of, explain_cached

    check_folder(output)
    if output is not None and output.suffix not in (".html", ".md", ".txt", ".strategy"):
        raise InputError(
            f"the suffix of {output.name} names no format",
            hint="end it in .html, .md, .txt or .strategy",
        )
    if output is not None and output.suffix == ".strategy" and role is None:
        raise InputError("a strategy is for one role", hint="add --role R")
    sheet = find_sheet(game, position)
    options = StudyOptions(seconds, seed, max_states, budget_of(timeout, memory), measured)
    is_for_people = output is None and not as_json
    with _Screen() as screen:
        explanation, was_interrupted = explain_cached(
            game,
            sheet,
            options,
            role,
            cache=cache,
            report=screen.report,
            first=screen.show_shipped if is_for_people else lambda known: None,
            seen=screen.show_growing if is_for_people else None,
            draft=screen.show_draft if is_for_people else None,
        )
        if is_for_people:
            screen.show(explanation)
    if was_interrupted:
        print("interrupted; this is what is known so far", file=sys.stderr)
    if output is not None:
        write_file(output, _as_file(explanation, output.suffix))
        print(f"wrote {output}: {contents_of(explanation)}", file=sys.stderr)
    if as_json:
        print_json(explanation.as_json())
    if screen.shipped == explanation:
        print(_where_from(explanation), file=sys.stderr)
    if was_interrupted:
        raise typer.Exit(130)


_BESIDE = Path("<beside>")
_DRAFTED = 12
"""How many rules are shown of a list while shorter ones are looked for."""


class _Teach(TyperCommand):
    """Lets --deck stand alone."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Name the place beside the lesson where no file follows."""
        for place, arg in enumerate(args):
            if arg == "--deck" and (place + 1 == len(args) or args[place + 1].startswith("-")):
                args[place] = f"--deck={_BESIDE}"
        return super().parse_args(ctx, args)


def teach(
    game: GameArgument,
    role: Annotated[
        str | None,
        typer.Option(metavar="R", help="The role to teach; the first that has rules if not given."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the lesson as a page (.html)."),
    ] = None,
    deck: Annotated[
        Path | None,
        typer.Option(
            metavar="[FILE]", help="Write flash cards, beside the lesson if no file is named."
        ),
    ] = None,
    as_json: JsonOption = False,
    cache: CacheOption = True,
    seconds: TimeOption = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same lesson.")] = 0,
    max_states: StatesOption = 3_000_000,
    measured: MeasuredOption = True,
    timeout: TimeoutOption = 60,
    memory: MemoryOption = 4,
) -> None:
    """Make a lesson to print: one rule at a time, with puzzles that need it, and answers.

    Where the game is too large to be solved, the rules are found by matches, and measured.
    """
    from kibitz.present import (
        StudyOptions,
        contents_of_lesson,
        lesson_deck,
        lesson_page,
        teach_cached,
    )

    if deck == _BESIDE:
        if output is None:
            raise InputError("where should the cards go?", hint="add -o lesson.html, or a file")
        deck = output.with_suffix(".txt")
        output = None if output == deck else output
    for path in (output, deck):
        check_folder(path)
    if output is None and deck is None and not as_json:
        raise InputError("where should the lesson go?", hint="add -o lesson.html")
    if output is not None and output.suffix != ".html":
        raise InputError(f"a lesson is a page, and {output.name} is none", hint="end it in .html")
    sheet = find_sheet(game)
    options = StudyOptions(seconds, seed, max_states, budget_of(timeout, memory), measured)
    with _Screen() as screen:
        lesson = teach_cached(game, sheet, options, role, cache=cache, report=screen.report)
    if output is not None:
        write_file(output, lesson_page(lesson))
        print(f"wrote {output}: {contents_of_lesson(lesson)}", file=sys.stderr)
    if deck is not None:
        write_file(deck, lesson_deck(lesson))
        print(f"wrote {deck}: cards for {contents_of_lesson(lesson)}", file=sys.stderr)
    if as_json:
        print_json(lesson.as_json())


def _where_from(shipped: Explanation) -> str:
    if shipped.states is None:
        return (
            "This answer came with Kibitz; it says what was measured when it was made, and "
            "--no-cache measures again."
        )
    return "This answer came with Kibitz; its values and proven rules were checked again just now."


class _Screen:
    """Shows progress if a person is watching, and an explanation as it grows."""

    def __init__(self) -> None:
        self.text = ""
        self.shipped: Explanation | None = None
        self.status: Status | None = None

    def __enter__(self) -> Self:
        self.line = shown_line()
        if sys.stderr.isatty():
            from rich.console import Console

            self.status = Console(stderr=True).status("")
            self.status.start()
        return self

    def __exit__(self, *raised: object) -> None:
        if self.status is not None:
            self.status.stop()

    def report(self, message: str) -> None:
        """Show what is being done."""
        if self.status is not None:
            self.status.update(message)
        else:
            self.line(message)

    def show_shipped(self, shipped: Explanation) -> None:
        """Print an answer that came with Kibitz; it is checked again afterwards."""
        self.show(shipped)
        self.shipped = shipped

    def show_growing(self, known: Explanation) -> None:
        """Print what is new in an explanation to which later work only adds."""
        self.show(known, is_growing=True)

    def show_draft(self, role: str, rules: list[str]) -> None:
        """Print rules for a side to which shorter ones may follow, apart from the answer."""
        lines = [f"  {number}. {rule}" for number, rule in enumerate(rules[:_DRAFTED], 1)]
        if len(rules) > _DRAFTED:
            lines.append(f"  … and {len(rules) - _DRAFTED} more")
        what = "this rule plays" if len(rules) == 1 else f"these {len(rules)} rules play"
        about = (
            f"For {role} {what} perfectly, which is proved. Fewer or simpler ones are looked for:"
        )
        if self.status is not None:
            self.status.stop()
        print("\n".join([about, *lines]), file=sys.stderr, flush=True)
        if self.status is not None:
            self.status.start()

    def show(self, known: Explanation, *, is_growing: bool = False) -> None:
        """Print what is new; if the shipped answer above does not hold, print all and say so."""
        from kibitz.present import to_text

        text = to_text(known, is_growing=is_growing)
        if not text.startswith(self.text):
            wrong = "the answer above does not hold; this is what was found now:"
            print(wrong, file=sys.stderr)
            self.text = ""
        if self.status is not None:
            self.status.stop()
        print(text.removeprefix(self.text), end="", flush=True)
        if self.status is not None:
            self.status.start()
        self.text = text


def _as_file(explanation: Explanation, suffix: str) -> str:
    from kibitz.present import explanation_page, to_markdown, to_text

    if suffix == ".strategy":
        if not explanation.parts or not explanation.parts[0].strategy:
            why = " ".join(part.worth + " " + part.note for part in explanation.parts)
            raise InputError(f"there are no rules to write. {why}".strip())
        return explanation.parts[0].strategy
    return {".html": explanation_page, ".md": to_markdown, ".txt": to_text}[suffix](explanation)
