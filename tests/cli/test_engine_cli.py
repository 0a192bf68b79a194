"""kibitz ground, perft and simulate."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Run

GROWING = """(role me) (init (count z)) (legal me more)
(<= (next (count (s ?n))) (true (count ?n)))
(<= terminal (true (count (s (s (s z)))))) (goal me 0)"""

PERFT_KEYS = ["game", "depth", "states", "per_depth", "seconds", "states_per_second"]
ENGINES = ["compiled", "ungrounded", "reference"]


def test_ground_shows_what_came_of_a_game(run: Run) -> None:
    result = run("ground", "tictactoe")
    assert (result.status, result.err) == (0, "")
    first, *others = result.out.splitlines()
    assert first.startswith("tictactoe: 29 fluents, ")
    assert "  xplayer: 10 moves" in others
    assert "  9 groups of 3: exactly one holds" in others
    assert "  1 groups of 2: exactly one holds" in others
    assert any("strata" in line for line in others)


def test_ground_as_json_has_all_that_is_known(run: Run) -> None:
    found = run("ground", "tictactoe", "--json").json
    assert (found["game"], found["grounded"]) == ("tictactoe", True)
    assert (found["fluents"], found["moves"]) == (29, {"xplayer": 10, "oplayer": 10})
    assert found["gates_before"] > found["gates_after"] > 0
    assert found["strata"] > 1
    assert found["seconds"] > 0
    group = {"fluents": ["(control oplayer)", "(control xplayer)"], "exactly_one": True}
    assert group in found["exclusive_groups"]


def test_ground_says_when_a_game_cannot_be_grounded(run: Run) -> None:
    result = run("ground", "-", "--timeout", 1, stdin=GROWING)
    assert (result.status, result.out) == (1, "")
    told = "grounding needs more than 1 s; stdin runs ungrounded, which is correct but slower"
    assert told in result.err


def test_ground_says_so_in_json_as_well(run: Run) -> None:
    result = run("ground", "-", "--timeout", 1, "--json", stdin=GROWING)
    assert result.status == 1
    assert result.json == {
        "game": "stdin",
        "grounded": False,
        "reason": "grounding needs more than 1 s",
    }


def test_perft_lists_each_depth(run: Run) -> None:
    result = run("perft", "tictactoe", "--depth", 4)
    assert (result.status, result.err) == (0, "")
    lines = [line.split() for line in result.out.splitlines()]
    assert lines[:5] == [["0", "1"], ["1", "9"], ["2", "72"], ["3", "504"], ["4", "3,024"]]
    assert lines[5][:3] == ["3,610", "states", "in"]


@pytest.mark.parametrize("engine", ENGINES)
def test_perft_as_json_has_the_same_keys_from_every_engine(run: Run, engine: str) -> None:
    found = run("perft", "nim:1,2", "--depth", 3, "--json", "--engine", engine).json
    assert list(found) == PERFT_KEYS
    assert (found["depth"], found["states"], sum(found["per_depth"])) == (3, *[found["states"]] * 2)
    assert found["per_depth"][:3] == [1, 3, 5]


def test_perft_stops_at_terminal_states_if_told(run: Run) -> None:
    arguments = ("perft", "tictactoe", "--depth", 9, "--json")
    assert run(*arguments).json["states"] == 986_410
    assert run(*arguments, "--stop-at-terminal").json["states"] == 549_946
    assert run(*arguments, "--threads", 1).json["states"] == 986_410


@pytest.mark.parametrize(
    "wrong",
    [
        ("perft", "tictactoe"),
        ("perft", "tictactoe", "--depth", -1),
        ("perft", "tictactoe", "--depth", "deep"),
        ("perft", "tictactoe", "--depth", 1, "--threads", 0),
        ("perft", "nosuchgame", "--depth", 1),
        ("simulate", "tictactoe", "--seconds", 0),
        ("simulate", "tictactoe", "--playouts", 0),
        ("simulate", "tictactoe", "--engine", "none"),
        ("ground", "missing.kif"),
    ],
)
def test_wrong_use_is_told_and_nothing_is_printed(run: Run, wrong: tuple[object, ...]) -> None:
    result = run(*wrong)
    assert (result.status, result.out) == (2, "")
    assert result.err


def test_perft_falls_back_with_a_note(run: Run) -> None:
    result = run("perft", "-", "--depth", 3, "--timeout", 1, "--json", stdin=GROWING)
    assert result.status == 0
    assert result.json["per_depth"] == [1, 1, 1, 1]
    assert "stdin runs ungrounded, which is correct but slower" in result.err


def test_simulate_shows_goals_length_and_speed(run: Run) -> None:
    result = run("simulate", "nim:1,1", "--playouts", 1000)
    assert (result.status, result.err) == (0, "")
    assert "2.0" in result.out.splitlines()[0]
    assert "  player1: 0.00" in result.out
    assert "  player2: 100.00" in result.out


def test_simulate_as_json_is_the_same_for_the_same_seed(run: Run) -> None:
    arguments = ("simulate", "tictactoe", "--playouts", 2000, "--seed", 5, "--threads", 1, "--json")
    one, other = run(*arguments).json, run(*arguments).json
    assert {"playouts", "states", "mean_length", "mean_goals", "states_per_second"} <= set(one)
    for key in ("seconds", "cpu_seconds", "states_per_second"):
        del one[key], other[key]
    assert one == other
    assert (one["seed"], one["stuck"]) == (5, 0)
    assert one["playouts"] >= 2000
    assert 60 < one["mean_goals"]["xplayer"] < 69


def test_simulate_takes_as_long_as_it_is_told(run: Run) -> None:
    found = run("simulate", "tictactoe", "--seconds", 0.3, "--json").json
    assert 0.3 <= found["seconds"] < 60


def test_simulate_says_where_matches_get_stuck(run: Run) -> None:
    stuck = "(role me) (init p) (<= (legal me a) (true p)) (<= terminal (true q)) (goal me 0)"
    result = run("simulate", "-", "--playouts", 10, stdin=stuck)
    assert "matches ended because a role had no legal move" in result.out
    assert "  me: no goal" in result.out


@pytest.mark.parametrize("backend", ["straight", "interpreter"])
def test_every_backend_counts_the_same(run: Run, backend: str) -> None:
    found = run("perft", "nim:1,2,3", "--depth", 5, "--backend", backend, "--json").json
    assert found["per_depth"] == [1, 6, 26, 76, 138, 140]
