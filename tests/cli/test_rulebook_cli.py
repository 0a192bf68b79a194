"""Rules in English on the command line: files, stdin, and GDL out."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run

TEXT = """# A small game
Size: 3 by 1.
Players: White and Black.
On your turn, place a piece on an empty cell.
You lose if you cannot move.
"""


def test_a_file_in_english_is_a_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "row.rules.txt"
    path.write_text(TEXT, "utf-8")
    assert run("check", str(path)).out.endswith("no errors, no warnings\n")
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
