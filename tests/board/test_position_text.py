"""Positions that were printed are read as the states they are of, and nothing else is read."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, strategies as st
from tests.board.looks import LIBRARY, game
from tests.effort import examples

import kibitz
from kibitz.board import layout_of, mark_move, read_position, text_board
from kibitz.engine import ReferenceGame, State, UngroundedGame
from kibitz.errors import InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.puzzles.sheets import board_code

LOOKS = (
    "tictactoe",
    "nim",
    "hanoi",
    "sim",
    "connectfour",
    "maze",
    "eightpuzzle",
    "hex",
    "roshambo",
)


def walked(name: str, moves: int, seed: int) -> State:
    source, state = random.Random(seed), game(name).initial()
    for _ in range(moves):
        if state.is_terminal:
            break
        state = state.step([source.choice(state.legal(role)) for role in state.game.roles])
    return state


SHOWN = [name for name in LIBRARY if name.partition(":")[0] in LOOKS]


@examples(60)
@given(st.sampled_from(SHOWN), st.integers(0, 20), st.integers(0, 9))
def test_a_position_that_was_printed_is_read_as_it_was(name: str, moves: int, seed: int) -> None:
    state = walked(name, moves, seed)
    for text in (text_board(state), str(state), f"\n{text_board(state)}\n\n"):
        assert read_position(state.game, text) == state


def test_marks_indentation_and_brackets_do_not_matter() -> None:
    state = game("tictactoe").initial().play("(mark 2 2)")
    layout = layout_of(state.game)
    marked = text_board(state, marks=[mark_move(layout, state.legal_moves[0])])
    assert "[" in marked
    indented = "\n".join(f"    {line}" for line in marked.splitlines())
    assert read_position(state.game, indented) == state


def test_rows_with_numbers_of_empty_cells_are_read() -> None:
    for puzzle in kibitz.puzzles("tictactoe", win_in=1, count=3):
        code = board_code(puzzle)
        assert "/" in code
        made = game("tictactoe")
        assert read_position(made, code) == made.state_of(puzzle.state.fluents)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("  1 2 3\n1 . . .\n2 . q .\n3 . . .\nO to move", "'q' stands for nothing on 2 2"),
        ("  1 2 3\n1 . . .\n2 . x .\n3 . . .\nBob to move", "'Bob to move' is nothing"),
        ("  1 2 3\n1 . . .\n2 . x .", "another number of lines"),
        ("3/1x1/3/3 oplayer", "a board of 3 rows, where the text has 4"),
        ("3/1x2/3 oplayer", "3 cells in a row, where '1x2' has 4"),
        ("hello", "another number of lines"),
        ("", "another number of lines"),
        ("(cell 1 1 q)", "can never hold"),
    ],
)
def test_what_is_no_position_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(InputError) as caught:
        read_position(game("tictactoe"), text)
    assert why in caught.value.message


@given(st.text("123 .xo\n[]/()ab", max_size=60))
def test_any_text_is_read_as_it_is_drawn_or_refused(text: str) -> None:
    made = game("tictactoe")
    try:
        state = read_position(made, text)
    except KibitzError:
        return
    assert state in {read_position(made, text_board(state)), read_position(made, str(state))}


def test_a_game_that_is_not_grounded_takes_fluents() -> None:
    made = UngroundedGame(load_sheet("tictactoe"))
    assert read_position(made, str(made.initial())) == made.initial()
    with pytest.raises(InputError, match="could not be grounded"):
        read_position(made, text_board(made.initial()))


@pytest.mark.parametrize("engine", [kibitz.load, ReferenceGame, UngroundedGame])
def test_texts_are_terms_in_states(engine: object) -> None:
    assert callable(engine)
    made = engine("nim:1,2" if engine is kibitz.load else load_sheet("nim:1,2"))
    state = made.initial().play("(reduce b 1)")
    texts = ["(heap a 1)", "(heap b 1)", "(control player2)"]
    assert made.state(texts) == made.state(" ".join(texts)) == state
    assert made.state([*state.fluents[:1], *map(str, state.fluents[1:])]) == state


def test_a_loaded_game_reads_what_it_draws() -> None:
    made = kibitz.load("connectfour")
    state = made.initial().play("(drop 4)")
    assert made.position(str(kibitz.draw(state))) == state
