"""The language of a text is found by its look; its name decides only where that is odd."""

from __future__ import annotations

import pytest

from kibitz.errors import RuleSheetError
from kibitz.games import gdl_from
from kibitz.gdl import parse

ENGLISH = """Size: 2 by 2. Players: White and Black.
On your turn, mark an empty cell. You lose if you cannot move."""
KIF = "(role white) (role black)"
RULE_FORM = "role(white). role(black)."
LUDII = """(game "Rows" (players 2) (equipment {(board (square 3)) (piece "Disc" Each)})
(rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))"""
NAMES = ("rules", "game.kif", "game.lp", "game.rules", "game.rules.txt", "game.lud", "game.txt")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", [ENGLISH, KIF, RULE_FORM, LUDII], ids=lambda text: text[:6])
def test_the_name_of_a_text_does_not_change_what_it_says(text: str, name: str) -> None:
    sheet = parse(gdl_from(text, name=name), name=name)
    assert sum(rule.head.relation == "role" for rule in sheet.rules) == 2


def test_sentences_that_are_not_understood_are_english_all_the_same() -> None:
    with pytest.raises(RuleSheetError, match="ENG001"):
        gdl_from("We sit around a chessboard. Everybody is happy.", name="rules")


def test_what_looks_like_nothing_is_what_its_name_says() -> None:
    with pytest.raises(RuleSheetError, match="ENG"):
        gdl_from("??", name="game.rules.txt")
    assert gdl_from("??", name="game.kif") == "??"
