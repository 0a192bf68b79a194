"""Values of simultaneous moves are compared with exact fractions, proved from both sides."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.solve.methods import solve_any
from kibitz.solve.mixed import (
    find_mixes,
    guarantees,
    solve_mixed,
)
from kibitz.solve.retrograde import solve
from kibitz.space import explore

Matrix = list[list[Fraction]]


def exact_value(matrix: Matrix) -> Fraction:
    """Solve a matrix game by the simplex method in fractions, and prove it from both sides."""
    rows, columns = len(matrix), len(matrix[0])
    least = min(map(min, matrix))
    # Maximise the sum of y with (matrix - least + 1) y <= 1; column j < columns is y_j.
    work = [
        [entry - least + 1 for entry in row] + [Fraction(int(i == k)) for k in range(rows)]
        for i, row in enumerate(matrix)
    ]
    right = [Fraction(1)] * rows
    costs = [Fraction(-1)] * columns + [Fraction(0)] * rows
    basis = list(range(columns, columns + rows))
    while any(cost < 0 for cost in costs):
        entering = next(j for j, cost in enumerate(costs) if cost < 0)
        _, _, leaving = min(
            (right[i] / work[i][entering], basis[i], i)
            for i in range(rows)
            if work[i][entering] > 0
        )
        pivot = work[leaving][entering]
        work[leaving] = [entry / pivot for entry in work[leaving]]
        right[leaving] /= pivot
        for i in range(rows):
            if i != leaving and work[i][entering]:
                factor = work[i][entering]
                work[i] = [a - factor * b for a, b in zip(work[i], work[leaving], strict=True)]
                right[i] -= factor * right[leaving]
        factor = costs[entering]
        costs = [a - factor * b for a, b in zip(costs, work[leaving], strict=True)]
        basis[leaving] = entering
    y = [Fraction(0)] * (columns + rows)
    for place, share in zip(basis, right, strict=True):
        y[place] = share
    total = sum(y[:columns])
    ours = [cost / total for cost in costs[columns:]]
    theirs = [share / total for share in y[:columns]]
    sure = min(sum(ours[i] * matrix[i][j] for i in range(rows)) for j in range(columns))
    most = max(sum(theirs[j] * matrix[i][j] for j in range(columns)) for i in range(rows))
    assert sum(ours) == sum(theirs) == 1
    assert sure == most
    return Fraction(sure)


entries = st.integers(0, 100)


@st.composite
def matrices(draw: st.DrawFn) -> list[list[int]]:
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    entry = draw(st.sampled_from([entries, st.sampled_from([0, 50, 100]), st.integers(0, 2)]))
    return [[draw(entry) for _ in range(columns)] for _ in range(rows)]


@given(matrices())
def test_both_mixes_guarantee_the_value_of_a_matrix(given_matrix: list[list[int]]) -> None:
    matrix = np.array(given_matrix, dtype=float)
    least, most = guarantees(matrix, find_mixes(matrix))
    value = exact_value([[Fraction(entry) for entry in row] for row in given_matrix])
    assert least <= value <= most
    assert most - least < 1e-9


@given(st.integers(0, 2**32 - 1), st.integers(2, 40))
@examples(20)
def test_mixes_of_large_matrices_are_as_good_as_their_proof(seed: int, size: int) -> None:
    matrix = np.random.default_rng(seed).integers(0, 101, (size, size + 3)).astype(float)
    least, most = guarantees(matrix, find_mixes(matrix))
    assert 0 <= most - least < 1e-8


@dataclass(frozen=True)
class Stages:
    """Positions from which both, one, or nobody chooses; `targets` are rows of columns."""

    targets: tuple[tuple[tuple[int, ...], ...], ...]
    goals: tuple[int, ...]

    def game(self) -> CompiledGame:
        lines = ["(role a) (role b) (init (at 0))"]
        for position, table in enumerate(self.targets):
            for i, row in enumerate(table):
                lines.append(f"(row {position} {i})")
                lines += [f"(to {position} {i} {j} {to})" for j, to in enumerate(row)]
            lines += [f"(column {position} {j})" for j in range(len(table[0]) if table else 0)]
            if not table:
                goal = self.goals[position]
                lines.append(f"(end {position} {goal} {100 - goal})")
        lines += [
            "(<= (legal a (row ?i)) (true (at ?p)) (row ?p ?i))",
            "(<= (legal b (column ?j)) (true (at ?p)) (column ?p ?j))",
            "(<= (next (at ?q)) (true (at ?p)) (does a (row ?i)) (does b (column ?j))"
            " (to ?p ?i ?j ?q))",
            "(<= terminal (true (at ?p)) (end ?p ?g ?h))",
            "(<= (goal a ?g) (true (at ?p)) (end ?p ?g ?h))",
            "(<= (goal b ?h) (true (at ?p)) (end ?p ?g ?h))",
        ]
        return CompiledGame(read("\n".join(lines)))

    def value(self, position: int, known: dict[int, Fraction]) -> Fraction:
        if position not in known:
            table = self.targets[position]
            known[position] = (
                exact_value([[self.value(to, known) for to in row] for row in table])
                if table
                else Fraction(self.goals[position])
            )
        return known[position]


@st.composite
def stages(draw: st.DrawFn) -> Stages:
    size = draw(st.integers(4, 9))
    tables: list[tuple[tuple[int, ...], ...]] = []
    for position in range(size):
        if position and (position == size - 1 or not draw(st.integers(0, 2))):
            tables.append(())
            continue
        rows, columns = draw(st.integers(1, 3)), draw(st.integers(1, 3))
        later = st.integers(position + 1, size - 1)
        tables.append(tuple(tuple(draw(later) for _ in range(columns)) for _ in range(rows)))
    return Stages(tuple(tables), tuple(draw(entries) for _ in range(size)))


@given(stages())
@examples(25)
def test_values_are_those_of_exact_fractions(game: Stages) -> None:
    solution = solve_mixed(explore(game.game()))
    known: dict[int, Fraction] = {}
    for state in range(len(solution.space)):
        position = int(str(solution.space.state(state).fluents[0].args[0]))
        value = game.value(position, known)
        assert solution.low[state] <= value <= solution.high[state]
        assert solution.high[state] - solution.low[state] < 1e-9
        goals = [goal or 0 for goal in solution.value(state).values()]
        assert sum(goals) == pytest.approx(100, abs=1e-5)


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2,4", "connect:3,4x4"])
def test_moves_in_turn_give_the_values_of_minimax(name: str) -> None:
    space = explore(CompiledGame(load_sheet(name)))
    mixed, minimax = solve_mixed(space), solve(space)
    assert (mixed.low == minimax.values).all()
    assert (mixed.high == minimax.values).all()
    assert (mixed.shortest <= minimax.distance).all()
    assert (mixed.longest >= minimax.distance).all()


def test_a_mix_is_given_for_each_role() -> None:
    # a: 2, 0 / 0, 1 in parts of 50: a plays the first row one time in three.
    game = Stages((((1, 2), (2, 3)), (), (), ()), (0, 100, 0, 50))
    solution = solve_any(explore(game.game()))
    assert solution.kind == "average"
    assert solution.value() == {"a": 33.333333, "b": 66.666667}
    ours, theirs = solution.mixes().values()
    assert {str(m): s for m, s in ours.items()} == {"(row 0)": 0.333333, "(row 1)": 0.666667}
    assert sum(theirs.values()) == pytest.approx(1, abs=1e-5)
    assert solution.plies() == 1


def test_games_that_have_no_such_value_are_refused() -> None:
    circle = Stages((((0, 1), (1, 0)), ()), (0, 100))
    with pytest.raises(KibitzError, match="play can cycle"):
        solve_any(explore(circle.game()))
    text = """(role a) (role b) (init start) (legal a x) (legal a y) (legal b x) (legal b y)
    (<= (next done) (true start)) (<= (next same) (does a ?m) (does b ?m)) (<= terminal (true done))
    (<= (goal ?r 70) (role ?r) (true same)) (<= (goal ?r 20) (role ?r) (not (true same)))"""
    with pytest.raises(KibitzError, match="goals without a constant sum"):
        solve_any(explore(CompiledGame(read(text))))
    three = text + "(role c) (legal c x)"
    with pytest.raises(KibitzError, match="3 roles"):
        solve_any(explore(CompiledGame(read(three))))


def test_a_game_that_is_over_at_the_start_has_the_value_of_its_end() -> None:
    sheet = read(
        "(role x) (role y) terminal (goal x 30) (goal y 70) (init p)"
        "(legal x go) (legal x stay) (legal y go) (legal y stay)",
        name="over",
    )
    solution = solve_mixed(explore(CompiledGame(sheet)))
    assert (solution.value(), solution.plies()) == ({"x": 30.0, "y": 70.0}, 0)
