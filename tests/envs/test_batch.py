"""Batches of matches against the reference engine, and what they share with other libraries."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import kibitz
from kibitz.engine import CompiledGame, ReferenceGame, State
from kibitz.envs import BatchMatches, StateArrays, batch, match_facts
from kibitz.envs.arrays import arrays_of, reward
from kibitz.errors import IllegalMoveError, InputError
from kibitz.gdl import Function
from kibitz.space import turns_at

GAMES = ["tictactoe", "connect:3,3x4", "nim:2,3", "roshambo", "threemensmorris"]


def observed(arrays: StateArrays, state: State) -> set[str]:
    """Name what an observation says of a state: labels, with the entries that are set."""
    seen = arrays.observe(state)
    if len(arrays.shape) == 1:
        return {label for label, bit in zip(arrays.labels, seen, strict=True) if bit}
    return {
        f"{label} {row} {column}"
        for label, plane in zip(arrays.labels, seen, strict=True)
        for row, column in np.argwhere(plane)
    }


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_goes_where_the_reference_engine_goes(name: str) -> None:
    matches = batch(name, matches=70, seed=3, max_steps=20)
    game = matches.game
    reference = ReferenceGame(game.sheet)
    followed = [0, 63, 64, 69]
    states = {number: reference.initial() for number in followed}
    for _ in range(12):
        for number, state in states.items():
            assert set(matches.state(number).fluents) == set(state.fluents)
            for role, role_name in enumerate(game.roles):
                legal = set(state.legal(role_name))
                row = matches.legal(role)[number]
                assert {matches.arrays.actions[i] for i in np.flatnonzero(row)} == legal
            turn = turns_at(State(game, matches.state(number).key))
            assert game.roles[matches.turn[number]] == turn[0]
        actions = matches.sample_all()
        steps = matches.steps.copy()
        matches.step(actions)
        for number, state in states.items():
            joint = [matches.arrays.actions[action] for action in actions[number]]
            after = state.step(joint)
            assert matches.terminated[number] == after.is_terminal
            assert matches.truncated[number] == (not after.is_terminal and steps[number] == 19)
            wanted = [reward(goal or 0) for goal in after.goals.values()]
            ended = bool(matches.terminated[number])
            assert matches.rewards[number].tolist() == (wanted if ended else [0] * len(wanted))
            over = ended or bool(matches.truncated[number])
            states[number] = reference.initial() if over else after


@pytest.mark.parametrize("name", ["tictactoe", "nim:2,3", "hex:3", "sim"])
def test_observations_of_a_batch_are_those_of_its_states_and_tell_states_apart(name: str) -> None:
    matches = batch(name, matches=65, seed=1)
    for _ in range(4):
        matches.step(matches.sample())
    seen = matches.observe()
    by_state: dict[frozenset[Function], bytes] = {}
    for number in range(65):
        state = matches.state(number)
        assert np.array_equal(seen[number], matches.arrays.observe(state))
        by_state[frozenset(state.fluents)] = seen[number].tobytes()
    assert len(set(by_state.values())) == len(by_state)


def test_planes_show_pieces_where_the_board_has_them() -> None:
    arrays = arrays_of("tictactoe", "planes")
    state = arrays.game.initial().step(["(mark 1 3)", "noop"])
    assert observed(arrays, state) >= {"cell x 0 2", "(control oplayer) 2 2"}
    assert "cell b 0 2" not in observed(arrays, state)
    assert {"(cell 1 3 x)", "(control oplayer)"} <= observed(
        arrays_of(arrays.game, "vector"), state
    )


def test_random_play_in_a_batch_wins_as_often_as_in_other_random_play() -> None:
    matches = batch("tictactoe", matches=2000, seed=5)
    total, ended = 0.0, 0
    for _ in range(20):
        matches.step(matches.sample())
        total += float(matches.rewards[:, 0].sum())
        ended += int(matches.terminated.sum())
    goals = kibitz.simulate("tictactoe", playouts=20_000).mean_goals
    assert total / ended == pytest.approx(reward(goals["xplayer"] or 0), abs=0.06)


@pytest.mark.parametrize("count", [1, 100, 4096])
def test_arrays_are_filled_again_and_can_be_shared_without_a_copy(count: int) -> None:
    matches = batch("tictactoe", matches=count, seed=1)
    flags = (matches.mask, matches.terminated, matches.truncated)
    own: list[npt.NDArray[Any]] = [*flags, matches.turn, matches.steps, matches.observe()]
    own.append(matches.rewards)
    shared = [np.from_dlpack(one) for one in own]
    assert [one.ctypes.data % 64 for one in own] == [0] * len(own), "JAX copies such arrays"
    while not matches.terminated.any():
        matches.step(matches.sample())
        matches.observe()
    after = [*flags, matches.turn, matches.steps, matches.observe(), matches.rewards]
    for mine, theirs in zip(after, shared, strict=True):
        assert np.shares_memory(mine, theirs)
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("library", ["jax.dlpack", "torch"])
def test_other_libraries_see_each_step_without_a_copy(library: str) -> None:
    from_dlpack = pytest.importorskip(library).from_dlpack
    matches = batch("tictactoe", matches=100, seed=1)
    arrays = [matches.mask, matches.turn, matches.steps, matches.rewards, matches.terminated]
    arrays.append(matches.observe())
    shared, before = [from_dlpack(one) for one in arrays], [one.copy() for one in arrays]
    while not matches.terminated.any():
        matches.step(matches.sample())
        matches.observe()
    for array, seen, old in zip(arrays, shared, before, strict=True):
        assert np.array_equal(np.asarray(seen), array)
        assert not np.array_equal(old, array)


def test_the_same_seed_gives_the_same_matches() -> None:
    first, second = (batch("nim:2,3", matches=50, seed=9) for _ in range(2))
    for _ in range(10):
        actions = first.sample()
        assert np.array_equal(actions, second.sample())
        first.step(actions)
        second.step(actions)
    assert np.array_equal(first.observe(), second.observe())


def test_only_chosen_matches_move() -> None:
    matches = batch("tictactoe", matches=10, seed=1)
    where = np.arange(10) < 3
    matches.step(matches.sample(), where=where)
    assert matches.steps.tolist() == [1] * 3 + [0] * 7
    assert (matches.turn == where).all()


def test_an_illegal_action_is_refused_and_no_match_moves() -> None:
    matches = batch("tictactoe", matches=10, seed=1)
    actions = matches.sample()
    actions[7] = matches.arrays.number[Function("noop")]
    before = matches.observe().copy()
    with pytest.raises(IllegalMoveError, match="noop"):
        matches.step(actions)
    assert np.array_equal(matches.observe(), before)


@pytest.mark.parametrize(
    ("name", "actions", "message"),
    [
        ("tictactoe", np.zeros(9), "shape"),
        ("roshambo", np.zeros(10), "same time"),
    ],
)
def test_actions_of_another_shape_are_refused(
    name: str, actions: np.ndarray[tuple[int], np.dtype[np.float64]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        batch(name, matches=10).step(actions)


def test_matches_continue_from_given_states() -> None:
    space = kibitz.explore("tictactoe")
    inner = space.states[np.flatnonzero(~space.terminal)[:500]]
    matches = BatchMatches(arrays_of(space.game), 500)
    matches.set_states(inner)
    for number in random.Random(1).sample(range(500), 20):
        assert str(matches.state(number)) == str(
            space.state(int(np.flatnonzero(~space.terminal)[number]))
        )


def test_a_game_in_which_a_state_has_too_many_joint_moves_to_list_can_be_played() -> None:
    listed = [*(f"(role {role})" for role in "abcd"), *(f"(number {n})" for n in range(80))]
    rules = (
        " ".join(listed)
        + """
        (init start) (next end)
        (<= (legal ?r (name ?n)) (role ?r) (number ?n))
        (<= terminal (true end))
        (<= (goal ?r 70) (role ?r))
    """
    )
    game = kibitz.load(rules)
    assert isinstance(game, CompiledGame)
    with pytest.raises(InputError, match="too many joint moves"):
        kibitz.explore(game)
    matches = batch(game, matches=10, seed=1)
    assert matches.has_simultaneous_moves
    matches.step(matches.sample_all())
    assert matches.terminated.all()
    facts = match_facts(game)
    assert (facts.takes_turns, facts.goal_sum, facts.longest) == (False, 280, 1)
    assert not facts.is_proved
    explanation = kibitz.explain(game)
    assert explanation.limits[0].startswith("Its positions were not listed: ")
