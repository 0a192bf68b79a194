"""Games in which all choose at once, in sentences."""

from __future__ import annotations

import pytest

from kibitz.engine import CompiledGame
from kibitz.english import rule_book_of
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.rulebook import rulebook_gdl

DUEL = """
Players: Ann and Bob. All players move at the same time. The game has {rounds} rounds.
On your turn, choose share or grab. If all players choose share, each gets 6 points.
If all players choose grab, each gets 2 points.
If Ann chooses share and Bob chooses grab, Ann gets 0 points and Bob gets 10 points.
If Ann chooses grab and Bob chooses share, Ann gets 10 points and Bob gets 0 points.
"""


def renamed(text: str) -> str:
    """Give the words of a sheet other names, which must not matter."""
    for old, new in (("share", "zork"), ("grab", "glub"), ("total", "t"), ("round", "n")):
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("rounds", [1, 4])
def test_points_for_choices_are_found_by_playing(rounds: int) -> None:
    text = DUEL if rounds > 1 else DUEL.replace("The game has {rounds} rounds.", "")
    sheet = renamed(rulebook_gdl(text.format(rounds=rounds)))
    book = rule_book_of(CompiledGame(read(sheet)))
    assert book.is_complete
    assert book.is_exhaustive
    assert not book.has_letters
    assert "If all players choose zork, each gets 6 points." in book.text
    assert ("The game has 4 rounds, and points add up." in book.text) == (rounds > 1)


def test_who_first_won_some_rounds_wins() -> None:
    text = (
        "Players: Ann and Bob. All players move at the same time. On your turn, choose stone, "
        "paper or knife. Stone beats knife. Knife beats paper. Paper beats stone. "
        "A choice that beats the other gives one point. You win if you have at least two points. "
        "If five turns have been played, whoever has more points wins."
    )
    book = rule_book_of(CompiledGame(read(rulebook_gdl(text))))
    assert book.text.splitlines()[-2:] == [
        "You win if you have at least two points.",
        "If five turns have been played, whoever has more points wins.",
    ]


def test_a_game_of_choices_with_a_memory_is_no_such_game() -> None:
    """What the second round gives depends on the first, so it is written with letters."""
    text = renamed(rulebook_gdl(DUEL.format(rounds=2)))
    odd = text.replace("(init (t ann 0))", "(init (t ann 1))")
    assert odd != text
    assert rule_book_of(CompiledGame(read(odd))).has_letters


def test_rounds_that_give_too_many_points_are_an_error() -> None:
    with pytest.raises(Exception, match="200 points"):
        rulebook_gdl(DUEL.format(rounds=20))


def test_roshambo_is_in_sentences() -> None:
    book = rule_book_of(CompiledGame(load_sheet("roshambo")))
    assert "Rock beats scissors." in book.text
    assert book.is_exhaustive
