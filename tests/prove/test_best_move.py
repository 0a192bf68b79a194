"""A move to make, where little effort proves it: against listing, and in play to the end."""

from __future__ import annotations

import random

import pytest
from tests.prove.test_prove import LARGE, LISTED, TWICE, compiled, numbers, solution, walk

from kibitz.engine import CompiledGame, ReferenceGame
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.prove import best_within, mover_of

LONG = 600.0


@pytest.mark.parametrize("name", LISTED)
def test_the_move_keeps_the_value_and_wins_soonest(name: str) -> None:
    game, found = compiled(name), solution(name)
    for seed in range(8):
        state = walk(game, seed)
        number = numbers(name)[state.key]
        proof = best_within(state, seconds=LONG, memory=10_000_000)
        assert proof is not None
        assert proof.value == found.value(number)
        assert proof.mover is not None
        at = game.roles.index(proof.mover)
        goal = proof.value[proof.mover]
        after = {joint[at]: to for joint, to in found.space.moves(number)}
        if goal == 0:
            assert proof.best == ()
            continue
        (move,) = proof.best
        assert found.value(after[move])[proof.mover] == goal
        if goal == 100:
            assert proof.plies == found.plies(number)
            assert found.plies(after[move]) == (found.plies(number) or 0) - 1


def test_who_asks_each_time_wins_where_play_can_go_in_circles() -> None:
    game, found = compiled("threemensmorris"), solution("threemensmorris")
    source = random.Random(5)
    state = game.initial()
    plies = found.plies()
    assert plies is not None
    for _ in range(plies):
        mover = mover_of(state)
        if mover == "xplayer":
            proof = best_within(state, seconds=LONG, memory=10_000_000)
            assert proof is not None
            state = state.play(proof.best[0])
        else:
            state = state.play(source.choice(state.legal(mover)))
        if state.is_terminal:
            break
    assert state.goals["xplayer"] == 100


def test_far_from_the_end_there_is_no_answer() -> None:
    game = compiled(LARGE)
    assert best_within(game.initial(), seconds=LONG, positions=2_000, memory=2_000_000) is None


def test_what_was_found_stays_for_the_next_move() -> None:
    game = CompiledGame(load_sheet("connect:4,4x4"))
    first = best_within(game.initial(), seconds=LONG, positions=10**7, memory=20_000_000)
    again = best_within(game.initial(), seconds=LONG, memory=20_000_000)
    assert first is not None
    assert again is not None
    assert again.positions < first.positions / 10


def test_games_and_positions_that_are_not_searched_have_no_answer() -> None:
    three = TWICE.replace("(role b)", "(role b) (role c) (legal c noop)")
    unopposed = TWICE.replace("(goal b 0)", "(goal b 100)")
    for text in (three, unopposed):
        game = CompiledGame(read(text))
        assert best_within(game.initial(), seconds=LONG, memory=2_000_000) is None
        assert best_within(game.initial(), seconds=LONG, memory=2_000_000) is None
    assert best_within(compiled("roshambo").initial(), seconds=LONG) is None
    assert best_within(ReferenceGame(load_sheet("nim:1")).initial(), seconds=LONG) is None
    ended = compiled("nim:1").initial().play("(reduce a 0)")
    assert best_within(ended, seconds=LONG) is None
