"""Ludemes in English: what is written can be read in one way, and is the same again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kibitz.ludii import expand, parse_ludemes, read_ludii
from kibitz.ludii.english.description import describe, grammar
from kibitz.ludii.english.place_phrases import PLACES
from kibitz.ludii.english.rule_phrases import RULES
from kibitz.ludii.english.templates import Grammar, Phrase, plain

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.lud"))


def sentences_of(path: Path) -> list[str]:
    text = path.read_bytes()
    return describe(expand(text, name=path.name)[1], read_ludii(text, name=path.name))


def test_pattern_and_text_of_a_phrase_have_the_same_slots() -> None:
    for one in (one for phrase in (*PLACES, *RULES) for one in phrase.variants()):
        slots = {piece[0] for piece in one.pieces if not isinstance(piece, str)}
        assert slots == set(re.findall(r"\$\*?(\w+)", one.pattern)), one.text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_need_no_notation(path: Path) -> None:
    assert not [line for line in sentences_of(path) if "“(" in line or "“{" in line]


@pytest.mark.parametrize(
    ("category", "text", "expected"),
    [
        (
            "move",
            "(forEach Piece (move Step Forward (to if:(is Empty (to)))))",
            "take one of your pieces and step forward to an empty place",
        ),
        (
            "move",
            "(or {(move Pass) (if (is Prev Mover) (move Add (to (sites Corners))))})",
            "pass; or (if you also made the move before, place a piece on one of the corners)",
        ),
        (
            "condition",
            "(and (no Moves Next) (or (is Full) (< 3 (count Pieces P2))))",
            "the next player has no move and (the board is full or the number of pieces of P2 is "
            "more than three)",
        ),
        ("effect", "(if (is In (last To) (sites Top)) (moveAgain))", None),
        ("condition", "(is Raining)", "“(is Raining)”"),
    ],
)
def test_a_ludeme_is_written_so_that_it_reads_back(
    category: str, text: str, expected: str | None
) -> None:
    ludeme = parse_ludemes(text, name="x")
    written = grammar().write(ludeme, category)
    assert expected is None or written == expected
    assert grammar().read(written, category) == {plain(ludeme)}


def test_words_that_can_be_read_in_two_ways_are_not_used() -> None:
    region = Phrase("region", "(sites Empty)", "here")
    twice = [Phrase("move", "(move Pass)", "wait"), Phrase("move", "(move Rest)", "wait"), region]
    both = Grammar([*twice, Phrase("number", "(counter)", "it")], {})
    assert both.write(parse_ludemes("(move Pass)", name="x"), "move") == "“(move Pass)”"


def test_a_description_says_who_plays_where_and_how_it_ends() -> None:
    (path,) = (path for path in EXAMPLES if path.stem == "hopping_hares")
    first, board, *rest = sentences_of(path)
    assert first == "Two players take turns, unless a move says otherwise; Player 1 begins."
    assert board == (
        "The board is a grid of 3 rows and 3 columns of points, with alternating diagonals."
    )
    assert "Player 1 starts with hares on a1, b1 and c1." in rest
    assert "Otherwise, take one of your pieces and step to an empty place." in rest
    assert "You win if the next player has no piece left." in rest
