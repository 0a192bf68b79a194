"""How moves are made on a board."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.board.looks import LIBRARY, foreign, game
from tests.foreign import needs_foreign

import kibitz
from kibitz.board import layout_of, svg_board
from kibitz.board.layout.layout import CellRef, turn_layout
from kibitz.engine import CompiledGame, Game
from kibitz.english import say_move, scene_of
from kibitz.gdl import parse, parse_terms

EXAMPLES = Path(__file__).parents[2] / "examples"


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


def test_the_sides_that_a_role_joins_have_its_colour_and_other_games_have_none() -> None:
    layout = layout_of(game("hex:3"))
    by_colour: dict[str, set[float]] = {}
    for (_, y1, _, y2), colour in layout.boards[0].sides:
        by_colour.setdefault(colour, set()).update((y1, y2))
    rows = sorted({cell.y for cell in layout.boards[0].cells})
    # Red joins the first row to the last: no red edge touches the middle of a row between them.
    assert not any(rows[0] < y < rows[-1] for y in by_colour["red"])
    assert any(rows[0] < y < rows[-1] for y in by_colour["blue"])
    turned = turn_layout(layout).boards[0].sides
    assert [colour for _, colour in turned] == [colour for _, colour in layout.boards[0].sides]
    others = ("tictactoe", "mnk:4,4,3", "connect:3,4x4", "domineering:4x4", "breakthrough:4x4")
    assert not any(board.sides for name in others for board in layout_of(game(name)).boards)


BOXES = """
(role left) (role right) (init (control left)) (after 1 2) (after 2 3) (n 1) (n 2) (n 3)
(<= (init (box ?x ?y nobody)) (after ?x ?a) (after ?y ?b))
(<= (edge ?a ?y ?b ?y) (after ?a ?b) (n ?y))
(<= (edge ?x ?a ?x ?b) (after ?a ?b) (n ?x))
(<= (legal ?r (draw ?a ?b ?c ?d)) (true (control ?r)) (edge ?a ?b ?c ?d)
    (not (true (drawn ?a ?b ?c ?d))))
(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
(<= (next (drawn ?a ?b ?c ?d)) (does ?r (draw ?a ?b ?c ?d)))
(<= (next (drawn ?a ?b ?c ?d)) (true (drawn ?a ?b ?c ?d)))
(<= (next (box ?x ?y ?p)) (true (box ?x ?y ?p)))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= open (edge ?a ?b ?c ?d) (not (true (drawn ?a ?b ?c ?d))))
(<= terminal (not open))
(goal left 50) (goal right 50)
"""


def test_lines_between_neighbouring_points_are_drawn_as_such_with_boxes_between() -> None:
    made = CompiledGame(parse(BOXES))
    layout = layout_of(made)
    boxes, lines = layout.boards
    assert (lines.kind, len(lines.cells), len(lines.points)) == ("graph", 12, 9)
    assert boxes.on == 1
    [move] = [move for move in made.initial().legal("left") if str(move) == "(draw 1 1 1 2)"]
    assert say_move(scene_of(made, "left"), move) == "draw line 1 1–1 2"
    gesture = layout.gesture(move)
    assert (gesture.kind, [layout.cell(ref).key for ref in gesture.cells]) == (
        "click", [("1", "1", "1", "2")],
    )  # fmt: skip
    first = boxes.cells[boxes.index["1", "1"]]
    beside = [cell for cell in lines.cells if cell.y == first.y]  # the upright lines
    assert sorted(round(cell.x - first.x, 3) for cell in beside) == [-0.7, 0.7, 2.1]


def test_numbers_that_are_sown_are_heaps_and_a_permutation_is_not() -> None:
    mancala = kibitz.load(EXAMPLES / "small_mancala.rules.txt")
    (pits,) = layout_of(mancala).boards
    assert pits.kind == "heaps"
    at = {cell.name: (cell.y, cell.x) for cell in pits.cells}
    assert sorted(at, key=lambda name: at[name]) == [*"765", "8", "4", *"123"]
    assert at["8"][1] < at["1"][1] == at["7"][1]
    assert at["4"][1] > at["3"][1] == at["5"][1]
    assert layout_of(mancala).gesture(mancala.initial().legal("south")[0]).kind == "click"
    assert layout_of(game("eightpuzzle")).boards[0].kind == "grid"
