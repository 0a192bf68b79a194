"""Play without a tree: by a solution, a strategy, a best reply, or two plies of lookahead."""

from __future__ import annotations

import random
import time
from itertools import product

from kibitz.budget import Budget
from kibitz.engine import Game, Move, Role, State
from kibitz.errors import InputError, KibitzError
from kibitz.learn import read_any
from kibitz.play.agents.agent import Agent, MatchSoFar
from kibitz.solve import Listed, solve_any, solve_game
from kibitz.space import Limits, StateId
from kibitz.strategy import Strategy, complying, read_strategy

HINT = "give more time, or let it search: --agent auto"
"""What to do where a game cannot be solved in time."""


def advise(solution: Listed, line: MatchSoFar, role: Role) -> dict[Move, float]:
    """Return how often a role should play which move; the shares add up to 1.

    Equal shares of the best moves: those of the fastest win, else of the longest play. Where roles
    choose at the same time, the mix that guarantees the value. Empty where the line has left the
    solved states.

    >>> from kibitz.engine import make_game
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve_game
    >>> game = make_game(load_sheet("roshambo"))
    >>> solution = solve_game(game)
    >>> advice = advise(solution, MatchSoFar((game.initial(),)), "player2")
    >>> {str(move): round(share, 3) for move, share in advice.items()}
    {'paper': 0.333, 'rock': 0.333, 'scissors': 0.333}
    """
    state = _state_of(solution, line)
    if state is None:
        return {}
    mix = solution.mixes(state).get(role) or dict.fromkeys(line.state.legal(role), 1.0)
    return {move: share / sum(mix.values()) for move, share in mix.items()}


def draw(advice: dict[Move, float], source: random.Random) -> Move:
    """Draw a move with the advised frequencies."""
    return source.choices(list(advice), list(advice.values()))[0]


def is_drawn(solution: Listed, line: MatchSoFar) -> bool:
    """Return whether nobody wins from the present state with best play."""
    state = _state_of(solution, line)
    return (
        solution.kind == "exact"
        and state is not None
        and int(solution.values[state]) * 2 == solution.total
    )


def _state_of(solution: Listed, line: MatchSoFar) -> StateId | None:
    """Follow a line from the initial state; return None where it leaves the solved states."""
    state: StateId | None = 0
    for joint in line.moves:
        if state is not None:
            state = dict(solution.space.moves(state)).get(joint)
    return state


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
