"""Commands about strategies: what they print, their JSON, and their exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run

FIVE = "tictactoe-five"


def test_verify_has_the_keys_that_programs_read(run: Run) -> None:
    done = run("verify", "tictactoe", FIVE, "--role", "xplayer", "--json")
    assert done.status == 0
    found = json.loads(done.out)
    assert list(found) == [
        "perfect", "valid", "complete", "deterministic", "functional", "weakly_optimal",
        "strongly_optimal", "makes_progress", "silence", "guarantees", "value", "rules", "literals",
        "dead_rules", "states_checked", "bad_states", "counterexample",
    ]  # fmt: skip
    assert found["guarantees"] == {"xplayer": 50, "oplayer": 50}
    assert (found["rules"], found["literals"], found["counterexample"]) == (5, 6, None)


def test_verify_shows_a_counterexample_with_a_board_and_leaves_with_1(run: Run) -> None:
    done = run("verify", "tictactoe", "tictactoe-table3")
    assert done.status == 1
    assert "A state that contradicts strongly optimal:" in done.out
    assert "1 x o ." in done.out
    assert "reached by     (mark 1 1)/noop, noop/(mark 1 2)" in done.out
    found = json.loads(run("verify", "tictactoe", "tictactoe-table3", "--json").out)
    assert set(found["counterexample"]) == {
        "state", "path", "moves_chosen", "optimal_moves", "keeping_moves",
    }  # fmt: skip


def test_verify_can_require_other_claims(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.strategy"
    file.write_text("true => (mark 2 2)\n")
    call = ("verify", "tictactoe", str(file))
    assert run(*call, "--require", "deterministic,valid").status == 0
    done = run(*call, "--require", "deterministic,complete")
    assert done.status == 1
    assert "contradicts complete" in done.out
    assert run(*call, "--require", "optimal").status == 2
    assert run(*call, "--symmetry", "none", "--require", "valid").status == 0


def test_verify_with_the_reference_engine(run: Run) -> None:
    call = ("verify", "nim:1,2,4,5", "nim-table4", "--json")
    done = run(*call, "--engine", "reference")
    assert done.status == 0
    assert json.loads(done.out) == json.loads(run(*call).out)


def test_an_error_in_a_strategy_has_its_place_and_leaves_with_2(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.strategy"
    file.write_text("true => (mark 2 2)\ncel(1,1,x) => (mark 1 1)\n")
    done = run("verify", "tictactoe", str(file))
    assert (done.status, done.out) == (2, "")
    assert f"{file}:2:1: STR002" in done.err
    assert "did you mean cell" in done.err
    done = run("verify", "tictactoe", "no-such-thing")
    assert done.status == 2
    assert "come with Kibitz" in done.err or "comes with Kibitz" in done.err


def test_moves_counts_pairs_lists_them_and_answers_for_one_state(run: Run, tmp_path: Path) -> None:
    call = ("moves", "crossdot:4,2", "crossdot#fill_next", "--role", "player1", "--silence", "stop")
    assert run(*call).out.startswith("12 pairs of state and move, in 10 states\nin 3 states ")
    found = json.loads(run(*call, "--list", "--json").out)
    assert (found["pairs"], found["states"], len(found["moves"])) == (12, 10, 12)
    state = tmp_path / "state.kif"
    state.write_text("(control player1) (box 1 cross) (box 2 empty) (box 3 empty) (box 4 dot)")
    assert run(*call, "--state", str(state)).out == "(mark 2)\n"


def test_silence_is_read_alike_by_all_commands_and_said(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "empty.strategy"
    file.write_text("# nothing yet\n")
    for call in (
        ("moves", "nim:1,2", str(file)),
        ("verify", "nim:1,2", str(file)),
        ("verify", "nim:1,2", str(file), "--engine", "reference"),
        ("comply", "nim:1,2", "--strategy", f"player1={file}"),
        ("diff", "nim:1,2", str(file), str(file)),
    ):
        assert "any legal move may be made" in run(*call).out
        assert "play stops" in run(*call, "--silence", "stop").out
        assert json.loads(run(*call, "--json").out)["silence"] == "any"
        assert json.loads(run(*call, "--json", "--silence", "stop").out)["silence"] == "stop"
    state = tmp_path / "state.kif"
    state.write_text("(control player1) (heap a 0) (heap b 1)")
    done = run("moves", "nim:1,2", str(file), "--state", str(state))
    assert done.out == "(reduce b 0)\n"
    assert "silent here" in done.err
    asked = ("moves", "nim:1,2", str(file), "--state", str(state), "--silence", "stop", "--json")
    found = json.loads(run(*asked).out)
    assert (found["moves"], found["is_silent"], found["silence"]) == ([], True, "stop")
    done = run("moves", "nim:1,2", str(file), "--state", str(state), "--role", "player2")
    assert (done.out, "not player2's turn" in done.err) == ("no move\n", True)


def test_encode_takes_shipped_strategies_and_what_a_file_defines(run: Run) -> None:
    done = run("encode", "crossdot:3,2", "player2=crossdot#fill_any", "--silence", "stop")
    assert done.status == 0
    assert "% player2 follows crossdot" in done.out
    assert "no match goes on" in done.out
    assert "any legal move may be made" in run("encode", "nim:1,2,4,5", "nim-table4").out
    assert run("encode", "crossdot:3,2", "crossdot#nothing").status == 2


def test_the_reference_refuses_a_past_in_one_sentence(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "past.strategy"
    file.write_text("previous initial and does(reduce(a,0)) else true\n")
    done = run("verify", "nim:1,2", str(file), "--engine", "reference")
    assert (done.status, done.out) == (2, "")
    assert "refers to the past" in done.err
    assert run("verify", "nim:1,2", str(file)).status == 1


def test_comply_checks_a_property_and_lists_outcomes(run: Run) -> None:
    call = (
        "comply", "crossdot:5,2", "--strategy", "player1=crossdot#fill_leftmost",
        "--strategy", "player2=crossdot#cautious",
    )  # fmt: skip
    assert run(*call, "--property", "terminal implies not wins(player1)").status == 0
    done = run(*call, "--property", "terminal implies wins(player1)", "--outcomes", "--json")
    assert done.status == 1
    found = json.loads(done.out)
    assert found["holds"] is False
    assert [outcome["goals"] for outcome in found["outcomes"]] == [{"player1": 50, "player2": 50}]
    assert run("comply", "crossdot:5,2", "--strategy", "crossdot").status == 2


def test_diff_and_minimise(run: Run) -> None:
    assert run("diff", "tictactoe", FIVE, FIVE).status == 0
    done = run("diff", "tictactoe", FIVE, "tictactoe-table3")
    assert done.status == 1
    assert "rule 1 of A, rule 5 of B" in done.out
    found = json.loads(run("minimise", "tictactoe", FIVE, "--json").out)
    assert (found["kept"], found["rules"], found["literals"]) == ("perfect", 5, 6)


CORNERS = """
corner(1,1). corner(1,3). corner(3,1). corner(3,3).
:~ next(cell(X,Y,x)), corner(X,Y). [-1@1, X, Y]
"""


def test_learned_programs_are_strategies(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "corners.lp"
    path.write_text(CORNERS, "utf-8")
    found = json.loads(run("verify", "tictactoe", str(path), "--json").out)
    assert found["complete"]
    assert not found["strongly_optimal"]
    assert 0 < found["bad_states"] < found["states_checked"]
    chosen = set(found["counterexample"]["moves_chosen"])
    assert not chosen <= set(found["counterexample"]["optimal_moves"])
    shown = run("verify", "tictactoe", str(path))
    assert shown.status == 1
    assert f"gives up value in  {found['bad_states']} of these" in shown.out
    counted = json.loads(run("moves", "tictactoe", str(path), "--json").out)
    assert counted["pairs"] >= counted["states"] > 0
    assert run("diff", "tictactoe", str(path), str(path)).status == 0
    done = run("minimise", "tictactoe", str(path))
    assert done.status == 2
    assert "is a learned program" in done.err


@pytest.mark.slow
def test_a_learned_program_without_an_end_is_stopped(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "endless.lp"
    path.write_text("p(0). p(X+1) :- p(X). :~ next(heap(b,X)), p(X). [1@1, X]", "utf-8")
    done = run("verify", "nim:1,2", str(path), "--timeout", "2")
    assert done.status == 1
    assert "needs more than 2 s" in done.err
