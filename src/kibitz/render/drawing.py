"""A State and its Layout in, a Picture out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from kibitz.engine import Move, State
from kibitz.render.finding import layout_of
from kibitz.render.layout import Board, CellRef, Layout, Place
from kibitz.render.marks import Mark, mark_values
from kibitz.render.men import draw_piece
from kibitz.render.picture import (
    Circle,
    Group,
    Label,
    Line,
    Picture,
    Rect,
    Shape,
    text_width,
)
from kibitz.render.position import Position, Stencil, arrange
from kibitz.render.svg import to_svg

__all__ = ["Sketch", "picture_of", "svg_board"]

UNIT = 44.0
SMALL = 26.0
MARGIN = 10.0
LINE = 20.0
MOST_LABELS = 300


def svg_board(
    state: State,
    layout: Layout | None = None,
    *,
    size: float | None = None,
    marks: Sequence[Mark] = (),
    values: Mapping[Move, str] | None = None,
) -> str:
    """Draw a state as SVG; `size` is the width in pixels.

    `marks` point at cells and moves, and `values` tell what moves are worth, such as W3.

    >>> import kibitz
    >>> svg_board(kibitz.load("tictactoe").initial()).startswith("<svg ")
    True
    """
    layout = layout or layout_of(state.game)
    return to_svg(picture_of(state, layout, marks=marks, values=values), size=size)


def picture_of(
    state: State,
    layout: Layout | None = None,
    *,
    marks: Sequence[Mark] = (),
    values: Mapping[Move, str] | None = None,
) -> Picture:
    """Draw a state as a list of shapes, for any of the formats."""
    layout = layout or layout_of(state.game)
    position = arrange(layout, state.fluents)
    sketch = Sketch(layout)
    sketch.add_boards(position, [*marks, *mark_values(layout, values or {})])
    sketch.add_line(position.turns, bold=True)
    sketch.add_line(position.counters)
    sketch.add_line(position.labels)
    told = " ".join(state.game.write(fluent) for fluent in state.fluents[:MOST_LABELS])
    return sketch.picture(layout.game, told)


class Sketch:
    """A picture in the making: boards beside one another, lines of text below."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.shapes: list[Shape] = []
        most = max((max(b.width, b.height) for b in layout.boards), default=1)
        self.unit = UNIT if most <= 12 else max(SMALL, UNIT * 12 / most)
        self.width = 2 * MARGIN
        self.y = MARGIN

    def picture(self, title: str, description: str) -> Picture:
        """Give what was drawn."""
        return Picture(
            max(self.width, 80.0), self.y + MARGIN, tuple(self.shapes), title, description
        )

    def add_boards(self, position: Position, marks: Sequence[Mark] = ()) -> None:
        """Draw all boards, in rows that are not too wide."""
        x, tallest = MARGIN, 0.0
        for number, board in enumerate(self.layout.boards):
            width, height = self._size(board)
            if x > MARGIN and x + width > 900:
                self.y += tallest + MARGIN
                x, tallest = MARGIN, 0.0
            self._board(number, board, x, self.y, position, marks)
            x += width + 2 * MARGIN
            self.width = max(self.width, x - MARGIN)
            tallest = max(tallest, height)
        if self.layout.boards:
            self.y += tallest + MARGIN
        self.add_line([mark.text for mark in marks if not mark.cells])

    def add_line(self, texts: Iterable[str], *, bold: bool = False) -> None:
        """Write texts one after another, in as many lines as they need."""
        listed = list(texts)
        if len(listed) > MOST_LABELS:
            listed = [*listed[:MOST_LABELS], f"and {len(listed) - MOST_LABELS} more"]
        room = max(self.width - 2 * MARGIN, 240.0)
        line = ""
        lines = []
        for text in listed:
            longer = f"{line} · {text}" if line else text
            if line and text_width(longer, 13) > room:
                lines.append(line)
                longer = text
            line = longer
        if line:
            lines.append(line)
        for text in lines:
            self.shapes.append(
                Label(MARGIN, self.y + LINE / 2, text, 13, "ink" if bold else "soft", "start", bold)
            )
            self.y += LINE
            self.width = max(self.width, 2 * MARGIN + text_width(text, 13))

    def _gutter(self, board: Board) -> float:
        if not board.rows:
            return 0.0
        return 8 + max(text_width(tick.text, 12) for tick in board.rows)

    def _size(self, board: Board) -> tuple[float, float]:
        top = 18.0 if board.columns else 0.0
        return self._gutter(board) + board.width * self.unit, top + board.height * self.unit

    def _board(
        self,
        number: int,
        board: Board,
        x: float,
        y: float,
        position: Position,
        marks: Sequence[Mark],
    ) -> None:
        u = self.unit
        left = x + self._gutter(board)
        top = y + (18.0 if board.columns and not board.upwards else 0.0)
        for tick in board.rows:
            self.shapes.append(Label(left - 6, top + tick.at * u, tick.text, 12, "soft", "end"))
        names = top + board.height * u + 10 if board.upwards else top - 9
        for tick in board.columns:
            self.shapes.append(Label(left + tick.at * u, names, tick.text, 12, "soft"))
        filled = {cell for mark in marks if mark.style == "last" for cell in mark.cells}
        for index, cell in enumerate(board.cells):
            ref = CellRef(number, index)
            places = position.at(ref)
            cx, cy = left + cell.x * u, top + cell.y * u
            shapes = [
                self._ground(board, places, cx, cy, (int(cell.x) + int(cell.y)) % 2, ref in filled),
                *self._pieces(board, places, cx, cy),
            ]
            told = ", ".join(place.piece for place in places) or "nothing"
            if isinstance(position, Stencil):
                never = position.forbidden.get(ref, ())
                if not places and not never:
                    shapes += self._hatch(cx, cy)
                    told = "anything"
                elif never:
                    shapes += self._crossed_out(board, never, cx, cy)
                    told = " and ".join(f"not {place.piece}" for place in never)
            self.shapes.append(Group(tuple(shapes), f"{cell.name}: {told}", f"{number}.{index}"))
        for mark in marks:
            self._mark(number, board, left, top, mark)

    def _ground(
        self, board: Board, places: Sequence[Place], x: float, y: float, odd: int, last: bool
    ) -> Shape:
        u = self.unit
        fill = "other" if odd and board.chequered else "cell"
        if last:
            fill = "last"
        elif any(place.shows == "tile" for place in places):
            fill = "tile"
        elif board.has_blank and not places:
            fill = "plain"
        return Rect(x - u / 2, y - u / 2, u, u, fill, "grid", 1)

    def _pieces(self, board: Board, places: Sequence[Place], x: float, y: float) -> list[Shape]:
        pieces = [board.piece(p.piece) for p in places if p.shows != "tile"]
        pieces = [piece for piece in pieces if piece.shape != "blank"]
        if len(pieces) == 1:
            return draw_piece(pieces[0], x, y, self.unit)
        shapes: list[Shape] = []
        side = 2 if len(pieces) <= 4 else 3
        part = self.unit / side
        for n, piece in enumerate(pieces[: side * side]):
            px = x + (n % side - (side - 1) / 2) * part
            py = y + (n // side - (side - 1) / 2) * part
            shapes += draw_piece(piece, px, py, part * 0.95)
        return shapes

    def _hatch(self, x: float, y: float) -> list[Shape]:
        """Draw slanting lines over a cell: anything may be here."""
        h = self.unit / 2
        return [
            Rect(x - h, y - h, 2 * h, 2 * h, "plain", "grid", 1),
            *(
                Line(x + a * h, y + b * h, x + c * h, y + d * h, "hatch", 1.2)
                for a, b, c, d in (
                    (-1, -0.5, -0.5, -1), (-1, 0, 0, -1), (-1, 0.5, 0.5, -1), (-1, 1, 1, -1),
                    (-0.5, 1, 1, -0.5), (0, 1, 1, 0), (0.5, 1, 1, 0.5),
                )
            ),
        ]  # fmt: skip

    def _crossed_out(
        self, board: Board, places: Sequence[Place], x: float, y: float
    ) -> list[Shape]:
        """Draw pieces with a stroke through them: these must not be here."""
        r = self.unit * 0.42
        shapes = self._pieces(board, places, x, y)
        if any(board.piece(place.piece).shape == "blank" for place in places):
            shapes.append(Rect(x - r / 2, y - r / 2, r, r, None, "soft", 1.5, 2))
        return [*shapes, Line(x - r, y + r, x + r, y - r, "bad", self.unit * 0.07)]

    def _mark(self, number: int, board: Board, left: float, top: float, mark: Mark) -> None:
        u = self.unit
        points = [
            (left + board.cells[ref.cell].x * u, top + board.cells[ref.cell].y * u)
            for ref in mark.cells
            if ref.board == number
        ]
        colour = {"move": "mark", "outline": "mark"}.get(mark.style, mark.style)
        if not points:
            return
        if mark.style == "last":
            return
        if mark.style == "outline":
            for x, y in points:
                self.shapes.append(
                    Rect(x - u / 2 + 2, y - u / 2 + 2, u - 4, u - 4, None, colour, 3, 4)
                )
            return
        if mark.arrow and len(points) > 1:
            for (x1, y1), (x2, y2) in pairwise(points):
                self.shapes.append(Line(x1, y1, x2, y2, colour, max(2.0, u * 0.08), arrow=True))
        elif not mark.text:
            for x, y in points:
                self.shapes.append(Circle(x, y, u * 0.16, colour))
        if mark.text:
            x, y = points[-1]
            wide = text_width(mark.text, u * 0.34) + u * 0.16
            self.shapes.append(
                Rect(x - wide / 2, y - u * 0.24, wide, u * 0.48, colour, None, 1, u * 0.12)
            )
            self.shapes.append(Label(x, y, mark.text, u * 0.34, "paper", bold=True))
