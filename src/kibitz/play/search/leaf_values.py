"""Value the leaves of a search tree together: successors, ends within two moves, random matches.

Rows of leaves go in. Out come the successors of each leaf, with what is proven of them; a mean
result of random matches for each leaf that is not decided by them; and how matches went in which a
move was made. The loops are in the core (`judge.c`) and let other threads run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import LANES, Struct
from kibitz.engine import CompiledGame
from kibitz.engine.compiled.native_machine import Expander, LeafBlock, MaskProgram
from kibitz.play.search.evaluation import Evaluation
from kibitz.play.search.opposed_goals import max_goal, opposed_total, partners_of
from kibitz.rows import row_words

__all__ = ["CLOSED", "MIDDLE", "STUCK", "LeafWorker"]

STUCK, CLOSED = core.constant("NODE_STUCK"), core.constant("NODE_CLOSED")
"""Nodes without a move, and those with a choice of both roles."""
MIDDLE = 0.5
_BYTES = 64_000_000

Numbers = npt.NDArray[Any]


class LeafWorker:
    """Memory of one thread for up to `most` leaves of a game of two roles at a time."""

    def __init__(
        self,
        game: CompiledGame,
        seed: int,
        most: int,
        *,
        programs: Mapping[int, MaskProgram] | None = None,
        guided: int = 0,
        evaluation: Evaluation | None = None,
    ) -> None:
        machine = game.machine
        layout = game.program.layout
        slots = layout.goal_values
        widest = max(layout.move_counts)
        self.words = words = row_words(layout.fluent_count)
        self.most = most = max(1, min(most, _BYTES // (8 * words * widest)))
        room = most * widest
        expander = Expander(machine, stop_at_terminal=True)
        expander.make_room(room)
        self.advance = machine.loop("expand_given")
        self.block = LeafBlock(
            machine, seed, partners_of(slots), programs=programs, guided=guided,
            weights=evaluation.weights if evaluation else None,
        )  # fmt: skip
        self.tops = np.array([max_goal(slots, role) / 100 for role in (0, 1)], np.float32)
        self.leaf_rows = np.zeros((most, words), np.uint64)
        self.leaves = core.room("leaf", most + 1)
        self.leaves["given"] = -1
        self.rows = np.zeros((room, words), np.uint64)
        self.successors = core.room("successor", room)
        counts = [-(-count // 8) * 8 for count in layout.move_counts]
        self.tally = np.zeros((sum(counts), 2), np.float64)
        """For each move of each role: matches it was made in, and what they gave that role."""
        self.context = Struct(
            "judging", advance=self.advance.address, expand=expander.loop.address,
            look=self.block.look.address, play=self.block.play.address,
            expansion=expander.context, block=self.block.context,
            slots=np.array([[role, value or 0] for role, value in slots] or [[0, 0]], np.int64),
            opposed_total=opposed_total(slots) / 100, tops=self.tops, bits=machine.bits,
            words=words, leaf_rows=self.leaf_rows, leaves=self.leaves,
            places=np.zeros(most + 1, np.int64), rows=self.rows, successors=self.successors,
            tally=self.tally, moves=len(self.tally), offset=counts[0],
            lane_rows=np.zeros((LANES, words), np.uint64), lane_leaf=np.zeros(LANES, np.int64),
            lane_at=np.zeros(LANES, np.int64), random=seed,
            length=int(evaluation.length) if evaluation else 0,
            table=evaluation.table if evaluation else None,
        )  # fmt: skip
        self._game, self._judge = machine.game, core.function("judge_leaves")
        self._is_wide = core.function("judge_is_wide")

    def judge(self, open_: int, closed: int) -> None:
        """Value the leaves whose rows are in `leaf_rows`; the closed ones come last."""
        self._judge(self._game, self.context, open_, closed)

    def sample(self, row: npt.NDArray[np.uint64]) -> tuple[float, int]:
        """Play a block of random matches from a state.

        Returns their mean length, and in how many of them both roles had a choice together.
        """
        self.leaf_rows[0], self.leaves["given"][0] = row, -1
        run = self.context
        table, before, clashes = run.table, (run.matches, run.made), run.clashes
        run.table = None
        self.judge(0, 1)
        run.table = table
        length = (run.made - before[1]) / (run.matches - before[0])
        clashes = run.clashes - clashes
        run.matches, run.made = before
        self.tally[:] = 0
        return length, clashes

    @property
    def is_wide(self) -> bool:
        """Whether there are so many moves that leaves are better valued before they get edges."""
        return bool(self._is_wide(self.context, self.most))
