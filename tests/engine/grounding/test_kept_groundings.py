"""What took long to ground is read again as it was, and only for the same rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz.budget import Budget
from kibitz.engine.grounding import Grounding, ground, ground_once, grounder
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet, read


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "kibitz"


def fails(_: RuleSheet, budget: Budget | None = None) -> Grounding:
    raise BudgetExceededError("grounded again")


@pytest.mark.parametrize("name", ["connect:3,4x4", "nim:1,2", "eightpuzzle"])
def test_what_took_long_comes_back_equal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grounder, "LONG_S", 0)
    sheet = load_sheet(name)
    first = ground_once(sheet)
    monkeypatch.setattr(grounder, "ground", fails)
    again = ground_once(sheet)
    assert again == first
    assert again.network == ground(sheet).network
    with pytest.raises(BudgetExceededError):
        ground_once(read("(role a) (legal a b) terminal (goal a 1)", name="other"))


def test_what_was_quick_is_not_kept(own_cache: Path) -> None:
    ground_once(load_sheet("tictactoe"))
    assert not list(own_cache.glob("*"))
