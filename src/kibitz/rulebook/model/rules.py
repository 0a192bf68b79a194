"""Sentences in, the rules of a game in their fixed order out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from kibitz.rulebook.model import boards, ends, moves
from kibitz.rulebook.model.phrases import Sentence, Statement

__all__ = ["BOARDS", "Rules"]


_Kind = TypeVar("_Kind", bound=Sentence)

_ORDER: tuple[type[Sentence], ...] = (
    boards.Title,
    boards.Grid,
    boards.Row,
    boards.Ring,
    boards.Points,
    boards.Piles,
    boards.Join,
    boards.Neighbours,
    boards.Missing,
    boards.Players,
    boards.Begins,
    boards.Simultaneous,
    boards.Rounds,
    boards.MovesPerTurn,
    boards.Belongs,
    boards.Start,
    boards.Hand,
    boards.Pits,
    boards.Store,
    boards.Stock,
    moves.MoveRule,
    moves.MoveCaptures,
    moves.MustCapture,
    moves.PassIfStuck,
    moves.JumpAgain,
    moves.JumpsInMove,
    moves.Trail,
    moves.Promotion,
    moves.Enclose,
    moves.TurnOver,
    moves.MustTurnOver,
    moves.Clash,
    moves.Gain,
    moves.Beats,
    moves.Score,
    ends.Worth,
    ends.LineWorth,
    ends.CaptureWorth,
    ends.ArrivalWorth,
    ends.End,
    ends.Most,
    ends.GameEnds,
    ends.Leader,
    ends.Result,
    ends.Graded,
    ends.SamePayoff,
    ends.Payoff,
    Statement,
)
_RANK = {kind: number for number, kind in enumerate(_ORDER)}
_RANK[ends.Most] = _RANK[ends.End]  # ends are looked at in the order of the text
BOARDS = (boards.Grid, boards.Row, boards.Ring, boards.Points, boards.Piles)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game: board, players, start, moves, ends.

    >>> rules = Rules.of([boards.Players(("White", "Black")), boards.Grid(3, 3, "square")])
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
