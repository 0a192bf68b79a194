"""A State in, what pages and programs need of it out, as plain values for JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kibitz.board.drawing.position import arrange
from kibitz.board.layout.detection import layout_of
from kibitz.board.layout.layout import Gesture, Layout
from kibitz.engine import State

__all__ = ["BoardMoveView", "BoardView", "CellView", "layout_json", "position_json", "view_of"]


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell and the names of what is drawn on it, including its tile."""

    board: int
    cell: int
    name: str
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardMoveView:
    """A legal move: whose, its text, and how a person makes it."""

    role: str
    move: str
    gesture: Gesture


@dataclass(frozen=True, slots=True)
class BoardView:
    """A state as a page shows it. Cells that show nothing are left out."""

    game: str
    state: tuple[str, ...]
    cells: tuple[CellView, ...]
    turns: tuple[str, ...]
    counters: tuple[str, ...]
    labels: tuple[str, ...]
    moves: tuple[BoardMoveView, ...]
    is_terminal: bool
    goals: dict[str, int | None]


def view_of(state: State, layout: Layout | None = None) -> BoardView:
    """Describe a state: what each cell shows, what is beside the board, and the legal moves.

    >>> import kibitz
    >>> view = view_of(kibitz.load("nim:1,2").initial())
    >>> [(cell.name, cell.pieces) for cell in view.cells], view.turns
    ([('a', ('1',)), ('b', ('2',))], ('Player 1 to move',))
    """
    layout = layout or layout_of(state.game)
    position = arrange(layout, state.fluents)
    cells = tuple(
        CellView(ref.board, ref.cell, layout.cell(ref).name, tuple(p.piece for p in places))
        for ref, places in sorted(position.cells.items(), key=lambda i: (i[0].board, i[0].cell))
    )
    write = state.game.write
    moves = [] if state.is_terminal else [(r, m) for r in state.game.roles for m in state.legal(r)]
    return BoardView(
        layout.game,
        tuple(map(write, state.fluents)),
        cells,
        position.turns,
        position.counters,
        position.labels,
        tuple(BoardMoveView(role, write(move), layout.gesture(move)) for role, move in moves),
        state.is_terminal,
        state.goals,
    )


def position_json(state: State, layout: Layout | None = None) -> dict[str, Any]:
    """Return a state as plain lists and dicts."""
    import msgspec

    found: dict[str, Any] = msgspec.to_builtins(view_of(state, layout))
    return found


def layout_json(layout: Layout) -> dict[str, Any]:
    """Return a layout as plain lists and dicts.

    >>> import kibitz
    >>> from kibitz.board import layout_of
    >>> list(layout_json(layout_of(kibitz.load("sim"))))
    ['game', 'boards', 'patterns', 'moves', 'names', 'badges', 'poison']
    """
    import msgspec

    found: dict[str, Any] = msgspec.to_builtins(layout)
    return found
