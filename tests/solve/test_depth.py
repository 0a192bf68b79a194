"""Searches from all states at once are compared with plain recursion from each."""

from __future__ import annotations

from functools import cache
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples
from tests.solve.test_retrograde import Graph, graphs

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.solve import Solution, solve
from kibitz.solve.depth_limited import END, MOST_REWARD, best_moves, depth_values
from kibitz.space import explore


def recursive(solution: Solution, reward: list[int], state: int, plies: int) -> int:
    """Search from one state as a textbook does, ends being worth less the further they are."""
    space = solution.space

    def search(number: int, left: int, depth: int) -> int:
        moves = space.moves(number)
        if space.terminal[number]:
            points = 2 * int(space.goals[number, 0]) - solution.total
            sign = (points > 0) - (points < 0)
            return points * END - sign * depth
        if not moves:
            return 0
        if left == 0:
            return reward[number]
        values = [search(to, left - 1, depth + 1) for _, to in moves]
        return min(values) if space.turn[number] == 1 else max(values)

    return search(state, plies, 0)


@examples(20)
@given(graphs(), st.data())
def test_sweeps_find_what_a_search_from_each_state_finds(graph: Graph, data: st.DataObject) -> None:
    solution = solve(explore(CompiledGame(read(graph.sheet()))))
    size = len(solution.space)
    reward = data.draw(st.lists(st.integers(-9, 9), min_size=size, max_size=size))
    for plies, values in enumerate(islice(depth_values(solution, reward), 5)):
        expected = [recursive(solution, reward, state, plies) for state in range(size)]
        assert values.tolist() == expected, plies


@examples(20)
@given(graphs(), st.data())
def test_the_best_moves_are_those_that_lead_to_the_best_search(
    graph: Graph, data: st.DataObject
) -> None:
    solution = solve(explore(CompiledGame(read(graph.sheet()))))
    space = solution.space
    reward = data.draw(st.lists(st.integers(-9, 9), min_size=len(space), max_size=len(space)))
    found = best_moves(solution, reward, (1, 2, 4))
    assert set(found) == {1, 2, 4}
    search = cache(lambda state, plies: recursive(solution, reward, state, plies))
    for plies, chosen in found.items():
        for state in range(len(space)):
            after = [search(to, plies - 1) for _, to in space.moves(state)]
            if after:
                best = min(after) if space.turn[state] == 1 else max(after)
                edges = slice(space.first_edge[state], space.first_edge[state + 1])
                assert chosen[edges].tolist() == [value == best for value in after]


def test_a_search_to_the_end_finds_the_solution() -> None:
    solution = solve(explore(CompiledGame(load_sheet("tictactoe"))))
    values = next(islice(depth_values(solution, [0] * len(solution.space)), 9, None))
    assert (np.sign(values) == np.sign(solution.values.astype(int) - 50)).all()
    won = values > MOST_REWARD
    assert (100 * END - values[won] == solution.distance[won]).all()


def test_large_spaces_are_swept_in_parts() -> None:
    solution = solve(explore(CompiledGame(load_sheet("bottom2:3,3x4"))))
    assert len(solution.space) > 1 << 15
    values = next(islice(depth_values(solution, [0] * len(solution.space)), 12, None))
    assert (np.sign(values) == np.sign(solution.values.astype(int) - 50)).all()


@pytest.mark.parametrize("reward", [[0], [MOST_REWARD + 1] * 6, [[0] * 6]])
def test_rewards_that_do_not_fit_are_refused(reward: list[int]) -> None:
    solution = solve(explore(CompiledGame(load_sheet("nim:1,2"))))
    assert len(solution.space) >= 6
    with pytest.raises(InputError, match="reward"):
        next(depth_values(solution, reward))


def test_a_search_of_no_plies_chooses_nothing() -> None:
    solution = solve(explore(CompiledGame(load_sheet("nim:1,2"))))
    with pytest.raises(InputError, match="one move"):
        best_moves(solution, [0] * len(solution.space), [0])
