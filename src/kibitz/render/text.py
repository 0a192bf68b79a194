"""A State in, a board in letters out, for terminals and for tests that people read."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.engine import State
from kibitz.render.finding import layout_of
from kibitz.render.layout import Board, CellRef, Layout, Place
from kibitz.render.marks import Mark, cells_of
from kibitz.render.position import arrange

__all__ = ["board_lines", "glyph_of", "text_board"]

ANSI = {
    "red": "31", "blue": "34", "green": "32", "yellow": "33", "orange": "33", "purple": "35",
    "sky": "36", "light": "97", "dark": "90", "wall": "90", "grey": "90", "tile": "33",
}  # fmt: skip


def text_board(
    state: State,
    layout: Layout | None = None,
    *,
    colour: bool = False,
    marks: Sequence[Mark] = (),
) -> str:
    """Draw a state in letters; marked cells stand in brackets.

    >>> import kibitz
    >>> print(text_board(kibitz.load("tictactoe").initial().step(["(mark 2 2)", "noop"])))
      1 2 3
    1 . . .
    2 . x .
    3 . . .
    oplayer to move
    """
    layout = layout or layout_of(state.game)
    position = arrange(layout, state.fluents)
    marked = cells_of(marks)
    parts = []
    for number, board in enumerate(layout.boards):
        shown, colours = [], []
        for index in range(len(board.cells)):
            ref = CellRef(number, index)
            places = position.at(ref)
            text = "+".join(glyph_of(board, place) for place in places)
            text = text or (" " if board.has_blank else ".")
            shown.append(f"[{text}]" if ref in marked else text)
            piece = board.piece(places[0].piece) if places else None
            colours.append(ANSI.get(piece.colour, "") if piece and colour else "")
        parts.append(board_lines(board, shown, colours))
    if position.turns:
        parts.append(", ".join(position.turns))
    if position.counters:
        parts.append(", ".join(position.counters))
    parts += position.labels
    parts += [mark.text for mark in marks if not mark.cells]
    return "\n".join(parts)


def board_lines(board: Board, shown: Sequence[str], colours: Sequence[str] = ()) -> str:
    """Put what each cell shows into rows and columns, with their names."""
    rows = sorted({cell.y for cell in board.cells})
    columns = sorted({cell.x for cell in board.cells})
    at = {(cell.x, cell.y): n for n, cell in enumerate(board.cells)}
    row_names = {tick.at: tick.text for tick in board.rows}
    column_names = {tick.at: tick.text for tick in board.columns}
    side = max(map(len, row_names.values()), default=0)
    width = max(map(len, [*shown, *column_names.values()]), default=1)
    head = " " * side + "".join(" " + column_names.get(x, "").rjust(width) for x in columns)
    lines = []
    for y in rows:
        line = row_names.get(y, "").rjust(side)
        for x in columns:
            n = at.get((x, y))
            text = (" " if n is None else shown[n]).rjust(width)
            if n is not None and colours and colours[n]:
                text = f"\x1b[{colours[n]}m{text}\x1b[0m"
            line += " " + text
        lines.append(line.rstrip())
    lines = [*lines, head.rstrip()] if board.upwards else [head.rstrip(), *lines]
    return "\n".join(line for line in lines if line or not board.columns)


def glyph_of(board: Board, place: Place) -> str:
    """Give the sign for what is shown on a cell."""
    return board.piece(place.piece).glyph
