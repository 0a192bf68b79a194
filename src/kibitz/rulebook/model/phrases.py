"""What sentences and their parts are made of: names, cells, and what is on them."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.errors import Place

__all__ = [
    "ANYONE",
    "EACH",
    "OPPONENT",
    "YOU",
    "Cells",
    "Centre",
    "Columns",
    "Corners",
    "Edge",
    "Empty",
    "Every",
    "FarRow",
    "HomeRow",
    "HomeRows",
    "Name",
    "Near",
    "NthRow",
    "Others",
    "Region",
    "Rows",
    "Sentence",
    "Side",
    "Statement",
    "TheirStart",
    "Whose",
]


YOU = ""
"""Stands in the place of a player's name for the player who is spoken of."""
OPPONENT = "opponent"
"""Stands in the place of a player's name for every other player."""
EACH = "each"
"""Stands in the place of a player's name for all players, each as seen from their own side."""
ANYONE = "any"
"""Stands in the place of an owner for pieces whoever they belong to."""


class Name(str):
    """A word of the text, and its place there; equal to the same word anywhere."""

    place: Place | None = None

    @classmethod
    def at(cls, text: str, place: Place) -> Name:
        """Make a word with its place."""
        name = cls(text)
        name.place = place
        return name


class Sentence:
    """What a rule book is made of."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Statement(Sentence):
    """A sentence with letters, with its full stop; `statements` reads it."""

    text: str


@dataclass(frozen=True, slots=True)
class Cells:
    """These cells."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """These rows, counted from the bottom."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """These columns, by their letters."""

    letters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FarRow:
    """The row that is farthest from a player."""


@dataclass(frozen=True, slots=True)
class HomeRow:
    """The row that is nearest to a player."""


@dataclass(frozen=True, slots=True)
class HomeRows:
    """The rows that are nearest to a player."""

    count: int


@dataclass(frozen=True, slots=True)
class NthRow:
    """The row that is so many rows from a player, the nearest being the first."""

    number: int


@dataclass(frozen=True, slots=True)
class Side:
    """The top or bottom row, or the left or right column."""

    side: str


@dataclass(frozen=True, slots=True)
class Centre:
    """The cells in the middle of the board."""


@dataclass(frozen=True, slots=True)
class TheirStart:
    """The cells on which the pieces of the opponent start."""


@dataclass(frozen=True, slots=True)
class Others:
    """The cells that no other sentence of the same kind names."""


@dataclass(frozen=True, slots=True)
class Edge:
    """The cells at the edge of the board."""


@dataclass(frozen=True, slots=True)
class Corners:
    """The corners of the board."""


@dataclass(frozen=True, slots=True)
class Every:
    """All cells."""


Region = (
    Cells
    | Rows
    | Columns
    | FarRow
    | HomeRow
    | HomeRows
    | NthRow
    | Side
    | Centre
    | TheirStart
    | Others
    | Edge
    | Corners
    | Every
)


@dataclass(frozen=True, slots=True)
class Whose:
    """A piece: yours, your opponent's or anyone's, of a kind."""

    owner: str
    kind: str


@dataclass(frozen=True, slots=True)
class Near:
    """A cell next to a piece, or next to none."""

    piece: Whose
    is_near: bool


@dataclass(frozen=True, slots=True)
class Empty:
    """An empty cell, with what else is asked of it."""

    region: Region | None = None
    near: Near | None = None
