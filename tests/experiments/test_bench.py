"""The benchmark measures what it says, and the yardsticks play the games they stand for."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.conftest import kibitz

from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.compiled.perft import perft
from kibitz.engine.compiled.simulation import simulate
from kibitz.experiments.bench import (
    SHEETS,
    Failure,
    Figures,
    Measurement,
    as_json_value,
    as_tables,
    measure_game,
    reference_of,
)
from kibitz.experiments.bench.yardsticks import find_yardstick
from kibitz.games import load_sheet, rule_text

KIBITZ = [sys.executable, "-c", "from kibitz.cli import main; main()"]
GAMES = {"tictactoe": 9, "connectfour": 7, "breakthrough": 4}


@pytest.fixture(scope="module", params=GAMES)
def name(request: pytest.FixtureRequest) -> str:
    pytest.importorskip("numba")
    return str(request.param)


@pytest.fixture(scope="module")
def game(name: str) -> CompiledGame:
    return CompiledGame(load_sheet(name))


def test_a_yardstick_counts_the_same_states(name: str, game: CompiledGame) -> None:
    depth = GAMES[name]
    expected = perft(game, depth, stop_at_terminal=True).per_depth
    assert tuple(find_yardstick(name).perft(depth)) == expected


def test_a_yardstick_stops_at_the_same_ends(name: str) -> None:
    if name == "connectfour":  # the first ends are at depth 7, the successors missing from 8 on
        assert find_yardstick(name).perft(8)[-1] == 5_673_234
    assert find_yardstick(name).perft(0) == [1]


@pytest.mark.parametrize("function", ["playouts", "numpy_playouts"])
def test_a_yardstick_plays_the_same_matches(name: str, game: CompiledGame, function: str) -> None:
    ours = simulate(game, playouts=100_000, threads=1)
    goals = list(ours.mean_goals.values())
    assert ours.mean_length
    assert None not in goals
    module = find_yardstick(name)
    if function == "playouts":
        matches = 100_000
        states, first, second = module.playouts(matches, 7)
        assert states / matches == pytest.approx(ours.mean_length, rel=0.01)
        shares = [first / matches, second / matches]
        draws = 1 - sum(shares)
        assert [100 * (s + draws / 2) for s in shares] == pytest.approx(goals, abs=0.8)
    else:  # matches under way are left out, and long ones are more often under way
        states, first, second = module.numpy_playouts(1000, 7, matches=1000)
        assert states == 1_000_000
        lead = (first - second) / (first + second)
        decided = module.playouts(100_000, 7)
        assert lead == pytest.approx((decided[1] - decided[2]) / sum(decided[1:]), abs=0.03)


@pytest.mark.slow
def test_a_game_is_measured_beside_its_yardstick() -> None:
    result = measure_game(Measurement("tictactoe", rule_text("tictactoe"), seconds=0.05, windows=1))
    assert isinstance(result, Figures)
    assert result.perft_states == 549_946
    assert result.size is not None
    assert result.size.state_bytes == 8
    assert result.playouts.per_cpu_second > 0 < result.perft.speed_up
    assert result.setup_cold_s > 0 < result.setup_warm_s
    assert 1e7 < result.playouts_peak_bytes <= result.perft_peak_bytes
    assert result.reference is not None
    assert result.playouts_to_sancho == result.playouts.per_cpu_second / result.reference.sancho
    if result.yardstick:
        assert result.yardstick.perft_agrees
    tables = as_tables([result, Failure("other", "no time")])
    assert tables.count("| tictactoe") == (4 if result.yardstick else 3)
    (entry,) = as_json_value([result])["games"]
    assert entry["ratios"]["playouts_to_sancho"] == result.playouts_to_sancho


@pytest.mark.slow
def test_other_rules_under_a_known_name_are_not_compared() -> None:
    pytest.importorskip("numba")
    result = measure_game(Measurement("tictactoe", rule_text("mnk:3,3,2"), seconds=0.01, windows=1))
    assert isinstance(result, Figures)
    assert result.yardstick is not None
    assert not result.yardstick.perft_agrees
    assert as_json_value([result])["games"][0]["ratios"]["playouts_to_yardstick"] is None
    assert "by hand" not in as_tables([result])


def test_a_game_that_cannot_be_measured_says_why() -> None:
    result = measure_game(Measurement("broken", "(role x"))
    assert isinstance(result, Failure)
    assert result.reason
    assert as_tables([result]) == "nothing was measured"


def test_references_are_found_by_library_name_and_by_sheet() -> None:
    assert [name for name in SHEETS if reference_of(f"folder/{name}.kif")] == [
        name for name in SHEETS if name not in ("nim2", "nim3", "nim4", "checkers")
    ]
    assert reference_of("hanoi") is None  # the library's has fewer disks
    assert reference_of("nim:1,2,4,5") == reference_of("nim1.kif")


def run(*args: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    with contextlib.chdir(cwd or "."):
        return kibitz("bench", "engine", *args)


@pytest.mark.slow
def test_the_command_writes_json_to_a_file(tmp_path: Path) -> None:
    (tmp_path / "nim1.kif").write_text(rule_text("nim:1,2"), "utf-8")
    done = run("--rules", ".", "--seconds", "0.01", "--json", "-o", "out.json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    (entry,) = json.loads((tmp_path / "out.json").read_text("utf-8"))["games"]
    assert entry["game"] == "nim1.kif"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nim1.kif", "out.json"]


def test_a_folder_without_known_sheets_is_an_error(tmp_path: Path) -> None:
    done = run("--rules", str(tmp_path))
    assert done.returncode == 2
    assert "has none of the rule sheets" in done.stderr


@pytest.mark.slow
def test_ctrl_c_leaves_what_is_finished() -> None:
    command = [*KIBITZ, "bench", "engine", "nim:1", "sim", "--seconds", "0.01", "--windows", "1"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stderr
    while "2/2" not in child.stderr.readline():
        pass
    time.sleep(0.2)
    os.kill(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=300)
    assert child.returncode == 130
    assert "interrupted after 1 of 2 games" in err
    assert "| nim:1" in out
