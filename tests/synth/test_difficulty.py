"""What lists of few rules are good for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.synth import Options
from kibitz.synth.problem import difficulty
from kibitz.synth.problem.difficulty import expected_goal, plot_curve, walk_curve


def test_random_tic_tac_toe_is_worth_what_is_known() -> None:
    solution = solve(explore(CompiledGame(load_sheet("tictactoe"))))
    nothing = np.zeros(solution.space.edges, dtype=bool)
    # 0.585 wins, 0.288 losses, 0.127 draws of the first player
    assert expected_goal(solution, "xplayer", nothing) == pytest.approx(64.83, abs=0.05)
    both = expected_goal(solution, "xplayer", nothing) + expected_goal(solution, "oplayer", nothing)
    assert both == pytest.approx(100)


def test_more_rules_guarantee_no_less_and_in_the_end_everything(tmp_path: Path) -> None:
    curve = list(walk_curve(CompiledGame(load_sheet("nim:2,3")), "player1", Options(rounds=20)))
    guaranteed = [partial.against_perfect for partial in curve]
    assert guaranteed == sorted(guaranteed)
    assert curve[0].loss == 100
    assert curve[-1].loss == 0
    assert curve[-1].verdict.strongly_optimal
    assert all(len(partial.rules) <= partial.most_rules for partial in curve)
    plot_curve(curve, tmp_path / "curve.svg")
    assert "<svg" in (tmp_path / "curve.svg").read_text("utf-8")


def test_a_list_of_two_rules_is_told_with_its_loss() -> None:
    (partial,) = walk_curve(
        CompiledGame(load_sheet("tictactoe")), "xplayer", Options(rounds=30), most=2
    )
    found = partial.as_json()
    assert found["rules"] <= 2
    assert found["loss_against_perfect"] == 50
    assert 64.8 < found["against_random"] < 100


def test_play_that_goes_on_for_long_counts_as_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(explore(CompiledGame(load_sheet("hanoi:3"))))
    anything = np.zeros(solution.space.edges, dtype=bool)
    assert expected_goal(solution, "player", anything) == pytest.approx(100, abs=0.01)
    monkeypatch.setattr(difficulty, "_WORK", 0)
    monkeypatch.setattr(difficulty, "_LEAST_SWEEPS", 6)  # one fewer than the puzzle takes
    assert expected_goal(solution, "player", anything) == 50
