"""The command that begins a game of one's own: new."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.common.inputs import note
from kibitz.cli.common.outputs import check_folder, write_file
from kibitz.errors import InputError


def register(app: typer.Typer) -> None:
    """Add the command of this module to the application."""
    app.command()(new)


def new(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Where to write the rules; by the name if not given."),
    ] = None,
    template: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="line-game, race, capture, take-away, connection, blocking, sliding, puzzle or "
            "simultaneous; asked for if not given.",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What the game is called.")] = None,
    size: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Columns by rows, such as 4x5; or a number.")
    ] = None,
    play: Annotated[
        bool, typer.Option("--play/--no-play", help="Play it at once, in a terminal.")
    ] = True,
) -> None:
    """Begin a game of your own: write its rules in English, to change them and to play it."""
    from kibitz.rulebook import TEMPLATES, read_sentences, write_template

    can_ask = sys.stdin.isatty() and sys.stdout.isatty()
    if template is None:
        if not can_ask:
            raise InputError("which kind of game?", hint=f"--template {'|'.join(TEMPLATES)}")
        for kind, made in TEMPLATES.items():
            print(f"  {kind:<13} {made.summary}")
        template = _asked("Which kind of game", "line-game", _known_template)
        name = name or typer.prompt("What is it called", default=template.replace("-", " "))
        made = TEMPLATES[template]
        if size is None and made.has_size:
            default = f"{made.columns}x{made.rows}" if made.has_board else str(made.columns)
            size = _asked("How large", default, _known_size)
    columns, rows = _size(size)
    text = write_template(template, name=name or "", columns=columns, rows=rows)
    read_sentences(text)
    path = file or Path(_file_name(name or template))
    check_folder(path)
    if path.exists():
        raise InputError(f"{path} is there already", hint="name another file")
    write_file(path, text)
    note(f"wrote {path}; change its sentences as you like")
    print(text, end="")
    note(f"kibitz play {path}, kibitz explain {path}, kibitz check {path}, kibitz web {path}")
    if play and can_ask:
        from kibitz.cli.programs.play import play as play_game

        play_game(str(path))


def _asked(question: str, default: str, check: Callable[[str], str]) -> str:
    """Ask until an answer is understood."""
    answer: str = typer.prompt(question, default=default, value_proc=check)
    return answer


def _known_template(answer: str) -> str:
    from kibitz.rulebook import TEMPLATES

    kind = answer.strip().lower().replace(" ", "-")
    if kind not in TEMPLATES:
        raise typer.BadParameter(f"{answer} is none of {', '.join(TEMPLATES)}")
    return kind


def _known_size(answer: str) -> str:
    try:
        _size(answer)
    except InputError as error:
        raise typer.BadParameter(f"{error.message}: write such as 4x5 or 7") from None
    return answer


def _size(text: str | None) -> tuple[int | None, int | None]:
    """Read a size: 4x5, 4 by 5, or one number."""
    if text is None:
        return None, None
    found = re.fullmatch(r"\s*(\d{1,3})(?:\s*(?:x|by)\s*(\d{1,3}))?\s*", text)
    if not found:
        raise InputError(f"{text} is no size", hint="such as 4x5, columns by rows")
    return int(found[1]), int(found[2]) if found[2] else None


def _file_name(name: str) -> str:
    return re.sub(r"\W+", "_", name.lower()).strip("_") + ".rules.txt"
