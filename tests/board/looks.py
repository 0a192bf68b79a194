"""What tests of boards share: games, random states, and what of a picture can be seen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from tests.foreign import FOREIGN

import kibitz
from kibitz.board import Picture
from kibitz.board.drawing.picture import Shape, ShapeGroup
from kibitz.engine import Game, State, make_game
from kibitz.gdl import read

LIBRARY = (
    "tictactoe", "connectfour", "bottom2:3,3x3", "crossdot:5,3", "sum15", "nim:1,3,5,7", "kayles:5",
    "chomp:3x4", "domineering:3x3", "sim", "hex:3", "threemensmorris", "breakthrough:5x5",
    "knightthrough:5x5", "pawnwhopping:5x5", "tictacchec", "roshambo", "lightsout:3x3", "hanoi:4",
    "eightpuzzle", "maze", "pegsolitaire",
)  # fmt: skip


@cache
def game(name: str) -> Game:
    return kibitz.load(name)


@cache
def foreign(name: str) -> Game:
    path = FOREIGN / "rules" / f"{name}.kif"
    return make_game(read(path.read_bytes(), name=name))


def walk(game: Game, length: int, seed: int = 1) -> Iterator[State]:
    """Walk random states, the initial one first."""
    source = random.Random(seed)
    state = game.initial()
    for _ in range(length):
        yield state
        if state.is_terminal:
            state = game.initial()
            continue
        state = state.step([source.choice(state.legal(role)) for role in game.roles])


def visible(picture: Picture) -> tuple[Shape, ...]:
    """Give what eyes see: shapes without what only screen readers are told."""
    return tuple(shape for outer in picture.shapes for shape in _plain(outer))


def _plain(shape: Shape) -> Iterator[Shape]:
    if isinstance(shape, ShapeGroup):
        for inner in shape.shapes:
            yield from _plain(inner)
    else:
        yield shape
