"""Wrap a bot of OpenSpiel as an Agent of our matches.

`kibitz match tictactoe --agent kibitz.envs:openspiel_mcts` lets OpenSpiel's own tree search play; a
bot of one's own is named the same way, once it is in a module:

    agent = kibitz.envs.openspiel_agent(lambda game, player, seed: MyBot(game, player, seed))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kibitz.engine import Game, Move, Role
from kibitz.envs.spiel_game import openspiel
from kibitz.play import Agent, MatchSoFar

MakeBot = Callable[[Any, int, int], Any]
"""From a game of OpenSpiel, the number of a player, and a seed to a bot."""

_SIMULATIONS = 100


def openspiel_agent(make: MakeBot, *, name: str = "openspiel") -> Callable[[int], SpielAgent]:
    """Return a function from a seed to an agent that asks a bot of OpenSpiel.

    >>> from kibitz.engine import make_game
    >>> from kibitz.games import load_sheet
    >>> from kibitz.play import play_match, RandomAgent
    >>> from pyspiel import make_uniform_random_bot
    >>> bot = openspiel_agent(lambda _game, player, seed: make_uniform_random_bot(player, seed))
    >>> game = make_game(load_sheet("nim:1,1"))
    >>> play_match(game, {"player1": bot(1), "player2": RandomAgent()}).goals
    {'player1': 0, 'player2': 100}
    """
    return lambda seed: SpielAgent(make, seed, name)


def openspiel_mcts(seed: int) -> SpielAgent:
    """Return an agent that asks OpenSpiel's tree search, with a hundred simulations a move."""
    from open_spiel.python.algorithms import mcts

    def make(game: Any, _player: int, seed: int) -> Any:
        source = np.random.RandomState(seed)
        rollout = mcts.RandomRolloutEvaluator(1, source)
        return mcts.MCTSBot(game, 1.4, _SIMULATIONS, rollout, random_state=source)

    return SpielAgent(make, seed, "openspiel_mcts")


class SpielAgent(Agent):
    """Plays by a bot, which sees every match from its start."""

    def __init__(self, make: MakeBot, seed: int, name: str) -> None:
        self.make, self.seed, self.name = make, seed, name

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Make the bot for the game and the role."""
        super().start(game, role, deadline)
        self.spiel = openspiel(game)
        self.bot = self.make(self.spiel, game.roles.index(role), self.seed % 2**31)

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Ask the bot; where its role is not to move it has one legal move."""
        legal = line.state.legal(self.role)
        if len(legal) == 1:
            return legal[0]
        state = self.spiel.new_initial_state()
        for joint in line.moves:
            state.apply_joint(joint)
        action = self.bot.step(state)
        found: Move = self.spiel.shared.arrays.move(int(action))
        return found
