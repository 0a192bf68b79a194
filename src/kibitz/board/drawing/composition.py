"""Pictures in, one picture of them all out: boards of a match in rows, rules in a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
)

__all__ = ["Figure", "in_a_column", "in_rows", "moved", "on_paper", "wrap"]

_GAP = 16.0
_LINE = 18.0
_TEXT = 13.0
_BESIDE = 420.0
"""How wide texts beside a picture may be."""
_WIDEST = 900.0
"""How wide a row of pictures may be."""
_HIGHEST = 120.0
"""How high a picture in a column may be, and half of how wide."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture, if there is one, and what is written with it."""

    picture: Picture | None
    text: str


def moved(shape: Shape, dx: float, dy: float, scale: float = 1.0) -> Shape:
    """Return a moved and scaled shape.

    >>> moved(Circle(1, 2, 3), 10, 20, 2)
    Circle(x=12, y=24, radius=6, fill=None, stroke=None, thick=2.0)
    """
    s = scale

    def to(x: float, y: float) -> tuple[float, float]:
        return x * s + dx, y * s + dy

    match shape:
        case ShapeGroup():
            parts = tuple(moved(part, dx, dy, s) for part in shape.shapes)
            return replace(shape, shapes=parts, key="")
        case Label():
            x, y = to(shape.x, shape.y)
            return replace(shape, x=x, y=y, size=shape.size * s)
        case LineShape():
            (x1, y1), (x2, y2) = to(shape.x1, shape.y1), to(shape.x2, shape.y2)
            return replace(shape, x1=x1, y1=y1, x2=x2, y2=y2, thick=shape.thick * s)
        case Polygon():
            points = tuple(to(x, y) for x, y in shape.points)
            return replace(shape, points=points, thick=shape.thick * s)
        case Circle():
            x, y = to(shape.x, shape.y)
            return replace(shape, x=x, y=y, radius=shape.radius * s, thick=shape.thick * s)
        case Rect():
            x, y = to(shape.x, shape.y)
            width, height, round = shape.width * s, shape.height * s, shape.round * s
            placed = replace(shape, x=x, y=y, thick=shape.thick * s)
            return replace(placed, width=width, height=height, round=round)


def in_rows(figures: Sequence[Figure], *, title: str = "") -> Picture:
    """Put pictures beside one another, in rows that are not too wide, each above its text."""
    shapes: list[Shape] = []
    x = y = right = _GAP
    tallest = 0.0
    for figure in figures:
        picture = figure.picture or Picture(0, 0, ())
        lines = wrap(figure.text, max(picture.width, 220.0))
        wide = max(picture.width, *(text_width(line, _TEXT) for line in lines), 0.0)
        high = picture.height + len(lines) * _LINE
        if x > _GAP and x + wide + _GAP > _WIDEST:
            x, y, tallest = _GAP, y + tallest + _GAP, 0.0
        shapes += (moved(shape, x, y) for shape in picture.shapes)
        for n, line in enumerate(lines):
            at = y + picture.height + (n + 0.5) * _LINE
            shapes.append(Label(x + 10, at, line, _TEXT, "soft", "start"))
        x += wide + _GAP
        right, tallest = max(right, x), max(tallest, high)
    return Picture(right, y + tallest + _GAP, tuple(shapes), title)


def in_a_column(figures: Sequence[Figure], *, title: str = "") -> Picture:
    """Put pictures below one another, all of them small, with numbers and texts beside."""
    shapes: list[Shape] = []
    scales = [
        min(1.0, _HIGHEST / figure.picture.height, 2 * _HIGHEST / figure.picture.width)
        for figure in figures
        if figure.picture
    ]
    scale = min(scales, default=1.0)
    widest = max((f.picture.width * scale for f in figures if f.picture), default=0.0)
    y, right = _GAP, 0.0
    if title:
        shapes.append(Label(_GAP, y + 8, title, 16, "ink", "start", bold=True))
        right = _GAP + text_width(title, 16)
        y += 34
    for number, figure in enumerate(figures, start=1):
        lines = wrap(figure.text, _BESIDE)
        tall = max(figure.picture.height * scale if figure.picture else 0, len(lines) * _LINE)
        middle = y + tall / 2
        shapes.append(Label(_GAP + 14, middle, f"{number}.", 15, "soft", "end", bold=True))
        if figure.picture:
            top = middle - figure.picture.height * scale / 2
            shapes += (moved(shape, _GAP + 24, top, scale) for shape in figure.picture.shapes)
        left = _GAP + 24 + widest + _GAP
        for n, line in enumerate(lines):
            at = middle + (n - (len(lines) - 1) / 2) * _LINE
            shapes.append(Label(left, at, line, _TEXT, "ink", "start"))
            right = max(right, left + text_width(line, _TEXT))
        y += tall + _GAP / 2
    return Picture(right + _GAP, y + _GAP / 2, tuple(shapes), title)


def on_paper(picture: Picture) -> Picture:
    """Give a picture a ground of its own, for files that are looked at on any other.

    >>> on_paper(Picture(20, 10, ())).shapes
    (Rect(x=0, y=0, width=20, height=10, fill='paper', stroke=None, thick=1.0, round=0.0),)
    """
    ground = Rect(0, 0, picture.width, picture.height, "paper")
    return replace(picture, shapes=(ground, *picture.shapes))


def wrap(text: str, room: float) -> list[str]:
    """Break a text into lines, at spaces where there are some.

    >>> wrap("one two three", 60)
    ['one two', 'three']
    """
    lines: list[str] = []
    for given in text.split("\n"):
        line = ""
        for word in given.split(" "):
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, _TEXT) > room:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return [line for line in lines if line]
