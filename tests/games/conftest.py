"""Where the tests of the library take their engines from, and how they count with them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product

from kibitz.engine import Game, ReferenceGame, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import catalogue, load_sheet

EXAMPLES = tuple(example for entry in catalogue() for example in entry.examples)

BUDGET = 60
"""States that the reference engine visits in one game; it takes about 10 ms for each."""


@lru_cache(maxsize=20)
def engine(name: str) -> CompiledGame:
    return CompiledGame(load_sheet(name))


def reference(name: str) -> Game:
    return ReferenceGame(load_sheet(name))


def successors(state: State) -> list[State]:
    """Give the state after each joint move, none when the match is over."""
    if state.is_terminal:
        return []
    return [state.step(joint) for joint in product(*map(state.legal, state.game.roles))]


def count(game: Game, depth: int) -> int:
    """Count the plays of exactly so many joint moves."""
    level = Counter([game.initial()])
    for _ in range(depth):
        following: Counter[State] = Counter()
        for state, plays in level.items():
            for successor in successors(state):
                following[successor] += plays
        level = following
    return level.total()
