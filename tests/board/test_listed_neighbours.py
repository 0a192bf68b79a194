"""Neighbours that rules list by the names of cells say what a board looks like."""

from __future__ import annotations

import pytest

from kibitz.board import layout_of
from kibitz.engine import CompiledGame
from kibitz.ludii import read_ludii


@pytest.mark.parametrize(
    ("board", "kind", "lines"),
    [
        ("(board (square 3))", "grid", 0),
        ("(board (hex 3))", "hex", 0),
        ("(board (square 3 diagonals:Alternating) use:Vertex)", "points", 16),
        ("(board (concentric Square rings:3) use:Vertex)", "points", 32),
    ],
)
def test_hexagons_are_hexagons_and_points_are_joined(board: str, kind: str, lines: int) -> None:
    text = (
        f'(game "Own" (players 2) (equipment {{{board} (piece "Marker" Each'
        " (move Step Adjacent (to if:(is Empty (to)))))})"
        ' (rules (start {(place "Marker1" 0) (place "Marker2" 5)}) (play (forEach Piece))'
        " (end (if (no Moves Next) (result Mover Win)))))"
    )
    layout = layout_of(CompiledGame(read_ludii(text)))
    assert (layout.boards[0].kind, len(layout.boards[0].lines)) == (kind, lines)
    pieces = {piece.name: (piece.shape, piece.colour) for piece in layout.boards[0].pieces}
    assert pieces == {"marker1": ("disc", "blue"), "marker2": ("disc", "red")}
