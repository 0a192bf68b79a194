"""All families of games: for each name its parameters, rule sheets, and the facts to add."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from kibitz.games.facts import (
    board,
    bottom,
    crossdot,
    grid,
    hanoi,
    kayles,
    marks,
    nim,
    pawns,
    piles,
    plain,
    race,
    rhombus,
)


@dataclass(frozen=True, slots=True)
class Family:
    """One game, or all games that differ in parameters only.

    `parameters` is the syntax of what follows the colon: FIELD is a number, FIELD,... a list of
    numbers, [...] is optional, and a word in small letters stands for itself. `facts` takes the
    fields as keywords in small letters; its defaults give the game of the bare name.
    """

    summary: str
    facts: Callable[..., str] = plain
    sheets: tuple[str, ...] = ()
    parameters: str = ""
    examples: tuple[str, ...] = ()
    limits: Mapping[str, range] = field(default_factory=dict)
    title: str = ""
    """What people call it, where that is not its name."""
    also: tuple[str, ...] = ()
    """Other names that people call it."""


LIMITS: Mapping[str, range] = {
    "ROWS": range(1, 21),
    "COLS": range(1, 21),
    "K": range(1, 21),
    "M": range(1, 51),
    "HEAP": range(51),
    "PINS": range(1, 51),
    "SIZE": range(1, 15),
    "DISKS": range(1, 13),
}
"""The limits of numbers, where a family does not give others."""

MOST_HEAPS = 26

_SIZE = "ROWSxCOLS"

FAMILIES: Mapping[str, Family] = {
    "tictactoe": Family(
        "Three in a row on a board of three by three.",
        partial(grid, rows=3, cols=3, k=3),
        sheets=("mnk", "grid"),
        title="Tic-tac-toe",
        also=("noughts and crosses", "naughts and crosses", "xs and os", "exes and ohs"),
    ),
    "mnk": Family(
        "Marks anywhere on a grid, K in a line win.",
        partial(grid, rows=3, cols=3, k=3),
        sheets=("mnk", "grid"),
        parameters="ROWS,COLS,K[,LINES]",
        examples=("mnk:3,3,3,RC", "mnk:4,4,3", "mnk:4,4,3,RC"),
        title="K in a line",
    ),
    "connectfour": Family(
        "Four in a line on a board of six rows and seven columns, marks fall.",
        partial(grid, rows=6, cols=7, k=4),
        sheets=("connect", "grid"),
        title="Connect four",
        also=("connect 4", "four in a row"),
    ),
    "connect": Family(
        "Marks fall to the bottom of a column, K in a line win.",
        partial(grid, rows=6, cols=7, k=4),
        sheets=("connect", "grid"),
        parameters=f"K,{_SIZE}[,LINES]",
        examples=("connect:3,4x4", "connect:4,5x5", "connect:4,5x5,RC"),
        title="Connect",
    ),
    "bottom2": Family(
        "Marks on one of the lowest empty cells of a column (bottomL: the L lowest), "
        "K in a line win.",
        partial(bottom, level=2, rows=3, cols=3, k=3),
        sheets=("bottom", "grid"),
        parameters=f"K,{_SIZE}[,LINES]",
        examples=("bottom2:3,3x3,RC", "bottom2:3,4x4", "bottom3:3,4x4"),
        title="Bottom two",
    ),
    "crossdot": Family(
        "Crosses and dots in a line of M boxes, K side by side win.",
        partial(crossdot, m=6, k=3),
        parameters="M,K",
        examples=("crossdot:4,2", "crossdot:8,3"),
        title="Crosses and dots",
    ),
    "sum15": Family(
        "Pick numbers from 1 to 9; three that add up to 15 win.", title="Sum to fifteen"
    ),
    "nim": Family(
        "Take from one heap as much as you like; the last to take wins, or loses in misère play. "
        "With digits, the rules also derive which binary digits an odd number of heaps has.",
        partial(nim, heap=(1, 3, 5, 7)),
        parameters="HEAP,...[,misere][,digits]",
        also=("marienbad",),
        examples=("nim:1,2,4,5", "nim:1,3,5,7", "nim:1,3,5,7,misere", "nim:1,3,5,7,digits"),
    ),
    "piles": Family(
        "Take up to six, or any number, from one of several numbered piles; the last to take wins. "
        "Of equal piles only the first may be chosen.",
        partial(piles, heap=(1, 3, 5, 7)),
        parameters="HEAP,...[,free]",
        examples=("piles:2,2,3,0", "piles:1,2,3,3", "piles:7,7,7,7,free"),
    ),
    "marks": Family(
        "Marks anywhere on a grid, K in a line win; the state lists who has which cell.",
        partial(marks, rows=3, cols=3, k=3),
        parameters="ROWS,COLS,K",
        examples=("marks:3,3,3", "marks:3,4,3"),
    ),
    "kayles": Family(
        "Knock over one pin or two neighbours in a row; the last to do so wins.",
        partial(kayles, pins=7),
        parameters="PINS",
        examples=("kayles:10",),
    ),
    "chomp": Family(
        "Bite corners off a bar of chocolate; whoever eats the poisoned square loses.",
        partial(board, rows=3, cols=4),
        parameters=_SIZE,
        examples=("chomp:4x5",),
    ),
    "domineering": Family(
        "Upright against flat dominoes; whoever finds no room loses.",
        partial(board, rows=4, cols=4),
        parameters=_SIZE,
        examples=("domineering:3x4", "domineering:8x8"),
    ),
    "sim": Family("Colour the edges between six points; an own triangle loses."),
    "hex": Family(
        "Join two opposite sides of a rhombus of hexagons.",
        partial(rhombus, size=3),
        parameters="SIZE",
        examples=("hex:3", "hex:4"),
    ),
    "threemensmorris": Family(
        "Place three men, then move them along the lines; three in a line win. Has cycles.",
        title="Three men's morris",
    ),
    "breakthrough": Family(
        "Men run across the board and capture diagonally; the first to arrive wins.",
        partial(race, rows=8, cols=8),
        sheets=("breakthrough", "race"),
        parameters=_SIZE,
        examples=("breakthrough:4x3", "breakthrough:5x5"),
        # A single column would leave men stuck.
        limits={"ROWS": range(4, 21), "COLS": range(2, 21)},
    ),
    "knightthrough": Family(
        "Breakthrough with knights that jump ahead only.",
        partial(race, rows=8, cols=8),
        sheets=("knightthrough", "race"),
        parameters=_SIZE,
        examples=("knightthrough:5x4", "knightthrough:6x6"),
        # On three columns a knight in the middle cannot jump to the last row.
        limits={"ROWS": range(4, 21), "COLS": range(4, 21)},
    ),
    "pawnwhopping": Family(
        "Chess with pawns only; the first to arrive wins.",
        partial(pawns, rows=8, cols=8),
        sheets=("pawnwhopping", "race"),
        parameters=_SIZE,
        examples=("pawnwhopping:5x3", "pawnwhopping:6x4"),
        limits={"ROWS": range(4, 21)},
        title="Pawn whopping",
    ),
    "tictacchec": Family(
        "Four chessmen each on a board of four by four; four own men in a line win.",
        title="Tic-tac-chec",
    ),
    "roshambo": Family(
        "Rock, paper, scissors, three rounds, both players at once.",
        title="Rock, paper, scissors",
    ),
    "lightsout": Family(
        "Press lamps, which switches their neighbours as well, until all are dark.",
        partial(board, rows=3, cols=3),
        parameters=_SIZE,
        examples=("lightsout:2x3", "lightsout:4x4"),
        title="Lights out",
    ),
    "hanoi": Family(
        "Move a tower to the third peg, disk by disk, never a larger one onto a smaller.",
        partial(hanoi, disks=3),
        parameters="DISKS",
        examples=("hanoi:5",),
        title="Tower of Hanoi",
        also=("towers of hanoi",),
    ),
    "eightpuzzle": Family(
        "Slide eight tiles in a frame of nine cells into order.",
        title="Eight puzzle",
        also=("8 puzzle", "sliding puzzle"),
    ),
    "maze": Family("Find the way through a maze of five by five cells."),
    "pegsolitaire": Family(
        "Jump pegs over pegs on a triangle of 15 holes until one is left.", title="Peg solitaire"
    ),
}
"""The families in the order in which they are shown."""

VARIANTS: Mapping[str, Family] = {
    f"bottom{level}": replace(
        FAMILIES["bottom2"], facts=partial(FAMILIES["bottom2"].facts, level=level)
    )
    for level in range(1, 21)
}
"""Families that the catalogue does not list."""
