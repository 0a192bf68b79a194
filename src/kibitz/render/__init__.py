"""States in, boards out, from rules alone: text and SVG."""

from kibitz.render.drawing import picture_of, svg_board
from kibitz.render.finding import layout_of
from kibitz.render.layout import Board, Cell, CellRef, Gesture, Layout, Place
from kibitz.render.marks import Mark, mark_fluent, mark_move, mark_values
from kibitz.render.picture import Picture
from kibitz.render.stencil import svg_stencil, text_stencil
from kibitz.render.svg import to_svg
from kibitz.render.text import text_board

__all__ = [
    "Board",
    "Cell",
    "CellRef",
    "Gesture",
    "Layout",
    "Mark",
    "Picture",
    "Place",
    "layout_of",
    "mark_fluent",
    "mark_move",
    "mark_values",
    "picture_of",
    "svg_board",
    "svg_stencil",
    "text_board",
    "text_stencil",
    "to_svg",
]
