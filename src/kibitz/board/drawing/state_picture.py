"""Draw a state: cells, pieces and marks under a layout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, cos, pi, sin, sqrt

from kibitz.board.drawing.marks import Ground, Mark, draw_marks, mark_values
from kibitz.board.drawing.picture import (
    Circle,
    Label,
    LineShape,
    Picture,
    Polygon,
    Rect,
    Shape,
    ShapeGroup,
    text_width,
    wrap,
)
from kibitz.board.drawing.pieces import draw_piece
from kibitz.board.drawing.position import Position, Stencil, arrange, pile_up
from kibitz.board.formats.svg import to_svg
from kibitz.board.layout.detection import layout_of
from kibitz.board.layout.layout import Board, Cell, CellRef, FluentPlace, Layout, Segment
from kibitz.board.layout.list_boards import count_of
from kibitz.engine import Move, State, paint_with

_STEP = 0.42
"""How far apart the counters of a heap are, where there is room."""


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """A cell where it is drawn."""

    board: Board
    cell: Cell
    x: float
    y: float
    unit: float
    is_last: bool


def draw_cell(spot: DrawnCell, position: Position, ref: CellRef, layout: Layout) -> ShapeGroup:
    """Draw a cell and what stands on it."""
    places = position.at(ref)
    label = ", ".join(_name(spot.board, place, layout) for place in places) or "empty"
    shapes: list[Shape]
    if isinstance(position, Stencil):
        never = position.forbidden.get(ref, ())
        if not places and not never:
            shapes, label = [*_ground(spot, places), *_hatch(spot)], "anything"
        elif never:
            shapes = [*_ground(spot, never), *_pieces(spot, places), *_crossed_out(spot, never)]
            held = [layout.called(place.piece) for place in places]
            label = " and ".join([*held, *(f"not {layout.called(p.piece)}" for p in never)])
        else:
            shapes = [*_ground(spot, places), *_pieces(spot, places)]
    else:
        shapes = [*_ground(spot, places), *_pieces(spot, places)]
        if layout.poison == ref and label != "empty":
            shapes += _poison(spot)
            label += ", poison"
    return ShapeGroup(tuple(shapes), f"{spot.cell.name}: {label}", f"{ref.board}.{ref.cell}")


def _poison(spot: DrawnCell) -> list[Shape]:
    """Cross a cell whose move loses."""
    h = spot.unit * 0.2
    ends = ((-h, -h, h, h), (-h, h, h, -h))
    lines = [(spot.x + a, spot.y + b, spot.x + c, spot.y + d) for a, b, c, d in ends]
    wide: list[Shape] = [LineShape(*line, "edge", 7) for line in lines]
    return wide + [LineShape(*line, "light", 4) for line in lines]


def _name(board: Board, place: FluentPlace, layout: Layout) -> str:
    """Name what stands on a cell, for those who hear the picture."""
    is_blank = board.piece(place.piece).shape == "blank"
    return "empty" if is_blank else layout.called(place.piece)


def _ground(spot: DrawnCell, places: Sequence[FluentPlace]) -> list[Shape]:
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
                line = LineShape(x1, y1, x2, y2, colour or "hatch", 5)
                return [replace(line, stroke="last", thick=11), line]
            if colour is None:
                thick = 1.5 if places or not board.has_blank else 0.5
                return [LineShape(x1, y1, x2, y2, "hatch", thick, dashed=True)]
            return [LineShape(x1, y1, x2, y2, colour, 5)]
        case "heaps":
            w, h = board.cell_width * u, board.cell_height * u
            return [Rect(x - w / 2 + 3, y - h / 2, w - 6, h, fill, "grid", 1, 6)]
        case _:
            return [Rect(x - u / 2, y - u / 2, u, u, fill, "grid", 1)]


def _ends(spot: DrawnCell) -> Segment:
    x1, y1, x2, y2 = spot.cell.ends or (0.0, 0.0, 0.0, 0.0)
    dx, dy, u = spot.x - spot.cell.x * spot.unit, spot.y - spot.cell.y * spot.unit, spot.unit
    return (x1 * u + dx, y1 * u + dy, x2 * u + dx, y2 * u + dy)


def _pieces(spot: DrawnCell, places: Sequence[FluentPlace]) -> list[Shape]:
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
    seen = [(p, board.piece(p.piece)) for p in places if p.shows not in ("tile", "side")]
    seen = [(place, piece) for place, piece in seen if piece.shape != "blank"]
    pieces = [piece for _, piece in seen]
    # Beside one piece, whatever is only true of the place, such as (lastTo c3), is a small sign.
    signs = [piece for place, piece in seen if place.text.startswith(f"({piece.name} ")]
    if len(pieces) == 1 or len(signs) == len(pieces) - 1 <= 2:
        shapes += draw_piece(next((p for p in pieces if p not in signs), pieces[0]), x, y, u)
        for n, sign in enumerate(signs if len(pieces) > 1 else ()):
            shapes += draw_piece(sign, x + (0.36 - 0.72 * n) * u, y - 0.38 * u, u * 0.4)
        return shapes
    per = min(8, max(2, ceil(sqrt(len(pieces)))))
    part = u / per
    for n, piece in enumerate(pieces[: per * per]):
        px = x + (n % per - (per - 1) / 2) * part
        py = y + (n // per - (per - 1) / 2) * part
        shapes += draw_piece(piece, px, py, part * 0.95)
    return shapes


def draw_side(spot: DrawnCell, name: str) -> Shape:
    """Draw a wall on one side of a cell."""
    h = spot.unit / 2
    word = name.split()[-1].lower()
    dx, dy = {"n": (0, -1), "u": (0, -1), "s": (0, 1), "d": (0, 1), "w": (-1, 0), "l": (-1, 0)}.get(
        word[:1], (1, 0)
    )
    x, y = spot.x + dx * h, spot.y + dy * h
    return LineShape(x - dy * h, y - dx * h, x + dy * h, y + dx * h, "wall", 4)


def _counters(spot: DrawnCell, name: str) -> list[Shape]:
    """Draw a heap: a number of counters, and the number."""
    board, u = spot.board, spot.unit
    count = count_of(name)
    bottom = spot.y + board.cell_height * u / 2
    number = name if count is None else str(count)
    shapes: list[Shape] = [Label(spot.x, bottom - 0.17 * u, number, u * 0.26, "soft", bold=True)]
    if count is None or count > 60:
        return shapes
    across, step = (
        1 if board.cell_width <= 1 else int((board.cell_width - 0.3) / _STEP + 0.5),
        _STEP,
    )
    high = board.cell_height - (0.64 if board.points else 0.34)
    while ceil(count / across) * step > high:
        across += 1
        step = min(step, (board.cell_width - 0.2) / across)
    step *= u
    for n in range(count):
        row, column = divmod(n, across)
        x = spot.x + (column - (across - 1) / 2) * step
        y = bottom - 0.34 * u - (row + 0.5) * step
        shapes.append(Circle(x, y, step * 0.42, "orange", "edge", 1))
    return shapes


def _hatch(spot: DrawnCell) -> list[Shape]:
    """Draw slanting lines over a cell: anything may be here."""
    if spot.board.kind == "graph":
        return []
    h = spot.unit * (0.5 if spot.board.kind in ("grid", "strip") else 0.3)
    return [
        LineShape(spot.x + a * h, spot.y + b * h, spot.x + c * h, spot.y + d * h, "hatch", 1.2)
        for a, b, c, d in (
            (-1, -0.5, -0.5, -1), (-1, 0, 0, -1), (-1, 0.5, 0.5, -1), (-1, 1, 1, -1),
            (-0.5, 1, 1, -0.5), (0, 1, 1, 0), (0.5, 1, 1, 0.5),
        )
    ]  # fmt: skip


def _crossed_out(spot: DrawnCell, places: Sequence[FluentPlace]) -> list[Shape]:
    """Draw pieces with a stroke through them: these must not be here."""
    r = spot.unit * 0.4
    shapes = _pieces(spot, places)
    if any(spot.board.piece(place.piece).shape == "blank" for place in places):
        shapes.append(Rect(spot.x - r / 2, spot.y - r / 2, r, r, None, "soft", 1.5, 2))
    stroke = LineShape(spot.x - r, spot.y + r, spot.x + r, spot.y - r, "bad", spot.unit * 0.07)
    return [*shapes, stroke]


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
