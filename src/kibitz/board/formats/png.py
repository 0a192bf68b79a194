"""A Picture in, a PNG or PDF out, drawn by matplotlib."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from kibitz.board.drawing.picture import (
    THEME,
    Circle,
    Label,
    LineShape,
    Picture,
    Polygon,
    Rect,
    Shape,
    ShapeGroup,
)
from kibitz.board.formats.svg import arrow_head
from kibitz.optional import optional

__all__ = ["pages_to_pdf", "to_pdf", "to_png"]

MOST_PIXELS = 6_000
"""Along either side."""


_ANCHORS: dict[str, Literal["left", "center", "right"]] = {
    "start": "left",
    "middle": "center",
    "end": "right",
}


def to_png(picture: Picture, *, size: float | None = None, is_dark: bool = False) -> bytes:
    """Draw a picture as PNG; `size` is its width in pixels, by default twice the natural one.

    >>> from kibitz.board.drawing.picture import Picture, Rect
    >>> to_png(Picture(20, 20, (Rect(0, 0, 20, 20, "cell"),)))[:4]
    b'\\x89PNG'
    """
    scale = (size or 2 * picture.width) / picture.width
    scale = min(scale, MOST_PIXELS / max(picture.width, picture.height))
    return _written(picture, "png", 72 * scale, {"Software": None}, is_dark=is_dark)


def to_pdf(picture: Picture) -> bytes:
    """Draw a picture as PDF, in its natural size.

    >>> to_pdf(Picture(20, 20, (Rect(0, 0, 20, 20, "cell"),)))[:4]
    b'%PDF'
    """
    return _written(picture, "pdf", 72, {"CreationDate": None}, is_dark=False)


def pages_to_pdf(pictures: Sequence[Picture]) -> bytes:
    """Draw pictures as the pages of one PDF.

    >>> pages_to_pdf([Picture(20, 20, (Rect(0, 0, 20, 20, "cell"),))] * 2).count(b"/Type /Page ")
    2
    """
    with optional("pictures", "matplotlib"):
        from matplotlib.backends.backend_pdf import PdfPages

    target = io.BytesIO()
    with PdfPages(target, metadata={"CreationDate": None}) as pages, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that the font has not
        for picture in pictures:
            pages.savefig(_drawn(picture, 72, is_dark=False))
    return target.getvalue()


def _written(
    picture: Picture, form: str, dpi: float, metadata: dict[str, None], *, is_dark: bool
) -> bytes:
    figure = _drawn(picture, dpi, is_dark=is_dark)
    target = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that the font has not
        figure.savefig(target, format=form, metadata=metadata)
    return target.getvalue()


def _drawn(picture: Picture, dpi: float, *, is_dark: bool) -> Any:
    """Draw a picture on a figure of matplotlib."""
    with optional("pictures", "matplotlib"):
        from matplotlib.figure import Figure

    # A unit of the figure is an inch of 72 points, and points are pixels at the natural size.
    figure = Figure(figsize=(picture.width / 72, picture.height / 72), dpi=dpi)
    figure.patch.set_facecolor(THEME["paper"][is_dark])
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    for order, artist in enumerate(_artists(picture.shapes, int(is_dark))):
        artist.set_zorder(order)
        axes.add_artist(artist)
    return figure


def _artists(shapes: tuple[Shape, ...], which: int) -> Iterator[Any]:
    from matplotlib import patches
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

    def colour(name: str | None) -> str:
        return "none" if name is None else THEME[name][which] if name in THEME else name

    for shape in shapes:
        match shape:
            case Rect():
                rounding = min(shape.round, shape.width / 2, shape.height / 2)
                yield patches.FancyBboxPatch(
                    (shape.x, shape.y),
                    shape.width,
                    shape.height,
                    f"round,pad=0,rounding_size={rounding}" if rounding else "square,pad=0",
                    facecolor=colour(shape.fill),
                    edgecolor=colour(shape.stroke),
                    linewidth=shape.thick if shape.stroke else 0,
                )
            case Circle():
                yield patches.Circle(
                    (shape.x, shape.y),
                    shape.radius,
                    facecolor=colour(shape.fill),
                    edgecolor=colour(shape.stroke),
                    linewidth=shape.thick if shape.stroke else 0,
                )
            case LineShape():
                yield Line2D(
                    [shape.x1, shape.x2],
                    [shape.y1, shape.y2],
                    color=colour(shape.stroke),
                    linewidth=shape.thick,
                    linestyle=(0, (2, 1.5)) if shape.dashed else "solid",
                    solid_capstyle="round",
                )
                head = arrow_head(shape) if shape.arrow else None
                if head:
                    yield from _artists((head,), which)
            case Polygon():
                yield patches.Polygon(
                    shape.points,
                    closed=True,
                    facecolor=colour(shape.fill),
                    edgecolor=colour(shape.stroke),
                    linewidth=shape.thick if shape.stroke else 0,
                    joinstyle="round",
                )
            case Label():
                yield Text(
                    shape.x,
                    shape.y,
                    shape.text,
                    color=colour(shape.fill),
                    fontsize=shape.size,
                    fontfamily="DejaVu Sans",
                    fontweight="bold" if shape.bold else "normal",
                    horizontalalignment=_ANCHORS[shape.anchor],
                    verticalalignment="center_baseline",
                    parse_math=False,
                )
            case ShapeGroup():
                yield from _artists(shape.shapes, which)
