"""Commands frame, invariants and reproduce frame: results, files, exit statuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run

from kibitz.engine.grounding.invariant_check import Checked
from kibitz.gdl import read

PLAIN = "(role me) (legal me go) (init p) (<= terminal (true q)) (goal me 0)"


def test_frame_prints_rules_that_read_back(run: Run) -> None:
    result = run("frame", "tictactoe")
    assert result.status == 0
    sheet = read(result.out, form="kif")
    assert sum(rule.head.relation == "fnext" for rule in sheet.rules) == 3
    assert "1 frame rules became 3 fnext rules; 2 of 4 general joint moves" in result.err


def test_frame_prints_the_rule_form(run: Run) -> None:
    result = run("frame", "tictactoe", "--form", "rules", "--covering", "direct")
    assert "fnext(control(X1)) :-" in result.out


def test_frame_tells_json_what_it_did(run: Run) -> None:
    told = run("frame", "tictactoe", "--json").json
    assert (told["frame_rules"], told["fnext_rules"]) == (1, 3)
    assert (told["joint_moves_before"], told["joint_moves"]) == (4, 2)
    assert read(told["text"])


def test_frame_writes_a_file_in_the_notation_of_its_suffix(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "out.rules"
    result = run("frame", "nim", "-o", path)
    assert (result.status, result.out) == (0, "")
    assert ":-" in path.read_text("utf-8")
    assert [p.name for p in tmp_path.iterdir()] == ["out.rules"]


def test_frame_returns_a_game_without_frame_rules_with_a_note(run: Run) -> None:
    result = run("frame", "-", stdin=PLAIN)
    assert result.status == 0
    assert "no rule is a frame rule" in result.err
    assert read(result.out) == read(PLAIN)


@pytest.mark.parametrize(
    "args", [("frame", "nosuchgame"), ("frame", "nim", "--covering", "best"), ("invariants",)]
)
def test_wrong_use_has_status_2_and_an_empty_result(run: Run, args: tuple[str, ...]) -> None:
    result = run(*args)
    assert (result.status, result.out) == (2, "")


def test_a_folder_that_is_not_there_is_wrong_use(run: Run, tmp_path: Path) -> None:
    result = run("frame", "nim", "-o", tmp_path / "none" / "out.kif")
    assert result.status == 2
    assert "is not a folder" in result.err


def test_a_budget_that_does_not_suffice_has_status_1(run: Run) -> None:
    result = run("frame", "breakthrough", "--timeout", "0.1")
    assert (result.status, result.out) == (1, "")
    assert "needs more than 0.1 s" in result.err


def test_invariants_are_listed(run: Run) -> None:
    result = run("invariants", "tictactoe")
    assert "proved      (control _) holds for exactly one role" in result.out.splitlines()


def test_invariants_as_json_say_how_they_are_known(run: Run) -> None:
    told = run("invariants", "nim", "--json").json
    assert {i["status"] for i in told["invariants"]} <= {"proved", "not proved", "refuted"}
    assert all(i["how"] and i["kind"] for i in told["invariants"])


def test_invariants_can_be_proved_again(run: Run) -> None:
    result = run("invariants", "tictactoe", "--check")
    assert result.status == 0
    assert result.out == run("invariants", "tictactoe").out
    assert "tictactoe: 5 of 5 proved again" in result.err
    told = run("invariants", "tictactoe", "--check", "--json").json["invariants"]
    assert all(i["proved_again"] is (True if i["status"] == "proved" else None) for i in told)


def test_a_second_proof_that_fails_has_status_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from kibitz.engine.grounding import invariant_check

    monkeypatch.setattr(
        invariant_check,
        "check_claims",
        lambda _sheet, claims, **_: Checked((False,) * len(claims), ()),
    )
    result = run("invariants", "tictactoe", "--check")
    assert (result.status, result.out) == (1, "")
    assert "a second proof of tictactoe fails: (control _) holds for exactly one role" in result.err


@pytest.mark.slow
def test_reproduce_frame_measures_and_draws(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "table.html"
    result = run("reproduce", "frame", "tictactoe", "--seconds", "0.02", "--json", "-o", page)
    (told,) = result.json["games"]
    assert told["row"]["depth"] == 9
    assert told["depth"] < 9
    assert "cut to" in told["notes"][0]
    assert set(told["seconds"]) == {"original", "direct", "pruned"}
    assert (told["joint_moves_before"], told["joint_moves"]) == (4, 2)
    assert "<svg" in page.read_text("utf-8")


def test_reproduce_frame_refuses_a_game_that_is_not_at_hand(run: Run) -> None:
    result = run("reproduce", "frame", "amazons")
    assert result.status == 2
    assert "no rules are available for amazons" in result.err
