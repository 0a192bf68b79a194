"""A position, a role and a number of plies in; out whether the role can force a win in so many.

The question is bounded, so that games of any size can be asked: all lines of that length are looked
at, and nothing beyond. Each look gives two plies, so that the last ply costs nothing. A table keeps
for each position how many plies are enough and how many are not, from one question to the next.
"""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from kibitz.engine import Move, Role, State
from kibitz.engine.compiled.kernels.intrinsics import call
from kibitz.native import native
from kibitz.prove.lookahead import BOTH_CHOOSE, NOT_OPPOSED, STUCK, STUCK_STATE, Facts, Look
from kibitz.prove.plies import Number, Numbers, place_of, remember
from kibitz.prove.search import Prover
from kibitz.prove.worker import refusal

__all__ = ["ForcedWins"]

Row = npt.NDArray[np.uint64]

MOST_PLIES = 60
_PLACES = 1 << 18
_SLICE = 1_000
_ONE, _ZERO = np.uint64(1), np.uint64(0)
_BYTE = np.int64(255)
_ALL = np.uint64(2**64 - 1)
_WIDTH = 64
_NEVER = 250
"""So many plies are too few where every move is refuted at once."""
_ENDED, _REACHED, _MISSED, _ODD = Facts.ENDED, Facts.REACHED, Facts.MISSED, Facts.ODD
_STUCK, _SEVERAL, _SECOND, _REPLIES = Facts.STUCK, Facts.SEVERAL, Facts.SECOND, Facts.REPLIES
_REPLY_ENDED, _REPLY_REACHED = Facts.REPLY_ENDED, Facts.REPLY_REACHED
_REPLY_MISSED, _REPLY_ODD = Facts.REPLY_MISSED, Facts.REPLY_ODD
_FOUND, _MOVER = Look.FOUND, Look.MOVER
_NO_MOVE, _TOGETHER, _OPPOSED = STUCK_STATE, BOTH_CHOOSE, NOT_OPPOSED
_STUCK_MOVER = STUCK
_PLY, _IS_BACK, _ANSWER, _NODES, _TROUBLE = range(5)


class ForcedWins:
    """Answers bounded questions about wins; one of them for each thread of a Prover.

    A win is the most that the first role can get, or the least for the second role.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> prover = Prover(CompiledGame(load_sheet("nim:1,2,4")))
    >>> wins = ForcedWins(prover)
    >>> row = prover.row(prover.game.initial())
    >>> [wins.within(row, 0, plies) for plies in (5, 6, 7)]
    [False, False, True]
    """

    def __init__(self, prover: Prover, worker: int = 0) -> None:
        self.prover, self.game = prover, prover.game
        self.deadline = prover.deadline
        self.look = prover.workers[worker].look
        most, words = self.look.most, prover.words
        self.row = np.zeros(words, dtype=np.uint64)
        self.child_rows = np.zeros((most, words), dtype=np.uint64)
        self.child_moves = np.zeros(most, dtype=np.int64)
        self.state = np.zeros(5, dtype=np.int64)
        self.frames = np.zeros((MOST_PLIES + 1, 3), dtype=np.int64)
        self.rows = np.zeros((MOST_PLIES + 1, most, words), dtype=np.uint64)
        self.moves = np.zeros((MOST_PLIES + 1, most), dtype=np.int64)
        self.killers = np.full((2, MOST_PLIES + 1), -1, dtype=np.int64)
        self.path = np.zeros((MOST_PLIES + 1, words), dtype=np.uint64)
        self.keys = np.zeros((2, _PLACES, words), dtype=np.uint64)
        self.known = np.zeros((2, _PLACES), dtype=np.int64)

    @property
    def positions(self) -> int:
        """How many positions were looked at."""
        return int(self.state[_NODES])

    def within(self, row: Row, winner: int, plies: int, *, positions: int = 10**9) -> bool | None:
        """Return whether a role can force its win in so many plies; None if that takes more looks.

        The position is one in which play goes on. All is left open once the prover's time is over.
        """
        if plies <= 0:
            return False
        self._aim(winner)
        self.state[[_PLY, _IS_BACK, _TROUBLE]] = 0
        self.path[0] = row
        look = self.look
        for column, array in (
            (Look.ROW, self.row),
            (Look.OUT_ROWS, self.child_rows),
            (Look.OUT_MOVES, self.child_moves),
        ):
            look.context[column] = array.ctypes.data
        last = self.positions + positions
        while self.positions < last and time.monotonic() < self.deadline:
            is_done = force(
                min(_SLICE, last - self.positions), min(plies, MOST_PLIES), winner, self.state,
                look.context, look.address, self.row, self.child_rows, self.child_moves,
                look.facts,
                self.frames, self.rows, self.moves, self.killers[winner], self.path,
                self.keys[winner], self.known[winner],
            )  # fmt: skip
            if self.state[_TROUBLE]:
                raise refusal(self.game, int(self.state[_TROUBLE]))
            if is_done:
                return bool(self.state[_ANSWER])
        return None

    def _aim(self, winner: int) -> None:
        least = self.prover.values[-1 if winner == 0 else 1]
        self.look.aim(
            [v >= least if r == 0 and v is not None else None for r, v in self.prover.slots]
        )

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


@native
def force(
    limit: int,
    plies: int,
    winner: int,
    state: Numbers,
    context: Numbers,
    address: int,
    look_row: Numbers,
    look_rows: Numbers,
    look_moves: Numbers,
    facts: Numbers,
    frames: Numbers,
    rows: Numbers,
    moves: Numbers,
    killers: Numbers,
    path: Numbers,
    keys: Numbers,
    known: Numbers,
) -> bool:
    """Look at up to `limit` positions; return whether the question is answered.

    `frames` has, for each ply: open children, the one that is looked at, whether the winner moves.
    `killers` has the move that decided last at each ply, which is tried first.
    """
    words = rows.shape[2]
    end = state[_NODES] + limit
    while True:
        ply = state[_PLY]
        left = plies - ply
        answer = -1
        if not state[_IS_BACK]:
            place, is_there = place_of(keys, path[ply])
            if is_there and known[place] != 0:
                if left >= known[place] & _BYTE:
                    answer = 1
                elif left <= known[place] >> 8:
                    answer = 0
            if answer < 0:
                if state[_NODES] >= end:
                    return False
                for word in range(words):
                    look_row[word] = path[ply, word]
                call(address, context.ctypes.data)
                state[_NODES] += 1
                if context[_MOVER] < 0:
                    state[_TROUBLE] = _NO_MOVE if context[_MOVER] == _STUCK_MOVER else _TOGETHER
                    return True
                is_mine = context[_MOVER] == winner
                kept = 0
                enough, too_few = np.int64(1), np.int64(_NEVER)
                for child in range(context[_FOUND]):
                    group, word = child >> 3, child & 7
                    if facts[group, _ENDED, word] & _ONE:
                        if facts[group, _ODD, word] & _ONE:
                            state[_TROUBLE] = _OPPOSED
                            return True
                        column = _REACHED if winner == 0 else _MISSED
                        is_won = (facts[group, column, word] & _ONE) != _ZERO
                        if is_mine and is_won:
                            answer, enough = 1, np.int64(1)
                            break
                        if not is_mine and not is_won:
                            answer = 0
                            break
                        continue
                    status = look_at_replies(facts, group, word, winner)
                    if status >= 2:
                        state[_TROUBLE] = _NO_MOVE if status == 2 else _TOGETHER
                        if status == 4:
                            state[_TROUBLE] = _OPPOSED
                        return True
                    if status == 0:  # the reply refutes
                        if not is_mine:
                            answer = 0
                            break
                        continue
                    if status == 1 and left >= 2:
                        enough = np.int64(2)
                        if is_mine:
                            answer = 1  # and one ply may be enough for another child
                        continue
                    for part in range(words):
                        rows[ply, kept, part] = look_rows[child, part]
                    moves[ply, kept] = look_moves[child]
                    kept += 1
                if answer < 0:
                    if kept == 0:
                        answer = 0 if is_mine else 1
                    elif left <= 2:
                        answer, too_few = 0, left
                if answer < 0:
                    frames[ply, 0], frames[ply, 1], frames[ply, 2] = kept, 0, is_mine
                    for child in range(kept):
                        if moves[ply, child] == killers[ply]:
                            for part in range(words):
                                swap = rows[ply, 0, part]
                                rows[ply, 0, part] = rows[ply, child, part]
                                rows[ply, child, part] = swap
                            moves[ply, child] = moves[ply, 0]
                            moves[ply, 0] = killers[ply]
                            break
                else:
                    seen = enough if answer == 1 else too_few
                    remember(keys, known, path[ply], seen, answer)
        else:
            is_mine = frames[ply, 2] == 1
            if (state[_ANSWER] == 1) == is_mine:
                answer = state[_ANSWER]
                killers[ply] = moves[ply, frames[ply, 1]]
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


@native
def look_at_replies(facts: Numbers, group: int, word: int, winner: int) -> Number:
    """Say what one reply decides after a child that has not ended.

    1: it is won by it; 0: it is not won; -1: open. 2: nobody can move, 3: both choose, 4: an end
    has goals that are not opposed.
    """
    if facts[group, _STUCK, word] & _ONE:
        return 2
    if facts[group, _SEVERAL, word] & _ONE:
        return 3
    replies = np.int64(facts[group, _REPLIES, word])
    seen = _ALL if replies >= _WIDTH else (_ONE << np.uint64(replies)) - _ONE
    ended = facts[group, _REPLY_ENDED, word] & seen
    if ended & facts[group, _REPLY_ODD, word]:
        return 4
    column = _REPLY_REACHED if winner == 0 else _REPLY_MISSED
    won = ended & facts[group, column, word]
    mover = np.int64(facts[group, _SECOND, word] & _ONE)
    if mover == winner or replies == 1:
        if won:
            return 1
        if replies == 1 and ended:
            return 0
        return -1
    if ended & ~won:
        return 0
    if replies <= _WIDTH and won == seen:
        return 1
    return -1
