"""Commands that play."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.conftest import kibitz

from kibitz.engine import make_game
from kibitz.games import load_sheet
from kibitz.play.protocol.messages import ask

KIBITZ = [sys.executable, "-c", "from kibitz.cli import main; main()"]


def run(*args: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return kibitz(*args, stdin=text)


def test_a_match_is_told_with_its_scores() -> None:
    done = run("match", "nim:1,2,4,5", "--role", "player1=optimal", "--json", "-n", "2")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert [match["goals"]["player1"] for match in result["matches"]] == [100, 100]
    assert result["scores"][0]["agent"] == "optimal"


@pytest.mark.slow
def test_many_matches_of_a_strategy_are_played_in_blocks(tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    path.write_text("true => drop(2)", "utf-8")
    roles = ("--role", f"xplayer={path}", "--role", "oplayer=uct:20")
    done = run("match", "connect:3,4x4", *roles, "-n", "50", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert len(result["matches"]) == 50
    for match in result["matches"]:
        assert match["finished"]
        assert set(match["goals"].values()) in ({0, 100}, {50})
        assert match["moves"][0][0] in ("(drop 2)", "(drop 3)")
    again = run("match", "connect:3,4x4", *roles, "-n", "50", "--json")
    moves = [[m["moves"] for m in json.loads(one.stdout)["matches"]] for one in (done, again)]
    assert moves[0] == moves[1]
    checked = result["matches"][7]
    game = make_game(load_sheet("connect:3,4x4"))
    state = game.initial()
    for joint in checked["moves"]:
        state = state.step(joint)
    assert state.goals == checked["goals"]


def test_a_strategy_with_a_past_is_slow_and_a_message_says_so(tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    path.write_text("previous cell(1,1,b) => mark(3,3)", "utf-8")
    done = run("match", "tictactoe", "--role", f"xplayer={path}", "-n", "21")
    assert done.returncode == 0, done.stderr
    assert "one state at a time, which is slow: it refers to more of the past" in done.stderr


def test_plain_tree_search_with_a_number_of_playouts_is_an_agent() -> None:
    done = run("match", "roshambo", "--role", "player1=uct:10", "-n", "21")
    assert done.returncode == 0, done.stderr
    assert "uct:10" in done.stdout
    done = run("match", "tictactoe", "--role", "xplayer=uct:x")
    assert done.returncode == 2
    assert "uct:x has no number of playouts" in done.stderr


def test_a_tournament_ranks_and_draws(tmp_path: Path) -> None:
    plot = tmp_path / "scores.svg"
    args = ("--agent", "optimal", "--agent", "random", "-n", "3", "--plot", str(plot))
    done = run("tournament", "nim:1,2", *args)
    assert done.returncode == 0, done.stderr
    assert "optimal" in done.stdout
    assert plot.read_text("utf-8").startswith("<svg ")


def test_a_plot_that_cannot_be_written_is_refused_before_play(tmp_path: Path) -> None:
    args = ("tournament", "nim:1,2", "--agent", "random", "--agent", "random", "--plot")
    for path in (tmp_path / "scores.doc", tmp_path / "missing" / "scores.svg"):
        done = run(*args, str(path))
        assert (done.returncode, done.stdout) == (2, "")
        assert str(path) in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_person_plays_by_number_and_by_text() -> None:
    done = run("play", "tictactoe", "--against", "random", text="5\nmark 9 9\nq\n")
    assert done.returncode == 1
    assert "1 2 3" in done.stdout
    assert "mark 9 9 is not one of your moves" in done.stdout
    assert done.stderr.strip().endswith("left")


@pytest.mark.slow
def test_a_person_takes_back_asks_for_help_and_resigns() -> None:
    typed = "u\n?\ncentre\nu\n1 1\nh\nresign\n"
    done = run("play", "tictactoe", "--level", "1", "--no-review", text=typed)
    assert done.returncode == 0, done.stderr
    assert "there is no move to take back" in done.stdout
    assert "undo: take your last move back" in done.stdout
    assert "2 . x ." in done.stdout
    assert "1 x" in done.stdout
    assert done.stdout.count("  oplayer: take") == 2
    assert done.stdout.endswith("xplayer resigns after 2 moves; oplayer wins\n")


def test_a_text_that_can_mean_several_moves_is_asked_again() -> None:
    done = run("play", "tictactoe", "--against", "random", text="bottom corner\nq\n")
    assert "can mean: take the bottom left corner; take the bottom right corner" in done.stdout


def test_a_match_ends_with_the_board_the_winner_and_a_review() -> None:
    """Whoever takes the first heap of 1 and 2 loses it: the other takes the second."""
    done = run("play", "nim:1,2", "--against", "optimal", text="heap a\n")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "player2: reduce heap b to 0" in done.stdout
    assert "player2 wins (player1 0, player2 100)" in lines
    assert lines[-2].startswith(
        "Move 1, reduce heap a to 0: the value for player1 fell from 100 to 0"
    )
    assert lines[-1] == "0 of 1 examined move kept the value."


def test_the_last_move_is_marked_and_the_last_board_has_nobody_to_move() -> None:
    done = run(
        "play", "connect:3,4x4", "--against", "random", "--no-review", text="2\n2\n2\n2\n" * 9
    )
    boards = re.split(r"\n(?=4[ \[])", done.stdout)[1:]
    assert "[" not in boards[0]
    for board in boards[1:]:
        assert len([line for line in board.splitlines() if "]" in line]) == 1, board
    assert "to move" in boards[-2]
    assert "to move" not in boards[-1]


@pytest.mark.slow
def test_long_lists_of_moves_come_once_and_when_asked_for() -> None:
    done = run("play", "breakthrough", "--level", "1", text="2 1 3 1\nl\nr\n")
    assert done.stdout.count(" moves; l lists them") == 1
    assert done.stdout.count("  1: (move") == 2


@pytest.mark.slow
def test_a_hint_for_a_puzzle_is_the_next_move_of_a_plan() -> None:
    done = run("play", "eightpuzzle", "--no-review", text="h\nr\n")
    assert ": the next move of a plan that gets 100\n" in done.stdout


def test_an_opponent_is_chosen_by_rating_and_its_rating_is_said() -> None:
    done = run("play", "tictactoe", "--rating", "0", text="r\n")
    assert done.returncode == 0
    assert "level:1 was rated 0 ± " in done.stderr
    assert " on connectfour and 0 ± " in done.stderr


def test_a_level_that_there_is_not_is_refused() -> None:
    assert run("play", "nim:1,2", "--level", "10").returncode == 2
    done = run("match", "nim:1,2", "--role", "player1=level:0")
    assert done.returncode == 2
    assert "level:1 to level:9" in done.stderr


@pytest.mark.slow
def test_a_ladder_rates_agents() -> None:
    args = ("--agent", "careful", "--agent", "random", "--matches", "6", "--play-clock", "0.05")
    done = run("bench", "players", "nim:1,2,4,5", *args, "--json")
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(done.stdout)
    assert [one["agent"] for one in result["ladder"]] == ["careful", "random"]
    assert [one["matches"] for one in result["ladder"]] == [6, 6]
    assert result["against"] == {}


def test_a_role_that_there_is_not_is_refused() -> None:
    done = run("match", "nim:1,2", "--role", "nobody=random")
    assert done.returncode == 2
    assert "no role nobody" in done.stderr


@pytest.mark.slow
def test_a_player_answers_until_it_is_stopped() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    player = subprocess.Popen(
        [*KIBITZ, "player", "--port", str(port), "--agent", "random"],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        assert player.stderr is not None
        assert "listens on" in player.stderr.readline()
        assert "available" in ask(f"127.0.0.1:{port}", "( INFO )", seconds=60)
        done = run("host", "nim:1,2", "--role", f"player1=127.0.0.1:{port}", "--play-clock", "30")
        assert done.returncode == 0, done.stderr
        assert "player1" in done.stdout
    finally:
        time.sleep(0.1)
        player.send_signal(signal.SIGINT)
        assert player.wait(300) == 130
        assert player.stderr is not None
        player.stderr.close()


POSITION = """
(cell 1 1 x) (cell 1 2 x) (cell 1 3 b) (cell 2 1 o) (cell 2 2 o) (cell 2 3 b)
(cell 3 1 b) (cell 3 2 b) (cell 3 3 b) (control oplayer)
"""


@pytest.mark.parametrize(
    "command",
    [
        ("match", "tictactoe", "--role", "oplayer=optimal", "--json"),
        ("match", "tictactoe", "--role", "oplayer=uct:500", "-n", "30", "--json"),
        (
            "tournament",
            "tictactoe",
            "--agent",
            "optimal",
            "--agent",
            "optimal",
            "-n",
            "1",
            "--json",
        ),
    ],
)
def test_matches_start_at_a_given_position(tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "position.kif"
    path.write_text(POSITION, "utf-8")
    done = run(*command, "--position", str(path))
    assert done.returncode == 0, done.stderr
    for match in json.loads(done.stdout)["matches"]:
        assert match["moves"] == [["noop", "(mark 2 3)"]]
        assert match["goals"] == {"xplayer": 0, "oplayer": 100}


def test_a_person_plays_from_a_position(tmp_path: Path) -> None:
    path = tmp_path / "position.kif"
    path.write_text(POSITION, "utf-8")
    done = kibitz("play", "tictactoe", "--role", "oplayer", "--position", str(path), stdin="2\n")
    assert "2 o o ." in done.stdout
    assert "oplayer wins" in done.stdout


def test_random_matches_and_rules_start_at_a_position(tmp_path: Path) -> None:
    path = tmp_path / "position.kif"
    path.write_text(POSITION, "utf-8")
    done = run("simulate", "tictactoe", "--position", str(path), "--playouts", "500", "--json")
    assert json.loads(done.stdout)["mean_length"] <= 5
    shown = run("show", "tictactoe", "--position", str(path)).stdout
    assert "(init (cell 2 2 o))" in shown
    assert "(init (cell 3 3 b))" in shown
    started = tmp_path / "started.kif"
    started.write_text(shown, "utf-8")
    assert run("check", str(started)).returncode == 0
    same = run("solve", str(started), "--json").stdout
    there = run("solve", "tictactoe", "--position", str(path), "--json").stdout
    assert json.loads(same)["value"] == {"xplayer": 0, "oplayer": 100}
    assert json.loads(there)["value"] == json.loads(same)["value"]
