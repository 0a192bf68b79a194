"""A strategy as gates allows the same moves as the evaluator, and matches follow it."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.strategy.random_plans import plans, spaces

from kibitz import core
from kibitz.engine import CompiledGame, Role, State, simulate
from kibitz.engine.compiled import program
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.policy import (
    EvaluatedPolicy,
    GatePolicy,
    compile_strategy,
    moves_by_gates,
    play_both_sides,
    play_matches,
    policy_for,
)
from kibitz.strategy import Plan, Strategy, moves_in, read_strategy


def random_states(game: CompiledGame, matches: int, seed: int = 1) -> list[State]:
    """Play matches at random; return the states that were met and did not end them."""
    source = random.Random(seed)
    found: dict[State, None] = {}
    for _ in range(matches):
        state = game.initial()
        for _ in range(60):
            legal = [state.legal(role) for role in game.roles]
            if state.is_terminal or not all(legal):
                break
            found[state] = None
            state = game.successor(state.key, tuple(map(source.choice, legal)))
    return list(found)


def assert_agree(strategy: Strategy, role: Role, states: list[State]) -> None:
    """Compare gates with the evaluator wherever the role has a choice."""
    game = strategy.game
    assert isinstance(game, CompiledGame)
    policy = compile_strategy(strategy, role)
    chosen = [state for state in states if len(state.legal(role)) > 1]
    for state, found in zip(chosen, moves_by_gates(policy, chosen), strict=True):
        expected = moves_in(strategy, state, role).moves
        assert sorted(map(game.write, found)) == sorted(expected)


@st.composite
def tasks(draw: st.DrawFn) -> tuple[Strategy, Role, list[State]]:
    """Make a plan for a role of a small game, and all states of that game."""
    space = draw(spaces())
    plan: Plan = draw(plans(space, turn=False))
    role = draw(st.sampled_from(space.game.roles))
    every = tuple((name, plan) for name in space.game.roles)
    empty = read_strategy("true", space.game)
    strategy = replace(empty, plans=every, lines=(), symmetry="none")
    states = [space.state(number) for number in range(len(space))]
    going_on = [s for s in states if not s.is_terminal and all(map(s.legal, s.game.roles))]
    return strategy, role, going_on


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(tasks())
def test_random_plans_allow_the_same_moves_as_gates(
    task: tuple[Strategy, Role, list[State]],
) -> None:
    assert_agree(*task)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tictactoe", "not (wins oplayer) => mark(2,2)\nnext (wins xplayer) => mark(1,1)"),
        ("tictactoe", "symmetric first\ncell(1,1,x) => mark(1,2)\ntrue => mark(1,1)"),
        ("nim:2,3,digits", "any H in {a,b}: any N in {0,1,2}: (next odd(1)) & does(reduce(H,N))"),
        ("tictactoe", "cell(2,2,b) also next not can(opponent, next wins(opponent))"),
    ],
)
def test_symmetries_relations_and_priorities_become_gates(name: str, text: str) -> None:
    game = CompiledGame(load_sheet(name))
    for role in game.roles:
        assert_agree(read_strategy(text, game), role, random_states(game, 5))


def test_matches_by_gates_are_those_by_the_evaluator() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    rules = read_strategy("next wins(me)\ntrue => drop(2)", game)
    slow = EvaluatedPolicy(rules, "rules")
    found = [
        play_matches(game, {role: policy}, 40, seed=7).goals.tolist()
        for role in game.roles
        for policy in (compile_strategy(rules, role), slow)
    ]
    assert found[0] == found[1]
    assert found[2] == found[3]
    assert found[0] != found[2]


def test_the_last_move_is_known_to_gates() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    text = "symmetric any\nprevious does(opponent, mark(1,1)) => mark(3,3)\ntrue => mark(1,2)"
    rules = read_strategy(text, game)
    slow = EvaluatedPolicy(rules, "rules")
    for role in game.roles:
        found = [
            [
                match.tolist()
                for match in play_matches(game, {role: policy}, 60, record=True).records
            ]
            for policy in (compile_strategy(rules, role), slow)
        ]
        assert found[0] == found[1]


def test_a_strategy_with_a_past_is_evaluated_and_a_message_says_so() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    rules = read_strategy("previous cell(1,1,b) => mark(3,3)", game, name="mine")
    notes: list[str] = []
    policy = policy_for(rules, "xplayer", note=notes.append)
    assert isinstance(policy, EvaluatedPolicy)
    assert notes == [
        "mine is evaluated one state at a time, which is slow: it refers to more of the past than "
        "the last move"
    ]
    results = play_matches(game, {"xplayer": policy}, 20)
    assert set(results.of("xplayer").tolist()) <= {0, 50, 100}


def test_gates_are_for_one_role_of_one_game() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    policy = compile_strategy(read_strategy("true => mark(2,2)", game), "xplayer")
    assert isinstance(policy, GatePolicy)
    with pytest.raises(InputError, match="not for oplayer"):
        play_matches(game, {"oplayer": policy}, 1)


def test_random_matches_are_uniform_and_repeatable() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    goals = play_matches(game, {}, 20_000, seed=2).of("xplayer")
    expected = simulate(game, playouts=20_000).mean_goals["xplayer"]
    assert expected is not None
    assert abs(goals.mean() - expected) < 1.5
    again = play_matches(game, {}, 20_000, seed=2, threads=1).of("xplayer")
    other = play_matches(game, {}, 20_000, seed=3).of("xplayer")
    assert (goals == again).all()
    assert (goals != other).any()


def test_chance_is_common_as_long_as_play_is_alike() -> None:
    """Rules that differ in one late case only lead to the same goals in nearly all matches."""
    game = CompiledGame(load_sheet("connect:3,4x4"))
    texts = ("next wins(me)", "next wins(me)\n(cell 4 1 x) & (cell 4 4 o) => drop(2)")
    one, other = (
        play_matches(game, {"xplayer": compile_strategy(read_strategy(t, game), "xplayer")}, 2000)
        for t in texts
    )
    assert 0 < (one.goals != other.goals).any(axis=1).sum() < 200


def test_both_sides_share_the_matches() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    rules = read_strategy("next wins(me)", game)
    mine = {role: compile_strategy(rules, role) for role in game.roles}
    goals = play_both_sides(game, mine, {}, 2001)
    assert len(goals) == 2001
    assert goals[:1001].mean() > goals[1001:].mean() > 50
    assert play_both_sides(game, mine, mine, 1000).mean() == 50


def test_a_match_without_an_end_has_no_goals() -> None:
    game = CompiledGame(load_sheet("threemensmorris"))
    results = play_matches(game, {}, 512, longest=3)
    assert np.isnan(results.goals).all()
    assert results.moves == 3 * 512


@pytest.mark.parametrize("chunk", [7, 120])
def test_gates_as_native_code_fill_in_the_masks_that_the_interpreter_does(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "_CHUNK", chunk)
    game = CompiledGame(load_sheet("connect:3,4x4"))
    strategy = read_strategy("next wins(me) else next next not wins(opponent)", game)
    layout, machine = game.program.layout, game.machine
    fluents = slice(layout.fluents, layout.fluents + layout.fluent_count)
    playouts = machine.playouts(5)
    for role in game.roles:
        policy = compile_strategy(strategy, role)
        first = machine.mask_slots()[0][game.roles.index(role)]
        mask = slice(first, first + layout.move_counts[game.roles.index(role)])
        addresses = (core.function("interpret").address, policy.native.address("gates"))
        for _ in range(9):
            playouts.run(1)
            found = []
            for address in addresses:
                memory = core.vectors(policy.slots)
                memory[fluents] = playouts.memory[fluents]
                core.Stage(address, policy.code)(memory)
                found.append(memory[mask])
            assert found[0].any()
            assert (found[0] == found[1]).all()
