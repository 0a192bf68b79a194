"""Serve an agent behind a port, thinking in its own thread.

A match runs on two engines. The one that needs no grounding is ready at once; it follows the match
and knows legal moves. The compiled one and the agent on it are made in the background, and are used
as soon as they are ready. The agent thinks in its own thread, on the others' time too, and
publishes its best move as it does, so an answer goes out in time whatever happens to it. Where it
has none, another agent, which needs no grounding, has looked for wins and parries meanwhile.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait

from kibitz.budget import Budget
from kibitz.engine import Game, Move, Role, UngroundedGame, make_game
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import RuleSheet, parse_terms, read
from kibitz.play.agents.agent import Agent, MatchSoFar
from kibitz.play.agents.plain_agents import CarefulAgent
from kibitz.play.protocol.messages import (
    Abort,
    Info,
    Play,
    Preview,
    Server,
    Start,
    Stop,
    parse_message,
    serve,
)


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


_IDLE_S = 30.0
"""How long a match may be silent, beyond its clocks, before the server counts as gone."""
_TRAVEL, _LEAST_TRAVEL_S, _MOST_TRAVEL_S = 0.1, 0.05, 1.0
"""The share of a clock that is kept for the answer to travel, and its bounds in seconds."""
_POLL_S = 0.005
_DELAYS = 3.0
"""How many times the worst delay of late is kept as well."""

MakeAgent = Callable[[Game, Role], Agent]


class Margin:
    """How long before the end of a clock an answer goes out.

    If it is not given, it is the time to travel and a multiple of how late answers were ready.

    >>> margin = Margin()
    >>> round(margin(5.0), 3)
    0.5
    >>> margin.note_delay(0.2)
    >>> round(margin(5.0), 3)
    1.1
    >>> Margin(0.3)(5.0)
    0.3
    """

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds
        self._delays = deque([0.0], maxlen=50)

    def note_delay(self, seconds: float) -> None:
        """Record how late an answer was ready."""
        self._delays.append(max(0.0, seconds))

    def __call__(self, clock_s: float) -> float:
        """Return the margin for a clock; at most half of it, unless another was given."""
        if self.seconds is not None:
            return min(self.seconds, clock_s)
        travel = min(_MOST_TRAVEL_S, max(_LEAST_TRAVEL_S, _TRAVEL * clock_s))
        return min(clock_s / 2, travel + _DELAYS * max(self._delays))


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
        margin_s: float | None = None,
        ponder: bool = True,
    ) -> None:
        self.make_agent, self.name, self.ponder = make_agent, name, ponder
        self.log = log or (lambda _line: None)
        self.margin = Margin(margin_s)
        self.fallbacks = 0
        """How many moves did not come from the agent."""
        self.last_game: tuple[str, Game] | None = None
        """The rules of the last match as they were sent, and the game, with what was learned."""
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
            self._match = match = _Match(message, self)
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

    def __init__(self, start: Start, player: Player) -> None:
        self.name, self.start_s, self.play_s = start.match, start.start_s, start.play_s
        self.player = player
        self.seen = time.monotonic()
        self.rules = start.rules
        self.sheet: RuleSheet = read(
            start.rules, name=f"rules of {start.match}", as_gdl1=True
        )  # for PLAY names the moves of all roles to every player
        game = UngroundedGame(self.sheet)
        self.role = _role(game, start.role)
        self.line = MatchSoFar((game.initial(),))
        self.thinker = Thinker(self._make_agent, log=self.log)
        self.reserve = Thinker(self._make_reserve, log=self.log)
        self.ready_at = self.seen
        self.fallbacks = 0

    def log(self, text: str) -> None:
        self.player.log(f"{self.name}: {text}")

    def is_stale(self) -> bool:
        return time.monotonic() > self._stale_at()

    def _stale_at(self) -> float:
        return self.seen + self.start_s + 2 * self.play_s + _IDLE_S

    def get_ready(self, arrived: float) -> None:
        """Make engine and agent until shortly before the start clock is over; continue after it."""
        self.ready_at = arrived + self.start_s - self.player.margin(self.start_s)
        wait([self.thinker.prepare()], timeout=max(0.0, self.ready_at - time.monotonic()))
        self.player.margin.note_delay(time.monotonic() - self.ready_at)
        self.reserve.prepare()
        self.seen = time.monotonic()

    def _make_agent(self) -> tuple[Game, Agent]:
        game = self._make_game()
        agent = self.player.make_agent(game, self.role)
        agent.start(game, self.role, self.ready_at)
        return game, agent

    def _make_game(self) -> Game:
        """Return the game of the last match if its rules were the same, else make one."""
        last = self.player.last_game
        if last is not None and last[0] == self.rules:
            return last[1]
        self.player.last_game = None
        budget = Budget(seconds=max(60.0, 2 * self.start_s), bytes=4_000_000_000)
        game = make_game(self.sheet, budget=budget, note=self.log)
        self.player.last_game = self.rules, game
        return game

    def _make_reserve(self) -> tuple[Game, Agent]:
        game = UngroundedGame(self.sheet)
        agent = CarefulAgent()
        agent.start(game, self.role, self.ready_at)
        return game, agent

    def play(self, message: Play, arrived: float) -> str:
        """Apply the last joint move, and return a move in time."""
        margin = self.player.margin(self.play_s)
        answer_at = arrived + self.play_s - margin
        self._take(message.moves)
        legal = self.line.state.legal(self.role)
        if not legal:
            raise InputError(f"{self.role} has no legal move in {self.name}")
        if len(legal) == 1:
            move = legal[0]
        else:
            move = self._decide(legal, answer_at, answer_at + margin / 2)
        reply = self.line.state.game.write(move)
        if self.player.ponder:
            self.thinker.ponder(self.line, self._stale_at())
        return reply

    def _decide(self, legal: tuple[Move, ...], answer_at: float, latest: float) -> Move:
        """Return the agent's move, its best one so far, or a fallback that the reserve found."""
        is_ready = self.thinker.is_ready
        chosen = self.thinker.choose(self.line, answer_at, latest=latest)
        move: Move | None = None
        spare: list[Future[Move | None]] = []
        if is_ready:
            move = self._first([chosen], legal, (time.monotonic() + answer_at) / 2)
        if move is None and self.thinker.best_so_far(self.line) not in legal:
            spare = [self.reserve.choose(self.line, answer_at)]
        if move is None:
            move = self._first([chosen] if is_ready else [chosen, *spare], legal, answer_at)
            self.player.margin.note_delay(time.monotonic() - answer_at)
        if move is not None and _result(chosen) == move:
            return move
        best = self.thinker.best_so_far(self.line)
        # Rather half of the margin than no move of the agent.
        while is_ready and best is None and not chosen.done() and time.monotonic() < latest:
            time.sleep(_POLL_S)
            best = self.thinker.best_so_far(self.line)
        if move is None and best is not None and best in legal:
            self.log(f"the agent is late; {best} is its best move so far")
            return best
        if move is None:
            move = self._first(spare, legal, answer_at)
        found = move or self.reserve.best_so_far(self.line)
        self.fallbacks += 1
        self.player.fallbacks += 1
        origin = "from a look two moves ahead" if found else "the first legal one"
        move = found or legal[0]
        self.log(f"fallback {self.fallbacks}: the agent has no move yet; {move}, {origin}")
        return move

    def _first(
        self, chosen: list[Future[Move | None]], legal: tuple[Move, ...], deadline: float
    ) -> Move | None:
        """Wait for the first legal move; return None if there is none until the deadline."""
        try:
            for future in as_completed(chosen, timeout=max(0.0, deadline - time.monotonic())):
                move = _result(future)
                if move in legal:
                    return move
                if move is not None:
                    self.log(f"the agent's {move} is not legal")
        except TimeoutError:
            pass
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
                self.log(f"{error.message}; continuing from the state before")

    def end(self, moves: tuple[str, ...] | None) -> None:
        """Release the agent; log how the match ended."""
        self.thinker.end()
        self.reserve.end()
        self._take(moves)
        if self.line.state.is_terminal:
            self.log(f"over, {self.role} gets {self.line.state.goals[self.role]}")


def _result(future: Future[Move | None]) -> Move | None:
    """Return the move of an agent that has chosen; None if it has not, or could not."""
    if not future.done() or future.cancelled() or future.exception() is not None:
        return None
    return future.result()


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
