"""What a game is worth is told in sentences, or why it is not known."""

from __future__ import annotations

from kibitz.engine import ReferenceGame
from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.solve.worth import Worth, find_worth
from kibitz.space import Limits

LIMITS = Limits(states=100_000)


def told(name: str) -> str:
    worth = find_worth(CompiledGame(load_sheet(name)), LIMITS)
    assert isinstance(worth, Worth)
    return worth.as_text()


def test_a_draw_is_called_one() -> None:
    assert told("tictactoe").splitlines() == [
        "With best play it ends in a draw, after 9 moves.",
        "Any first move of xplayer keeps that.",
        "This is known from all 5,478 states that play can reach.",
    ]


def test_the_first_moves_that_win_are_listed() -> None:
    assert "1 of player1's 9 first moves keeps that: (reduce c 2)." in told("nim:1,3,5")
    assert "5 of red's 9 first moves keep that: (place 1 3)" in told("hex:3")


def test_one_role_has_no_opponent_to_draw_with() -> None:
    assert told("hanoi").startswith("With best play player gets 100, after 7 moves.")


def test_what_cannot_be_solved_is_said_to_be_unknown_and_why() -> None:
    assert "at the same time" in str(find_worth(CompiledGame(load_sheet("roshambo")), LIMITS))
    assert "more than" in str(find_worth(CompiledGame(load_sheet("connectfour")), LIMITS))
    assert "ungrounded" in str(find_worth(ReferenceGame(load_sheet("tictactoe")), LIMITS))


def test_goals_that_are_equal_are_a_draw_only_at_fifty() -> None:
    sheet = read("""
        (role a) (role b) (init start) (legal a go) (legal a stop) (legal b wait)
        (<= terminal (not (true start))) (<= (next (made ?m)) (does a ?m))
        (goal a 100) (goal b 100)
    """)
    found = find_worth(CompiledGame(sheet), Limits(states=100))
    assert isinstance(found, Worth)
    assert "With best play both win, after 1 moves." in found.as_text()
    assert "draw" not in found.as_text()
