"""Every game of the library once more, in plain Python: slow, simple, and without any GDL.

The rule sheets are held against these: same states, same moves, same ends, same goals.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.games.by_hand.kinds import Game
from tests.games.by_hand.marks import CrossDot, Grid, Hex, Marks, Sim, Sum15
from tests.games.by_hand.men import (
    Breakthrough,
    Knightthrough,
    PawnWhopping,
    ThreeMensMorris,
    TicTacChec,
)
from tests.games.by_hand.others import (
    EightPuzzle,
    Hanoi,
    LightsOut,
    Maze,
    PegSolitaire,
    Roshambo,
)
from tests.games.by_hand.taking import Chomp, Domineering, Kayles, Nim, Piles

__all__ = ["Game", "by_hand"]


def by_hand(name: str) -> Game[Any]:
    """Set up a game by its full name; parameters that are left out take their usual values."""
    head, _, text = name.partition(":")
    words = re.split("[,x]", text) if text else []
    return GAMES[head](*(int(word) if word.isdecimal() else word for word in words))


def falling(
    k: int, rows: int, cols: int, lines: str = "RCD", *, reach: int, drops: bool = False
) -> Grid:
    return Grid(rows, cols, k, lines, reach, drops)


def nim(*words: int | str) -> Nim:
    return Nim(tuple(word for word in words if isinstance(word, int)), "misere" in words)


GAMES: dict[str, Callable[..., Game[Any]]] = {
    "tictactoe": lambda: Grid(3, 3, 3),
    "mnk": lambda *words: Grid(*words or (3, 3, 3)),
    "connectfour": lambda: Grid(6, 7, 4, reach=1, drops=True),
    "connect": lambda *words: falling(*words or (4, 6, 7), reach=1, drops=True),
    "crossdot": lambda m=6, k=3: CrossDot(m, k),
    "sum15": Sum15,
    "nim": lambda *words: nim(*words or (1, 3, 5, 7)),
    "piles": lambda *words: Piles(*words or (1, 3, 5, 7)),
    "marks": lambda *words: Marks(*words or (3, 3, 3)),
    "kayles": lambda pins=7: Kayles(pins),
    "chomp": lambda rows=3, cols=4: Chomp(rows, cols),
    "domineering": lambda rows=4, cols=4: Domineering(rows, cols),
    "sim": Sim,
    "hex": lambda size=3: Hex(size),
    "threemensmorris": ThreeMensMorris,
    "breakthrough": lambda rows=8, cols=8: Breakthrough(rows, cols),
    "knightthrough": lambda rows=8, cols=8: Knightthrough(rows, cols),
    "pawnwhopping": lambda rows=8, cols=8: PawnWhopping(rows, cols),
    "tictacchec": TicTacChec,
    "roshambo": Roshambo,
    "lightsout": lambda rows=3, cols=3: LightsOut(rows, cols),
    "hanoi": lambda disks=3: Hanoi(disks),
    "eightpuzzle": EightPuzzle,
    "maze": Maze,
    "pegsolitaire": PegSolitaire,
}
for level in range(1, 21):
    GAMES[f"bottom{level}"] = partial(
        lambda *words, reach: falling(*words or (3, 3, 3), reach=reach), reach=level
    )
