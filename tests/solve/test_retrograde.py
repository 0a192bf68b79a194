"""Solving is compared with a plain dictionary and value iteration on small games."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.solve import NEVER, Solution, solve
from kibitz.solve.retrograde import guaranteed_goals
from kibitz.space import Limits, StateSpace, explore


@dataclass(frozen=True)
class Graph:
    """Positions with a mover and moves to others; those without end, or are stuck at no goal."""

    movers: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    goals: tuple[int | None, ...]
    roles: int

    def sheet(self) -> str:
        names = ("a", "b")[: self.roles]
        lines = [f"(role {name})" for name in names] + ["(init (at 0))"]
        for position, targets in enumerate(self.moves):
            mover = names[self.movers[position] % self.roles]
            lines.append(f"(mover {position} {mover})")
            lines += [f"(edge {position} {target})" for target in targets]
            goal = self.goals[position]
            if not targets and goal is not None:
                lines.append(f"(end {position})")
                lines.append(f"(<= (goal a {goal}) (true (at {position})))")
                if self.roles == 2:
                    lines.append(f"(<= (goal b {100 - goal}) (true (at {position})))")
        lines += [
            "(<= (legal ?r (to ?y)) (true (at ?x)) (mover ?x ?r) (edge ?x ?y))",
            "(<= (legal ?r noop) (true (at ?x)) (mover ?x ?q) (role ?r) (distinct ?r ?q))",
            "(<= (next (at ?y)) (does ?r (to ?y)))",
            "(<= terminal (true (at ?x)) (end ?x))",
        ]
        return "\n".join(lines)

    def play(self, position: int) -> tuple[int, ...]:
        return self.moves[position]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(2, 9))
    positions = st.integers(0, size - 1)
    moves = [
        tuple(sorted(set(draw(st.lists(positions, min_size=1, max_size=3)))))
        if draw(st.integers(0, 3))
        else ()
        for _ in range(size)
    ]
    if not moves[0]:
        moves[0] = (1,)
    if all(moves):
        moves[-1] = ()
    return Graph(
        tuple(draw(st.integers(0, 1)) for _ in range(size)),
        tuple(moves),
        tuple(draw(st.sampled_from([0, 25, 50, 75, 100])) for _ in range(size)),
        draw(st.integers(1, 2)),
    )


def iterate(graph: Graph) -> list[list[int]]:
    """Give the values of all positions when play is cut off after 0, 1, 2, … plies, at 50."""
    size = len(graph.moves)
    ends = [None if moves else goal for moves, goal in zip(graph.moves, graph.goals, strict=True)]
    values = [[50 if goal is None else goal for goal in ends]]
    for _ in range(2 * size + 2):
        last = values[-1]
        now = []
        for position in range(size):
            after = [last[target] for target in graph.moves[position]]
            pick = max if graph.movers[position] % graph.roles == 0 else min
            now.append(pick(after) if after else last[position])
        values.append(now)
    return values


@given(graphs())
@examples(30)
def test_values_and_distances_are_those_of_value_iteration(graph: Graph) -> None:
    game = CompiledGame(read(graph.sheet()))
    solution = solve(explore(game))
    values = iterate(graph)
    for number in range(len(solution.space)):
        fluent = solution.space.state(number).fluents[0]
        position = int(str(fluent.args[0]))
        expected = values[-1][position]
        assert solution.values[number] == expected
        if expected != 50:
            plies = next(k for k, row in enumerate(values) if row[position] == expected)
            assert solution.plies(number) == plies
        elif not solution.space.terminal[number]:
            held = [
                int(solution.distance[solution.number(made.to)])
                for made in solution.keeping(number)
            ]
            longest = max(held, default=NEVER)
            assert solution.distance[number] == min(longest + 1, NEVER)


@given(graphs(), st.integers(1, 6))
@examples(30)
def test_what_roles_can_be_sure_of_grows_to_the_value(graph: Graph, states: int) -> None:
    game = CompiledGame(read(graph.sheet()))
    whole = explore(game)
    values = solve(whole).value()
    assert guaranteed_goals(whole) == values
    part = guaranteed_goals(explore(game, limits=Limits(states=states)))
    assert all(part[role] <= values[role] for role in values)


def test_tic_tac_toe_is_a_draw_on_a_full_board() -> None:
    solution = solved("tictactoe")
    assert solution.value() == {"xplayer": 50, "oplayer": 50}
    assert solution.plies() == 9
    assert len(solution.best_moves()) == 9


@pytest.mark.parametrize(
    ("name", "first", "plies"),
    [
        ("hanoi", 100, 7),
        ("nim:1,3,5,7", 0, 16),
        ("nim:1,3,5,7,misere", 0, None),
        ("connect:3,4x4", 100, 9),
        ("hex:3", 100, 5),
        ("crossdot:6,3", 50, 6),
        ("domineering", 100, None),
    ],
)
def test_a_game_has_the_value_that_is_known(name: str, first: int, plies: int | None) -> None:
    solution = solved(name)
    assert solution.values[0] == first
    if plies is not None:
        assert solution.plies() == plies


@pytest.mark.parametrize("name", ["tictactoe", "connect:3,4x4", "hex:3", "bottom2:3,3x3"])
def test_sweeping_layers_and_spreading_give_the_same(name: str) -> None:
    from kibitz.solve.retrograde import _ends, _sweep_layers, spread_values

    space = explore(CompiledGame(load_sheet(name)))
    assert space.is_layered
    one, plies = _ends(space)
    _sweep_layers(space, one, plies, 50)
    other, other_plies = _ends(space)
    spread_values(space, other, other_plies, 50, space.turn == 1)
    assert (one == other).all()
    assert (plies[one != 50] == other_plies[one != 50]).all()
    assert (plies == other_plies).all()


def test_nim_is_won_exactly_where_the_nim_sum_is_not_zero() -> None:
    solution = solved("nim:1,2,4,5")
    for number in range(len(solution.space)):
        heaps = 0
        mover = ""
        for fluent in solution.space.state(number).fluents:
            if fluent.name == "heap":
                heaps ^= int(str(fluent.args[1]))
            else:
                mover = str(fluent.args[0])
        assert (solution.value(number)[mover] == 100) == (heaps != 0)


def test_play_that_never_ends_is_worth_the_middle() -> None:
    graph = Graph((0, 1, 0), ((1, 2), (0,), ()), (50, 50, 0), 2)
    solution = solve(explore(CompiledGame(read(graph.sheet()))))
    assert solution.value() == {"a": 50, "b": 50}
    assert solution.distance[0] == NEVER
    assert solution.plies() is None
    assert solution.line() == []


def test_a_principal_variation_ends_the_game_in_as_many_plies_as_promised() -> None:
    solution = solved("threemensmorris")
    state = solution.space.state(0)
    line = solution.line()
    for joint in line:
        state = state.step(joint)
    assert len(line) == solution.plies()
    assert state.is_terminal
    assert state.goals == solution.value()


def test_roles_that_choose_at_the_same_time_are_refused() -> None:
    with pytest.raises(KibitzError, match="at the same time"):
        solved("roshambo")


def test_goals_that_do_not_add_up_are_refused() -> None:
    text = """(role a) (role b) (init (at 0)) (legal a x) (legal a y) (legal b noop)
    (<= (next (at ?m)) (does a ?m)) (<= terminal (not (true (at 0))))
    (<= (goal a 100) (true (at x))) (<= (goal b 50) (true (at x)))
    (<= (goal a 0) (true (at y))) (<= (goal b 50) (true (at y)))"""
    with pytest.raises(KibitzError, match="do not add up"):
        solve(explore(CompiledGame(read(text))))


def solved(name: str) -> Solution:
    return solve(explore(CompiledGame(load_sheet(name))))


def test_the_sum_of_values_is_the_sum_of_goals_everywhere() -> None:
    solution = solved("chomp")
    sums = {sum(solution.value(n).values()) for n in range(len(solution.space))}
    assert sums == {100}
    assert np.isin(solution.values, [0, 100]).all()


def chain(length: int) -> StateSpace:
    """Make a layered space of one move after another, and then the end."""
    space = explore(CompiledGame(read("(role a) (init f) (legal a go) terminal (goal a 100)")))
    count = length + 1
    return replace(
        space,
        states=np.arange(count, dtype=np.uint64)[:, None],
        first_edge=np.minimum(np.arange(count + 1), length),
        target=np.arange(1, count, dtype=np.uint32),
        action=np.zeros(length, dtype=np.uint16),
        turn=np.zeros(count, dtype=np.int8),
        terminal=np.arange(count) == length,
        goals=np.where(np.arange(count) == length, 100, -1).astype(np.int8)[:, None],
        layers=tuple(range(count)),
        is_layered=True,
    )


@pytest.mark.parametrize("length", [10, NEVER - 1])
def test_the_longest_way_to_the_end_is_counted(length: int) -> None:
    solution = solve(chain(length))
    assert (solution.value(), solution.plies()) == ({"a": 100}, length)


def test_an_end_that_is_too_far_away_is_not_told_as_none() -> None:
    with pytest.raises(KibitzError, match="moves away"):
        solve(chain(NEVER))


@given(graphs(), st.integers(0, 8))
@examples(30)
def test_what_can_get_stuck_is_refused_and_nothing_else(graph: Graph, cut: int) -> None:
    goals = tuple(None if n == cut else goal for n, goal in enumerate(graph.goals))
    made = replace(graph, goals=goals)
    space = explore(CompiledGame(read(made.sheet(), name="made")))
    reached = {int(str(space.state(n).fluents[0].args[0])) for n in range(len(space))}
    if cut in reached and not made.moves[cut]:
        with pytest.raises(KibitzError, match="made can get stuck"):
            solve(space)
    else:
        assert solve(space).value() == solve(explore(CompiledGame(read(graph.sheet())))).value()
