"""Plain UCT through the Game protocol, one random match at a time.

For games that have no compiled engine, and as a simple baseline for `tree_search`.
"""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass, field

from kibitz.engine import Move, State
from kibitz.play.agents.agent import Agent, MatchSoFar

_LONGEST = 1000


@dataclass(slots=True)
class _Node:
    """A state with, for each role, its moves' visits and sums of goals."""

    state: State
    visits: int = 0
    stats: list[dict[Move, list[float]]] = field(default_factory=list)
    children: dict[tuple[Move, ...], _Node] = field(default_factory=dict)


class UctAgent(Agent):
    """Searches by upper confidence bounds, each role for itself."""

    name = "uct"

    def __init__(
        self, seed: int = 1, *, playouts: int | None = None, exploration: float = 1.0
    ) -> None:
        self.source = random.Random(seed)
        self.limit, self.exploration = playouts, exploration
        self.playouts = 0

    def choose(self, line: MatchSoFar, deadline: float) -> Move:
        """Search until shortly before the deadline, and return the most visited move."""
        root = _Node(line.state)
        begun = 0
        while (begun < (self.limit or math.inf) and time.monotonic() < deadline) or not begun:
            self._visit(root, deadline)
            begun += 1
            mine = root.stats[self.game.roles.index(self.role)]
            best = max(mine, key=lambda move: mine[move][0])
            self.publish(line, best)
        self.playouts += begun
        return best

    def _visit(self, root: _Node, deadline: float) -> None:
        node = root
        path: list[tuple[_Node, tuple[Move, ...]]] = []
        while not node.state.is_terminal and len(path) < _LONGEST:
            if not node.stats:
                node.stats = [
                    {move: [0, 0.0] for move in node.state.legal(role)} for role in self.game.roles
                ]
            if not all(node.stats):
                break
            joint = tuple(self._pick(node, moves) for moves in node.stats)
            path.append((node, joint))
            if joint in node.children:
                node = node.children[joint]
                continue
            node.children[joint] = node = _Node(self.game.successor(node.state.key, joint))
            break
        goals = self._play_out(node.state, deadline)
        for node, joint in path:
            node.visits += 1
            for moves, move, goal in zip(node.stats, joint, goals, strict=True):
                moves[move][0] += 1
                moves[move][1] += goal

    def _pick(self, node: _Node, moves: dict[Move, list[float]]) -> Move:
        untried = [move for move, (times, _) in moves.items() if not times]
        if untried:
            return self.source.choice(untried)
        log = math.log(node.visits)

        def bound(move: Move) -> float:
            times, total = moves[move]
            return total / times + self.exploration * math.sqrt(log / times)

        return max(moves, key=bound)

    def _play_out(self, state: State, deadline: float) -> list[float]:
        for _ in range(_LONGEST):
            if state.is_terminal:
                return [(50 if goal is None else goal) / 100 for goal in state.goals.values()]
            choices = [state.legal(role) for role in self.game.roles]
            if not all(choices) or time.monotonic() > deadline:
                break
            joint = tuple(map(self.source.choice, choices))
            state = self.game.successor(state.key, joint)
        return [0.5] * len(self.game.roles)
