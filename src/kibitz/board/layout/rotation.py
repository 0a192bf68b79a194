"""A Board in, a rotated or mirrored Board out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kibitz.board.layout.layout import Board, Layout, Segment, Tick

__all__ = ["flip", "mirror", "transpose", "turn_layout"]

Map = Callable[[float, float], tuple[float, float]]


def flip(board: Board) -> Board:
    """Turn a board upside down."""
    height = board.height
    turned = _mapped(board, lambda x, y: (x, height - y))
    rows = tuple(Tick(t.text, height - t.at, t.inset) for t in reversed(board.rows))
    return replace(turned, rows=rows, upwards=not board.upwards)


def mirror(board: Board) -> Board:
    """Exchange left and right."""
    width = board.width
    turned = _mapped(board, lambda x, y: (width - x, y))
    return replace(
        turned, columns=tuple(Tick(t.text, width - t.at, t.inset) for t in reversed(board.columns))
    )


def transpose(board: Board) -> Board:
    """Exchange rows and columns."""
    turned = _mapped(board, lambda x, y: (y, x))
    return replace(
        turned,
        width=board.height,
        height=board.width,
        rows=tuple(Tick(t.text, t.at) for t in board.columns),
        columns=tuple(Tick(t.text, t.at) for t in board.rows),
        cell_width=board.cell_height,
        cell_height=board.cell_width,
        upwards=False,
    )


def turn_layout(layout: Layout) -> Layout:
    """Rotate all boards by 180 degrees, as the other side sees them.

    >>> import kibitz
    >>> from kibitz.board import layout_of
    >>> layout = layout_of(kibitz.load("breakthrough:4x4"))
    >>> turn_layout(layout).boards[0].cells[0] == layout.boards[0].cells[0]
    False
    >>> turn_layout(turn_layout(layout)) == layout
    True
    """
    boards = tuple(
        board if board.kind in ("heaps", "stacks") else mirror(flip(board))
        for board in layout.boards
    )
    return replace(layout, boards=boards)


def _mapped(board: Board, to: Map) -> Board:
    def segment(s: Segment) -> Segment:
        (x1, y1), (x2, y2) = to(s[0], s[1]), to(s[2], s[3])
        return (x1, y1, x2, y2) if (x1, y1) <= (x2, y2) else (x2, y2, x1, y1)

    cells = []
    for cell in board.cells:
        x, y = to(cell.x, cell.y)
        ends = None
        if cell.ends:
            ends = (*to(*cell.ends[:2]), *to(*cell.ends[2:]))
        cells.append(replace(cell, x=x, y=y, ends=ends))
    return replace(
        board,
        cells=tuple(cells),
        walls=tuple(map(segment, board.walls)),
        lines=tuple(map(segment, board.lines)),
        points=tuple((name, *to(x, y)) for name, x, y in board.points),
        sides=tuple((segment(edge), colour) for edge, colour in board.sides),
    )
