"""An agent that assumes a strategy of the others, and plays the best reply (paper 001, 7.3)."""

from __future__ import annotations

import random
import time

from kibitz.budget import Budget
from kibitz.engine import Game, Move, Role
from kibitz.errors import KibitzError
from kibitz.learn import read_any
from kibitz.play.agents.agent import Agent, MatchSoFar
from kibitz.play.agents.solved_play import HINT, advise, draw
from kibitz.solve import Listed, solve_any, solve_game
from kibitz.space import Limits
from kibitz.strategy import complying

__all__ = ["ReplyAgent"]


class ReplyAgent(Agent):
    """Plays best against others who follow a strategy, and perfectly once they deviate.

    Where the strategy says nothing, the others may do anything.
    """

    def __init__(self, text: str, *, name: str, seed: int = 1) -> None:
        self.text, self.name = text, name
        self.source = random.Random(seed)
        self.reply: Listed | None = None
        self.perfect: Listed | None = None

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Solve the game, and the subspace in which the others follow the strategy."""
        known = self.perfect is not None and self.perfect.space.game is game
        if not known:
            limits = Limits(seconds=deadline - time.monotonic(), bytes=8_000_000_000, hint=HINT)
            self.perfect = solve_game(game, limits=limits)
        assert self.perfect is not None
        space = self.perfect.space
        others = [other for other in game.roles if other != role]
        budget = Budget(max(1.0, deadline - time.monotonic()))
        strategy = read_any(self.text, game, name=self.name, budget=budget)
        followed = []
        for other in others:
            try:
                moves = strategy.on(space, other)
            except KibitzError:  # It cannot be read for this role, which therefore may do anything.
                continue
            followed.append(moves.completed())
        self.reply = solve_any(complying(space, followed)) if followed else self.perfect
        super().start(game, role, deadline)

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Return the best reply, or the best move overall if the others left their strategy."""
        assert self.reply is not None
        assert self.perfect is not None
        advice = advise(self.reply, line, self.role) or advise(self.perfect, line, self.role)
        return draw(advice, self.source)
