"""What ends a game, and sentences about who then wins."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.rulebook.model.phrases import Region, Sentence

__all__ = [
    "AllOn",
    "ArrivalWorth",
    "BoardEmpty",
    "BoardFull",
    "CannotMove",
    "CaptureWorth",
    "Choice",
    "Condition",
    "Connected",
    "Count",
    "CountOn",
    "CountThere",
    "End",
    "GameEnds",
    "Gets",
    "Graded",
    "Leader",
    "Line",
    "LineThere",
    "LineWorth",
    "Most",
    "MovedLast",
    "NoPiece",
    "NobodyCanMove",
    "Payoff",
    "Picks",
    "Repeated",
    "Result",
    "SamePayoff",
    "SeenBefore",
    "Stands",
    "Sum",
    "TurnsPlayed",
    "Worth",
]


@dataclass(frozen=True, slots=True)
class Line:
    """Own pieces in a line."""

    owner: str
    count: int
    ways: str
    kind: str = "piece"


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
class AllOn:
    """A player has pieces, and all of them on cells of a region."""

    owner: str
    kind: str
    region: Region


@dataclass(frozen=True, slots=True)
class CountOn:
    """A player has exactly, at least, or fewer than, so many pieces on cells of a region."""

    owner: str
    how: str
    count: int
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
class CountThere:
    """There are exactly, at least, or fewer than, so many pieces, whoever they belong to."""

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
class SeenBefore:
    """The board and who is to move are what they were at some time in the last turns."""

    turns: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Your choice beats your opponent's."""


Condition = (
    Line
    | LineThere
    | Sum
    | Stands
    | AllOn
    | CountOn
    | Connected
    | NoPiece
    | Count
    | CountThere
    | CannotMove
    | NobodyCanMove
    | MovedLast
    | BoardFull
    | BoardEmpty
    | TurnsPlayed
    | Repeated
    | SeenBefore
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
class GameEnds(Sentence):
    """When the game ends; other sentences say who then wins, or what players get."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Leader(Sentence):
    """Who has more or fewer of something at the end wins."""

    how: str
    noun: str


@dataclass(frozen=True, slots=True)
class Graded(Sentence):
    """What a player gets at the end, of a hundred points."""

    player: str
    points: int
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Result(Sentence):
    """What players have so many of is what they get at the end."""

    noun: str


@dataclass(frozen=True, slots=True)
class Worth(Sentence):
    """The points of a piece, on some cells only where a region is named."""

    kind: str
    region: Region | None
    points: int


@dataclass(frozen=True, slots=True)
class LineWorth(Sentence):
    """The points of each line of own pieces."""

    count: int
    kind: str
    ways: str
    points: int


@dataclass(frozen=True, slots=True)
class CaptureWorth(Sentence):
    """The points for capturing a piece."""

    kind: str
    points: int


@dataclass(frozen=True, slots=True)
class ArrivalWorth(Sentence):
    """The points for a piece that arrives somewhere."""

    kind: str
    region: Region
    points: int


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
