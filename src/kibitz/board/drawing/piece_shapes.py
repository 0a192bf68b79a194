"""A Piece and a place in, its shapes out: marks, discs, chessmen, numbers and letters."""

from __future__ import annotations

from math import cos, pi, sin

from kibitz.board.drawing.picture import Circle, Label, LineShape, Polygon, Rect, Shape
from kibitz.board.drawing.pieces import Piece

__all__ = ["draw_piece"]

Outline = tuple[tuple[float, float], ...]

_BASE: Outline = ((-0.27, 0.24), (0.27, 0.24), (0.31, 0.36), (-0.31, 0.36))
_BODIES: dict[str, tuple[Outline, ...]] = {
    "pawn": (
        ((-0.07, -0.1), (0.07, -0.1), (0.1, 0.1), (0.18, 0.24), (-0.18, 0.24), (-0.1, 0.1)),
        _BASE,
    ),
    "rook": (
        (
            (-0.26, -0.34), (-0.14, -0.34), (-0.14, -0.26), (-0.06, -0.26), (-0.06, -0.34),
            (0.06, -0.34), (0.06, -0.26), (0.14, -0.26), (0.14, -0.34), (0.26, -0.34),
            (0.26, -0.16), (0.17, -0.1), (0.19, 0.24), (-0.19, 0.24), (-0.17, -0.1),
            (-0.26, -0.16),
        ),
        _BASE,
    ),
    "knight": (
        (
            (-0.06, -0.38), (0.02, -0.3), (0.14, -0.26), (0.24, -0.1), (0.27, 0.08),
            (0.24, 0.24), (-0.2, 0.24), (-0.17, 0.1), (-0.02, -0.02), (-0.03, -0.07),
            (-0.14, -0.03), (-0.2, 0.04), (-0.28, 0.0), (-0.27, -0.08), (-0.15, -0.25),
        ),
        _BASE,
    ),
    "bishop": (
        (
            (0.0, -0.32), (0.1, -0.2), (0.14, -0.08), (0.1, 0.04), (0.08, 0.08), (0.15, 0.24),
            (-0.15, 0.24), (-0.08, 0.08), (-0.1, 0.04), (-0.14, -0.08), (-0.1, -0.2),
        ),
        _BASE,
    ),
    "queen": (
        (
            (-0.34, -0.24), (-0.2, -0.04), (-0.19, -0.32), (-0.07, -0.08), (0.0, -0.36),
            (0.07, -0.08), (0.19, -0.32), (0.2, -0.04), (0.34, -0.24), (0.22, 0.24),
            (-0.22, 0.24),
        ),
        _BASE,
    ),
    "king": (
        (
            (-0.05, -0.42), (0.05, -0.42), (0.05, -0.36), (0.12, -0.36), (0.12, -0.27),
            (0.05, -0.27), (0.05, -0.18), (-0.05, -0.18), (-0.05, -0.27), (-0.12, -0.27),
            (-0.12, -0.36), (-0.05, -0.36),
        ),
        (
            (0.0, -0.12), (0.1, -0.18), (0.24, -0.18), (0.33, -0.06), (0.27, 0.1), (0.2, 0.24),
            (-0.2, 0.24), (-0.27, 0.1), (-0.33, -0.06), (-0.24, -0.18), (-0.1, -0.18),
        ),
        _BASE,
    ),
}  # fmt: skip


def draw_piece(piece: Piece, x: float, y: float, unit: float) -> list[Shape]:
    """Draw a piece around a point; `unit` is the side of its cell."""
    line = max(1.0, unit * 0.035)
    match piece.shape:
        case "blank":
            return []
        case "cross":
            r = unit * 0.27
            thick = unit * 0.11
            return [
                LineShape(x - r, y - r, x + r, y + r, piece.colour, thick),
                LineShape(x - r, y + r, x + r, y - r, piece.colour, thick),
            ]
        case "ring":
            return [Circle(x, y, unit * 0.29, None, piece.colour, unit * 0.1)]
        case "disc":
            letter = Label(x, y, piece.text, unit * 0.38, "light", bold=True)
            return [
                Circle(x, y, unit * 0.34, piece.colour, "edge", line),
                *([letter] if piece.text else []),
            ]
        case "dot":
            return [Circle(x, y, unit * 0.12, piece.colour, "edge", line * 0.7)]
        case "crowned":
            crown = tuple(
                (x + unit * r * sin(k * pi / 5), y - unit * r * cos(k * pi / 5))
                for k in range(10)
                for r in [0.22 if k % 2 == 0 else 0.1]
            )
            return [
                Circle(x, y, unit * 0.34, piece.colour, "edge", line),
                Polygon(crown, "orange", "edge", line * 0.6),
            ]
        case "pin":
            wide, high = unit * 0.2, unit * 0.66
            return [
                Rect(x - wide / 2, y - high / 2, wide, high, piece.colour, "edge", line, wide / 2)
            ]
        case "fallen":
            wide, high = unit * 0.66, unit * 0.2
            return [Rect(x - wide / 2, y + unit * 0.1, wide, high, "grey", "edge", line, high / 2)]
        case "wall" | "slab":
            side = unit * 0.8
            return [
                Rect(x - side / 2, y - side / 2, side, side, piece.colour, None, 1, unit * 0.08)
            ]
        case shape if shape in _BODIES:
            parts: list[Shape] = [
                Polygon(
                    tuple((x + a * unit, y + b * unit) for a, b in outline),
                    piece.colour,
                    "edge",
                    line,
                )
                for outline in _BODIES[shape]
            ]
            if shape == "pawn":
                parts.append(Circle(x, y - unit * 0.2, unit * 0.13, piece.colour, "edge", line))
            elif shape == "bishop":
                parts.append(Circle(x, y - unit * 0.36, unit * 0.05, piece.colour, "edge", line))
            elif shape == "knight":
                eye = "dark" if piece.colour == "light" else "light"
                parts.append(Circle(x - unit * 0.07, y - unit * 0.19, unit * 0.03, eye))
            return parts
        case _:
            size = unit * min(0.56, 1.25 / max(1, len(piece.text)))
            return [Label(x, y, piece.text, size, piece.colour, bold=True)]
