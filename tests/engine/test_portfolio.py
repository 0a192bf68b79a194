"""The portfolio times all encodings and takes the fastest."""

from __future__ import annotations

import pytest

from kibitz.engine.frame import Covering
from kibitz.engine.portfolio import (
    ROUNDS,
    Portfolio,
    TimedEncoding,
    choose_encoding,
    compare_speeds,
)
from kibitz.engine.ungrounded import UngroundedGame
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


def test_a_covering_can_be_left_out() -> None:
    portfolio = choose_encoding(load_sheet("nim"), coverings=[Covering.GENERIC], seconds=0.05)
    assert [e.name for e in portfolio.encodings] == ["original", "generic"]


def test_the_fastest_is_the_one_with_most_states() -> None:
    game = UngroundedGame(load_sheet("nim"))
    encodings = tuple(TimedEncoding(str(speed), game, speed) for speed in (1.0, 3.0, 2.0))
    assert Portfolio(encodings, 0.0).fastest.name == "3.0"
