"""Points of captures, arrivals and cells, results in points, and boards that come back."""

from __future__ import annotations

import pytest

from kibitz.engine import CompiledGame, State
from kibitz.errors import RuleSheetError
from kibitz.gdl import read
from kibitz.rulebook import rulebook_gdl

PLAYERS = "Players: White and Black. "


def start_of(text: str) -> State:
    return CompiledGame(read(rulebook_gdl(text))).initial()


def played(state: State, *moves: str) -> State:
    """Play moves by their names, one player after the other, whoever has them."""
    for wanted in moves:
        legal = [state.legal(role) for role in state.game.roles]
        assert any(wanted == str(move) for own in legal for move in own), (wanted, legal)
        state = state.step(
            [next((one for one in own if str(one) == wanted), own[0]) for own in legal]
        )
    return state


LANE = (
    PLAYERS + "Size: 2 by 3. White starts with men on a1 and b1. Black starts with men on a2 and "
    "b3. On your turn, move a man one step in any direction to an empty cell or to capture. "
    "Capturing a man is worth two points. A man that reaches the last row scores one point. "
)


def test_a_capture_and_an_arrival_give_points_in_one_move() -> None:
    state = start_of(LANE + "You win if you have at least three points.")
    quiet = played(state, "(move a 1 a 2)")
    assert not quiet.is_terminal  # two points
    assert not played(quiet, "(move b 3 b 2)").is_terminal
    won = played(quiet, "(move b 3 a 3)", "(move a 2 a 3)")  # two more, and the last row
    assert won.is_terminal
    assert list(won.goals.values()) == [100, 0]


def test_who_has_more_points_when_the_game_ends_wins() -> None:
    text = LANE + "The game ends after two turns. Whoever has the most points wins."
    state = start_of(text)
    assert list(played(state, "(move a 1 a 2)", "(move b 3 b 2)").goals.values()) == [100, 0]
    assert list(played(state, "(move b 1 b 2)", "(move a 2 b 2)").goals.values()) == [0, 100]
    assert list(played(state, "(move b 1 b 2)", "(move b 3 a 3)").goals.values()) == [50, 50]


PEGS = (
    "Player: Solver. The board is a row of 5 cells. There are pegs on 1, 2 and 4. On your turn, "
    "jump with a peg right over a peg to the empty cell behind it and capture it. The game ends if "
    "you cannot move. You win if there is one peg left. You get 40 points if two pegs are left."
)


def test_a_puzzle_gives_what_its_first_sentence_that_applies_says() -> None:
    state = start_of(PEGS)
    done = played(state, "(jump 1 3)", "(jump 3 5)")
    assert list(done.goals.values()) == [100]
    stuck = start_of(PEGS.replace("1, 2 and 4", "1, 2 and 5"))
    assert list(played(stuck, "(jump 1 3)").goals.values()) == [40]


def test_a_position_of_the_last_turns_ends_the_game() -> None:
    text = (
        PLAYERS
        + "The board is a row of 6 cells. White starts with a piece on 1. Black starts with "
        "a piece on 6. On your turn, move a piece one step sideways. The game is a draw if a "
        "position of the last eight turns comes back."
    )
    there = ("(move 1 2)", "(move 6 5)", "(move 2 3)", "(move 5 4)")
    back = ("(move 3 2)", "(move 4 5)")
    state = played(start_of(text), *there, *back[:1])
    assert not state.is_terminal
    assert played(state, back[1]).is_terminal


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (LANE + "The game ends after two turns.", "ENG002"),
        (LANE.replace("men on a1", "three men on a1") + "You lose if you cannot move.", "ENG005"),
        (LANE + "After a jump you may jump again with the same man. You lose if you cannot move.",
         "ENG002"),
    ],
)  # fmt: skip
def test_what_is_missing_or_contradicts_is_named(text: str, code: str) -> None:
    with pytest.raises(RuleSheetError) as caught:
        rulebook_gdl(text)
    assert caught.value.diagnostics[0].code == code
