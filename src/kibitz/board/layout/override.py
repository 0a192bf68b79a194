"""Change a Layout as a small file beside the rule sheet specifies.

`checkers.board.toml` beside `checkers.kif` may have any of these:

    flip = true                # upside down
    mirror = true              # left and right exchanged
    transpose = true           # rows and columns exchanged
    chequered = true           # light and dark cells by turns
    kind = "points"            # grid, points, holes, hex or strip
    [colours]                  # of pieces: a name of the theme, or #rrggbb
    wp = "red"
    [shapes]                   # of pieces: disc, cross, ring, crowned, wall, a chessman, letters
    wp = "disc"
    [names]                    # what pieces and roles are called
    wp = "white man"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kibitz.board.drawing.picture import THEME
from kibitz.board.drawing.pieces import CHESSMEN, COLOURS, Piece
from kibitz.board.layout.layout import Board, Kind, Layout, flip, mirror, transpose
from kibitz.errors import InputError
from kibitz.reading import bounded, read_text

MOST_BYTES = 100_000
_SWITCHES = ("flip", "mirror", "transpose", "chequered")
_TABLES = ("colours", "shapes", "names")
_KINDS: tuple[Kind, ...] = ("grid", "points", "holes", "hex", "strip")
_SHAPES = frozenset(
    (*CHESSMEN, "blank", "cross", "ring", "disc", "dot", "wall", "slab", "letters", "pin", "fallen")
)


@dataclass(frozen=True, slots=True)
class Override:
    """Settings for the boards of a game, from the file beside its rule sheet."""

    flip: bool = False
    mirror: bool = False
    transpose: bool = False
    chequered: bool | None = None
    kind: Kind | None = None
    colours: Mapping[str, str] = field(default_factory=dict)
    shapes: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


def board_file(rules: str | Path) -> Path | None:
    """Return the file beside a rule sheet that says how it is drawn, if there is one.

    >>> board_file("nowhere/checkers.kif") is None
    True
    """
    return file_beside(rules, ".board.toml")


def file_beside(rules: str | Path, ending: str) -> Path | None:
    """Return the file of the same name and another ending, if there is one."""
    path = Path(rules).with_suffix(ending) if Path(rules).suffix else None
    return path if path and path.is_file() else None


@bounded("reading a file of TOML")
def read_toml(path: str | Path) -> dict[str, Any]:
    """Read a small TOML file; raise InputError where it cannot be read."""
    try:
        return tomllib.loads(read_text(path, most=MOST_BYTES))
    except ValueError as error:  # also for very long numbers
        raise InputError(f"{path}: {error}") from None
    except RecursionError:
        raise InputError(f"{path}: tables or lists are nested too deep") from None


def read_override(path: str | Path) -> Override:
    """Read such a file; raise InputError where it has anything invalid."""
    found = read_toml(path)
    for key, value in found.items():
        if key in _SWITCHES:
            _expect(isinstance(value, bool), path, key, "true or false")
        elif key == "kind":
            _expect(value in _KINDS, path, key, " or ".join(_KINDS))
        elif key in _TABLES:
            is_table = isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
            _expect(is_table, path, key, "a table of texts")
        else:
            known = ", ".join((*_SWITCHES, "kind", *_TABLES))
            raise InputError(f"{path}: there is no {key!r} here", hint=f"there are {known}")
    for name, colour in found.get("colours", {}).items():
        is_colour = colour in THEME or colour in COLOURS or re.fullmatch("#[0-9a-fA-F]{6}", colour)
        _expect(bool(is_colour), path, f"colours.{name}", "a colour such as red or #d55e00")
    for name, shape in found.get("shapes", {}).items():
        _expect(shape in _SHAPES, path, f"shapes.{name}", " or ".join(sorted(_SHAPES)))
    return Override(**found)


def apply_override(layout: Layout, override: Override) -> Layout:
    """Change a layout as a file says."""
    boards = tuple(_board(board, override) for board in layout.boards)
    return replace(layout, boards=boards, names={**layout.names, **override.names})


def _expect(is_right: bool, path: str | Path, key: str, what: str) -> None:
    if not is_right:
        raise InputError(f"{path}: {key} should be {what}")


def _board(board: Board, override: Override) -> Board:
    if board.kind not in ("heaps", "stacks"):
        for is_wanted, change in (
            (override.transpose, transpose),
            (override.flip, flip),
            (override.mirror, mirror),
        ):
            if is_wanted:
                board = change(board)
        if override.kind and board.kind != "graph":
            board = replace(board, kind=override.kind)
    if override.chequered is not None:
        board = replace(board, chequered=override.chequered)
    return replace(board, pieces=tuple(_piece(piece, override) for piece in board.pieces))


def _piece(piece: Piece, override: Override) -> Piece:
    colour = override.colours.get(piece.name, piece.colour)
    shape = override.shapes.get(piece.name, piece.shape)
    text = piece.text or piece.name[:3]
    return replace(piece, colour=COLOURS.get(colour, colour), shape=shape, text=text)
