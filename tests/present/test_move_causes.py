"""Why a move is wrong, against distances of the solved game, which know nothing of threats."""

from __future__ import annotations

import random

import pytest

from kibitz.engine import CompiledGame, Move
from kibitz.games import load_sheet
from kibitz.present import cause_of, cause_text
from kibitz.solve import move_values, solve
from kibitz.space import explore

SOON = ("double threat", "unanswered threat")


@pytest.mark.parametrize("name", ["tictactoe", "connect:3,4x4"])
def test_causes_are_what_distances_say(name: str) -> None:
    solution = solve(explore(CompiledGame(load_sheet(name))))
    space = solution.space
    source = random.Random(3)
    met = set()
    for _ in range(150):
        number = source.randrange(len(space))
        values = move_values(solution, number)
        if space.state(number).is_terminal or len(values) < 2:
            continue
        best = max(values.values(), key=lambda value: value.rank)
        for (role, move), value in values.items():
            if value.goal >= best.goal:
                continue
            cause = cause_of(space.state(number), role, move)
            kind = None if cause is None else cause.kind
            met.add(kind)
            if best.outcome == "win" and best.plies == 1:
                assert kind == "misses a win"
            elif value.outcome == "loss" and value.plies == 2:
                assert kind == "lets them win"
            elif value.outcome == "loss" and value.plies == 4:
                assert kind in SOON
            elif best.outcome == "win" and best.plies == 3:
                assert kind == "misses its threat"
            else:
                assert kind is None
    assert {"misses a win", "lets them win"} < met
    assert met & {*SOON}


def test_a_cause_is_put_into_words() -> None:
    state = CompiledGame(load_sheet("tictactoe")).initial()
    for text in ("(mark 1 1)", "(mark 1 2)", "(mark 2 2)"):
        state = state.play(text)
    wrong = next(move for move in state.legal("oplayer") if str(move) == "(mark 2 1)")
    cause = cause_of(state, "oplayer", wrong)
    assert cause is not None
    assert cause_text(cause, str) == "It lets X win at once: (mark 3 3)."


def test_a_move_that_loses_at_once_is_said_to_end_play() -> None:
    state = CompiledGame(load_sheet("chomp:2x2")).initial()
    poison = next(move for move in state.legal("player1") if state.play(move).is_terminal)
    cause = cause_of(state, "player1", poison)
    assert cause is not None
    assert cause_text(cause, str) == "It ends play at once, and Player 1 loses."


def test_nothing_is_said_where_roles_choose_at_once_or_moves_are_many() -> None:
    together = CompiledGame(load_sheet("roshambo")).initial()
    role = together.game.roles[0]
    assert cause_of(together, role, together.legal(role)[0]) is None
    large = CompiledGame(load_sheet("hex:7")).initial()
    first: Move = large.legal(large.game.roles[0])[0]
    assert cause_of(large, large.game.roles[0], first) is None
