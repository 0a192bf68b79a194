"""Sentences as designers and teachers write them are read as those of the table."""

from __future__ import annotations

import pytest

from kibitz.engine import CompiledGame
from kibitz.errors import RuleSheetError
from kibitz.gdl import read
from kibitz.rulebook import read_sentences, rulebook_gdl, write_rulebook

PLAYERS = "Players: White and Black. "


def as_read(text: str) -> list[str]:
    return write_rulebook(read_sentences(text).rules).splitlines()


@pytest.mark.parametrize(
    ("said", "read_as"),
    [
        ("Players are White and Black.", "Players: White and Black."),
        ("The board has 7 squares in a row.", "The board is a row of 7 cells."),
        (
            "There are three piles of stones: 3, 4 and 5 stones.",
            "There are piles of 3, 4 and 5 counters.",
        ),
        (
            "A player takes 1, 2 or 3 stones from any one pile.",
            "On your turn, take one to three counters from a pile.",
        ),
        (
            "Each turn, a player places one stone on any empty square that is next to no stone of "
            "the same colour.",
            "On your turn, place a stone on an empty cell that is not next to a stone of yours.",
        ),
        ("The player who cannot place a stone loses.", "You lose if you cannot move."),
        (
            "Players alternately drop a disc into a column that is not full.",
            "On your turn, drop a disc into a column.",
        ),
        (
            "The first player with 4 discs in a row horizontally, vertically or diagonally wins.",
            "You win if you have four discs in a line.",
        ),
        (
            "You win when one of your runners stands on the last row.",
            "You win if you have a runner on the last row.",
        ),
        (
            "An enemy piece that is sandwiched between two of your pieces is removed.",
            "A move captures each piece of your opponent between the moved piece and another of "
            "yours.",
        ),
        ("The game is played on a 5x4 board.", "The board is a grid of 5 columns and 4 rows."),
        ("Two players, Anna and Ben, take turns.", "Players: Anna and Ben."),
        ("There are 21 matches in a pile.", "There is a pile of 21 counters."),
        ("There are three piles of 5 stones.", "There are piles of 5, 5 and 5 counters."),
        ("There are 2 piles with 3 and 4 coins.", "There are piles of 3 and 4 counters."),
        ("The neighbours of p are q and r.", "Point p is joined to q and r."),
        (
            "On each turn a player places one of their marks on an empty square.",
            "On your turn, place a mark on an empty cell.",
        ),
        (
            "Players take turns dropping a disc into a column.",
            "On your turn, drop a disc into a column.",
        ),
        (
            "On your turn you must take 1, 2 or 3 matches.",
            "On your turn, take one to three counters from a pile.",
        ),
        (
            "A pawn moves one square straight forward.",
            "On your turn, move a pawn one step forward to an empty cell.",
        ),
        (
            "A pawn captures diagonally forward.",
            "On your turn, move a pawn one step diagonally forward onto a piece of your opponent "
            "to capture it.",
        ),
        (
            "Anna has a king on a1, two rooks on b1 and c1 and pawns on the second row.",
            "Anna starts with kings on a1. | Anna starts with two rooks on b1 and c1. | "
            "Anna starts with pawns on the second row.",
        ),
        (
            "Each player has a king on the first row and four pawns on the second row.",
            "Each player starts with kings on the first row. | "
            "Each player starts with four pawns on the second row.",
        ),
        (
            "A man may jump diagonally forward over an enemy piece, capturing it.",
            "On your turn, jump with a man diagonally forward over a piece of your opponent to the "
            "empty cell behind it, which captures it.",
        ),
        (
            "On your turn, jump forward over a piece.",
            "On your turn, jump with a piece forward over a piece to the empty cell behind it.",
        ),
        (
            "Kings and rooks capture by moving onto an enemy piece.",
            "Kings and rooks capture by moving onto a piece of your opponent.",
        ),
        ("You win if you capture the enemy king.", "You win if your opponent has no king left."),
        (
            "A player with no pieces left or who cannot move loses.",
            "You lose if you have no piece left. | You lose if you cannot move.",
        ),
        (
            "You win if you have three in a row or if you reach the far side.",
            "You win if you have three in a line. | You win if you have a piece on the last row.",
        ),
        (
            "The game is over when the board is full. The player with the most points wins.",
            "The game ends if the board is full. | Whoever has more points wins.",
        ),
        (
            "A line of three of your stones scores 2 points.",
            "Three stones of yours in a line are worth two points.",
        ),
        ("The first player to score 5 points wins.", "You win if you have at least five points."),
        (
            "On your turn you move your pawn one step and then place a wall on an empty cell.",
            "On your turn, move a pawn one step straight to an empty cell, then place a wall on an "
            "empty cell.",
        ),
        ("Captures are mandatory.", "You must capture if you can."),
        ("Two players: Anna and Bert.", "Players: Anna and Bert."),
        (
            "A pawn steps forward to an empty cell, or captures diagonally forward.",
            "On your turn, move a pawn one step forward to an empty cell. | On your turn, move a "
            "pawn one step diagonally forward onto a piece of your opponent to capture it.",
        ),
        (
            "Anna's stones start in the bottom row, Bert's in the top row.",
            "Anna starts with stones on the bottom row. | "
            "Bert starts with stones on the top row.",
        ),
        ("You win when your three stones stand in a row.",
         "You win if you have three stones in a line."),
        ("The first player to get three in a row wins.", "You win if you have three in a line."),
        ("The player who completes a line of four loses.", "You lose if you have four in a line."),
        ("A player with no pieces loses.", "You lose if you have no piece left."),
        ("You win by capturing all your opponent's men.",
         "You win if your opponent has no man left."),
        ("Whoever takes the last stone loses.",
         "You lose if nothing is left and you made the last move."),
        ("If the board fills up, nobody wins.", "The game is a draw if the board is full."),
        ("After 20 turns the game is a draw.",
         "The game is a draw if 20 turns have been played."),
        (
            "When neither player can move, the player with the most discs wins.",
            "If nobody can move, whoever has more discs wins.",
        ),
        ("If both cooperate, each gets 60 points.",
         "If all players choose cooperate, each gets 60 points."),
    ],
)  # fmt: skip
def test_a_sentence_in_other_words_is_read(said: str, read_as: str) -> None:
    first = "Players: Anna and Bert." if said.startswith("Anna") else ""
    assert as_read(f"{first} {said}")[bool(first) :] == read_as.split(" | ")


def test_a_player_may_be_named_with_an_article() -> None:
    text = (
        "Size: 5 by 5. Players: Wolf and Sheep. The wolf starts on c5. Sheep starts on a1 and e1. "
        "The wolf moves one square in any direction. A sheep moves one square up. "
        "The wolf wins if it reaches row 1. The sheep wins if the wolf cannot move."
    )
    assert as_read(text)[2:] == [
        "Wolf starts with pieces on c5.",
        "Sheep starts with pieces on a1 and e1.",
        "On Wolf's turn, move a piece one step in any direction to an empty cell.",
        "On Sheep's turn, move a piece one step up to an empty cell.",
        "Wolf wins if Wolf has a piece on row 1.",
        "Sheep wins if Wolf cannot move.",
    ]


def test_one_sentence_may_say_two_things() -> None:
    assert as_read("Rock beats scissors and paper beats rock.") == [
        "Rock beats scissors.",
        "Paper beats rock.",
    ]
    assert as_read("There are 7 pins in a row. Players take turns.") == [
        "The board is a row of 7 cells.",
        "There are pins on every cell.",
    ]


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("Name: X. The board is purple.", "The board is a "),
        ("Rock paper scissors.", 'write "Name: Rock paper scissors."'),
        ("Name: X. Press a cell to explode it.", "a cell"),
        ("Name: X. There are many piles of 5 stones.", "There is a pile of"),
    ],
)
def test_what_is_not_understood_is_not_guessed(said: str, hint: str) -> None:
    with pytest.raises(RuleSheetError) as caught:
        read_sentences(said)
    (found,) = caught.value.diagnostics
    assert hint in found.hint


def test_a_position_that_comes_back_ends_the_game() -> None:
    """Two pieces that can only go back and forth are back after four turns."""
    text = (
        "The board is a row of 4 cells. Players: White and Black. White starts with a piece on 1. "
        "Black starts with a piece on 4. On your turn, move a piece one step sideways to an empty "
        "cell. The game is a draw if the position is the same as four turns ago."
    )
    state = CompiledGame(read(rulebook_gdl(text))).initial()
    roles = state.game.roles
    for number in range(4):
        assert not state.is_terminal
        mover = number % 2
        away = [("1", "2"), ("4", "3"), ("2", "1"), ("3", "4")][number]
        joint = [
            next(
                move
                for move in state.legal(role)
                if n != mover or tuple(map(str, move.args)) == away
            )
            for n, role in enumerate(roles)
        ]
        state = state.step(joint)
    assert state.is_terminal
    assert set(state.goals.values()) == {50}


def test_a_designer_need_not_know_the_table() -> None:
    text = """Squeeze

    It is played on a 4x4 board. White has a king in the centre. Black starts with four guards on
    the top row. A king moves one step straight. Guards move one step straight.
    White wins if the king reaches a corner."""
    lines = as_read(text)
    assert lines[0] == "Name: Squeeze."
    assert "Players: White and Black." in lines
    assert "White wins if White has a king on a corner." in lines


def test_whoever_first_wins_some_rounds_wins() -> None:
    lines = as_read(
        "Two players called Ann and Bob choose at the same time. Each chooses attack or rest. "
        "Attack beats rest. The player who wins two rounds first wins the game."
    )
    assert lines[0] == "Players: Ann and Bob."
    assert lines[-2:] == [
        "A choice that beats the other gives one point.",
        "You win if you have at least two points.",
    ]


def test_rounds_are_counted_in_points() -> None:
    text = (
        "Players: Ann and Bob. Both players choose rock, paper or scissors at the same time. Rock "
        "beats scissors, scissors beats paper and paper beats rock. The winner of a round gets one "
        "point. The first player with 2 points wins."
    )
    game = CompiledGame(read(rulebook_gdl(text)))
    state = game.initial()
    choices = {str(move): move for move in state.legal(game.roles[0])}
    for _ in range(2):
        assert not state.is_terminal
        state = state.step([choices["rock"], choices["scissors"]])
    assert state.is_terminal
    assert [state.goals[role] for role in game.roles] == [100, 0]


def test_piece_is_any_word_for_the_only_kind_that_a_player_has() -> None:
    text = (
        "Size: 3 by 3. Players: White and Black. White starts with pieces on a1. On your turn, "
        "place a stone on an empty cell. You win if you have three in a line."
    )
    assert "white_stone" not in rulebook_gdl(text)
