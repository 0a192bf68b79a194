"""The tree search: right where the truth is known, and its playouts fair."""

from __future__ import annotations

import time
from functools import cache

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples

from kibitz.engine.compiled.blocks import Blocks
from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.play import AutoAgent, MatchSoFar, OptimalAgent, SearchAgent
from kibitz.play.search.tree import SEVERAL, Tree, Walks
from kibitz.play.search.tree_search import TreeSearch
from kibitz.solve import solve
from kibitz.space import explore

SMALL = ("tictactoe", "nim:1,2,4,5", "nim:2,3", "connect:3,4x4", "kayles:6", "chomp:3x4")


def searched(name: str, rounds: int = 20_000, seed: int = 1) -> TreeSearch:
    game = CompiledGame(load_sheet(name))
    search = TreeSearch(game, seed=seed, nodes=300_000)
    search.run(game.initial(), rounds=rounds)
    return search


@pytest.mark.parametrize("name", SMALL)
def test_what_a_search_proves_is_what_the_solver_says(name: str) -> None:
    search = searched(name)
    solution = solve(explore(search.game))
    roles = search.game.roles
    assert search.tree.is_proven(search.root)
    proven = search.tree.value[search.root] * 100
    assert dict(zip(roles, proven.tolist(), strict=True)) == solution.value()


@pytest.mark.parametrize("name", SMALL)
def test_every_proven_node_has_its_true_value(name: str) -> None:
    search = searched(name, rounds=60)
    solution = solve(explore(search.game))
    space = solution.space
    number = {row.tobytes(): i for i, row in enumerate(space.states)}
    nodes = [n for n in range(search.tree.states.used) if search.tree.is_proven(n)]
    assert nodes
    for node in nodes:
        state = number[search.tree.states.rows[node].tobytes()]
        assert search.tree.value[node, 0] * 100 == solution.values[state]


def test_a_search_is_watched_after_each_round_and_ended_on_request() -> None:
    game = CompiledGame(load_sheet("connect:4,5x5"))
    search = TreeSearch(game, nodes=10_000)
    seen: list[int] = []

    def watch() -> bool:
        seen.append(sum(option.visits for option in search.options(game.roles[0])))
        return len(seen) == 3

    search.run(game.initial(), watch=watch)
    assert len(seen) == 3
    assert seen == sorted(set(seen))


def test_the_best_move_wins_in_the_fewest_plies_that_were_proven() -> None:
    search = searched("nim:1,2,4,5")
    best = search.best("player1")
    assert best.is_proven
    assert best.value == 1.0
    assert best.plies is not None
    wins = [o.plies for o in search.options("player1") if o.value == 1 and o.plies is not None]
    assert min(wins) == best.plies


def test_the_same_seed_and_rounds_give_the_same_tree() -> None:
    first, second = (searched("connect:4,5x5", rounds=30, seed=7) for _ in range(2))
    assert first.options("xplayer") == second.options("xplayer")
    assert first.tree.states.used == second.tree.states.used


def test_a_tree_without_room_still_searches() -> None:
    game = CompiledGame(load_sheet("connect:4,5x5"))
    search = TreeSearch(game, nodes=200)
    search.run(game.initial(), rounds=300)
    assert search.tree.states.used <= 200
    assert sum(option.visits for option in search.options("xplayer")) > 200


def test_the_tree_is_kept_from_move_to_move() -> None:
    game = CompiledGame(load_sheet("connect:4,5x5"))
    search = TreeSearch(game)
    search.run(game.initial(), rounds=200)
    best = search.best("xplayer")
    after = game.initial().step([best.move, "noop"])
    search.look_at(after)
    assert sum(option.visits for option in search.options("oplayer")) > 100


def test_a_deadline_is_kept() -> None:
    game = CompiledGame(load_sheet("connect:4,6x7"))
    search = TreeSearch(game)
    search.run(game.initial(), rounds=2)
    begin = time.monotonic()
    search.run(game.initial(), deadline=begin + 0.2)
    assert time.monotonic() - begin < 60  # without one it has no end


MATCHING = """
(role a) (role b) (init (step 0))
(legal a heads) (legal a tails) (legal b heads) (legal b tails)
(<= (next (step 1)) (true (step 0)))
(<= (next same) (does a ?m) (does b ?m))
(<= terminal (true (step 1)))
(<= (goal a 100) (true same)) (<= (goal a 0) (not (true same)))
(<= (goal b 0) (true same)) (<= (goal b 100) (not (true same)))
"""


def test_roles_that_choose_together_mix_their_moves() -> None:
    game = CompiledGame(read(MATCHING, name="matching"))
    search = TreeSearch(game)
    search.run(game.initial(), rounds=400)
    for role in game.roles:
        options = search.options(role)
        assert {option.move.name for option in options} == {"heads", "tails"}
        assert all(0.3 < option.value < 0.7 or option.is_proven for option in options)
    assert not search.tree.is_proven(search.root)


def payoffs(*rows: list[int]) -> CompiledGame:
    """Make a game of one joint move: what it gives the first role, the second having the rest."""
    moves = [f"(legal a r{i})" for i in range(len(rows))]
    moves += [f"(legal b c{j})" for j in range(len(rows[0]))]
    played = [
        f"(<= (next (score {goal})) (does a r{i}) (does b c{j}))"
        for i, row in enumerate(rows)
        for j, goal in enumerate(row)
    ]
    goals = [
        f"(<= (goal a {goal}) (true (score {goal}))) "
        f"(<= (goal b {100 - goal}) (true (score {goal})))"
        for goal in sorted({goal for row in rows for goal in row})
    ]
    ends = [f"(<= terminal (true (score {goal})))" for row in rows for goal in row]
    text = " ".join(["(role a) (role b) (init begin)", *moves, *played, *goals, *ends])
    return CompiledGame(read(text, name="payoffs"))


@pytest.mark.parametrize(
    ("rows", "mine", "theirs"),
    [
        ([[100, 0], [0, 50]], [1 / 3, 2 / 3], [1 / 3, 2 / 3]),
        ([[50, 0, 100], [100, 50, 0], [0, 100, 50]], [1 / 3] * 3, [1 / 3] * 3),
        ([[20, 60, 0], [80, 40, 0], [10, 10, 10]], [0, 0, 1], [0, 0, 1]),
        ([[20, 60, 100], [80, 40, 90]], [1 / 2, 1 / 2], [1 / 4, 3 / 4, 0]),
    ],
)
def test_moves_made_at_the_same_time_are_mixed_as_theory_says(
    rows: list[list[int]], mine: list[float], theirs: list[float]
) -> None:
    search = TreeSearch(payoffs(*rows))
    search.run(search.game.initial(), rounds=2000)
    for role, wanted, letter in (("a", mine, "r"), ("b", theirs, "c")):
        shares = {str(option.move): option.share for option in search.options(role)}
        for i, share in enumerate(wanted):
            assert shares[f"{letter}{i}"] == pytest.approx(share, abs=0.06)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [AutoAgent, OptimalAgent, SearchAgent])
def test_an_agent_mixes_where_all_choose_at_once(kind: type[AutoAgent]) -> None:
    game = payoffs([100, 0], [0, 50])
    agent = kind(7)
    agent.start(game, "b", time.monotonic() + 0.6)
    line = MatchSoFar((game.initial(),))
    drawn = [str(agent.choose(line, time.monotonic() + 0.05)) for _ in range(120)]
    assert 0.2 < drawn.count("c0") / 120 < 0.48


@cache
def tictactoe() -> CompiledGame:
    return CompiledGame(load_sheet("tictactoe"))


@examples(15)
@given(st.integers(1, 8), st.sampled_from([1, 10, 60]), st.integers(1, 1000))
def test_rollouts_count_every_match_they_begin(states: int, rounds: int, seed: int) -> None:
    game = tictactoe()
    machine = game.machine
    blocks = Blocks(game)
    rows = blocks.expand(blocks.initial()).states[:states]
    counts = machine.rollouts(seed).run(rows, rounds)
    assert counts.shape[1] == states
    assert (counts[1] >= 64).all()
    assert (counts[2] == 0).all()
    for role in range(2):
        slots = [i for i, (r, _) in enumerate(game.program.layout.goal_values) if r == role]
        assert (counts[3:][slots].sum(axis=0) == counts[1]).all()


def test_rollouts_are_not_drawn_to_short_matches() -> None:
    """Random matches of tic-tac-toe end with these shares (exact enumeration of all plays)."""
    game = CompiledGame(load_sheet("tictactoe"))
    machine = game.machine
    rows = np.repeat(Blocks(game).initial(), 8, axis=0)
    rollouts = machine.rollouts(5)
    total = sum(rollouts.run(rows, 12).astype(np.int64) for _ in range(300))
    assert isinstance(total, np.ndarray)
    wins = next(
        int(total[3 + i].sum())
        for i, (role, value) in enumerate(game.program.layout.goal_values)
        if (role, value) == (0, 100)
    )
    matches = int(total[1].sum())
    assert abs(wins / matches - 0.584920634920635) < 5 * (0.25 / matches) ** 0.5


def test_states_with_very_many_joint_moves_are_searched() -> None:
    numbers = " ".join(f"(number {n})" for n in range(120))
    rules = f"""
    (role a) (role b) (init (step 0)) (after 0 1) (after 1 2) {numbers}
    (<= (legal a ?n) (number ?n)) (<= (legal b ?n) (number ?n))
    (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
    (<= (next same) (does a ?n) (does b ?n))
    (<= terminal (true (step 2)))
    (<= (goal a 100) (true same)) (<= (goal a 0) (not (true same)))
    (<= (goal b 0) (true same)) (<= (goal b 100) (not (true same)))
    """
    game = CompiledGame(read(rules, name="numbers"))
    search = TreeSearch(game, nodes=100_000)
    search.run(game.initial(), rounds=3)
    assert len(search.options("a")) == len(search.options("b")) == 120


def test_roles_without_a_choice_leave_the_counts_of_other_nodes_alone() -> None:
    tree = Tree(3, 1, 4, nodes=20, edges=40)
    root = tree.states.number(np.array([99], np.uint64))
    words = np.array([a | b << 4 for b in (0, 1) for a in (0, 1)], np.uint64)
    tree.grow(root, SEVERAL, np.arange(4, dtype=np.uint64)[:, None], words)
    walks = Walks(1)
    for _ in range(50):
        tree.descend(root, walks)
        tree.back_up(root, walks, np.array([[1, 0, 0]], np.float32))
    assert tree.edges["played"][:4].all()
    assert not tree.edges["played"][4:].any()
    assert not tree.edges["regret"][4:].any()
    shares = [tree.shares(root, role) for role in range(3)]
    assert [len(share) for share in shares if share is not None] == [2, 2, 1]


def test_a_role_may_have_more_moves_than_half_a_word_counts() -> None:
    count = 40_000
    tree = Tree(2, 1, 16, nodes=2 * count + 2, edges=2 * count)
    root = tree.states.number(np.array([1 << 40], np.uint64))
    words = np.arange(2 * count, dtype=np.uint64)
    words = words % np.uint64(count) | (words // np.uint64(count)) << np.uint64(16)
    tree.grow(root, SEVERAL, np.arange(2 * count, dtype=np.uint64)[:, None], words)
    shares = tree.shares(root, 0)
    assert shares is not None
    assert len(shares) == count
    assert tree.slot[count - 1, 0] == count - 1


def test_a_state_with_billions_of_joint_moves_is_refused_with_a_reason() -> None:
    roles = "".join(f"(role r{n})" for n in range(4))
    numbers = "".join(f"(number {n})" for n in range(100))
    game = CompiledGame(
        read(
            f"{roles} {numbers} (init (at 0)) (<= (legal ?r ?n) (role ?r) (number ?n))"
            "(<= (next (at ?n)) (does r0 ?n)) (<= terminal (true (at 99)))"
            "(<= (goal ?r 50) (role ?r))"
        )
    )
    with pytest.raises(BudgetExceededError, match="100,000,000 joint moves together, too many"):
        TreeSearch(game).run(game.initial(), rounds=1)
