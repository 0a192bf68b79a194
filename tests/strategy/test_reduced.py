"""A space with one state of each orbit gives the same verdict as the whole one, or none."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.foreign import FOREIGN, needs_foreign
from tests.strategy.made import game, solution

from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.game import parse_move
from kibitz.errors import InputError
from kibitz.gdl import read
from kibitz.learn.preferences.preferences import read_preferences
from kibitz.present.report.dead_rules import find_deadwood
from kibitz.solve import Solution, solve
from kibitz.solve.cluster import solve_on_cluster
from kibitz.solve.solution_file import load_solution, store_solution
from kibitz.space import explore
from kibitz.strategy import read_strategy, rule_list, verify
from kibitz.strategy.evaluation.columns import unfold
from kibitz.strategy.evaluation.rule_images import symmetries_of
from kibitz.strategy.verification.comparison import compare
from kibitz.strategy.verification.compliance import holds_everywhere

CORRIDOR = """
    (role walker) (init (place 0)) (door red) (door blue) (end 1100)
    {places}
    (<= (legal walker walk) (true (place ?x)) (follows ?x ?y))
    (<= (legal walker run) (true (place ?x)) (follows ?x ?y) (follows ?y ?z))
    (<= (legal walker (choose ?d)) (true (place ?x)) (end ?x) (door ?d))
    (<= (legal walker (push ?d)) (true (before ?e)) (door ?d))
    (<= (next (place ?y)) (does walker walk) (true (place ?x)) (follows ?x ?y))
    (<= (next (place ?z)) (does walker run) (true (place ?x)) (follows ?x ?y) (follows ?y ?z))
    (<= (next (before ?d)) (does walker (choose ?d)))
    (<= (next out) (does walker (push ?d)) (true (before ?d)))
    (<= (next shut) (does walker (push ?d)) (true (before ?e)) (distinct ?d ?e))
    (<= terminal (true out))
    (<= terminal (true shut))
    (<= (goal walker 100) (true out))
    (<= (goal walker 0) (not (true out)))
"""
LOSING = """
    symmetric none
    true => walk
    true => (choose red)
    (before red) => (push blue)
    (before blue) => (push blue)
"""


def corridor() -> CompiledGame:
    """Give a game whose two symmetric states lie behind more than a thousand others."""
    places = " ".join(f"(follows {n} {n + 1})" for n in range(1100))
    return CompiledGame(read(CORRIDOR.format(places=places), name="corridor"))


def both(made: CompiledGame) -> tuple[Solution, Solution]:
    return solve(explore(made)), solve(explore(made, symmetries=symmetries_of(made)))


def test_a_losing_strategy_is_not_called_optimal_where_few_states_are_left_out() -> None:
    made = corridor()
    whole, reduced = both(made)
    assert len(reduced.space) < len(whole.space)
    strategy = read_strategy(LOSING, made)
    assert not verify(strategy, whole, "walker").strongly_optimal
    with pytest.raises(InputError, match="symmetric states, needs all states of corridor"):
        verify(strategy, reduced, "walker")
    for symmetry, is_optimal in (("any", False), ("first", False)):
        assert verify(strategy, whole, "walker", symmetry=symmetry).wins is is_optimal
    assert not verify(strategy, reduced, "walker", symmetry="any").strongly_optimal


@needs_foreign
@pytest.mark.slow
def test_a_foreign_chain_is_judged_alike_or_not_at_all() -> None:
    text = (FOREIGN / "broken" / "reduced-chain.kif").read_bytes()
    made = CompiledGame(read(text, name="chain"))
    rules = "true => go1\ntrue => (turn rr)\n(at rr) => (grab l)\n(at l) => (grab l)\n"
    strategy = read_strategy("symmetric none\n" + rules, made)
    whole, reduced = both(made)
    assert not verify(strategy, whole, "r").strongly_optimal
    with pytest.raises(InputError, match="needs all states"):
        verify(strategy, reduced, "r")


@pytest.mark.parametrize("name", ["tictactoe", "nim:2,2,3", "mnk:1,4,3", "threemensmorris"])
def test_random_rule_lists_are_judged_on_one_state_of_each_orbit_as_on_all(name: str) -> None:
    source = random.Random(7)
    made, whole = game(name), solution(name)
    reduced = solve(explore(made, symmetries=symmetries_of(made)))
    assert reduced.space.is_reduced
    for _ in range(12):
        index = source.randrange(len(made.roles))
        role, moves = made.roles[index], made.network.moves[index]
        fluents = made.network.fluents
        rules = [
            (
                [
                    (fluent, source.random() < 0.7)
                    for fluent in source.sample(fluents, source.randint(0, 2))
                ],
                [source.choice(moves)],
            )
            for _ in range(source.randint(1, 8))
        ]
        strategy = rule_list(rules, game=made)
        one, other = verify(strategy, whole, role), verify(strategy, reduced, role)
        alike = {"bad_states", "states_checked", "counterexample"}
        found, expected = other.as_json(), one.as_json()
        assert {k: v for k, v in found.items() if k not in alike} == {
            k: v for k, v in expected.items() if k not in alike
        }, strategy.text
        example = other.counterexample
        assert (example is None) == (one.counterexample is None)
        if example is not None:
            state = made.initial()
            for joint in example.path:
                state = state.step([parse_move(move) for move in joint])
            assert tuple(map(made.write, state.fluents)) == example.fluents
            legal = {made.write(move) for move in state.legal(role)}
            assert {*example.moves_chosen, *example.optimal_moves} <= legal


def test_a_line_of_best_play_can_be_played_where_symmetric_states_are_left_out() -> None:
    for name in ("tictactoe", "nim:2,2,3"):
        made = game(name)
        reduced = solve(explore(made, symmetries=symmetries_of(made)))
        state = made.initial()
        for joint in reduced.line():
            state = state.step(joint)
        assert state.is_terminal
        assert state.goals == reduced.value()


def test_a_reduced_space_stays_one_when_stored_cut_or_made_on_a_cluster(tmp_path: Path) -> None:
    made = game("tictactoe")
    found = symmetries_of(made)
    reduced = solve(explore(made, symmetries=found))
    assert reduced.space.symmetries == found
    store_solution(reduced, tmp_path / "reduced")
    assert load_solution(tmp_path / "reduced").space.symmetries == found
    store_solution(solution("tictactoe"), tmp_path / "whole")
    assert load_solution(tmp_path / "whole").space.symmetries is None
    assert solve_on_cluster(made, cluster="here", symmetries=found).space.symmetries == found
    assert solve_on_cluster(made, cluster="here").space.symmetries is None


def test_a_group_without_symmetries_leaves_nothing_out() -> None:
    made = game("nim:1,2")
    assert symmetries_of(made).order == 1
    assert not explore(made, symmetries=symmetries_of(made)).is_reduced
    space = solve_on_cluster(made, cluster="here", symmetries=symmetries_of(made)).space
    assert not space.is_reduced


def test_what_needs_all_states_says_so() -> None:
    made = game("tictactoe")
    space = explore(made, symmetries=symmetries_of(made))
    corner = read_strategy("true => (mark 1 1)", made)
    for ask in (
        lambda: compare(corner, corner, space, "xplayer"),
        lambda: holds_everywhere("terminal", space),
        lambda: unfold(space, 1),
        lambda: find_deadwood(space),
        lambda: read_preferences(":~ next(cell(1,1,x)). [1@1]").move_set(space, "xplayer"),
    ):
        with pytest.raises(InputError, match="needs all states of tictactoe"):
            ask()
