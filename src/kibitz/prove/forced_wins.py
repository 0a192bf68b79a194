"""Prove forced wins in a number of plies, and the fewest plies.

The question is bounded, so that games of any size can be asked: all lines of that length are looked
at, and nothing beyond. Each look gives two plies, so that the last ply costs nothing. A table keeps
for each position how many plies are enough and how many are too few, which holds on any way to the
position, so that cycles do no harm.

One question after another: can it be forced in 1 ply, in 2, in 3?
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kibitz.core import Struct
from kibitz.engine import Move, Role, State
from kibitz.prove.proof import Proof
from kibitz.prove.search import Prover
from kibitz.prove.worker import Line, Lookahead, refusal

Row = npt.NDArray[np.uint64]

_PLACES = 1 << 18
_SLICE = 1_000


class ForcedWins:
    """Answers bounded questions about wins, for one thread.

    A win is the most that the first role can get, or the least for the second role. With
    `use_table`, what the prover's table says cannot be won is not looked into.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> prover = Prover(CompiledGame(load_sheet("nim:1,2,4")))
    >>> wins = ForcedWins(prover)
    >>> row = prover.row(prover.game.initial())
    >>> [wins.within(row, 0, plies) for plies in (5, 6, 7)]
    [False, False, True]
    """

    def __init__(
        self,
        prover: Prover,
        *,
        most_plies: int = 60,
        places: int = _PLACES,
        use_table: bool = False,
    ) -> None:
        self.prover, self.game = prover, prover.game
        self.deadline = prover.deadline
        self.most_plies, self.use_table = most_plies, use_table
        self.look = Lookahead(prover)
        self.line = Line(prover.words, self.look.width, most_plies + 1)
        self.known = np.zeros((2, places, prover.words + 1), dtype=np.uint64)
        self.killers = np.full((2, most_plies + 1), -1, dtype=np.int64)
        self.native = Struct(
            "search", look=self.look.native, line=self.line.native, known_mask=places - 1
        )

    @property
    def positions(self) -> int:
        """How many positions were looked at."""
        return int(self.line.native.nodes)

    def within(self, row: Row, winner: int, plies: int, *, positions: int = 10**9) -> bool | None:
        """Return whether a role can force its win in so many plies; None if that takes more looks.

        The position is one in which play goes on. All is left open once the time is over.
        """
        if plies <= 0:
            return False
        prover, run = self.prover, self.native
        run.aim = 1 if winner else len(prover.values) - 1
        self.look.aim(prover, run.aim)
        self.line.begin(row)
        run.table = prover.table.native if self.use_table else None
        run.winner, run.plies = winner, min(plies, self.most_plies)
        run.known, run.killers = self.known[winner], self.killers[winner]
        loop = self.look.stages.loop("search_bounded")
        last = self.positions + positions
        while self.positions < last and time.monotonic() < self.deadline:
            is_done = loop(run, min(_SLICE, last - self.positions))
            if trouble := self.line.native.trouble:
                raise refusal(self.game, trouble)
            if is_done:
                return bool(self.line.native.pn == 0)
        return None

    def plies(self, row: Row, winner: int, most: int, *, positions: int = 10**9) -> int | None:
        """Return the fewest plies in which a role can force its win; None if not in so many."""
        for plies in range(1, most + 1):
            answer = self.within(row, winner, plies, positions=positions)
            if answer is None:
                return None
            if answer:
                return plies
        return None

    def is_won(self, state: State, winner: int) -> bool:
        """Return whether a role has won at an end."""
        value = self.prover.end_value(state)
        return value == (len(self.prover.values) - 1 if winner == 0 else 0)

    def after(
        self, state: State, move: Move, mover: Role, winner: int, plies: int, *, positions: int
    ) -> bool | None:
        """Return whether a role wins in so many plies once a move is made."""
        joint = [move if role == mover else state.legal(role)[0] for role in self.game.roles]
        then = state.step(joint)
        if then.is_terminal:
            return self.is_won(then, winner)
        return self.within(self.prover.row(then), winner, plies, positions=positions)


_PLY_PLACES = 1 << 20
_MOST = 249


@dataclass(frozen=True, slots=True)
class Plies:
    """How soon a win can be forced: in `exact` plies, or not in `more_than` and open beyond."""

    exact: int | None
    more_than: int


def plies_to_win(
    prover: Prover,
    state: State,
    value: int,
    *,
    seconds: float,
    most: int = _MOST,
    report: Callable[[int], None] = lambda _: None,
) -> Plies | None:
    """Find how soon a won position ends, if in at most so many plies.

    `value` is the index of the first role's goal; it is None where no role gets the most that there
    is. `report` gets each number of plies that is not enough.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> prover = Prover(CompiledGame(load_sheet("nim:1,2,4")))
    >>> plies_to_win(prover, prover.game.initial(), prover.values.index(100), seconds=60)
    Plies(exact=7, more_than=6)
    """
    last = len(prover.values) - 1
    if state.is_terminal:
        return Plies(0, -1) if prover.end_value(state) == value else Plies(None, most)
    if value != last and (value or len(prover.game.roles) != 2):
        return None
    most = min(most, _MOST)
    wins = ForcedWins(prover, most_plies=most, places=_PLY_PLACES, use_table=True)
    wins.deadline = time.monotonic() + seconds
    for plies in range(1, most + 1):
        answer = wins.within(prover.row(state), int(value != last), plies)
        if answer is None:
            return Plies(None, plies - 1)
        if answer:
            return Plies(plies, plies - 1)
        report(plies)
    return Plies(None, most)


def with_plies(
    prover: Prover,
    proof: Proof,
    *,
    seconds: float,
    report: Callable[[int], None] = lambda _: None,
) -> Proof:
    """Add to the proof of a win how soon it can be forced, or how many plies are not enough.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> prover = Prover(CompiledGame(load_sheet("nim:1,2,4")))
    >>> with_plies(prover, prover.prove(prover.game.initial()), seconds=60).plies
    7
    """
    if proof.value is None or proof.plies is not None:
        return proof
    value = prover.values.index(proof.value[prover.game.roles[0]])
    began = time.monotonic()
    found = plies_to_win(prover, proof.state, value, seconds=seconds, report=report)
    took = proof.seconds + time.monotonic() - began
    if found is None:
        return replace(proof, seconds=took)
    return replace(proof, plies=found.exact, more_plies_than=found.more_than, seconds=took)
