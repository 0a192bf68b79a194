"""What every engine must pass: the engines by name, and walks on which they are compared.

A further engine joins the shared suite by one line in `ENGINES`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import cache
from unittest.mock import patch

import pytest

from kibitz.engine import Game, ReferenceGame, State
from kibitz.engine.compiled import CompiledGame
from kibitz.engine.ungrounded import UngroundedGame
from kibitz.gdl import RuleSheet, read
from kibitz.ground import Grounding, ground

__all__ = [
    "BACKENDS",
    "ENGINES",
    "compile_all",
    "every_engine",
    "game_of",
    "holds",
    "moves",
    "view",
    "walk_together",
]

BACKENDS = ("straight", "interpreter", "numpy")


def _compiled(backend: str) -> Callable[[RuleSheet], Game]:
    return lambda sheet: CompiledGame(sheet, backend=backend)


ENGINES: dict[str, Callable[[RuleSheet], Game]] = {
    "reference": ReferenceGame,
    "ungrounded": UngroundedGame,
    **{f"compiled, {backend}": _compiled(backend) for backend in BACKENDS},
}

every_engine = pytest.mark.parametrize("engine", ENGINES)


@cache
def game_of(text: str, engine: str) -> Game:
    """Make a game of a text with an engine; the same text gives the same game."""
    return ENGINES[engine](read(text, form="kif"))


def holds(state: State) -> list[str]:
    return [str(fluent) for fluent in state.fluents]


def moves(state: State, role: str) -> list[str]:
    return [str(move) for move in state.legal(role)]


def view(state: State) -> dict[str, object]:
    """Write down all that the rules say in a state."""
    return {
        "state": str(state),
        "legal": {role: list(map(str, state.legal(role))) for role in state.game.roles},
        "terminal": state.is_terminal,
        "goals": state.goals,
    }


def walk_together(games: Iterable[Game], *, seed: object, steps: int) -> None:
    """Make the same random moves in all games, past the end if rules allow, and compare."""
    choose = random.Random(str(seed)).choice
    states = [game.initial() for game in games]
    first = states[0]
    assert len({state.game.roles for state in states}) == 1
    for _ in range(steps):
        expected = view(states[0])
        for state in states[1:]:
            assert view(state) == expected, type(state.game).__name__
        legal = [states[0].legal(role) for role in first.game.roles]
        if not all(legal):
            states = [state.game.initial() for state in states]
            continue
        joint = [choose(choices) for choices in legal]
        states = [state.step(joint) for state in states]


def compile_all(sheet: RuleSheet, grounding: Grounding | None = None) -> list[CompiledGame]:
    """Compile a sheet for every backend, grounding it only once."""
    found = grounding or ground(sheet)
    with patch("kibitz.engine.compiled.ground", lambda _sheet, _budget: found):
        return [CompiledGame(sheet, backend=backend) for backend in BACKENDS]
