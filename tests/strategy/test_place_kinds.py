"""Moves to corners and edges: counted by hand, by gates, by the evaluator, and in words."""

from __future__ import annotations

import pytest

from kibitz.engine import Blocks, CompiledGame
from kibitz.english import plain_rule, read_back, scene_of, sentences
from kibitz.errors import StrategyError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.measured.positions import Positions, allowed_moves
from kibitz.policy import compile_strategy
from kibitz.strategy import kinds_of_places, read_strategy

# Two walk on one track: ann wins on 6, bob on 1.
WALK = """
(role ann) (role bob) (init (on 3 ann)) (init (on 4 bob)) (init (turn ann))
(after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
(<= (legal ?r (go ?a ?b)) (true (turn ?r)) (true (on ?a ?r)) (after ?a ?b))
(<= (legal ?r (go ?b ?a)) (true (turn ?r)) (true (on ?b ?r)) (after ?a ?b))
(<= (legal ann wait) (true (turn bob))) (<= (legal bob wait) (true (turn ann)))
(<= (next (on ?b ?r)) (does ?r (go ?a ?b)))
(<= (next (on ?a ?r)) (true (on ?a ?r)) (does ?r wait))
(<= (next (turn bob)) (true (turn ann))) (<= (next (turn ann)) (true (turn bob)))
(<= terminal (true (on 6 ann))) (<= terminal (true (on 1 bob)))
(<= (goal ann 100) (true (on 6 ann))) (<= (goal ann 0) (not (true (on 6 ann))))
(<= (goal bob 100) (true (on 1 bob))) (<= (goal bob 0) (not (true (on 1 bob))))
"""


@pytest.mark.parametrize(
    ("condition", "count", "words"),
    [
        ("at(corner)", 4, "Make a move that goes to a corner if you can."),
        ("at(edge)", 14, "Make a move that goes to the edge if you can."),
        ("at(beside_corner)", 12, "Make a move that goes beside a corner if you can."),
        ("not at(beside_edge)", 14, "Make a move that does not go next to the edge if you can."),
        (
            "at(edge) & not at(corner)",
            10,
            "Make a move that goes to the edge and that does not go to a corner if you can.",
        ),
    ],
)
def test_kinds_of_places_on_a_board_of_four_by_five(condition: str, count: int, words: str) -> None:
    game = CompiledGame(load_sheet("mnk:4,5,3"))
    strategy = read_strategy(f"symmetric none\n{condition} => any", game)
    moves = strategy.moves(game.initial(), "xplayer")
    assert len(moves) == count

    policy = compile_strategy(strategy, "xplayer")
    rows = Positions.alone(game, Blocks(game).initial())
    assert set(allowed_moves(game, "xplayer", policy, rows)[0]) == set(moves)

    (said,) = sentences(strategy, "xplayer")
    assert said == words
    meant = plain_rule(strategy.rules_for("xplayer")[0])
    assert meant is not None
    assert {rule.asked for rule in read_back(scene_of(game, "xplayer"), said)} == {meant.asked}


def test_a_step_goes_to_its_end() -> None:
    game = CompiledGame(load_sheet("breakthrough:5x4"))
    ends = {tuple(map(str, move.args[-2:])) for move in kinds_of_places(game, "white")["corner"]}
    assert ends == {("5", "1"), ("5", "4")}


def test_a_rule_may_keep_the_opponent_from_corners() -> None:
    game = CompiledGame(load_sheet("breakthrough:5x4"))
    rule = "next not can(opponent, at(opponent, corner)) => any"
    strategy = read_strategy(f"symmetric none\n{rule}", game)
    state = game.initial()
    for played in ("(move 2 4 3 4)", "(move 4 2 3 3)", "(move 2 1 3 1)", "(move 3 3 2 2)"):
        state = state.play(played)
    by_hand = []
    for move in state.legal("white"):
        after = state.play(move)
        replies = () if after.is_terminal else after.legal("black")
        if not any(str(reply).endswith((" 1 1)", " 1 4)")) for reply in replies):
            by_hand.append(move)
    assert 0 < len(by_hand) < len(state.legal("white"))
    assert strategy.moves(state, "white") == tuple(by_hand)
    (said,) = sentences(strategy, "white")
    assert said == "Make a move after which the opponent cannot go to a corner if you can."


@pytest.mark.parametrize(
    ("game", "kind", "said"),
    [
        ("tictactoe", "middle", "there is no kind of place called middle"),
        ("connectfour", "corner", "xplayer has no moves that go to a corner"),
        ("nim:1,2", "edge", "has no moves that go to the edge"),
    ],
)
def test_what_has_no_such_places_is_refused(game: str, kind: str, said: str) -> None:
    with pytest.raises(StrategyError, match=said):
        read_strategy(f"at({kind}) => any", CompiledGame(load_sheet(game)))


def test_a_move_may_go_nearer_to_the_goal() -> None:
    game = CompiledGame(read(WALK, name="walk"))
    strategy = read_strategy("symmetric none\nat(nearer) => any", game)
    state = game.initial()
    assert [str(move) for move in strategy.moves(state, "ann")] == ["(go 3 4)"]
    (said,) = sentences(strategy, "ann")
    assert said == "Make a move that goes nearer to the goal if you can."
    meant = plain_rule(strategy.rules_for("ann")[0])
    assert meant is not None
    assert {rule.asked for rule in read_back(scene_of(game, "ann"), said)} == {meant.asked}
