"""Rule books of games: sentences that make the same game, or none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.effort import quick
from tests.rulebook.test_translation import SAME

from kibitz.engine import CompiledGame, Game, State
from kibitz.english import rule_book_of
from kibitz.english.rulebooks.comparison import compare_games
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.rulebook import rulebook_gdl

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
COMPLETE = (
    "tictactoe",
    "mnk:4,4,3,RC",
    "connect:3,4x4",
    "crossdot:6,3",
    "nim:1,3,5,7,misere",
    "nim:1,2",
    "kayles:7",
    "chomp:3x4",
    "hex:3",
    "marks:3,3,3",
    "breakthrough:5x5",
    "knightthrough:5x4",
    "domineering:3x3",
    "lightsout:2x2",
    "sum15",
    "pawnwhopping:5x3",
)


@pytest.mark.parametrize("name", quick(COMPLETE, {"crossdot:6,3", "chomp:3x4", "lightsout:2x2"}))
def test_games_of_the_library_are_written_whole(name: str) -> None:
    book = rule_book_of(CompiledGame(load_sheet(name)))
    assert book.is_complete
    assert book.missing == ()
    rulebook_gdl(book.text)


@pytest.mark.parametrize(
    "name",
    quick(
        ("burnt_bridges", "cram", "dodgem", "hexapawn", "kings_and_guards", "notakto", "picaria",
         "three_for_three", "wythoff"),
        {"burnt_bridges", "hexapawn", "kings_and_guards"},
    ),
)  # fmt: skip
def test_games_in_english_come_back_in_english(name: str) -> None:
    book = rule_book_of(without_sentences((EXAMPLES / f"{name}.rules.txt").read_text("utf-8")))
    assert book.is_complete
    assert not book.has_letters


def without_sentences(text: str) -> CompiledGame:
    """The game that sentences make, from a rule sheet that does not have them as comments."""
    lines = rulebook_gdl(text).splitlines()
    return CompiledGame(read("\n".join(line for line in lines if not line.startswith(";"))))


def test_names_that_begin_with_a_verb_are_said_with_it() -> None:
    text = (EXAMPLES / "hopping_frogs.rules.txt").read_text("utf-8")
    assert "it is jumping" in rule_book_of(without_sentences(text)).text


def test_pieces_that_become_others_on_the_last_row_are_in_sentences() -> None:
    text = """Size: 2 by 4. Players: White and Black.
    White starts with pawns on row 1. Black starts with pawns on row 4.
    On your turn, move a pawn one step forward to an empty cell or to capture.
    On your turn, move a queen one step in any direction to an empty cell or to capture.
    A pawn that reaches the last row becomes a queen.
    You lose if you have no piece left. You lose if you cannot move."""
    book = rule_book_of(CompiledGame(read(rulebook_gdl(text))))
    assert "A pawn that reaches the last row becomes a queen." in book.text.splitlines()


FOREIGN = Path(__file__).resolve().parents[3] / "shared" / "games" / "rules"


@pytest.mark.slow
@pytest.mark.skipif(not FOREIGN.is_dir(), reason="there are no foreign rule sheets")
@pytest.mark.parametrize(
    "name",
    ["breakthroughSmall", "chomp", "conn4", "nim1", "nim2", "nim3", "nim4", "sum15", "ticTacToe"],
)
def test_games_by_others_are_written_whole(name: str) -> None:
    sheet = read((FOREIGN / f"{name}.kif").read_bytes(), name=name)
    assert rule_book_of(CompiledGame(sheet)).is_complete


@pytest.mark.parametrize("name", ["sim", "hanoi"])
def test_what_has_no_pattern_is_written_with_letters(name: str) -> None:
    book = rule_book_of(CompiledGame(load_sheet(name)))
    assert book.is_complete
    assert book.has_letters
    rulebook_gdl(book.text)


def test_moves_may_have_names_that_match_in_no_fixed_way() -> None:
    """The library says what a heap is reduced to, sentences say what is taken from it."""
    book = rule_book_of(CompiledGame(load_sheet("nim:5,6,7")), moves=600)
    assert book.is_complete
    assert not book.is_exhaustive


def test_two_moves_that_do_nothing_have_words_each() -> None:
    text = (
        "(role ann) (role bob) (init (heap 3)) (init (turn ann)) (succ 0 1) (succ 1 2) (succ 2 3)"
        "(<= (legal ?r (take 1)) (true (turn ?r)))"
        "(<= (legal ?r (take 2)) (true (turn ?r)) (not (true (heap 1))))"
        "(<= (legal ann noop) (true (turn bob))) (<= (legal bob noop2) (true (turn ann)))"
        "(<= (next (turn bob)) (true (turn ann))) (<= (next (turn ann)) (true (turn bob)))"
        "(<= (next (heap ?m)) (does ?r (take 1)) (true (heap ?n)) (succ ?m ?n))"
        "(<= (next (heap ?k)) (does ?r (take 2)) (true (heap ?n)) (succ ?m ?n) (succ ?k ?m))"
        "(<= terminal (true (heap 0))) (<= (goal ?r 0) (true (turn ?r)))"
        "(<= (goal ?r 100) (role ?r) (not (true (turn ?r))))"
    )
    written = rule_book_of(CompiledGame(read(text))).text
    assert "noop" not in written
    assert rulebook_gdl(written).count("(legal ") == 4


@pytest.mark.slow
def test_names_in_the_sheet_do_not_matter() -> None:
    text = load_sheet("tictactoe").source.text
    for old, new in (("xplayer", "ying"), ("oplayer", "yang"), ("cell", "zork"), ("mark", "glub")):
        text = text.replace(old, new)
    text = text.replace(" x)", " p)").replace(" o)", " q)").replace("noop", "wait")
    book = rule_book_of(CompiledGame(read(text)))
    assert book.text.splitlines()[1:] == [
        "Players: Ying and Yang.",
        "Ying begins.",
        "On your turn, place a piece on an empty cell.",
        "You win if you have three in a line.",
        "The game is a draw if the board is full.",
    ]


def board_of(state: State) -> tuple[str, ...]:
    """The contents of the cells, by role number."""
    names = {role: str(n) for n, role in enumerate(state.game.roles)} | {"x": "0", "o": "1"}
    held = []
    for fluent in state.fluents:
        if fluent.name == "cell":
            *where, what = map(str, fluent.args)
            column, row = where
            column = str("_abc".index(column)) if column in "abc" else column
            held.append((column, row, names.get(what, "")))
    return tuple(" ".join(one) for one in sorted(held))


def english(text: str) -> Game:
    return CompiledGame(read(rulebook_gdl(text)))


TICTACTOE = SAME["tictactoe"]


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("", "", ""),
        ("in a line", "in a row or column", "when play ends"),
        ("three in", "two in", "when play ends"),
        ("You win", "You lose", "what players get at the end"),
        ("mark an empty cell", "drop a piece into a column", "which moves there are"),
        ("mark an empty cell", "place a piece on an empty cell on the edge",
         "which moves there are"),
        ("mark an empty cell", "mark an empty cell or pass", "which moves there are"),
        ("The game is a draw if the board is full.", "You lose if you cannot move.",
         "what players get at the end"),
    ],
)  # fmt: skip
def test_games_that_differ_are_told_apart(old: str, new: str, difference: str) -> None:
    library = CompiledGame(load_sheet("tictactoe"))
    other = english(TICTACTOE.replace(old, new, 1) if old else TICTACTOE)
    found = compare_games(library, other, board_of, board_of, moves=3_000)
    assert found.agree == (not difference)
    assert found.difference == difference
    assert (found.where is None) == found.agree


def test_small_games_are_compared_whole_and_large_ones_in_part() -> None:
    game = english(SAME["crossdot:6,3"])

    def contents(state: State) -> tuple[str, ...]:
        return tuple(str(f) for f in state.fluents if f.name == "cell")

    found = compare_games(game, game, contents, contents)
    assert found.agree
    assert found.is_complete
    part = compare_games(game, game, contents, contents, moves=100)
    assert part.agree
    assert not part.is_complete
    assert part.states < found.states


def test_an_end_that_random_matches_miss_is_compared() -> None:
    text = (
        "Size: 6 by 6. Players: White and Black. White starts with men on rows 1 and 2. Black "
        "starts with men on rows 5 and 6. On your turn, move a man one step forward to an empty "
        "cell or move a man one step diagonally forward to capture. You win if you have a man on "
        "the last row. "
    )
    games = english(text), english(text + "You lose if you cannot move.")

    def contents(state: State) -> tuple[str, ...]:
        return tuple(str(f) for f in state.fluents if f.name == "cell")

    found = compare_games(*games, contents, contents, moves=4_000)
    assert found.difference == "what players get at the end"


@pytest.mark.slow
def test_the_text_is_the_same_for_every_hash_seed() -> None:
    code = (
        "import json; from kibitz.engine import CompiledGame; from kibitz.games import load_sheet;"
        "from kibitz.english import rule_book_of;"
        "print(json.dumps([rule_book_of(CompiledGame(load_sheet(n))).text"
        " for n in ('kayles:4', 'nim:1,2', 'sim', 'hanoi', 'tictacchec')]))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
    assert all(json.loads(texts.pop()))


def test_a_sum_that_fits_by_chance_is_not_preferred() -> None:
    text = (
        "The board is a row of 5 cells.\nPlayers: Red and Blue.\nRed begins.\n"
        "On your turn, place a piece on an empty cell.\nYou lose if you have two in a line.\n"
        "The game is a draw if the board is full.\n"
    )  # A full board without two in a line has red on 1, 3 and 5, which add up to 9.
    assert rule_book_of(english(text)).text.split() == text.split()


OTHELLO = """
Size: 4 by 4. Players: Dark and Light. Dark starts with pieces on b3 and c2.
Light starts with pieces on b2 and c3. On your turn, place a piece on an empty cell.
A placed piece turns over each line of pieces of your opponent between it and another of yours.
A placed piece must turn over a piece. If you cannot move, you pass.
If nobody can move, whoever has more pieces wins.
"""


def test_pieces_that_are_turned_over_come_back_in_english() -> None:
    book = rule_book_of(CompiledGame(read(rulebook_gdl(OTHELLO))), moves=2_000)
    assert not book.has_letters
    assert book.text.splitlines()[-4:] == [
        "If you cannot move, you pass.",
        "A placed piece turns over each line of pieces of your opponent between it and another of "
        "yours.",
        "A placed piece must turn over a piece.",
        "If nobody can move, whoever has more pieces wins.",
    ]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("pegsolitaire", "You win if you have exactly one peg."),
        (
            "bottom2",
            "On your turn, place a piece on one of the two lowest empty cells of a column.",
        ),
    ],
)
def test_puzzles_with_pegs_and_low_cells_are_in_sentences(name: str, sentence: str) -> None:
    book = rule_book_of(CompiledGame(load_sheet(name)), moves=2_000)
    assert not book.has_letters
    assert sentence in book.text


def test_a_full_board_that_no_match_reaches_is_not_called_a_draw() -> None:
    book = rule_book_of(CompiledGame(load_sheet("mnk:2,2,2")))
    assert book.is_complete
    assert book.text.endswith("You win if you have two in a line.")


DRAUGHTS = (
    "The board is a grid of 4 columns and 5 rows.",
    "Players: White and Black.",
    "White begins.",
    "White starts with pieces on row 1.",
    "Black starts with pieces on row 5.",
    "On your turn, jump with a piece straight over a piece of your opponent to the empty cell "
    "behind it, which captures it.",
    "On your turn, move a piece one step forward to an empty cell.",
    "You must capture if you can.",
    "A move may have up to two jumps of the same piece.",
    "The game ends if 14 turns have been played.",
    "The game ends if you cannot move.",
    "Whoever has more pieces wins.",
)


def test_several_jumps_in_a_move_and_counts_at_every_end_come_back_in_english() -> None:
    book = rule_book_of(without_sentences("\n".join(DRAUGHTS)), moves=3_000)
    assert book.text.splitlines() == list(DRAUGHTS)
