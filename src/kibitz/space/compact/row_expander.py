"""Rows of states in, their successors and facts out, for one thread."""

from __future__ import annotations

import ctypes

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame
from kibitz.engine.compiled.kernels import Expansion
from kibitz.engine.compiled.native_machine import Expander, NativeMachine
from kibitz.errors import InputError
from kibitz.space.exploration.kernels import Intake, space_kernels
from kibitz.space.exploration.state_intake import JointBound

__all__ = ["JOB", "RowExpander"]

JOB = 1 << 13
"""States that a thread expands at a time; a multiple of the states that are coded together."""

_ROOM = 1 << 17
_EXPAND = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
_HASH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)


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
        if not isinstance(game.machine, NativeMachine):
            raise InputError("exploring needs native code; llvmlite cannot be imported")
        layout = game.program.layout
        self._bound = JointBound(game, _ROOM)
        self._expander = Expander(game.machine, stop_at_terminal=True)
        self.words = self._expander.row_words
        code = space_kernels(self.words)
        self._expand, self._hash = _EXPAND(code.address("expand")), _HASH(code.address("hash"))
        room = self._bound.room
        self._expander.make_room(room)
        self.rows = self._expander.rows.view(np.int64).reshape(-1)
        self.parents = self._expander.parents
        self.hashes = np.empty(max(room, JOB), dtype=np.int64)
        self.states = np.empty((JOB, self.words), dtype=np.uint64)
        self.terminal, self.turn = np.empty(JOB, np.uint8), np.empty(JOB, np.int8)
        self.has_move = np.empty(JOB, np.uint8)
        self.goals = np.empty((JOB, len(game.roles)), dtype=np.int8)
        shown = [-1 if v is None or not 0 <= v <= 100 else v for _, v in layout.goal_values]
        roles = [role for role, _ in layout.goal_values]
        self._goal_roles = np.array(roles or [0], dtype=np.int64)
        self._goal_values = np.array(shown or [0], dtype=np.int64)
        self._joints = np.zeros(1, dtype=np.int64)  # a table of joint moves that knows none
        self._codes = np.empty(room, dtype=np.uint16)
        self._context = np.zeros(Intake.SIZE, dtype=np.int64)
        self._expander.context[Expansion.ROWS] = self.states.ctypes.data
        for column, value in (
            (Intake.ROWS, self.rows.ctypes.data),
            (Intake.MOVES, self._expander.moves.ctypes.data),
            (Intake.HASHES, self.hashes.ctypes.data),
            (Intake.CODES, self._codes.ctypes.data),
            (Intake.JOINTS, self._joints.ctypes.data),
            (Intake.EXPAND, game.machine.expand_address),
            (Intake.EXPANSION, self._expander.context.ctypes.data),
            (Intake.BLOCK, self._bound.block),
            (Intake.ROOM, _ROOM),
            (Intake.TERMINAL, self.terminal.ctypes.data),
            (Intake.TURN, self.turn.ctypes.data),
            (Intake.GOALS, self.goals.ctypes.data),
            (Intake.GOAL_COUNT, len(layout.goal_values)),
            (Intake.GOAL_ROLES, self._goal_roles.ctypes.data),
            (Intake.GOAL_VALUES, self._goal_values.ctypes.data),
            (Intake.ROLES, len(game.roles)),
        ):
            self._context[column] = value

    def expand(self, first: int, count: int) -> tuple[int, int]:
        """Expand some states from `first` on; return how many, and how many successors they have.

        Fewer than `count` are expanded where their successors would not fit the buffers.
        """
        self._expander.context[Expansion.WRITTEN] = 0
        count = self._bound.fit(self.states[first : first + count])
        done = int(self._expand(self._context.ctypes.data, first, count))
        return done, int(self._expander.context[Expansion.WRITTEN])

    def hash(self, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Hash up to JOB rows, one after another in memory; the result is good until the next."""
        self._context[Intake.ROWS] = rows.ctypes.data
        self._hash(self._context.ctypes.data, len(rows))
        self._context[Intake.ROWS] = self.rows.ctypes.data
        return self.hashes[: len(rows)]
