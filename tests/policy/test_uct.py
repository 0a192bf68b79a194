"""Tree search in blocks plays as the plain one does, one tree at a time."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from kibitz.engine import Blocks, CompiledGame, Role, State
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.play import AgentPolicy, UctAgent
from kibitz.policy import (
    EXPLORATION,
    Asked,
    NotInBlocksError,
    RandomPolicy,
    UctPolicy,
    compile_strategy,
    play_both_sides,
    play_matches,
)
from kibitz.strategy import read_strategy


def test_the_same_seed_gives_the_same_matches() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    one, again, other = (
        play_matches(game, {"xplayer": UctPolicy(20)}, 64, seed=seed, record=True).records
        for seed in (1, 1, 2)
    )
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_threads_do_not_change_matches() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    one, two = (
        play_matches(game, {"oplayer": UctPolicy(5)}, 1100, threads=threads).goals.tolist()
        for threads in (1, 2)
    )
    assert one == two


def test_more_playouts_are_stronger() -> None:
    game = CompiledGame(load_sheet("connectfour"))
    few, many = ({role: UctPolicy(n) for role in game.roles} for n in (10, 200))
    assert play_both_sides(game, many, few, 100).mean() > 70
    assert play_both_sides(game, few, {}, 400).mean() > 70


def test_it_finds_the_parry_and_the_win() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    state = game.initial()
    for joint in (("(mark 1 1)", "noop"), ("noop", "(mark 2 1)"), ("(mark 1 2)", "noop")):
        state = state.step(list(joint))
    assert best_move(state, "oplayer") == "(mark 1 3)"
    state = state.step(["noop", "(mark 2 2)"])
    assert best_move(state, "xplayer") == "(mark 1 3)"


def best_move(state: State, role: Role) -> str:
    """Ask a search with 500 playouts for a move."""
    game = state.game
    assert isinstance(game, CompiledGame)
    moves = game.network.moves[game.roles.index(role)]
    legal = np.array([[move in state.legal(role) for move in moves]])
    rows = Blocks(game).rows([cast(int, state.key)])
    asked = Asked(game, role, rows, legal, np.zeros(1, dtype=np.int64), 3, lambda _: [])
    (chosen,) = np.flatnonzero(UctPolicy(500).moves(asked)[0])
    return str(moves[chosen])


def test_it_is_as_strong_as_one_tree_at_a_time() -> None:
    """Half of 60 matches each; a difference of 100 Elo would fail most of the time."""
    game = CompiledGame(load_sheet("connect:3,4x4"))
    blocks = {role: UctPolicy(30) for role in game.roles}
    single = {
        role: AgentPolicy(
            lambda seed: UctAgent(seed, playouts=30, exploration=EXPLORATION),
            name="uct:30",
            move_s=1e6,
        )
        for role in game.roles
    }
    mean = play_both_sides(game, blocks, single, 60).mean()
    assert 30 < mean < 70


def test_it_plays_against_rules_and_at_random() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    rules = compile_strategy(read_strategy("true => mark(2,2)", game), "xplayer")
    for mine in (rules, RandomPolicy()):
        goals = play_matches(game, {"xplayer": mine, "oplayer": UctPolicy(200)}, 100).of("oplayer")
        assert not np.isnan(goals).any()
        assert goals.mean() > 45


def test_games_in_which_several_choose_at_a_time_are_refused() -> None:
    game = CompiledGame(load_sheet("roshambo"))
    with pytest.raises(NotInBlocksError, match="several choose at a time"):
        play_matches(game, {"player1": UctPolicy(10)}, 10)
    with pytest.raises(InputError, match="too few"):
        UctPolicy(0)


def test_a_puzzle_of_one_role_is_searched() -> None:
    game = CompiledGame(load_sheet("hanoi:2"))
    played = play_matches(game, {"player": UctPolicy(20)}, 9, longest=6, record=True)
    assert {len(record) for record in played.records} <= set(range(3, 7))
    for record in played.records:
        state = game.initial()
        for (move,) in record.tolist():
            assert game.network.moves[0][move] in state.legal("player")
            state = game.successor(state.key, (game.network.moves[0][move],))
