"""A Game in, some of its states out: the first ones, and those of some random matches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from kibitz.engine import Game, State

__all__ = ["Sample"]

_STATES = 250
_OPTIONS = 5_000
"""Moves that are looked at before sentences are proposed; the match is finished, as a rule."""
_MOST_OPTIONS = 4 * _OPTIONS
_FIRST_STATES = 800


class Sample:
    """States of a game with their depths: the first ones, and those of some random matches."""

    def __init__(self, game: Game, count: int = _STATES) -> None:
        self.game = game
        random = Random(0)
        self.states: list[tuple[State, int]] = []
        seen: set[object] = set()

        def add(state: State, depth: int) -> None:
            if state.key not in seen:
                seen.add(state.key)
                self.states.append((state, depth))

        matches = options = 0
        while len(self.states) < count and matches < count and options < _OPTIONS:
            matches += 1
            state, depth = game.initial(), 0
            add(state, depth)
            while not state.is_terminal and depth < 300 and options < _MOST_OPTIONS:
                legal = [state.legal(role) for role in game.roles]
                if not all(legal):
                    break
                options += sum(map(len, legal))
                state = state.step([random.choice(moves) for moves in legal])
                depth += 1
                add(state, depth)

        if not any(state.is_terminal for state, _ in self.states):
            for state, depth in self._first_ends():
                add(state, depth)

    def _first_ends(self) -> Iterator[tuple[State, int]]:
        """Yield ends near the start, for games that random play does not finish."""
        start = self.game.initial()
        waiting, seen = [(start, 0)], {start.key}
        for state, depth in waiting:
            if state.is_terminal:
                yield state, depth
                continue
            legal = [state.legal(role) for role in self.game.roles]
            for joint in product(*legal) if len(waiting) < _FIRST_STATES else ():
                after = state.step(joint)
                if after.key not in seen:
                    seen.add(after.key)
                    waiting.append((after, depth + 1))

    def has_simultaneous_moves(self) -> bool:
        """Return whether several players have a choice in one state."""
        return any(
            sum(len(state.legal(role)) > 1 for role in self.game.roles) > 1
            for state, _ in self.states
            if not state.is_terminal
        )

    def first_mover(self) -> int | None:
        """Return who moves first where players move in turn; None where they do not."""
        count = len(self.game.roles)
        active: list[tuple[int, list[int]]] = []
        for state, depth in self.states:
            if not state.is_terminal:
                sizes = [len(state.legal(role)) for role in self.game.roles]
                active.append((depth, sizes))
        for first in range(count):
            if all(
                size == 1 or number == (first + depth) % count
                for depth, sizes in active
                for number, size in enumerate(sizes)
            ):
                return first
        return None

    def turn_fluent(self, first: int) -> str:
        """Return the name of the fluent that says whose turn it is; nothing if none does."""
        roles = self.game.roles
        names = {fluent.name for fluent in self.game.initial().fluents if len(fluent.args) == 1}
        for state, depth in self.states:
            mover = roles[(first + depth) % len(roles)]
            held = [(f.name, str(f.args[0])) for f in state.fluents if len(f.args) == 1]
            names = {name for name in names if [who for n, who in held if n == name] == [mover]}
        return min(names, default="")
