"""Moves beside the last one: by gates, by the evaluator, in words, and counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.strategy.dominoes import domino_sheet

from kibitz.engine import Blocks, CompiledGame
from kibitz.english import plain_rule, read_back, scene_of, sentences
from kibitz.errors import StrategyError
from kibitz.games import load_sheet
from kibitz.measured.positions import Positions, allowed_moves
from kibitz.policy import compile_strategy
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.strategy import read_strategy, verify


def test_moves_are_beside_the_last_one_in_every_direction() -> None:
    game = CompiledGame(load_sheet("mnk:4,5,3"))
    strategy = read_strategy("symmetric none\nanswers(opponent, 1) => any", game)
    start = game.initial()
    state = start.play("(mark 2 1)")
    mark = next(move for move in start.legal("xplayer") if str(move) == "(mark 2 1)")
    made = (mark, start.legal("oplayer")[0])
    allowed = strategy.moves(state, "oplayer", history=[(start, made)])
    near = {"(mark 1 1)", "(mark 1 2)", "(mark 2 2)", "(mark 3 1)", "(mark 3 2)"}
    assert {str(move) for move in allowed} == near

    policy = compile_strategy(strategy, "oplayer")
    moves = game.network.moves
    last = np.array([[moves[i].index(move) for i, move in enumerate(made)]])
    rows = Blocks(game).rows([state.key])  # type: ignore[list-item]
    known = Positions(rows, last, np.ones(1, dtype=np.int64))
    assert set(allowed_moves(game, "oplayer", policy, known)[0]) == set(allowed)
    # Without a last move nothing is beside it, and any move may be made.
    alone = Positions.alone(game, rows)
    assert len(allowed_moves(game, "oplayer", policy, alone)[0]) == 19


def test_the_same_place_is_the_same_column() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    text = "symmetric none\nanswers(opponent, 0) => any\n"
    strategy = read_strategy(text, game)
    start = game.initial()
    third = start.legal("xplayer")[2]
    history = [(start, (third, start.legal("oplayer")[0]))]
    assert strategy.moves(start.play(third), "oplayer", history=history) == (third,)
    words = sentences(strategy, "oplayer")
    assert words == ["Make a move that goes where the opponent moved last if you can."]


def test_copying_the_last_move_wins_cram_on_an_even_board() -> None:
    game = CompiledGame(domino_sheet(2, 4))
    copy = read_strategy("symmetric none\nmirrors(opponent, half_turn) => any", game)
    verdict = verify(copy, solve(explore(game)), "dan")
    assert (verdict.strongly_optimal, verdict.wins) == (True, True)
    (words,) = sentences(copy, "dan")
    assert words == "Copy the opponent's last move in a half-turn if you can."
    meant = plain_rule(copy.rules_for("dan")[0])
    assert meant is not None
    assert {rule.asked for rule in read_back(scene_of(game, "dan"), words)} == {meant.asked}
    with pytest.raises(StrategyError, match="no symmetry of boards called upside_down"):
        read_strategy("mirrors(opponent, upside_down) => any", game).plan("dan")


def test_the_image_of_the_last_move_is_the_same_by_gates() -> None:
    game = CompiledGame(load_sheet("mnk:3,4,3"))
    strategy = read_strategy("symmetric none\nmirrors(opponent, left_right) => any", game)
    start = game.initial()
    mark = next(move for move in start.legal("xplayer") if str(move) == "(mark 2 1)")
    made = (mark, start.legal("oplayer")[0])
    state = start.play(mark)
    (answer,) = strategy.moves(state, "oplayer", history=[(start, made)])
    assert str(answer) != "(mark 2 1)"
    policy = compile_strategy(strategy, "oplayer")
    last = np.array([[game.network.moves[i].index(move) for i, move in enumerate(made)]])
    rows = Blocks(game).rows([state.key])  # type: ignore[list-item]
    known = Positions(rows, last, np.ones(1, dtype=np.int64))
    assert allowed_moves(game, "oplayer", policy, known)[0] == (answer,)


def test_moves_without_places_are_beside_nothing() -> None:
    game = CompiledGame(load_sheet("roshambo"))
    with pytest.raises(StrategyError, match=r"no move of .* is near one of"):
        read_strategy("answers(opponent, 1) => any", game).plan(game.roles[0])
