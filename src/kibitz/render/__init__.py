"""States in, boards out, from rules alone: text, SVG, PNG, TikZ, HTML, Markdown and JSON.

=========== ====================================================================
module      holds
=========== ====================================================================
survey      a game's fluents and moves as tables, and a look at some play
domains     which constants a field may hold, for games that cannot be grounded
statics     what holds in every state: which cells touch, who owns what
axes        the order of constants along an axis
grids       which fields of a table name a cell
turning     which axis goes down the page, and in which direction
shaping     the places of cells: squares, hexagons, stars, mazes
lists       strips, heaps, stacks and graphs
gestures    how moves are made on a board
finding     all of these put together: Game in, Layout out
layout      Layout, Board, Cell, Place, Gesture
override    a file beside a rule sheet that changes a layout
turned      boards upside down and mirrored
pieces, men what stands for a name, and its shapes
position    a state as it is shown
marks       cells and moves to point at; marking: how they are drawn
cells       one cell, for each kind of board
drawing     a State as a Picture; stencil: a rule as one; text: either in letters
picture     the list of shapes that svg, tikz and png write
views       a state and a layout for JSON
composing   many pictures as one
export      files of all formats, matches; trees: DOT; notebook: states in notebooks
=========== ====================================================================
"""

from kibitz.render.composing import Figure, in_a_column, in_rows
from kibitz.render.drawing import picture_of, picture_of_board, picture_of_caption, svg_board
from kibitz.render.export import (
    Moment,
    export,
    export_match,
    html_page,
    match_text,
    plain_markdown,
    play_through,
    write_picture,
)
from kibitz.render.finding import layout_of, use_layout
from kibitz.render.layout import Board, Cell, CellRef, Gesture, Layout, Place
from kibitz.render.marks import Mark, mark_fluent, mark_move, mark_values
from kibitz.render.notebook import draw_in_notebooks
from kibitz.render.override import Override, apply_override, board_file, read_override
from kibitz.render.picture import Picture
from kibitz.render.png import to_png
from kibitz.render.stencil import picture_of_stencil, svg_stencil, text_stencil
from kibitz.render.svg import to_svg
from kibitz.render.text import text_board
from kibitz.render.tikz import to_latex, to_tikz
from kibitz.render.trees import dot_lines, dot_text, dot_tree
from kibitz.render.turned import turn_layout
from kibitz.render.views import PositionView, layout_json, position_json, view_of

__all__ = [
    "Board",
    "Cell",
    "CellRef",
    "Figure",
    "Gesture",
    "Layout",
    "Mark",
    "Moment",
    "Override",
    "Picture",
    "Place",
    "PositionView",
    "apply_override",
    "board_file",
    "dot_lines",
    "dot_text",
    "dot_tree",
    "draw_in_notebooks",
    "export",
    "export_match",
    "html_page",
    "in_a_column",
    "in_rows",
    "layout_json",
    "layout_of",
    "mark_fluent",
    "mark_move",
    "mark_values",
    "match_text",
    "picture_of",
    "picture_of_board",
    "picture_of_caption",
    "picture_of_stencil",
    "plain_markdown",
    "play_through",
    "position_json",
    "read_override",
    "svg_board",
    "svg_stencil",
    "text_board",
    "text_stencil",
    "to_latex",
    "to_png",
    "to_svg",
    "to_tikz",
    "turn_layout",
    "use_layout",
    "view_of",
    "write_picture",
]
