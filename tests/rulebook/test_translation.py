"""Games written in English, against the same games of the library: states, ends, values."""

from __future__ import annotations

import pytest
from tests.effort import quick

import kibitz
from kibitz.engine import CompiledGame, State
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.rulebook import rulebook_gdl
from kibitz.space import explore

TWO = "Players: White and Black. "
STUCK = "You lose if you cannot move."
SAME = {
    "tictactoe": "Size: 3 by 3. " + TWO + "On your turn, mark an empty cell. You win if you have "
    "three in a line. The game is a draw if the board is full.",
    "mnk:3,3,3,RC": "Size: 3 by 3. " + TWO + "On your turn, mark an empty cell. You win if you "
    "have three in a row or column. The game is a draw if the board is full.",
    "connect:3,3x4": "Size: 4 by 3. " + TWO + "On your turn, drop a piece into a column. You win "
    "if you have three in a line. The game is a draw if the board is full.",
    "nim:2,3,misere": "There are piles of 2 and 3 counters. " + TWO + "On your turn, take any "
    "number of counters from a pile. You win if you cannot move.",
    "kayles:7": "The board is a row of 7 cells. There are pins on every cell. " + TWO
    + "On your turn, remove a pin or remove two pins next to each other. " + STUCK,
    "chomp:3x4": "Size: 4 by 3. There are crumbs on every cell. " + TWO + "On your turn, remove "
    "a crumb with everything above it and to its right. You lose if nothing is left and you "
    "made the last move.",
    "domineering:3x4": "Size: 4 by 3. " + TWO + "On White's turn, place a domino on two empty "
    "cells one above the other. On Black's turn, place a domino on two empty cells side by side. "
    + STUCK,
    "hex:3": "The board is a rhombus of hexagons with 3 columns and 3 rows. " + TWO + "On your "
    "turn, place a piece on an empty cell. White wins if White connects top and bottom. Black "
    "wins if Black connects left and right.",
    "breakthrough:4x3": "Size: 3 by 4. " + TWO + "White starts with men on rows 1 and 2. Black "
    "starts with men on rows 3 and 4. On your turn, move a man one step forward to an empty cell. "
    "On your turn, move a man one step diagonally forward to an empty cell or to capture. You win "
    "if you have a man on the last row. You win if your opponent has no man left.",
    "knightthrough:4x4": "Size: 4 by 4. " + TWO + "White starts with knights on rows 1 and 2. "
    "Black starts with knights on rows 3 and 4. On your turn, move a knight forward like a knight "
    "to an empty cell or to capture. You win if one of your knights reaches the last row. You win "
    "if your opponent has no knight left.",
    "lightsout": "Size: 3 by 3. Player: Solver. There are lamps on every cell. On your turn, "
    "switch the lamp on a cell and on the cells next to it. You win if nothing is left.",
    "roshambo": TWO + "Both players choose at the same time. Each player starts with 0 points and "
    "can hold 3. On your turn, choose rock, paper or scissors. Rock beats scissors. Scissors beats "
    "paper. Paper beats rock. Whoever beats the other gets one point. If three turns have been "
    "played, whoever has more points wins.",
    "sum15": "The board is a row of 9 cells. " + TWO + "On your turn, mark an empty cell. You win "
    "if you have three numbers that add up to 15. The game is a draw if the board is full.",
    "pawnwhopping:5x3": "Size: 3 by 5. " + TWO + "White starts with pawns on row 2. Black starts "
    "with pawns on row 4. On your turn, move a pawn one step forward to an empty cell. On your "
    "turn, move a pawn two steps forward from rows 2 and 4 over empty cells. On your turn, move a "
    "pawn one step diagonally forward to capture. If you cannot move, you pass. You win if one of "
    "your pawns reaches the last row. You win if your opponent has no pawn left. The game is a "
    "draw if neither player can move.",
    "crossdot:6,3": "The board is a row of 6 cells. " + TWO + "On your turn, mark an empty cell. "
    "You win if you have three in a line. The game is a draw if the board is full.",
}  # fmt: skip


QUICK = {"chomp:3x4", "crossdot:6,3", "domineering:3x4", "hex:3", "kayles:7"}


@pytest.mark.parametrize("name", quick(sorted(SAME), QUICK))
def test_the_game_is_that_of_the_library(name: str) -> None:
    english = CompiledGame(read(rulebook_gdl(SAME[name])))
    library = CompiledGame(load_sheet(name))
    spaces = explore(english), explore(library)
    sizes = [(len(space), int(space.terminal.sum()), space.edges) for space in spaces]
    assert sizes[0] == sizes[1]
    values = [tuple(kibitz.solve(g).value(g.initial()).values()) for g in (english, library)]
    assert values[0] == values[1]


def play(text: str, *moves: str) -> tuple[State, list[str]]:
    """Play moves of a game in English; return the state and its legal moves."""
    state: State = CompiledGame(read(rulebook_gdl(text))).initial()
    for move in moves:
        state = state.play(move)
    return state, [] if state.is_terminal else sorted(map(str, state.legal_moves))


def on(state: State) -> set[str]:
    """The pieces of a state."""
    return {str(f)[6:-1] for f in state.fluents if f.name == "cell" and not str(f).endswith(" b)")}


DRAUGHTS = (
    "Size: 4 by 4. " + TWO + "White starts with men on b1. Black starts with men on c2 and c4. "
    "On your turn, move a man one step diagonally forward to an empty cell. On your turn, jump "
    "with a man diagonally forward over a piece of your opponent to the empty cell behind it and "
    "capture it. On your turn, move a king one step diagonally to an empty cell. A man that "
    "reaches the last row becomes a king. " + STUCK
)


def test_a_piece_that_is_jumped_over_is_captured_and_a_man_becomes_a_king() -> None:
    state, moves = play(DRAUGHTS)
    assert moves == ["(jump b 1 d 3)", "(move b 1 a 2)"]
    state, _ = play(DRAUGHTS, "(jump b 1 d 3)")
    assert on(state) == {"d 3 white_man", "c 4 black_man"}
    state, moves = play(DRAUGHTS, "(jump b 1 d 3)", "(move c 4 b 3)", "(move d 3 c 4)")
    assert on(state) == {"c 4 white_king", "b 3 black_man"}


def test_whoever_can_capture_must_if_the_rules_say_so() -> None:
    _, moves = play(DRAUGHTS + " You must capture if you can.")
    assert moves == ["(jump b 1 d 3)", "noop"]


def test_a_turn_can_have_two_moves() -> None:
    text = "The board is a row of 4 cells. " + TWO + "A turn has two moves. On your turn, place a "
    text += "piece on an empty cell. You win if the board is full and you made the last move."
    state, _ = play(text, "(place 1)")
    assert state.turn == ("white",)
    state, _ = play(text, "(place 1)", "(place 2)")
    assert state.turn == ("black",)
    state, _ = play(text, "(place 1)", "(place 2)", "(place 3)", "(place 4)")
    assert state.goals == {"white": 0, "black": 100}


def test_whoever_cannot_move_passes_if_the_rules_say_so() -> None:
    text = "The board is a row of 3 cells. " + TWO + "White starts with men on 1. Black starts "
    text += "with men on 2. On your turn, move a man one step right to an empty cell. If you "
    text += "cannot move, you pass. The game is a draw if 9 turns have been played."
    state, moves = play(text)
    assert moves == ["noop", "pass"]
    state, _ = play(text, "pass", "(move 2 3)", "(move 1 2)")
    assert state.is_terminal, "nobody can move any more"
    assert state.goals == {"white": 50, "black": 50}


def test_forward_is_the_way_of_the_player_whom_a_sentence_names() -> None:
    text = "Size: 3 by 3. " + TWO + "White starts with men on a2. Black starts with men on b3. "
    for name in ("White", "Black"):
        text += f"On {name}'s turn, move a man diagonally forward to an empty cell or to capture. "
    _, moves = play(text + STUCK)
    assert moves == ["(move a 2 b 3)", "noop"]
    _, moves = play(text + STUCK, "(move a 2 b 3)")
    assert not moves


def test_pieces_slide_swap_and_hop() -> None:
    text = "Size: 4 by 1. " + TWO + "White starts with men on a1. Black starts with men on c1. "
    text += "On your turn, slide a man sideways over empty cells to an empty cell or to capture. "
    _, moves = play(text + STUCK)
    assert moves == ["(move a 1 b 1)", "(move a 1 c 1)"]
    text = "The board is a row of 3 cells. " + TWO + "White starts with men on 1. Black starts "
    text += "with men on 2. On your turn, swap a man with a piece of your opponent next to it. "
    text += "On your turn, jump with a man in any direction over a piece to the empty cell behind "
    state, moves = play(text + "it. " + STUCK)
    assert moves == ["(hop 1 3)", "(swap 1 2)"]
    state, _ = play(text + "it. " + STUCK, "(swap 1 2)")
    assert on(state) == {"1 black", "2 white"}


def test_pieces_between_two_others_are_captured() -> None:
    text = "The board is a row of 4 cells. " + TWO + "White starts with men on 1. Black starts "
    text += "with men on 2. On your turn, place a man on an empty cell. A move captures each piece "
    text += "of your opponent between the moved piece and another of yours. " + STUCK
    state, _ = play(text, "(place 3)")
    assert on(state) == {"1 white", "3 white"}


def test_more_pieces_win_and_fewer_if_the_rules_say_so() -> None:
    text = "The board is a row of 3 cells. " + TWO + "On your turn, place a piece on an empty "
    text += "cell. If the board is full, whoever has {} pieces wins."
    moves = "(place 1)", "(place 2)", "(place 3)"
    assert play(text.format("more"), *moves)[0].goals == {"white": 100, "black": 0}
    assert play(text.format("fewer"), *moves)[0].goals == {"white": 0, "black": 100}


def test_points_for_choices() -> None:
    text = TWO + "All players move at the same time. On your turn, choose stay or swerve. "
    pairs = [("stay", "stay", 0, 0), ("stay", "swerve", 100, 30), ("swerve", "stay", 30, 100)]
    for mine, theirs, my, their in [*pairs, ("swerve", "swerve", 60, 60)]:
        text += f"If White chooses {mine} and Black chooses {theirs}, White gets {my} points and "
        text += f"Black gets {their} points. "
    state = CompiledGame(read(rulebook_gdl(text))).initial().step(["stay", "swerve"])
    assert state.is_terminal
    assert state.goals == {"white": 100, "black": 30}


def test_the_first_sentence_that_applies_decides() -> None:
    text = "The board is a row of 2 cells. " + TWO + "On your turn, place a piece on an empty cell."
    win, lose = " You win if the board is full and you made the last move.", " " + STUCK
    moves = "(place 1)", "(place 2)"
    assert play(text + win + lose, *moves)[0].goals == {"white": 0, "black": 100}
    assert play(text + lose + win, *moves)[0].goals == {"white": 0, "black": 100}
    lose = " You lose if the board is full and your opponent cannot move."
    assert play(text + win + lose, *moves)[0].goals == {"white": 0, "black": 100}
    assert play(text + lose + win, *moves)[0].goals == {"white": 100, "black": 0}


def test_where_nothing_is_said_of_being_stuck_it_is_a_draw() -> None:
    text = "The board is a row of 2 cells. " + TWO + "On your turn, place a piece on an empty "
    text += "cell. You win if you have 2 in a line."
    state, _ = play(text, "(place 1)", "(place 2)")
    assert state.is_terminal
    assert set(state.goals.values()) == {50}
