"""The portfolio times all encodings and takes the fastest."""

from __future__ import annotations

import random

import pytest

from kibitz.budget import Budget
from kibitz.engine import CompiledGame, ReferenceGame, make_game
from kibitz.engine.frame import Covering
from kibitz.engine.portfolio import (
    ROUNDS,
    Portfolio,
    TimedEncoding,
    choose_encoding,
    compare_speeds,
)
from kibitz.engine.ungrounded import UngroundedGame
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet
from kibitz.gdl import read


def test_every_encoding_is_timed_and_the_fastest_is_taken() -> None:
    portfolio = choose_encoding(load_sheet("breakthrough"), seconds=0.1)
    assert [e.name for e in portfolio.encodings] == ["original", "direct", "pruned"]
    best = max(e.states_per_second for e in portfolio.encodings)
    assert portfolio.fastest.states_per_second == best > 0


def test_speeds_are_states_a_second_and_who_is_far_behind_is_timed_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds = {"slow": 0, "fair": 0, "fast": 0}
    names = {UngroundedGame(load_sheet("nim:1,2")): name for name in rounds}

    def time_visits(game: UngroundedGame, depth: int) -> tuple[int, float]:
        rounds[names[game]] += 1
        return 1000, {"slow": 50.0, "fair": 1.2, "fast": 1.0}[names[game]]

    monkeypatch.setattr("kibitz.engine.portfolio.time_visits", time_visits)
    monkeypatch.setattr("kibitz.engine.portfolio.depth_within", lambda *_: 3)
    found = compare_speeds({name: game for game, name in names.items()})
    assert found == {"slow": 0, "fair": 1000 / 1.2, "fast": 1000}
    assert rounds == {"slow": 1, "fair": ROUNDS + 1, "fast": ROUNDS + 1}


def test_without_frame_rules_the_original_is_the_only_encoding() -> None:
    sheet = read("(role me) (init p) (legal me go) (<= terminal (true q)) (goal me 0)")
    portfolio = choose_encoding(sheet, seconds=0.05)
    assert [e.name for e in portfolio.encodings] == ["original"]
    assert "frame rule" in portfolio.notes[0]


@pytest.mark.parametrize("name", ["breakthrough:4x3", "tictactoe", "nim:1,2,4", "hanoi"])
def test_a_game_that_does_not_ground_runs_on_its_fastest_rules(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def speeds(games: dict[str, UngroundedGame], *, seconds: float = 0.5) -> dict[str, float]:
        return {each: number for number, each in enumerate(games)}

    monkeypatch.setattr("kibitz.engine.portfolio.compare_speeds", speeds)
    sheet = load_sheet(name)
    with pytest.raises(BudgetExceededError):
        CompiledGame(sheet, budget=Budget(seconds=0))
    notes: list[str] = []
    game = make_game(sheet, budget=Budget(seconds=0), note=notes.append)
    assert isinstance(game, UngroundedGame)
    assert "runs ungrounded" in notes[0]
    assert game.sheet is sheet
    assert game.rules != sheet
    source = random.Random(1)
    for _ in range(3):
        state, other = game.initial(), ReferenceGame(sheet).initial()
        while not other.is_terminal:
            assert state.fluents == other.fluents
            assert {role: state.legal(role) for role in game.roles} == {
                role: other.legal(role) for role in game.roles
            }
            joint = [source.choice(other.legal(role)) for role in game.roles]
            state, other = state.step(joint), other.step(joint)
        assert state.is_terminal
        assert state.goals == other.goals


def test_a_covering_can_be_left_out() -> None:
    portfolio = choose_encoding(load_sheet("nim"), coverings=[Covering.GENERIC], seconds=0.05)
    assert [e.name for e in portfolio.encodings] == ["original", "generic"]


def test_the_fastest_is_the_one_with_most_states() -> None:
    game = UngroundedGame(load_sheet("nim"))
    encodings = tuple(TimedEncoding(str(speed), game, speed) for speed in (1.0, 3.0, 2.0))
    assert Portfolio(encodings, 0.0).fastest.name == "3.0"
