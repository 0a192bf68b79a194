"""Rules whose end alone needs letters: read back, they are the same game."""

from __future__ import annotations

from pathlib import Path

import pytest

import kibitz.rulebook as m
from kibitz.engine import CompiledGame
from kibitz.english import rule_book_of
from kibitz.errors import KibitzError
from kibitz.gdl import parse, read
from kibitz.present.explanation.rules_text import describe_rules
from kibitz.space import explore

FOREIGN = Path(__file__).resolve().parents[3] / "shared" / "games" / "rules"

DUEL = """
(role red) (role blue)
(index 1) (index 2) (index 3) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(init (at 1 1 r)) (init (at 3 3 k)) (init (turn red)) (init (step 1))
(owns red r) (owns blue k)
(<= (near ?a ?b) (succ ?a ?b)) (<= (near ?a ?b) (succ ?b ?a))
(<= (beside ?x ?y ?x ?z) (index ?x) (near ?y ?z) (index ?y) (index ?z))
(<= (beside ?x ?y ?z ?y) (index ?y) (near ?x ?z) (index ?x) (index ?z))
(<= (taken ?x ?y) (true (at ?x ?y ?c)))
(<= (reach ?w ?c ?x ?y ?u ?v) (owns ?w ?c) (true (at ?x ?y ?c)) (beside ?x ?y ?u ?v)
    (not (taken ?u ?v)))
(<= (legal ?w (go ?c ?x ?y ?u ?v)) (true (turn ?w)) (reach ?w ?c ?x ?y ?u ?v))
(<= (legal ?w wait) (role ?w) (not (true (turn ?w))))
(<= (next (at ?u ?v ?c)) (does ?w (go ?c ?x ?y ?u ?v)))
(<= (next (at ?x ?y ?c)) (true (at ?x ?y ?c)) (true (turn ?w)) (not (owns ?w ?c)))
(<= (next (turn red)) (true (turn blue))) (<= (next (turn blue)) (true (turn red)))
(<= (next (step ?b)) (true (step ?a)) (succ ?a ?b))
(<= meet (true (at ?x ?y r)) (true (at ?u ?v k)) (beside ?x ?y ?u ?v))
(<= (free ?w) (reach ?w ?c ?x ?y ?u ?v))
(<= terminal (true (step 7))) (<= terminal meet)
(<= terminal (role ?w) (not (free ?w)))
(<= (goal red 90) meet) (<= (goal blue 10) meet)
(<= (goal red 20) (not meet)) (<= (goal blue 80) (not meet))
"""

TEXT = """Players: White and Black.
The board is a grid of 3 columns and 3 rows.
White begins.
On your turn, place a piece on an empty cell.
What can change: square (A, B) holds C; the step is A.
What is also said: B comes right after A; A has a pair; A can move; A becomes B.
At the start, the step is 1.
After a move, the step is A if the step is B and A comes right after B.
It is always so that B comes right after A, for A then B from 1 to 9.
It is always so that White becomes A, for A from 1 to 2.
We say that A has a pair if square (B, 1) holds A and square (B, 2) holds A and A differs from
  nothing.
The game ends if the step is 9, or if A has a pair, or if White cannot move.
A player wins if the player has a pair.
A player loses if the player does not have a pair.
"""


def test_the_end_is_said_with_letters_where_nothing_else_says_it() -> None:
    game = CompiledGame(parse(DUEL))
    book = rule_book_of(game)
    assert book.plain_sentences == (
        "Players: Red and Blue.",
        "The board is a grid of 3 columns and 3 rows.",
        "Red begins.",
        "Red starts with one piece on a1.",
        "Blue starts with one piece on c3.",
        "On your turn, move a piece one step straight to an empty cell.",
    )
    assert book.is_mixed
    assert book.is_exhaustive
    assert "The game ends if the step is 7" in book.text
    assert "A cannot move" in book.text  # and nothing of how pieces move is said once more
    again = CompiledGame(read(m.gdl_of(m.read_sentences(book.text).rules)))
    assert len(explore(again)) == len(explore(game)) == book.states


def test_an_explanation_begins_with_the_sentences_without_letters() -> None:
    game = CompiledGame(parse(DUEL))
    described, story = describe_rules(game, rule_book_of(game))
    assert story[1] == "The board is a grid of 3 columns and 3 rows."
    assert described.appendix_title == "The end in full"
    assert described.appendix[0].startswith("What can change")
    assert [name for name, _ in described.appendix_sections][-2:] == ["End", "Meanings"]


def test_sentences_with_letters_ask_for_the_board_of_others() -> None:
    sheet = m.rulebook_gdl(TEXT)
    game = CompiledGame(read(sheet))
    assert "(true (cell ?b 1 ?a))" in sheet
    assert "(distinct ?a b)" in sheet
    assert "(becomes_said white 1)" in sheet  # the board's own relation keeps its name
    state = game.initial()
    assert len(state.legal("white")) == 9
    for place in ("(place a 1)", "(place c 3)", "(place a 2)"):
        mover = next(role for role in game.roles if len(state.legal(role)) > 1)
        move = next(one for one in state.legal(mover) if str(one) == place)
        state = state.step([move if r == mover else state.legal(r)[0] for r in game.roles])
    assert state.is_terminal
    assert [state.goals[r] for r in game.roles] == [100, 0]


def test_letters_do_not_say_the_start_of_the_board_again() -> None:
    text = TEXT.replace(
        "the step is 1.\n", "the step is 1.\nAt the start, square (a, 1) holds White.\n"
    )
    with pytest.raises(KibitzError, match="without letters already"):
        m.rulebook_gdl(text)


@pytest.mark.skipif(not FOREIGN.is_dir(), reason="needs rule sheets by others")
@pytest.mark.parametrize("name", ["max_knights", "sheepAndWolf"])
def test_sheets_by_others_need_letters_for_the_end_alone(name: str) -> None:
    game = CompiledGame(read((FOREIGN / f"{name}.kif").read_bytes(), name=name))
    book = rule_book_of(game, moves=1_500)
    assert book.is_mixed
    assert any(line.startswith("On ") for line in book.plain_sentences)
