"""Looking ahead on the engine allows what one state at a time does."""

from __future__ import annotations

import random
from typing import cast

import numpy as np
import pytest

from kibitz.engine import Blocks, CompiledGame, State
from kibitz.games import load_sheet
from kibitz.policy import Asked, LookaheadPolicy, NotCompilableError, play_matches
from kibitz.strategy import read_strategy

LISTS = [
    "next wins(me) => any\nnext not can(opponent, next wins(opponent)) => any also fewest M in "
    "moves(opponent): next legal(opponent, M)",
    "true => any also lowest steps(me) - steps(opponent)",
    "can(me, next can(opponent, next wins(opponent))) & next next not wins(opponent) => any also "
    "highest pairs(me)\nnext next not wins(opponent) or cell(1,1,b) => any also most ways(me, 2)",
    "true => any also most M in moves(me): next next legal(me, M)",
]


TAKING = (
    "taken(opponent) & next not can(opponent, taken(me)) => any\n"
    "true => any also fewest M in moves(me): next next legal(me, M)"
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *((name, text) for name in ("tictactoe", "connect:3,3x4") for text in LISTS),
        ("breakthrough:5x3", TAKING),
    ],
)
def test_moves_are_those_of_one_state_at_a_time(name: str, text: str) -> None:
    game = CompiledGame(load_sheet(name))
    strategy = read_strategy(f"symmetric none\n{text}", game)
    source = random.Random(1)
    for index, role in enumerate(game.roles):
        states: list[State] = []
        for _ in range(4):
            state = game.initial()
            while not state.is_terminal:
                if len(state.legal(role)) > 1:
                    states.append(state)
                joint = tuple(source.choice(state.legal(one)) for one in game.roles)
                state = game.successor(state.key, joint)
        moves = game.network.moves[index]
        legal = np.array([[move in state.legal(role) for move in moves] for state in states])
        rows = Blocks(game).rows([cast(int, state.key) for state in states])
        asked = Asked(game, role, rows, legal, np.arange(len(rows)), 0, lambda _: [])
        allowed = LookaheadPolicy.of(strategy, role).moves(asked)
        for state, row in zip(states, allowed, strict=True):
            mine = strategy.moves(state, role) or state.legal(role)
            assert {moves[i] for i in np.flatnonzero(row)} == set(mine)


def test_matches_are_played_by_looking_ahead() -> None:
    game = CompiledGame(load_sheet("hex:5"))
    strategy = read_strategy("true => any also lowest steps(me) - steps(opponent)", game)
    points = play_matches(game, {"blue": LookaheadPolicy.of(strategy, "blue")}, 32).of("blue")
    assert points.mean() > 95


def test_what_looks_too_far_is_refused() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    for text in (
        "next (not terminal & next can(me, next wins(me))) => any",
        "previous does(opponent, mark(1,1)) => any",
    ):
        with pytest.raises(NotCompilableError):
            LookaheadPolicy.of(read_strategy(text, game), "xplayer")
