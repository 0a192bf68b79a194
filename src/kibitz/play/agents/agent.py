"""What every player is: an Agent that is told of a match and then asked for moves in time.

Times are those of `time.monotonic`. An agent must answer before the deadline it is given; whoever
runs the match replaces an answer that comes too late or is not legal.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.engine import Game, Move, Role, State

__all__ = ["Agent", "MatchSoFar", "RandomAgent"]


@dataclass(frozen=True, slots=True)
class MatchSoFar:
    """A match so far: the states it went through, and the joint moves between them."""

    states: tuple[State, ...]
    moves: tuple[tuple[Move, ...], ...] = ()

    @property
    def state(self) -> State:
        """The state that the match has come to."""
        return self.states[-1]

    def then(self, joint: Sequence[Move | str]) -> MatchSoFar:
        """Give the line after one more joint move; raise IllegalMoveError where it is not legal."""
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

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Get ready for a match; may use the time until the deadline."""
        self.game, self.role = game, role

    @abstractmethod
    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Give a legal move for the state that the line has come to."""

    def stop(self, line: MatchSoFar | None = None) -> None:  # noqa: B027 - most have nothing to do
        """Forget the match, which ended with this line or was broken off, and end all work."""


class RandomAgent(Agent):
    """Picks any legal move, all with the same chance."""

    name = "random"

    def __init__(self, seed: int = 1) -> None:
        self.source = random.Random(seed)

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Give one of the legal moves."""
        return self.source.choice(line.state.legal(self.role))
