"""What a move is, and sentences about turns, moves and their effects."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.rulebook.model.phrases import Empty, Near, Region, Sentence, Whose

__all__ = [
    "Beats",
    "Bite",
    "Choose",
    "Clash",
    "Domino",
    "DoubleStep",
    "Drop",
    "Enclose",
    "Flip",
    "Gain",
    "Jump",
    "JumpAgain",
    "JumpsInMove",
    "LayDomino",
    "Leave",
    "Move",
    "MoveCaptures",
    "MoveRule",
    "MustCapture",
    "MustTurnOver",
    "NoneInHand",
    "Pass",
    "PassIfStuck",
    "Promotion",
    "Push",
    "Put",
    "PutLow",
    "Remove",
    "RemovePair",
    "Score",
    "Slide",
    "Sow",
    "Step",
    "Swap",
    "Switch",
    "Take",
    "TakeEach",
    "Trail",
    "TurnOver",
]


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
class _Directed:
    """What a piece of a kind does in some directions."""

    kind: str
    directions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step(_Directed):
    """Move a piece to a neighbour, or like a knight."""

    target: str


@dataclass(frozen=True, slots=True)
class Slide(_Directed):
    """Move a piece any number of steps over empty cells."""

    target: str


@dataclass(frozen=True, slots=True)
class DoubleStep(_Directed):
    """Move a piece two steps over an empty cell to an empty cell, from some cells only."""

    region: Region


@dataclass(frozen=True, slots=True)
class Jump(_Directed):
    """Move a piece over a neighbour to the empty cell behind it."""

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
class Push(_Directed):
    """Move onto a neighbour, which goes one step on; `off` says that it may leave the board."""

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
    """What a player may do, if a condition holds, and what comes then in the same turn."""

    player: str
    condition: NoneInHand | None
    moves: tuple[Move, ...]
    then: tuple[Move, ...] | None = None


@dataclass(frozen=True, slots=True)
class MustCapture(Sentence):
    """Whoever can capture must."""


@dataclass(frozen=True, slots=True)
class PassIfStuck(Sentence):
    """Whoever cannot move passes."""


@dataclass(frozen=True, slots=True)
class JumpAgain(Sentence):
    """After a jump the same piece may, or must, jump again."""

    must: bool
    kind: str = "piece"


@dataclass(frozen=True, slots=True)
class JumpsInMove(Sentence):
    """A piece may make several jumps in one move, at most so many."""

    count: int


@dataclass(frozen=True, slots=True)
class MoveCaptures(Sentence):
    """Pieces of these kinds that move onto a piece of the opponent capture it."""

    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trail(Sentence):
    """A piece that moves leaves something behind that belongs to nobody."""

    kind: str


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
