"""The depth-k agent chooses from the moves that sweeps over the whole space find best."""

from __future__ import annotations

import math
import time

import pytest

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.play import RandomAgent, play_match
from kibitz.play.agents import learned_agents
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


class _Clock:
    """A clock on which each look takes one second."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 1
        return self.now


def _started(depth: int, monkeypatch: pytest.MonkeyPatch) -> tuple[DepthAgent, _Clock]:
    game = CompiledGame(load_sheet("tictactoe"))
    agent, clock = DepthAgent(depth), _Clock()
    agent.start(game, "xplayer", math.inf)
    monkeypatch.setattr(learned_agents, "time", clock)
    return agent, clock


def test_an_agent_out_of_time_makes_the_best_move_of_the_last_depth_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent, clock = _started(3, monkeypatch)
    initial = agent.game.initial()
    one_deep = DepthAgent(1)
    one_deep.start(agent.game, "xplayer", math.inf)
    wanted = one_deep.values(initial)
    assert one_deep.remark == ""
    looks = clock.now
    assert agent.values(initial, clock.now + looks + 100) == wanted
    assert agent.remark == "depth:3 ran out of time: its move is the best 1 round deep"


@pytest.mark.parametrize(("looks", "moves"), [(0, 9), (40, 4)])
def test_an_agent_without_time_for_one_round_chooses_from_what_it_saw(
    looks: int, moves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, clock = _started(2, monkeypatch)
    found = agent.values(agent.game.initial(), clock.now + looks)
    assert len(found) == moves
    how = "the best of 4 of 9 moves, 1 round deep" if looks else "any legal one"
    assert agent.remark == f"depth:2 ran out of time: its move is {how}"


def test_a_transcript_says_where_an_agent_ran_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    agent, clock = _started(3, monkeypatch)
    clock.now = math.inf
    match = play_match(agent.game, {"xplayer": agent, "oplayer": RandomAgent()})
    text = "depth:3 ran out of time: its move is any legal one"
    assert match.remarks[0] == f"move 1, xplayer: {text}"
    assert match.as_json()["remarks"] == match.remarks
    assert all(len(step.remarks) == 2 and not step.remarks[1] for step in match.steps)


def test_time_bounds_the_search() -> None:
    game = CompiledGame(load_sheet("connectfour"))
    agent = DepthAgent(20)
    agent.start(game, game.roles[0], time.monotonic() + 60)
    begin = time.monotonic()
    assert agent.best(game.initial(), begin + 0.5)
    assert time.monotonic() < begin + 100  # twenty plies take years
