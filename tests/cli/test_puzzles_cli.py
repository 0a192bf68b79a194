"""Commands about positions to start from, as people and programs call them."""

from __future__ import annotations

import json
import re
import signal
import threading
import time
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.effort import quick


def test_hardness_gives_the_keys_that_programs_read(run: Run) -> None:
    done = run("hardness", "tictactoe", "--win-in", 2, "--k1", 1, "--k2", 3, "--json")
    assert done.status == 0
    assert {"positions", "easy", "medium", "hard", "seconds"} <= set(done.json)
    assert [done.json[k] for k in ("positions", "easy", "medium", "hard")] == [72, 32, 24, 16]


def test_hardness_can_be_sampled_as_the_paper_did(run: Run) -> None:
    args = ("hardness", "tictactoe", "--sample", 30, "--seed", 7, "--json")
    first, second = (run(*args).json for _ in range(2))
    assert first["positions"] == first["easy"] + first["medium"] + first["hard"] == 72
    assert [first[k] for k in ("easy", "medium", "hard")] == [
        second[k] for k in ("easy", "medium", "hard")
    ]


def test_hardness_for_the_second_role_and_other_skills(run: Run) -> None:
    done = run("hardness", "nim:1,3,5", "--role", "player2", "--k1", "random", "--k2", "slip:0.5")
    assert done.status == 0
    assert "random against optimal but for 0.5" in done.out
    assert "among reachable positions" in done.out


def test_an_empty_result_says_why_and_what_is_nearest(run: Run) -> None:
    done = run("hardness", "tictactoe", "--win-in", 5, "--json")
    assert done.status == 0
    assert done.json["positions"] == 0
    assert "the longest win takes 2 more rounds" in done.err
    assert "--win-in 2, with 72 positions" in done.err


def test_wrong_use_is_one_message(run: Run) -> None:
    for args in (("--role", "z"), ("--k1", "genius"), ("--easy", "0.1"), ("--max-states", "9")):
        done = run("hardness", "tictactoe", *args)
        assert done.status in (1, 2)
        assert done.out == ""
        assert done.err.strip()
        assert "Traceback" not in done.err


def test_puzzles_are_printed_with_boards_and_answers(run: Run) -> None:
    done = run("puzzles", "connect:3,4x4", "--win-in", 2, "--level", "hard", "-n", 1)
    assert done.status == 0
    assert "1. Win in 2 more rounds" in done.out
    assert "answer: drop in column" in done.out
    assert re.search(r"1 of \d+ such positions, among 354", done.out)


@pytest.mark.parametrize("suffix", ["csv", "json", "html", "svg", "txt"])
def test_puzzles_are_written_to_files(run: Run, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"set.{suffix}"
    done = run("puzzles", "tictactoe", "--canonical", "--unique", "--win-in", 1, "-o", path)
    assert done.status == 0
    assert done.out == ""
    assert path.stat().st_size > 500
    assert list(tmp_path.iterdir()) == [path]


def test_puzzles_for_programs_depend_on_the_seed_alone(run: Run) -> None:
    args = ("puzzles", "nim:1,3,5,7", "--win-in", 2, "--level", "hard", "-n", 3, "--json")
    first, again, other = (run(*args, "--seed", s).json for s in (1, 1, 2))
    assert first == again != other
    assert len(first["puzzles"]) == 3


def test_balanced_positions_for_unequal_players(run: Run) -> None:
    done = run("puzzles", "connect:3,4x4", "--balanced", "--k1", 1, "--k2", 3, "-n", 4, "--json")
    assert [abs(p["score"] - 0.5) <= 0.05 for p in done.json["puzzles"]] == [True] * 4


def test_a_level_without_positions_says_what_is_nearest(run: Run) -> None:
    done = run("puzzles", "tictactoe", "--set", "paper", "--level", "hard", "--json")
    assert done.status == 0
    assert done.json["puzzles"] == []
    assert "--level medium, with 12 positions" in done.err


def test_a_strategy_s_first_rules_are_a_skill(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    path.write_text("true => (mark 2 2)\ntrue => (mark 1 1)\n")
    args = ("hardness", "tictactoe", "--win-in", 1, "--k2", "random", "--json")
    few, all_ = (run(*args, "--k1", f"{path}{n}").json for n in ("@1", ""))
    assert few["positions"] == all_["positions"] == 260
    assert few["k1"].endswith("@1")
    assert json.dumps(few) != json.dumps(all_)


def test_a_reward_can_be_given_as_formulas(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "reward"
    path.write_text("5 (cell 2 2 x)\n-5 (cell 2 2 o)\n")
    done = run("hardness", "tictactoe", "--reward", path, "--json")
    assert done.json["positions"] == 72
    path.write_text("5 does(mark(1,1))\n")
    assert run("hardness", "tictactoe", "--reward", path).status == 2


@pytest.mark.parametrize(
    "args", [("-o", "x.docx"), ("-o", "/no/such/folder/x.csv"), ("--k1", "no.strategy")]
)
def test_files_that_cannot_be_are_refused_before_any_work(run: Run, args: tuple[str, ...]) -> None:
    done = run("puzzles", "tictactoe", *args)
    assert done.status == 2
    assert done.out == ""


@pytest.mark.slow
def test_a_table_of_variants_for_programs_and_people(run: Run) -> None:
    args = ("puzzles-table", "mnk:3,3,3,*", "roshambo", "--win-in", 2)
    found = run(*args, "--json")
    assert found.status == 0
    assert [game["game"] for game in found.json["games"]] == [
        f"mnk:3,3,3,{lines}" for lines in ("RCD", "RC", "RD", "CD")
    ]
    assert found.json["left_out"][0]["game"] == "roshambo"
    shown = run(*args)
    assert "32/24/16" in shown.out
    assert "mnk:3,3,3,RCD, with 40" in shown.out
    assert run("puzzles-table", "roshambo").status == 1


def test_the_tables_of_the_paper_are_measured_again(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tables.html"
    done = run("reproduce", "positions", "mnk:3,3,3", "-o", path, "--json")
    assert done.status == 0
    assert done.json["rows"][0]["positions"] == 36
    classes = {(c["own"], c["other"]): c["exact"] for c in done.json["rows"][0]["classes"]}
    assert classes[1, 3] == [24, 12, 0]
    assert "Table 3" in path.read_text()
    assert run("reproduce", "positions", "checkers").status == 2


def test_any_position_or_reachable_ones(run: Run) -> None:
    args = ("hardness", "connect:3,4x4", "--set", "paper", "--json", "--among")
    counts = [run(*args, where).json["positions"] for where in ("auto", "consistent", "reachable")]
    assert counts == [110, 110, 94]


@pytest.mark.parametrize("command", quick(["hardness", "puzzles"], ["puzzles"]))
def test_what_comes_after_exploring_is_bounded_as_well(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("kibitz.puzzles.skill.hardness.choose_all", lambda *_: time.sleep(3600))
    done = run(command, "tictactoe", "--timeout", 3)
    assert done.status != 0
    assert re.search("needs more than (its part of the )?3 s", done.err)


@pytest.mark.slow
def test_sampled_plays_are_bounded_by_the_time(run: Run) -> None:
    done = run("hardness", "tictactoe", "--sample", 10**9, "--timeout", 3)
    assert re.search("needs more than (its part of the )?3 s", done.err)


@pytest.mark.slow
def test_measuring_can_be_interrupted(run: Run) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(4, signal.pthread_kill, (threading.get_ident(), signal.SIGINT))
    timer.start()
    try:
        done = run("hardness", "tictactoe", "--sample", 10**9, "--timeout", 600)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    assert done.status == 130


def test_a_game_too_large_to_list_is_searched_and_the_command_says_so(run: Run) -> None:
    done = run("puzzles", "connect:3,4x4", "--win-in", 2, "-n", 3, "--max-states", 500, "--json")
    assert done.status == 0
    assert "so positions come from matches" in done.err
    found = done.json
    assert found["way"] == "search"
    assert len(found["puzzles"]) == 3
    for puzzle in found["puzzles"]:
        assert puzzle["proved"] == "the only move that wins within 2 more rounds"
        assert len(puzzle["winning_first_moves"]) == 1
        assert puzzle["refutations"]
        assert all(one["low"] <= one["finds"] <= one["high"] for one in puzzle["finds"])
    assert run("puzzles", "connect:3,4x4", "-n", 1, "--max-states", 500, "--list").status == 1


def test_a_small_game_is_listed(run: Run) -> None:
    assert run("puzzles", "tictactoe", "-n", 1, "--json").json["way"] == "listing"


def test_defences_and_themes_are_searched_for(run: Run) -> None:
    args = ("puzzles", "connect:3,4x4", "-n", 2, "--win-in", 1)
    done = run(*args, "--task", "defend")
    assert done.out.count("Find the move that does not lose within 1 more round") == 2
    assert "after which the opponent does not win within 1 more round" in done.out
    themed = run(*args, "--theme", "doubleThreat", "--json").json
    assert all("doubleThreat" in puzzle["themes"] for puzzle in themed["puzzles"])
    assert run(*args, "--theme", "brilliance").status == 2
    assert "--rules" in run(*args, "--theme", "rule2").err
    assert run(*args, "--theme", "parry", "--balanced").status == 2


@pytest.mark.parametrize(
    ("suffix", "start"),
    [("pdf", b"%PDF"), ("anki", b"#separator"), ("html", b"<!doctype"), ("csv", b"PuzzleId,FEN")],
)
def test_searched_puzzles_are_written(run: Run, tmp_path: Path, suffix: str, start: bytes) -> None:
    path = tmp_path / f"set.{suffix}"
    assert run("puzzles", "connect:3,4x4", "--search", "-n", 2, "-o", path).status == 0
    assert path.read_bytes().startswith(start)


def test_hardness_of_a_given_position_is_sampled_without_listing(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "position.kif"
    path.write_text("(heap a 1) (heap b 2) (heap c 4) (control player1)")
    args = ("hardness", "nim:1,2,4", "--position", path, "--max-states", 1)
    done = run(*args, "--k1", "uct:50", "--k2", "random", "--sample", 60, "--json").json
    assert done["plays"] == done["wins"] + done["draws"] + done["losses"] == 60
    assert done["low"] <= done["chance"] <= done["high"]
    assert done["level"] in ("easy", "medium", "hard")
    shown = run(*args, "--k1", "2", "--k2", "random")
    assert "depth 2 as player1 against random, 200 plays" in shown.out
    assert run(*args, "--k1", "optimal").status == 2
    assert run(*args, "--role", "nobody").status == 2


def test_even_positions_are_searched_for(run: Run) -> None:
    args = (
        "puzzles",
        "connect:4,5x5",
        "--balanced",
        "--search",
        "--k1",
        "random",
        "--k2",
        "random",
    )
    done = run(*args, "-n", 2, "--json").json
    assert done["way"] == "search"
    assert [abs(p["score"] - 0.5) <= 0.05 and p["plays"] == 256 for p in done["puzzles"]] == [
        True
    ] * 2
    assert "each played out" in run(*args, "-n", 1).out


def test_openings_are_shown_with_their_moves(run: Run) -> None:
    args = ("puzzles", "connect:4,4x4", "--drawn", "-n", 1)
    done = run(*args)
    assert "   reached by: drop in column " in done.out
    assert "   proved: a draw with best play\n" in done.out
    (puzzle,) = run(*args, "--json").json["puzzles"]
    assert puzzle["proved"] == "a draw with best play"
    assert puzzle["opening"]
    assert run(*args, "--balanced").status == 2
    assert "such as --after 3-12" in run(*args, "--after", "x").err
    assert run(*args, "--after", "9-3").status == 2


def test_hardness_by_the_ways_of_the_paper(run: Run) -> None:
    args = ("hardness", "connect:3,4x4", "--k1", 2)
    found = run(*args, "--sampling", "iterative", "--json").json
    assert (found["positions"], found["explored"], found["hard"]) == (354, 16, 4)
    assert "looked at 100 of them (b100)" in run(*args, "--sampling", "b100").out
    assert run(*args, "--sampling", "iterative", "--k1", "random").status == 2
