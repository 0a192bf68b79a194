"""kibitz draw."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run

BOARD = "  1 2 3\n1 . . .\n2 . . .\n3 . . .\nX to move\n"


def test_draw_shows_the_initial_state(run: Run) -> None:
    assert run("draw", "tictactoe") == (0, BOARD, "")


def test_draw_plays_moves_first(run: Run, tmp_path: Path) -> None:
    moves = "((mark 2 2) noop)\n(noop (mark 1 1))\n"
    result = run("draw", "tictactoe", "--moves", "-", stdin=moves)
    assert result.out.splitlines()[1:4] == ["1 o . .", "2 . x .", "3 . . ."]
    flipped = run("draw", "tictactoe", "--moves", "-", "--flip", stdin=moves)
    assert flipped.out.splitlines()[0:3] == ["3 . . .", "2 . x .", "1 . . o"]


def test_draw_shows_a_given_state(run: Run) -> None:
    result = run("draw", "nim:2,3", "--state", "-", stdin="(heap a 0) (heap b 2) (control player2)")
    assert (result.status, result.out) == (0, "a 0\nb ●● 2\nPlayer 2 to move\n")


@pytest.mark.parametrize("form", ["svg", "png", "tex", "html", "md", "txt", "json", "dot"])
def test_draw_writes_a_file_by_its_ending(run: Run, tmp_path: Path, form: str) -> None:
    path = tmp_path / f"board.{form}"
    assert run("draw", "nim:1,2", "-o", path) == (0, "", "")
    assert path.stat().st_size > 20


def test_draw_as_json_has_layout_and_positions(run: Run) -> None:
    found = run("draw", "nim:1,2", "--json").json
    assert list(found) == ["layout", "positions"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("tictactoe", "-o", "board.gif"), "the suffix of board.gif names no format"),
        (("tictactoe", "--state", "x", "--moves", "y"), "cannot be drawn at once"),
        (("-", "--state", "-"), "only one of rules, state, moves and strategy"),
        (("tictactoe", "-o", "/nowhere/at/all.svg"), "cannot write /nowhere/at/all.svg"),
        (("tictactoe", "--board", "/nowhere.toml"), "cannot read /nowhere.toml"),
        (("tictactoe", "--state", "-"), "(cell 9 9 x) can never hold in tictactoe"),
    ],
)
def test_draw_says_what_is_wrong(run: Run, arguments: tuple[str, ...], told: str) -> None:
    result = run("draw", *arguments, stdin="(cell 9 9 x)")
    assert (result.status, result.out) == (2, "")
    assert told in result.err


@pytest.mark.parametrize("form", ["svg", "png", "tex", "html", "md", "txt", "json", "dot"])
def test_a_strategy_is_drawn_into_any_file(run: Run, tmp_path: Path, form: str) -> None:
    path = tmp_path / f"five.{form}"
    result = run("draw", "tictactoe", "--strategy", "tictactoe-five", "-o", path)
    assert result == (0, "", "")
    assert path.stat().st_size > 100
    assert list(tmp_path.iterdir()) == [path]


def test_a_strategy_is_printed_rule_by_rule(run: Run) -> None:
    result = run("draw", "tictactoe", "--strategy", "tictactoe-five")
    assert "3. true => (mark 2 2)\n  1 2 3\n1 · · ·\n2 ·[·]·\n3 · · ·" in result.out


def test_every_state_of_a_match_is_drawn_if_asked_for(run: Run, tmp_path: Path) -> None:
    moves = tmp_path / "moves"
    moves.write_text("((reduce a 0) noop)\n(noop (reduce b 0))\n")
    whole, last = tmp_path / "whole.svg", tmp_path / "last.svg"
    run("draw", "nim:1,2", "--moves", moves, "--every", "-o", whole)
    run("draw", "nim:1,2", "--moves", moves, "-o", last)
    assert "1. player1 (reduce a 0)" in whole.read_text()
    assert whole.stat().st_size > 1.2 * last.stat().st_size
    printed = run("draw", "nim:1,2", "--moves", moves, "--every").out
    assert printed.count("to move") == 3


def test_files_of_moves_make_a_tree(run: Run, tmp_path: Path) -> None:
    for name, text in (("a", "((reduce a 0) noop)"), ("b", "((reduce b 0) noop)")):
        (tmp_path / name).write_text(text)
    both = ["--moves", tmp_path / "a", "--moves", tmp_path / "b"]
    tree = tmp_path / "tree.dot"
    assert run("draw", "nim:1,2", *both, "-o", tree)[0] == 0
    assert tree.read_text().count("->") == 2
    result = run("draw", "nim:1,2", *both)
    assert result[0] == 2
    assert "-o TREE.dot" in result.err


def test_a_tree_of_play_is_as_deep_as_asked(run: Run, tmp_path: Path) -> None:
    tree = tmp_path / "tree.dot"
    run("draw", "nim:1,1", "--depth", "1", "-o", tree)
    assert tree.read_text().count("->") == 2
