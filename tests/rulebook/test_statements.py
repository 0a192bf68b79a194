"""Sentences with letters as people write them: read, and what is wrong pointed at."""

from __future__ import annotations

import pytest

from kibitz.engine import ReferenceGame
from kibitz.errors import RuleSheetError
from kibitz.gdl import read
from kibitz.rulebook import Form, rulebook_gdl

RACE = """
Players: White and Black.
What can change: A stands on B; it is A's turn.
What can be done: go to A; do nothing.
What is also said: B comes right after A.
At the start, A stands on 1, for A in White, Black.
At the start, it is White's turn.
It is always so that B comes right after A, for A then B from 1 to 4.
A player may go to A if it is the player's turn and the player stands on B and A comes right
after B.
A player may do nothing if it is not the player's turn.
After a move, A stands on B if A chooses to go to B.
It stays so that A stands on B if it is not A's turn.
After a move, it is White's turn if it is Black's turn.
After a move, it is Black's turn if it is White's turn.
The game ends if A stands on 4.
A player wins if the player stands on 4.
A player loses if it is not so that the player stands on 4.
"""


def test_a_race_written_with_letters_is_played() -> None:
    game = ReferenceGame(read(rulebook_gdl(RACE)))
    state = game.initial()
    assert game.roles == ("white", "black")
    moves = 0
    while not state.is_terminal:
        legal = [state.legal(role) for role in game.roles]
        assert [len(one) for one in legal] == [1, 1]
        state = state.step([one[0] for one in legal])
        moves += 1
    assert moves == 5
    assert dict(state.goals) == {"white": 100, "black": 0}


@pytest.mark.parametrize(
    ("old", "new", "message", "words"),
    [
        ("it is the player's turn and", "it is the player's move and", "nothing is said like this",
         "it is the player's move"),
        ("go to A if", "goes A if", "no move is called like this", "goes A"),
        ("A stands on 4", "the board is full", "nothing is said like this", "the board is full"),
        ("The game ends", "The play ends", "no sentence with letters begins like this",
         "The play ends"),
        ("B from 1 to 4", "B from 1", "a range has two numbers", "A then B from 1"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_pointed_at(old: str, new: str, message: str, words: str) -> None:
    with pytest.raises(RuleSheetError) as caught:
        rulebook_gdl(RACE.replace(old, new, 1))
    found = caught.value.diagnostics[0]
    assert found.message == message
    text = caught.value.source.text
    assert text[found.place.start : found.place.end] == words


def test_both_kinds_of_sentences_are_not_mixed() -> None:
    with pytest.raises(RuleSheetError):
        rulebook_gdl(RACE + "The board is a row of 3 cells.")


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("square (A, B) holds C", "square (A, B) does not hold C"),
        ("A is on B", "A is not on B"),
        ("it is A's turn", "it is not A's turn"),
        ("B comes right after A", "B does not come right after A"),
    ],
)
def test_a_form_can_be_denied(text: str, denied: str) -> None:
    form = Form.of(text)
    assert form is not None
    assert form.denied == denied


@pytest.mark.parametrize("text", ["A is on A", "B is on C", ""])
def test_a_form_has_each_letter_once(text: str) -> None:
    assert Form.of(text) is None
