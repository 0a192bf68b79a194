from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run

QUICK = ("--time", "20", "--timeout", "300")


@pytest.mark.slow
def test_report_tells_on_the_terminal_by_default(run: Run) -> None:
    result = run("report", "nim:1,2", *QUICK)
    assert (result.status, result.err) == (0, "")
    assert "with best play Player 1 wins in 2 moves" in result.out
    assert "rules        player1: a list of 1 rule with 1 literal; of lists" in result.out


def test_report_prints_json_and_writes_a_page(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    result = run("report", "nim:1,2", "nim:2,2", "--json", "-o", target, *QUICK)
    assert result.status == 0
    assert [game["game"] for game in result.json["games"]] == ["nim:1,2", "nim:2,2"]
    assert result.json["left_out"] == []
    assert "2 games compared" in target.read_text("utf-8")


def test_report_compares_and_goes_on_after_a_game_that_is_none(run: Run) -> None:
    result = run("report", "nim:1,2", "nosuchgame", "nim:2,2", *QUICK)
    assert result.status == 0
    assert "nosuchgame: left out: no game is called" in result.err
    assert "Rules, all roles" in result.out


def test_report_refuses_what_it_cannot_write_before_it_works(run: Run, tmp_path: Path) -> None:
    result = run("report", "nim:1,2", "-o", tmp_path / "report.docx")
    assert result.status == 2
    assert ".html" in result.err
    assert run("report", "nosuchgame").status == 2
    assert run("report", "nim:1,2", "-o", tmp_path / "no" / "report.html").status == 2
