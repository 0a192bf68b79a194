"""Chances of all states at once are compared with recursion, linear equations and plays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples
from tests.puzzles.grids import by_hand, ids_of, solved
from tests.solve.test_retrograde import Graph, graphs

from kibitz.engine.compiled.game import CompiledGame
from kibitz.gdl import read
from kibitz.puzzles import (
    DepthSkill,
    MoveChances,
    OptimalSkill,
    RandomSkill,
    sample_wins,
    winning_chances,
)
from kibitz.puzzles.skill.skills import choose_all
from kibitz.solve import Solution, solve
from kibitz.space import explore


@pytest.mark.parametrize("name", ["mnk:3,3,3", "connect:3,3x4", "bottom2:3,3x3,RC"])
@pytest.mark.parametrize(("k1", "k2"), [(1, 3), (2, 1), (3, 3)])
def test_depth_k_players_meet_with_the_chances_that_recursion_finds(
    name: str, k1: int, k2: int
) -> None:
    solution, game = solved(name), by_hand(name)
    own, other = choose_all([(DepthSkill(k1), 0), (DepthSkill(k2), 1)], solution)
    chance = winning_chances(solution, 0, own, other).chance
    for board, state in ids_of(name).items():
        assert chance[state] == pytest.approx(float(game.chance(board, k1, k2)), abs=1e-12)


def test_a_depth_k_player_chooses_what_recursion_chooses() -> None:
    name = "connect:3,3x4"
    solution, game = solved(name), by_hand(name)
    space, ids = solution.space, ids_of(name)
    for k in (1, 2, 3):
        chosen = DepthSkill(k).choose(solution, 0).chosen
        for board, state in ids.items():
            if game.outcome(board) is None:
                edges = range(space.first_edge[state], space.first_edge[state + 1])
                picked = {int(space.target[e]) for e in edges if chosen[e]}
                assert picked == {ids[b] for b in game.best(board, k)}


def linear(solution: Solution, own: MoveChances, other: MoveChances) -> npt.NDArray[np.float64]:
    """Solve x = Px + w as equations, over states from which a win can be reached."""
    space = solution.space
    size = len(space)
    step = np.zeros((size, size))
    chances = [choice.chances(space) for choice in (own, other)]
    for state in range(size):
        for edge in range(space.first_edge[state], space.first_edge[state + 1]):
            which = chances[0] if space.turn[state] == 0 else chances[1]
            step[state, space.target[edge]] += which[edge]
    won = (space.terminal & (space.goals[:, 0] == 100)).astype(float)
    reaches = won > 0
    for _ in range(size):
        reaches |= (step @ reaches) > 0
    step[~reaches] = 0
    return np.linalg.solve(np.eye(size) - step, won)


@examples(25)
@given(graphs(), st.data())
def test_chances_in_games_with_cycles_solve_the_linear_equations(
    graph: Graph, data: st.DataObject
) -> None:
    solution = solve(explore(CompiledGame(read(graph.sheet()))))
    edges = solution.space.edges
    bits = st.lists(st.booleans(), min_size=edges, max_size=edges)
    own, other = (
        MoveChances(
            np.array(data.draw(bits), dtype=bool), data.draw(st.sampled_from([0.0, 0.25, 1.0]))
        )
        for _ in range(2)
    )
    found = winning_chances(solution, 0, own, other)
    assert found.error <= 1e-12
    assert found.chance == pytest.approx(linear(solution, own, other), abs=1e-9)
    assert (found.chance >= 0).all()
    assert (found.chance <= 1 + 1e-12).all()


def test_a_play_that_never_ends_is_not_won() -> None:
    graph = Graph((0, 1, 0), ((1,), (0,), ()), (0, 0, 100), 2)
    solution = solve(explore(CompiledGame(read(graph.sheet()))))
    anyhow = RandomSkill().choose(solution, 0)
    assert winning_chances(solution, 0, anyhow, anyhow).chance.tolist() == [0.0, 0.0]


def test_a_win_that_nothing_can_prevent_is_sure_however_long_it_takes() -> None:
    solution = solved("eightpuzzle")
    anyhow = RandomSkill().choose(solution, 0)
    found = winning_chances(solution, 0, anyhow, anyhow)
    assert found.error == 0
    assert (found.chance == 1).all()


def test_the_optimal_player_wins_what_is_won_and_a_slipping_one_less() -> None:
    solution = solved("connect:3,3x4")
    won = (solution.values == 100) & (solution.space.turn == 0)
    best, weak = (OptimalSkill(s).choose(solution, 0) for s in (0.0, 0.3))
    assert (winning_chances(solution, 0, best, best).chance[won] == 1).all()
    assert winning_chances(solution, 0, weak, best).chance[won].mean() < 0.99


def test_the_second_role_s_chances_mirror_the_first_s() -> None:
    solution = solved("mnk:3,3,3")
    one, two = (DepthSkill(k).choose(solution, 0) for k in (1, 2))
    first = winning_chances(solution, 0, one, two).chance
    second = winning_chances(solution, 1, two, one).chance
    drawn = solution.space.terminal & (solution.space.goals[:, 0] == 50)
    assert (first + second <= 1 + 1e-12).all()
    assert (first[drawn] + second[drawn] == 0).all()


@pytest.mark.parametrize("slip", [0.0, 0.4])
def test_sampled_plays_agree_with_the_chances(slip: float) -> None:
    solution = solved("connect:3,4x4")
    own, other = choose_all([(DepthSkill(1), 0), (OptimalSkill(slip), 1)], solution)
    own = MoveChances(own.chosen, slip)
    chance = winning_chances(solution, 0, own, other).chance
    open_ = np.flatnonzero((chance > 0.01) & (chance < 0.99))
    assert len(open_) > 100
    states = np.concatenate([open_[:: len(open_) // 100], np.arange(0, len(chance), 997)])
    exact = chance[states]
    plays = 4000
    wins = sample_wins(solution, 0, own, other, states=states, plays=plays, seed=5)
    deviation = np.sqrt(np.maximum(exact * (1 - exact), 1e-12) / plays)
    assert (np.abs(wins / plays - exact) <= 5 * deviation + 1e-9).all()


def test_the_same_seed_gives_the_same_plays_in_any_company() -> None:
    solution = solved("mnk:3,3,3")
    anyhow = RandomSkill().choose(solution, 0)
    many = sample_wins(solution, 0, anyhow, anyhow, states=list(range(100)), seed=3)
    few = sample_wins(solution, 0, anyhow, anyhow, states=[50, 7], seed=3)
    assert few.tolist() == [many[50], many[7]]
    assert sample_wins(solution, 0, anyhow, anyhow, states=[50, 7], seed=4).tolist() != few.tolist()


def test_chances_of_the_moves_of_a_state_add_up_to_one() -> None:
    space = solved("mnk:3,3,3").space
    marks = np.random.default_rng(1).random(space.edges) < 0.2
    chances = MoveChances(marks, 0.1).chances(space)
    inner = np.flatnonzero(np.diff(space.first_edge))
    assert np.add.reduceat(chances, space.first_edge[inner]) == pytest.approx(np.ones(len(inner)))
