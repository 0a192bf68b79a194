"""The command draw: boards, matches, strategies and trees in the terminal and in files."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kibitz.cli.common import options
from kibitz.cli.common.inputs import budget_of, find_sheet, make_game, read_text
from kibitz.cli.common.outputs import check_folder, write_file
from kibitz.errors import InputError

if TYPE_CHECKING:
    from kibitz.board import Layout
    from kibitz.engine import Game, Move
    from kibitz.gdl import Function


def register(app: typer.Typer) -> None:
    """Add the command of this module to the application."""
    app.command()(draw)


@dataclass(frozen=True)
class _Wish:
    """Request for a drawing: its content and its form."""

    form: str | None
    state: Sequence[Function] | None
    lines: Sequence[Sequence[Sequence[Move]]]
    every: bool
    depth: int
    strategy: str | None
    strategy_name: str
    role: str | None
    is_coloured: bool


def draw(
    game: options.GameArgument,
    state: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Fluents that hold, such as (cell 1 1 x) (control o); - for stdin."
        ),
    ] = None,
    moves: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="One joint move a line, such as ((mark 1 1) noop); - for stdin. Several files are "
            "a tree, for dot.",
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--every", help="Draw every state of a match, not only the last.")
    ] = False,
    depth: Annotated[
        int, typer.Option(min=0, max=20, help="How deep the tree below a state goes, for dot.")
    ] = 2,
    strategy: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw the rules of a strategy, a file or one shipped."),
    ] = None,
    role: Annotated[str | None, typer.Option(help="Who plays the strategy.")] = None,
    output: options.OutputOption = None,
    board: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="How to draw, as docs/boards.md says; NAME.board.toml beside a rule sheet if not "
            "given.",
        ),
    ] = None,
    flip: Annotated[bool, typer.Option("--flip", help="Turn the board by half.")] = False,
    as_json: options.JsonOption = False,
    engine: options.EngineOption = options.Engine.COMPILED,
    timeout: options.TimeoutOption = 60,
    memory: options.MemoryOption = 4,
) -> None:
    """Draw a state as the rules of its game suggest, a match, a strategy, or a tree of play.

    The format follows from the file's suffix: svg, png, tex, html, md, txt, json or dot.
    """
    from kibitz.board import (
        FORMATS,
        apply_override,
        board_file,
        layout_of,
        read_override,
        turn_layout,
    )
    from kibitz.budget import run_within
    from kibitz.engine import read_moves
    from kibitz.gdl import parse_terms

    files = moves or []
    form = output.suffix.lstrip(".").lower() if output else "json" if as_json else None
    if output and form not in FORMATS:
        raise InputError(
            f"the suffix of {output} names no format", hint=f"suffixes: {', '.join(FORMATS)}"
        )
    if [game, state, strategy, *files].count("-") > 1:
        raise InputError("only one of rules, state, moves and strategy can be read from stdin")
    if sum(map(bool, (state, files, strategy))) > 1:
        raise InputError(
            "a state, moves and a strategy cannot be drawn at once", hint="moves start initially"
        )
    if len(files) > 1 and form != "dot":
        raise InputError("several files of moves make a tree", hint="write it with -o TREE.dot")
    check_folder(output)
    sheet = find_sheet(game)
    wish = _Wish(
        form,
        None if state is None else parse_terms(read_text(state), name=state),
        [read_moves(read_text(file), name=file) for file in files],
        every,
        depth,
        None if strategy is None else _strategy_text(strategy),
        "stdin" if strategy == "-" else strategy or "",
        role,
        sys.stdout is not None and sys.stdout.isatty() and "NO_COLOR" not in os.environ,
    )
    beside = board or (None if game == "-" else board_file(game))
    override = read_override(beside) if beside else None
    budget = budget_of(timeout, memory)

    def work() -> str | bytes:
        made = make_game(sheet, engine, budget)
        layout = layout_of(made)
        layout = apply_override(layout, override) if override else layout
        return _drawn(made, turn_layout(layout) if flip else layout, wish)

    drawn = run_within(budget, work, doing=f"drawing {sheet.name}")
    if output:
        write_file(output, drawn)
    elif isinstance(drawn, str):
        print(drawn, end="")


def _drawn(game: Game, layout: Layout, wish: _Wish) -> str | bytes:
    from kibitz.board import (
        MatchMoment,
        dot_lines,
        dot_tree,
        export,
        export_match,
        play_through,
        text_board,
    )

    if wish.strategy is not None:
        from kibitz.strategy import export_strategy, read_strategy

        strategy = read_strategy(wish.strategy, game, name=wish.strategy_name)
        return export_strategy(strategy, wish.form or "txt", wish.role, layout=layout)
    if len(wish.lines) > 1:
        return dot_lines(game, wish.lines, layout=layout)
    joints = wish.lines[0] if wish.lines else []
    moments = play_through(game, joints)
    if wish.state is not None:
        moments = [MatchMoment(game.state(wish.state))]
    if wish.form == "dot" and not wish.every:
        return dot_tree(moments[-1].state, wish.depth, layout=layout)
    if wish.form:
        return (export_match if wish.every else export)(moments, wish.form, layout)
    shown = moments if wish.every else moments[-1:]
    boards = [text_board(moment.state, layout, colour=wish.is_coloured) for moment in shown]
    return "\n\n".join(boards) + "\n"


def _strategy_text(name: str) -> str:
    """Read a strategy, by its path or by its name if it comes with Kibitz."""
    from kibitz.strategy import shipped_names, shipped_text

    if Path(name).suffix != ".strategy" and name in shipped_names():
        return shipped_text(name)
    return read_text(name)
