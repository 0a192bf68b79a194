"""Boards in letters, as a person reads them."""

from __future__ import annotations

from textwrap import dedent

import pytest

import kibitz
from kibitz.render import text_board

BOARDS = {
    "tictactoe": """
          1 2 3
        1 . . .
        2 . . .
        3 . . .
        xplayer to move
        """,
    "eightpuzzle": """
          1 2 3
        1 8 1 3
        2 4 . 2
        3 7 6 5
        """,
}


@pytest.mark.parametrize("name", BOARDS)
def test_the_initial_state_looks_as_people_draw_it(name: str) -> None:
    board = text_board(kibitz.load(name).initial())
    assert board == dedent(BOARDS[name]).strip("\n").rstrip()
