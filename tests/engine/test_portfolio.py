"""A sheet that does not ground runs on translated rules, in the way that a trial finds faster."""

from __future__ import annotations

import random

import pytest

from kibitz.budget import Budget
from kibitz.engine import CompiledGame, ReferenceGame, make_game
from kibitz.engine.portfolio import ROUNDS, compare_speeds, fastest_ungrounded
from kibitz.engine.ungrounded import UngroundedGame
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet
from kibitz.gdl import read


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


def test_a_sheet_without_frame_rules_runs_as_it_is() -> None:
    sheet = read("(role me) (init p) (legal me go) (<= terminal (true q)) (goal me 0)")
    assert fastest_ungrounded(sheet).rules == sheet


@pytest.mark.parametrize("keeps", [True, False])
def test_the_way_with_most_states_is_taken(keeps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    speeds = {"plain": 2.0, "keeps": 3.0 if keeps else 1.0}
    monkeypatch.setattr("kibitz.engine.portfolio.compare_speeds", lambda *_, **__: speeds)
    assert fastest_ungrounded(load_sheet("breakthrough:4x3")).keeps is keeps
