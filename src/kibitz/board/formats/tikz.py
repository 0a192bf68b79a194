"""Write a Picture as LaTeX: TikZ commands, alone or as a complete document."""

from __future__ import annotations

import re
from collections.abc import Iterator

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

_DOCUMENT = """\\documentclass[border=4pt]{{standalone}}
\\usepackage{{fontspec}}
\\usepackage{{tikz}}
\\begin{{document}}
{body}\\end{{document}}
"""
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}


def to_latex(picture: Picture) -> str:
    """Write a picture as a complete LaTeX document, for lualatex or xelatex."""
    return _DOCUMENT.format(body=to_tikz(picture))


def to_tikz(picture: Picture, *, scale: float = 0.75) -> str:
    r"""Write a picture as a tikzpicture; without `scale` one pixel is one point.

    >>> from kibitz.board.drawing.picture import Label, Picture
    >>> print(to_tikz(Picture(40, 20, (Label(20, 10, "50% & more"),))).splitlines()[-2])
    \node[text=kbink,font=\fontsize{10.5}{10.5}\selectfont] at (20,10) {50\% \& more};
    """
    lines = [line for shape in picture.shapes for line in _shape(shape, scale)]
    used = {name for name in THEME if any(f"kb{name}" in line for line in lines)}
    colours = [f"\\definecolor{{kb{n}}}{{HTML}}{{{THEME[n][0][1:].upper()}}}" for n in sorted(used)]
    head = f"\\begin{{tikzpicture}}[x={short(scale)}pt,y=-{short(scale)}pt]"
    return "\n".join([*colours, head, *lines, "\\end{tikzpicture}", ""])


def escape(text: str) -> str:
    """Write text so that LaTeX prints it as it is."""
    return "".join(_SPECIAL.get(c, c if c.isprintable() else " ") for c in text)


def _colour(name: str) -> str:
    if name in THEME:
        return f"kb{name}"
    value = name.lstrip("#")
    if not re.fullmatch(r"[0-9a-fA-F]{6}", value):
        return "black"
    red, green, blue = (int(value[k : k + 2], 16) for k in (0, 2, 4))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def _options(fill: str | None, stroke: str | None, thick: float, *more: str) -> str:
    options = [
        f"fill={_colour(fill)}" if fill else "",
        f"draw={_colour(stroke)},line width={short(thick * 0.75)}pt" if stroke else "",
        *more,
    ]
    return ",".join(option for option in options if option)


def _shape(shape: Shape, scale: float) -> Iterator[str]:
    match shape:
        case Rect():
            rounded = f"rounded corners={short(shape.round * scale)}pt" if shape.round else ""
            options = _options(shape.fill, shape.stroke, shape.thick, rounded)
            far = f"({short(shape.x + shape.width)},{short(shape.y + shape.height)})"
            yield f"\\path[{options}] ({short(shape.x)},{short(shape.y)}) rectangle {far};"
        case Circle():
            options = _options(shape.fill, shape.stroke, shape.thick)
            radius = short(shape.radius * scale)
            centre = f"({short(shape.x)},{short(shape.y)})"
            yield f"\\path[{options}] {centre} circle[radius={radius}pt];"
        case LineShape():
            dashed = "dashed" if shape.dashed else ""
            arrow = "-latex" if shape.arrow else ""
            options = _options(None, shape.stroke, shape.thick, "line cap=round", dashed, arrow)
            end = f"({short(shape.x2)},{short(shape.y2)})"
            yield f"\\draw[{options}] ({short(shape.x1)},{short(shape.y1)}) -- {end};"
        case Polygon():
            options = _options(shape.fill, shape.stroke, shape.thick, "line join=round")
            points = " -- ".join(f"({short(x)},{short(y)})" for x, y in shape.points)
            yield f"\\path[{options}] {points} -- cycle;"
        case Label():
            size = short(shape.size * scale)
            bold = "\\bfseries" if shape.bold else ""
            anchor = {"start": "anchor=west,inner sep=0pt", "end": "anchor=east,inner sep=0pt"}
            font = f"font=\\fontsize{{{size}}}{{{size}}}\\selectfont{bold}"
            options = ",".join(
                part
                for part in (f"text={_colour(shape.fill or 'ink')}", font, anchor.get(shape.anchor))
                if part
            )
            at = f"({short(shape.x)},{short(shape.y)})"
            yield f"\\node[{options}] at {at} {{{escape(shape.text)}}};"
        case ShapeGroup():
            for inner in shape.shapes:
                yield from _shape(inner, scale)
