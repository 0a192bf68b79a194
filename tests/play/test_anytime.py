"""A move can be taken at any moment: published moves, fallbacks, thinking on the others' time."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate, pairwise

import pytest
from hypothesis import given, strategies as st
from tests.effort import examples

from kibitz.engine import CompiledGame, Game, Move, Role, State, UngroundedGame, make_game
from kibitz.errors import KibitzError
from kibitz.games import load_sheet
from kibitz.gdl import to_kif
from kibitz.play import Agent, AutoAgent, CarefulAgent, MatchSoFar, SearchAgent
from kibitz.play.agents import search_agents
from kibitz.play.protocol import Player
from kibitz.space import Limits, SolverOutlook

NIM = " ".join(to_kif(load_sheet("nim:1,2")).split())
TICTACTOE = " ".join(to_kif(load_sheet("tictactoe")).split())
LONG_S = 60


class Sleeper(Agent):
    """Publishes a move, or none, and then thinks for longer than it has."""

    name = "sleeper"

    def __init__(self, move: str | None, *, wake: threading.Event) -> None:
        self.move, self.wake = move, wake

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        legal = line.state.legal(self.role)
        for move in legal:
            if str(move) == self.move:
                self.publish(line, move)
        self.wake.wait(2 * LONG_S)
        return legal[0]


@contextmanager
def sleeping(move: str | None) -> Iterator[tuple[Player, list[str]]]:
    wake, log = threading.Event(), list[str]()
    player = Player(lambda _game, _role: Sleeper(move, wake=wake), log=log.append)
    try:
        yield player, log
    finally:
        wake.set()
        player.close()


def test_the_move_that_a_late_agent_published_is_played() -> None:
    for move in ("(reduce a 0)", "(reduce b 0)", "(reduce b 1)"):
        with sleeping(move) as (player, log):
            player.answer(f"(START m player1 ({NIM}) {LONG_S} 1)")
            assert player.answer("(PLAY m NIL)") == move
            assert player.fallbacks == 0
            assert any("late" in line for line in log)


@pytest.mark.slow
def test_without_any_move_of_the_agent_a_threat_is_parried_and_that_is_logged() -> None:
    with sleeping(None) as (player, log):
        player.answer(f"(START m oplayer ({TICTACTOE}) {LONG_S} 4)")
        for mine, theirs in (("NIL", None), ("((mark 1 1) noop)", "(mark 3 1)")):
            player.answer(f"(PLAY m {mine})")
            if theirs:
                player.answer(f"(PLAY m (noop {theirs}))")
        assert player.answer("(PLAY m ((mark 1 2) noop))") == "(mark 1 3)"
        assert player.fallbacks == 2
        assert sum("fallback" in line for line in log) == 2


def test_while_the_engine_gets_ready_a_win_is_taken() -> None:
    ready = threading.Event()

    def make(_game: Game, _role: Role) -> Agent:
        ready.wait(2 * LONG_S)
        raise KibitzError("too late to matter")

    player = Player(make)
    player.answer(f"(START m player2 ({NIM}) 0.1 {LONG_S})")
    player.answer("(PLAY m NIL)")
    assert player.answer("(PLAY m ((reduce a 0) noop))") == "(reduce b 0)"
    assert player.fallbacks == 1
    ready.set()
    player.close()


def test_an_agent_that_cannot_play_leaves_the_moves_to_the_reserve() -> None:
    def make(_game: Game, _role: Role) -> Agent:
        raise KibitzError("no agent today")

    log: list[str] = []
    player = Player(make, log=log.append)
    player.answer(f"(START m player2 ({NIM}) {LONG_S} {LONG_S})")
    assert player.answer("(PLAY m ((reduce a 0) noop))") == "(reduce b 0)"
    assert any("no agent today" in line for line in log)
    player.close()


def wins_at_once(state: State, role: Role) -> list[Move]:
    """The moves after which play has ended with the full goal; the other has one move only."""
    (other,) = (name for name in state.game.roles if name != role)
    (theirs,) = state.legal(other)
    found = []
    for move in state.legal(role):
        joint = [move if name == role else theirs for name in state.game.roles]
        after = state.step(joint)
        if after.is_terminal and after.goals[role] == 100:
            found.append(move)
    return found


@examples(30)
@given(st.integers(0, 10_000), st.sampled_from(["tictactoe", "connect:3,4x4", "nim:1,2,3"]))
def test_wins_are_taken_and_threats_parried_where_that_is_possible(seed: int, name: str) -> None:
    source = random.Random(seed)
    game = UngroundedGame(load_sheet(name))
    line = MatchSoFar((game.initial(),))
    while len(line.state.turn) == 1:
        (role,) = line.state.turn
        (other,) = (one for one in game.roles if one != role)
        agent = CarefulAgent(seed, playouts=1)
        agent.start(game, role, 0)
        move = agent.choose(line, time.monotonic() + LONG_S)
        wins = wins_at_once(line.state, role)
        loses = {
            mine: bool(
                not (after := line.state.play(mine)).is_terminal and wins_at_once(after, other)
            )
            for mine in line.state.legal(role)
        }
        if wins:
            assert move in wins
        elif not all(loses.values()):
            assert not loses[move]
        made = source.choice(line.state.legal(role))
        line = line.then([made if one == role else line.state.legal(one)[0] for one in game.roles])


def test_a_careful_agent_without_time_has_a_move_all_the_same() -> None:
    game = UngroundedGame(load_sheet("tictactoe"))
    agent = CarefulAgent()
    agent.start(game, "xplayer", 0)
    line = MatchSoFar((game.initial(),))
    assert agent.choose(line, 0) in game.initial().legal("xplayer")


def test_the_margin_that_is_asked_for_is_kept() -> None:
    given: list[float] = []

    class Noting(Agent):
        name = "noting"

        def choose(self, line: MatchSoFar, deadline: float) -> Move:
            given.append(deadline)
            return line.state.legal(self.role)[0]

    player = Player(lambda _game, _role: Noting(), margin_s=40)
    player.answer(f"(START m player1 ({NIM}) {LONG_S} {LONG_S})")
    before = time.monotonic()
    player.answer("(PLAY m NIL)")
    assert before + LONG_S - 40 <= given[0] <= time.monotonic() + LONG_S - 40
    player.close()


class Ponderer(Agent):
    """Records what it is to think about, and thinks until it is told to end."""

    name = "ponderer"

    def __init__(self) -> None:
        self.lines: list[MatchSoFar] = []
        self.ended = threading.Event()

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        return line.state.legal(self.role)[0]

    def ponder(self, line: MatchSoFar, is_over: Callable[[], bool]) -> None:
        self.lines.append(line)
        while not is_over():
            time.sleep(0.001)
        self.ended.set()


@pytest.mark.parametrize("ponder", [True, False])
def test_a_role_with_one_legal_move_thinks_on_the_time_of_the_others(ponder: bool) -> None:
    agent = Ponderer()
    player = Player(lambda _game, _role: agent, ponder=ponder)
    player.answer(f"(START m player2 ({NIM}) {LONG_S} {LONG_S})")
    assert player.answer("(PLAY m NIL)") == "noop"
    if ponder:
        end = time.monotonic() + LONG_S
        while not agent.lines and time.monotonic() < end:
            time.sleep(0.001)
        assert [line.moves for line in agent.lines] == [()]
        assert not agent.ended.is_set()
    assert player.answer("(PLAY m ((reduce a 0) noop))").startswith("(reduce b")
    assert agent.ended.wait(LONG_S if ponder else 0) == ponder
    player.close()


def test_what_was_thought_about_on_the_time_of_the_others_is_used() -> None:
    game = CompiledGame(load_sheet("connectfour"))
    agent = SearchAgent(threads=1)
    agent.start(game, game.roles[1], time.monotonic())
    line = MatchSoFar((game.initial(),))
    rounds = iter(range(20))
    agent.ponder(line, lambda: next(rounds, None) is None)
    (search,) = agent.searches
    first = search.options(game.roles[0])[0].move
    line = line.then([str(first), "noop"])
    search.look_at(line.state)
    known = sum(option.visits for option in search.options(game.roles[1]))
    assert known > 0
    agent.choose(line, time.monotonic())
    assert agent.best_so_far(line) in line.state.legal(game.roles[1])


def test_a_move_is_published_before_anything_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    game = CompiledGame(load_sheet("connectfour"))
    agent = AutoAgent(threads=1, limits=Limits(states=10))
    agent.start(game, game.roles[0], time.monotonic())
    line = MatchSoFar((game.initial(),)).then(["(drop 1)", "noop"]).then(["noop", "(drop 1)"])
    seen: list[Move | None] = []
    monkeypatch.setattr(
        search_agents, "best_within", lambda *_, **__: seen.append(agent.best_so_far(line))
    )
    agent._proves = True
    agent.choose(line, time.monotonic())
    assert len(seen) == 1
    assert seen[0] in line.state.legal(game.roles[0])
    agent.stop()


def test_trees_take_at_most_half_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_agents, "available_bytes", lambda: 100_000_000)
    game = CompiledGame(load_sheet("tictactoe"))
    agent = SearchAgent(threads=2)
    agent.start(game, "xplayer", time.monotonic())
    used = sum(search.tree.nbytes for search in set(agent.searches))
    assert 20_000_000 < used < 80_000_000


CONNECT_FOUR = (1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683, 12236101,
    30929111)  # fmt: skip
"""Positions with so many discs, from https://oeis.org/A212693."""
FOUR_IN_A_LINE_4X4 = (1, 16, 240, 1680, 10920, 43680, 160160, 400400, 895950, 1433520, 1962576,
    1962576, 1543080, 881760, 333792, 83440, 8220)  # fmt: skip


def noted(layers: tuple[int, ...]) -> SolverOutlook:
    """What is seen with forty looks in each layer."""
    outlook = SolverOutlook()
    ends = [0, *accumulate(layers)]
    for (begin, middle), (_, end) in pairwise(pairwise(ends)):
        for part in range(40):
            share = part / 40
            outlook.note(
                round(middle + share * (end - middle)), round(begin + share * (middle - begin))
            )
    return outlook


def test_a_game_that_is_far_too_large_is_recognised_early() -> None:
    assert noted(CONNECT_FOUR).is_beyond(200_000_000)
    assert not noted(CONNECT_FOUR[:9]).is_beyond(200_000_000)


def test_a_game_that_can_be_solved_is_not_given_up() -> None:
    for count in range(2, len(FOUR_IN_A_LINE_4X4) + 1):
        assert not noted(FOUR_IN_A_LINE_4X4[:count]).is_beyond(20_000_000)


def test_a_solver_without_hope_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SolverOutlook, "is_beyond", lambda _self, _states: True)
    game = CompiledGame(load_sheet("connectfour"))
    agent = AutoAgent(threads=1)
    agent.start(game, "xplayer", time.monotonic())
    assert agent._solver is not None
    agent._solver.join(LONG_S)
    assert not agent._solver.is_alive()
    assert agent.solution is None
    agent.stop()
    other = AutoAgent(threads=1)
    other.start(game, "oplayer", time.monotonic())
    assert other._solver is None  # there is none in the next match either
    other.stop()


class AtOnce(AutoAgent):
    """Is ready as soon as its engine is."""

    def start(self, game: Game, role: Role, deadline: float) -> None:
        super().start(game, role, time.monotonic())


@contextmanager
def busy_machine() -> Iterator[None]:
    """Keep every core busy with a process of its own."""
    command = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(command) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_on_a_busy_machine_no_move_is_thrown_away(seed: int) -> None:
    """The answers are not made: random moves are, so that matches are long."""
    sheet = load_sheet("connect:6,8x8")
    rules = " ".join(to_kif(sheet).split())
    game = make_game(sheet)
    source = random.Random(seed)
    player = Player(lambda _game, _role: AtOnce())
    moves = 0
    with busy_machine():
        for number in range(20):
            state, last = game.initial(), "NIL"
            player.answer(f"(START m{number} {game.roles[0]} ({rules}) {LONG_S} 1)")
            while not state.is_terminal:
                answer = player.answer(f"(PLAY m{number} {last})")
                moves += answer != "noop"
                joint = [str(source.choice(state.legal(role))) for role in game.roles]
                state, last = state.step(joint), f"({' '.join(joint)})"
            player.answer(f"(STOP m{number} {last})")
            assert player.fallbacks == 0
            if moves >= 50:
                break
    assert moves >= 50
