"""How moves are made on a board."""

from __future__ import annotations

import pytest
from tests.board.looks import LIBRARY, foreign, game
from tests.foreign import needs_foreign

from kibitz.board import layout_of, svg_board
from kibitz.board.layout.layout import CellRef
from kibitz.engine import Game
from kibitz.gdl import parse_terms


def made(game: Game, text: str) -> tuple[str, list[str], str]:
    layout = layout_of(game)
    gesture = layout.gesture(parse_terms(text)[0])
    return gesture.kind, [layout.cell(ref).name for ref in gesture.cells], gesture.value


@pytest.mark.parametrize(
    ("name", "move", "expected"),
    [
        ("tictactoe", "(mark 1 3)", ("click", ["1 3"], "")),
        ("tictactoe", "noop", ("button", [], "")),
        ("breakthrough:5x5", "(move 2 1 3 2)", ("drag", ["2 1", "3 2"], "")),
        ("threemensmorris", "(move 1 1 1 2)", ("drag", ["1 1", "1 2"], "")),
        ("threemensmorris", "(place 2 2)", ("click", ["2 2"], "")),
        ("sim", "(colour 1 4)", ("click", ["1 4"], "")),
        ("nim:1,3,5,7", "(reduce c 2)", ("click", ["c"], "2")),
        ("kayles:5", "(pair 2 3)", ("drag", ["2", "3"], "")),
        ("tictacchec", "(enter wp 1 2)", ("click", ["1 2"], "wp")),
        ("hanoi:4", "(move 1 c)", ("click", ["c"], "1")),
        ("maze", "south", ("button", [], "")),
        ("pegsolitaire", "(jump 3 1 1 1)", ("drag", ["3 1", "1 1"], "")),
    ],
)
def test_a_move_is_a_click_a_drag_or_a_button(
    name: str, move: str, expected: tuple[str, list[str], str]
) -> None:
    assert made(game(name), move) == expected


def test_a_move_that_names_a_column_is_a_click_on_any_cell_of_it() -> None:
    kind, cells, _ = made(game("connectfour"), "(drop 3)")
    assert kind == "click"
    assert sorted(cells) == [f"{row} 3" for row in range(1, 7)]


@needs_foreign
@pytest.mark.parametrize(
    ("name", "move", "expected"),
    [
        ("checkers", "(move wp b 3 a 4)", ("drag", ["b 3", "a 4"], "wp")),
        ("chineseCheckers2", "(move a1 c3)", ("drag", ["a 1", "c 3"], "")),
        ("pentago", "(place 1 2 3)", ("click", ["1 2 3"], "")),
        ("nineBoardTicTacToePie", "(play 1 2 3 1 x)", ("click", ["1 2 3 1"], "x")),
    ],
)
def test_moves_of_foreign_games(name: str, move: str, expected: tuple[str, list[str], str]) -> None:
    assert made(foreign(name), move) == expected


@pytest.mark.parametrize("name", LIBRARY)
def test_every_legal_move_is_found_at_the_cell_where_it_starts(name: str) -> None:
    state = game(name).initial()
    layout = layout_of(state.game)
    legal = [move for role in state.game.roles for move in state.legal(role)]
    cells = [
        CellRef(b, c) for b, board in enumerate(layout.boards) for c in range(len(board.cells))
    ]
    found = {move for cell in cells for move in layout.moves_at(legal, cell)}
    assert found == {move for move in legal if layout.gesture(move).kind != "button"}


def test_the_cell_whose_move_loses_at_once_is_marked_and_no_other() -> None:
    chomp, layout = game("chomp:3x4"), layout_of(game("chomp:3x4"))
    assert layout.poison is not None
    assert layout.cell(layout.poison).key == ("1", "1")
    start = chomp.initial()
    for role in chomp.roles:  # by the rules themselves: biting it is the only move that ends play
        for move in start.legal(role):
            if len(start.legal(role)) > 1:
                joint = [move if r == role else start.legal(r)[0] for r in chomp.roles]
                ends = start.step(joint).is_terminal
                assert ends == (layout.gesture(move).cells == (layout.poison,))
    assert "1 1: choc, poison" in svg_board(start, layout)
    assert all(layout_of(game(name)).poison is None for name in ("tictactoe", "hex:3", "nim:1,2"))
