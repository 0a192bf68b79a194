"""Games of the library beside the same games written by hand."""

from __future__ import annotations

import re
from functools import cache

from tests.puzzles.plain import Board, GridGame

from kibitz.engine import State
from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.solve import Solution, solve
from kibitz.space import explore

__all__ = ["board_of", "by_hand", "ids_of", "solved"]


@cache
def solved(name: str) -> Solution:
    return solve(explore(CompiledGame(load_sheet(name))))


@cache
def by_hand(name: str) -> GridGame:
    """Make the game that a name of the families mnk, connect and bottom2 means, by hand."""
    family, _, parameters = name.partition(":")
    numbers = [int(n) for n in re.findall(r"\d+", parameters)]
    lines = (re.findall(r"[RCD]+$", parameters) or ["RCD"])[0]
    rows, cols, k = numbers if family == "mnk" else (*numbers[1:], numbers[0])
    return GridGame(rows, cols, k, lines, {"mnk": rows, "connect": 1, "bottom2": 2}[family])


def board_of(state: State, cols: int) -> Board:
    marks = {"x": 0, "o": 0}
    for fluent in state.fluents:
        if fluent.name == "cell" and str(fluent.args[2]) in marks:
            row, col = (int(str(arg)) - 1 for arg in fluent.args[:2])
            marks[str(fluent.args[2])] |= 1 << row * cols + col
    return marks["x"], marks["o"]


@cache
def ids_of(name: str) -> dict[Board, int]:
    """Number the boards of a game as its space does."""
    space, cols = solved(name).space, by_hand(name).cols
    return {board_of(space.state(i), cols): i for i in range(len(space))}
