"""Agents and matches."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from kibitz.engine import Move, ReferenceGame
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.compiled.native_machine import MaskProgram
from kibitz.errors import InputError, KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import Function
from kibitz.play import (
    Agent,
    AutoAgent,
    Clocks,
    MatchSoFar,
    OptimalAgent,
    RandomAgent,
    SearchAgent,
    UctAgent,
    play_match,
)
from kibitz.play.agents.agent_names import AGENTS, make_agent
from kibitz.play.agents.guided_agent import GuidedAgent
from kibitz.play.agents.learned_agents import TreeAgent
from kibitz.play.agents.plain_agents import ReplyAgent, StrategyAgent
from kibitz.play.search.leaf_values import LeafWorker
from kibitz.play.search.turn_search import TurnSearch
from kibitz.play.tournament import play_tournament
from kibitz.policy import compile_strategy, share_interval
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.strategy import read_strategy, shipped_text

QUICK = Clocks(5.0, 0.2)


class _Wrong(Agent):
    """Plays what is not legal, or fails."""

    name = "wrong"

    def __init__(self, fails: bool) -> None:
        self.fails = fails

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        if self.fails:
            raise KibitzError("out of ideas")
        return Function("nonsense")


@pytest.mark.parametrize("fails", [False, True])
def test_an_illegal_move_or_an_error_is_replaced_and_told(fails: bool) -> None:
    game = CompiledGame(load_sheet("nim:1,2"))
    agents: dict[str, Agent] = {"player1": _Wrong(fails), "player2": RandomAgent()}
    match = play_match(game, agents, clocks=QUICK)
    assert match.is_finished
    errors = [error for step in match.steps for error in step.errors]
    assert errors
    assert all(error.startswith("player1:") for error in errors)


def test_a_role_without_an_agent_is_refused() -> None:
    with pytest.raises(InputError, match="player2"):
        play_match(CompiledGame(load_sheet("nim:1,2")), {"player1": RandomAgent()})


@pytest.mark.parametrize("kind", [OptimalAgent, AutoAgent])
@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2,4,5", "connect:3,4x4", "kayles:6"])
def test_a_perfect_player_never_gets_less_than_the_value(
    name: str, kind: type[OptimalAgent] | type[AutoAgent]
) -> None:
    game = CompiledGame(load_sheet(name))
    values = solve(explore(game)).value()
    first, second = game.roles
    perfect = kind()
    for seed in range(3):
        for mine, other in ((first, second), (second, first)):
            match = play_match(game, {mine: perfect, other: RandomAgent(seed)}, clocks=QUICK)
            got = match.goals[mine]
            assert got is not None
            assert got >= values[mine]


def test_a_won_game_is_won_in_the_fewest_moves_against_the_longest_defence() -> None:
    game = CompiledGame(load_sheet("nim:1,2,4,5"))
    solution = solve(explore(game))
    match = play_match(game, {"player1": OptimalAgent(), "player2": OptimalAgent()})
    assert len(match.steps) == solution.plies()
    assert match.goals == solution.value()


def test_searching_beats_random_play_without_compiled_code_too() -> None:
    game = ReferenceGame(load_sheet("nim:1,2"))
    agents: dict[str, Agent] = {"player1": SearchAgent(), "player2": RandomAgent(3)}
    assert play_match(game, agents, clocks=Clocks(0.5, 0.2)).is_finished


def test_a_puzzle_is_played_to_its_goal() -> None:
    game = CompiledGame(load_sheet("hanoi:3"))
    match = play_match(game, {game.roles[0]: AutoAgent()}, clocks=QUICK)
    assert list(match.goals.values()) == [100]


def test_an_auto_agent_stops_its_solver() -> None:
    game = CompiledGame(load_sheet("connect:4,6x7"))
    agent = AutoAgent()
    agent.start(game, "xplayer", time.monotonic() + 0.5)
    agent.choose(MatchSoFar((game.initial(),)), time.monotonic() + 0.3)
    agent.stop()
    assert agent._solver is not None
    agent._solver.join(120)
    assert not agent._solver.is_alive()


@pytest.mark.parametrize(("name", "is_near"), [("connect:3,4x4", True), ("breakthrough", False)])
def test_an_auto_agent_knows_by_its_random_matches_whether_the_end_is_near(
    name: str, is_near: bool
) -> None:
    game = CompiledGame(load_sheet(name))
    agent = AutoAgent()
    agent.searches = [TurnSearch(game, nodes=10_000)]
    assert agent._is_near_the_end(game.initial()) == is_near


def test_plain_uct_finds_a_win_in_one() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    line = MatchSoFar((game.initial(),))
    for joint in (
        ["(mark 1 1)", "noop"],
        ["noop", "(mark 2 1)"],
        ["(mark 1 2)", "noop"],
        ["noop", "(mark 2 2)"],
    ):
        line = line.then(joint)
    agent = UctAgent(playouts=400)
    agent.start(game, "xplayer", 0)
    assert str(agent.choose(line, time.monotonic() + 60)) == "(mark 1 3)"


def test_a_line_knows_its_moves() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    line = MatchSoFar((game.initial(),)).then(["(mark 1 1)", "noop"])
    assert [list(map(str, joint)) for joint in line.moves] == [["(mark 1 1)", "noop"]]
    assert line.state != line.states[0]


def test_matches_with_the_same_seed_are_the_same() -> None:
    game = CompiledGame(load_sheet("connect:3,4x4"))
    agents = [("a", RandomAgent), ("b", RandomAgent)]
    first, second = (play_tournament(game, agents, matches=3, seed=9) for _ in range(2))
    assert [m.as_json()["moves"] for m in first.matches] == [
        m.as_json()["moves"] for m in second.matches
    ]
    assert len({str(m.as_json()["moves"]) for m in first.matches}) > 1


def test_a_tournament_seats_everyone_everywhere_and_adds_up() -> None:
    game = CompiledGame(load_sheet("nim:1,2,4,5"))
    optimal = OptimalAgent()
    agents = [("optimal", lambda _seed: optimal), ("random", make_agent("random"))]
    result = play_tournament(game, agents, matches=10)
    best, worst = result.scores
    assert (best.name, best.matches, worst.matches) == ("optimal", 20, 20)
    assert best.wins == worst.losses >= 19
    assert best.goal_interval[0] <= best.mean_goal <= best.goal_interval[1]
    assert {m.agents["player1"] for m in result.matches} == {"optimal", "random"}


def test_intervals_hold_the_rate_and_shrink() -> None:
    for wins, matches in ((0, 5), (3, 5), (5, 5), (60, 100)):
        low, high = share_interval(wins, matches)
        assert 0 <= low <= wins / matches <= high <= 1
    assert (
        share_interval(60, 100)[1] - share_interval(60, 100)[0]
        < share_interval(6, 10)[1] - share_interval(6, 10)[0]
    )


@pytest.mark.parametrize("name", ["depth:²", "depth:x", "depth:", f"depth:{'9' * 5000}", "a@²"])
def test_numbers_of_agents_are_plain_numbers(name: str) -> None:
    with pytest.raises(InputError):
        make_agent(name)


def test_an_unknown_agent_is_told_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match="did you mean optimal"):
        make_agent("optimla")
    assert all(callable(make_agent(name)) for name in AGENTS)


def test_a_strategy_plays_what_it_says() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    five = StrategyAgent(shipped_text("tictactoe-five"), name="five")
    for seed in range(6):
        match = play_match(game, {"xplayer": five, "oplayer": RandomAgent(seed)}, clocks=QUICK)
        assert match.goals["xplayer"] in (50, 100)
        assert not any(step.errors for step in match.steps)


def test_a_learner_knows_the_first_rules_only() -> None:
    game = CompiledGame(load_sheet("tictactoe"))
    text = "true => (mark 2 2)\ntrue => (mark 1 1)"
    agent = StrategyAgent(text, name="two", rules=1, seed=3)
    agent.start(game, "xplayer", 0)
    line = MatchSoFar((game.initial(),))
    assert str(agent.choose(line, 0)) == "(mark 2 2)"
    after = line.then(["(mark 2 2)", "noop"]).then(["noop", "(mark 1 2)"])
    assert len({str(agent.choose(after, 0)) for _ in range(60)}) == 7


def test_a_strategy_is_an_agent_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    path.write_text("true => (mark 2 2)")
    assert make_agent(str(path))(1).name == str(path)
    assert make_agent(f"{path}@1")(1).name == f"{path}@1"
    with pytest.raises(InputError, match="cannot read"):
        make_agent("nosuch.strategy")


def test_random_matches_follow_a_strategy_as_far_as_they_are_guided() -> None:
    """Who wins at once in the first move of every match wins them all."""
    game = CompiledGame(load_sheet("tictactoe"))
    state = game.initial()
    for joint in (["(mark 1 1)", "noop"], ["noop", "(mark 3 1)"]):
        state = state.step(joint)
    state = state.step(["(mark 1 2)", "noop"]).step(["noop", "(mark 3 2)"])
    assert isinstance(state.key, int)
    strategy = read_strategy("next wins(me)", game)
    programs = {
        index: MaskProgram(guide.code, guide.slots)
        for index, role in enumerate(game.roles)
        for guide in [compile_strategy(strategy, role)]
    }
    means = []
    for guided in (0, 1, 1000):
        worker = LeafWorker(game, 1, 8, programs=programs, guided=guided)
        worker.leaf_rows[0] = state.key
        worker.judge(0, 1)
        means.append(float(worker.leaves["result"][0, 0]))
    assert means[0] < 1
    assert means[1:] == [1, 1]


def test_a_tree_search_is_guided_by_a_strategy_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    path.write_text("next wins(me) => mark(2,2)\ntrue => mark(2,2)")
    game = CompiledGame(load_sheet("tictactoe"))
    for name in (f"mcts+{path}", f"mcts+{path}@1"):
        agent = make_agent(name)(1)
        match = play_match(game, {"xplayer": agent, "oplayer": RandomAgent()}, clocks=QUICK)
        assert match.agents["xplayer"] == name
        assert match.goals["xplayer"] in (50, 100)
        assert not any(step.errors for step in match.steps)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("tictactoe", "previous cell(1,1,b) => mark(3,3)", "random matches cannot follow mine: "),
        ("roshambo", "true => rock", "random matches follow rules where two roles take turns"),
        ("eightpuzzle", "true => slide(1,2)", "random matches follow rules where two roles"),
    ],
)
def test_a_guide_that_is_of_no_use_is_refused(name: str, text: str, why: str) -> None:
    game = CompiledGame(load_sheet(name))
    with pytest.raises(InputError, match=why):
        GuidedAgent(text, name="mine").start(game, game.roles[0], 0)


def test_a_known_opponent_is_played_for_its_weakness() -> None:
    """Whoever takes the whole last heap each time loses nim, though the start is won for it."""
    game = CompiledGame(load_sheet("nim:1,2,4,5"))
    text = "symmetric none\n" + "\n".join(
        f"true => (reduce {heap} 0)" for heap in ("d", "c", "b", "a")
    )
    theirs = StrategyAgent(text, name="greedy")
    reply = ReplyAgent(text, name="reply")
    match = play_match(game, {"player1": theirs, "player2": reply}, clocks=Clocks(30, 5))
    assert match.goals == {"player1": 0, "player2": 100}


def test_an_opponent_who_leaves_its_strategy_is_met_with_perfect_play() -> None:
    game = CompiledGame(load_sheet("nim:1,2,4,5"))
    reply = ReplyAgent("symmetric none\ntrue => (reduce d 0)", name="reply")
    for seed in range(4):
        agents = {"player1": reply, "player2": RandomAgent(seed)}
        assert play_match(game, agents, clocks=Clocks(30, 5)).goals["player1"] == 100


@pytest.mark.parametrize("text", ["[" * 100_000, "[]", "3", '{"state": 3}', "nonsense"])
def test_a_file_that_is_no_tree_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="mine is not a tree"):
        TreeAgent(text, name="mine")
