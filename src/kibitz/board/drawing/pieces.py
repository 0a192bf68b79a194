"""Choose the piece for a constant, and draw its shapes.

Names that people know are recognised: blanks, x and o, colours, chessmen, numbers. Any other
constant is drawn as letters. No two names of a board look alike, whatever they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin

from kibitz.board.drawing.picture import Circle, Label, LineShape, Polygon, Rect, Shape

BLANKS = (
    "b",
    "blank",
    "empty",
    "none",
    "clear",
    "free",
    "nothing",
    "e",
    "_",
    "-",
    ".",
    "open",
    "available",
)
"""Names of an empty cell, the likeliest first."""

COLOURS = {
    "white": "light", "black": "dark", "red": "red", "blue": "blue", "green": "green",
    "yellow": "yellow", "orange": "orange", "purple": "purple", "violet": "purple",
    "magenta": "purple", "pink": "purple", "grey": "grey", "gray": "grey", "teal": "sky",
    "cyan": "sky", "sky": "sky", "brown": "tile", "light": "light", "dark": "dark",
}  # fmt: skip
"""Colours by the names that rules give them."""

_MEN = {
    "king": "king", "queen": "queen", "rook": "rook", "bishop": "bishop", "knight": "knight",
    "pawn": "pawn", "k": "king", "q": "queen", "r": "rook", "n": "knight", "p": "pawn",
}  # fmt: skip
_SIDES = {"w": "light", "white": "light", "b": "dark", "black": "dark", "red": "red", "r": "red"}
_ORDER = ("king", "queen", "rook", "bishop", "knight", "pawn")
_GLYPHS = {
    "light": dict(zip(_ORDER, "♔♕♖♗♘♙", strict=True)),
    "dark": dict(zip(_ORDER, "♚♛♜♝♞♟", strict=True)),
}
CHESSMEN = frozenset((*_ORDER, "crowned"))
"""Shapes of pieces on chequered boards."""

_SPARE = ("blue", "red", "green", "purple", "orange", "sky", "grey", "yellow")


@dataclass(frozen=True, slots=True)
class Piece:
    """How a name is drawn.

    `shape` is blank, cross, ring, disc, crowned, number, letters, wall, or a chessman's name;
    `glyph` is what text boards show.
    """

    name: str
    shape: str
    colour: str = "ink"
    text: str = ""
    glyph: str = ""


def is_blank(name: str) -> bool:
    """Return whether a name says that nothing is there."""
    return name.lower() in BLANKS


def make_pieces(names: Iterable[str], common: Mapping[str, int] | None = None) -> tuple[Piece, ...]:
    """Give every name of a board its own piece; `common` says how often each occurs.

    >>> [(piece.name, piece.shape, piece.glyph) for piece in make_pieces(["b", "x", "o", "dirt"])]
    [('b', 'blank', '.'), ('x', 'cross', 'x'), ('o', 'ring', 'o'), ('dirt', 'letters', 'di')]
    >>> [make_pieces(["b", "w"], {"b": count, "w": 4})[0].glyph for count in (4, 60)]
    ['b', '.']
    >>> [(piece.shape, piece.colour, piece.text) for piece in make_pieces(["hare1", "hare2"])]
    [('disc', 'blue', 'H'), ('disc', 'red', 'H')]
    """
    listed = list(dict.fromkeys(names))
    blank = _find_blank(listed, common or {})
    draughts = {n.lower() for n in listed if n != blank} in (
        {"wp", "wk", "bp", "bk"},
        {"white", "black", "wk", "bk"},
    )
    is_owned = _have_owners([m for name in listed if (m := _OWNED.fullmatch(name.lower()))])
    pieces: list[Piece] = []
    for name in listed:
        if name == blank:
            pieces.append(Piece(name, "blank", glyph="."))
            continue
        piece = _recognise(name, draughts=draughts)
        if is_owned and piece.shape == "letters" and (match := _OWNED.fullmatch(name.lower())):
            piece = _owned(name, match[1], int(match[2]))
        pieces.append(_distinct(piece, pieces))
    return tuple(pieces)


def _find_blank(names: Sequence[str], common: Mapping[str, int]) -> str | None:
    """Find the name of an empty cell: the most frequent of the possible names."""
    choices = [name for name in names if is_blank(name)]
    if "w" in names or "a" in names:  # then a rare b is black, or the player after a
        is_rare = 2 * common.get("b", 0) <= sum(common.values())
        choices = [name for name in choices if name != "b" or not is_rare]
    if not choices:
        return None
    return min(choices, key=lambda n: (-common.get(n, 0), BLANKS.index(n.lower())))


def make_piece(name: str, beside: Sequence[Piece]) -> Piece:
    """Give an unknown name a piece that differs from all others: all its letters."""
    text = f"‹{name}›"
    return Piece(name, "letters", _SPARE[len(beside) % len(_SPARE)], text, text)


def _recognise(name: str, *, draughts: bool = False) -> Piece:
    lower = name.lower()
    if lower in ("x", "cross"):
        return Piece(name, "cross", "blue", glyph="x")
    if lower in ("o", "circle", "nought", "ring"):
        return Piece(name, "ring", "red", glyph="o")
    if lower in COLOURS:
        return _disc(name, COLOURS[lower])
    if lower in ("peg", "stone", "disc", "disk", "counter", "marble", "at", "pos", "position"):
        return Piece(name, "disc", "blue", glyph="●")
    if lower in ("on", "lit", "off", "dark"):
        is_on = lower in ("on", "lit")
        return Piece(name, "disc", "yellow" if is_on else "grey", glyph="*" if is_on else "-")
    if lower in ("up", "down"):
        return Piece(
            name, "pin" if lower == "up" else "fallen", "blue", glyph="|" if lower == "up" else "_"
        )
    if lower in ("chocolate", "choc", "tile", "brick"):
        return Piece(name, "slab", "tile", glyph="ch" if lower == "choc" else "■")
    if lower in ("wall", "obstacle", "block", "arrow", "burned", "rock", "full"):
        return Piece(name, "wall", "wall", glyph="#")
    if lower in ("dot", "cookie", "hole", "visited"):
        return Piece(name, "dot", "orange" if lower in ("dot", "cookie") else "dark", glyph="∘")
    if numbered := _numbered(name, lower):
        return numbered
    man = _man(lower, draughts=draughts)
    if man:
        return replace(man, name=name)
    if re.fullmatch(r"-?\d{1,4}", name):
        return Piece(name, "number", "ink", text=name, glyph=name)
    return _letters(name)


_OWNED = re.compile(r"([a-z]{3,})([0-9])")


def _have_owners(found: Sequence[re.Match[str]]) -> bool:
    """Return whether numbers in names say whose pieces they are, and do not count them."""
    words, owners = {match[1] for match in found}, {int(match[2]) for match in found} - {0}
    in_order = owners == set(range(1, len(owners) + 1))
    return in_order and (len(owners) == 2 or (len(owners) in (3, 4) and len(words) > 1))


def _owned(name: str, word: str, owner: int) -> Piece:
    """Draw what is called after its owner, such as hare1 and hare2, as counters with a letter."""
    letter, colour = name[0].upper(), ("grey", *_SPARE)[owner]
    if (known := _recognise(word)).shape in ("cross", "ring"):
        return Piece(name, known.shape, colour, glyph=f"{known.glyph}{owner}")
    return Piece(name, "disc", colour, letter, letter if owner < 2 else name[0])


_COUNTERS = "disc|disk|marker|ball|counter|stone|man|checker|bead|marble|token"


def _numbered(name: str, lower: str) -> Piece | None:
    """Recognise counters and chessmen that have the number of their owner, such as marker1."""
    match = re.fullmatch(rf"({_COUNTERS})([0-4])", lower)
    if match:
        owner = int(match[2])
        return Piece(name, "disc", ("grey", *_SPARE)[owner], glyph="∙●○◆◇"[owner])
    match = re.fullmatch(r"(x|cross|o|ring|nought|circle)[1-4]", lower)
    if match:
        return replace(_recognise(match[1]), name=name)
    match = re.fullmatch(rf"({'|'.join(_ORDER)})([12])", lower)
    side = "light" if match and match[2] == "1" else "dark"
    return Piece(name, match[1], side, glyph=_GLYPHS[side][match[1]]) if match else None


def _disc(name: str, colour: str) -> Piece:
    glyph = {"light": "○", "dark": "●"}.get(colour, name[0].upper())
    return Piece(name, "disc", colour, glyph=glyph)


def _man(lower: str, *, draughts: bool) -> Piece | None:
    """Recognise chessmen and draughtsmen such as wp, whitepawn, pawn."""
    match = re.fullmatch(
        r"(white|black|red|w|b|r)?[ _-]?(king|queen|rook|bishop|knight|pawn)", lower
    )
    match = match or re.fullmatch(r"(w|b)(k|q|r|b|n|p)", lower)
    if not match:
        return None
    side = _SIDES.get(match[1] or "w", "light")
    man = "bishop" if match[2] == "b" else _MEN.get(match[2], match[2])
    if draughts:
        glyph = {"pawn": {"light": "○", "dark": "●"}, "king": {"light": "◎", "dark": "◉"}}
        return Piece(lower, "disc" if man == "pawn" else "crowned", side, glyph=glyph[man][side])
    return Piece(lower, man, side, glyph=_GLYPHS.get(side, _GLYPHS["dark"])[man])


def _letters(name: str) -> Piece:
    short = next(iter(_abbreviations(name)))
    return Piece(name, "letters", "ink", text=short, glyph=short)


def _distinct(piece: Piece, beside: Sequence[Piece]) -> Piece:
    """Change a piece until no other piece of the board looks or reads like it."""
    looks = {(p.shape, p.colour, p.text) for p in beside}
    glyphs = {p.glyph for p in beside} | {"."}
    if piece.shape == "letters":
        colour = _SPARE[sum(p.shape == "letters" for p in beside) % len(_SPARE)]
        piece = replace(piece, colour=colour)
    if (piece.shape, piece.colour, piece.text) in looks:
        piece = replace(_letters(piece.name), colour=piece.colour)
    if piece.shape == "letters":
        taken = {p.text for p in beside if p.shape == "letters"} | glyphs
        text = next((t for t in _abbreviations(piece.name) if t not in taken), piece.name)
        piece = replace(piece, text=text, glyph=text)
    if piece.glyph in glyphs:
        glyph = next((t for t in _abbreviations(piece.name) if t not in glyphs), piece.name)
        piece = replace(piece, glyph=glyph)
    return piece


def _abbreviations(name: str) -> Iterable[str]:
    """Return short forms of a name, the shortest first, the whole name last."""
    if len(name) <= 3 or (len(name) <= 6 and any(c.isdigit() for c in name)):
        yield name
    words = [w for w in re.split(r"[ _\-]+|(?<=[a-z])(?=[A-Z])", name) if w]
    if len(words) > 1:
        yield "".join(w[0] for w in words)[:3]
    else:
        yield name[:2]
    if len(words) > 1:
        yield words[0][:2] + words[-1][:1]
        yield words[0][:1] + words[-1][:2]
    yield from (name[:n] for n in range(2, len(name)))
    yield name


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
