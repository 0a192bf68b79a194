"""The command draw: boards in the terminal and in files."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.inputs import (
    Engine,
    EngineOption,
    GameArgument,
    JsonOption,
    MemoryOption,
    TimeoutOption,
    budget_of,
    find_sheet,
    make_game,
    read_text,
)
from kibitz.errors import InputError

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command of this module to the application."""
    app.command()(draw)


def draw(
    game: GameArgument,
    state: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Fluents that hold, such as (cell 1 1 x) (control o); - for stdin."
        ),
    ] = None,
    moves: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="One joint move a line, such as ((mark 1 1) noop); - for stdin."
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write a file by its ending: svg, png, tex, html, md, txt, json or dot.",
        ),
    ] = None,
    board: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="How to draw, as docs/boards.md says; NAME.board.toml beside a rule sheet if not "
            "given.",
        ),
    ] = None,
    flip: Annotated[bool, typer.Option("--flip", help="Turn the board by half.")] = False,
    as_json: JsonOption = False,
    engine: EngineOption = Engine.COMPILED,
    timeout: TimeoutOption = 60,
    memory: MemoryOption = 4,
) -> None:
    """Draw a state of a game as its rules suggest: the initial one, one given, or after moves."""
    from kibitz.budget import run_within
    from kibitz.engine.replay import read_moves
    from kibitz.gdl import parse_terms
    from kibitz.render.export import FORMATS, Moment, export, play_through
    from kibitz.render.finding import layout_of
    from kibitz.render.override import apply_override, board_file, read_override
    from kibitz.render.text import text_board
    from kibitz.render.turned import turn_layout

    if [game, state, moves].count("-") > 1:
        raise InputError("only one of rules, state and moves can be read from stdin")
    if state is not None and moves is not None:
        raise InputError("a state and moves cannot both be given", hint="moves start initially")
    form = Path(output).suffix.lstrip(".").lower() if output else "json" if as_json else None
    if output and form not in FORMATS:
        raise InputError(
            f"no format is known by the ending of {output}", hint=f"endings: {', '.join(FORMATS)}"
        )
    sheet = find_sheet(game)
    joints = read_moves(read_text(moves), name=moves) if moves is not None else []
    given = None if state is None else parse_terms(read_text(state), name=state)
    beside = board or (None if game == "-" else board_file(game))
    override = read_override(beside) if beside else None
    budget = budget_of(timeout, memory)
    colour = sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ

    def work() -> str | bytes:
        made = make_game(sheet, engine, budget)
        layout = layout_of(made)
        layout = apply_override(layout, override) if override else layout
        layout = turn_layout(layout) if flip else layout
        moments = play_through(made, joints) if given is None else [Moment(made.state(given))]
        if form:
            return export(moments, form, layout)
        return text_board(moments[-1].state, layout, colour=colour) + "\n"

    drawn = run_within(budget, work, doing=f"drawing {sheet.name}")
    if output:
        data = drawn.encode() if isinstance(drawn, str) else drawn
        try:
            Path(output).write_bytes(data)
        except OSError as error:
            raise InputError(f"cannot write {output}: {error.strerror}") from None
    elif isinstance(drawn, str):
        print(drawn, end="")
