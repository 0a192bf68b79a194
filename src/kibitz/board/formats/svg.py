"""Write pictures as SVG, PNG and PDF."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from math import hypot
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
    short,
)
from kibitz.optional import optional

_STYLE = (
    ".kb{{{light}}}"
    "@media screen and (prefers-color-scheme:dark){{.kb{{{dark}}}}}"
    '[data-theme="light"] .kb{{{light}}}'
    '[data-theme="dark"] .kb{{{dark}}}'
    ".kb text{{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}}"
)


def to_svg(picture: Picture, *, size: float | None = None) -> str:
    """Write a picture as SVG; `size` is its width in pixels, by default the natural one.

    >>> from kibitz.board.drawing.picture import Label, Picture
    >>> svg = to_svg(Picture(40, 20, (Label(20, 10, "<script>"),), title="a & b"))
    >>> "<script>" in svg, "&lt;script&gt;" in svg, "a &amp; b" in svg
    (False, True, True)
    """
    width = picture.width if size is None else size
    height = picture.height * width / picture.width if picture.width else 0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="kb" role="img" '
        f'width="{short(width)}" height="{short(height)}" '
        f'viewBox="0 0 {short(picture.width)} {short(picture.height)}">',
        f"<title>{escape(picture.title)}</title>",
        f"<desc>{escape(picture.description)}</desc>" if picture.description else "",
        f"<style>{_style()}</style>",
    ]
    parts += map(_shape, picture.shapes)
    parts.append("</svg>")
    return "".join(parts) + "\n"


def arrow_head(line: LineShape) -> Polygon | None:
    """Return the head of an arrow."""
    dx, dy = line.x2 - line.x1, line.y2 - line.y1
    length = hypot(dx, dy)
    if not length:
        return None
    dx, dy = dx / length, dy / length
    size = 3.2 * line.thick
    x, y = line.x2, line.y2
    return Polygon(
        (
            (x + dx * size * 0.6, y + dy * size * 0.6),
            (x - dx * size - dy * size * 0.75, y - dy * size + dx * size * 0.75),
            (x - dx * size + dy * size * 0.75, y - dy * size - dx * size * 0.75),
        ),
        fill=line.stroke,
    )


def _style() -> str:
    def variables(which: int) -> str:
        return ";".join(f"--kb-{name}:{pair[which]}" for name, pair in THEME.items())

    return _STYLE.format(light=variables(0), dark=variables(1))


_CONTROL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(text: str) -> str:
    """Escape for text and for attributes; letters that XML forbids become a sign."""
    text = _CONTROL.sub("\ufffd", text)
    for plain, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(plain, safe)
    return text


def _colour(colour: str | None) -> str:
    if colour is None:
        return "none"
    if colour in THEME:
        return f"var(--kb-{colour})"
    return colour if re.fullmatch("#[0-9a-fA-F]{6}", colour) else "none"


def _paint(fill: str | None, stroke: str | None, thick: float) -> str:
    line = f' stroke="{_colour(stroke)}" stroke-width="{short(thick)}"' if stroke else ""
    return f'fill="{_colour(fill)}"{line}'


def _shape(shape: Shape) -> str:
    match shape:
        case Rect():
            rounded = f' rx="{short(shape.round)}"' if shape.round else ""
            return (
                f'<rect x="{short(shape.x)}" y="{short(shape.y)}" width="{short(shape.width)}" '
                f'height="{short(shape.height)}"{rounded} '
                f"{_paint(shape.fill, shape.stroke, shape.thick)}/>"
            )
        case Circle():
            return (
                f'<circle cx="{short(shape.x)}" cy="{short(shape.y)}" r="{short(shape.radius)}" '
                f"{_paint(shape.fill, shape.stroke, shape.thick)}/>"
            )
        case LineShape():
            dashed = ' stroke-dasharray="4 3"' if shape.dashed else ""
            line = (
                f'<line x1="{short(shape.x1)}" y1="{short(shape.y1)}" x2="{short(shape.x2)}" '
                f'y2="{short(shape.y2)}" stroke-linecap="round"{dashed} '
                f"{_paint(None, shape.stroke, shape.thick)}/>"
            )
            head = arrow_head(shape) if shape.arrow else None
            return line + (_shape(head) if head else "")
        case Polygon():
            points = " ".join(f"{short(x)},{short(y)}" for x, y in shape.points)
            return (
                f'<polygon points="{points}" stroke-linejoin="round" '
                f"{_paint(shape.fill, shape.stroke, shape.thick)}/>"
            )
        case Label():
            bold = ' font-weight="700"' if shape.bold else ""
            return (
                f'<text x="{short(shape.x)}" y="{short(shape.y + shape.size * 0.36)}" '
                f'font-size="{short(shape.size)}" text-anchor="{shape.anchor}"{bold} '
                f'fill="{_colour(shape.fill)}">{escape(shape.text)}</text>'
            )
        case ShapeGroup():
            inside = "".join(map(_shape, shape.shapes))
            if not shape.key:
                title = f"<title>{escape(shape.label)}</title>" if shape.label else ""
                return f"<g>{title}{inside}</g>"
            label = f' role="img" aria-label="{escape(shape.label)}"' if shape.label else ""
            return f'<g data-cell="{escape(shape.key)}"{label}>{inside}</g>'


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
