"""An agent that follows a strategy, or the first rules of one."""

from __future__ import annotations

import random

from kibitz.engine import Game, Move, Role
from kibitz.errors import InputError
from kibitz.play.agents.agent import Agent, MatchSoFar
from kibitz.strategy import Strategy, read_strategy

__all__ = ["StrategyAgent", "read_rules"]


def read_rules(text: str, game: Game, *, name: str, rules: int | None = None) -> Strategy:
    """Read a strategy for a game; only the first rules of a rule list, if a number is given.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> text = "true => mark(2,2)\\ntrue => mark(1,1)"
    >>> len(read_rules(text, game, name="mine", rules=1).rules)
    1
    """
    strategy = read_strategy(text, game, name=name)
    if rules is None:
        return strategy
    if not strategy.is_list:
        raise InputError(f"{name} is not a rule list, so it has no first rules")
    return strategy.first(rules)


class StrategyAgent(Agent):
    """Plays a move that a strategy allows, uniformly at random.

    Where the strategy says nothing, it plays any legal move. With `rules`, it knows only that many
    of the first rules of a rule list.
    """

    def __init__(self, text: str, *, name: str, rules: int | None = None, seed: int = 1) -> None:
        self.text, self.name, self.rules = text, name, rules
        self.source = random.Random(seed)
        self.strategy: Strategy | None = None

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Read the strategy for the game; raise StrategyError where it has an error."""
        if self.strategy is None or self.strategy.game is not game:
            self.strategy = read_rules(self.text, game, name=self.name, rules=self.rules)
        self.strategy.plan(role)  # Symmetries are found now, not while the clock runs.
        super().start(game, role, deadline)

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Return one of the moves that the strategy allows."""
        assert self.strategy is not None
        legal = line.state.legal(self.role)
        if len(legal) == 1:
            return legal[0]
        history = tuple(zip(line.states, line.moves, strict=False))
        allowed = self.strategy.moves(line.state, self.role, history=history)
        return self.source.choice(allowed or legal)
