"""Look at a game through its engine: what is known before anything is solved."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

from kibitz.engine.game import Game, Goal, Role
from kibitz.wording import join_words

_PLAYOUTS = 3
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Playout:
    """A random match: how many joint moves it took and how it ended, if it did."""

    length: int
    is_over: bool
    goals: dict[Role, Goal]


@dataclass(frozen=True, slots=True)
class Overview:
    """Overview of the initial state, derived from the rules, and of a few random matches."""

    roles: tuple[Role, ...]
    rules: int
    facts: int
    initial: tuple[str, ...]
    first_moves: dict[Role, tuple[str, ...]]
    playouts: tuple[Playout, ...]

    @property
    def movers(self) -> tuple[Role, ...]:
        """The roles with something to decide in the initial state."""
        return tuple(role for role, moves in self.first_moves.items() if len(moves) > 1)

    def as_json(self) -> dict[str, Any]:
        """Return the overview as JSON values."""
        return {
            "roles": self.roles,
            "rules": self.rules,
            "facts": self.facts,
            "initial": self.initial,
            "first_moves": self.first_moves,
            "playouts": [
                {"length": p.length, "terminal": p.is_over, "goals": p.goals} for p in self.playouts
            ],
        }

    def as_text(self, name: str) -> str:
        """Describe the overview in plain text."""
        lines = [f"{name}: {_roles(self.roles)}, {self.rules} rules and {self.facts} facts."]
        lines.append(f"It starts with {_some(self.initial, 12)}.")
        if len(self.movers) > 1:
            lines.append(f"{join_words(self.movers)} move at the same time.")
        for role in self.movers or self.roles:
            moves = self.first_moves[role]
            count = f"{len(moves)} moves" if len(moves) != 1 else "one move"
            lines.append(f"{role} has {count} to begin with: {_some(moves, 9)}.")
        for number, playout in enumerate(self.playouts, start=1):
            goals = ", ".join(f"{r} {'-' if g is None else g}" for r, g in playout.goals.items())
            end = f"over after {playout.length} moves" if playout.is_over else "not over"
            lines.append(f"Random match {number}: {end}; goals: {goals}.")
        return "\n".join(lines)


def overview(game: Game, *, seed: int = 1, seconds: float = 5.0) -> Overview:
    """Look at the initial state and play a few random matches, cut short if they take long.

    >>> from kibitz.engine import ReferenceGame
    >>> from kibitz.games import load_sheet
    >>> overview(ReferenceGame(load_sheet("nim:1,1"))).movers
    ('player1',)
    """
    facts = sum(not rule.body for rule in game.sheet.rules)
    start = game.initial()
    write = game.write
    random_source = random.Random(seed)
    deadline = time.monotonic() + seconds
    return Overview(
        game.roles,
        len(game.sheet.rules) - facts,
        facts,
        tuple(map(write, start.fluents)),
        {role: tuple(map(write, start.legal(role))) for role in game.roles},
        tuple(_playout(game, random_source, deadline) for _ in range(_PLAYOUTS)),
    )


def _playout(game: Game, source: random.Random, deadline: float) -> Playout:
    state = game.initial()
    length = 0
    while not state.is_terminal and length < _LONGEST and time.monotonic() < deadline:
        choices = [state.legal(role) for role in game.roles]
        if not all(choices):
            break
        state = state.step([source.choice(moves) for moves in choices])
        length += 1
    return Playout(length, state.is_terminal, state.goals)


def _roles(roles: tuple[Role, ...]) -> str:
    count = "one role" if len(roles) == 1 else f"{len(roles)} roles"
    return f"{count}, {join_words(roles)}"


def _some(words: tuple[str, ...], most: int) -> str:
    if not words:
        return "nothing"
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return " ".join(words[:most]) + more
