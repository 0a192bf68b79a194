"""Let notebooks draw states: a cell that ends in a State shows its board."""

from __future__ import annotations

from kibitz.board.drawing.state_picture import svg_board
from kibitz.engine import State, paint_with

__all__ = ["draw_in_notebooks"]


def draw_in_notebooks() -> None:
    """Have states drawn.

    >>> import kibitz
    >>> kibitz.load("tictactoe").initial()._repr_svg_()[:4]
    '<svg'
    """
    paint_with(_paint)


def _paint(state: State) -> str:
    return svg_board(state)
