"""A word that changes the meaning is read, or the sentence is refused at that word."""

from __future__ import annotations

import pytest

from kibitz.errors import RuleSheetError
from kibitz.rulebook import read_sentences, rulebook_gdl, write_rulebook

BOARD = "White and Black play on a 5x5 board. White begins. "
PILES = "There are piles of 3, 4 and 5 counters. Players: Ann and Bob. "

LOST = {
    "You win if you have [exactly] three in a line.": BOARD,
    "The first player with [exactly] three stones in a row wins.": BOARD,
    "On your turn, move [both] stones one step.": BOARD,
    "On your turn, move [every] stone one step forward.": BOARD,
    "On your turn, move a stone straight [up] to an empty cell.": BOARD,
    "On your turn, move a stone diagonally [left].": BOARD,
    "On your turn, jump with a stone over [two] stones to the empty cell behind them.": BOARD,
    "On your turn, place a stone on an empty cell next to [all] your stones.": BOARD,
    "You lose if you cannot move [both] stones.": BOARD,
    "You win if you have [>] 3 in a line.": BOARD,
    "On your turn, move a stone one step, then move [another] stone one step.": BOARD,
    "Take one [or] four counters.": PILES,
    "On your turn, take two [or] five counters from a pile.": PILES,
}
"""Sentences with the word at which they are refused, and what stands before."""


@pytest.mark.parametrize("marked", LOST)
def test_what_a_reading_would_lose_is_an_error_at_its_word(marked: str) -> None:
    text = LOST[marked] + marked.replace("[", "").replace("]", "")
    with pytest.raises(RuleSheetError) as caught:
        read_sentences(text)
    (problem,) = caught.value.diagnostics
    assert problem.code == "ENG001"
    where = len(LOST[marked]) + marked.index("[")
    assert (problem.place.start, problem.place.end) == (
        where,
        where + marked.index("]") - marked.index("[") - 1,
    )


@pytest.mark.parametrize(
    "text",
    [
        "On your turn, move a stone to any empty cell.",
        "On your turn, move a stone to any free square of the board.",
        "You win if you have stones on the last row.",
        "You win if you have a line of three twice.",
        "Take a cell if it is empty.",
        "Take one and three counters from a pile.",
        "A stone moves one square up and then one square left.",
        "A stone moves to the next empty square in any direction.",
        "On your turn, move a stone at least two steps straight.",
    ],
)
def test_what_could_mean_several_things_is_an_error(text: str) -> None:
    with pytest.raises(RuleSheetError) as caught:
        read_sentences(BOARD + text)
    assert {one.code for one in caught.value.diagnostics} == {"ENG001"}


READ = {
    "The first player with all stones on the last row wins.": (
        "You win if you have all stones on the last row."
    ),
    "You win if both stones are on the last row.": (
        "You win if you have at least two stones on the last row."
    ),
    "Each pawn moves exactly one square forward.": (
        "On your turn, move a pawn one step forward to an empty cell."
    ),
    "Take 1, 2 or 3 matches.": "On your turn, take one to three counters from a pile.",
    "Take exactly two counters from a pile.": (
        "On your turn, take two to two counters from a pile."
    ),
    "two players, Black and White": "Players: Black and White.",
    "A game for two players, Red and Blue.": "Players: Red and Blue.",
    "The points x, y and z are on a line.": "The points x, y and z are on a line.",
}


@pytest.mark.parametrize("text", READ)
def test_what_is_certain_is_read(text: str) -> None:
    assert write_rulebook(read_sentences(f"{text}\n").rules) == READ[text]


def test_a_lost_word_is_shown_with_what_the_rest_would_say() -> None:
    with pytest.raises(RuleSheetError) as caught:
        read_sentences(f"{BOARD}You win if you have exactly three in a line.")
    (problem,) = caught.value.diagnostics
    assert problem.message == "what 'exactly' says here is not understood"
    assert problem.hint == 'without it this would say "You win if you have three in a line."'


@pytest.mark.parametrize(
    "more",
    [
        "On your turn, place a stone on a corner, then place a stone on a corner.",
        "On White's turn, place a stone on the edge, then place a stone on the centre.",
    ],
)
def test_turns_of_one_and_of_two_parts_that_begin_alike_are_an_error(more: str) -> None:
    text = (
        f"{BOARD}On your turn, place a stone on an empty cell. {more} You lose if you cannot move."
    )
    with pytest.raises(RuleSheetError) as caught:
        rulebook_gdl(text)
    assert [one.code for one in caught.value.diagnostics] == ["ENG005"]


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("There is no double first move.", "'double' is not understood here", None),
        ("Take one match from two heaps.", "'two' is not understood here", "take one to three"),
        ("Players: A and B. You lose if you cannot move.", "b stands for an empty cell", "another"),
        (
            "Players: Ann and Bob. Ann starts with a stone on a1. On your turn, move a stone along "
            "a line to an empty cell. You lose if you cannot move.",
            "no direction 'along a line'",
            "The points a, b and c are on a line.",
        ),
        (
            "Players: Anna and Ben. On your turn, place a stone on an empty "
            "cell. Black begins. You lose if you cannot move.",
            "no player is called Black",
            '"Players: Black and ',
        ),
    ],
)
def test_messages_name_the_trouble(text: str, message: str, hint: str | None) -> None:
    with pytest.raises(RuleSheetError) as caught:
        rulebook_gdl(f"The board is 3 by 3. {text}")
    assert any(
        message in one.message and (hint in one.hint if hint else not one.hint)
        for one in caught.value.diagnostics
    ), caught.value
