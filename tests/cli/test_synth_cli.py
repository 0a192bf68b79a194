"""The command synth, as programs and people call it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Run

STOPPABLE = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
"""Whoever runs the tests may have them ignore Ctrl-C."""

KIBITZ = [sys.executable, "-c", f"{STOPPABLE}from kibitz.cli import main; main()"]

KEYS = [
    "role",
    "strategy",
    "rules",
    "literals",
    "verdict",
    "symmetry",
    "language",
    "lower_bound",
    "proved_minimal",
    "literals_lower_bound",
    "proved_fewest_literals",
    "seconds",
    "seed",
    "states",
    "time_ended",
    "shorter_with",
]


def test_synth_gives_the_keys_that_programs_read(run: Run) -> None:
    result = run("synth", "nim:1,2", "--role", "player1", "--rounds", "3", "--json")
    assert result.status == 0
    found = result.json
    assert list(found) == KEYS
    assert (found["rules"], found["literals"]) == (1, 0)
    assert found["verdict"]["strongly_optimal"]
    assert found["states"] == 8
    assert found["symmetry"] == "any"


def test_rules_are_sentences_with_boards(run: Run) -> None:
    result = run("synth", "mnk:2,3,2", "--role", "xplayer", "--rounds", "2")
    assert result.status == 0
    assert "1. Take " in result.out
    assert "·" in result.out
    assert "Where no rule applies" in result.out


def test_a_strategy_is_written_to_a_file_and_can_be_started_from(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    args = ("synth", "nim:1,2", "--role", "player1", "--rounds", "2")
    assert run(*args, "-o", path).status == 0
    again = run(*args, "--start", path, "--json")
    assert again.json["strategy"] == path.read_text("utf-8")


def test_somebody_must_be_named_where_there_are_two(run: Run) -> None:
    result = run("synth", "nim:1,2")
    assert (result.status, result.out) == (2, "")
    assert "--role player1 or --role player2" in result.err


def test_an_unknown_role_is_answered_by_those_there_are(run: Run) -> None:
    result = run("synth", "nim:1,2", "--role", "me")
    assert result.status == 2
    assert "player1 player2" in result.err


def test_a_game_that_is_too_large_says_what_to_do(run: Run) -> None:
    result = run("synth", "tictactoe", "--role", "xplayer", "--max-states", "10")
    assert result.status == 1
    assert "--max-states" in result.err
    assert "--position" in result.err


def test_a_wrong_start_is_shown_with_a_state(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wrong.strategy"
    path.write_text("true => (reduce b 0)\n")
    result = run("synth", "nim:1,2", "--role", "player1", "--start", path)
    assert result.status == 2
    assert "errs already" in result.err
    assert "(reduce b 1)" in result.err


def test_a_position_can_be_played_from(run: Run) -> None:
    state = "(heap a 0) (heap b 1) (heap c 2) (control player1)"
    args = ("synth", "nim:1,2,3", "--role", "player1", "--position", "-", "--rounds", "2", "--json")
    found = run(*args, stdin=state).json
    assert (found["rules"], found["strategy"]) == (1, "true => (reduce c 1)\n")


def test_few_rules_come_with_their_loss(run: Run) -> None:
    args = ("synth", "nim:2,3", "--role", "player1", "--rounds", "5", "--max-rules", "1", "--json")
    found = run(*args).json
    assert found["max_rules"] == 1
    assert found["loss_against_perfect"] == 100


def test_the_curve_is_drawn(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "curve.svg"
    args = ("synth", "nim:1,2", "--role", "player1", "--rounds", "3", "--pareto")
    result = run(*args, "-o", path)
    assert result.status == 0
    assert result.out.startswith("0 rules: at least 0 of 100")
    assert [found.name for found in tmp_path.iterdir()] == ["curve.svg"]


def test_a_curve_of_no_known_kind_is_refused_before_the_search(run: Run, tmp_path: Path) -> None:
    args = ("synth", "nim:1,2", "--role", "player1", "--pareto", "-o", tmp_path / "curve.doc")
    result = run(*args)
    assert (result.status, result.out) == (2, "")
    assert ".svg" in result.err


def test_a_paper_s_table_is_measured_again(run: Run) -> None:
    result = run("reproduce", "fft", "chomp", "--seeds", "1", "--time", "1", "--json")
    (row,) = result.json["rows"]
    assert row["best"]["verdict"]["strongly_optimal"]
    assert row["rules"] == [row["best"]["rules"]]


def test_an_unknown_row_is_answered_by_those_there_are(run: Run) -> None:
    result = run("reproduce", "fft", "chess")
    assert result.status == 2
    assert "sim" in result.err


def test_ctrl_c_gives_the_best_list_so_far_and_130(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    path = tmp_path / "best.strategy"
    command = ["synth", "nim:1,2,4,5", "--role", "player1", "--symmetry", "none", "--json"]
    terminal, theirs = pty.openpty()
    running = subprocess.Popen(
        [*KIBITZ, *command, "--time", "300", "-o", str(path)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    while b" steps" not in shown:  # until the search tells how far it is
        shown += os.read(terminal, 1000)
    os.killpg(running.pid, signal.SIGINT)
    found = json.loads(running.communicate(timeout=600)[0])
    assert running.returncode == 130
    assert b"best list so far" in os.read(terminal, 10_000)
    os.close(terminal)
    assert found["verdict"]["strongly_optimal"]
    assert found["lower_bound"] >= 1
    assert path.read_text("utf-8") == found["strategy"]


@pytest.mark.slow
def test_measured_rules_are_printed_with_what_they_are_worth(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.strategy"
    quick = ["synth", "tictactoe", "--measured", "--rounds", "1", "--max-rules", "3"]
    done = run(*quick, "--json", "-o", str(file))
    told = json.loads(done.out)
    assert told["rules"] <= 3
    assert told["strategy"] == file.read_text("utf-8")
    assert set(told["strength"]["random"]) == {"score", "low", "high", "matches"}
    assert set(told["accuracy"]) >= {"share", "low", "high", "positions"}
    assert len(told["per_rule"]) == told["rules"]
    assert told["proved"] is False
    shown = run(*quick).out
    assert "nothing about them is proved" in shown
    assert "against random" in shown
    assert run("moves", "tictactoe", str(file), "--role", "xplayer").status == 0


def test_insight_has_the_keys_of_synth_and_its_sizes(run: Run) -> None:
    found = run("synth", "nim:1,2", "--role", "player1", "--insight", "--json").json
    plain = run("synth", "nim:1,2", "--role", "player1", "--rounds", "1", "--json").json
    assert set(found) - set(plain) == {"holds_for", "why"}
    assert set(plain) <= set(found)
    assert found["holds_for"]["proved"]
    assert found["holds_for"]["sizes"].startswith("any number of heaps, each of any size")
    assert found["strategy"].endswith("next nimsum(heap.2) = 0 => any\n")
    assert len(found["why"]) == found["rules"] == 1


def test_insight_is_shown_with_its_reason_and_written(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rules.strategy"
    shown = run("synth", "nim:1,2", "--role", "player1", "--insight", "-o", path)
    assert shown.status == 0
    assert "1. Leave heaps with nim-sum 0 if you can." in shown.out
    assert "Proved for every size: any number of heaps, each of any size" in shown.out
    assert run("verify", "nim:1,2", path, "--role", "player1").status == 0


def test_where_there_is_no_insight_another_list_is_found(run: Run) -> None:
    args = ("synth", "connect:3,3x3", "--role", "xplayer", "--insight", "--rounds", "2", "--json")
    found = run(*args)
    assert found.status == 0
    assert "no list about numbers or symmetry was found" in found.err
    assert found.json["verdict"]["strongly_optimal"]
    assert found.json["holds_for"] == {"proved": False, "sizes": "this game from its start"}


def test_insight_refuses_what_it_does_not_do(run: Run) -> None:
    wrong = run("synth", "nim:1,2", "--role", "player1", "--insight", "--pareto")
    assert (wrong.status, wrong.out) == (2, "")
    assert "--insight" in wrong.err
