"""An agent that searches a tree, and lets a strategy choose the moves of its random matches."""

from __future__ import annotations

from kibitz.engine import CompiledGame, Game, Role
from kibitz.errors import InputError, KibitzError
from kibitz.play.agents.plain_agents import read_rules
from kibitz.play.agents.search_agents import SearchAgent
from kibitz.policy import GatePolicy, compile_strategy


class GuidedAgent(SearchAgent):
    """Tree search whose random matches follow a strategy, as gates, for each role it is for.

    With `rules`, only that many of the first rules of a rule list.
    """

    def __init__(self, text: str, *, name: str, rules: int | None = None, seed: int = 1) -> None:
        super().__init__(seed)
        self.text, self.name, self.rules = text, name, rules

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Compile the strategy; raise InputError where that cannot be done, or has no use."""
        if not self.guides or self.guides[0].game is not game:
            self.guides = self._compile(game)
        super().start(game, role, deadline)

    def _compile(self, game: Game) -> tuple[GatePolicy, ...]:
        if not isinstance(game, CompiledGame):
            raise InputError(f"{self.name} needs a compiled game, which {game.sheet.name} is not")
        strategy = read_rules(self.text, game, name=self.name, rules=self.rules)
        try:
            return tuple(compile_strategy(strategy, role) for role, _ in strategy.plans)
        except KibitzError as error:
            raise InputError(
                f"random matches cannot follow {self.name}: {error.message}",
                hint="mcts plays without it",
            ) from None
