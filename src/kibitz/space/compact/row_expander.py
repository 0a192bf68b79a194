"""Rows of states in, their successors and facts out, for one thread."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.engine import CompiledGame
from kibitz.engine.compiled.native_machine import Expander
from kibitz.space.exploration.state_intake import JointBound

__all__ = ["JOB", "RowExpander"]

JOB = 1 << 13
"""States that a thread expands at a time; a multiple of the states that are coded together."""

_ROOM = 1 << 17


class RowExpander:
    """Buffers and native code of one thread.

    `states` are the rows to expand; `rows`, `hashes` and `parents` are of their successors, and
    `terminal`, `turn` and `goals` are of the states.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import rows_of
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> expander = RowExpander(game)
    >>> expander.states[:1] = rows_of(game, [game.initial()])
    >>> expander.expand(0, 1), int(expander.turn[0])
    ((1, 9), 0)
    """

    def __init__(self, game: CompiledGame) -> None:
        layout = game.program.layout
        self._bound = JointBound(game, _ROOM)
        self._expander = Expander(game.machine, stop_at_terminal=True)
        self.words = self._expander.row_words
        self._expand = game.machine.loop("space_expand")
        room = self._bound.room
        self._expander.make_room(room)
        self.rows = self._expander.rows
        self.parents = self._expander.parents
        self.hashes = np.empty(max(room, JOB), dtype=np.uint64)
        self.states = np.empty((JOB, self.words), dtype=np.uint64)
        self.terminal, self.turn = np.empty(JOB, np.uint8), np.empty(JOB, np.int8)
        self.has_move = np.empty(JOB, np.uint8)
        self.goals = np.empty((JOB, len(game.roles)), dtype=np.int8)
        shown = [-1 if v is None or not 0 <= v <= 100 else v for _, v in layout.goal_values]
        nothing = np.zeros(1, dtype=np.uint64)  # a table of joint moves that knows none
        self._expander.context.rows = self.states
        self._context = Struct(
            "intake", rows=self.rows, moves=self._expander.moves, hashes=self.hashes,
            codes=np.empty(room, dtype=np.uint16), joints=nothing,
            expansion=self._expander.context, block=self._bound.block, room=_ROOM,
            terminal=self.terminal, turn=self.turn, goals=self.goals,
            goal_roles=np.array([role for role, _ in layout.goal_values] or [0], dtype=np.int64),
            goal_values=np.array(shown or [0], dtype=np.int64),
        )  # fmt: skip

    def expand(self, first: int, count: int) -> tuple[int, int]:
        """Expand some states from `first` on; return how many, and how many successors they have.

        Fewer than `count` are expanded where their successors would not fit the buffers.
        """
        self._expander.context.written = 0
        count = self._bound.fit(self.states[first : first + count])
        done = int(self._expand(self._context, first, count))
        return done, self._expander.context.written

    def hash(self, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Hash up to JOB rows, one after another in memory; the result is good until the next."""
        core.function("hash_rows", self.words)(rows, self.hashes, len(rows))
        return self.hashes[: len(rows)]
