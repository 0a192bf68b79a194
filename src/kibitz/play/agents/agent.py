"""The protocol of players: an Agent is prepared for a match and then asked for moves in time.

Times are those of `time.monotonic`. An agent must answer before its deadline; an answer that comes
too late or is not legal is replaced. While it thinks it publishes the best move found so far, which
can be taken at any moment.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from kibitz.engine import Game, Move, Role, State
from kibitz.errors import InputError, KibitzError


@dataclass(frozen=True, slots=True)
class MatchSoFar:
    """A match so far: the states it went through, and the joint moves between them."""

    states: tuple[State, ...]
    moves: tuple[tuple[Move, ...], ...] = ()

    @property
    def state(self) -> State:
        """The present state of the match."""
        return self.states[-1]

    def then(self, joint: Sequence[Move | str]) -> MatchSoFar:
        """Return the line after one more joint move; raise IllegalMoveError if it is not legal."""
        after = self.state.step(joint)
        made = tuple(
            next(move for move in self.state.legal(role) if str(move) == str(wanted))
            if isinstance(wanted, str)
            else wanted
            for role, wanted in zip(self.state.game.roles, joint, strict=True)
        )
        return MatchSoFar((*self.states, after), (*self.moves, made))


class Agent(ABC):
    """Plays one role in one match after another."""

    name: str
    remark: str = ""
    """What the agent says of its last choice, such as that its time was too short."""
    is_foreign: bool = False
    """Whether code that others wrote chooses its moves, which may fail in any way."""
    _published: tuple[tuple[tuple[Move, ...], ...], Move] | None = None

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Get ready for a match; may use the time until the deadline."""
        self.game, self.role = game, role
        self._published = None

    @abstractmethod
    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Return a legal move for the present state of the line."""

    def publish(self, line: MatchSoFar, move: Move) -> None:
        """Make a move the best one found so far for the present state of a line."""
        self._published = line.moves, move

    def best_so_far(self, line: MatchSoFar) -> Move | None:
        """Return the best move found so far for the present state of a line; None if there is none.

        Any thread may ask at any moment, while `choose` is running in another one above all.
        """
        published = self._published
        return published[1] if published and published[0] == line.moves else None

    def ponder(self, line: MatchSoFar, is_over: Callable[[], bool]) -> None:  # noqa: B027 - optional
        """Think on the others' time about what may follow a line, until `is_over` returns True."""

    def stop(self, line: MatchSoFar | None = None) -> None:  # noqa: B027 - most have nothing to do
        """Forget the match, which ended with this line or was aborted, and stop all work."""


class RandomAgent(Agent):
    """Picks a legal move uniformly at random."""

    name = "random"

    def __init__(self, seed: int = 1) -> None:
        self.source = random.Random(seed)

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Return one of the legal moves."""
        return self.source.choice(line.state.legal(self.role))


@contextmanager
def foreign_errors(name: str, *, hint: str = "") -> Iterator[None]:
    """Turn what code that others wrote raises into an InputError, which names it.

    >>> with foreign_errors("mine:play"):
    ...     1 / 0
    Traceback (most recent call last):
        ...
    kibitz.errors.InputError: mine:play raised ZeroDivisionError: division by zero
    """
    try:
        yield
    except KibitzError:
        raise
    except (Exception, SystemExit) as error:
        text = " ".join(str(error).split())
        what = f"{type(error).__name__}{': ' * bool(text)}{text}"
        raise InputError(f"{name} raised {what}", hint=hint) from error
