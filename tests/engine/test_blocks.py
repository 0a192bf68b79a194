"""Arrays of states answer as single states do."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.engine.exploring import explore

from kibitz.engine import State
from kibitz.engine.compiled.blocks import Blocks
from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import read

GAMES = ("tictactoe", "roshambo", "hanoi", "nim:1,3,5,7", "breakthrough:5x5", "connectfour")


@pytest.fixture(params=GAMES, scope="module")
def game(request: pytest.FixtureRequest) -> CompiledGame:
    return CompiledGame(load_sheet(request.param))


def test_arrays_answer_as_single_states_do(game: CompiledGame) -> None:
    blocks = Blocks(game)
    keys = explore(game, limit=700)
    rows = blocks.rows(keys)
    states = [State(game, key) for key in keys]
    assert blocks.terminal(rows).tolist() == [state.is_terminal for state in states]
    for index, role in enumerate(game.roles):
        moves = game.network.moves[index]
        for legal, state in zip(blocks.legal(rows, role), states, strict=True):
            assert {moves[i] for i in np.flatnonzero(legal)} == set(state.legal(role))
    goals = [[-1 if g is None else g for g in state.goals.values()] for state in states]
    assert blocks.goals(rows).tolist() == goals


def test_expanding_makes_every_joint_move_once(game: CompiledGame) -> None:
    blocks = Blocks(game)
    keys = explore(game, limit=40)
    children = blocks.expand(blocks.rows(keys))
    found = {
        (int(parent), *(str(game.network.moves[r][m]) for r, m in enumerate(joint))): key
        for key, parent, joint in zip(
            blocks.keys(children.states), children.parents, children.joint, strict=True
        )
    }
    expected = {}
    for index, key in enumerate(keys):
        state = State(game, key)
        for joint in product(*map(state.legal, game.roles)):
            expected[index, *map(str, joint)] = state.step(joint).key
    assert found == expected
    assert len(children.states) == len(expected)


def test_joint_moves_are_counted_as_they_are_made(game: CompiledGame) -> None:
    blocks = Blocks(game)
    rows = blocks.rows(explore(game, limit=1_000))
    for stop in (False, True):
        children = blocks.expand(rows, stop_at_terminal=stop)
        made = np.bincount(children.parents, minlength=len(rows)).tolist()
        assert blocks.count_joint_moves(rows, stop_at_terminal=stop) == made


def test_terminal_states_are_not_expanded_if_told_so() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    blocks = Blocks(game)
    rows = blocks.rows(explore(game, limit=6_000))
    children = blocks.expand(rows, stop_at_terminal=True)
    assert not blocks.terminal(rows)[children.parents].any()
    assert len(children.states) < len(blocks.expand(rows).states)


def test_no_states_have_no_answers(game: CompiledGame) -> None:
    blocks = Blocks(game)
    none = blocks.rows([])
    assert blocks.terminal(none).shape == (0,)
    assert blocks.goals(none).shape == (0, len(game.roles))
    assert blocks.legal(none, game.roles[0]).shape == (0, len(game.network.moves[0]))
    assert blocks.expand(none).states.shape == (0, blocks.words)


@cache
def wide_game() -> CompiledGame:
    fluents = "".join(f"(init (c {i}))" for i in range(130))
    rules = "(legal me a) (<= (next (c ?x)) (true (c ?x)) (does me a)) (<= terminal (true d))"
    return CompiledGame(read(f"(role me) {fluents} {rules}", form="kif"))


@given(st.lists(st.integers(0, 2**130 - 1), max_size=5))
def test_rows_and_keys_are_the_same_states(keys: list[int]) -> None:
    blocks = Blocks(wide_game())
    assert blocks.words == 3
    assert blocks.keys(blocks.rows(keys)) == keys
