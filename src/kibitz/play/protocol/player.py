"""An agent behind a port: implements the protocol, keeps the clocks, always has a legal move.

A match runs on two engines. The one that needs no grounding is ready at once; it follows the match
and knows legal moves. The compiled one and the agent on it are made in the background, and are used
as soon as they are ready. The agent thinks in its own thread, so an answer goes out in time
whatever happens to it.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from kibitz.budget import Budget
from kibitz.engine import Game, Move, Role, UngroundedGame, make_game
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import RuleSheet, parse_terms, read
from kibitz.play.agents.agent import Agent, MatchSoFar
from kibitz.play.protocol.http import Server, serve
from kibitz.play.protocol.messages import (
    Abort,
    Info,
    Play,
    Preview,
    Start,
    Stop,
    parse_message,
)

__all__ = ["Player", "serve_player"]

_IDLE_S = 30.0
"""How long a match may be silent, beyond its clocks, before the server counts as gone."""

_Result = TypeVar("_Result")
MakeAgent = Callable[[Game, Role], Agent]


class Player:
    """Answers messages: one match at a time, `busy` for any other.

    >>> from kibitz.play import RandomAgent
    >>> player = Player(lambda game, role: RandomAgent())
    >>> player.answer("( INFO )")
    '( ( name kibitz ) ( status available ) )'
    >>> player.answer("( PLAY nosuchmatch NIL )")
    'busy'
    """

    def __init__(
        self,
        make_agent: MakeAgent,
        *,
        name: str = "kibitz",
        log: Callable[[str], None] | None = None,
    ) -> None:
        self.make_agent, self.name = make_agent, name
        self.log = log or (lambda _line: None)
        self._match: _Match | None = None
        self._lock = threading.Lock()

    def answer(self, text: str) -> str:
        """Return the answer to a message; raise KibitzError for an invalid one."""
        arrived = time.monotonic()
        message = parse_message(text)
        match message:
            case Info():
                state = "available" if self._current() is None else "busy"
                return f"( ( name {self.name} ) ( status {state} ) )"
            case Preview():
                return "ready"
            case Start():
                return self._start(message, arrived)
        return self._go_on(message, arrived)

    def _current(self) -> _Match | None:
        """Return the match under way; None if its server has vanished."""
        match = self._match
        if match is not None and match.is_stale():
            self.log(f"{match.name}: the server has been silent for too long")
            with self._lock:
                if self._match is match:
                    self._match = None
            match.end(None)
            return None
        return match

    def _start(self, message: Start, arrived: float) -> str:
        current = self._current()
        if current is not None and current.name != message.match:
            return "busy"
        with self._lock:
            if self._match is not None:
                return "busy" if self._match.name != message.match else "ready"
            self._match = match = _Match(message, self.make_agent, self.log)
        try:
            match.get_ready(arrived)
        except BaseException:
            with self._lock:
                self._match = None
            raise
        return "ready"

    def _go_on(self, message: Play | Stop | Abort, arrived: float) -> str:
        match = self._current()
        if match is None or match.name != message.match:
            return "busy"
        match.seen = time.monotonic()
        if isinstance(message, Play):
            return match.play(message, arrived)
        with self._lock:
            self._match = None
        match.end(message.moves if isinstance(message, Stop) else None)
        return "done" if isinstance(message, Stop) else "aborted"

    def close(self) -> None:
        """End the match under way."""
        match, self._match = self._match, None
        if match is not None:
            match.end(None)


class _Match:
    """A match under way, from the point of view of one role."""

    def __init__(self, start: Start, make_agent: MakeAgent, log: Callable[[str], None]) -> None:
        self.name, self.start_s, self.play_s = start.match, start.start_s, start.play_s
        self.make_agent, self.log = make_agent, log
        self.seen = time.monotonic()
        self.source = random.Random(start.match)
        self.sheet: RuleSheet = read(start.rules, name=f"rules of {start.match}")
        game = UngroundedGame(self.sheet)
        self.role = _role(game, start.role)
        self.line = MatchSoFar((game.initial(),))
        self.agent: Agent | None = None
        self.own: MatchSoFar | None = None
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="agent")
        self._ended = threading.Event()

    def margin(self, clock_s: float) -> float:
        """Reserve time for sending the answer: a tenth, at most two seconds."""
        return min(2.0, 0.1 * clock_s + 0.05)

    def is_stale(self) -> bool:
        return time.monotonic() > self.seen + self.start_s + 2 * self.play_s + _IDLE_S

    def get_ready(self, arrived: float) -> None:
        """Make engine and agent until shortly before the start clock is over; continue after it."""
        deadline = arrived + self.start_s - self.margin(self.start_s)
        ready = self.pool.submit(self._prepare, deadline)
        _wait(ready, deadline)
        self.seen = time.monotonic()

    def _prepare(self, deadline: float) -> None:
        try:
            budget = Budget(seconds=max(20.0, self.start_s), bytes=4_000_000_000)
            game = make_game(self.sheet, budget=budget, note=self.log)
            agent = self.make_agent(game, self.role)
            agent.start(game, self.role, deadline)
        except KibitzError as error:
            self.log(f"{self.name}: {error.message}; playing random moves")
            return
        if self._ended.is_set():
            agent.stop()
            return
        self.own = MatchSoFar((game.initial(),))
        self.agent = agent

    def play(self, message: Play, arrived: float) -> str:
        """Apply the last joint move, and return a move in time."""
        deadline = arrived + self.play_s - self.margin(self.play_s)
        self._take(message.moves)
        legal = self.line.state.legal(self.role)
        if not legal:
            raise InputError(f"{self.role} has no legal move in {self.name}")
        move: Move | None = None
        if len(legal) == 1:
            move = legal[0]
        elif not self._ended.is_set():
            move = _wait(self.pool.submit(self._ask, self.line, deadline), deadline)
        if move not in legal:
            if move is not None:
                self.log(f"{self.name}: the agent's {move} is not legal")
            move = self.source.choice(legal)
        assert move is not None
        return self.line.state.game.write(move)

    def _ask(self, line: MatchSoFar, deadline: float) -> Move | None:
        if self.agent is None or self.own is None or time.monotonic() > deadline:
            return None
        for joint in line.moves[len(self.own.moves) :]:
            self.own = self.own.then(joint)
        try:
            return self.agent.choose(self.own, deadline)
        except KibitzError as error:
            self.log(f"{self.name}: {error.message}")
            return None

    def _take(self, moves: tuple[str, ...] | None) -> None:
        """Apply a joint move; one that is repeated or invalid is ignored."""
        if moves is None:
            return
        joint: tuple[Move, ...] = ()
        try:
            joint = tuple(parse_terms(" ".join(moves), name="moves"))
            self.line = self.line.then(joint)
        except KibitzError as error:
            if not self.line.moves or self.line.moves[-1] != joint:
                self.log(f"{self.name}: {error.message}; continuing from the state before")

    def end(self, moves: tuple[str, ...] | None) -> None:
        """Release the agent; log how the match ended."""
        self._ended.set()
        self._take(moves)
        if self.line.state.is_terminal:
            self.log(f"{self.name}: over, {self.role} gets {self.line.state.goals[self.role]}")
        if self.agent is not None:
            self.agent.stop()
        self.pool.shutdown(wait=False, cancel_futures=True)


def _wait(future: Future[_Result], deadline: float) -> _Result | None:
    try:
        return future.result(timeout=max(0.0, deadline - time.monotonic()))
    except TimeoutError:
        return None


def _role(game: Game, name: str) -> Role:
    for role in game.roles:
        if role == name or role.lower() == name.lower():
            return role
    game.check_role(name)
    raise AssertionError("check_role raises")


def serve_player(
    player: Player,
    *,
    host: str = "127.0.0.1",
    port: int = 9147,
    allowed: frozenset[str] = frozenset(),
) -> Server:
    """Return a server that passes messages to a player; call its serve_forever."""

    def answer(text: str) -> str:
        reply = player.answer(text)
        player.log(f"{_short(text)} -> {reply}")
        return reply

    return serve(answer, host=host, port=port, allowed=allowed)


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 72 else f"{words[:71]}…"
