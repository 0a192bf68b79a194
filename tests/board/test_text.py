"""Boards in letters, as a person reads them."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest
from tests.board.looks import foreign, game
from tests.effort import quick
from tests.foreign import needs_foreign

from kibitz.board import layout_of, mark_move, svg_board, text_board, text_stencil
from kibitz.engine import ReferenceGame
from kibitz.gdl import parse, parse_terms

START = {
    "tictactoe": """
          1 2 3
        1 . . .
        2 . . .
        3 . . .
        X to move
        """,
    "eightpuzzle": """
          1 2 3
        1 8 1 3
        2 4 . 2
        3 7 6 5
        """,
    "breakthrough:4x5": """
        4 ● ● ● ● ●
        3 ● ● ● ● ●
        2 ○ ○ ○ ○ ○
        1 ○ ○ ○ ○ ○
          1 2 3 4 5
        White to move
        """,
    "nim:1,3,5": """
        a ● 1
        b ●●● 3
        c ●●●●● 5
        Player 1 to move
        """,
    "sim": """
            2 3 4 5 6
        1   . . . . .
        2     . . . .
        3       . . .
        4         . .
        5           .
        Red to move
        """,
    "maze": """
            1   2   3   4   5
          +---+---+---+---+---+
        1 | ● |               |
          +   +   +---+---+   +
        2 |   |       |       |
          +   +---+   +   +   +
        3 |       |       |   |
          +---+   +   +---+   +
        4 |       |           |
          +   +---+   +   +---+
        5 |           |       |
          +---+---+---+---+---+
        """,
    "hanoi:4": """
        a: 4 3 2 1
        b:
        c:
        """,
    "hex:3": """
          1 2 3
        1 . . .
        2  . . .
        3   . . .
        Red to move
        """,
    "pegsolitaire": """
        1     .
        2    ● ●
        3   ● ● ●
        4  ● ● ● ●
        5 ● ● ● ● ●
        """,
    "threemensmorris": """
          1 2 3
        1 . . .
        2 . . .
        3 . . .
        X to move
        hand: O 3, X 3
        """,
    "kayles:4": """
        1 2 3 4
        | | | |
        Player 1 to move
        """,
}

STRANGERS = {
    "checkers": """
        8 ● . ● . ● . ● .
        7 . ● . ● . ● . ●
        6 ● . ● . ● . ● .
        5 . . . . . . . .
        4 . . . . . . . .
        3 . ○ . ○ . ○ . ○
        2 ○ . ○ . ○ . ○ .
        1 . ○ . ○ . ○ . ○
          a b c d e f g h
        White to move
        piece count: Black 12, White 12; step 1
        """,
    "chineseCheckers2": """
        a       R
        b      R R
        c M M . . . Y Y
        d  M . . . . Y
        e   . . . . .
        f  B . . . . G
        g B B . . . G G
        h      T T
        i       T
        Red to move
        step 1
        """,
    "hanoi": """
        pillar1: disc5 disc4 disc3 disc2 disc1
        pillar2:
        pillar3:
        step: s0
        clear: disc1 pillar2 pillar3
        """,
    "blocks": """
        a: c
        b:
        step 1
        clear: b c
        table: a b
        """,
    "knightThrough": """
        8 ● ● ● ● ● ● ● ●
        7 ● ● ● ● ● ● ● ●
        6 . . . . . . . .
        5 . . . . . . . .
        4 . . . . . . . .
        3 . . . . . . . .
        2 ○ ○ ○ ○ ○ ○ ○ ○
        1 ○ ○ ○ ○ ○ ○ ○ ○
          1 2 3 4 5 6 7 8
        White to move
        """,
    "minichess": """
        4 ♚ . . .
        3 . . . .
        2 . . . .
        1 . . ♔ ♖
          a b c d
        White to move
        step 1
        """,
    "othello-comp2007": """
        8 . . . . . . . .
        7 . . . . . . . .
        6 . . . . . . . .
        5 . . . R ● . . .
        4 . . . ● R . . .
        3 . . . . . . . .
        2 . . . . . . . .
        1 . . . . . . . .
          1 2 3 4 5 6 7 8
        Black to move
        """,
    "nim1": """
        a ● 1
        b ●●●●● 5
        c ●●●● 4
        d ●● 2
        Player 1 to move
        """,
    "pentago": """
        . . .  . . .
        . . .  . . .
        . . .  . . .

        . . .  . . .
        . . .  . . .
        . . .  . . .
        Red to move (place)
        """,
    "skirmish": """
        8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜
        7 ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟
        6 . . . . . . . .
        5 . . . . . . . .
        4 . . . . . . . .
        3 . . . . . . . .
        2 ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙
        1 ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖
          1 2 3 4 5 6 7 8
        White to move
        capture count: Black 0, White 0; step 1
        """,
}


def trimmed(text: str) -> str:
    return dedent(text).strip("\n").rstrip()


@pytest.mark.parametrize("name", START)
def test_a_game_of_the_library_looks_as_people_draw_it(name: str) -> None:
    assert text_board(game(name).initial()) == trimmed(START[name])


@needs_foreign
@pytest.mark.parametrize(
    "name", quick(list(STRANGERS), STRANGERS.keys() - {"othello-comp2007", "skirmish"})
)
def test_a_foreign_game_looks_as_people_draw_it(name: str) -> None:
    assert text_board(foreign(name).initial()) == trimmed(STRANGERS[name])


def test_pieces_fall_to_the_bottom() -> None:
    state = game("connectfour").initial()
    for joint in (["(drop 4)", "noop"], ["noop", "(drop 4)"]):
        state = state.step(joint)
    assert text_board(state).splitlines()[-4:] == [
        "2 . . . o . . .",
        "1 . . . x . . .",
        "  1 2 3 4 5 6 7",
        "X to move",
    ]


def test_marked_cells_stand_in_brackets() -> None:
    state = game("breakthrough:4x4").initial()
    (move,) = parse_terms("(move 2 1 3 2)")
    layout = layout_of(state.game)
    board = text_board(state, layout, marks=[mark_move(layout, move)])
    assert board.splitlines()[1:3] == ["3 ●[●]● ●", "2[○]○ ○ ○"]


def test_colours_are_codes_of_terminals_around_the_same_letters() -> None:
    import re

    state = game("tictactoe").initial().step(["(mark 1 1)", "noop"])
    coloured = text_board(state, colour=True)
    assert "\x1b[34mx\x1b[0m" in coloured
    assert re.sub(r"\x1b\[\d*m", "", coloured) == text_board(state)


def test_a_rule_is_a_board_with_what_it_speaks_of() -> None:
    cell, not_cell, control, move = parse_terms(
        "(cell 1 1 x) (cell 2 2 b) (control xplayer) (mark 3 3)"
    )
    literals = [(cell, True), (not_cell, False), (control, True)]
    assert text_stencil(game("tictactoe"), literals, [move]) == trimmed(
        """
           1  2  3
        1  x  ·  ·
        2  · ¬.  ·
        3  ·  · [·]
        (control xplayer)
        """
    )


def test_a_rule_of_heaps_names_heaps() -> None:
    heap, move = parse_terms("(heap a 2) (reduce b 1)")
    assert text_stencil(game("nim:2,3"), [(heap, True)], [move]) == trimmed(
        """
        a ●● 2
        b · <
        """
    )


@pytest.mark.parametrize("sizes", ["1,2,2", "1,3,5,7", "2,4,6,free"])
def test_numbers_that_moves_take_away_are_counters_and_not_columns(sizes: str) -> None:
    played = game(f"piles:{sizes}")
    layout = layout_of(played)
    assert [board.kind for board in layout.boards] == ["heaps"]
    for move in played.initial().legal("a"):
        pile, taken = map(str, move.args)
        gesture = layout.gesture(move)
        (cell,) = gesture.cells
        assert layout.boards[0].cells[cell.cell].key == (pile,)
        assert gesture.value == taken


def test_b_is_a_player_beside_a() -> None:
    state = game("marks").initial()
    for moves in ("(mark (c 1 1)) noop", "noop (mark (c 2 2))"):
        state = state.step([str(move) for move in parse_terms(moves)])
    assert text_board(state).splitlines()[:4] == ["  1 2 3", "1 a . .", "2 . b .", "3 . . ."]


def test_what_is_only_true_of_a_place_is_a_small_sign_beside_its_piece() -> None:
    rules = """(role me) (init (cell 1 1 red)) (init (cell 1 2 b)) (init (cell 2 1 b))
        (init (cell 2 2 b)) (init (under_fire 1 1)) (init (under_fire 2 2))
        (legal me wait) (<= terminal (true over))
        (goal me 0) (<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v)))
        (<= (next (under_fire ?x ?y)) (true (cell ?x ?y ?v)))"""
    drawn = svg_board(ReferenceGame(parse(rules)).initial())
    disc = re.search(r'<circle[^>]* r="([\d.]+)"[^>]*red', drawn)
    assert disc is not None
    alone = svg_board(ReferenceGame(parse(rules.replace("(init (under_fire 1 1))", ""))).initial())
    assert disc[1] in alone  # as large as without the sign
    assert drawn.count(">uf<") == 2
