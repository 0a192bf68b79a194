"""Features about taking hold exactly where a count of pieces says so."""

from __future__ import annotations

import random

import pytest

from kibitz.engine import CompiledGame, State
from kibitz.errors import StrategyError
from kibitz.games import load_sheet
from kibitz.policy import compile_strategy, moves_by_gates
from kibitz.strategy import moves_in, read_strategy
from kibitz.synth import capture_features


def pieces(state: State, owner: str) -> int:
    return sum(str(fluent.args[-1]) == owner for fluent in state.fluents if len(fluent.args) > 1)


def states(game: CompiledGame, role: str) -> list[State]:
    """Return states of random matches in which a role is to move."""
    source = random.Random(3)
    found = []
    for _ in range(12):
        state = game.initial()
        while not state.is_terminal and all(map(state.legal, game.roles)):
            if len(state.legal(role)) > 1:
                found.append(state)
            state = state.step([source.choice(state.legal(who)) for who in game.roles])
    return found


@pytest.mark.parametrize(("role", "other"), [("white", "black"), ("black", "white")])
def test_taking_and_losing_are_what_counts_of_pieces_say(role: str, other: str) -> None:
    game = CompiledGame(load_sheet("breakthrough:5x4"))
    features = {feature.name: feature for feature in capture_features(game, role)}
    everywhere = states(game, role)
    moves = ", ".join(map(game.write, game.network.moves[game.roles.index(role)]))

    def step(state: State, who: str, move: object) -> State:
        return state.step([str(move) if r == who else "noop" for r in game.roles])

    def takes(state: State, who: str, whose: str, move: object) -> bool:
        return pieces(step(state, who, move), whose) < pieces(state, whose)

    def loses(state: State) -> bool:
        if state.is_terminal:
            return False
        return any(takes(state, other, role, reply) for reply in state.legal(other))

    met = {"takes": 0, "nothing lost": 0}
    for name in met:
        rules = read_strategy(f"symmetric none\n{features[name].formula} => {{{moves}}}", game)
        policy = compile_strategy(rules, role)
        for state, found in zip(everywhere, moves_by_gates(policy, everywhere), strict=True):
            legal = state.legal(role)
            fits = {
                move
                for move in legal
                if (
                    takes(state, role, other, move)
                    if name == "takes"
                    else not loses(step(state, role, move))
                )
            }
            assert set(found) == (fits or set(legal))
            met[name] += 0 < len(fits) < len(legal)
    assert all(met.values())


def test_formulas_about_taking_are_read_by_the_evaluator() -> None:
    game = CompiledGame(load_sheet("breakthrough:4x3"))
    for feature in capture_features(game, "white"):
        rules = read_strategy(f"symmetric none\n{feature.formula} => {{move(1,1,2,1)}}", game)
        assert moves_in(rules, game.initial(), "white").moves


def test_nothing_is_taken_where_nobody_owns_a_place() -> None:
    assert capture_features(CompiledGame(load_sheet("nim:1,2")), "player1") == []
    assert capture_features(CompiledGame(load_sheet("hanoi:2")), "player") == []
    assert capture_features(CompiledGame(load_sheet("tictactoe")), "xplayer") == []


def test_taking_where_nobody_owns_a_place_is_refused() -> None:
    with pytest.raises(StrategyError, match="not known what player1 has"):
        read_strategy("taken(me) => any", CompiledGame(load_sheet("nim:1,2"))).plan("player1")
