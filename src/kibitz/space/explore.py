"""Explore a game: all states reachable from its initial state, or from given ones."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from kibitz.engine import Move, State
from kibitz.engine.compiled import CompiledGame
from kibitz.engine.llvm import LANES
from kibitz.engine.native import Expander, NativeMachine
from kibitz.errors import InputError
from kibitz.space.kernels import Intake, space_kernels
from kibitz.space.space import NOBODY, SEVERAL, StateSpace
from kibitz.space.symmetry import Symmetries

__all__ = ["Limits", "explore"]

Progress = Callable[[int, int], None]
"""Is told now and then how many states were found, and how many of them are expanded."""

_ABSORB = ctypes.CFUNCTYPE(None, ctypes.c_void_p, *[ctypes.c_int64] * 3)
_REHASH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, *[ctypes.c_int64] * 2)
_MOST_JOINTS = 1 << 16


@dataclass(frozen=True, slots=True)
class Limits:
    """Where exploring stops, to end in a partial space."""

    states: int = 2**32 - 2
    seconds: float = float("inf")
    bytes: int = 16_000_000_000


def explore(
    game: CompiledGame,
    *,
    starts: Sequence[State] = (),
    symmetries: Symmetries | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> StateSpace:
    """Find every state that play can reach, and every move; play stops at terminal states.

    With `symmetries`, one state of each orbit stands for all of them: the one whose row is the
    smallest. A move then leads to the state that stands for the one it makes.

    >>> from kibitz.games import load
    >>> space = explore(CompiledGame(load("tictactoe")))
    >>> len(space), int(space.terminal.sum()), space.edges
    (5478, 958, 16167)
    """
    images = _images(game, symmetries) if symmetries else []
    exploration = _Exploration(game, limits or Limits(), progress, images)
    return exploration.run(starts or [game.initial()])


def _images(game: CompiledGame, symmetries: Symmetries) -> list[tuple[int, ...]]:
    """Give the group, without the identity, as permutations of the fluents that rows hold."""
    kept = len(game.network.fluents)
    images = [element.fluents[:kept] for element in symmetries.elements()[1:]]
    if any(max(image, default=-1) >= kept for image in images):
        raise InputError(
            f"the symmetries of {game.sheet.name} exchange fluents that are kept with such that "
            "are not, so states cannot be compared",
            hint="explore without them",
        )
    return images


class _Exploration:
    def __init__(
        self,
        game: CompiledGame,
        limits: Limits,
        progress: Progress | None,
        images: list[tuple[int, ...]],
    ) -> None:
        if not isinstance(game.machine, NativeMachine):
            raise InputError("exploring needs native code; llvmlite cannot be imported")
        self.game, self.limits = game, limits
        self.report = progress or (lambda _found, _expanded: None)
        layout = game.program.layout
        self.layout = layout
        self.images = images
        self.expander = Expander(game.machine, stop_at_terminal=True, images=images)
        self.words = self.expander.row_words
        code = space_kernels(self.words)
        self._absorb = _ABSORB(code.address("absorb"))
        self._rehash = _REHASH(code.address("rehash"))
        self.room = LANES * prod(layout.move_counts) if layout.move_counts else LANES
        self.room = min(self.room, 1 << 22)
        self.context = np.zeros(Intake.SIZE, dtype=np.int64)
        self.states = np.zeros((1 << 12, self.words), dtype=np.uint64)
        self.first_edge = np.zeros((1 << 12) + 1, dtype=np.int64)
        self.target = np.zeros(0, dtype=np.uint32)
        self.action = np.zeros(0, dtype=np.uint16)
        self.table = np.zeros(1 << 14, dtype=np.uint64)
        self.joints = np.zeros(4 * _MOST_JOINTS, dtype=np.uint64)
        self.joint_words = np.zeros(2 * _MOST_JOINTS, dtype=np.uint64)
        self.places = np.zeros(LANES, dtype=np.int64)
        self.hashes = np.zeros(64, dtype=np.uint64)
        self.facts = _Facts(game)
        self.is_layered = True

    def run(self, starts: Sequence[State]) -> StateSpace:
        begin = time.perf_counter()
        count = self.seed(starts)
        layers = [0]
        done = 0
        layer_end = count
        is_complete = True
        while done < count:
            size = min(LANES, count - done, layer_end - done)
            if count > self.limits.states or self.is_over(begin):
                is_complete = False
                break
            count = self.expand_block(done, size, count, layer_end)
            done += size
            if done == layer_end and count > done:
                layers.append(done)
                layer_end = count
        self.report(count, done)
        return self.finish(count, done, layers, is_complete, time.perf_counter() - begin)

    def is_over(self, begin: float) -> bool:
        used = self.states.nbytes + self.first_edge.nbytes + self.target.nbytes
        used += self.action.nbytes + self.table.nbytes
        return time.perf_counter() - begin > self.limits.seconds or used > self.limits.bytes

    def seed(self, starts: Sequence[State]) -> int:
        rows = dict.fromkeys(self.row(state) for state in starts)
        count = len(rows)
        self.states = np.zeros((max(1 << 12, 2 * count), self.words), dtype=np.uint64)
        self.first_edge = np.zeros(len(self.states) + 1, dtype=np.int64)
        self.states[:count] = [list(row) for row in rows]
        while len(self.table) < 4 * count:
            self.table = np.zeros(2 * len(self.table), dtype=np.uint64)
        self.bind()
        self._rehash(self.context.ctypes.data, 0, count)
        self.context[Intake.COUNT] = count
        return count

    def row(self, state: State) -> tuple[int, ...]:
        """Give the row of a state, or of the state that stands for it."""
        key = state.key
        assert isinstance(key, int)
        bits = [i for i in range(self.layout.fluent_count) if key >> i & 1]
        keys = [key, *(sum(1 << image[i] for i in bits) for image in self.images)]
        return min(tuple(k >> 64 * w & (2**64 - 1) for w in range(self.words)) for k in keys)

    def bind(self) -> None:
        """Tell the native code where the arrays are, after they may have moved."""
        for column, array in (
            (Intake.TABLE, self.table),
            (Intake.STATES, self.states),
            (Intake.FIRST_EDGE, self.first_edge),
            (Intake.TARGETS, self.target),
            (Intake.ACTIONS, self.action),
            (Intake.JOINTS, self.joints),
            (Intake.JOINT_WORDS, self.joint_words),
            (Intake.PLACES, self.places),
            (Intake.HASHES, self.hashes),
        ):
            self.context[column] = array.ctypes.data
        self.context[Intake.MASK] = len(self.table) - 1
        self.context[Intake.JOINT_MASK] = len(self.joints) - 1

    def expand_block(self, first: int, size: int, count: int, layer_end: int) -> int:
        found = self.expander.run(self.states, first, size, self.room)
        if found > self.room:
            raise InputError("a state has too many joint moves to be explored")
        self.make_room(count, found)
        self.context[Intake.ROWS] = self.expander.rows.ctypes.data
        self.context[Intake.PARENTS] = self.expander.parents.ctypes.data
        self.context[Intake.MOVES] = self.expander.moves.ctypes.data
        edges = int(self.context[Intake.EDGES])
        self._absorb(self.context.ctypes.data, first, size, found)
        if self.context[Intake.JOINT_COUNT] > _MOST_JOINTS:
            raise InputError(f"{self.game.sheet.name} has more than {_MOST_JOINTS:,} joint moves")
        if found and self.is_layered:
            self.is_layered = bool(self.target[edges : edges + found].min() >= layer_end)
        self.facts.add(self.expander.flags, size)
        return int(self.context[Intake.COUNT])

    def make_room(self, count: int, found: int) -> None:
        """Let the arrays grow to take in as many new states and edges as there may be."""
        edges = int(self.context[Intake.EDGES]) + found
        moved = False
        if count + found > len(self.states):
            size = max(count + found, len(self.states) * 3 // 2)
            self.states.resize((size, self.words), refcheck=False)
            self.first_edge.resize(size + 1, refcheck=False)
            moved = True
        if edges > len(self.target):
            size = max(edges, len(self.target) * 3 // 2)
            self.target.resize(size, refcheck=False)
            self.action.resize(size, refcheck=False)
            moved = True
        if 3 * (count + found) > 2 * len(self.table):
            size = len(self.table)
            while 3 * (count + found) > 2 * size:
                size *= 2
            self.table = np.zeros(size, dtype=np.uint64)
            self.bind()
            self._rehash(self.context.ctypes.data, 0, count)
            self.report(count, 0)
        elif moved:
            self.bind()

    def finish(
        self, count: int, done: int, layers: list[int], is_complete: bool, seconds: float
    ) -> StateSpace:
        edges = int(self.context[Intake.EDGES])
        self.first_edge[done:] = edges
        self.states.resize((count, self.words), refcheck=False)
        self.first_edge.resize(count + 1, refcheck=False)
        self.target.resize(edges, refcheck=False)
        self.action.resize(edges, refcheck=False)
        terminal, goals, turn = self.facts.arrays(count)
        return StateSpace(
            game=self.game,
            states=self.states,
            first_edge=self.first_edge,
            target=self.target,
            action=self.action,
            joint_moves=self.name_joints(),
            turn=turn,
            terminal=terminal,
            goals=goals,
            layers=tuple(layers),
            is_layered=self.is_layered and is_complete,
            is_complete=is_complete,
            seconds=seconds,
        )

    def name_joints(self) -> tuple[tuple[Move, ...], ...]:
        """Read the moves of each role off the words that stand for joint moves."""
        bits = self.expander.machine.bits
        words = self.joint_words[: int(self.context[Intake.JOINT_COUNT])].tolist()
        moves = self.game.network.moves
        return tuple(
            tuple(moves[r][word >> bits * r & ((1 << bits) - 1)] for r in range(len(moves)))
            for word in words
        )


class _Facts:
    """Gathers what holds in states, block by block: the end, goals, and who has a choice."""

    def __init__(self, game: CompiledGame) -> None:
        self.values = game.program.layout.goal_values
        self.roles = len(game.roles)
        self.flags: list[npt.NDArray[np.uint64]] = []
        self.sizes: list[int] = []
        self.terminal: list[npt.NDArray[np.bool_]] = []
        self.goals: list[npt.NDArray[np.int8]] = []
        self.turn: list[npt.NDArray[np.int8]] = []

    def add(self, flags: npt.NDArray[np.uint64], size: int) -> None:
        self.flags.append(flags.copy())
        self.sizes.append(size)
        if len(self.flags) == 1024:
            self.unpack()

    def unpack(self) -> None:
        if not self.flags:
            return
        packed = np.stack(self.flags).astype("<u8").view(np.uint8)
        bits = np.unpackbits(packed, axis=2, bitorder="little")
        used = np.arange(LANES) < np.array(self.sizes)[:, None]
        columns = [bits[:, i][used] for i in range(bits.shape[1])]
        self.terminal.append(columns[0].astype(bool))
        count = len(columns[0])
        goals = np.full((count, self.roles), -1, dtype=np.int8)
        given = np.zeros((count, self.roles), dtype=np.int8)
        for (role, value), holds in zip(self.values, columns[1:], strict=False):
            given[:, role] += holds
            if value is not None and 0 <= value <= 100:
                goals[holds.astype(bool), role] = value
        goals[given != 1] = -1
        self.goals.append(goals)
        turn = np.full(count, NOBODY, dtype=np.int8)
        for role, chooses in enumerate(columns[1 + len(self.values) :]):
            here = chooses.astype(bool)
            turn[here] = np.where(turn[here] == NOBODY, role, SEVERAL)
        turn[columns[0].astype(bool)] = NOBODY
        self.turn.append(turn)
        self.flags, self.sizes = [], []

    def arrays(
        self, count: int
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """Give terminal, goals and turn of all states; those not expanded have none of them."""
        self.unpack()
        known = sum(map(len, self.terminal))
        rest = count - known
        return (
            np.concatenate([*self.terminal, np.zeros(rest, dtype=bool)]),
            np.concatenate([*self.goals, np.full((rest, self.roles), -1, dtype=np.int8)]),
            np.concatenate([*self.turn, np.full(rest, NOBODY, dtype=np.int8)]),
        )
