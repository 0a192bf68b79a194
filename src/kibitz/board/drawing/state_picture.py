"""A State and its Layout in, a Picture out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kibitz.board.drawing.cell_shapes import DrawnCell, draw_cell, draw_side
from kibitz.board.drawing.composition import wrap
from kibitz.board.drawing.mark_shapes import Ground, draw_marks
from kibitz.board.drawing.marks import Mark, mark_values
from kibitz.board.drawing.picture import (
    Circle,
    Label,
    LineShape,
    Picture,
    Rect,
    Shape,
    ShapeGroup,
    text_width,
)
from kibitz.board.drawing.piece_shapes import draw_piece
from kibitz.board.drawing.position import Position, arrange, pile_up
from kibitz.board.formats.svg import to_svg
from kibitz.board.layout.detection import layout_of
from kibitz.board.layout.layout import Board, CellRef, Layout
from kibitz.engine import Move, State, paint_with

__all__ = [
    "Sketch",
    "draw_in_notebooks",
    "picture_of",
    "picture_of_board",
    "picture_of_caption",
    "svg_board",
]

UNIT = 44.0
SMALL = 26.0
MARGIN = 10.0
LINE = 20.0
MOST_LABELS = 300
SPARE = ("sky", "orange", "green", "yellow", "purple", "grey")


def svg_board(
    state: State,
    layout: Layout | None = None,
    *,
    size: float | None = None,
    marks: Sequence[Mark] = (),
    values: Mapping[Move, str] | None = None,
) -> str:
    """Draw a state as SVG; `size` is the width in pixels.

    `marks` point at cells and moves, and `values` are the values of moves, such as W3.

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
    sketch.add_caption(position, state)
    text = " ".join(state.game.write(fluent) for fluent in state.fluents[:MOST_LABELS])
    return sketch.picture(layout.game, text)


def picture_of_board(
    state: State,
    layout: Layout | None = None,
    *,
    marks: Sequence[Mark] = (),
) -> Picture | None:
    """Draw the boards of a state and nothing else; None if it has none."""
    layout = layout or layout_of(state.game)
    if not layout.boards:
        return None
    sketch = Sketch(layout)
    sketch.add_boards(arrange(layout, state.fluents), [mark for mark in marks if mark.cells])
    sketch.y -= MARGIN
    return sketch.picture(layout.game, "")


def picture_of_caption(
    state: State, layout: Layout | None = None, *, turns: bool = True
) -> Picture | None:
    """Draw what stands beside the boards of a state: whose turn it is, counters, labels.

    Without `turns` whose turn it is is left out, for at an end it matters to nobody.

    >>> import kibitz
    >>> picture = picture_of_caption(kibitz.load("tictactoe").initial())
    >>> [shape.text for shape in picture.shapes if isinstance(shape, Label)]
    ['X to move']
    """
    layout = layout or layout_of(state.game)
    sketch = Sketch(layout)
    position = arrange(layout, state.fluents)
    sketch.add_caption(position if turns else replace(position, turns=()), state)
    return sketch.picture(f"beside {layout.game}", "") if sketch.shapes else None


def draw_in_notebooks() -> None:
    """Let notebooks draw states: a cell that ends in a State shows its board.

    >>> import kibitz
    >>> kibitz.load("tictactoe").initial()._repr_svg_()[:4]
    '<svg'
    """
    paint_with(svg_board)


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
        """Return what was drawn."""
        return Picture(
            max(self.width, 80.0), self.y + MARGIN, tuple(self.shapes), title, description
        )

    def add_boards(self, position: Position, marks: Sequence[Mark] = ()) -> None:
        """Draw all boards, in rows that are not too wide."""
        x, tallest = MARGIN, 0.0
        boards = list(enumerate(self.layout.boards))
        for number, board in boards:
            if board.on is not None:
                continue
            width, height = self._size(board)
            if x > MARGIN and x + width > 900:
                self.y += tallest + MARGIN
                x, tallest = MARGIN, 0.0
            for other, below in boards:
                if below.on == number:
                    self._board(
                        other, below, x + self._gutter(board), self.y + _top(board), position, marks
                    )
            self._board(number, board, x, self.y, position, marks)
            x += width + 2 * MARGIN
            self.width = max(self.width, x - MARGIN)
            tallest = max(tallest, height)
        if self.layout.boards:
            self.y += tallest + MARGIN
        self.add_line([mark.text for mark in marks if not mark.cells])

    def add_caption(self, position: Position, state: State) -> None:
        """Write what is on no board."""
        self.add_turns(position.turns, state)
        self.add_line(position.counters)
        self.add_line(position.labels)

    def add_line(self, texts: Iterable[str]) -> None:
        """Write texts one after another, on several lines if needed."""
        listed = list(texts)
        if len(listed) > MOST_LABELS:
            listed = [*listed[:MOST_LABELS], f"and {len(listed) - MOST_LABELS} more"]
        room = max(self.width - 2 * MARGIN, 240.0)
        line = ""
        lines = []
        for text in (part for whole in listed for part in wrap(whole, room)):
            longer = f"{line} · {text}" if line else text
            if line and text_width(longer, 13) > room:
                lines.append(line)
                longer = text
            line = longer
        if line:
            lines.append(line)
        for text in lines:
            self.shapes.append(Label(MARGIN, self.y + LINE / 2, text, 13, "soft", "start"))
            self.y += LINE
            self.width = max(self.width, 2 * MARGIN + text_width(text, 13))

    def add_turns(self, texts: Sequence[str], state: State) -> None:
        """Show whose turn it is as badges, each with a piece of the role."""
        board = self.layout.boards[0] if self.layout.boards else None
        x = MARGIN
        for text in texts:
            role = next((r for r in state.game.roles if text.startswith(self._to_move(r))), None)
            name = self.layout.badges.get(role) if role else None
            icon = 20.0 if board and name else 0.0
            wide = text_width(text, 13) * 1.06 + 16 + icon
            if x > MARGIN and x + wide > max(self.width, 300.0):
                x = MARGIN
                self.y += 30
            self.shapes.append(Rect(x, self.y, wide, 24, "plain", "hatch", 1, 12))
            if board and name:
                self.shapes += draw_piece(board.piece(name), x + 15, self.y + 12, 20)
            at, anchor = (x + 8 + icon, "start") if icon else (x + wide / 2, "middle")
            self.shapes.append(Label(at, self.y + 12, text, 13, "ink", anchor, bold=True))
            x += wide + 6
            self.width = max(self.width, x - 6 + MARGIN)
        if texts:
            self.y += 30

    def _to_move(self, role: str) -> str:
        return f"{self.layout.called(role)} to move"

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
        top = y + _top(board)
        for tick in board.rows:
            at = left + tick.inset * u - 6
            self.shapes.append(Label(at, top + tick.at * u, tick.text, 12, "soft", "end"))
        names = top + board.height * u + 10 if board.upwards else top - (12 if board.sides else 9)
        for tick in board.columns:
            room = board.cell_width * u - 4
            size = min(12.0, 12 * room / text_width(tick.text, 12)) if tick.text else 12
            self.shapes.append(Label(left + tick.at * u, names, tick.text, size, "soft"))
        if board.kind == "stacks":
            self._stacks(number, board, left, top, position)
            self.shapes += draw_marks(Ground(number, board, left, top, u), marks)
            return
        for x1, y1, x2, y2 in board.lines:
            self.shapes.append(
                LineShape(left + x1 * u, top + y1 * u, left + x2 * u, top + y2 * u, "grid", 2)
            )
        sides: list[Shape] = []
        filled = {cell for mark in marks if mark.style == "last" for cell in mark.cells}
        for index, cell in enumerate(board.cells):
            ref = CellRef(number, index)
            spot = DrawnCell(board, cell, left + cell.x * u, top + cell.y * u, u, ref in filled)
            self.shapes.append(draw_cell(spot, position, ref, self.layout))
            sides += (draw_side(spot, p.piece) for p in position.at(ref) if p.shows == "side")
        self.shapes += sides
        for thick, own in ((7, "edge"), (5, "")):
            self.shapes += (
                LineShape(
                    left + a * u, top + b * u, left + c * u, top + d * u, own or colour, thick
                )
                for (a, b, c, d), colour in board.sides
            )
        if board.walls:
            w, h = board.width * u, board.height * u
            self.shapes.append(Rect(left, top, w, h, None, "wall", 4, 2))
        for x1, y1, x2, y2 in board.walls:
            self.shapes.append(
                LineShape(left + x1 * u, top + y1 * u, left + x2 * u, top + y2 * u, "wall", 4)
            )
        for name, px, py in board.points:
            cx, cy, radius = left + px * u, top + py * u, u * (0.24 if name else 0.1)
            if board.kind == "graph":
                self.shapes.append(Circle(cx, cy, radius, "paper" if name else "ink", "ink", 1.5))
            if name and board.kind == "heaps":
                size = min(11.0, 11 * (board.cell_width * u - 12) / text_width(name, 11))
                self.shapes.append(Label(cx, cy, name, size, "soft"))
            elif name:
                self.shapes.append(Label(cx, cy, name, u * 0.28, "ink", bold=True))
        covered = {
            ref.cell
            for ref, places in position.cells.items()
            if ref.board == number and any(board.piece(p.piece).shape != "blank" for p in places)
        }
        self.shapes += draw_marks(Ground(number, board, left, top, u, covered), marks)

    def _stacks(
        self, number: int, board: Board, left: float, top: float, position: Position
    ) -> None:
        u = self.unit
        order = {piece.name: n for n, piece in enumerate(board.pieces)}
        bottom = top + board.height * u
        for n, pile in pile_up(board, number, position).items():
            cell = board.cells[n]
            x = left + cell.x * u
            wide = board.cell_width * u * 0.92
            high = 0.42 * u
            shapes: list[Shape] = [
                Rect(x - 2, top + u * 0.2, 4, board.height * u - u * 0.2, "other"),
                Rect(x - wide / 2, bottom - 4, wide, 4, "grid", None, 1, 2),
            ]
            for level, item in enumerate(pile):
                piece = board.piece(item)
                size = wide * (0.36 + 0.6 * (order.get(item, 0) + 1) / max(1, len(order)))
                y = bottom - 4 - (level + 1) * (high + 2)
                colour = SPARE[order.get(item, 0) % len(SPARE)]
                shapes.append(Rect(x - size / 2, y, size, high, colour, "edge", 1, 5))
                shapes.append(Label(x, y + high / 2, piece.name, high * 0.66, "dark", bold=True))
            held = ", ".join(pile) or "nothing"
            self.shapes.append(ShapeGroup(tuple(shapes), f"{cell.name}: {held}", f"{number}.{n}"))


def _top(board: Board) -> float:
    """Return the room above a board, for the names of columns."""
    return 18.0 if board.columns and not board.upwards else 0.0
