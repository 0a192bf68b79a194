"""A report on a game that is too large has rules that were measured, or says why not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.present.report.test_making import Balanced

from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.present import Wish, as_text, make_report, report_page
from kibitz.present.report import builder

WISH = Wish(seconds=4, max_states=50)
FOUND: dict[str, Any] = {
    "roles": ["xplayer", "oplayer"],
    "rules": 1,
    "strategy": "next wins(me) => any\n",
    "strategies": dict.fromkeys(("xplayer", "oplayer"), "next wins(me) => any\n"),
    "strength": {"random": {"score": 91.25, "low": 88.0, "high": 93.5, "matches": 400}},
    "elo": None,
    "ratings": [],
    "accuracy": {
        "share": 80.0,
        "low": 70.0,
        "high": 87.0,
        "positions": 50,
        "open": 2,
        "random": 30.0,
        "judged": 90,
        "after": 0,
    },
    "per_rule": [{"rule": "r", "words": "Win at once if you can.", "share": 7.0, "without": {}}],
    "watched": "uct:100",
}


@pytest.fixture(autouse=True)
def no_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out matches for estimates, which take seconds."""
    for name in ("sample_random", "sample_search"):
        monkeypatch.setattr(builder, name, lambda *_, **__: None)


class Found:
    def as_json(self) -> dict[str, Any]:
        return FOUND


def test_measured_rules_stand_in_the_place_of_proven_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "find_measured_rules", lambda *_, **__: Found())
    found = make_report(load_sheet("tictactoe"), WISH)
    assert found.measured == FOUND
    assert found.as_json()["measured"] == FOUND
    assert "rule_counts" not in found.missing
    text = as_text(found)
    assert "1 rule for X and O, measured, not proved" in text
    assert "1. Win at once if you can." in text
    assert "91.2 (88.0 to 93.5) of 100 points in 400 matches against random play" in text
    page = report_page([found])
    Balanced(page)
    assert "1 rule for X and O, measured, not proved" in page
    assert "Accuracy 80 % (70 to 87)" in page


def test_why_there_are_none_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise InputError("nothing can be asked of a move")

    monkeypatch.setattr(builder, "find_measured_rules", refuse)
    found = make_report(load_sheet("tictactoe"), WISH)
    assert found.measured is None
    assert found.missing["measured"] == "nothing can be asked of a move"
    assert "left out" in as_text(found)
