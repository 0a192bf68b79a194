"""Let notebooks draw states: a cell that ends in a State shows its board."""

from __future__ import annotations

from pathlib import Path

from kibitz.engine import Game, State
from kibitz.engine.game import paint_with
from kibitz.render.drawing import svg_board
from kibitz.render.finding import layout_of, use_layout
from kibitz.render.override import apply_override, board_file, read_override

__all__ = ["draw_in_notebooks"]


def draw_in_notebooks(game: Game | None = None, rules: Path | None = None) -> None:
    """Have states drawn; those of a game whose rules are in a file, as the file beside says.

    >>> import kibitz
    >>> kibitz.load("tictactoe").initial()._repr_svg_()[:4]
    '<svg'
    """
    paint_with(_paint)
    beside = board_file(rules) if rules else None
    if game and beside:
        use_layout(game, apply_override(layout_of(game), read_override(beside)))


def _paint(state: State) -> str:
    return svg_board(state)
