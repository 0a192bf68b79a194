"""What `kibitz bench envs` measures, and how it shows it."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from kibitz.cli import app
from kibitz.experiments.bench import EnvSteps, env_table


def test_interfaces_that_are_installed_are_measured() -> None:
    options = ["--matches", "64", "--seconds", "0.01", "--windows", "1", "--json"]
    result = CliRunner().invoke(app, ["bench", "envs", "tictactoe", *options])
    assert result.exit_code == 0, result.output
    (found,) = json.loads(result.stdout)
    assert found["game"] == "tictactoe"
    assert {"batch", "batch with observations"} <= set(found["steps"])
    assert all(speed > 0 for speed in found["steps"].values())


def test_the_table_has_a_column_for_each_game_and_gaps_where_nothing_was_measured() -> None:
    both = [EnvSteps("a", 8, {"batch": 2e6, "other": 5e3}), EnvSteps("b", 8, {"batch": 1e6})]
    assert env_table(both).splitlines() == [
        "| thousand steps a CPU-second | a | b |",
        "|---|---:|---:|",
        "| batch | 2,000 | 1,000 |",
        "| other | 5 |  |",
    ]
