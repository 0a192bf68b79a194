"""A search of games in which two roles take turns: what it proves is true, and it never stops."""

from __future__ import annotations

import random
import threading
from functools import cache

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples

from kibitz import core
from kibitz.engine.compiled.blocks import Blocks
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.game import State
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.play import make_search
from kibitz.play.search.leaf_values import CLOSED, STUCK, LeafWorker, decisive_moves
from kibitz.play.search.tree import NEW, PROVEN
from kibitz.play.search.turn_search import TurnSearch
from kibitz.policy import moves_by_gates
from kibitz.solve import Solution, solve
from kibitz.space import explore

SMALL = ("tictactoe", "nim:1,2,4,5", "nim:2,3", "connect:3,4x4", "kayles:6", "chomp:3x4")


@cache
def solved(name: str) -> tuple[CompiledGame, Solution, dict[bytes, int]]:
    game = CompiledGame(load_sheet(name))
    solution = solve(explore(game))
    assert solution.kind == "exact"
    return game, solution, {row.tobytes(): i for i, row in enumerate(solution.space.states)}


def searched(name: str, rounds: int = 20_000, seed: int = 1, nodes: int = 300_000) -> TurnSearch:
    game = CompiledGame(load_sheet(name))
    search = TurnSearch(game, seed=seed, nodes=nodes)
    search.run(game.initial(), rounds=rounds)
    return search


def values_are_true(search: TurnSearch, name: str) -> int:
    """Compare every proven node with the solution; return how many there are."""
    _, solution, number = solved(name)
    found = [n for n in range(search.tree.states.used) if search.tree.is_proven(n)]
    for node in found:
        state = number[search.tree.states.rows[node].tobytes()]
        assert search.tree.nodes["value"][node, 0] * 100 == solution.values[state]
    return len(found)


@pytest.mark.parametrize("name", SMALL)
def test_what_a_search_proves_is_what_the_solver_says(name: str) -> None:
    search = searched(name)
    assert search.tree.is_proven(search.root)
    proven = search.tree.nodes["value"][search.root] * 100
    wanted = solved(name)[1].value()
    assert dict(zip(search.game.roles, proven.tolist(), strict=True)) == wanted


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2,4,5"])
def test_leaves_that_wait_for_their_edges_change_no_proven_value(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LeafWorker, "is_wide", True)
    search = searched(name)
    assert search.tree.is_proven(search.root)
    assert values_are_true(search, name)


def test_only_where_moves_are_many_leaves_wait_for_their_edges() -> None:
    for name, is_wide in (("mnk:7,7,4", True), ("connect:4,6x7", False)):
        search = searched(name, rounds=10)
        ((worker, _),) = search._workers
        assert worker.is_wide == is_wide
        nodes = search.tree.nodes[: search.tree.states.used]
        assert bool(np.any((nodes["visits"] == 1) & (nodes["status"] == NEW))) == is_wide


@examples(20)
@given(
    st.sampled_from(SMALL), st.integers(1, 1000), st.integers(1, 60), st.sampled_from([600, 50_000])
)
def test_every_proven_node_has_its_true_value(
    name: str, seed: int, rounds: int, nodes: int
) -> None:
    game, _, _ = solved(name)
    search = TurnSearch(game, seed=seed, nodes=nodes)
    source = random.Random(seed)
    state: State = game.initial()
    while not state.is_terminal:
        search.run(state, rounds=rounds)
        state = state.step([source.choice(state.legal(role)) for role in game.roles])
    assert values_are_true(search, name)


@examples(20)
@given(st.sampled_from(SMALL), st.integers(1, 1000), st.integers(1, 60))
def test_guided_matches_change_no_proven_value(name: str, seed: int, rounds: int) -> None:
    game, _, _ = solved(name)
    search = TurnSearch(game, seed=seed, nodes=50_000, guides=decisive_moves(game))
    search.run(game.initial(), rounds=rounds)
    values_are_true(search, name)


@pytest.mark.parametrize("name", ["connect:3,4x4", "breakthrough:4x4", "tictactoe"])
def test_decisive_moves_win_at_once_or_prevent_it(name: str) -> None:
    """What the gates allow is what looking two moves ahead finds, wherever a role has a choice."""
    game = CompiledGame(load_sheet(name))
    guides = {guide.role: guide for guide in decisive_moves(game)}
    source = random.Random(1)
    checked = 0
    for _ in range(20):
        state: State = game.initial()
        while not state.is_terminal:
            for role in state.turn:
                wins = [m for m in state.legal(role) if won_by(state.play(m), role)]
                safe = [m for m in state.legal(role) if not can_win(state.play(m), role)]
                wanted = wins or safe or list(state.legal(role))
                (allowed,) = moves_by_gates(guides[role], [state])
                assert set(allowed) == set(wanted), (state, role)
                checked += len(wanted) < len(state.legal(role))
            state = state.step([source.choice(state.legal(role)) for role in game.roles])
    assert checked > 10


def won_by(state: State, role: str) -> bool:
    return state.is_terminal and state.goals[role] == 100


def can_win(state: State, role: str) -> bool:
    """Return whether the other of two roles has won, or can do so at once."""
    (other,) = set(state.game.roles) - {role}
    if state.is_terminal:
        return state.goals[other] == 100
    return any(won_by(state.play(move), other) for move in state.legal(other))


def test_games_whose_decisive_moves_are_dear_are_searched_without_them() -> None:
    assert decisive_moves(CompiledGame(load_sheet("hex:5"))) == ()
    assert decisive_moves(CompiledGame(load_sheet("eightpuzzle"))) == ()


def test_no_decisive_moves_are_compiled_where_both_choose_at_once() -> None:
    game = CompiledGame(load_sheet("roshambo"))
    assert not isinstance(make_search(game), TurnSearch)
    assert "_decisive_moves" not in vars(game)


def test_a_position_that_was_proven_without_edges_is_played_well() -> None:
    search = searched("tictactoe")
    state = search.game.initial()
    for x, o in (("(mark 1 1)", "(mark 1 2)"), ("(mark 2 2)", "(mark 1 3)")):
        for joint in ((x, "noop"), ("noop", o)):
            state = state.step(joint)
    search.tree.prune(search.root, share=0.0)  # only the root keeps its edges
    search.run(state, rounds=5)
    best = search.best("xplayer")
    assert (str(best.move), best.is_proven, best.value, best.plies) == ("(mark 3 3)", True, 1, 1)


def test_the_same_seed_and_one_thread_give_the_same_tree() -> None:
    first, second = (searched("connect:4,5x5", rounds=60, seed=7) for _ in range(2))
    assert first.options("xplayer") == second.options("xplayer")
    assert first.tree.states.used == second.tree.states.used
    assert (first.tree.nodes["total"] == second.tree.nodes["total"]).all()


def test_a_node_is_made_at_its_first_visit_or_where_its_value_is_certain() -> None:
    tree = searched("connect:4,5x5", rounds=60).tree
    nodes = tree.nodes[: tree.states.used]
    assert ((nodes["visits"] > 0) | (nodes["status"] == PROVEN)).all()
    edges = tree.edges[: tree.context.used_edges]
    missing = edges["child"] < 0
    assert (edges["child"][missing] == -1).all()
    assert not edges["taken"][missing].any()
    assert missing.sum() > len(nodes)


def test_matches_are_played_alike_whether_guides_are_compiled_or_interpreted() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    guides = decisive_moves(game)
    interpreted = TurnSearch(game, seed=3, guides=guides)
    interpreted.run(game.initial(), rounds=1)
    TurnSearch(game, guides=guides)._compile_guides().join()
    compiled = TurnSearch(game, seed=3, guides=guides)
    compiled.run(game.initial(), rounds=1)
    fills = [
        {int(mask[core.columns("mask")["fill"]]) for mask in search._blocks[0].context.masks}
        for search in (interpreted, compiled)
    ]
    assert fills[0].isdisjoint(fills[1])
    for search in (interpreted, compiled):
        search.run(game.initial(), rounds=5)
    assert interpreted.options("xplayer") == compiled.options("xplayer")


def test_a_full_tree_makes_room_and_goes_on() -> None:
    search = searched("connect:4,5x5", rounds=300, nodes=2000)
    assert search.tree.states.used <= 2000
    assert search.tree.nodes["visits"][search.root] > 8000
    edges = search.tree.edges[search.tree.edges_of(search.root)]
    assert len(edges) == 5
    assert len({int(edge["child"]) for edge in edges}) == 5


def test_a_batch_that_would_end_too_late_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    search = searched("connect:4,6x7", rounds=0)
    now, batches = 0.0, 0

    def batch(*_: object) -> None:
        nonlocal now, batches
        now, batches = now + 10, batches + 1

    monkeypatch.setattr("kibitz.play.search.turn_search.time.monotonic", lambda: now)
    monkeypatch.setattr(search, "_batch", batch)
    search.run(search.state, deadline=36)
    assert batches == 3


def test_one_slow_batch_does_not_end_all_later_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    search = searched("connect:4,6x7", rounds=0)
    now, batches = 0.0, 0

    def batch(*_: object) -> None:
        nonlocal now, batches
        now, batches = now + (1 if batches else 100), batches + 1

    monkeypatch.setattr("kibitz.play.search.turn_search.time.monotonic", lambda: now)
    monkeypatch.setattr(search, "_batch", batch)
    search.run(search.state, deadline=10)
    search.run(search.state, deadline=now + 10)
    assert batches == 1
    search.run(search.state, deadline=now + 10)
    assert batches == 1 + 9


def test_a_batch_has_more_leaves_where_few_batches_are_left() -> None:
    found = []
    for batches in (1000.0, 2.0):
        search = searched("breakthrough:6x6", rounds=1)
        ((worker, walks),) = search._workers
        search._batch(worker, walks, batches)
        found.append(walks.context.made)
    assert found == [8, 16], "all 16 moves at once"


def test_a_first_batch_prefers_moves_by_the_matches_that_began_with_them() -> None:
    search = searched("connect:4,6x7", rounds=1)
    ((worker, _),) = search._workers
    tried, gained = worker.successors["tried"][:7], worker.successors["gained"][:7]
    assert tried.sum() == 512
    assert (gained <= tried).all()
    options = search.options("xplayer")
    assert [option.visits for option in options] == [0] * 7
    share = {f"(drop {column})": gained[column - 1] for column in range(1, 8)}
    assert share[str(options[0].move)] > gained.mean() > share[str(options[-1].move)]


def test_the_tree_is_kept_from_move_to_move() -> None:
    search = searched("connect:4,5x5", rounds=100)
    after = search.game.initial().step([search.best("xplayer").move, "noop"])
    search.look_at(after)
    assert sum(option.visits for option in search.options("oplayer")) > 100


def test_a_full_tree_goes_on_without_room_where_time_is_short() -> None:
    search = searched("connect:4,5x5", rounds=0, nodes=2000)
    worker, walks = search._worker()
    while not search._is_full:
        search._batch(worker, walks, 1e9)
    used, visits = search.tree.states.used, search.tree.nodes["visits"][search.root]
    search._batch(worker, walks, 1e9, 0.0)
    assert search.tree.states.used >= used
    assert search.tree.nodes["visits"][search.root] > visits
    search._batch(worker, walks, 1e9, 1e9)
    assert search.tree.states.used < used


def test_threads_share_one_tree_and_any_thread_may_ask_for_the_best_move() -> None:
    game, _, _ = solved("tictactoe")
    search = TurnSearch(game, nodes=3000)
    search.look_at(game.initial())
    legal = game.initial().legal("xplayer")
    assert search.best("xplayer").move in legal
    threads = [
        threading.Thread(target=search.run, args=(game.initial(),), kwargs={"rounds": 2000})
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert {option.move for option in search.options("xplayer")} == set(legal)
    assert not search.tree.nodes["is_busy"].any()
    assert values_are_true(search, "tictactoe")
    assert search.best("xplayer").value == 0.5


STUCK_OR_TOGETHER = """
(role a) (role b) (init start) (door 1) (door 2) (door 3)
(<= (legal a (open ?d)) (true start) (door ?d)) (<= (legal b wait) (true start))
(<= (legal a left) (true (room 1))) (<= (legal a right) (true (room 1)))
(<= (legal b left) (true (room 1))) (<= (legal b right) (true (room 1)))
(<= (legal a rest) (true (room 2)))
(<= (next (room ?d)) (does a (open ?d)))
(<= (next same) (does a ?m) (does b ?m) (true (room 1)))
(<= (next other) (true (room 1)) (does a ?m) (does b ?n) (distinct ?m ?n))
(<= terminal (true same)) (<= terminal (true other)) (<= terminal (true (room 3)))
(<= (goal a 100) (true same)) (<= (goal a 30) (true other)) (<= (goal a 40) (true (room 3)))
(<= (goal b 0) (true same)) (<= (goal b 70) (true other)) (<= (goal b 90) (true (room 3)))
"""


def test_leaves_are_stuck_closed_or_ends() -> None:
    game = CompiledGame(read(STUCK_OR_TOGETHER, name="doors"))
    worker = LeafWorker(game, 1, 8)
    worker.leaf_rows[0] = Blocks(game).initial()[0]
    worker.judge(1, 0)
    assert worker.successors["status"][:3].tolist() == [CLOSED, STUCK, PROVEN]
    assert worker.successors["value"][2].tolist() == [np.float32(0.4), np.float32(0.9)]
    search = TurnSearch(game)
    search.run(game.initial(), rounds=50)
    options = {str(option.move): option for option in search.options("a")}
    assert not options["(open 1)"].is_proven
    assert not options["(open 2)"].is_proven
    assert (options["(open 3)"].is_proven, options["(open 3)"].plies) == (True, 1)
    assert not search.tree.is_proven(search.root)
    together = game.initial().step(["(open 1)", "wait"])
    search.run(together, rounds=50)
    assert {str(option.move) for option in search.options("b")} == {"left", "right"}
    assert all(option.share is not None for option in search.options("b"))


NOT_OPPOSED = """
(role a) (role b) (init (at 0)) (init (turn a))
(<= (legal a (take ?g)) (true (turn a)) (gift ?g)) (<= (legal b noop) (true (turn a)))
(<= (legal b (take ?g)) (true (turn b)) (gift ?g)) (<= (legal a noop) (true (turn b)))
(gift 1) (gift 2)
(<= (next (turn b)) (true (turn a)))
(<= (next (first ?g)) (does a (take ?g))) (<= (next (first ?g)) (true (first ?g)))
(<= (next (second ?g)) (does b (take ?g)))
(<= terminal (true (second ?g)))
(<= (goal a 60) (true (first 1)) (true (second 1)))
(<= (goal a 20) (true (first 1)) (true (second 2)))
(<= (goal a 30) (true (first 2)) (true (second 1)))
(<= (goal a 10) (true (first 2)) (true (second 2)))
(<= (goal b 50) (true (first 1)) (true (second 1)))
(<= (goal b 40) (true (first 1)) (true (second 2)))
(<= (goal b 10) (true (first 2)) (true (second 1)))
(<= (goal b 20) (true (first 2)) (true (second 2)))
"""


def test_goals_need_not_be_opposed_nor_spread_from_0_to_100() -> None:
    game = CompiledGame(read(NOT_OPPOSED, name="gifts"))
    search = make_search(game)
    search.run(game.initial(), rounds=100)
    best = search.best("a")
    assert (str(best.move), best.is_proven) == ("(take 1)", True)
    assert search.tree.nodes["value"][search.root].tolist() == [np.float32(0.6), np.float32(0.5)]


def test_what_is_known_of_successors_is_what_the_rules_say() -> None:
    game, solution, number = solved("connect:3,4x4")
    worker = LeafWorker(game, 1, 64)
    space = solution.space
    states = [s for s in range(len(space)) if space.first_edge[s] < space.first_edge[s + 1]]
    for start in range(0, 512, 64):
        part = states[start * 7 % (len(states) - 64) :][:64]
        worker.leaf_rows[:64] = space.states[part]
        worker.judge(64, 0)
        for leaf, state in enumerate(part):
            mine = range(worker.leaves["first"][leaf], worker.leaves["first"][leaf + 1])
            found = {number[worker.rows[at].tobytes()]: at for at in mine}
            assert set(found) == {int(to) for _, to in space.moves(state)}
            for to, at in found.items():
                is_end = space.first_edge[to] == space.first_edge[to + 1]
                assert (
                    worker.successors["status"][at] == PROVEN
                    and worker.successors["plies"][at] == 0
                ) == is_end
                if worker.successors["status"][at] == PROVEN:
                    assert worker.successors["value"][at, 0] * 100 == solution.values[to]
                else:
                    assert worker.successors["status"][at] == NEW
                    assert solution.plies(to) != 1


def test_matches_are_fair_and_count_the_moves_made_in_them() -> None:
    """Random matches of tic-tac-toe end with these shares (exact enumeration of all plays)."""
    game, _, _ = solved("tictactoe")
    worker = LeafWorker(game, 5, 1)
    worker.leaf_rows[0] = Blocks(game).initial()[0]
    wins = 0.0
    for _ in range(300):
        worker.judge(0, 1)
        wins += worker.leaves["result"][0, 0] / 300
    matches = 300 * 512
    assert worker.context.matches == matches
    # 0.5849 are won by x, 0.2881 by o; a draw counts half
    assert abs(wins - (0.584920634920635 + (1 - 0.584920634920635 - 0.288095238095238) / 2)) < (
        5 * (0.25 / matches) ** 0.5
    )
    marks = game.network.moves[0]
    used = {str(move): worker.tally[i] for i, move in enumerate(marks)}
    middle, edge = used["(mark 2 2)"], used["(mark 1 2)"]
    assert middle[1] / middle[0] > edge[1] / edge[0]
    assert middle[0] < matches
