"""Whatever of the library is solved within a start clock of ten seconds is played perfectly."""

from __future__ import annotations

import time

import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import catalogue, load_sheet
from kibitz.play import Agent, AutoAgent, Clocks, RandomAgent, play_match
from kibitz.solve import MaxnSolution, MixedSolution

NAMES = [entry.name for entry in catalogue()]
CLOCKS = Clocks(10.0, 1.0)
ROUNDS = 3


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_library_game_solved_in_ten_seconds_is_played_perfectly(name: str) -> None:
    game = CompiledGame(load_sheet(name))
    agent = AutoAgent()
    agent.start(game, game.roles[0], time.monotonic() + CLOCKS.start_s)
    solution = agent.solution
    agent.stop()
    if solution is None:
        pytest.skip(f"{name} takes longer to solve")
    if isinstance(solution, MixedSolution | MaxnSolution):
        return  # What one match gives is chance there; tests of the search look at the mixes.
    values = solution.value()
    for seed in range(ROUNDS):
        for role in game.roles:
            others: dict[str, Agent] = {other: RandomAgent(seed) for other in game.roles}
            got = play_match(game, others | {role: agent}, clocks=CLOCKS, seed=seed).goals[role]
            assert got is not None
            assert got >= values[role]
    if solution.plies() is not None:
        both: dict[str, Agent] = {role: _knowing(agent) for role in game.roles}
        match = play_match(game, both, clocks=CLOCKS)
        assert match.goals == values


def _knowing(agent: AutoAgent) -> AutoAgent:
    """Make another agent that has the solution already."""
    other = AutoAgent(agent.seed + 1)
    other.solution = agent.solution
    return other
