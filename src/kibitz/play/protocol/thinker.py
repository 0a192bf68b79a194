"""An agent in its own thread: moves are asked for, and taken when they are needed."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from kibitz.engine import Game, Move
from kibitz.errors import KibitzError
from kibitz.play.agents.agent import Agent, MatchSoFar

__all__ = ["Thinker"]


class Thinker:
    """Makes an agent with its own engine, and lets it think without waiting for it.

    `make` returns a game and an agent started on it. The lines of a match may be those of another
    engine of the same game.

    >>> from kibitz.engine import UngroundedGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.play import RandomAgent
    >>> def make():
    ...     game, agent = UngroundedGame(load_sheet("nim:1,2")), RandomAgent()
    ...     agent.start(game, "player1", 0)
    ...     return game, agent
    >>> thinker = Thinker(make)
    >>> line = MatchSoFar((UngroundedGame(load_sheet("nim:1,2")).initial(),))
    >>> thinker.choose(line, time.monotonic() + 60).result() in line.state.legal("player1")
    True
    >>> thinker.end()
    """

    def __init__(
        self, make: Callable[[], tuple[Game, Agent]], *, log: Callable[[str], None] | None = None
    ) -> None:
        self._make = make
        self._log = log or (lambda _line: None)
        self._agent: Agent | None = None
        self._line: MatchSoFar | None = None
        self._has_failed = False
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="agent")
        self._is_wanted = threading.Event()
        self._has_ended = threading.Event()

    @property
    def is_ready(self) -> bool:
        """Whether the agent has been made."""
        return self._agent is not None

    def prepare(self) -> Future[None]:
        """Make the agent."""
        return self._pool.submit(self._prepare)

    def choose(
        self, line: MatchSoFar, deadline: float, *, latest: float | None = None
    ) -> Future[Move | None]:
        """Let the agent choose a move; the future holds None where it cannot.

        It does not begin later than `latest`, or than the deadline if that is not given.
        """
        self._is_wanted.set()
        try:
            return self._pool.submit(self._choose, line, deadline, latest or deadline)
        except RuntimeError:  # The match has been ended meanwhile.
            nothing: Future[Move | None] = Future()
            nothing.set_result(None)
            return nothing

    def best_so_far(self, line: MatchSoFar) -> Move | None:
        """Return what the agent has published for the present state of a line."""
        mine = self._line
        if self._agent is None or mine is None or mine.moves != line.moves:
            return None
        return self._agent.best_so_far(mine)

    def ponder(self, line: MatchSoFar, deadline: float) -> None:
        """Let the agent think on a line until it is wanted for something else, or the deadline."""
        self._is_wanted.set()
        if self.is_ready and not self._has_ended.is_set():
            self._is_wanted = wanted = threading.Event()
            with contextlib.suppress(RuntimeError):  # The match has been ended meanwhile.
                self._pool.submit(self._ponder, line, deadline, wanted)

    def end(self) -> None:
        """Stop the agent and its thread."""
        self._has_ended.set()
        self._is_wanted.set()
        if self._agent is not None:
            self._agent.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _prepare(self) -> None:
        try:
            game, agent = self._make()
        except KibitzError as error:
            self._has_failed = True
            self._log(error.message)
            return
        if self._has_ended.is_set():
            agent.stop()
            return
        self._line = MatchSoFar((game.initial(),))
        self._agent = agent

    def _follow(self, line: MatchSoFar) -> MatchSoFar:
        """Return the same line on the agent's engine."""
        mine = self._line
        assert mine is not None
        if mine.moves != line.moves[: len(mine.moves)]:
            mine = MatchSoFar(mine.states[:1])
        for joint in line.moves[len(mine.moves) :]:
            mine = mine.then(joint)
        self._line = mine
        return mine

    def _choose(self, line: MatchSoFar, deadline: float, latest: float) -> Move | None:
        if self._agent is None and not self._has_failed:
            self._prepare()
        if self._agent is None or time.monotonic() > latest or self._has_ended.is_set():
            return None
        try:
            move = self._agent.choose(self._follow(line), deadline)
            if self._agent.remark:
                self._log(self._agent.remark)
            return move
        except Exception as error:  # A match goes on whatever is wrong with its agent.
            self._log(error.message if isinstance(error, KibitzError) else repr(error))
            return None

    def _ponder(self, line: MatchSoFar, deadline: float, wanted: threading.Event) -> None:
        if self._agent is None or wanted.is_set():
            return

        def is_over() -> bool:
            is_done = wanted.is_set() or self._has_ended.is_set()
            return is_done or time.monotonic() > deadline

        try:
            self._agent.ponder(self._follow(line), is_over)
        except KibitzError as error:
            self._log(error.message)
