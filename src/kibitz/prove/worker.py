"""One thread of the search for a value: the question it is at, and where it is in it."""

from __future__ import annotations

import time
import weakref
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz.core import Struct, constant, room, vectors
from kibitz.engine import CompiledGame
from kibitz.errors import KibitzError
from kibitz.prove.threats import Edits

if TYPE_CHECKING:
    from kibitz.prove.search import Prover


PROOF_NUMBERS, ALPHA_BETA = "proof numbers", "alpha-beta"
Row = npt.NDArray[np.uint64]

_LOOPS = {PROOF_NUMBERS: "search_proof_numbers", ALPHA_BETA: "search_alpha_beta"}
_FIRST_SLICE = 16
_SLICE_S = 0.05
"""Positions between two looks at the clock at first, and the time that they should take."""
_COMPILING_S = 5.0
"""A player who has less time cannot wait for code to be compiled."""
_LINES, _LINE_BYTES = 64, 64_000_000
"""How many questions a thread keeps its place in, and the memory that this may take."""
_MOST_PLIES = 1_000


class Lookahead:
    """Memory of one thread for looking two plies ahead in one game."""

    def __init__(self, prover: Prover) -> None:
        machine = prover.game.machine
        slots = prover.slots
        self.stages = machine.ahead
        self.width = max(prover.game.program.layout.move_counts)
        images = machine.orders(prover.images)
        none = np.zeros(max(1, len(slots)), dtype=np.int64)
        self.native = Struct(
            "look", memory=machine.memory(), scratch=vectors(8 * prover.words),
            keeps=bool(machine.program.view.kept), reached=none, missed=none.copy(),
            partners=np.array([*self._partners(prover), -1], dtype=np.int64),
            images=images, image_count=len(images),
        )  # fmt: skip

    @staticmethod
    def _partners(prover: Prover) -> list[int]:
        """Return the goal slot of the second role that goes with each of the first."""
        slots = prover.slots
        if len(prover.game.roles) == 1:
            return list(range(len(slots)))
        place = {pair: number for number, pair in enumerate(slots)}
        return [
            place.get((1, prover.total - v), -1) if role == 0 and v is not None else -1
            for role, v in slots
        ]

    def aim(self, prover: Prover, aim: int) -> None:
        """Ask whether the first role gets a value, by its index."""
        for goal, (role, value) in enumerate(prover.slots):
            if role == 0 and value is not None:
                reaches = value >= prover.values[aim]
                self.native.reached[goal], self.native.missed[goal] = -reaches, reaches - 1

    def count_threats(self, edits: Edits | None) -> None:
        """Let alpha-beta count threats, by what `place_edits` made, or not."""
        self.native.edits = edits
        self.native.edit_runs = 0 if edits is None else edits.shape[1]


class Line:
    """Where a search is: the positions from the first one on, with their children."""

    def __init__(self, words: int, width: int, plies: int) -> None:
        self.hashes = np.zeros(plies, dtype=np.uint64)
        rows, branches = np.zeros((plies, width, words), np.uint64), room("branch", plies * width)
        self.bytes = rows.nbytes + branches.nbytes
        self.native = Struct(
            "line", deepest=plies - 1, width=width, rows=rows, hashes=self.hashes,
            frames=room("frame", plies), branches=branches,
            order=np.tile(np.arange(width), (2, 1)),
        )  # fmt: skip

    def begin(self, row: Row) -> None:
        """Start at a position."""
        self.native.root = row.copy()
        for field in ("ply", "is_back", "trouble", "repeated"):
            setattr(self.native, field, 0)


class Worker:
    """Search context of one thread: the lookahead, and the lines of play it is on."""

    def __init__(self, prover: Prover) -> None:
        self.prover = weakref.proxy(prover)  # so that the table goes with its prover
        self.look = Lookahead(prover)
        self.native = Struct(
            "search", look=self.look.native, busy=prover.busy, busy_mask=len(prover.busy) - 1
        )
        self.lines: dict[tuple[bytes, int], Line] = {}
        self.line = self.own_line = self._new_line()
        self.aim, self.method = 0, PROOF_NUMBERS
        self.slice = _FIRST_SLICE
        self.positions = 0
        self.answer: bool | None = None
        self.is_stopped_by_repeats = False

    def _new_line(self) -> Line:
        words, width, plies = self.prover.words, self.look.width, _MOST_PLIES + 1
        while plies > 64 and plies * width * (words + 4) * 8 > _LINE_BYTES:
            plies //= 2
        return Line(words, width, plies)

    @property
    def repeats(self) -> int:
        """How often a position came again on a line of the last question."""
        return int(self.line.native.repeated)

    def begin(self, row: Row, aim: int, method: str) -> None:
        """Start at a position, asking for a value by its index."""
        self.look.aim(self.prover, aim)
        self.aim, self.method = aim, method
        self.answer = None
        self.is_stopped_by_repeats = False
        if method == ALPHA_BETA and (line := self.lines.pop((row.tobytes(), aim), None)):
            self._keep_line(row, line)
            plies = line.native.ply + line.native.is_back
            mask = np.uint64(len(self.prover.busy) - 1)
            np.add.at(self.prover.busy, line.hashes[:plies] & mask, 1)
            return
        if method == ALPHA_BETA:
            self._keep_line(row, self._new_line())
        else:
            self.line = self.own_line
        self.line.begin(row)

    def _keep_line(self, row: Row, line: Line) -> None:
        """Remember where the search of a question is, and forget those that waited longest."""
        most = max(2, min(_LINES, _LINE_BYTES // line.bytes))
        while len(self.lines) >= most:
            del self.lines[next(iter(self.lines))]
        self.lines[row.tobytes(), self.aim] = self.line = line

    def threats_at(self, row: Row, aim: int = 1) -> tuple[list[int], list[int]]:
        """Return the moves that two plies leave open, and the threats after them."""
        self.begin(row, aim, ALPHA_BETA)
        self.native.line = self.line.native
        moves, threats = np.zeros((2, self.look.width), dtype=np.int64)
        found = self.look.stages.loop("search_threats")(self.native, moves, threats)
        return moves[:found].tolist(), threats[:found].tolist()

    def run(self, most: int) -> bool:
        """Look at more positions for a moment; return whether the search has ended."""
        prover, line, run = self.prover, self.line.native, self.native
        began, before = time.monotonic(), line.nodes
        run.line, run.table, run.aim = line, prover.table.native, self.aim
        run.history = prover.history[self.method][self.aim if self.method == ALPHA_BETA else 0]
        may_compile = prover.deadline - began > _COMPILING_S
        loop = self.look.stages.loop(_LOOPS[self.method])
        has_ended = loop(run, min(self.slice, most), may_compile=may_compile)
        searched = line.nodes - before
        self.positions += searched
        if searched == self.slice and time.monotonic() - began < _SLICE_S:
            self.slice *= 2
        if line.trouble:
            raise refusal(prover.game, line.trouble)
        if has_ended:
            self.answer = True if line.pn == 0 else False if line.dn == 0 else None
            self.is_stopped_by_repeats = self.answer is None
            self.lines = {key: kept for key, kept in self.lines.items() if kept is not self.line}
        return bool(has_ended)


def refusal(game: CompiledGame, trouble: int) -> KibitzError:
    """Say why a search ended without an answer."""
    name = game.sheet.name
    if trouble == constant("BOTH_CHOOSE"):
        return KibitzError(f"in {name} roles choose at the same time, and search takes turns only")
    if trouble == constant("STUCK_STATE"):
        return KibitzError(
            f"in {name} play can get to a state in which a role has no legal move",
            hint="give every role a move there, such as noop, or let play end there",
        )
    if trouble == constant("NOT_OPPOSED"):
        return KibitzError(
            f"in {name} an end gives the roles goals that are not opposed, and search takes only "
            "games in which one role's gain is the other's loss"
        )
    return KibitzError(f"{name} has an end that does not give each role one goal")
