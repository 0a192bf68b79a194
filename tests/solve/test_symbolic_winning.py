"""Winning sets as diagrams: the paper's figures, and the explicit sets where both run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from tests.effort import examples, quick, spread
from tests.solve.test_retrograde import Graph, graphs

from kibitz.budget import Budget
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.solve import winning_sets
from kibitz.solve.symbolic import (
    explore_for_paper,
    find_consistent,
    find_winning_sets,
    reach,
    where_paper_looks,
)
from kibitz.solve.winning_set_counts import count_winning_sets
from kibitz.space import explore

TABLES = {
    "mnk:3,3,3": (5_478, 36, 0),
    "mnk:3,3,3,RC": (5_620, 0, 0),
    "mnk:3,3,3,RD": (5_691, 1, 0),
    "mnk:3,3,3,CD": (5_691, 1, 0),
    "bottom2:3,3x3": (4_174, 20, 0),
    "bottom2:3,3x3,RC": (4_306, 0, 0),
    "bottom2:3,3x3,RD": (4_363, 9, 0),
    "bottom2:3,3x3,CD": (4_364, 1, 0),
    "connect:3,4x4": (41_750, 110, 0),
    "connect:3,4x4,RC": (65_139, 200, 0),
    "connect:3,4x4,RD": (76_782, 418, 18),
    "connect:3,4x4,CD": (65_396, 277, 0),
}
"""Tables 1 to 3 of paper 003: states, W_2 and W_3."""

LARGE_TABLES = {
    "mnk:4,4,3": (6_036_001, 128, 0),
    "mnk:4,4,3,RC": (7_270_203, 3_272, 0),
    "mnk:4,4,3,RD": (None, 4_627, 4),
    "mnk:4,4,3,CD": (None, 4_627, 4),
    "bottom2:3,4x4": (1_824_843, 193, 0),
    "bottom2:3,4x4,RC": (None, 2_709, 90),
    "bottom2:3,4x4,RD": (None, 2_132, 24),
    "bottom2:3,4x4,CD": (2_443_892, 1_469, 16),
}


def padded(counts: tuple[int, ...]) -> list[int]:
    return [*counts, 0, 0, 0, 0][:4]


@pytest.mark.parametrize("name", spread(list(TABLES), 4))
@pytest.mark.parametrize("method", ["explicit", "symbolic"])
def test_the_tables_of_the_paper(name: str, method: str) -> None:
    states, two, three = TABLES[name]
    game = CompiledGame(load_sheet(name))
    found = count_winning_sets(game, "xplayer", set="paper", method=method)  # type: ignore[arg-type]
    assert found.method == method
    assert (found.states, *padded(found.w)[2:]) == (states, two, three)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE_TABLES)
@pytest.mark.parametrize("method", ["explicit", "symbolic"])
def test_the_large_tables_of_the_paper(name: str, method: str) -> None:
    states, two, three = LARGE_TABLES[name]
    game = CompiledGame(load_sheet(name))
    found = count_winning_sets(game, "xplayer", set="paper", method=method)  # type: ignore[arg-type]
    assert states in (None, found.states)
    assert padded(found.w)[2:] == [two, three]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "states", "two", "three"),
    [
        ("connect:4,5x5", 69_763_700, 759_584, 287_366),
        ("connect:4,5x5,RC", 87_100_186, 1_118_101, 809_530),
    ],
)
def test_connect_four_on_five_by_five(name: str, states: int, two: int, three: int) -> None:
    game = CompiledGame(load_sheet(name))
    found = count_winning_sets(game, "xplayer", set="paper", method="symbolic")
    assert (found.states, *found.w[2:4]) == (states, two, three)


@pytest.mark.parametrize(
    "name",
    quick(
        ["connect:3,4x4,CD", "threemensmorris", "breakthrough:4x3", "nim:1,3,5", "kayles:7"],
        ["threemensmorris", "nim:1,3,5", "kayles:7"],
    ),
)
@pytest.mark.parametrize("among", ["reachable", "consistent"])
def test_both_roles_have_the_same_sets_either_way(name: str, among: str) -> None:
    game = CompiledGame(load_sheet(name))
    for role in game.roles:
        one, other = (
            count_winning_sets(game, role, set="paper", method=method, among=among)  # type: ignore[arg-type]
            for method in ("explicit", "symbolic")
        )
        assert (one.states, one.w, one.best) == (other.states, other.w, other.best)
        assert one.w
    exact = [
        count_winning_sets(game, game.roles[-1], method=method)
        for method in ("explicit", "symbolic")
    ]
    assert exact[0].w == exact[1].w


# The second role's only move at 0 is one of several moves of the first role at 5.
@example(Graph((1, 0, 0, 1, 0, 0), ((3,), (), (), (1, 5), (), (0, 3)), (0,) * 6, roles=2))
@given(graphs())
@examples(20)
def test_random_graphs_have_the_same_sets_either_way(graph: Graph) -> None:
    game = CompiledGame(read(graph.sheet()))
    space, found = explore(game), reach(game)
    for role in game.roles:
        for kind in ("paper", "exact"):
            one = winning_sets(space, role, set=kind)
            other = find_winning_sets(found, role, set=kind, among="reachable")
            assert one.counts == other.counts
            for ids, states in zip(one.sets, other.sets, strict=True):
                rows = space.states[ids]
                assert np.array_equal(states.rows(), rows[np.lexsort(rows.T)])


def test_where_the_paper_looks_depends_on_what_moves_say() -> None:
    looks = {
        name: where_paper_looks(CompiledGame(load_sheet(name)))
        for name in ("mnk:4,4,3", "bottom2:3,4x4", "nim:1,2", "sim", "connect:3,4x4")
    }
    assert looks.pop("connect:3,4x4") == "consistent"
    assert set(looks.values()) == {"reachable"}


Board = tuple[str, ...]
SLOW = pytest.mark.slow


def columns(rows: int) -> list[str]:
    """Give all ways in which a column can be filled from the bottom."""
    return ["".join(marks) for n in range(rows + 1) for marks in product("xo", repeat=n)]


def has_line(board: Board, mark: str) -> bool:
    cells = {(r, c) for c, column in enumerate(board) for r, m in enumerate(column) if m == mark}
    return any(
        all((r + i * down, c + i * right) in cells for i in range(3))
        for r, c in cells
        for down, right in ((0, 1), (1, 0), (1, 1), (-1, 1))
    )


def after(board: Board, mark: str) -> Iterator[Board]:
    for c, column in enumerate(board):
        if len(column) < 4:
            yield (*board[:c], column + mark, *board[c + 1 :])


@pytest.mark.parametrize("width", [3, pytest.param(4, marks=SLOW)])
def test_connect_three_by_hand_over_all_boards_with_gravity(width: int) -> None:
    empty: Board = ("",) * width
    reached = {empty}
    frontier = {empty}
    won: set[Board] = set()
    mark = "x"
    while frontier:
        found = {new for board in frontier for new in after(board, mark)} - reached
        reached |= found
        over = {board for board in found if has_line(board, mark)}
        if mark == "x":
            won |= over
        frontier = found - over
        mark = "o" if mark == "x" else "x"

    balances: dict[int, set[Board]] = {0: set(), 1: set()}
    for board in product(columns(4), repeat=width):
        balance = sum(column.count("x") - column.count("o") for column in board)
        if balance in balances and not has_line(board, "x") and not has_line(board, "o"):
            balances[balance].add(board)
    mine = {board: set(after(board, "x")) for board in balances[0]}
    theirs = {board: set(after(board, "o")) for board in balances[1]}

    wins = {board for board in mine if mine[board] & won}
    sizes, all_wins, all_losses = [], set[Board](), set[Board]()
    while wins:
        sizes.append(len(wins - all_wins - {empty}))
        all_wins |= wins
        losses = {b for b in theirs if theirs[b] and theirs[b] <= wins} - all_losses
        all_losses |= losses
        wins = {board for board in mine if mine[board] & losses}
    found_sets = find_winning_sets(
        reach(CompiledGame(load_sheet(f"connect:3,4x{width}"))), "xplayer", set="paper"
    )
    assert found_sets.space.states.count == len(reached)
    assert found_sets.counts == tuple(n for n in sizes if n)
    assert sum((states - found_sets.space.states).count for states in found_sets.sets) > 0


def test_consistent_states_hold_the_reachable_ones_and_what_gravity_allows() -> None:
    found = reach(CompiledGame(load_sheet("connect:3,3x3,RD")))
    consistent = find_consistent(found)
    assert not found.states - consistent
    # 1 + 2 + 4 + 8 ways to fill each of three columns, and either to move.
    assert consistent.count == 15**3 * 2


def test_a_space_for_the_paper_marks_what_play_reaches() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4,RC"))
    paper = explore_for_paper(game)
    assert int(paper.reachable.sum()) == len(explore(game))
    assert paper.consistent[paper.reachable].all()
    assert paper.winning_sets("xplayer").counts[2] == 200
    reachable = paper.reachable
    inside = winning_sets(paper.space, "xplayer", set="paper", target=reachable, among=reachable)
    assert inside.counts[2] == 132


def test_time_that_is_over_before_diagrams_begin_is_not_negative() -> None:
    game = CompiledGame(load_sheet("mnk:4,4,3"))
    with pytest.raises(BudgetExceededError, match=r"needs more than 0\.001 s"):
        count_winning_sets(game, "xplayer", budget=Budget(seconds=0.001))
