"""Answers in words: whose move is whose, and nothing in the notation of rule sheets."""

from __future__ import annotations

import pytest

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.puzzles import (
    Puzzle,
    Refutation,
    Wanted,
    answer_of,
    choose_puzzles,
    find_positions,
    read_skill,
    refutation_text,
)


def puzzle_of(name: str, role: str, win_in: int) -> Puzzle:
    game = CompiledGame(load_sheet(name))
    positions = find_positions(game, role)
    skill = read_skill("1", game)
    return next(iter(choose_puzzles(positions, win_in, own=skill, other=skill, wanted=Wanted(1))))


@pytest.mark.parametrize(("name", "role"), [("tictactoe", "oplayer"), ("connect:3,4x4", "xplayer")])
def test_replies_stand_in_brackets_and_moves_in_words(name: str, role: str) -> None:
    puzzle = puzzle_of(name, role, 1)
    text = answer_of(puzzle)
    line = text.partition(";")[0]
    assert line.count("(reply: ") == len(puzzle.line) // 2 == 1
    assert not any(move in text for move in puzzle.line)
    for word in ("take the", "drop in"):
        assert line.count(word) in (0, len(puzzle.line))


def test_a_refutation_names_the_wrong_move_and_the_reply() -> None:
    puzzle = puzzle_of("tictactoe", "xplayer", 1)
    (wrong, *_) = (m for m in map(str, puzzle.state.legal("xplayer")) if m not in puzzle.line[:1])
    reply = next(iter(puzzle.state.play(wrong).legal("oplayer")))
    text = refutation_text(puzzle, Refutation(wrong, (str(reply),), "o wins"))
    assert text.startswith("take the ")
    assert " (reply: take the " in text
    assert text.endswith("): o wins")


def test_a_line_that_is_not_legal_is_written_as_it_is() -> None:
    puzzle = puzzle_of("tictactoe", "xplayer", 1)
    odd = Refutation("(mark 9 9)", (), "nothing is known")
    assert refutation_text(puzzle, odd) == "(mark 9 9): nothing is known"
