"""The commands of learn, as programs and people call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from kibitz.learn import read_bias
from kibitz.learn.preferences.bias import constraint_bodies


def test_a_tree_gives_the_keys_that_programs_read(run: Run) -> None:
    result = run("learn", "tree", "nim", "--instance", "S", "--method", "minimax", "--json")
    assert result.status == 0
    assert {"nodes", "value", "rules", "seconds"} <= set(result.json)
    assert (result.json["nodes"], result.json["value"]) == (390, 100)


def test_rules_are_printed_and_saved(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rules.lp"
    result = run("learn", "tree", "nim:1,2,2", "--rules", "-o", path)
    assert result.status == 0
    assert "best_do(" in result.out
    assert path.read_text("utf-8").strip() in result.out.replace("\n  ", "\n")


def test_a_tree_is_saved_as_json_and_drawn(run: Run, tmp_path: Path) -> None:
    for name in ("tree.json", "tree.svg"):
        assert run("learn", "tree", "nim:1,2", "-o", tmp_path / name).status == 0
    tree = json.loads((tmp_path / "tree.json").read_text("utf-8"))
    assert tree["score"] == 100
    assert tree["children"]
    assert (tmp_path / "tree.svg").read_text("utf-8").startswith("<svg")


def test_wrong_use_is_told(run: Run, tmp_path: Path) -> None:
    for args in (
        ("nim:1,2", "-o", tmp_path / "tree.txt"),
        ("kayles:4", "--instance", "S"),
        ("nim:1,2", "--rules", "--mask", "heap"),
    ):
        result = run("learn", "tree", *args)
        assert (result.status, result.out) == (2, "")
        assert "hint" in result.err


def test_a_tree_that_takes_too_long_is_shown_as_far_as_it_goes(run: Run) -> None:
    result = run("learn", "tree", "mnk:4,4,4", "--method", "minimax", "--timeout", 4, "--json")
    assert (result.status, result.json["complete"]) == (1, False)
    assert "--timeout" in result.err


def test_constraints_are_learned_verified_and_played(run: Run, tmp_path: Path) -> None:
    path, task = tmp_path / "nim.lp", tmp_path / "nim.las"
    args = ("learn", "constraints", "nim", "--instance", "M", "-o", path, "--ilasp", task)
    result = run(*args, "--test", "piles:2,3,4", "--json")
    assert result.status == 0
    found = result.json
    assert found["constraints"] == [":~ odd_has(V0). [1@1, 1, V0]"]
    assert found["optimal"]
    assert found["tests"]["piles:2,3,4"]["a"]["strongly_optimal"]
    assert "#brave_ordering" in task.read_text("utf-8")
    match = run(
        "match", "piles:1,2,3,4", "--role", f"a={path}", "--role", "b=random", "-n", 3, "--json"
    )
    assert match.status == 0


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a script in place of ILASP, which prints a file and keeps what it was given."""
    program = tmp_path / "ILASP"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/args\ncat {tmp_path}/answer\n', "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return tmp_path / "answer"


def test_what_ilasp_finds_is_verified(run: Run, tmp_path: Path, stand_in: Path) -> None:
    args = ("learn", "constraints", "nim", "--instance", "M", "--run-ilasp")
    stand_in.write_text(":~ odd_has(V1).[1@1, 1, V1]\n%% Total : 0.1s\n", "utf-8")
    found = run(*args, "--json").json
    assert all(v["strongly_optimal"] for v in found["ilasp_verdicts"].values())
    assert (tmp_path / "args").read_text("utf-8").startswith("--version=4 -ml=5 ")
    stand_in.write_text(":~ next(has(V1,V2)), V2 > 2.[1@1, 1, V1, V2]\n", "utf-8")
    printed = run(*args).out
    assert "ILASP, a: gives up value in" in printed
    stand_in.write_text("UNSATISFIABLE\n", "utf-8")
    found = run(*args, "--json").json
    assert (found["ilasp"], found["ilasp_verdicts"]) == ("UNSATISFIABLE\n", None)


def test_a_tree_and_a_depth_play(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    assert run("learn", "tree", "nim:1,2", "--method", "minimax", "-o", path).status == 0
    match = run(
        "match", "nim:1,2", "--role", f"player1=tree:{path}", "--role", "player2=depth:2", "--json"
    )
    assert match.status == 0
    assert '"player1":100' in match.out.replace(" ", "")


def test_a_language_that_is_too_poor_is_told_with_examples(run: Run, tmp_path: Path) -> None:
    bias = tmp_path / "poor.bias"
    bias.write_text("#modeo(1, next(control(var(p)))).", "utf-8")
    result = run("learn", "constraints", "nim:1,2", "--bias", bias)
    assert result.status == 1
    assert "no hypothesis in this language" in result.out
    assert "before" in result.out
    assert "--noise" in result.err


def test_what_went_in_can_be_searched(run: Run) -> None:
    result = run("learn", "constraints", "nim:1,2,3", "--examples", "pruned", "--until", "optimal")
    assert result.status == 0
    assert ": perfect; guaranteed" in result.out


def test_the_tables_are_measured_again(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    args = ("--sizes", "S", "--approaches", "minimax,rules", "--matches", 2, "--no-generalise")
    result = run("reproduce", "learning", "nim", *args, "-o", path, "--json")
    assert result.status == 0
    rows = {row["approach"]: row for row in result.json["rows"]}
    assert rows["minimax"]["nodes"] == rows["minimax"]["paper_nodes"] == 390
    assert rows["rules"]["wins"] + rows["rules"]["draws"] + rows["rules"]["losses"] == 2
    assert "Table" in path.read_text("utf-8")
    wrong = run("reproduce", "learning", "chess")
    assert (wrong.status, wrong.out) == (2, "")


@pytest.mark.slow
def test_the_bias_that_is_made_fits_its_own_bounds_and_is_shown(run: Run) -> None:
    shown = run("learn", "constraints", "hex:2", "--show-bias")
    assert shown.status == 0
    assert "#maxl(2)." in shown.out
    assert len(constraint_bodies(read_bias(shown.out))) < 20_000
    whole = run("learn", "constraints", "tictactoe", "--show-bias", "--json").json["bias"]
    assert "#maxl(3)." in run("learn", "constraints", "marks", "--show-bias").out
    assert read_bias(whole).orders
