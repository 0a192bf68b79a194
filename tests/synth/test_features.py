"""What features say of moves, and the lists that they make short."""

from __future__ import annotations

import numpy as np
import pytest
from tests.synth.plain import errs_somewhere

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet
from kibitz.gdl import Function
from kibitz.space import explore, find_symmetries
from kibitz.strategy import read_strategy
from kibitz.strategy.evaluation.columns import columns_of
from kibitz.strategy.tree import Derived
from kibitz.strategy.verification.reference import verify_by_reference
from kibitz.synth import Options, Synthesis, synthesise
from kibitz.synth.problem.features import (
    Ahead,
    Feature,
    feature_truth,
    features_for,
    place_features,
    relation_features,
)
from kibitz.synth.search.lists import features_of, moves_of
from kibitz.synth.synthesis import prepare


def seen(name: str, role: int, features: list[Feature]) -> list[bool]:
    """Compare what features say with what their formulas mean; tell which ever hold."""
    game = CompiledGame(load_sheet(name))
    space = prepare(game, reading="none").judging.space
    edges = np.flatnonzero(space.turn[Ahead(space, role).source] == role)
    truth = feature_truth(space, role, edges, features, "none")
    for number, feature in enumerate(features):
        moves = ", ".join(map(game.write, game.network.moves[role]))
        strategy = read_strategy(f"symmetric none\n{feature.formula} => {{{moves}}}", game)
        chosen = strategy.on(space, game.roles[role]).chosen[edges]
        assert (chosen == truth[:, number]).all(), feature.name
    return [bool(column.any()) for column in truth.T]


@pytest.mark.parametrize("role", [0, 1])
def test_what_a_feature_says_of_moves_is_what_its_formula_means(role: int) -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    places = place_features(find_symmetries(game), game.write)
    assert {f"some (cell 1 1 {mark})" for mark in "xob"} <= {place.name for place in places}
    # Nobody is ever forced to complete the opponent's line.
    assert all(seen("tictactoe", role, [f for f in features_for(2) if f.name != "trap"] + places))


@pytest.mark.parametrize("name", ["nim:2,3", "crossdot:4,2", "hanoi:2"])
def test_features_mean_the_same_in_other_games(name: str) -> None:
    roles = len(CompiledGame(load_sheet(name)).roles)
    assert any(seen(name, 0, list(features_for(roles))))


def test_who_can_win_at_once_is_told_by_looking() -> None:
    space = prepare(CompiledGame(load_sheet("tictactoe")), reading="none").judging.space
    ahead = Ahead(space, 0)
    forks, able = ahead.forks(0), ahead.can_win(0)
    for number in range(0, len(space), 97):
        wins = [
            to
            for _, to in space.moves(number)
            if space.turn[number] != 1 and space.state(to).goals["xplayer"] == 100
        ]
        assert able[number] == any(space.terminal[to] for to in wins)
        for edge in range(space.first_edge[number], space.first_edge[number + 1]):
            to = int(space.target[edge])
            replies = [after for _, after in space.moves(to)]
            assert forks[edge] == (bool(replies) and all(able[after] for after in replies))


def found(role: str) -> Synthesis:
    game = CompiledGame(load_sheet("tictactoe"))
    return synthesise(game, role, Options(features=True, literals="none", rounds=12, seconds=6000))


def test_tic_tac_toe_comes_out_as_win_block_fork_centre_corner() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    made = found("xplayer")
    asked = [{f.name for f in features_of(made.problem, rule)} for rule in made.rules]
    assert len(made.rules) == 5
    assert sorted(map(sorted, asked)) == [[], [], ["block"], ["fork"], ["win"]]
    last = [str(moves_of(made.problem, rule)[0]) for rule in made.rules if not rule.literals]
    assert last == ["(mark 2 2)", "(mark 1 1)"]
    assert made.verdict.strongly_optimal
    assert not errs_somewhere(game, made.strategy, "xplayer")


def test_the_second_player_of_tic_tac_toe_blocks_forks() -> None:
    made = found("oplayer")
    asked = {f.name for rule in made.rules for f in features_of(made.problem, rule)}
    assert len(made.rules) <= 5
    assert made.verdict.strongly_optimal
    assert "win" in asked
    assert asked & {"block", "safe"}
    assert asked & {"block fork", "quiet"}


def test_the_digits_of_nim_are_those_of_the_nim_sum() -> None:
    space = explore(CompiledGame(load_sheet("nim:3,5,6,digits")))
    columns = columns_of(space)
    odd = {place: columns(Derived(Function("odd", (Function(place),)))) for place in "124"}
    for number in range(len(space)):
        heaps = [f.args[1] for f in space.state(number).fluents if f.name == "heap"]
        total = 0
        for size in heaps:
            total ^= int(str(size))
        assert sum(int(place) for place in odd if odd[place][number]) == total


@pytest.mark.slow
def test_nim_is_one_rule_with_variables_when_its_rules_tell_the_digits() -> None:
    game = CompiledGame(load_sheet("nim:1,3,5,7,digits"))
    options = Options(features=True, lift="heap.1", reading="none", rounds=2)
    made = synthesise(game, "player2", options)
    assert made.proved_minimal
    assert made.rule_texts == [
        "any A1 in reduce.1, A2 in reduce.2: next not (any X in {1, 2, 4}: odd(X))"
        " => reduce(A1, A2)"
    ]
    small = read_strategy(made.strategy.text.replace(", 4", ""), CompiledGame(load_sheet(SMALL)))
    assert verify_by_reference(small, "player2").strongly_optimal


SMALL = "nim:1,2,3,digits"


@pytest.mark.slow
def test_relations_of_the_rules_are_features() -> None:
    features = relation_features(CompiledGame(load_sheet(SMALL)))
    assert any(seen(SMALL, 1, features))
    assert len({feature.name for feature in features}) == len(features)


@pytest.mark.parametrize("method", ["search", "paper"])
def test_words_that_do_not_suffice_are_told_so(method: str) -> None:
    game = CompiledGame(load_sheet("nim:1,2,4"))
    options = Options(literals="none", reading="none", rounds=2, method=method)  # type: ignore[arg-type]
    with pytest.raises(BudgetExceededError, match="--literals none") as caught:
        synthesise(game, "player1", options)
    assert "--literals all" in caught.value.hint


@pytest.mark.slow
def test_a_list_of_few_words_is_found_where_the_first_one_errs() -> None:
    game = CompiledGame(load_sheet("nim:1,2,4"))
    options = Options(literals="none", features=True, reading="none", rounds=40)
    made = synthesise(game, "player1", options)
    assert len(made.rules) == 2
    assert not errs_somewhere(game, made.strategy, "player1")
