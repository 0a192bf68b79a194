"""A list found by rounds depends on input and seed alone; where time ends a search, it says so."""

from __future__ import annotations

import time

import pytest

from kibitz.engine.compiled import CompiledGame
from kibitz.games import load
from kibitz.synth import Options, synthesise


def test_a_search_that_time_ended_says_so() -> None:
    found = synthesise(CompiledGame(load("tictactoe")), "xplayer", Options(seconds=1e-6))
    assert found.time_ended
    assert found.as_json()["time_ended"]


def test_a_search_that_came_to_its_end_does_not_speak_of_time() -> None:
    found = synthesise(CompiledGame(load("nim:1,2")), "player1", Options(rounds=3, seconds=1e6))
    assert found.proved_fewest_literals
    assert not found.time_ended


def test_a_slower_clock_changes_no_list_that_is_found_by_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = CompiledGame(load("tictactoe"))
    options = Options(rounds=3, seconds=2)
    found = synthesise(game, "xplayer", options)
    clock = time.perf_counter
    monkeypatch.setattr("kibitz.synth.schedule.time.perf_counter", lambda: 1000 * clock())
    hurried = synthesise(game, "xplayer", options)
    assert hurried.rules == found.rules
    assert hurried.time_ended
