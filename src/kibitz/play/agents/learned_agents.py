"""Agents that play learned trees, rules and weak constraints, or search to a depth."""

from __future__ import annotations

import json
import math
import random
import time
from typing import Any

from kibitz.budget import Budget, run_within
from kibitz.engine import CompiledGame, Game, Move, Role, State
from kibitz.errors import InputError
from kibitz.learn import Advice, read_advice
from kibitz.play.agents.agent import Agent, MatchSoFar
from kibitz.puzzles import Threat, find_threats
from kibitz.reading import bounded
from kibitz.solve import END, MOST_REWARD
from kibitz.wording import counted

_SPARE_S = 0.05


class TreeAgent(Agent):
    """Looks a state up in a tree and makes the move with the best score; else any legal move."""

    def __init__(self, text: str, *, name: str, seed: int = 1) -> None:
        self.name = name
        self.source = random.Random(seed)
        try:
            self.tree: Any = bounded("reading the tree")(json.loads)(text)
            self.scores = _scores(self.tree)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(
                f"{name} is not a tree", hint="kibitz learn tree GAME -o FILE.json writes one"
            ) from None

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Return one of the moves with the best score for the role."""
        state, game = line.state, line.state.game
        index = game.roles.index(self.role)
        known = self.scores.get(frozenset(map(game.write, state.fluents)), {})
        legal = {game.write(move): move for move in state.legal(self.role)}
        sign = 1 if index == 0 else -1
        scored = [(sign * s, m[index]) for m, s in known.items() if m[index] in legal]
        if not scored:
            return self.source.choice(state.legal(self.role))
        best = max(scored)[0]
        return legal[self.source.choice(sorted({m for s, m in scored if s == best}))]


def _scores(tree: Any) -> dict[frozenset[str], dict[tuple[str, ...], int]]:
    """Find the scores of the moves in each state of a tree."""
    found: dict[frozenset[str], dict[tuple[str, ...], int]] = {}
    stack = [tree]
    while stack:
        node = stack.pop()
        children = node.get("children", [])
        stack += children
        here = found.setdefault(frozenset(node["state"]), {})
        for child in children:
            if child["score"] is not None:
                here[tuple(child["move"])] = int(child["score"])
    return found


class LearnedAgent(Agent):
    """Makes any move that learned rules or weak constraints prefer; else any legal move."""

    def __init__(self, text: str, *, name: str, seed: int = 1) -> None:
        self.text, self.name = text, name
        self.source = random.Random(seed)
        self.advice: Advice | None = None

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Read the program for the game."""
        if self.advice is None or self.advice.game is not game:
            advice = read_advice(self.text, game, name=self.name)
            # A program that does not terminate is detected in a process that can be ended.
            first = game.initial()
            if not first.is_terminal:
                run_within(
                    Budget(max(1.0, deadline - time.monotonic())),
                    lambda: bool(advice.moves(first, role)),
                    doing=f"reading {self.name}",
                )
                advice.moves(first, role)
            self.advice = advice
        super().start(game, role, deadline)

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Return one of the best moves."""
        assert self.advice is not None
        best = self.advice.moves(line.state, self.role)
        return self.source.choice(best or line.state.legal(self.role))


class _OutOfTimeError(Exception):
    """The deadline came before a search had ended."""


class DepthAgent(Agent):
    """Paper 003's depth-k player: searches k rounds ahead, and makes one of the moves found best.

    A nearer end counts more, and an end more than an undecided state, whose value is the role's
    threats minus the others', as for `puzzles.DepthSkill`. It looks one round ahead, then two, and
    so on; where its time ends before the last, it makes the best move so far, and its `remark` says
    how far it came.
    """

    def __init__(self, depth: int, *, seed: int = 1) -> None:
        self.depth, self.name = depth, f"depth:{depth}"
        self.source = random.Random(seed)
        self.known: dict[object, int] = {}
        self.threats: dict[Role, list[Threat]] = {}

    def start(self, game: Game, role: Role, deadline: float) -> None:
        """Find the threats of the game, and forget other games."""
        self.known = {}
        self.threats = {}
        if isinstance(game, CompiledGame) and len(game.roles) == 2:
            self.threats = {one: find_threats(game, i) for i, one in enumerate(game.roles)}
        super().start(game, role, deadline)

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Return one of the moves with the best outcome within the depth, or of what was seen."""
        best = self.best(line.state, deadline)
        return self.source.choice(best)

    def best(self, state: State, deadline: float = math.inf) -> list[Move]:
        """Return all moves with the best value."""
        values = self.values(state, deadline)
        best = max(values.values())
        return [move for move, value in values.items() if value == best]

    def values(self, state: State, deadline: float = math.inf) -> dict[Move, int]:
        """Value each legal move within the depth, or within the rounds that there was time for."""
        self.deadline = deadline - _SPARE_S
        self.remark = ""
        legal = state.legal(self.role)
        values = dict.fromkeys(legal, 0)
        if len(legal) == 1:
            return values
        # Without a deadline there is no need of shorter searches.
        first = self.depth if deadline == math.inf else min(1, self.depth)
        for depth in range(first, self.depth + 1):
            found: dict[Move, int] = {}
            try:
                for move in legal:
                    found[move] = self._worst(state, move, depth * len(state.game.roles))
            except _OutOfTimeError:
                how = f"the best {counted(depth - 1, 'round')} deep"
                if depth == 1:
                    values = found or values
                    some = f"the best of {len(found)} of {len(legal)} moves, 1 round deep"
                    how = some if found else "any legal one"
                self.remark = f"{self.name} ran out of time: its move is {how}"
                break
            values = found
        return values

    def _worst(self, state: State, move: Move, plies: int) -> int:
        """Value a move by the worst of the others' replies at the same time."""
        return min(self._value(after, plies - 1) for after in _after(state, self.role, move))

    def _value(self, state: State, plies: int) -> int:
        """Value a state for the role; raise _OutOfTimeError where the time ends first."""
        key = (state.key, plies)
        if key not in self.known:
            if time.monotonic() > self.deadline:
                raise _OutOfTimeError
            self.known[key] = self._look(state, plies)
        return self.known[key]

    def _look(self, state: State, plies: int) -> int:
        if state.is_terminal:
            others = [state.goals[other] or 0 for other in state.game.roles if other != self.role]
            return ((state.goals[self.role] or 0) - max(others, default=50)) * END
        if plies <= 0:
            return self._reward(state)
        # Others are assumed to know the role's simultaneous move.
        value = max(self._worst(state, move, plies) for move in state.legal(self.role))
        return value - (value > MOST_REWARD) + (value < -MOST_REWARD)

    def _reward(self, state: State) -> int:
        key = state.key
        if not isinstance(key, int):
            return 0
        return sum(
            (1 if role == self.role else -1) * sum(threat.holds(key) for threat in threats)
            for role, threats in self.threats.items()
        )


def _after(state: State, role: Role, move: Move) -> list[State]:
    """Return the states that a move can lead to, whatever others do."""
    joints: list[tuple[Move, ...]] = [()]
    for other in state.game.roles:
        moves = (move,) if other == role else state.legal(other)
        joints = [(*joint, one) for joint in joints for one in moves]
    return [state.step(joint) for joint in joints]
