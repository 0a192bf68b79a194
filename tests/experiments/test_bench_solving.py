"""The benchmark of solving measures what it says, and code by hand finds the same states."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import kibitz
from tests.effort import quick

from kibitz.engine.compiled.game import CompiledGame
from kibitz.experiments.bench import (
    Failure,
    Solved,
    measure_solving,
    plot_growth,
    solving_json,
    solving_tables,
)
from kibitz.experiments.bench.others import HAND, by_hand, by_peer, has_peer
from kibitz.experiments.bench.solve_figures import Other
from kibitz.games import load_sheet
from kibitz.solve import solve
from kibitz.space import explore


@pytest.mark.parametrize(
    "game", quick(["sim", "connect:3,4x4", "connect:4,4x4"], ["connect:3,4x4"])
)
def test_code_by_hand_finds_the_same_states_moves_and_value(game: str) -> None:
    assert game in HAND
    result = by_hand(game)
    assert result
    solution = solve(explore(CompiledGame(load_sheet(game))))
    space = solution.space
    assert result["states"] == len(space)
    assert result["terminal_states"] == space.terminal.sum()
    assert result["moves"] == space.edges
    assert result["value"] == solution.values[0]
    assert result["distance"] == solution.plies()


def test_a_solved_game_is_measured_whole_and_compared() -> None:
    result = measure_solving("connect:3,3x3", runs=1, compare=False)
    assert isinstance(result, Solved)
    assert result.states == len(explore(CompiledGame(load_sheet("connect:3,3x3"))))
    assert result.seconds > result.exploring_s + result.solving_s > 0
    assert result.cpu_s > 0
    assert result.peak_bytes > result.kept_bytes > result.states


def figures(states: int, *, agrees: bool = True) -> Solved:
    hand = Other("by hand", 4.0, 3.0, states, agrees)
    return Solved("sim", states, 2 * states, 0, 9, 3.0, 2.0, 1.5, 0.5, 9 << 20, 40 * states, hand)


def test_ratios_are_of_others_to_kibitz_and_only_where_both_agree() -> None:
    (entry,) = solving_json([figures(1000)])["games"]
    assert entry["hand_to_kibitz"] == {"explored_and_solved": 2.0, "cpu_of_everything": 1.5}
    assert entry["peer_to_kibitz"] is None
    (other,) = solving_json([figures(1000, agrees=False)])["games"]
    assert other["hand_to_kibitz"] is None
    assert "another count or value" in solving_tables([figures(1000, agrees=False)])
    assert "2.00x" in solving_tables([figures(1000)])
    assert solving_tables([Failure("x", "why")]) == "nothing was measured"


def test_growth_is_drawn_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        plot_growth([figures(1000), figures(10_000)], tmp_path / name)
    one, other = ((tmp_path / name).read_text("utf-8") for name in ("a.svg", "b.svg"))
    assert one == other
    assert "<svg" in one


def test_the_command_gives_json_and_says_what_failed(tmp_path: Path) -> None:
    broken = tmp_path / "broken.kif"
    broken.write_text("(role x", "utf-8")
    done = kibitz("bench", "solve", "nim:1,2", str(broken), "--runs", "1", "--json")
    result = json.loads(done.stdout)
    assert done.returncode == 0
    assert [entry["game"] for entry in result["games"]] == ["nim:1,2"]
    assert [entry["game"] for entry in result["failures"]] == [str(broken)]
    assert "not measured" in done.stderr


def test_growth_needs_a_name_that_can_be_drawn(tmp_path: Path) -> None:
    done = kibitz("bench", "growth", "-o", str(tmp_path / "a.txt"), "nim:1,2")
    assert done.returncode == 2
    assert ".svg or .png" in done.stderr


@pytest.mark.skipif(not has_peer(), reason="OpenSpiel or cvxpy is not installed")
def test_open_spiel_has_the_same_value() -> None:
    result = by_peer("tictactoe")
    assert result
    assert (result["states"], result["value"]) == (5478, 50)
