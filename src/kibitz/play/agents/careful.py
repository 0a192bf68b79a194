"""An agent that looks two plies ahead on any engine, and then plays random matches."""

from __future__ import annotations

import random
import time
from itertools import product

from kibitz.engine import Move, Role, State
from kibitz.play.agents.agent import Agent, MatchSoFar

__all__ = ["CarefulAgent"]

_UNKNOWN = 0.5
_LONGEST = 1000


class CarefulAgent(Agent):
    """Wins in one move, and lets nobody else win in one; what is left random matches decide.

    It needs no preparation, so it can play while better agents get ready. In a share of its turns,
    its `lapses`, it makes any move.

    >>> from kibitz.engine import UngroundedGame
    >>> from kibitz.games import load_sheet
    >>> game = UngroundedGame(load_sheet("nim:1,2"))
    >>> line = MatchSoFar((game.initial(),)).then(["(reduce a 0)", "noop"])
    >>> agent = CarefulAgent()
    >>> agent.start(game, "player2", 0)
    >>> agent.choose(line, time.monotonic() + 60)
    (reduce b 0)
    """

    name = "careful"

    def __init__(self, seed: int = 1, *, playouts: int | None = None, lapses: float = 0.0) -> None:
        self.source = random.Random(seed)
        self.limit, self.lapses = playouts, lapses

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Return the best move found until the deadline."""
        moves = list(line.state.legal(self.role))
        self.source.shuffle(moves)
        best = moves[0]
        self.publish(line, best)
        lapses = self.lapses > 0 and self.source.random() < self.lapses
        if len(moves) > 1 and not lapses:
            try:
                for plies in (1, 2):
                    moves = self._keep_best(line, moves, plies, deadline)
                if len(moves) > 1:
                    self._play_matches(line, moves, deadline)
            except TimeoutError:
                pass
        return self.best_so_far(line) or best

    def _keep_best(
        self, line: MatchSoFar, moves: list[Move], plies: int, deadline: float
    ) -> list[Move]:
        """Return the moves that guarantee the most within some plies."""
        values = dict.fromkeys(moves, _UNKNOWN)
        for move in moves:
            values[move] = self._guaranteed(line.state, move, plies, deadline)
            self.publish(line, max(moves, key=values.__getitem__))
            if values[move] >= 1:
                return [move]
        return [move for move in moves if values[move] == max(values.values())]

    def _guaranteed(self, state: State, move: Move, plies: int, deadline: float) -> float:
        """Return what a move guarantees: the goal where play ends, a half where it goes on."""
        worst = 1.0
        for joint in product(*self._choices(state, move)):
            if time.monotonic() > deadline:
                raise TimeoutError
            after = self.game.successor(state.key, joint)
            if after.is_terminal:
                value = _goal(after, self.role)
            elif plies == 1:
                value = _UNKNOWN
            else:
                value = 0.0 if after.legal(self.role) else _UNKNOWN
                for reply in after.legal(self.role):
                    value = max(value, self._guaranteed(after, reply, plies - 1, deadline))
            worst = min(worst, value)
            if worst <= 0:
                break
        return worst

    def _choices(self, state: State, move: Move) -> list[tuple[Move, ...]]:
        return [(move,) if role == self.role else state.legal(role) for role in self.game.roles]

    def _play_matches(self, line: MatchSoFar, moves: list[Move], deadline: float) -> None:
        """Play random matches after each move by turns, and publish the move with the best mean."""
        gained = dict.fromkeys(moves, 0.0)
        played = 0
        while self.limit is None or played < self.limit:
            for move in moves:
                gained[move] += self._play_match(line.state, move, deadline)
                played += 1
            self.publish(line, max(moves, key=gained.__getitem__))

    def _play_match(self, state: State, move: Move, deadline: float) -> float:
        choices = self._choices(state, move)
        for _ in range(_LONGEST):
            if time.monotonic() > deadline:
                raise TimeoutError
            if not all(choices):
                break
            state = self.game.successor(state.key, tuple(map(self.source.choice, choices)))
            if state.is_terminal:
                return _goal(state, self.role)
            choices = [state.legal(role) for role in self.game.roles]
        return _UNKNOWN


def _goal(state: State, role: Role) -> float:
    goal = state.goals[role]
    return _UNKNOWN if goal is None else goal / 100
