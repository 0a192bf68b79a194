"""One thread of the search for a value: the question it is at, and where it is in it."""

from __future__ import annotations

import time
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame
from kibitz.errors import KibitzError
from kibitz.prove.lookahead import BOTH_CHOOSE, NOT_OPPOSED, STUCK_STATE

if TYPE_CHECKING:
    from kibitz.prove.search import Prover

__all__ = ["ALPHA_BETA", "PROOF_NUMBERS", "Row", "Worker", "refusal"]

PROOF_NUMBERS, ALPHA_BETA = "proof numbers", "alpha-beta"
Row = npt.NDArray[np.uint64]

_FIRST_SLICE = 16
_SLICE_S = 0.05
"""Positions between two looks at the clock at first, and the time that they should take."""
_LINES, _LINE_BYTES = 64, 64_000_000
"""How many questions a thread keeps its place in, and the memory that this may take."""
_MOST_PLIES = 1_000


class _Line:
    """Where a search is: the positions from the first one on, with their children."""

    def __init__(self, words: int, most: int) -> None:
        from kibitz.prove.kernels import SearchColumns as Column

        plies = _MOST_PLIES + 1
        while plies > 64 and plies * most * (words + 4) * 8 > _LINE_BYTES:
            plies //= 2
        self.state = np.zeros(Column.SIZE, dtype=np.int64)
        self.path = np.zeros((plies, words), dtype=np.uint64)
        self.hashes = np.zeros(plies, dtype=np.uint64)
        self.rows = np.zeros((plies, most, words), dtype=np.uint64)
        self.marks = np.zeros((plies, most), dtype=np.uint64)
        self.numbers = np.zeros((plies, most, 2), dtype=np.int64)
        self.moves = np.zeros((plies, most), dtype=np.int64)
        self.order = np.tile(np.arange(most), (2, 1))
        self.frames = np.zeros((plies, 8), dtype=np.int64)

    @property
    def bytes(self) -> int:
        """How much memory it may take."""
        return self.rows.nbytes + self.marks.nbytes + self.numbers.nbytes + self.moves.nbytes


class Worker:
    """What one thread needs to search: the lookahead, and the lines of play it is on."""

    def __init__(self, prover: Prover, images: Sequence[Sequence[int]]) -> None:
        from kibitz.prove.lookahead import Lookahead

        self.prover = weakref.proxy(prover)  # so that the table goes with its prover
        self.look = Lookahead(prover.game, images)
        self.look.pair(self._partners())
        self.lines: dict[tuple[bytes, int], _Line] = {}
        self.line = self.own_line = _Line(prover.words, self.look.most)
        self.aim, self.method = 0, PROOF_NUMBERS
        self.slice = _FIRST_SLICE
        self.positions = 0
        self.answer: bool | None = None
        self.is_stopped_by_repeats = False

    @property
    def repeats(self) -> int:
        """How often a position came again on a line of the last question."""
        from kibitz.prove.kernels import SearchColumns as Column

        return int(self.line.state[Column.REPEATED])

    def _partners(self) -> list[int]:
        """Return the goal slot of the second role that goes with each of the first."""
        slots = self.prover.slots
        if len(self.prover.game.roles) == 1:
            return list(range(len(slots)))
        place = {pair: number for number, pair in enumerate(slots)}
        total = self.prover.total
        return [
            place.get((1, total - v), -1) if role == 0 and v is not None else -1
            for role, v in slots
        ]

    def begin(self, row: Row, aim: int, method: str) -> None:
        """Start at a position, asking for a value by its index."""
        from kibitz.prove.kernels import INFINITE, SearchColumns as Column, hash_row

        least = self.prover.values[aim]
        self.look.aim(
            [v >= least if r == 0 and v is not None else None for r, v in self.prover.slots]
        )
        self.aim, self.method = aim, method
        self.answer = None
        self.is_stopped_by_repeats = False
        if method == ALPHA_BETA and (line := self.lines.pop((row.tobytes(), aim), None)):
            self._keep_line(row, line)
            plies = int(line.state[Column.PLY] + line.state[Column.IS_BACK])
            mask = np.uint64(len(self.prover.busy) - 1)
            np.add.at(self.prover.busy, line.hashes[:plies] & mask, 1)
            return
        if method == ALPHA_BETA:
            self._keep_line(row, _Line(self.prover.words, self.look.most))
        else:
            self.line = self.own_line
        self.line.state[[Column.PLY, Column.IS_BACK, Column.TROUBLE, Column.REPEATED]] = 0
        self.line.path[0] = row
        self.line.hashes[0] = hash_row(row)
        self.line.frames[0, 2:4] = INFINITE

    def _keep_line(self, row: Row, line: _Line) -> None:
        """Remember where the search of a question is, and forget those that waited longest."""
        most = max(2, min(_LINES, _LINE_BYTES // line.bytes))
        while len(self.lines) >= most:
            del self.lines[next(iter(self.lines))]
        self.lines[row.tobytes(), self.aim] = self.line = line

    def threats_at(self, row: Row) -> list[int]:
        """Return the threats after each move of a position that two plies leave open."""
        self.begin(row, 1, ALPHA_BETA)
        return self.look.threats_at(row)[1]

    def run(self, most: int) -> bool:
        """Look at more positions for a moment; return whether the search has ended."""
        from kibitz.prove import alpha_beta, kernels

        prover, look, line = self.prover, self.look, self.line
        column, state = kernels.SearchColumns, self.line.state
        began, before = time.monotonic(), int(state[column.NODES])
        look.fetch_from(prover.table.entries)
        search = alpha_beta.search if self.method == ALPHA_BETA else kernels.search
        has_ended = search(
            min(self.slice, most),
            self.aim,
            0,
            state,
            look.context,
            (look.address, look.moves_address, look.group_address),
            look.facts,
            line.path,
            line.hashes,
            line.rows,
            line.marks,
            line.numbers,
            line.moves,
            line.order,
            line.frames,
            prover.history[self.method][self.aim if self.method == ALPHA_BETA else 0],
            prover.table.entries,
            prover.table.locks,
            prover.busy,
        )
        searched = int(state[column.NODES]) - before
        self.positions += searched
        if searched == self.slice and time.monotonic() - began < _SLICE_S:
            self.slice *= 2
        if state[column.TROUBLE]:
            raise refusal(prover.game, int(state[column.TROUBLE]))
        if has_ended:
            pn, dn = state[column.PN], state[column.DN]
            self.answer = True if pn == 0 else False if dn == 0 else None
            self.is_stopped_by_repeats = self.answer is None
            self.lines = {key: kept for key, kept in self.lines.items() if kept is not line}
        return bool(has_ended)


def refusal(game: CompiledGame, trouble: int) -> KibitzError:
    """Say why a search ended without an answer."""
    name = game.sheet.name
    if trouble == BOTH_CHOOSE:
        return KibitzError(f"in {name} roles choose at the same time, and search takes turns only")
    if trouble == STUCK_STATE:
        return KibitzError(
            f"in {name} play can get to a state in which a role has no legal move",
            hint="give every role a move there, such as noop, or let play end there",
        )
    if trouble == NOT_OPPOSED:
        return KibitzError(
            f"in {name} an end gives the roles goals that are not opposed, and search takes only "
            "games in which one role's gain is the other's loss"
        )
    return KibitzError(f"{name} has an end that does not give each role one goal")
