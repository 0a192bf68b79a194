"""Learned estimates of states: sums of weights, best replies, and where they are used."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from kibitz.engine.compiled.blocks import Blocks
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.game import State
from kibitz.games import load_sheet
from kibitz.play import SearchAgent
from kibitz.play.search import leaf_values as learning
from kibitz.play.search.leaf_values import Evaluation, LeafWorker, learned_evaluation
from kibitz.play.search.sample_matches import SampleMatches, TooSlow, byte_table
from kibitz.play.search.tree import GROWN, PROVEN
from kibitz.play.search.turn_search import TurnSearch
from kibitz.solve import solve
from kibitz.space import explore

NEVER = math.inf


def any_evaluation(game: CompiledGame, seed: int = 1) -> Evaluation:
    words = Blocks(game).words
    weights = np.random.default_rng(seed).normal(size=64 * words + 1).astype(np.float32)
    return Evaluation(weights, byte_table(weights), 20.0)


def estimate_by_hand(state: State, weights: np.ndarray) -> float:
    assert isinstance(state.key, int)
    key, count = state.key, len(weights) - 1
    total = sum(float(weights[i]) for i in range(count) if key >> i & 1)
    return 1 / (1 + math.exp(-total - float(weights[-1])))


def successors(state: State) -> list[State]:
    moves = product(*(state.legal(role) for role in state.game.roles))
    return [state.step(joint) for joint in moves]


@pytest.mark.parametrize("name", ["breakthrough:4x4", "tictactoe"])
def test_a_successor_is_estimated_by_its_best_reply(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    blocks, found = Blocks(game), any_evaluation(game)
    worker = LeafWorker(game, 1, 1, evaluation=found)
    source = np.random.default_rng(2)
    compared = 0
    for _ in range(6):
        state: State = game.initial()
        while not state.is_terminal:
            worker.leaf_rows[0] = blocks.rows([state.key])[0]  # type: ignore[list-item]
            worker.judge(1, 0)
            after = {child.key: child for child in successors(state)}
            keys = blocks.keys(worker.rows[: worker.leaves["first"][1]])
            assert set(keys) == set(after)
            for at, key in enumerate(keys):
                (role, *_) = after[key].turn or game.roles
                if worker.successors["status"][at] == PROVEN or len(after[key].legal(role)) < 2:
                    continue
                best = max if role == game.roles[0] else min
                replies = [
                    (s.goals[game.roles[0]] or 0) / 100
                    if s.is_terminal
                    else estimate_by_hand(s, found.weights)
                    for s in successors(after[key])
                ]
                assert worker.successors["guess"][at] == pytest.approx(best(replies), abs=1e-4)
                compared += 1
            state = successors(state)[source.integers(len(after))]
    assert compared > 50


def test_an_estimate_is_the_logistic_function_of_a_sum() -> None:
    game = CompiledGame(load_sheet("breakthrough:4x4"))
    found = any_evaluation(game)
    worker = LeafWorker(game, 1, 1, evaluation=found)
    worker.leaf_rows[0] = Blocks(game).initial()[0]
    worker.judge(0, 1)
    wanted = estimate_by_hand(game.initial(), found.weights)
    assert worker.leaves["result"][0, 0] == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2,4,5"])
def test_no_evaluation_makes_a_proof_wrong(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    solution = solve(explore(game))
    assert solution.kind == "exact"
    number = {row.tobytes(): i for i, row in enumerate(solution.space.states)}
    for seed in range(1, 6):
        search = TurnSearch(game, seed=seed, nodes=50_000, evaluation=any_evaluation(game, seed))
        search.run(game.initial(), rounds=10 * seed)
        tree = search.tree
        proven = [node for node in range(tree.states.used) if tree.is_proven(node)]
        for node in proven:
            value = solution.values[number[tree.states.rows[node].tobytes()]]
            assert tree.nodes["value"][node, 0] * 100 == value
        assert proven


def test_the_guess_of_a_node_is_that_of_its_best_edge() -> None:
    game = CompiledGame(load_sheet("breakthrough:6x6"))
    search = TurnSearch(game, nodes=50_000, evaluation=any_evaluation(game))
    search.run(game.initial(), rounds=20)
    tree, node = search.tree, search.root
    while tree.nodes["status"][node] == GROWN:
        edges = tree.edges[tree.edges_of(node)]
        children = tree.nodes_of(edges)
        guesses = children["guess"]
        best = guesses.min() if tree.nodes["turn"][node] == 1 else guesses.max()
        assert tree.nodes["guess"][node] == best
        node = int(edges["child"][children["visits"].argmax()])
    assert node != search.root


def test_pawns_near_their_goal_weigh_more_and_that_predicts_who_wins() -> None:
    game = CompiledGame(load_sheet("breakthrough:5x5"))
    found = learning._learn(SampleMatches(game, NEVER))
    assert found is not None
    weights = {str(f): float(w) for f, w in zip(game.network.fluents, found.weights, strict=False)}
    for column in range(1, 6):
        assert weights[f"(cell 4 {column} white)"] > weights[f"(cell 3 {column} white)"] + 0.2
        assert weights[f"(cell 2 {column} black)"] < weights[f"(cell 3 {column} black)"] - 0.2


@pytest.mark.parametrize("name", ["connect:4,5x5", "nim:3,4,5"])
def test_nothing_is_estimated_where_random_matches_predict_better(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    assert learning._learn(SampleMatches(game, NEVER)) is None


def test_learning_that_is_too_slow_is_not_tried_again_in_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = CompiledGame(load_sheet("breakthrough:5x5"))
    tried = []

    def learn(matches: SampleMatches) -> Evaluation | None:
        tried.append(matches.deadline)
        raise TooSlow

    monkeypatch.setattr(learning, "_learn", learn)
    assert [learned_evaluation(game, seconds) for seconds in (0.1, 3, 3, 5, 7)] == [None] * 5
    assert len(tried) == 2


def test_matches_end_with_their_time() -> None:
    matches = SampleMatches(CompiledGame(load_sheet("breakthrough:5x5")), -1.0)
    with pytest.raises(TooSlow):
        matches.random(1)
    with pytest.raises(TooSlow):
        matches.greedy(np.zeros(64 * matches.words + 1, np.float32), 1.0)


def test_a_search_of_a_number_of_rounds_learns_nothing() -> None:
    """Else the same seed would not give the same moves on machines of different speed."""
    game = CompiledGame(load_sheet("breakthrough:5x5"))
    agent = SearchAgent(rounds=2)
    agent.start(game, "white", NEVER)
    assert "_evaluation" not in vars(game)
