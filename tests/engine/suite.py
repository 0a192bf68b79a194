"""What every engine must pass: the engines by name, and walks on which they are compared.

A further engine joins the shared suite by one line in `ENGINES`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from unittest.mock import patch

import pytest

from kibitz.engine import Game, ReferenceGame, State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.grounding import Grounding, ground
from kibitz.engine.ungrounded import UngroundedGame
from kibitz.gdl import RuleSheet, read

__all__ = [
    "BACKENDS",
    "ENGINES",
    "compile_all",
    "every_engine",
    "game_of",
    "holds",
    "jump_together",
    "moves",
    "view",
    "walk_together",
]

BACKENDS = ("straight", "interpreter")


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


def facts(state: State) -> dict[str, object]:
    """Write down the same in no order, and not the way the rule sheet writes it."""
    legal = {role: set(moves(state, role)) for role in state.game.roles}
    return {**view(state), "state": set(holds(state)), "legal": legal}


def walk_together(
    games: Iterable[Game], *, seed: object, steps: int, look: Callable[[State], object] = view
) -> None:
    """Make the same random moves in all games, past the end if rules allow, and compare."""
    choose = random.Random(str(seed)).choice
    states = [game.initial() for game in games]
    first = states[0]
    assert len({state.game.roles for state in states}) == 1
    for _ in range(steps):
        expected = look(states[0])
        for state in states[1:]:
            assert look(state) == expected, type(state.game).__name__
        legal = [states[0].legal(role) for role in first.game.roles]
        if not all(legal):
            states = [state.game.initial() for state in states]
            continue
        joint = [choose(choices) for choices in legal]
        states = [state.step(joint) for state in states]


def jump_together(games: Sequence[Game], *, seed: object, steps: int, mixing: bool = True) -> None:
    """Move on from any state met before, as a search does, or from a mixture of two; compare.

    A mixture may be no state that play can reach; the rules say something about it all the same,
    unless they were translated with the help of what holds in the states of play.
    """
    random_ = random.Random(str(seed))
    met = [[game.initial() for game in games]]
    first = met[0][0]
    for _ in range(steps):
        states = random_.choice(met[-40:])
        if mixing and random_.random() < 0.25:
            others = random_.choice(met)[0].fluents
            mixed = [f for f in (*states[0].fluents, *others) if random_.random() < 0.6]
            states = [state.game.state(mixed) for state in states]
        expected = facts(states[0])
        for state in states[1:]:
            assert facts(state) == expected, (type(state.game).__name__, expected["state"])
        legal = [states[0].legal(role) for role in first.game.roles]
        if all(legal):
            joint = [random_.choice(choices) for choices in legal]
            met.append([state.step(joint) for state in states])
            expected = facts(met[-1][0])
            for state in met[-1][1:]:
                assert facts(state) == expected, (type(state.game).__name__, joint)


def compile_all(sheet: RuleSheet, grounding: Grounding | None = None) -> list[CompiledGame]:
    """Compile a sheet for every backend, grounding it only once."""
    found = grounding or ground(sheet)
    with patch("kibitz.engine.compiled.game.ground_once", lambda _sheet, _budget: found):
        return [CompiledGame(sheet, backend=backend) for backend in BACKENDS]
