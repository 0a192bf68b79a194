"""The depth-k agent chooses from the moves that sweeps over the whole space find best."""

from __future__ import annotations

import time

import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.play.agents.learned_agents import DepthAgent
from kibitz.puzzles import DepthSkill
from kibitz.solve import solve
from kibitz.space import explore


@pytest.mark.parametrize("name", ["tictactoe", "connect:3,3x4", "nim:1,2,3", "hex:3"])
@pytest.mark.parametrize("depth", [1, 2])
def test_an_agent_chooses_as_a_skill_does(name: str, depth: int) -> None:
    game = CompiledGame(load_sheet(name))
    solution = solve(explore(game))
    space = solution.space
    for index, role in enumerate(game.roles):
        chosen = DepthSkill(depth).choose(solution, index).chosen
        agent = DepthAgent(depth)
        agent.start(game, role, time.monotonic() + 60)
        for number in range(0, len(space), max(1, len(space) // 12)):
            edges = range(space.first_edge[number], space.first_edge[number + 1])
            if len(edges) > 1 and space.turn[number] == index:
                marked = {space.joint_moves[space.action[e]][index] for e in edges if chosen[e]}
                assert set(agent.best(space.state(number))) == marked


def test_time_bounds_the_search() -> None:
    game = CompiledGame(load_sheet("connectfour"))
    agent = DepthAgent(20)
    agent.start(game, game.roles[0], time.monotonic() + 60)
    begin = time.monotonic()
    assert agent.best(game.initial(), begin + 0.5)
    assert time.monotonic() < begin + 100  # twenty plies take years
