"""Let notebooks draw states: a cell that ends in a State shows its board."""

from __future__ import annotations

from kibitz.engine import State
from kibitz.engine.game import paint_with
from kibitz.render.drawing import svg_board

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
