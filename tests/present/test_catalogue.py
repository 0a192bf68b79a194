"""A catalogue has a card for each game, goes on where it was stopped, and says what it left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run, run as run

from kibitz.budget import Budget
from kibitz.games import load_sheet
from kibitz.gdl import RuleSheet
from kibitz.present import Source, catalogue, study_games

FAULTY = "(role a) (init (p 1)) (<= (next (p ?x)) (true (q ?y)))"


def asked(*arguments: str) -> tuple[str, ...]:
    return ("catalogue", *arguments, "--timeout", "60", "--json")


def test_a_catalogue_of_a_game_and_a_folder(tmp_path: Path, run: Run) -> None:
    sheets, site = tmp_path / "sheets", tmp_path / "site"
    sheets.mkdir()
    (sheets / "faulty.kif").write_text(FAULTY)
    (sheets / "piles.rules.txt").write_text(
        "There are 2 piles.\nPile 1 has 1 counter.\nPile 2 has 2 counters.\n"
        "First and Second take turns.\nOn your turn, take any number of counters from one pile.\n"
        "You win if your opponent cannot move.\n"
    )
    done = run(*asked("nim:1,2", str(sheets), "-o", str(site)))
    games = {Path(game["game"]).name: game for game in json.loads(done.out)["games"]}
    nim, faulty = games["nim:1,2"], games["faulty.kif"]
    assert nim["states"] == 8
    assert nim["value"] == "With best play Player 1 wins in 2 moves."
    assert len(nim["first_rules"]) == 1
    assert nim["rules"] == ["Player 1: 1 rule, proved for every size"]
    assert "any number of heaps" in nim["rules_bound"]
    assert faulty["why_not"].startswith("1:1: GDL019")
    index = (site / "index.html").read_text()
    for name in (nim["page"], nim["report"]):
        assert f'href="{name}"' in index
        assert (site / name).read_text().startswith("<!doctype html>")
    assert "no rule for" in index

    before = {path.name: path.stat().st_mtime_ns for path in site.iterdir()}
    again = run(*asked("nim:1,2", str(sheets), "-o", str(site)))
    assert again.out == done.out
    after = {path.name: path.stat().st_mtime_ns for path in site.iterdir()}
    assert {name for name in before if before[name] != after[name]} == {"index.html"}


def test_other_rules_under_the_same_name_are_studied_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    studied: list[str] = []

    def study(
        name: str, sheet: RuleSheet, stamp: str, budget: Budget, max_states: int
    ) -> tuple[catalogue.CatalogueEntry, dict[str, str]]:
        studied.append(sheet.name)
        return catalogue.CatalogueEntry(name, stamp), {}

    monkeypatch.setattr(catalogue, "_study", study)
    for rules in ("nim:1,2", "nim:1,2", "nim:1,3"):
        games = [Source("mine", lambda rules=rules: load_sheet(rules))]  # type: ignore[misc]
        for _, files in study_games(games, tmp_path, budget=Budget()):
            for name, text in files.items():
                (tmp_path / name).write_text(text)
    assert studied == ["nim:1,2", "nim:1,3"]


def test_what_runs_out_of_time_is_named_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*arguments: object) -> None:
        raise Budget(seconds=1).exceeded("1 s", "explaining nim:1,2")

    monkeypatch.setattr(catalogue, "_explained", never)
    games = [Source("nim:1,2", lambda: load_sheet("nim:1,2"))]
    [(entry, files)] = study_games(games, tmp_path, budget=Budget(seconds=60))
    assert entry.page == ""
    assert entry.report in files
    assert "explaining nim:1,2" in entry.missing[0]
    assert entry.states == 8


def test_a_folder_without_rule_sheets_is_refused(tmp_path: Path, run: Run) -> None:
    done = run("catalogue", str(tmp_path), "-o", str(tmp_path / "site"))
    assert done.status == 2
    assert "has no rule sheets" in done.err
