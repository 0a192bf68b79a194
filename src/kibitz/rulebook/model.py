"""The rules of a board game as typed sentences: what the reader makes and the writer takes.

A Rules is a tuple of sentences in a fixed order. Each sentence is a frozen dataclass whose fields
are numbers, names and smaller phrases; `sentences.py` says how each of them is spelled. The empty
name stands for *you*: whoever is spoken of in a rule that holds for every player.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from kibitz.errors import Place

__all__ = [
    "ANYONE",
    "BOARDS",
    "OPPONENT",
    "YOU",
    "Beats",
    "Begins",
    "Belongs",
    "Bite",
    "BoardEmpty",
    "BoardFull",
    "CannotMove",
    "Cells",
    "Choice",
    "Choose",
    "Clash",
    "Columns",
    "Condition",
    "Connected",
    "Corners",
    "Count",
    "Domino",
    "DoubleStep",
    "Drop",
    "Edge",
    "Empty",
    "Enclose",
    "End",
    "Every",
    "FarRow",
    "Flip",
    "Gain",
    "Gets",
    "Grid",
    "Hand",
    "HomeRow",
    "HomeRows",
    "Join",
    "Jump",
    "LayDomino",
    "Leave",
    "Line",
    "LineThere",
    "Missing",
    "Most",
    "Move",
    "MoveRule",
    "MovedLast",
    "MovesPerTurn",
    "MustCapture",
    "MustTurnOver",
    "Name",
    "Near",
    "Neighbours",
    "NoPiece",
    "NobodyCanMove",
    "NoneInHand",
    "Pass",
    "PassIfStuck",
    "Payoff",
    "Picks",
    "Piles",
    "Pits",
    "Players",
    "Points",
    "Promotion",
    "Push",
    "Put",
    "PutLow",
    "Region",
    "Remove",
    "RemovePair",
    "Repeated",
    "Ring",
    "Rounds",
    "Row",
    "Rows",
    "Rules",
    "SamePayoff",
    "Score",
    "Sentence",
    "Simultaneous",
    "Slide",
    "Sow",
    "Stands",
    "Start",
    "Statement",
    "Step",
    "Stock",
    "Store",
    "Sum",
    "Swap",
    "Switch",
    "Take",
    "TakeEach",
    "Title",
    "TurnOver",
    "TurnsPlayed",
    "Whose",
]

YOU = ""
"""Stands in the place of a player's name for the player who is spoken of."""
OPPONENT = "opponent"
"""Stands in the place of a player's name for every other player."""
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


_Kind = TypeVar("_Kind", bound=Sentence)


@dataclass(frozen=True, slots=True)
class Statement(Sentence):
    """A sentence with letters, with its full stop; `statements` reads it."""

    text: str


# Phrases: cells, what is on them, directions.


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
class Edge:
    """The cells at the edge of the board."""


@dataclass(frozen=True, slots=True)
class Corners:
    """The corners of the board."""


@dataclass(frozen=True, slots=True)
class Every:
    """All cells."""


Region = Cells | Rows | Columns | FarRow | HomeRow | HomeRows | Edge | Corners | Every


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


# Boards.


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


# Players, pieces and the start.


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
    """Pieces of a player on cells; of nobody, if the player has no name."""

    player: str
    kind: str
    region: Region


@dataclass(frozen=True, slots=True)
class Hand(Sentence):
    """How many pieces a player has to place; every player, if it has no name."""

    player: str
    count: int


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


# Moves.


@dataclass(frozen=True, slots=True)
class Put:
    """Place a piece on an empty cell."""

    kind: str
    cell: Empty


@dataclass(frozen=True, slots=True)
class Drop:
    """Let a piece fall to the lowest empty cell of a column."""

    kind: str


@dataclass(frozen=True, slots=True)
class PutLow:
    """Place a piece on one of the lowest empty cells of a column."""

    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class Domino:
    """Cover two empty neighbours for good."""

    way: str


@dataclass(frozen=True, slots=True)
class LayDomino:
    """Take up the own two pieces and lay them on two neighbours, not both where they were."""


@dataclass(frozen=True, slots=True)
class Step:
    """Move a piece to a neighbour, or like a knight."""

    kind: str
    directions: tuple[str, ...]
    target: str


@dataclass(frozen=True, slots=True)
class Slide:
    """Move a piece any number of steps over empty cells."""

    kind: str
    directions: tuple[str, ...]
    target: str


@dataclass(frozen=True, slots=True)
class DoubleStep:
    """Move a piece two steps over an empty cell to an empty cell, from some cells only."""

    kind: str
    directions: tuple[str, ...]
    region: Region


@dataclass(frozen=True, slots=True)
class Jump:
    """Move a piece over a neighbour to the empty cell behind it."""

    kind: str
    directions: tuple[str, ...]
    over: Whose
    captures: bool


@dataclass(frozen=True, slots=True)
class Leave:
    """Move a piece off the board."""

    kind: str
    region: Region


@dataclass(frozen=True, slots=True)
class Remove:
    """Take a piece off the board."""

    piece: Whose


@dataclass(frozen=True, slots=True)
class RemovePair:
    """Take two neighbouring pieces off the board."""

    kind: str


@dataclass(frozen=True, slots=True)
class Bite:
    """Remove a piece with all above it and to its right."""

    kind: str


@dataclass(frozen=True, slots=True)
class Switch:
    """Turn pieces on a cell and its neighbours on or off."""

    kind: str
    neighbours: bool


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchange an own piece with a neighbour."""

    kind: str
    other: Whose


@dataclass(frozen=True, slots=True)
class Flip:
    """Turn over a piece of the opponent, which then is an own one."""

    near: Near | None = None


@dataclass(frozen=True, slots=True)
class Push:
    """Move onto a neighbour, which goes one step on; `off` says that it may leave the board."""

    kind: str
    directions: tuple[str, ...]
    other: Whose
    off: bool


@dataclass(frozen=True, slots=True)
class Take:
    """Take counters from one pile; at most 0 is any number."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class TakeEach:
    """Take the same number from every pile."""


@dataclass(frozen=True, slots=True)
class Sow:
    """Take the seeds of an own pit, and lay them one by one into the next."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose one of several words."""

    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing."""


Move = (
    Put
    | Drop
    | PutLow
    | Domino
    | LayDomino
    | Step
    | Slide
    | DoubleStep
    | Jump
    | Leave
    | Remove
    | RemovePair
    | Bite
    | Switch
    | Swap
    | Flip
    | Push
    | Take
    | TakeEach
    | Sow
    | Choose
    | Pass
)


@dataclass(frozen=True, slots=True)
class NoneInHand:
    """You have no piece in hand."""


@dataclass(frozen=True, slots=True)
class MoveRule(Sentence):
    """What a player may do, if a condition holds."""

    player: str
    condition: NoneInHand | None
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class MustCapture(Sentence):
    """Whoever can capture must."""


@dataclass(frozen=True, slots=True)
class PassIfStuck(Sentence):
    """Whoever cannot move passes."""


@dataclass(frozen=True, slots=True)
class Promotion(Sentence):
    """A piece that arrives somewhere becomes another."""

    kind: str
    region: Region
    new: str


@dataclass(frozen=True, slots=True)
class Enclose(Sentence):
    """Pieces of the opponent between the piece that moved and another own piece are captured."""


@dataclass(frozen=True, slots=True)
class TurnOver(Sentence):
    """A placed piece turns over lines of the opponent's between it and another own piece."""


@dataclass(frozen=True, slots=True)
class MustTurnOver(Sentence):
    """A piece may be placed only where it turns over another."""


@dataclass(frozen=True, slots=True)
class Clash(Sentence):
    """A cell that several players choose at once stays empty."""


@dataclass(frozen=True, slots=True)
class Gain(Sentence):
    """What a choice gives or costs."""

    choice: str
    verb: str
    count: int
    noun: str


@dataclass(frozen=True, slots=True)
class Beats(Sentence):
    """A choice that beats others."""

    choice: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score(Sentence):
    """What a choice that beats the opponent's gives."""

    count: int
    noun: str


# Ends.


@dataclass(frozen=True, slots=True)
class Line:
    """Own pieces in a line."""

    owner: str
    count: int
    ways: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Own pieces on cells of a row whose numbers add up."""

    owner: str
    count: int
    total: int


@dataclass(frozen=True, slots=True)
class LineThere:
    """Equal pieces in a line, whoever placed them."""

    count: int
    kind: str
    ways: str


@dataclass(frozen=True, slots=True)
class Stands:
    """A player has a piece on a cell of a region."""

    owner: str
    kind: str
    region: Region


@dataclass(frozen=True, slots=True)
class Connected:
    """The pieces of a player connect two sides."""

    owner: str
    sides: str


@dataclass(frozen=True, slots=True)
class NoPiece:
    """A player has no such piece left."""

    owner: str
    kind: str


@dataclass(frozen=True, slots=True)
class Count:
    """A player has exactly, at least, or fewer than, so many pieces."""

    owner: str
    how: str
    count: int
    kind: str


@dataclass(frozen=True, slots=True)
class CannotMove:
    """A player has no move when it is that player's turn."""

    owner: str


@dataclass(frozen=True, slots=True)
class NobodyCanMove:
    """No player would have a move."""


@dataclass(frozen=True, slots=True)
class MovedLast:
    """A player made the last move."""

    owner: str


@dataclass(frozen=True, slots=True)
class BoardFull:
    """No cell is empty."""


@dataclass(frozen=True, slots=True)
class BoardEmpty:
    """Nothing is left on the board, or in the piles."""


@dataclass(frozen=True, slots=True)
class TurnsPlayed:
    """So many turns have been played."""

    count: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """The board and who is to move are what they were some turns before."""

    turns: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Your choice beats your opponent's."""


Condition = (
    Line
    | LineThere
    | Sum
    | Stands
    | Connected
    | NoPiece
    | Count
    | CannotMove
    | NobodyCanMove
    | MovedLast
    | BoardFull
    | BoardEmpty
    | TurnsPlayed
    | Repeated
    | Choice
)


@dataclass(frozen=True, slots=True)
class End(Sentence):
    """When the game ends, and whether a player then wins, loses or draws."""

    player: str
    result: str
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Most(Sentence):
    """When the game ends, and who has more or fewer of something then wins."""

    conditions: tuple[Condition, ...]
    how: str
    noun: str


@dataclass(frozen=True, slots=True)
class Picks:
    """A player chooses a word."""

    player: str
    choice: str


@dataclass(frozen=True, slots=True)
class Gets:
    """A player gets points, of a hundred."""

    player: str
    points: int


@dataclass(frozen=True, slots=True)
class Payoff(Sentence):
    """What players get for what they chose."""

    choices: tuple[Picks, ...]
    points: tuple[Gets, ...]


@dataclass(frozen=True, slots=True)
class SamePayoff(Sentence):
    """What each player gets if all choose the same."""

    choice: str
    points: int


_ORDER: tuple[type[Sentence], ...] = (
    Title,
    Grid,
    Row,
    Ring,
    Points,
    Piles,
    Join,
    Neighbours,
    Missing,
    Players,
    Begins,
    Simultaneous,
    Rounds,
    MovesPerTurn,
    Belongs,
    Start,
    Hand,
    Pits,
    Store,
    Stock,
    MoveRule,
    MustCapture,
    PassIfStuck,
    Promotion,
    Enclose,
    TurnOver,
    MustTurnOver,
    Clash,
    Gain,
    Beats,
    Score,
    End,
    Most,
    SamePayoff,
    Payoff,
    Statement,
)
_RANK = {kind: number for number, kind in enumerate(_ORDER)}
_RANK[Most] = _RANK[End]  # ends are looked at in the order of the text
BOARDS = (Grid, Row, Ring, Points, Piles)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game: board, players, start, moves, ends.

    >>> rules = Rules.of([Players(("White", "Black")), Grid(3, 3, "square")])
    >>> rules.sentences[0]
    Grid(columns=3, rows=3, shape='square')
    """

    sentences: tuple[Sentence, ...]

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Rules:
        """Put sentences into the order in which they are written."""
        return cls(tuple(sorted(sentences, key=lambda one: _RANK[type(one)])))

    def all(self, kind: type[_Kind]) -> list[_Kind]:
        """Return the sentences of a kind."""
        return [one for one in self.sentences if isinstance(one, kind)]

    def one(self, kind: type[_Kind]) -> _Kind | None:
        """Return the first sentence of a kind, if there is one."""
        return next(iter(self.all(kind)), None)
