"""A State and its Layout in, a Picture out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, cos, pi, sin, sqrt

from kibitz.engine import Move, State
from kibitz.render.finding import layout_of
from kibitz.render.layout import Board, Cell, CellRef, Layout, Place, Segment
from kibitz.render.lists import count_of
from kibitz.render.marks import Mark, mark_values
from kibitz.render.men import draw_piece
from kibitz.render.picture import (
    Circle,
    Group,
    Label,
    Line,
    Picture,
    Polygon,
    Rect,
    Shape,
    text_width,
)
from kibitz.render.position import Position, Stencil, arrange, pile_up
from kibitz.render.svg import to_svg

__all__ = ["Sketch", "picture_of", "svg_board"]

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
            at = left + tick.inset * u - 6
            self.shapes.append(Label(at, top + tick.at * u, tick.text, 12, "soft", "end"))
        names = top + board.height * u + 10 if board.upwards else top - 9
        for tick in board.columns:
            room = board.cell_width * u - 4
            size = min(12.0, 12 * room / text_width(tick.text, 12)) if tick.text else 12
            self.shapes.append(Label(left + tick.at * u, names, tick.text, size, "soft"))
        if board.kind == "stacks":
            self._stacks(number, board, left, top, position)
            return
        for x1, y1, x2, y2 in board.lines:
            self.shapes.append(
                Line(left + x1 * u, top + y1 * u, left + x2 * u, top + y2 * u, "grid", 2)
            )
        sides: list[Shape] = []
        filled = {cell for mark in marks if mark.style == "last" for cell in mark.cells}
        for index, cell in enumerate(board.cells):
            ref = CellRef(number, index)
            spot = Spot(board, cell, left + cell.x * u, top + cell.y * u, u, ref in filled)
            self.shapes.append(_cell(spot, position, ref))
            sides += (_side(spot, p.piece) for p in position.at(ref) if p.shows == "side")
        self.shapes += sides
        if board.walls:
            w, h = board.width * u, board.height * u
            self.shapes.append(Rect(left, top, w, h, None, "wall", 4, 2))
        for x1, y1, x2, y2 in board.walls:
            self.shapes.append(
                Line(left + x1 * u, top + y1 * u, left + x2 * u, top + y2 * u, "wall", 4)
            )
        for name, px, py in board.points:
            self.shapes.append(Circle(left + px * u, top + py * u, u * 0.24, "paper", "ink", 1.5))
            self.shapes.append(Label(left + px * u, top + py * u, name, u * 0.28, "ink", bold=True))
        for mark in marks:
            self._mark(number, board, left, top, mark)

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
            told = ", ".join(pile) or "nothing"
            self.shapes.append(Group(tuple(shapes), f"{cell.name}: {told}", f"{number}.{n}"))

    def _mark(self, number: int, board: Board, left: float, top: float, mark: Mark) -> None:
        u = self.unit
        points = [
            (left + board.cells[ref.cell].x * u, top + board.cells[ref.cell].y * u)
            for ref in mark.cells
            if ref.board == number
        ]
        colour = {"move": "mark", "outline": "mark"}.get(mark.style, mark.style)
        if not points or mark.style == "last":
            if mark.arrow and len(points) > 1:
                self._arrow(points, "last")
            return
        wide, high = board.cell_width * u, board.cell_height * u
        if mark.style == "outline":
            for x, y in points:
                self.shapes.append(
                    Rect(x - wide / 2 + 2, y - high / 2 + 2, wide - 4, high - 4, None, colour, 3, 5)
                )
            return
        if mark.arrow and len(points) > 1:
            self._arrow(points, colour)
        elif not mark.text:
            for x, y in points:
                self.shapes.append(Circle(x, y, u * 0.16, colour, "paper", 1.5))
        if mark.text:
            x, y = points[-1]
            size = u * 0.32
            wide = text_width(mark.text, size) + u * 0.18
            self.shapes.append(
                Rect(x - wide / 2, y - u * 0.23, wide, u * 0.46, colour, "paper", 1, u * 0.12)
            )
            self.shapes.append(Label(x, y, mark.text, size, "paper", bold=True))

    def _arrow(self, points: Sequence[tuple[float, float]], colour: str) -> None:
        thick = max(2.0, self.unit * 0.08)
        for (x1, y1), (x2, y2) in pairwise(points):
            self.shapes.append(Line(x1, y1, x2, y2, colour, thick, arrow=True))


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell where it is drawn."""

    board: Board
    cell: Cell
    x: float
    y: float
    unit: float
    is_last: bool


def _cell(spot: Spot, position: Position, ref: CellRef) -> Group:
    """Draw a cell and what stands on it."""
    places = position.at(ref)
    told = ", ".join(place.piece for place in places) or "nothing"
    shapes: list[Shape]
    if isinstance(position, Stencil):
        never = position.forbidden.get(ref, ())
        if not places and not never:
            shapes, told = [*_ground(spot, places), *_hatch(spot)], "anything"
        elif never:
            shapes = [*_ground(spot, never), *_pieces(spot, places), *_crossed_out(spot, never)]
            told = " and ".join(
                [*(p.piece for p in places), *(f"not {place.piece}" for place in never)]
            )
        else:
            shapes = [*_ground(spot, places), *_pieces(spot, places)]
    else:
        shapes = [*_ground(spot, places), *_pieces(spot, places)]
    return Group(tuple(shapes), f"{spot.cell.name}: {told}", f"{ref.board}.{ref.cell}")


def _ground(spot: Spot, places: Sequence[Place]) -> list[Shape]:
    """Draw the cell itself."""
    board, x, y, u = spot.board, spot.x, spot.y, spot.unit
    odd = (int(spot.cell.x) + int(spot.cell.y)) % 2 and board.chequered
    fill: str | None = "last" if spot.is_last else "other" if odd else "cell"
    tiles = [place.piece for place in places if place.shows == "tile"]
    if board.has_tiles and not tiles:
        return [Rect(x - u / 2, y - u / 2, u, u, None, "hatch", 0.5)]
    if tiles and not spot.is_last and tiles[0] not in ("cell", "square", "field", "floor"):
        fill = "tile"
    if board.has_blank and not places:
        fill = "plain"
    match board.kind:
        case "holes":
            return [Circle(x, y, u * 0.44, fill, "grid", 1)]
        case "hex":
            corners = [(k * pi / 3, u / sqrt(3)) for k in range(6)]
            points = tuple((x + r * sin(a), y - r * cos(a)) for a, r in corners)
            return [Polygon(points, fill, "grid", 1)]
        case "points":
            if any(board.piece(place.piece).shape != "blank" for place in places) or spot.is_last:
                return [Circle(x, y, u * 0.42, fill if spot.is_last else "paper")]
            return [Circle(x, y, u * 0.12, fill, "grid", 2)]
        case "graph":
            x1, y1, x2, y2 = _ends(spot)
            pieces = [board.piece(place.piece) for place in places]
            colour = next((p.colour for p in pieces if p.shape != "blank"), None)
            if spot.is_last:
                line = Line(x1, y1, x2, y2, colour or "hatch", 5)
                return [replace(line, stroke="last", thick=11), line]
            if colour is None:
                thick = 1.5 if places else 0.5
                return [Line(x1, y1, x2, y2, "hatch", thick, dashed=True)]
            return [Line(x1, y1, x2, y2, colour, 5)]
        case "heaps":
            w, h = board.cell_width * u, board.cell_height * u
            return [Rect(x - w / 2 + 3, y - h / 2, w - 6, h, fill, "grid", 1, 6)]
        case _:
            return [Rect(x - u / 2, y - u / 2, u, u, fill, "grid", 1)]


def _ends(spot: Spot) -> Segment:
    x1, y1, x2, y2 = spot.cell.ends or (0.0, 0.0, 0.0, 0.0)
    dx, dy, u = spot.x - spot.cell.x * spot.unit, spot.y - spot.cell.y * spot.unit, spot.unit
    return (x1 * u + dx, y1 * u + dy, x2 * u + dx, y2 * u + dy)


def _pieces(spot: Spot, places: Sequence[Place]) -> list[Shape]:
    """Draw what stands on a cell."""
    board, x, y, u = spot.board, spot.x, spot.y, spot.unit
    if board.kind == "graph":
        signs = [board.piece(place.piece) for place in places]
        text = " ".join(piece.text for piece in signs if piece.text)
        size = u * 0.3
        wide = text_width(text, size)
        ground = Rect(x - wide / 2, y - size * 0.6, wide, size * 1.2, "paper", None, 1, 3)
        return [ground, Label(x, y, text, size, signs[0].colour, bold=True)] if text else []
    if board.kind == "heaps":
        return [shape for place in places for shape in _counters(spot, place.piece)]
    shapes: list[Shape] = []
    pieces = [board.piece(p.piece) for p in places if p.shows not in ("tile", "side")]
    pieces = [piece for piece in pieces if piece.shape != "blank"]
    if len(pieces) == 1:
        return draw_piece(pieces[0], x, y, u)
    per = min(8, max(2, ceil(sqrt(len(pieces)))))
    part = u / per
    for n, piece in enumerate(pieces[: per * per]):
        px = x + (n % per - (per - 1) / 2) * part
        py = y + (n // per - (per - 1) / 2) * part
        shapes += draw_piece(piece, px, py, part * 0.95)
    return shapes


def _side(spot: Spot, name: str) -> Shape:
    """Draw a wall on one side of a cell."""
    h = spot.unit / 2
    word = name.split()[-1].lower()
    dx, dy = {"n": (0, -1), "u": (0, -1), "s": (0, 1), "d": (0, 1), "w": (-1, 0), "l": (-1, 0)}.get(
        word[:1], (1, 0)
    )
    x, y = spot.x + dx * h, spot.y + dy * h
    return Line(x - dy * h, y - dx * h, x + dy * h, y + dx * h, "wall", 4)


def _counters(spot: Spot, name: str) -> list[Shape]:
    """Draw a heap: as many counters as a number says, and the number."""
    board, u = spot.board, spot.unit
    count = count_of(name) or 0
    bottom = spot.y + board.cell_height * u / 2
    shapes: list[Shape] = [Label(spot.x, bottom - 0.17 * u, name, u * 0.26, "soft", bold=True)]
    if count > 60:
        return shapes
    across = max(1, round((board.cell_width - 0.3) / 0.42)) if board.cell_width > 1 else 1
    step = 0.42 * u
    for n in range(count):
        row, column = divmod(n, across)
        x = spot.x + (column - (across - 1) / 2) * step
        y = bottom - 0.34 * u - (row + 0.5) * step
        shapes.append(Circle(x, y, step * 0.42, "orange", "edge", 1))
    return shapes


def _hatch(spot: Spot) -> list[Shape]:
    """Draw slanting lines over a cell: anything may be here."""
    if spot.board.kind == "graph":
        return []
    h = spot.unit * (0.5 if spot.board.kind in ("grid", "strip") else 0.26)
    return [
        Line(spot.x + a * h, spot.y + b * h, spot.x + c * h, spot.y + d * h, "hatch", 1.2)
        for a, b, c, d in (
            (-1, -0.5, -0.5, -1), (-1, 0, 0, -1), (-1, 0.5, 0.5, -1), (-1, 1, 1, -1),
            (-0.5, 1, 1, -0.5), (0, 1, 1, 0), (0.5, 1, 1, 0.5),
        )
    ]  # fmt: skip


def _crossed_out(spot: Spot, places: Sequence[Place]) -> list[Shape]:
    """Draw pieces with a stroke through them: these must not be here."""
    r = spot.unit * 0.4
    shapes = _pieces(spot, places)
    if any(spot.board.piece(place.piece).shape == "blank" for place in places):
        shapes.append(Rect(spot.x - r / 2, spot.y - r / 2, r, r, None, "soft", 1.5, 2))
    stroke = Line(spot.x - r, spot.y + r, spot.x + r, spot.y - r, "bad", spot.unit * 0.07)
    return [*shapes, stroke]
