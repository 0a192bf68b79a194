"""A cell and what stands on it in, its shapes out, for each kind of board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, cos, pi, sin, sqrt

from kibitz.board.drawing.picture import (
    Circle,
    Label,
    LineShape,
    Polygon,
    Rect,
    Shape,
    ShapeGroup,
    text_width,
)
from kibitz.board.drawing.piece_shapes import draw_piece
from kibitz.board.drawing.position import Position, Stencil
from kibitz.board.layout.layout import Board, Cell, CellRef, FluentPlace, Layout, Segment
from kibitz.board.layout.list_boards import count_of

__all__ = ["DrawnCell", "draw_cell", "draw_side"]

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
