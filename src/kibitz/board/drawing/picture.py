"""A picture as a list of shapes, which SVG, TikZ and PNG are made from.

Lengths are in pixels at the natural size, y grows downwards, and colours are names of the theme.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "THEME",
    "Circle",
    "Label",
    "LineShape",
    "Picture",
    "Polygon",
    "Rect",
    "Shape",
    "ShapeGroup",
    "short",
    "text_width",
]

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
