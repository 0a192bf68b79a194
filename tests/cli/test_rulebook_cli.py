"""Rules in English on the command line: files, stdin, and GDL out."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from kibitz.cli.rules.new import _asked, _known_size, _known_template

TEXT = """# A small game
Size: 3 by 1.
Players: White and Black.
On your turn, place a piece on an empty cell.
You lose if you cannot move.
"""


def test_a_file_in_english_is_a_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "row.rules.txt"
    path.write_text(TEXT, "utf-8")
    checked = run("check", str(path)).out
    assert "row.rules.txt, as GDL:" in checked  # where nobody but the first player ever wins
    assert "no errors, 1 warning; all " in checked
    solved = run("solve", str(path), "--json").json
    assert solved["states"] == 13  # 1 + 3 + 3 * 2 + 3


def test_show_prints_the_text_or_gdl_with_comments(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "row.rules.txt"
    path.write_text(TEXT, "utf-8")
    assert run("show", str(path)).out == TEXT
    shown = run("show", str(path), "--form", "kif").out
    assert "; On your turn, place a piece on an empty cell.\n(<= (option" in shown
    again = tmp_path / "row.kif"
    again.write_text(shown, "utf-8")
    assert run("solve", str(again), "--json").json["states"] == 13  # 1 + 3 + 3 * 2 + 3


def test_a_game_is_explained_under_the_name_in_its_rules(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "row.rules.txt"
    path.write_text(f"Name: Last Place.\n{TEXT}", "utf-8")
    lines = run("explain", str(path)).out.splitlines()
    assert lines[:2] == ["Last Place", "=========="]
    assert lines[2].startswith("The board is a grid of 3 columns and 1 row.")


def test_english_is_found_by_its_look(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "row"
    path.write_text(TEXT, "utf-8")
    assert run("check", str(path)).status == 0
    assert run("check", "-", stdin=TEXT).status == 0


def test_an_error_has_its_place_and_the_nearest_sentence(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "row.rules.txt"
    path.write_text(TEXT.replace("empty", "emty"), "utf-8")
    done = run("check", str(path))
    assert done.status == 1
    assert "ENG001: 'emty' is not understood here" in done.out
    assert "^^^^" in done.out
    assert '"On your turn, place a piece on an empty cell."' in done.out
    assert run("solve", str(path)).status == 1


def test_a_folder_is_surveyed_with_its_files_in_english(run: Run, tmp_path: Path) -> None:
    (tmp_path / "row.rules.txt").write_text(TEXT, "utf-8")
    (tmp_path / "notes.txt").write_text("Nothing.", "utf-8")
    done = run("check", str(tmp_path))
    assert done.out.count("no errors") == 1


def test_a_game_is_written_in_english_and_read_again(run: Run, tmp_path: Path) -> None:
    shown = run("show", "kayles:5", "--form", "english")
    assert shown.out.splitlines()[0] == "# Compared with kayles:5 on all 51 states."
    path = tmp_path / "kayles.rules.txt"
    path.write_text(shown.out, "utf-8")
    again = run("solve", str(path), "--json").json
    assert again["states"] == run("solve", "kayles:5", "--json").json["states"]


def test_rules_with_letters_are_written_and_read_again(run: Run, tmp_path: Path) -> None:
    shown = run("show", "sim", "--form", "english")
    assert shown.out.splitlines()[0] == "# Each sentence is a rule of sim, or some of its facts."
    path = tmp_path / "sim.rules.txt"
    path.write_text(shown.out, "utf-8")
    again = run("perft", str(path), "--depth", "4", "--json").json
    assert again["states"] == run("perft", "sim", "--depth", "4", "--json").json["states"]


def test_a_game_that_cannot_be_written_in_english_is_an_error(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.english.rulebooks.statements._MOST_CLAUSES", 1)
    done = run("show", "sim", "--form", "english")
    assert done.status == 1
    assert done.out == ""
    assert "cannot be put into sentences: what is missing is what control, edge mean" in done.err


def test_explain_says_whether_the_rules_are_whole(run: Run) -> None:
    whole = run("explain", "kayles:5", "--json").json["description"]
    assert whole["complete"]
    assert whole["checked_states"] == 51
    assert whole["missing"] == []
    assert whole["text"].endswith("You lose if you cannot move.")
    done = run("explain", "hanoi:3", "--json").json
    assert done["description"]["complete"]
    assert done["description"]["has_letters"]
    assert "It stays so that A is on B if A is not moved." in done["description"]["text"]
    assert "never a larger one onto a smaller" in done["story"][-2]


def test_explain_names_what_is_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.english.rulebooks.statements._MOST_CLAUSES", 1)
    done = run("explain", "hanoi:3", "--json", "--no-cache").json
    assert not done["description"]["complete"]
    (missing,) = done["description"]["missing"]
    assert done["story"][0] == f"Not the whole rules: what is missing is {missing}."
    assert "never a larger one onto a smaller" in done["story"][-1]


def test_a_wrong_answer_to_new_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("nonsense\nTake away\nhuge\n7\n"))
    assert _asked("Which kind of game", "line-game", _known_template) == "take-away"
    assert _asked("How large", "10", _known_size) == "7"


def test_sentences_are_not_said_to_be_compared_with_themselves(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "row.rules.txt"
    path.write_text(TEXT, "utf-8")
    shown = run("show", str(path), "--form", "english").out.splitlines()
    assert shown[0] == f"# The sentences of {path} as they were read: the game is made from these."
