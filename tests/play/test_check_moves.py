"""Moves of agents are compared with what is proved."""

from __future__ import annotations

import pytest
from tools import check_moves

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.prove import Analyser
from kibitz.solve import solve
from kibitz.space import explore


def test_values_of_moves_are_those_of_the_solution() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    space = explore(game)
    solution = solve(space)
    analyser = Analyser(game, memory=10_000_000)
    for seed in range(3):
        state = check_moves.reached(game, 4, seed).state
        found = check_moves.move_values(analyser, state, 60)
        assert found is not None
        for move in state.legal("xplayer"):
            after = state.play(move)
            assert found[str(move)] == solution.value(space.number(after))["xplayer"]


@pytest.mark.parametrize(("agent", "kept"), [("optimal", "3 of 3")])
def test_perfect_play_keeps_every_value(
    agent: str, kept: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["tictactoe", "--agent", agent, "--plies", "3", "--positions", "3"]
    monkeypatch.setattr("sys.argv", ["check_moves.py", *args, "--start-clock", "60"])
    check_moves.main()
    assert f"{kept} moves keep the value" in capsys.readouterr().out
