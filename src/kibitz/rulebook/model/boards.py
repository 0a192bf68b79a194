"""Sentences about boards, players, pieces and how the game starts."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.rulebook.model.phrases import Region, Sentence

__all__ = [
    "Begins",
    "Belongs",
    "Grid",
    "Hand",
    "Join",
    "Missing",
    "MovesPerTurn",
    "Neighbours",
    "Piles",
    "Pits",
    "Players",
    "Points",
    "Ring",
    "Rounds",
    "Row",
    "Simultaneous",
    "Start",
    "Stock",
    "Store",
    "Title",
]


@dataclass(frozen=True, slots=True)
class Title(Sentence):
    """The name of the game."""

    name: str


@dataclass(frozen=True, slots=True)
class Grid(Sentence):
    """A board of columns and rows, of squares or of hexagons."""

    columns: int
    rows: int
    shape: str


@dataclass(frozen=True, slots=True)
class Row(Sentence):
    """Cells in a row, numbered from 1."""

    cells: int


@dataclass(frozen=True, slots=True)
class Ring(Sentence):
    """Cells in a circle, numbered clockwise from 1."""

    cells: int


@dataclass(frozen=True, slots=True)
class Points(Sentence):
    """Points with names; lines join them."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Join(Sentence):
    """Points on a line, in order; neighbours on it are joined."""

    points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Neighbours(Sentence):
    """Points that a point is joined to, each by a line of two."""

    point: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Missing(Sentence):
    """Cells that a grid has not."""

    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piles(Sentence):
    """Piles of counters."""

    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Players(Sentence):
    """The players, in the order of their turns."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Begins(Sentence):
    """Who moves first, if not the first player."""

    player: str


@dataclass(frozen=True, slots=True)
class Simultaneous(Sentence):
    """All players move at once."""


@dataclass(frozen=True, slots=True)
class Rounds(Sentence):
    """How often players choose; what they get adds up."""

    count: int


@dataclass(frozen=True, slots=True)
class MovesPerTurn(Sentence):
    """How many moves a turn has."""

    count: int


@dataclass(frozen=True, slots=True)
class Belongs(Sentence):
    """A kind of piece that no player owns."""

    kind: str


@dataclass(frozen=True, slots=True)
class Start(Sentence):
    """Pieces of a player on cells; of nobody, if the player has no name.

    A count is what a designer said; it must be that of the cells.
    """

    player: str
    kind: str
    region: Region
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Hand(Sentence):
    """How many pieces a player has to place; every player, if it has no name."""

    player: str
    count: int
    kind: str = "piece"


@dataclass(frozen=True, slots=True)
class Pits(Sentence):
    """Cells of a ring that hold seeds, and who sows from them."""

    player: str
    cells: tuple[str, ...]
    seeds: int


@dataclass(frozen=True, slots=True)
class Store(Sentence):
    """A cell of a ring that keeps a player's seeds."""

    player: str
    cell: str


@dataclass(frozen=True, slots=True)
class Stock(Sentence):
    """Things that every player has a number of, such as bullets or points."""

    count: int
    noun: str
    most: int
