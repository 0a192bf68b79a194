"""A won position in, the fewest plies in which the winner can force the end out.

One question after another: can it be forced in 1 ply, in 2, in 3? Each is answered by looking at
all lines of that length, and a table keeps for each position how many plies are known to be enough
and how many are not. That holds on any way to the position, so cycles do no harm.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.engine import State
from kibitz.native import native
from kibitz.prove.kernels import hash_row, look_at, probe
from kibitz.prove.lookahead import NO_GOAL, NOT_OPPOSED, STUCK, STUCK_STATE, Facts, Look
from kibitz.prove.proof import Proof
from kibitz.prove.search import Prover
from kibitz.prove.worker import refusal

__all__ = ["Plies", "plies_to_win", "with_plies"]

Numbers = npt.NDArray[Any]
Number = Any
"""An integer of numba, whose type no checker knows."""

_PLACES = 1 << 20
_MOST = 250
_SLICE = 2_000
_ONE = np.uint64(1)
_BYTE = np.int64(255)
_ENDED, _REACHED, _MISSED, _ODD = Facts.ENDED, Facts.REACHED, Facts.MISSED, Facts.ODD
_HASH = Facts.HASH
_FOUND, _MOVER = Look.FOUND, Look.MOVER
_NO_MOVE = STUCK
_BOTH_CHOOSE = 2
_PLY, _IS_BACK, _ANSWER, _NODES, _TROUBLE = range(5)


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
    most: int = _MOST - 1,
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
    if value == last:
        winner, aim = 0, last
    elif value == 0 and len(prover.game.roles) == 2:
        winner, aim = 1, 1
    else:
        return None
    search = _Search(prover, winner, aim)
    deadline = time.monotonic() + seconds
    most = min(most, _MOST - 1)
    for plies in range(1, most + 1):
        answer = search.ask(prover.row(state), plies, deadline)
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


class _Search:
    """What the questions about one position share."""

    def __init__(self, prover: Prover, winner: int, aim: int) -> None:
        self.prover, self.winner, self.aim = prover, winner, aim
        self.look = prover.workers[0].look
        least = prover.values[aim]
        self.look.aim([v >= least if r == 0 and v is not None else None for r, v in prover.slots])
        most, words = self.look.most, prover.words
        self.state = np.zeros(5, dtype=np.int64)
        self.frames = np.zeros((_MOST + 1, 3), dtype=np.int64)
        self.rows = np.zeros((_MOST + 1, most, words), dtype=np.uint64)
        self.moves = np.zeros((_MOST + 1, most), dtype=np.int64)
        self.path = np.zeros((_MOST + 1, words), dtype=np.uint64)
        self.keys = np.zeros((_PLACES, words), dtype=np.uint64)
        self.known = np.zeros(_PLACES, dtype=np.int64)

    def ask(self, row: Numbers, plies: int, deadline: float) -> bool | None:
        """Return whether the win can be forced in so many plies; None if the time ends first."""
        self.state[[_PLY, _IS_BACK, _TROUBLE]] = 0
        self.path[0] = row
        look, table = self.look, self.prover.table
        look.context[Look.ORDER] = look.order.ctypes.data
        while time.monotonic() < deadline:
            is_done = force(
                _SLICE, plies, self.winner, self.aim, self.state, look.context, look.address,
                look.facts, self.frames, self.rows, self.moves, self.path, self.keys, self.known,
                table.entries, table.locks,
            )  # fmt: skip
            if self.state[_TROUBLE]:
                raise refusal(self.prover.game, int(self.state[_TROUBLE]))
            if is_done:
                return bool(self.state[_ANSWER])
        return None


@native
def place_of(keys: Numbers, row: Numbers) -> Number:
    """Return the one place that a row may have, and whether it is there."""
    place = np.int64(hash_row(row) & np.uint64(len(keys) - 1))
    is_there = True
    for word in range(len(row)):
        is_there &= keys[place, word] == row[word]
    return place, is_there


@native
def remember(keys: Numbers, known: Numbers, row: Numbers, left: Number, answer: Number) -> None:
    """Keep that so many plies are enough, or that they are not."""
    place, is_there = place_of(keys, row)
    enough, too_few = _BYTE, np.int64(0)
    if is_there and known[place] != 0:
        enough, too_few = known[place] & _BYTE, known[place] >> 8
    for word in range(len(row)):
        keys[place, word] = row[word]
    if answer:
        enough = min(enough, left)
    else:
        too_few = max(too_few, left)
    known[place] = enough | too_few << 8


@native
def force(
    limit: int,
    plies: int,
    winner: int,
    aim: Number,
    state: Numbers,
    context: Numbers,
    address: int,
    facts: Numbers,
    frames: Numbers,
    rows: Numbers,
    moves: Numbers,
    path: Numbers,
    keys: Numbers,
    known: Numbers,
    table: Numbers,
    locks: Numbers,
) -> bool:
    """Go on until `limit` more nodes were looked at; return whether the question is answered.

    `frames` has, for each ply: open children, the one that is looked at, whether the winner moves.
    """
    words = rows.shape[2]
    end = state[_NODES] + limit
    while True:
        ply = state[_PLY]
        left = plies - ply
        answer = -1
        if not state[_IS_BACK]:
            if state[_NODES] >= end:
                return False
            place, is_there = place_of(keys, path[ply])
            if is_there and known[place] != 0:
                if left >= known[place] & _BYTE:
                    answer = 1
                elif left <= known[place] >> 8:
                    answer = 0
            if answer < 0:
                look_at(address, context, path, rows, moves, ply)
                state[_NODES] += 1
                if context[_MOVER] < 0:
                    state[_TROUBLE] = STUCK_STATE if context[_MOVER] == _NO_MOVE else _BOTH_CHOOSE
                    return True
                is_mine = context[_MOVER] == winner
                kept = 0
                is_one_ply = False
                for child in range(context[_FOUND]):
                    group, word = child >> 3, child & 7
                    if facts[group, _ENDED, word] & _ONE:
                        reached = facts[group, _REACHED, word] & _ONE
                        if reached == facts[group, _MISSED, word] & _ONE:
                            state[_TROUBLE] = NO_GOAL
                            return True
                        if facts[group, _ODD, word] & _ONE:
                            state[_TROUBLE] = NOT_OPPOSED
                            return True
                        is_won = (reached != 0) == (winner == 0)
                        if is_mine and is_won:
                            answer, is_one_ply = 1, True
                        elif not is_mine and not is_won:
                            answer = 0
                        continue
                    row = rows[ply, child]
                    pn, dn = probe(table, locks, row, facts[group, _HASH, word], aim)
                    if pn + dn > 0 and (dn if winner == 0 else pn) == 0:  # not won at all
                        if not is_mine:
                            answer = 0
                        continue
                    for part in range(words):
                        rows[ply, kept, part] = row[part]
                    kept += 1
                if answer < 0:
                    if kept == 0:
                        answer = 0 if is_mine else 1
                        is_one_ply = not is_mine
                    elif left == 1:
                        answer = 0
                if answer < 0:
                    frames[ply, 0], frames[ply, 1], frames[ply, 2] = kept, 0, is_mine
                else:
                    enough = np.int64(1) if is_one_ply else left
                    remember(keys, known, path[ply], enough, answer)
        else:
            is_mine = frames[ply, 2] == 1
            if (state[_ANSWER] == 1) == is_mine:
                answer = state[_ANSWER]
            else:
                frames[ply, 1] += 1
                if frames[ply, 1] == frames[ply, 0]:
                    answer = 0 if is_mine else 1
            if answer >= 0:
                remember(keys, known, path[ply], left, answer)
        if answer >= 0:
            state[_ANSWER] = answer
            if ply == 0:
                return True
            state[_PLY] = ply - 1
            state[_IS_BACK] = 1
        else:
            for part in range(words):
                path[ply + 1, part] = rows[ply, frames[ply, 1], part]
            state[_PLY] = ply + 1
            state[_IS_BACK] = 0
