from __future__ import annotations

from kibitz.engine import ReferenceGame
from kibitz.engine.game_overview import overview
from kibitz.games import load_sheet
from kibitz.gdl import read


def test_an_overview_tells_what_the_rules_say_of_the_start() -> None:
    told = overview(ReferenceGame(load_sheet("nim:1,2")))
    assert told.roles == ("player1", "player2")
    assert told.rules + told.facts == len(load_sheet("nim:1,2").rules)
    assert told.initial == ("(control player1)", "(heap a 1)", "(heap b 2)")
    assert told.first_moves["player2"] == ("noop",)
    assert told.movers == ("player1",)


def test_random_matches_end_with_goals() -> None:
    told = overview(ReferenceGame(load_sheet("nim:1,2")))
    assert len(told.playouts) == 3
    for playout in told.playouts:
        assert playout.is_over
        assert 2 <= playout.length <= 3
        assert sorted(goal or 0 for goal in playout.goals.values()) == [0, 100]


def test_the_same_seed_plays_the_same_matches() -> None:
    game = ReferenceGame(load_sheet("tictactoe"))
    assert overview(game, seed=5) == overview(game, seed=5)
    assert overview(game, seed=5).playouts != overview(game, seed=6).playouts


def test_the_text_has_one_line_for_each_fact() -> None:
    lines = overview(ReferenceGame(load_sheet("nim:1,1"))).as_text("nim").splitlines()
    assert lines[0].startswith("nim: 2 roles, player1 and player2, ")
    assert lines[1] == "It starts with (control player1) (heap a 1) (heap b 1)."
    assert lines[2] == "player1 has 2 moves to begin with: (reduce a 0) (reduce b 0)."
    assert lines[3] == ("Random match 1: over after 2 moves; goals: player1 0, player2 100.")


def test_simultaneous_movers_are_named() -> None:
    text = overview(ReferenceGame(load_sheet("roshambo"))).as_text("roshambo")
    assert "move at the same time." in text


def test_a_match_that_never_ends_is_cut_and_said_to_be_not_over() -> None:
    sheet = read("(role me) (legal me wait) (<= terminal (true over)) (<= (goal me 1) terminal)")
    told = overview(ReferenceGame(sheet))
    assert [playout.is_over for playout in told.playouts] == [False] * 3
    assert "Random match 1: not over; goals: me -." in told.as_text("waiting")
    assert "one role, me" in told.as_text("waiting")
    assert "It starts with nothing." in told.as_text("waiting")


def test_a_match_that_gets_stuck_stops_there() -> None:
    sheet = read(
        "(role me) (init on) (<= (legal me off) (true on)) (<= terminal (true over)) (goal me 1)"
    )
    told = overview(ReferenceGame(sheet))
    assert [(p.length, p.is_over) for p in told.playouts] == [(1, False)] * 3


def test_long_lists_are_cut_in_the_text_and_whole_in_the_json() -> None:
    told = overview(ReferenceGame(load_sheet("mnk:4,4,3")))
    assert "(mark 3 1) and 7 more." in told.as_text("mnk")
    assert len(told.as_json()["first_moves"]["xplayer"]) == 16
