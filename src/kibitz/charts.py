"""Draw figures as a chart, a Picture: SVG in pages, light and dark, or a PNG or PDF file.

Bars and intervals are named rows, a histogram has named columns, and lines and points stand in a
frame with two axes. Colours are names of the boards' theme.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from pathlib import Path
from typing import Literal

from kibitz.board import (
    Circle,
    Label,
    LineShape,
    Picture,
    Rect,
    Shape,
    ShapeGroup,
    on_paper,
    text_width,
    write_picture,
)

__all__ = [
    "Axis",
    "Bar",
    "Interval",
    "Series",
    "bar_chart",
    "histogram",
    "interval_chart",
    "line_chart",
    "save_chart",
    "svg_chart",
]

_TEXT = 11.0
_ROW = 21.0
_MARGIN = 8.0
_LONGEST = 28
"""How many letters of a name are shown."""
_COLOURS = ("blue", "red", "green", "purple", "orange", "sky")


@dataclass(frozen=True, slots=True)
class Bar:
    """A named size and how it is written; there is no bar where the size is None."""

    name: str
    size: float | None
    text: str


@dataclass(frozen=True, slots=True)
class Interval:
    """A named mean within its interval."""

    name: str
    low: float
    mean: float
    high: float


@dataclass(frozen=True, slots=True)
class Axis:
    """Axis of a chart from `low` to `high`; values beyond are clamped.

    >>> Axis("ratio", 0.4, 6, is_log=True).ticks(), Axis("goal", 0, 100).ticks()
    ([0.5, 1.0, 2.0, 5.0], [0.0, 20.0, 40.0, 60.0, 80.0, 100.0])
    """

    label: str
    low: float
    high: float
    is_log: bool = False

    @classmethod
    def spanning(cls, label: str, values: Sequence[float], *, is_log: bool = False) -> Axis:
        """Return an axis that has room for all values: whole powers of ten, or from 0 on.

        >>> Axis.spanning("s", [3, 40], is_log=True)
        Axis(label='s', low=1.0, high=100.0, is_log=True)
        """
        if is_log:
            low, high = floor(log10(min(values))), ceil(log10(max(values)))
            return cls(label, 10.0**low, 10.0 ** max(high, low + 1), is_log=True)
        return cls(label, 0.0, 1.05 * max(values))

    def place(self, value: float) -> float:
        """Return how far along the axis a value is, from 0 to 1."""
        low, high, at = self.low, self.high, min(self.high, max(self.low, value))
        if self.is_log:
            low, high, at = log10(low), log10(high), log10(at)
        return (at - low) / ((high - low) or 1.0)

    def ticks(self) -> list[float]:
        """Return round values along the axis."""
        if self.is_log:
            decades = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
            steps = (1, 2, 5) if self.high / self.low <= 1000 else (1,)
            found = [step * 10.0**decade for decade in decades for step in steps]
        else:
            rough = (self.high - self.low) / 5 or 1.0
            size = 10.0 ** floor(log10(rough))
            step = next(s * size for s in (1, 2, 5, 10) if s * size >= rough * 0.999)
            found = [n * step for n in range(ceil(self.low / step), floor(self.high / step) + 1)]
        return [tick for tick in found if self.low <= tick <= self.high]


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one kind: joined by a line, by steps, or not; `names` say what each is."""

    name: str
    points: Sequence[tuple[float, float]]
    kind: Literal["line", "step", "points"] = "line"
    names: Sequence[str] = ()
    is_dashed: bool = False


def bar_chart(bars: Sequence[Bar], *, title: str, is_log: bool = False) -> Picture:
    """Draw one bar for each name; `is_log` makes each tenfold a step, negative ones go left.

    >>> svg_chart(bar_chart([Bar("a", 1, "1"), Bar("b", None, "–")], title="t")).count("<rect")
    3
    """
    sizes = [
        0.0 if bar.size is None else log10(max(bar.size, 1.0)) if is_log else bar.size
        for bar in bars
    ]
    low, high = min(0.0, *sizes), max(0.0, *sizes)
    left, right = _wide(bar.name for bar in bars), _wide(bar.text for bar in bars)
    first, room = left + 8, 340 - left - right - 16
    scale = room / ((high - low) or 1.0)
    shapes: list[Shape] = []
    for row, (bar, size) in enumerate(zip(bars, sizes, strict=True)):
        y = row * _ROW
        parts: list[Shape] = [Rect(first, y + 3, room, _ROW - 6, "plain", round=3)]
        if bar.size is not None:
            x = first + (min(0.0, size) - low) * scale
            parts.append(Rect(x, y + 3, max(2.0, abs(size) * scale), _ROW - 6, "blue", round=3))
        parts.append(Label(left, y + _ROW / 2, _short(bar.name), _TEXT, anchor="end"))
        parts.append(Label(340, y + _ROW / 2, bar.text, _TEXT, "soft", "end"))
        shapes.append(ShapeGroup(tuple(parts), f"{bar.name}: {bar.text}"))
    return Picture(340, _ROW * len(bars), tuple(shapes), title)


def interval_chart(rows: Sequence[Interval], axis: Axis, *, title: str) -> Picture:
    """Draw each mean as a dot on its interval, one below the other."""
    left = _wide(row.name for row in rows) + 12
    frame = _Frame(left, 30, 400, _ROW * len(rows), axis, Axis("", 0, len(rows)))
    shapes = [*_headline(title, frame), *frame.grid(with_y=False)]
    for number, row in enumerate(rows):
        y = frame.top + (number + 0.5) * _ROW
        low, mean, high = (frame.x_of(value) for value in (row.low, row.mean, row.high))
        parts = (
            LineShape(low, y, high, y, "blue", 2),
            Circle(mean, y, 4, "blue"),
            Label(left - 10, y, _short(row.name), _TEXT, anchor="end"),
        )
        shapes.append(ShapeGroup(parts, f"{row.name}: {row.mean:.1f}"))
    return frame.picture(title, shapes)


def histogram(bars: Sequence[Bar], *, title: str) -> Picture:
    """Draw columns side by side, each over its name; texts are over them where there is room."""
    highest = max((bar.size or 0.0 for bar in bars), default=0.0) or 1.0
    wide = min(46.0, 640 / max(1, len(bars)))
    every = ceil(len(bars) / 16) or 1
    bottom = 130.0
    shapes: list[Shape] = []
    for number, bar in enumerate(bars):
        x, tall = _MARGIN + number * wide, 105 * (bar.size or 0.0) / highest
        parts: list[Shape] = [
            Rect(x + wide * 0.08, bottom - tall, wide * 0.84, tall, "blue", round=min(2, wide / 4))
        ]
        if number % every == 0:
            name = bar.name.partition(" ")[0]
            parts.append(Label(x + wide / 2, bottom + 10, name, _TEXT, "soft"))
        if len(bars) <= 16:
            parts.append(Label(x + wide / 2, bottom - tall - 8, bar.text, 9.5, "soft"))
        shapes.append(ShapeGroup(tuple(parts), f"{bar.name}: {bar.text}"))
    shapes.append(LineShape(_MARGIN, bottom, _MARGIN + wide * len(bars), bottom, "hatch"))
    return Picture(2 * _MARGIN + wide * len(bars), bottom + 20, tuple(shapes), title)


def line_chart(
    series: Sequence[Series],
    x: Axis,
    y: Axis,
    *,
    title: str,
    size: tuple[float, float] = (400, 260),
    is_square: bool = False,
) -> Picture:
    """Draw series in a frame; `is_square` is for two axes alike, and adds their diagonal.

    >>> x, y = Axis("t", 0, 1), Axis("v", 0, 4)
    >>> svg_chart(line_chart([Series("a", [(0, 1), (1, 3)])], x, y, title="")).count("<circle")
    2
    """
    left = max(text_width(_number(tick), _TEXT) for tick in y.ticks()) + 34
    frame = _Frame(left, 36, *size, x, y)
    shapes = [*_headline(title, frame), *frame.grid()]
    if is_square:
        corner = frame.left + frame.width, frame.top
        shapes.append(LineShape(frame.left, frame.bottom, *corner, "grey", dashed=True))
    for number, one in enumerate(series):
        shapes += _series(one, frame, _COLOURS[number % len(_COLOURS)])
    if len(series) > 1:
        shapes += _legend(series, frame)
    return frame.picture(title, shapes)


def svg_chart(chart: Picture) -> str:
    """Write a chart as SVG, for a page."""
    return str(write_picture(chart, "svg"))


def save_chart(chart: Picture, path: Path) -> None:
    """Write a chart to a file; its suffix is .svg, .png or .pdf."""
    written = write_picture(on_paper(chart), path.suffix.lower().removeprefix("."))
    path.write_bytes(written.encode() if isinstance(written, str) else written)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a chart with axes stands in its picture."""

    left: float
    top: float
    width: float
    height: float
    x: Axis
    y: Axis

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def x_of(self, value: float) -> float:
        return self.left + self.width * self.x.place(value)

    def y_of(self, value: float) -> float:
        return self.bottom - self.height * self.y.place(value)

    def grid(self, *, with_y: bool = True) -> Iterator[Shape]:
        """Draw lines at round values, the values, and what is measured."""
        right = self.left + self.width
        for tick in self.x.ticks():
            at = self.x_of(tick)
            yield LineShape(at, self.top, at, self.bottom, "hatch", 0.5)
            yield Label(at, self.bottom + 12, _number(tick), _TEXT, "soft")
        yield Label(self.left + self.width / 2, self.bottom + 30, self.x.label, _TEXT)
        for tick in self.y.ticks() if with_y else []:
            at = self.y_of(tick)
            yield LineShape(self.left, at, right, at, "hatch", 0.5)
            yield Label(self.left - 6, at, _number(tick), _TEXT, "soft", "end")
        if with_y:
            yield Label(_MARGIN, self.top - 18, self.y.label, _TEXT, anchor="start")

    def picture(self, title: str, shapes: Sequence[Shape]) -> Picture:
        """Put shapes on a canvas that leaves room for labels."""
        names = [s for s in shapes if isinstance(s, Label) and s.anchor == "start"]
        widest = max((s.x + text_width(s.text, s.size) for s in names), default=0.0)
        width = max(self.left + self.width + 22, widest + _MARGIN)
        return Picture(width, self.bottom + 42, tuple(shapes), title)


def _series(one: Series, frame: _Frame, colour: str) -> Iterator[Shape]:
    places = [(frame.x_of(x), frame.y_of(y)) for x, y in one.points]
    thick = 1.5 if one.is_dashed else 2.0
    for (x1, y1), (x2, y2) in pairwise(places if one.kind != "points" else []):
        if one.kind == "step":
            yield LineShape(x1, y1, x2, y1, colour, thick, dashed=one.is_dashed)
            x1 = x2
        yield LineShape(x1, y1, x2, y2, colour, thick, dashed=one.is_dashed)
    if one.is_dashed or one.kind == "step":
        return
    taken: list[tuple[float, float, float]] = []
    for number, (x, y) in enumerate(places):
        a, b = one.points[number]
        name = one.names[number] if one.names else one.name
        yield ShapeGroup((Circle(x, y, 3.5, colour),), f"{name}: {a:.4g}, {b:.4g}")
        # A name that would lie on another one is left to the tooltip.
        end = x + 9 + text_width(_short(name), _TEXT)
        if one.names and not any(abs(y - v) < 12 and x < w and u < end for u, v, w in taken):
            taken.append((x, y, end))
            yield Label(x + 7, y, _short(name), _TEXT, anchor="start")


def _legend(series: Sequence[Series], frame: _Frame) -> Iterator[Shape]:
    x = frame.left + frame.width + 18
    for number, one in enumerate(series):
        y = frame.top + 8 + number * 18
        colour = _COLOURS[number % len(_COLOURS)]
        yield LineShape(x, y, x + 16, y, colour, 2, dashed=one.is_dashed)
        yield Label(x + 22, y, one.name, _TEXT, anchor="start")


def _headline(title: str, frame: _Frame) -> Iterator[Shape]:
    if title:
        yield Label(frame.left + frame.width / 2, 10, title, _TEXT + 1, bold=True)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 and value == round(value) else f"{value:g}"


def _wide(texts: Iterator[str]) -> float:
    return max((text_width(_short(text), _TEXT) for text in texts), default=0.0)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
