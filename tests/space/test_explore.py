"""Exploring finds each state once, and every move; compared with counts and with the engines."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tests.effort import quick

from kibitz.engine import ReferenceGame, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.solve import solve
from kibitz.space import NOBODY, SEVERAL, Limits, StateSpace, explore, find_symmetries

COUNTS = json.loads((Path(__file__).parent.parent / "games" / "counts.json").read_text("utf-8"))
COUNTED = sorted(name for name, counts in COUNTS.items() if "reachable" in counts)
SMALL = [name for name in COUNTED if COUNTS[name]["reachable"] <= 300_000]
QUICK = [name for name in SMALL if COUNTS[name]["reachable"] <= 20_000][::2]
LARGE = [name for name in COUNTED if 300_000 < COUNTS[name]["reachable"] <= 10_000_000]


def explored(name: str) -> StateSpace:
    return explore(CompiledGame(load_sheet(name)))


def check_counts(name: str) -> None:
    space = explored(name)
    assert len(space) == COUNTS[name]["reachable"]
    if "terminal" in COUNTS[name]:
        assert space.terminal.sum() == COUNTS[name]["terminal"]


@pytest.mark.parametrize("name", quick(SMALL, QUICK))
def test_there_are_as_many_states_as_by_hand(name: str) -> None:
    check_counts(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_there_are_as_many_states_in_large_games(name: str) -> None:
    check_counts(name)


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2,3", "threemensmorris", "roshambo"])
def test_every_state_and_move_is_what_the_reference_engine_says(name: str) -> None:
    space = explored(name)
    reference = ReferenceGame(load_sheet(name))
    assert len({row.tobytes() for row in space.states}) == len(space)
    numbers = np.random.default_rng(1).permutation(len(space))[:60]
    for number in map(int, numbers):
        state = reference.state(space.state(number).fluents)
        assert state.is_terminal == space.terminal[number]
        assert state.goals == dict(zip(reference.roles, space.goals[number].tolist(), strict=True))
        moves = {joint: space.state(to).fluents for joint, to in space.moves(number)}
        assert moves == ({} if state.is_terminal else successors(state))


def successors(state: State) -> dict[object, object]:
    legal = [state.legal(role) for role in state.game.roles]
    return {joint: state.step(joint).fluents for joint in product(*legal)}


def test_the_turn_is_the_role_with_a_choice() -> None:
    space = explored("tictactoe")
    assert space.turn[0] == 0
    assert set(space.turn[space.terminal]) == {NOBODY}
    assert set(space.turn[1:10]) == {1}
    assert (explored("roshambo").turn == SEVERAL).any()


def test_states_come_in_layers_where_every_move_leads_to_the_next() -> None:
    space = explored("tictactoe")
    assert space.is_layered
    ends = [*space.layers[1:], len(space)]
    assert [end - begin for begin, end in zip(space.layers, ends, strict=True)] == [
        1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78,
    ]  # fmt: skip
    assert not explored("nim:1,2,3").is_layered
    assert not explored("threemensmorris").is_layered


def test_a_limit_leaves_a_partial_space_that_says_so() -> None:
    space = explore(CompiledGame(load_sheet("mnk:4,4,3")), limits=Limits(states=1000))
    assert not space.is_complete
    assert len(space) >= 1000
    assert space.first_edge[-1] == space.edges
    assert (np.diff(space.first_edge) >= 0).all()


def test_exploring_can_start_anywhere() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    state = game.initial().step(["(mark 2 2)", "noop"])
    space = explore(game, starts=[state, state])
    assert space.state(0) == state
    assert len(space) < 5478


def test_states_of_several_words_are_told_apart() -> None:
    space = explored("eightpuzzle")
    assert space.states.shape[1] > 1
    assert len(space) == 181_440


@pytest.mark.parametrize(
    ("name", "orbits"),
    [("tictactoe", 765), ("sim", 3729), ("nim:2,2,2", 16), ("threemensmorris", None)],
)
def test_one_state_of_each_orbit_has_the_value_of_all(name: str, orbits: int | None) -> None:
    game = CompiledGame(load_sheet(name))
    reduced = solve(explore(game, symmetries=find_symmetries(game)))
    assert orbits is None or len(reduced.space) == orbits
    if name == "sim":  # 2.2 million states are for the slow tests
        assert reduced.values() == {"red": 0, "blue": 100}
        return
    whole = solve(explore(game))
    where = {whole.space.state(i): i for i in range(len(whole.space))}
    for i in range(len(reduced.space)):
        j = where[reduced.space.state(i)]
        assert reduced.value[i] == whole.value[j]
        assert reduced.distance[i] == whole.distance[j]


def test_states_that_are_each_other_s_images_become_one() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    corners = [
        game.initial().step([f"(mark {row} {col})", "noop"]) for row in (1, 3) for col in (1, 3)
    ]
    space = explore(game, starts=corners, symmetries=find_symmetries(game))
    assert space.layers[0] == 0
    assert space.layers[1] == 1
