"""Sets made as decision diagrams are those that explicit exploration and solving find."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from tests.effort import examples, quick, spread
from tests.random_games import games
from tests.solve.test_retrograde import Graph, graphs

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, parse, parse_terms, read
from kibitz.solve import NEVER, Solution, solve
from kibitz.solve.symbolic import StateSet, SymbolicSolution, reach, solve_symbolically
from kibitz.solve.symbolic.encoding import candidate_orders, find_units
from kibitz.space import Limits, StateSpace, explore

PLAYED = [
    "tictactoe",
    "mnk:2,4,2",
    "connect:3,4x4",
    "bottom2:3,3x3",
    "nim:1,3,5",
    "nim:1,2,3,misere",
    "kayles:7",
    "chomp",
    "hex:3",
    "domineering:3x4",
    "threemensmorris",
    "breakthrough:4x3",
    "crossdot:6,3",
    "hanoi",
    "lightsout:2x3",
    "maze",
]


def rows_of(space: StateSpace, mask: np.ndarray | None = None) -> np.ndarray:
    rows = space.states if mask is None else space.states[mask]
    return rows[np.lexsort(rows.T)]


def same(found: StateSet, space: StateSpace, mask: np.ndarray | None = None) -> bool:
    return np.array_equal(found.rows(), rows_of(space, mask))


@pytest.mark.parametrize("name", [*spread(PLAYED, 6), "roshambo", *quick(["eightpuzzle"], ())])
def test_reachable_states_and_goals_are_those_of_exploration(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    space = explore(game)
    found = reach(game)
    assert found.states.count == len(space)
    assert found.layers == len(space.layers)
    assert same(found.states, space)
    assert same(found.inner, space, ~space.terminal)
    for role, ends in enumerate(found.ends):
        for value, states in ends.items():
            assert same(states, space, space.terminal & (space.goals[:, role] == value))


@pytest.mark.parametrize("name", spread(PLAYED, 6, begin=1))
def test_values_and_distances_are_those_of_retrograde_analysis(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    check_solution(solve_symbolically(reach(game)), solve(explore(game)))


def check_solution(found: SymbolicSolution, solution: Solution) -> None:
    space = solution.space
    assert found.value() == solution.value()
    assert found.plies() == solution.plies()
    assert sorted(found.by_value) == np.unique(solution.values).tolist()
    for value, states in found.by_value.items():
        worth = solution.values == value
        assert same(states, space, worth)
        for plies, layer in enumerate(found.layers[value]):
            assert same(layer, space, worth & (solution.distance == plies))
        endless = sum(layer.count for layer in found.layers[value])
        assert states.count - endless == int((worth & (solution.distance == NEVER)).sum())


@given(graphs())
@examples(20)
def test_random_graphs_with_cycles_are_solved_alike(graph: Graph) -> None:
    game = CompiledGame(read(graph.sheet()))
    check_solution(solve_symbolically(reach(game)), solve(explore(game)))


@given(games())
@examples(15)
def test_random_games_have_the_same_states_and_goals(sheet: RuleSheet) -> None:
    game = CompiledGame(sheet)
    space = explore(game, limits=Limits(states=20_000))
    if not space.is_complete:
        return
    found = reach(game)
    assert same(found.states, space)
    assert same(found.inner, space, ~space.terminal)


@given(games())
@examples(15)
def test_random_games_are_solved_alike_or_refused_alike(sheet: RuleSheet) -> None:
    game = CompiledGame(sheet)
    space = explore(game, limits=Limits(states=5_000))
    if not space.is_complete:
        return
    try:
        solution = solve(space)
    except KibitzError:
        with pytest.raises(KibitzError):
            solve_symbolically(reach(game))
    else:
        check_solution(solve_symbolically(reach(game)), solution)


@pytest.mark.parametrize(
    "name",
    quick(
        ["connect:3,4x4", "nim:1,3,5,7", "hanoi:4", "threemensmorris"],
        ["nim:1,3,5,7", "hanoi:4"],
    ),
)
@pytest.mark.parametrize("binary", [True, False])
def test_every_order_and_encoding_gives_the_same_counts(name: str, binary: bool) -> None:
    game = CompiledGame(load_sheet(name))
    counts = set()
    orders = candidate_orders(game.network, find_units(game.grounding, binary=binary))
    for order in orders:
        found = reach(game, order=order, binary=binary)
        counts.add((found.states.count, found.inner.count, found.layers))
    assert len(counts) == 1


def test_sets_can_be_joined_compared_and_asked_for_members() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    found = reach(game)
    start = game.initial()
    after = start.step(["(mark 1 1)", "noop"])
    assert start in found.states
    assert after in found.states
    ended = found.states - found.inner
    assert start not in ended
    assert ended.count == 958
    assert (ended | found.inner).function == found.states.function
    assert not ended & found.inner
    few = (ended & found.inner).including([start, after, start])
    assert few.count == 2
    assert {state.key for state in few.sample(9)} == {start.key, after.key}
    kept = [fluent for fluent in start.fluents if str(fluent) != "(cell 1 1 b)"]
    impossible = game.state([*kept, *parse_terms("(cell 1 1 o)")])
    assert impossible not in found.states


def test_samples_are_different_members_and_the_seed_decides() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    found = reach(game)
    drawn = found.inner.sample(300, seed=7)
    assert len({state.key for state in drawn}) == 300
    assert all(state in found.inner for state in drawn)
    assert [s.key for s in drawn] == [s.key for s in found.inner.sample(300, seed=7)]
    assert [s.key for s in drawn] != [s.key for s in found.inner.sample(300, seed=8)]
    everything = found.inner.sample(10**9)
    assert len({state.key for state in everything}) == len(everything) == found.inner.count


def test_sampling_is_uniform() -> None:
    found = reach(CompiledGame(load_sheet("nim:1,2")))
    counts: dict[object, int] = {}
    for seed in range(2000):
        (state,) = found.states.sample(1, seed=seed)
        counts[state.key] = counts.get(state.key, 0) + 1
    cells = found.states.count
    assert len(counts) == cells
    expected = 2000 / cells
    chi_squared = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_squared < 3 * cells


def test_running_out_of_nodes_or_time_says_how_far_it_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = CompiledGame(load_sheet("connect:4,5x5"))
    with pytest.raises(BudgetExceededError, match=r"[\d,]+ in \d+ layers.*200,000 nodes"):
        reach(game, nodes=200_000, order="moves")
    told: list[str] = []  # Once layers are told of, an hour has gone by.
    clock = SimpleNamespace(monotonic=lambda: 3600.0 * any("layers" in line for line in told))
    monkeypatch.setattr("kibitz.solve.symbolic.encoding.time", clock)
    with pytest.raises(BudgetExceededError, match=r"in \d+ layers.*0\.4 s"):
        reach(game, seconds=0.4, order="moves", progress=told.append)


def test_games_that_cannot_be_solved_are_refused() -> None:
    with pytest.raises(KibitzError, match="at the same time"):
        solve_symbolically(reach(CompiledGame(load_sheet("roshambo"))))
    with pytest.raises(InputError, match="no variable order"):
        reach(CompiledGame(load_sheet("nim:1,2")), order="alphabetical")
    text = """(role a) (role b) (init (at 0)) (legal a x) (legal a y) (legal b noop)
    (<= (next (at ?m)) (does a ?m)) (<= terminal (not (true (at 0))))
    (<= (goal a 100) (true (at x))) (<= (goal b 50) (true (at x)))
    (<= (goal a 0) (true (at y))) (<= (goal b 50) (true (at y)))"""
    with pytest.raises(KibitzError, match="do not add up"):
        solve_symbolically(reach(CompiledGame(read(text))))


def test_a_state_that_no_play_reaches_has_no_value() -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    solution = solve_symbolically(reach(game))
    with pytest.raises(InputError, match="cannot reach"):
        solution.value(game.state(parse_terms("(heap a 1) (heap b 2) (control player2)")))


@pytest.mark.parametrize("goals", ["", "(goal a 10)", "(<= (goal a ?v) (true (won ?v)))"])
def test_a_goal_that_cannot_be_used_gets_the_same_words_as_in_exploration(goals: str) -> None:
    text = f"""(role a) (init (won 150)) (legal a go) (<= (next over) (does a go))
    (<= (next (won ?v)) (true (won ?v))) (<= terminal (true over)) {goals}
    (<= (goal a 50) (true (won 7)))"""
    if goals == "(goal a 10)":
        text += "(<= (goal a 20) (true over))"
    game = CompiledGame(parse(text, name="odd.kif"))
    with pytest.raises(KibitzError) as explicit:
        solve(explore(game))
    with pytest.raises(KibitzError) as symbolic:
        solve_symbolically(reach(game))
    assert symbolic.value.message.startswith("a terminal state of odd.kif gives a ")
    assert (symbolic.value.message, symbolic.value.hint) == (
        explicit.value.message,
        explicit.value.hint,
    )
