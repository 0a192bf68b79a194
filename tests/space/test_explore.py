"""Exploring finds each state once, and every move; compared with counts and with the engines."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tests.effort import quick

from kibitz.engine import ReferenceGame, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.solve import solve
from kibitz.space import NOBODY, SEVERAL, Limits, StateSpace, explore, find_symmetries, intake

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
        assert reduced.value() == {"red": 0, "blue": 100}
        return
    whole = solve(explore(game))
    where = {whole.space.state(i): i for i in range(len(whole.space))}
    for i in range(len(reduced.space)):
        j = where[reduced.space.state(i)]
        assert reduced.values[i] == whole.values[j]
        assert reduced.distance[i] == whole.distance[j]


def test_states_that_are_each_other_s_images_become_one() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    corners = [
        game.initial().step([f"(mark {row} {col})", "noop"]) for row in (1, 3) for col in (1, 3)
    ]
    space = explore(game, starts=corners, symmetries=find_symmetries(game))
    assert space.layers[0] == 0
    assert space.layers[1] == 1


def ring(corners: int) -> str:
    """Write a game of three in turns: many moves in all, at most four in a state."""
    ways = [(i, (i + d) % corners) for i in range(corners) for d in (-2, -1, 1, 2)]
    return f"""
    (role red) (role green) (role blue) (after red green) (after green blue) (init (turn red))
    (init (at red 0)) (init (at green 1)) (init (at blue 2))
    {" ".join(f"(way {a} {b})" for a, b in ways)}
    (<= (legal ?p (go ?a ?b)) (true (turn ?p)) (true (at ?p ?a)) (way ?a ?b))
    (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
    (<= (next (at ?p ?b)) (does ?p (go ?a ?b)))
    (<= (next (at ?p ?a)) (true (at ?p ?a)) (not (true (turn ?p))))
    (<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q))
    (<= terminal (true (turn blue)))
    (<= (goal ?p 100) (role ?p) (true (at ?p 0))) (<= (goal ?p 0) (role ?p) (not (true (at ?p 0))))
    """


def test_games_in_turns_are_explored_however_many_moves_there_are_in_all() -> None:
    game = CompiledGame(read(ring(80), name="ring"))
    counts = game.program.layout.move_counts
    assert math.prod(counts) > 1 << 23
    space = explore(game)
    states, edges, left = {game.initial()}, 0, [game.initial()]
    while left:
        state = left.pop()
        for move in () if state.is_terminal else state.legal_moves:
            edges += 1
            after = state.play(move)
            if after not in states:
                states.add(after)
                left.append(after)
    assert (len(space), space.edges, space.is_complete) == (len(states), edges, True)
    assert {space.state(i) for i in range(len(space))} == states


def test_spaces_do_not_depend_on_whether_joint_moves_are_counted_beforehand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("tictactoe", "roshambo", "connect:3,4x4"):
        game = CompiledGame(load_sheet(name))
        plain = explore(game)
        with monkeypatch.context() as patch:
            patch.setattr(intake, "_LEAST_BLOCK", 1 << 30)
            patch.setattr(intake, "_SHARE_ROWS", 5000)
            counted = explore(game, threads=2)
        assert (plain.states == counted.states).all()
        assert (plain.target == counted.target).all()
        assert (plain.goals == counted.goals).all()


def test_a_state_with_too_many_joint_moves_is_refused_with_their_number() -> None:
    roles = " ".join(f"(role {r}) (legal {r} wait)" for r in "abcd")
    numbers = " ".join(f"(number {n})" for n in range(80))
    text = f"{roles} {numbers} (init p) (<= (legal ?r (say ?n)) (role ?r) (number ?n))" + (
        " (<= (next q) (true p)) (<= terminal (true q)) (<= (goal ?r 0) (role ?r))"
    )
    with pytest.raises(InputError, match=r"too many joint moves to be explored: 43,046,721"):
        explore(CompiledGame(read(text)))
