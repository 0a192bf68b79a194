"""The benchmark of rule lists counts what it says."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import kibitz

from kibitz.engine import CompiledGame
from kibitz.experiments.bench import EIGHT_RULES
from kibitz.games import load_sheet
from kibitz.policy import compile_strategy, play_both_sides
from kibitz.strategy import read_strategy


def test_the_benchmark_gives_moves_and_gates() -> None:
    done = kibitz("bench", "policy", "--windows", "1", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["rules"] == 8
    assert found["gates"] > 50_000
    assert found["times"] > 50
    assert found["moves_per_cpu_second"] > found["evaluator_moves_per_cpu_second"]


def test_other_games_need_rules() -> None:
    done = kibitz("bench", "policy", "tictactoe")
    assert done.returncode == 2
    assert "which rules for tictactoe?" in done.stderr


def test_the_eight_rules_win_nearly_always_against_random_play() -> None:
    game = CompiledGame(load_sheet("connectfour"))
    rules = read_strategy(EIGHT_RULES, game)
    mine = {role: compile_strategy(rules, role) for role in game.roles}
    assert play_both_sides(game, mine, {}, 1000).mean() > 98


def test_measured_rules_are_kept_in_a_file_of_json(tmp_path: Path) -> None:
    kept = tmp_path / "rules.json"
    done = kibitz("bench", "rules", "roshambo", "--time", "1", "-o", str(kept))
    assert done.returncode == 0, done.stderr
    (one,) = json.loads(kept.read_text())
    assert one["game"] == "roshambo"
    assert "no rules were found for roshambo" in one["reason"]
    again = kibitz("bench", "rules", "roshambo", "--time", "1", "-o", str(kept))
    assert again.stdout == done.stdout
    assert "1/1" not in again.stderr
    (tmp_path / "other.json").write_text("{}")
    wrong = kibitz("bench", "rules", "roshambo", "-o", str(tmp_path / "other.json"))
    assert wrong.returncode == 2
    assert "is not a file of kibitz bench rules" in wrong.stderr
