"""Define pictures as lists of shapes, and compose several into one.

Lengths are in pixels at the natural size, y grows downwards, and colours are names of the theme.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

Colour = str | None
Point = tuple[float, float]

THEME: dict[str, tuple[str, str]] = {
    "ink": ("#1f2328", "#e6e6e6"),
    "soft": ("#59636e", "#a3adb8"),
    "paper": ("#ffffff", "#16191d"),
    "cell": ("#f3ead9", "#39342b"),
    "other": ("#dcc9a6", "#4d4536"),
    "plain": ("#f4f5f6", "#2b3036"),
    "grid": ("#8d8267", "#82785f"),
    "hatch": ("#b9bec4", "#5a626b"),
    "tile": ("#a9713f", "#a9713f"),
    "wall": ("#3d444d", "#aeb6bf"),
    "light": ("#ffffff", "#f5f5f5"),
    "dark": ("#22262b", "#101214"),
    "edge": ("#22262b", "#c9ccd1"),
    "mark": ("#0072b2", "#56b4e9"),
    "last": ("#f0c419", "#b8930a"),
    "good": ("#007a5a", "#1fb58a"),
    "bad": ("#c44a00", "#ff8040"),
    "even": ("#6b5b95", "#b3a2e0"),
    "red": ("#d55e00", "#e8711a"),
    "blue": ("#0072b2", "#3d9bd6"),
    "green": ("#009e73", "#14b88a"),
    "yellow": ("#f0e442", "#f0e442"),
    "orange": ("#e69f00", "#e69f00"),
    "sky": ("#56b4e9", "#56b4e9"),
    "purple": ("#cc79a7", "#d98cb6"),
    "grey": ("#8a929a", "#8a929a"),
}
"""Each colour of the theme in light and in dark surroundings; pieces after Okabe and Ito (2008),
so that colour-blind people can distinguish them."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: Colour = None
    stroke: Colour = None
    thick: float = 1.0
    round: float = 0.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle by its centre."""

    x: float
    y: float
    radius: float
    fill: Colour = None
    stroke: Colour = None
    thick: float = 1.0


@dataclass(frozen=True, slots=True)
class LineShape:
    """A straight line, with a head at its end if it is an arrow."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: Colour = "ink"
    thick: float = 1.0
    arrow: bool = False
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed outline."""

    points: tuple[Point, ...]
    fill: Colour = None
    stroke: Colour = None
    thick: float = 1.0


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text, its middle at (x, y); `anchor` is the point of it that x means."""

    x: float
    y: float
    text: str
    size: float = 14.0
    fill: Colour = "ink"
    anchor: str = "middle"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class ShapeGroup:
    """Shapes that belong to one cell: its label for screen readers, and how pages find it."""

    shapes: tuple[Shape, ...]
    label: str = ""
    key: str = ""


Shape = Rect | Circle | LineShape | Polygon | Label | ShapeGroup


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes on a canvas, with a title and a description for those who do not see it."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str = ""
    description: str = ""


def short(number: float) -> str:
    """Write a number with only the digits that pictures need.

    >>> short(1.504), short(-0.001), short(12.0)
    ('1.5', '0', '12')
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def text_width(text: str, size: float) -> float:
    """Estimate how wide a line of text is, generously.

    >>> text_width("abcd", 10) < text_width("abcdefgh", 10)
    True
    """
    return sum(1.0 if ord(c) > 0x2E80 or c in "MW@%" else 0.62 for c in text) * size


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
