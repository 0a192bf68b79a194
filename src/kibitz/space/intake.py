"""Add states to growing arrays: expand those that are there, and number the new ones.

In many games something grows with every move: marks on a board, or a counter of steps. A mark is
either how many fluents of a set hold, or which. It is guessed from the first layers and checked on
every state: where all states of a layer bear one mark, and each layer another, no state can be in
two layers. The first state with a wrong mark ends this.
"""

from __future__ import annotations

import errno
import mmap
import os
import tempfile
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import LANES, Struct
from kibitz.engine import Blocks, CompiledGame, Move, State
from kibitz.engine.compiled.native_machine import Expander
from kibitz.errors import InputError
from kibitz.gdl import Function
from kibitz.rows import least_image, row_words
from kibitz.threads import ThreadTeam

_CHUNK = 1 << 26
_STEP = 1 << 24
_LEAVE_FREE = 1 << 30


class Column:
    """One growing array, with a row of fixed shape for each state or edge.

    >>> column = Column(np.uint16)
    >>> column.resize(3)
    >>> column.move_to(tempfile.gettempdir())
    >>> column.resize(5)
    >>> column.array.tolist(), column.bytes_in_memory
    ([0, 0, 0, 0, 0], 0)
    """

    def __init__(self, dtype: Any, *shape: int) -> None:
        self.dtype = np.dtype(dtype)
        self.shape = shape
        self.array: npt.NDArray[Any] = np.zeros((0, *shape), dtype=dtype)
        self._file: int | None = None

    @property
    def address(self) -> int:
        """The address of the array, which a change of size may change."""
        return self.array.ctypes.data

    @property
    def row_bytes(self) -> int:
        """How long a row is."""
        return int(self.dtype.itemsize * prod(self.shape))

    @property
    def bytes_in_memory(self) -> int:
        """The memory that the array takes; an array in a file counts as none."""
        return self.array.nbytes if self._file is None else 0

    def resize(self, length: int) -> None:
        """Change the number of rows; new ones are zero.

        An array grows step by step: other threads wait while memory is set to zero.
        """
        if self._file is None:
            while len(self.array) != length:
                step = max(_STEP, self.array.nbytes // 8) // self.row_bytes + 1
                to = min(length, len(self.array) + step)
                self.array.resize((to, *self.shape), refcheck=False)
        else:
            self._map(self._file, length)

    def move_to(self, folder: str | Path) -> None:
        """Continue in a file without a name in a folder; it disappears when no longer used."""
        if self._file is not None:
            return
        try:
            self._file, name = tempfile.mkstemp(dir=folder, prefix="kibitz")
            weakref.finalize(self, os.close, self._file)
            os.unlink(name)
            rows = np.ascontiguousarray(self.array).reshape(-1).view(np.uint8)
            while len(rows):
                rows = rows[os.write(self._file, rows[:_CHUNK].data) :]
        except OSError as error:
            raise InputError(f"cannot spill to {folder}: {error.strerror or error}") from None
        self._map(self._file, len(self.array))

    def _map(self, file: int, length: int) -> None:
        size = length * self.row_bytes
        if not size:
            self.array = np.zeros((length, *self.shape), dtype=self.dtype)
            return
        try:
            growth = size - os.fstat(file).st_size
            if hasattr(os, "fstatvfs"):
                disk = os.fstatvfs(file)
                if growth > disk.f_bavail * disk.f_frsize - _LEAVE_FREE:
                    raise OSError(errno.ENOSPC, "the disk would be full")
            if growth > 0 and hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file, 0, size)  # a full disk must be reported here, not later
            else:
                os.ftruncate(file, size)
            mapped = mmap.mmap(file, size)
        except OSError as error:
            raise InputError(
                f"cannot spill {size / 1e9:.1f} GB to disk: {error.strerror or error}",
                hint="give a folder on a larger disk with --spill",
            ) from None
        self.array = np.frombuffer(mapped, dtype=self.dtype).reshape(length, *self.shape)


_SAMPLE = 256

Rows = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class LayerMark:
    """The fluents that are counted, and those that are compared one by one, as bits of a row."""

    counted: Rows
    fixed: Rows

    def of(self, row: Rows) -> tuple[int, tuple[int, ...]]:
        """Return the mark of a state."""
        count = int(np.bitwise_count(row & self.counted).sum())
        return count, tuple((row & self.fixed).tolist())


def find_mark(fluents: Sequence[Function], layers: Sequence[Rows]) -> LayerMark | None:
    """Guess a mark from the first layers of a space; None if there is no candidate."""
    words = layers[0].shape[1]
    samples = [layer[:: 1 + len(layer) // _SAMPLE] for layer in layers]
    nothing = np.zeros(words, dtype=np.uint64)
    for group in _groups(fluents):
        mask = nothing.copy()
        for i in group:
            mask[i // 64] |= np.uint64(1 << i % 64)
        counted, fixed = LayerMark(mask, nothing), LayerMark(nothing, mask)
        for mark in (counted, fixed):
            if _tells_apart(mark, samples) and _tells_apart(mark, layers):
                return mark
    return None


def _groups(fluents: Sequence[Function]) -> list[list[int]]:
    """Return sets of fluents that may be counted: of one name, or with one argument in common."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for i, fluent in enumerate(fluents):
        keys: list[tuple[object, ...]] = [(fluent.name,)]
        keys += [(fluent.name, place, arg) for place, arg in enumerate(fluent.args)]
        for key in keys:
            groups.setdefault(key, []).append(i)
    return [list(range(len(fluents))), *groups.values()]


def _tells_apart(mark: LayerMark, layers: Sequence[Rows]) -> bool:
    marks = [mark.of(layer[0]) for layer in layers]
    if len(set(marks)) < len(marks):
        return False
    for layer, (count, pattern) in zip(layers, marks, strict=True):
        if (np.bitwise_count(layer & mark.counted).sum(axis=1) != count).any():
            return False
        if ((layer & mark.fixed) != np.array(pattern, dtype=np.uint64)).any():
            return False
    return True


_MOST_JOINTS = 1 << 16
_MOST_ROWS = 1 << 23
_LEAST_BLOCK = 64
"""In smaller blocks the native loop would do its work for few states at a time."""
_SHARE = 1 << 13
_SHARE_ROWS = 1 << 17
_MARK_FROM = 1 << 12
_LEAST_TABLE = 1 << 14
_LEAST_STATES = 1 << 12
_NOWHERE = 2**63 - 1

Each = Callable[[Callable[[int], Any]], list[Any]]


class JointBound:
    """How many states can be expanded at a time, so that their successors fit a buffer.

    Where the product of all moves of all roles is large, which says little of games in turns, the
    joint moves of each state are counted beforehand. No state may have more than fit.
    """

    def __init__(self, game: CompiledGame, room: int) -> None:
        joints = max(1, prod(game.program.layout.move_counts))
        self.block = min(LANES, _MOST_ROWS // joints)
        self.full = room
        """Beyond so many successors the native loop begins no further block."""
        self.blocks: Blocks | None = None
        if self.block >= _LEAST_BLOCK:
            self.room = room + self.block * joints
        else:
            self.block, self.room = LANES, room
            self.blocks = Blocks(game)

    def fit(self, rows: npt.NDArray[np.uint64]) -> int:
        """Return how many of some states, from the first on, can be expanded."""
        if self.blocks is None or not len(rows):
            return len(rows)
        counts = self.blocks.count_joint_moves(rows, stop_at_terminal=True)
        sums = np.cumsum(np.minimum(np.array(counts, dtype=object), self.room + 1).astype(np.int64))
        if sums[0] > self.room:
            raise InputError(f"a state has too many joint moves to be explored: {counts[0]:,}")
        count = int(np.searchsorted(sums, self.room, side="right"))
        # Whole blocks where that is possible: states are numbered in their order.
        return count - count % self.block if self.block <= count < len(rows) else count


class StateIntake:
    """The arrays of a growing space, and the native loops that extend it.

    With several threads, `take` gives each a share of the states; the table of states has a section
    for each, and results do not depend on the number of threads.
    """

    def __init__(
        self, game: CompiledGame, team: ThreadTeam, *, images: Sequence[Sequence[int]] = ()
    ) -> None:
        self.game, self.team = game, team
        self.bound = JointBound(game, _SHARE_ROWS)
        self.room = self.bound.room
        self.expanders = [
            Expander(game.machine, stop_at_terminal=True, images=images) for _ in range(team.size)
        ]
        self.words = self.expanders[0].row_words
        self.count = self.edges = 0
        self.states = Column(np.uint64, self.words)
        self.first_edge = Column(np.int64)
        self.target, self.action = Column(np.uint32), Column(np.uint16)
        self.terminal, self.turn = Column(np.uint8), Column(np.int8)
        self.goals = Column(np.int8, len(game.roles))
        self.table = np.zeros(_LEAST_TABLE, dtype=np.uint64)
        self.table_first = 0
        self.mark: LayerMark | None = None
        self.marks: set[object] = set()
        self.is_mark_tried = self.is_expected = False
        self._expand = game.machine.loop("space_expand")
        self._buffers()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The arrays that grow."""
        of_states = (self.states, self.first_edge, self.terminal, self.turn, self.goals)
        return (*of_states, self.target, self.action)

    @property
    def bytes_in_memory(self) -> int:
        """The memory that the arrays and the table take."""
        return self.table.nbytes + sum(column.bytes_in_memory for column in self.columns)

    def _call(self, name: str, number: int, *arguments: int) -> Any:
        """Call a function of the core for one thread."""
        return core.function(f"space_{name}", self.words)(self.contexts[number], *arguments)

    def _buffers(self) -> None:
        """Make the buffers between the loops: successors of all shares, one share after another."""
        size = self.team.size * self.room
        layout = self.game.program.layout
        self.rows = np.empty((size, self.words), dtype=np.uint64)
        self.work = np.empty((5, size), dtype=np.uint64)  # parents, moves, hashes, numbers, slots
        self.codes = np.empty(size, dtype=np.uint16)
        self.joints = np.zeros(4 * _MOST_JOINTS, dtype=np.uint64)
        self.joint_words = np.zeros(2 * _MOST_JOINTS, dtype=np.uint64)
        self.places = np.zeros((self.team.size, _SHARE), dtype=np.int64)
        self.batches = np.zeros((self.team.size, 128), dtype=np.int64)
        shown = [-1 if v is None or not 0 <= v <= 100 else v for _, v in layout.goal_values]
        self.goal_roles = np.array([role for role, _ in layout.goal_values] or [0], dtype=np.int64)
        self.goal_values = np.array(shown or [0], dtype=np.int64)
        self.pattern = np.zeros((3, self.words), dtype=np.uint64)  # counted, fixed, pattern
        self.contexts = []
        for number, expander in enumerate(self.expanders):
            offset = number * self.room
            expander.context.out_rows = self.rows[offset:]
            expander.context.out_parents = self.work[0, offset:].view(np.int64)
            expander.context.out_moves = self.work[1, offset:]
            self.contexts.append(
                Struct(
                    "intake", rows=self.rows, parents=self.work[0].view(np.int64),
                    moves=self.work[1], hashes=self.work[2], numbers=self.work[3].view(np.int64),
                    slots=self.work[4].view(np.int64), codes=self.codes, joints=self.joints,
                    joint_mask=len(self.joints) - 1, joint_words=self.joint_words,
                    places=self.places[number], batch=self.batches[number],
                    expansion=expander.context, offset=offset, block=self.bound.block,
                    room=self.bound.full,
                    goal_roles=self.goal_roles, goal_values=self.goal_values,
                    counted=self.pattern[0], fixed=self.pattern[1], pattern=self.pattern[2],
                )
            )  # fmt: skip

    def bind(self) -> None:
        """Give the native code the addresses of the arrays, which may have moved."""
        section = len(self.table) // self.team.size
        for number, (context, expander) in enumerate(
            zip(self.contexts, self.expanders, strict=True)
        ):
            expander.context.rows = self.states.array
            context.table, context.mask = self.table, len(self.table) - 1
            context.section_mask, context.section = section - 1, number * section
            context.states, context.first_edge = self.states.array, self.first_edge.array
            context.targets, context.actions = self.target.array, self.action.array
            context.terminal, context.turn = self.terminal.array, self.turn.array
            context.goals = self.goals.array

    def seed(self, rows: npt.NDArray[np.uint64]) -> None:
        """Add the first states; no two of them may be equal."""
        self.make_room(len(rows), 0)
        self.states.array[: len(rows)] = rows
        self.count = len(rows)
        self.make_table(len(rows))

    def take(self, first: int, end: int) -> tuple[int, int]:
        """Expand some of the states from first to end, and add their successors.

        Return the lowest number that a move leads to, and the first state that is not expanded.
        """
        share = _SHARE
        size = min(end - first, self.team.size * share)
        # For a few states, waking other threads takes longer than working without them.
        each = self.team.each if size > share else self._in_turn
        starts = [min(first + i * share, first + size) for i in range(self.team.size + 1)]
        fitting = [self.bound.fit(self.states.array[a:b]) for a, b in pairwise(starts)]

        def expand(number: int) -> int:
            self.expanders[number].context.written = 0
            return int(self._expand(self.contexts[number], starts[number], fitting[number]))

        expanded = each(expand)
        begins = [number * self.room for number in range(self.team.size)]
        ends = list(begins)
        whole = 0
        for number, expander in enumerate(self.expanders):
            ends[number] += expander.context.written
            whole = number + 1
            if expanded[number] < starts[number + 1] - starts[number]:
                break  # it ran out of room, so the shares behind it have to wait
        begins, ends = begins[:whole], ends[:whole]
        found = sum(ends) - sum(begins)
        self._name_moves(begins, ends)
        self.make_room(self.count + found, self.edges + found)
        if 3 * (self.count + found - self.table_first) > 2 * len(self.table):
            self.make_table(self.count + found)
        known = self._number_states(each, begins, ends) if found else self.count
        edge_starts = [self.edges]
        for begin, stop in zip(begins, ends, strict=True):
            edge_starts.append(edge_starts[-1] + stop - begin)

        def link(number: int) -> int:
            if number >= whole:
                return _NOWHERE
            place = (starts[number], expanded[number], begins[number], ends[number])
            return int(self._call("link", number, *place, edge_starts[number]))

        lowest = min(each(link))
        self.edges = edge_starts[-1]
        self.count = known
        return lowest, starts[whole - 1] + expanded[whole - 1]

    def _in_turn(self, task: Callable[[int], Any]) -> list[Any]:
        return [task(number) for number in range(self.team.size)]

    def _name_moves(self, begins: list[int], ends: list[int]) -> None:
        """Number new joint moves, in the order in which they come."""
        if not any(context.fresh_joint for context in self.contexts):
            return
        for context in self.contexts:
            context.fresh_joint = 0
        for begin, end in zip(begins, ends, strict=True):
            for start in range(begin, end, _MOST_JOINTS):
                stop = min(end, start + _MOST_JOINTS)
                self._call("number_joints", 0, start, stop)
                if self.contexts[0].joint_count > _MOST_JOINTS:
                    name = self.game.sheet.name
                    raise InputError(f"{name} has more than {_MOST_JOINTS:,} joint moves")

    def _number_states(self, each: Each, begins: list[int], ends: list[int]) -> int:
        """Look up successors, number the new ones, and return how many states there are then."""
        ranges = list(zip(begins, ends, strict=True))
        for context in self.contexts:
            context.known = self.count
        self._expect_mark(next(begin for begin, end in ranges if begin < end))

        def claim(number: int) -> list[int]:
            return [self._call("claim", number, begin, end) for begin, end in ranges]

        new = each(claim)
        if any(context.strays for context in self.contexts):
            self._give_up_mark(self.count + sum(ends) - sum(begins))
            new = each(claim)
        starts = [self.count]
        for share in zip(*new, strict=True):
            starts.append(starts[-1] + sum(share))

        def number_new(number: int) -> None:
            if number < len(ranges):
                self._call("number", number, *ranges[number], starts[number])

        each(number_new)
        return starts[-1]

    def start_layer(self, layers: Sequence[int]) -> None:
        """Start a new layer: all successors of the last one have been added.

        If each layer has its own mark, new states differ from all earlier ones.
        """
        if not self.is_mark_tried and self.count >= _MARK_FROM and len(layers) > 2:
            self.is_mark_tried = True
            ends = [*layers[1:], self.count]
            rows = [self.states.array[a:b] for a, b in zip(layers, ends, strict=True)]
            self.mark = find_mark(self.game.network.fluents, rows)
            if self.mark:
                self.marks = {self.mark.of(layer[0]) for layer in rows}
                self.pattern[0], self.pattern[1] = self.mark.counted, self.mark.fixed
        if self.mark:
            self.is_expected = False
            self.table_first = self.count
            size = _LEAST_TABLE
            while size < self.count - layers[-1]:
                size *= 2
            if size == len(self.table):
                self.table.fill(0)
            else:
                self.table = np.zeros(size, dtype=np.uint64)
            self.bind()

    def _expect_mark(self, place: int) -> None:
        """Take the mark of a layer from its first successor."""
        for context in self.contexts:
            context.strays = 0
        if self.mark and not self.is_expected:
            mark = self.mark.of(self.rows[place])
            self.is_expected = True
            for context in self.contexts:
                context.count = mark[0]
            self.pattern[2] = mark[1]
            if mark in self.marks:
                self.contexts[0].strays = 1
            self.marks.add(mark)

    def _give_up_mark(self, total: int) -> None:
        """Look states up among all from now on."""
        self.mark = None
        self.pattern[:] = 0
        for context in self.contexts:
            context.count = 0
        self.table_first = 0
        self.make_table(total)

    def make_table(self, total: int) -> None:
        """Make a table with room for a number of states, and enter the present ones."""
        size = len(self.table)
        while 3 * (total - self.table_first) > 2 * size:
            size *= 2
        self.table = np.zeros(size, dtype=np.uint64)
        self.bind()
        count = self.count - self.table_first
        each = self.team.each if count > _SHARE else self._in_turn
        each(lambda number: self._call("rehash", number, self.table_first, count))

    def make_room(self, states: int, edges: int) -> None:
        """Make the arrays large enough for all states and edges that may come."""
        of_states = len(self.states.array)
        if states > of_states:
            size = max(states, of_states * 3 // 2, _LEAST_STATES)
            for column in (self.states, self.terminal, self.turn, self.goals):
                column.resize(size)
            self.first_edge.resize(size + 1)
        of_edges = len(self.target.array)
        if edges > of_edges:
            size = max(edges, of_edges * 3 // 2)
            self.target.resize(size)
            self.action.resize(size)
        if states > of_states or edges > of_edges:
            self.bind()

    def trim(self, done: int) -> None:
        """Cut the arrays to their length; states from `done` have no edges."""
        self.first_edge.array[done : self.count + 1] = self.edges
        for column in (self.states, self.terminal, self.turn, self.goals):
            column.resize(self.count)
        self.first_edge.resize(self.count + 1)
        self.target.resize(self.edges)
        self.action.resize(self.edges)

    def name_joints(self) -> tuple[tuple[Move, ...], ...]:
        """Read the moves of each role off the words that stand for joint moves."""
        bits = self.expanders[0].machine.bits
        words = self.joint_words[: self.contexts[0].joint_count].tolist()
        moves = self.game.network.moves
        return tuple(
            tuple(moves[r][word >> bits * r & ((1 << bits) - 1)] for r in range(len(moves)))
            for word in words
        )


def rows_of(
    game: CompiledGame, states: Sequence[State], images: Sequence[Sequence[int]] = ()
) -> npt.NDArray[np.uint64]:
    """Return the rows of states, or of their representatives, each once.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> rows_of(game, [game.initial(), game.initial()]).shape
    (1, 1)
    """
    words = row_words(game.program.layout.fluent_count)
    rows: dict[tuple[int, ...], None] = {}
    for state in states:
        assert isinstance(state.key, int)
        rows[least_image(state.key, images, words)] = None
    return np.array(list(rows), dtype=np.uint64)
