"""Marks of a board in, their shapes out: frames, arrows, and texts where they hide least.

Arrows come first and texts last, so no arrow crosses out a text. Each text has a few possible
places: on its cell, or along its arrow or line. It takes the one where it covers the least of
earlier texts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from kibitz.board.drawing.marks import Mark
from kibitz.board.drawing.picture import Circle, Label, LineShape, Point, Rect, Shape, text_width
from kibitz.board.layout.layout import Board

__all__ = ["Ground", "draw_marks"]

_ORDER = {"bad": 0, "even": 1, "good": 2}
_COLOURS = {"move": "mark", "outline": "mark", "label": "mark", "second": "even"}
_LABELS = ("label", "second")
_ALONG = (0.45, 0.3, 0.6, 0.2, 0.7, 0.12, 0.8)
_SIZE = 0.3
_SMALL = 0.21
_SHORT = 0.2
"""The distance from the ends of an arrow to the centres of their cells, in units."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A board where it is drawn; `covered` cells are not empty."""

    number: int
    board: Board
    left: float
    top: float
    unit: float
    covered: Collection[int] = ()

    def at(self, cell: int) -> Point:
        """Return the centre of a cell."""
        place = self.board.cells[cell]
        return self.left + place.x * self.unit, self.top + place.y * self.unit


def draw_marks(ground: Ground, marks: Sequence[Mark]) -> list[Shape]:
    """Draw marks on a board; those that fill cells are drawn with the cells."""
    shapes: list[Shape] = []
    labelled: list[tuple[Mark, list[int]]] = []
    for mark in sorted(marks, key=lambda mark: _ORDER.get(mark.style, 3)):
        cells = [ref.cell for ref in mark.cells if ref.board == ground.number]
        if not cells or mark.style == "last":
            continue
        shapes += _pointed(ground, mark, cells)
        if mark.text:
            labelled.append((mark, cells))
    taken: list[Rect] = []
    for mark, cells in sorted(labelled, key=lambda one: -_ORDER.get(one[0].style, 3)):
        boxes = [_box(ground, mark, *point) for point in _places(ground, mark, cells)]
        taken.append(min(boxes, key=lambda box: sum(_shared(box, other) for other in taken)))
        box = taken[-1]
        x, y = box.x + box.width / 2, box.y + box.height / 2
        shapes += [box, Label(x, y, mark.text, box.height / 1.44, "paper", bold=True)]
    return shapes


def _pointed(ground: Ground, mark: Mark, cells: list[int]) -> Iterator[Shape]:
    """Draw a mark without its text."""
    board, u = ground.board, ground.unit
    colour = _colour(mark)
    points = list(map(ground.at, cells))
    wide, high = board.cell_width * u, board.cell_height * u
    if mark.style == "outline":
        for x, y in points:
            yield Rect(x - wide / 2 + 2, y - high / 2 + 2, wide - 4, high - 4, None, colour, 3, 5)
    elif mark.arrow and len(points) > 1:
        thick = max(2.0, u * 0.065)
        for (x1, y1), (x2, y2) in pairwise(points):
            length = hypot(x2 - x1, y2 - y1) or 1.0
            dx, dy = (x2 - x1) / length * u * _SHORT, (y2 - y1) / length * u * _SHORT
            yield LineShape(x1 + dx, y1 + dy, x2 - dx, y2 - dy, colour, thick, arrow=True)
    elif not mark.text:
        for x, y in points:
            yield Circle(x, y, u * 0.16, colour, "paper", 1.5)


def _places(ground: Ground, mark: Mark, cells: list[int]) -> Iterator[Point]:
    """Return the places for a text, the best first; in a column, where something is free."""
    board, u = ground.board, ground.unit
    if not mark.arrow:
        cells = [cell for cell in cells if cell not in ground.covered] or cells
    x, y = ground.at(cells[-1])
    line = board.cells[cells[-1]].ends
    if mark.arrow and len(cells) > 1:
        x1, y1 = ground.at(cells[-2])
        for part in _ALONG:
            yield x1 + (x - x1) * part, y1 + (y - y1) * part
    elif line:
        x1, y1, x2, y2 = (value * u for value in line)
        for part in _ALONG:
            yield ground.left + x1 + (x2 - x1) * part, ground.top + y1 + (y2 - y1) * part
    elif board.kind in ("heaps", "stacks"):
        yield x, y - board.cell_height * u / 2 + u * 0.24
    elif cells[-1] in ground.covered and mark.style in _LABELS:
        yield x + u * 0.24, y + u * 0.24
    elif cells[-1] in ground.covered:
        yield x, y + u * 0.35
    else:
        yield x, y


def _box(ground: Ground, mark: Mark, x: float, y: float) -> Rect:
    """Return the background of a text, at most as wide as a cell."""
    board, u = ground.board, ground.unit
    is_free = any(ref.cell not in ground.covered for ref in mark.cells)
    is_small = board.kind == "graph" or mark.arrow or not (is_free or mark.style in _LABELS)
    size = u * (_SMALL if is_small else _SIZE)
    wide = text_width(mark.text, size) + size * 0.5
    room = board.cell_width * u * 0.96
    if wide > room:
        size, wide = size * room / wide, room
    high = size * 1.44
    return Rect(x - wide / 2, y - high / 2, wide, high, _colour(mark), "paper", 1, size * 0.38)


def _colour(mark: Mark) -> str:
    return _COLOURS.get(mark.style, mark.style)


def _shared(one: Rect, other: Rect) -> float:
    """Return the area that two boxes have in common."""
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(0.0, wide) * max(0.0, high)
