"""The benchmark of the search for one position, and the search by hand beside it."""

from __future__ import annotations

import json

import pytest
from tests.cli.conftest import kibitz

from kibitz.engine import CompiledGame
from kibitz.experiments.bench import Failure, Searched, measure_proving, proving_json
from kibitz.experiments.bench.others import by_hand
from kibitz.experiments.bench.yardsticks import find_yardstick
from kibitz.games import load_sheet
from kibitz.solve import solve
from kibitz.space import explore


@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (4, 5), (5, 4), (1, 4), (4, 1), (2, 5)])
def test_the_search_by_hand_values_small_boards_as_listing_does(rows: int, columns: int) -> None:
    yardstick = find_yardstick("connect_search")
    listed = solve(explore(CompiledGame(load_sheet(f"connect:4,{rows}x{columns}"))))
    assert yardstick.solve(rows, columns)["value"] == listed.values[0]


def test_a_search_is_measured_beside_the_one_by_hand() -> None:
    found = measure_proving("connect:4,4x5", memory_gb=1)
    assert isinstance(found, Searched)
    assert found.is_proved
    assert found.bounds == (50, 50)
    assert found.positions > 0 < found.cpu_s
    assert found.hand
    assert found.hand.agrees
    by_itself = by_hand("connect:4,4x5", searches=True)
    assert by_itself
    assert found.hand.states == by_itself["states"]
    (entry,) = proving_json([found])["games"]
    assert entry["is_proved"]
    assert entry["positions_per_cpu_second"] == found.per_cpu_s


def test_a_game_that_cannot_be_searched_is_a_failure() -> None:
    found = measure_proving("roshambo")
    assert isinstance(found, Failure)
    assert "same time" in found.reason


@pytest.mark.slow
def test_bench_prove_prints_a_table_or_json() -> None:
    result = kibitz("bench", "prove", "mnk:3,3,3", "--memory", "1")
    assert result.returncode == 0
    assert "| mnk:3,3,3 |" in result.stdout
    written = kibitz("bench", "prove", "mnk:3,3,3", "roshambo", "--memory", "1", "--json")
    assert [len(json.loads(written.stdout)[kind]) for kind in ("games", "failures")] == [1, 1]
    assert kibitz("bench", "prove", "roshambo").returncode == 1


def test_ctrl_c_keeps_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(game: str, *, timeout_s: float, memory_gb: float) -> Searched:
        assert timeout_s > 0 < memory_gb
        if game == "hex:5":
            raise KeyboardInterrupt
        return Searched(game, (50, 50), 1_000_000, 1.0, 1.0, 10**6)

    monkeypatch.setattr("kibitz.experiments.bench.measure_proving", measure)
    done = kibitz("bench", "prove", "mnk:3,3,3", "hex:5", "hex:4")
    assert done.returncode == 130
    assert "| mnk:3,3,3 |" in done.stdout
    assert "interrupted after 1 of 3 games" in done.stderr
    done = kibitz("bench", "prove", "hex:5")
    assert (done.returncode, done.stdout) == (130, "")
