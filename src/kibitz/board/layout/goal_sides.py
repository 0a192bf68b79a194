"""A Layout in, the sides of its board that a role joins out, as in hex.

A role joins two opposite sides if its pieces on any line between them win, straight or bent, with
the last of them and not before, and lines the other way do not. This is found by play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from math import cos, pi, sin, sqrt

from kibitz.board.layout.layout import Board, Cell, CellRef, Layout, Segment
from kibitz.engine import CompiledGame, Role
from kibitz.errors import KibitzError

__all__ = ["goal_sides"]

_FEWEST = 3
_MOST_CELLS = 200


@dataclass(frozen=True)
class _Lattice:
    """The cells of a board by row and column, as the rules name them."""

    rows: tuple[tuple[Cell, ...], ...]

    @property
    def turned(self) -> _Lattice:
        """The same cells by column and row."""
        return _Lattice(tuple(zip(*self.rows, strict=True)))

    def lines(self) -> Iterator[list[Cell]]:
        """Walk some lines along rows: the outer ones, the middle, and one with a bend."""
        middle, half = len(self.rows) // 2, len(self.rows[0]) // 2
        yield list(self.rows[middle])
        yield [*self.rows[middle][: half + 1], *self.rows[middle - 1][half:]]
        yield list(self.rows[0])
        yield list(self.rows[-1])


def goal_sides(layout: Layout, game: CompiledGame) -> tuple[tuple[Segment, str], ...]:
    """Return the outer edges of cells that a role has to join, each with the colour of the role.

    >>> import kibitz
    >>> from kibitz.board import layout_of
    >>> sides = layout_of(kibitz.load("hex:3")).boards[0].sides
    >>> sorted({colour for _, colour in sides}), len(sides)
    (['blue', 'red'], 22)
    """
    board = layout.boards[0] if layout.boards else None
    lattice = _lattice(board) if board else None
    if not board or not lattice or len(game.roles) != 2 or not _fills(layout, game):
        return ()
    found: list[tuple[Segment, str]] = []
    for role in game.roles:
        along = [_wins(layout, game, role, way) for way in (lattice, lattice.turned)]
        if along[0] == along[1] or role not in layout.badges:
            return ()
        colour = board.piece(layout.badges[role]).colour
        found += ((edge, colour) for edge in _edges(board, lattice, of_columns=along[0]))
    return tuple(found)


def _lattice(board: Board) -> _Lattice | None:
    """Return the cells by row and column, where every row has every column."""
    if board.kind not in ("hex", "grid") or not _FEWEST**2 <= len(board.cells) <= _MOST_CELLS:
        return None
    if any(len(cell.key) != 2 for cell in board.cells):
        return None
    rows = list(dict.fromkeys(cell.key[0] for cell in board.cells))
    columns = list(dict.fromkeys(cell.key[1] for cell in board.cells))
    if len(rows) * len(columns) != len(board.cells) or min(len(rows), len(columns)) < _FEWEST:
        return None
    found = [[board.cells[board.index[row, column]] for column in columns] for row in rows]
    found.sort(key=lambda row: (row[0].y, row[0].x))
    ordered = zip(*sorted(zip(*found, strict=True), key=lambda c: (c[0].x, c[0].y)), strict=True)
    return _Lattice(tuple(ordered))


def _fills(layout: Layout, game: CompiledGame) -> bool:
    """Whether play begins with a click on any cell of the board."""
    start = game.initial()
    legal = max((start.legal(role) for role in game.roles), key=len)
    clicked = {g.cells for g in map(layout.gesture, legal) if g.kind == "click"}
    return clicked >= {(CellRef(0, n),) for n in range(len(layout.boards[0].cells))}


def _wins(layout: Layout, game: CompiledGame, role: Role, lattice: _Lattice) -> bool:
    """Whether a role wins with the last cell of each line along the rows, and not before."""
    try:
        return all(_wins_with(layout, game, role, line, lattice) for line in lattice.lines())
    except KibitzError:  # these cells cannot be taken one after another
        return False


def _wins_with(
    layout: Layout, game: CompiledGame, role: Role, line: list[Cell], lattice: _Lattice
) -> bool:
    others = [cell for cell in chain(*lattice.rows) if cell not in line]
    # The other takes every second cell first, so as to join nothing.
    waiting = {role: line[::-1], "": [*others[1::2], *others[::2]][::-1]}
    state = game.initial()
    while not state.is_terminal:
        free = [one for one in game.roles if len(state.legal(one)) > 1]
        if len(free) != 1 or not (cells := waiting[role if free[0] == role else ""]):
            return False
        cell = CellRef(0, layout.boards[0].index[cells.pop().key])
        moves = layout.moves_at(state.legal(free[0]), cell)
        if len(moves) != 1:
            return False
        joint = [moves[0] if one == free[0] else state.legal(one)[0] for one in game.roles]
        state = state.step(tuple(joint))
    return not waiting[role] and state.goals[role] == 100


def _edges(board: Board, lattice: _Lattice, *, of_columns: bool) -> Iterator[Segment]:
    """Walk the outer edges of the first and last column, or row."""
    rows = lattice.rows
    origin, right, below = rows[0][0], rows[0][1], rows[1][0]
    ux, uy, vx, vy = right.x - origin.x, right.y - origin.y, below.x - origin.x, below.y - origin.y
    count, radius, first = (6, 1 / sqrt(3), 0.0) if board.kind == "hex" else (4, sqrt(0.5), pi / 4)
    corners = [first + k * 2 * pi / count for k in range(count)]
    for r, c in ((r, c) for r in range(len(rows)) for c in range(len(rows[0]))):
        cell = rows[r][c]
        points = [(cell.x + radius * sin(a), cell.y - radius * cos(a)) for a in corners]
        for (x1, y1), (x2, y2) in zip(points, [*points[1:], points[0]], strict=True):
            dx, dy = x1 + x2 - 2 * cell.x, y1 + y2 - 2 * cell.y  # to the cell across
            size = ux * vy - uy * vx
            column, row = (dx * vy - dy * vx) / size, (ux * dy - uy * dx) / size
            is_side = not -0.5 < c + column < len(rows[0]) - 0.5
            is_end = not -0.5 < r + row < len(rows) - 0.5
            if is_side if of_columns else is_end and not is_side:
                yield (x1, y1, x2, y2)
