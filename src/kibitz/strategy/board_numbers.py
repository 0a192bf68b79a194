"""Game and fluents in, numbers of a state out by where things are on the drawn board.

Cells are neighbours if they share a side, or if a line joins them. On a board of rows and columns
they are dark and light in turn, the lower left corner dark, as on a chessboard.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from kibitz.board import Board, Cell, layout_of
from kibitz.engine import CompiledGame
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.strategy.syntax.numbers import Number

__all__ = ["dark_of", "groups_of", "light_of"]

_CLOSE = 0.01


def groups_of(game: CompiledGame, things: Sequence[Function]) -> Number | None:
    """Return how many groups of neighbours things form; None if they are not on a board.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> empty = [f for f in game.initial().fluents if f.name == "cell"]
    >>> number_in(groups_of(game, empty), empty[:1] + empty[8:])
    2
    """
    placed = _placed(game, things)
    if placed is None:
        return None
    board, cells = placed
    pairs = [
        place
        for (a, one), (b, other) in combinations(enumerate(cells), 2)
        if _are_neighbours(board, one, other)
        for place in (a, b)
    ]
    numbered = tuple((thing, place) for place, thing in enumerate(things))
    return Number("groups", numbered, table=tuple(pairs)) if pairs else None


def dark_of(game: CompiledGame, things: Sequence[Function]) -> Number | None:
    """Return how many things are on dark cells; None if these are not in rows and columns."""
    return _of_colour(game, things, 0)


def light_of(game: CompiledGame, things: Sequence[Function]) -> Number | None:
    """Return how many things are on light cells; None if these are not in rows and columns."""
    return _of_colour(game, things, 1)


def _of_colour(game: CompiledGame, things: Sequence[Function], colour: int) -> Number | None:
    placed = _placed(game, things)
    if placed is None or placed[0].kind != "grid":
        return None
    board, cells = placed
    here = [
        thing
        for thing, cell in zip(things, cells, strict=True)
        if round(cell.x - 0.5 + board.height - cell.y - 0.5) % 2 == colour
    ]
    return Number("count", tuple((thing, 1) for thing in here)) if here else None


def _placed(game: CompiledGame, things: Sequence[Function]) -> tuple[Board, list[Cell]] | None:
    """Return the board on which things are, and their cells, if they all are on the same."""
    try:
        layout = layout_of(game)
    except KibitzError:
        return None
    cells = [place.cell if (place := layout.place(thing)) else None for thing in things]
    refs = [cell for cell in cells if cell is not None]
    if len(refs) < len(cells) or len({ref.board for ref in refs}) != 1:
        return None
    board = layout.boards[refs[0].board]
    return board, [board.cells[ref.cell] for ref in refs]


def _are_neighbours(board: Board, one: Cell, other: Cell) -> bool:
    if board.lines:
        ends = (one.x, one.y, other.x, other.y)
        return any(
            all(abs(a - b) < _CLOSE for a, b in zip(line, ends, strict=True))
            for x1, y1, x2, y2 in board.lines
            for line in ((x1, y1, x2, y2), (x2, y2, x1, y1))
        )
    return float((one.x - other.x) ** 2 + (one.y - other.y) ** 2) < 1 + _CLOSE
