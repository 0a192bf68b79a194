"""Run a Program on native code: blocks of 512 states in memory, playouts and perft."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.engine.compiled.kernels import (
    BUFFER_ROW,
    MASK_ROW,
    ROLE_ROW,
    Context,
    Expansion,
    GameTable,
    Leaves,
    interpreter,
    kernel,
)
from kibitz.engine.compiled.llvm import LANES, WORDS, Code
from kibitz.engine.compiled.program import GROUP, Program, Slot, Stage
from kibitz.engine.compiled.straight_line import PlacedStage, compile_straight
from kibitz.errors import KibitzError

__all__ = [
    "STRAIGHT_LIMIT",
    "MaskProgram",
    "NativeMachine",
    "NativeStage",
    "choice_scratch",
    "vectors",
]

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

STRAIGHT_LIMIT = 4000
"""Networks with at most this many gates, and results, are compiled to straight-line code."""

_STAGE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_PLAYOUTS = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 10, ctypes.c_int64)
_ROLLOUTS = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 11, ctypes.c_int64, ctypes.c_int64)
_EXPAND = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
_PERFT = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


def vectors(count: int) -> Words:
    """Make zeroed memory of `count` slots, aligned for vector instructions."""
    raw = np.zeros(count * WORDS + WORDS, dtype=np.uint64)
    skip = (-raw.ctypes.data // 8) % WORDS
    return raw[skip : skip + count * WORDS].reshape(count, WORDS)


@dataclass(frozen=True)
class NativeStage:
    """The native function of a stage, and the numbers it reads, if any."""

    address: int
    numbers: npt.NDArray[np.int32]


@dataclass(frozen=True)
class NativeStages:
    """The native functions of a game's two stages and the numbers they read, if any."""

    view: int
    step: int
    view_code: npt.NDArray[np.int32]
    step_code: npt.NDArray[np.int32]
    code: Code


class NativeMachine:
    """Everything native that one game needs. Holds no state: memory is made by `memory`."""

    lanes = LANES

    def __init__(self, program: Program, *, straight: bool | None = None) -> None:
        self.program = program
        layout = program.layout
        most = max(layout.move_counts, default=1)
        self.bits = next(b for b in (4, 5, 6, 8, 10, 12, 16, 20, 32) if most < 1 << b)
        gates = program.view.gate_count + program.step.gate_count
        results = len(program.view.copies) + len(program.step.copies)
        is_small = max(gates, results) <= STRAIGHT_LIMIT
        self.is_straight = is_small if straight is None else straight
        self.placement = Placement(program, straight=self.is_straight)
        stages = {
            n: (s, self.placement) for n, s in (("view", program.view), ("step", program.step))
        }
        code, (view, step) = self.compile_stages(stages)
        self.stepper = NativeStages(view.address, step.address, view.numbers, step.numbers, code)
        self._view = _STAGE(self.stepper.view)
        self._step = _STAGE(self.stepper.step)
        self.table = self._table()
        initial = [-1 if holds else 0 for holds in program.network.initial]
        self.initial = np.array(initial or [0], dtype=np.int64)

    def compile_stages(self, stages: Mapping[str, PlacedStage]) -> tuple[Code, list[NativeStage]]:
        """Compile stages of this machine's program, or write them for the interpreter.

        They are good as long as the code is alive.
        """
        if self.is_straight:
            code, nothing = compile_straight(stages), np.zeros(1, dtype=np.int32)
            return code, [NativeStage(code.address(name), nothing) for name in stages]
        code = interpreter()
        address = code.address("interpret")
        return code, [NativeStage(address, stage_numbers(*placed)) for placed in stages.values()]

    def _table(self) -> Numbers:
        layout = self.program.layout
        table = np.zeros(GameTable.SIZE + ROLE_ROW * len(layout.does), dtype=np.int64)
        table[GameTable.FLUENTS] = layout.fluents
        table[GameTable.FLUENT_COUNT] = layout.fluent_count
        table[GameTable.TERMINAL] = layout.terminal
        table[GameTable.GOALS] = layout.goals
        table[GameTable.GOAL_COUNT] = len(layout.goal_values)
        table[GameTable.NEXT] = layout.next
        table[GameTable.ROLES] = len(layout.does)
        table[GameTable.SLOTS] = self.placement.slots
        for role, count in enumerate(layout.move_counts):
            row = GameTable.SIZE + ROLE_ROW * role
            groups = -(-count // GROUP)
            table[row : row + 4] = (groups, layout.does[role], layout.legal[role], count)
        return table

    @cached_property
    def _playouts(self) -> Any:
        return _PLAYOUTS(kernel("playouts", self.bits).address("playouts"))

    @cached_property
    def _rollouts(self) -> Any:
        return _ROLLOUTS(kernel("rollouts", self.bits).address("rollouts"))

    @cached_property
    def _perft(self) -> Any:
        return _PERFT(kernel("perft", self.bits).address("perft"))

    @cached_property
    def _expand(self) -> Any:
        return _EXPAND(self.expand_address)

    @property
    def expand_address(self) -> int:
        """Where expand_rows is."""
        return kernel("expand", self.bits).address("expand_rows")

    def memory(self) -> Words:
        """Make memory for one block, every state of it all false."""
        return vectors(self.placement.slots)

    def memories(self, blocks: int) -> Words:
        """Make memory for several blocks, in one array; native code needs them aligned."""
        return vectors(blocks * self.placement.slots).reshape(blocks, self.placement.slots, -1)

    def view(self, memory: Words) -> None:
        """Fill in legal moves, the end and goals from the fluents."""
        self._view(memory.ctypes.data, self.stepper.view_code.ctypes.data)

    def step(self, memory: Words) -> None:
        """Fill in the next fluents from the fluents, the last view, and the moves made."""
        self._step(memory.ctypes.data, self.stepper.step_code.ctypes.data)

    def mask_slots(self) -> tuple[list[int], int]:
        """Return where masks of the roles' moves begin behind a game's slots, and where they end.

        A mask is padded like the area of legal moves.
        """
        padded = [-(-count // GROUP) * GROUP for count in self.program.layout.move_counts]
        *starts, end = accumulate(padded, initial=self.placement.slots)
        return starts, end

    def playouts(self, seed: int, initial: Numbers | None = None) -> Playouts:
        """Start random play in all lanes of a block, from the initial state or another one.

        A state is -1 for each fluent that holds, and 0 for each other.
        """
        return Playouts(self, seed, self.initial if initial is None else initial)

    def rollouts(self, seed: int) -> Rollouts:
        """Make memory for random matches from given states."""
        return Rollouts(self, seed)

    def perft_arena(self, depth: int) -> PerftArena:
        """Make memory for counting down to a depth."""
        return PerftArena(self, depth)


class Playouts:
    """A block of random matches under way."""

    def __init__(self, machine: NativeMachine, seed: int, initial: Numbers) -> None:
        self.machine, self.initial = machine, initial
        layout = machine.program.layout
        self.memory = machine.memory()
        fluents = slice(layout.fluents, layout.fluents + layout.fluent_count)
        if layout.fluent_count:
            self.memory[fluents] = initial[:, None].view(np.uint64)
        self.random, self.scratch = _random_state(seed), choice_scratch(machine)
        self.counts = np.zeros(3 + len(layout.goal_values), dtype=np.int64)
        self.live = vectors(1)
        self.live[:] = ~np.uint64(0)

    def run(self, rounds: int) -> None:
        """Make one move in every lane, `rounds` times; leave the tallies in `counts`."""
        addresses = self._addresses(self.initial, self.counts)
        self.machine._playouts(*addresses, rounds)

    def finish(self, rounds: int) -> int:
        """Begin no more matches; return how many are under way after so many rounds."""
        counts = vectors(len(self.counts))
        initial = vectors(max(1, len(self.initial)))  # which no lane starts from
        addresses = self._addresses(initial, counts)
        self.machine._rollouts(*addresses, self.live.ctypes.data, 0, rounds)
        self.counts += counts.sum(axis=1).astype(np.int64)
        return int(np.bitwise_count(self.live).sum())

    def _addresses(self, initial: Words | Numbers, counts: Words | Numbers) -> list[int]:
        stepper = self.machine.stepper
        return [
            self.memory.ctypes.data,
            stepper.view,
            stepper.view_code.ctypes.data,
            stepper.step,
            stepper.step_code.ctypes.data,
            self.machine.table.ctypes.data,
            initial.ctypes.data,
            self.random.ctypes.data,
            self.scratch.ctypes.data,
            counts.ctypes.data,
        ]


class Rollouts:
    """Plays random matches from up to eight states at a time, 64 lanes each."""

    def __init__(self, machine: NativeMachine, seed: int) -> None:
        self.machine = machine
        self.memory = machine.memory()
        self.random, self.scratch = _random_state(seed), choice_scratch(machine)
        self.initial = vectors(max(1, machine.program.layout.fluent_count))
        self.live = vectors(1)
        self.counts = vectors(3 + len(machine.program.layout.goal_values))
        self._rollouts = machine._rollouts

    def run(self, states: Words, rounds: int, most: int = 10_000) -> Words:
        """Return counts for each row of states: moves, ends, stuck, ends with each goal; one column
        per state. Lanes begin matches for `rounds` rounds and finish those they began, unless that
        takes more than `most` rounds in all.
        """
        layout = self.machine.program.layout
        bits = np.unpackbits(
            np.ascontiguousarray(states).astype("<u8").view(np.uint8), axis=1, bitorder="little"
        )
        self.initial[:, : len(states)] = -bits[:, : layout.fluent_count].T.astype(np.uint64)
        self.memory[layout.fluents : layout.fluents + layout.fluent_count] = self.initial[
            : layout.fluent_count
        ]
        self.live[0] = 0
        self.live[0, : len(states)] = ~np.uint64(0)
        self.counts[:] = 0
        stepper = self.machine.stepper
        self._rollouts(
            self.memory.ctypes.data,
            stepper.view,
            stepper.view_code.ctypes.data,
            stepper.step,
            stepper.step_code.ctypes.data,
            self.machine.table.ctypes.data,
            self.initial.ctypes.data,
            self.random.ctypes.data,
            self.scratch.ctypes.data,
            self.counts.ctypes.data,
            self.live.ctypes.data,
            rounds,
            most,
        )
        return self.counts[:, : len(states)]


def _random_state(seed: int) -> Words:
    state = vectors(4)
    source = np.random.default_rng(seed)
    state[:] = source.integers(0, 2**64, size=(4, WORDS), dtype=np.uint64)
    return state


def choice_scratch(machine: NativeMachine) -> Words:
    """Make the memory for drawing moves: counts and ranks for each role, and groups of moves."""
    layout = machine.program.layout
    groups = max((-(-count // GROUP) for count in layout.move_counts), default=1)
    return vectors(2 * (len(layout.does) + 1) * (machine.bits + 1) + groups + 1)


class PerftArena:
    """Memory of one worker that counts states below blocks."""

    def __init__(self, machine: NativeMachine, depth: int) -> None:
        self.machine = machine
        layout = machine.program.layout
        moves = sum(-(-count // GROUP) * GROUP for count in layout.move_counts)
        roles = len(layout.does)
        remaining = machine.placement.slots
        buffer = remaining + moves
        buffered = buffer + BUFFER_ROW * layout.fluent_count
        scratch = buffered + 1
        stride = scratch + (roles + 1) * (machine.bits + 1)
        self.depth = depth
        self._perft = machine._perft
        self.arena = vectors(stride * (depth + 1))
        self.counts = np.zeros(depth + 2, dtype=np.int64)
        self.stop = np.zeros(1, dtype=np.int64)
        self.mask = vectors(1)
        self.context = np.zeros(Context.SIZE, dtype=np.int64)
        stepper = machine.stepper
        self.context[:] = [
            self.arena.ctypes.data,
            stride,
            stepper.view,
            stepper.view_code.ctypes.data,
            stepper.step,
            stepper.step_code.ctypes.data,
            machine.table.ctypes.data,
            self.counts.ctypes.data,
            self.stop.ctypes.data,
            0,
            remaining,
            buffer,
            buffered,
            scratch,
        ]

    def run(self, fluents: Words, mask: Words, depth: int, *, stop_at_terminal: bool) -> list[int]:
        """Count the states at each depth below a block, the block itself at depth 0."""
        layout = self.machine.program.layout
        self.context[Context.ENDS] = -1 if stop_at_terminal else 0
        self.arena[layout.fluents : layout.fluents + layout.fluent_count] = fluents
        self.mask[0] = mask
        self.counts[:] = 0
        self._perft(self.context.ctypes.data, self.mask.ctypes.data, depth)
        return [int(count) for count in self.counts[: depth + 1]]


class Expander:
    """Expands packed states block by block, into buffers that it keeps."""

    def __init__(
        self,
        machine: NativeMachine,
        *,
        stop_at_terminal: bool,
        images: Sequence[Sequence[int]] = (),
    ) -> None:
        self.machine = machine
        layout = machine.program.layout
        if machine.bits * len(layout.does) > 64:  # A joint move is one word.
            raise KibitzError(
                f"{len(layout.does)} roles with up to {max(layout.move_counts):,} moves have too "
                "many joint moves to be numbered",
                hint="simulate and perft do not need such numbers",
            )
        self.row_words = max(1, -(-layout.fluent_count // 64))
        moves = sum(-(-count // GROUP) * GROUP for count in layout.move_counts)
        self.memory = machine.memory()
        self.remaining = vectors(moves)
        self.scratch = vectors((len(layout.does) + 1) * (machine.bits + 1))
        self.packed = vectors(64 * (2 * self.row_words + 1))
        self.images = self._orders(images)
        self.flags = vectors(1 + len(layout.goal_values) + len(layout.does))
        self.context = np.zeros(Expansion.SIZE, dtype=np.int64)
        stepper = machine.stepper
        for column, value in (
            (Expansion.MEMORY, self.memory.ctypes.data),
            (Expansion.VIEW, stepper.view),
            (Expansion.VIEW_CODE, stepper.view_code.ctypes.data),
            (Expansion.STEP, stepper.step),
            (Expansion.STEP_CODE, stepper.step_code.ctypes.data),
            (Expansion.TABLE, machine.table.ctypes.data),
            (Expansion.ROW_WORDS, self.row_words),
            (Expansion.REMAINING, self.remaining.ctypes.data),
            (Expansion.SCRATCH, self.scratch.ctypes.data),
            (Expansion.PACKED, self.packed.ctypes.data),
            (Expansion.FLAGS, self.flags.ctypes.data),
            (Expansion.STOP, int(stop_at_terminal)),
            (Expansion.IMAGES, self.images.ctypes.data),
            (Expansion.IMAGE_COUNT, len(self.images)),
        ):
            self.context[column] = value
        self.rows = np.zeros((0, self.row_words), dtype=np.uint64)
        self.parents = np.zeros(0, dtype=np.int64)
        self.moves = np.zeros(0, dtype=np.uint64)

    def _orders(self, images: Sequence[Sequence[int]]) -> npt.NDArray[np.int32]:
        """Write permutations of fluents as orders of slots, the plain order first.

        Fluent i of a state is fluent image[i] of its image, so that bit image[i] of the image's
        row comes from the slot of fluent i. Bits without a fluent come from slot 0, always zero.
        """
        layout = self.machine.program.layout
        plain = list(range(layout.fluent_count))
        orders = np.zeros((1 + len(images), 64 * self.row_words), dtype=np.int32)
        for order, image in zip(orders, [plain, *images], strict=True):
            order[list(image)] = layout.next + np.arange(layout.fluent_count)
        return orders

    def run(self, states: Words, first: int, count: int, room: int) -> int:
        """Expand states first to first + count; return how many successors there are.

        They are in `rows`, `parents` and `moves`, which hold at least `room`; the end and the
        goals of the states are in `flags`.
        """
        if len(self.parents) < room:
            self.make_room(room)
        self.context[Expansion.ROWS] = states.ctypes.data
        self.context[Expansion.WRITTEN] = 0
        self.machine._expand(self.context.ctypes.data, first, count)
        return int(self.context[Expansion.WRITTEN])

    def make_room(self, room: int) -> None:
        """Make buffers for that many successors."""
        self.rows = np.empty((room, self.row_words), dtype=np.uint64)
        self.parents = np.empty(room, dtype=np.int64)
        self.moves = np.empty(room, dtype=np.uint64)
        self.context[Expansion.OUT_ROWS] = self.rows.ctypes.data
        self.context[Expansion.OUT_PARENTS] = self.parents.ctypes.data
        self.context[Expansion.OUT_MOVES] = self.moves.ctypes.data


@dataclass(frozen=True, eq=False)
class MaskProgram:
    """Code for the interpreter that fills in the mask of a role, and how many slots it needs."""

    code: npt.NDArray[np.int32]
    slots: int


class LeafBlock:
    """Memory and addresses for looking at up to 512 states at a time, for one thread.

    `look` and `play` are native functions that are called with the address of `context`; see
    `kernels.leaves`. In the first `guided` moves of matches, roles with a program make moves of its
    mask.
    """

    def __init__(
        self,
        machine: NativeMachine,
        seed: int,
        partners: Sequence[int],
        *,
        programs: Mapping[int, MaskProgram] | None = None,
        guided: int = 0,
        weights: npt.NDArray[np.float32] | None = None,
    ) -> None:
        self.machine = machine
        layout = machine.program.layout
        code = kernel("guided" if programs else "leaves", machine.bits)
        self.look, self.play = code.address("look_replies"), code.address("play_matches")
        words = max(1, -(-layout.fluent_count // 64))
        moves = sum(-(-count // GROUP) * GROUP for count in layout.move_counts)
        self.programs = dict(programs or {})
        masks, end = machine.mask_slots()
        slots = max((end, *(program.slots for program in self.programs.values())))
        self.memory = vectors(slots) if self.programs else machine.memory()
        self.replies = machine.memory()
        self.play_table = machine.table.copy()
        self.remaining, self.used = vectors(moves), vectors(moves)
        self.random, self.scratch = _random_state(seed), choice_scratch(machine)
        self.packed = vectors(64 * (words + 1))
        self.out = vectors(2 * len(layout.goal_values) + len(layout.does) + 8)
        self.partners = np.array([*partners, -1], dtype=np.int64)
        self.weights = None if weights is None else np.ascontiguousarray(weights, np.float32)
        self.extremes = vectors(2 * 32).view(np.float32).reshape(2, LANES)
        self.context = np.zeros(Leaves.SIZE + MASK_ROW * len(self.programs), dtype=np.int64)
        stepper = machine.stepper
        for column, value in (
            (Expansion.MEMORY, self.memory.ctypes.data),
            (Expansion.VIEW, stepper.view),
            (Expansion.VIEW_CODE, stepper.view_code.ctypes.data),
            (Expansion.STEP, stepper.step),
            (Expansion.STEP_CODE, stepper.step_code.ctypes.data),
            (Expansion.TABLE, machine.table.ctypes.data),
            (Expansion.ROW_WORDS, words),
            (Expansion.REMAINING, self.remaining.ctypes.data),
            (Expansion.SCRATCH, self.scratch.ctypes.data),
            (Expansion.PACKED, self.packed.ctypes.data),
            (Leaves.REPLY_MEMORY, self.replies.ctypes.data),
            (Leaves.PARTNERS, self.partners.ctypes.data),
            (Leaves.OUT, self.out.ctypes.data),
            (Leaves.RANDOM, self.random.ctypes.data),
            (Leaves.USED, self.used.ctypes.data),
            (Leaves.MOST, 10_000),
            (Leaves.GUIDED, guided if self.programs else 0),
            (Leaves.PLAY_TABLE, self.play_table.ctypes.data),
            (Leaves.MASKS, len(self.programs)),
            (Leaves.WEIGHTS, 0 if self.weights is None else self.weights.ctypes.data),
            (Leaves.EXTREMES, self.extremes.ctypes.data),
        ):
            self.context[column] = value
        interpret = interpreter().address("interpret") if self.programs else 0
        for number, (role, program) in enumerate(self.programs.items()):
            row = GameTable.SIZE + ROLE_ROW * role
            _, _, legal, count = machine.table[row : row + ROLE_ROW]
            self.play_table[row + 2] = masks[role]
            place = Leaves.SIZE + MASK_ROW * number
            self.context[place : place + MASK_ROW] = (
                interpret, program.code.ctypes.data, legal, masks[role], count
            )  # fmt: skip


class Placement:
    """Where gates live in native memory: a slot is used again once its gate is no longer read.

    Reads and writes then stay within the processor's second-level cache for networks of tens of
    thousands of gates. Fluents, moves and results keep the slots of the program's layout.
    """

    def __init__(self, program: Program, *, straight: bool) -> None:
        self.first = program.layout.gates
        self.slot: dict[int, int] = {}
        self.free: list[int] = []
        self.slots = self.first
        if straight:  # Gates live in registers, except those that the other stage reads.
            for gate in sorted(program.view.kept):
                self.take(gate)
            return
        for stage in (program.view, program.step):
            self.place(stage)

    def take(self, gate: int) -> None:
        if self.free:
            self.slot[gate] = self.free.pop()
        else:
            self.slot[gate] = self.slots
            self.slots += 1

    def place(self, stage: Stage) -> None:
        last: dict[int, int] = {}
        clock = 0
        for run in stage.runs:
            for left, right in zip(run.left, run.right, strict=True):
                last[left] = last[right] = clock
                clock += 1
        for _, literal in stage.copies:
            last[literal >> 1] = clock
        # What the other stage reads stays, for one view may be followed by many steps.
        gates = {run.first + i for run in stage.runs for i in range(len(run.left))}
        passing = gates - stage.kept
        clock = 0
        for run in stage.runs:
            for offset, operands in enumerate(zip(run.left, run.right, strict=True)):
                for gate in set(operands):
                    if last[gate] == clock and gate in passing:
                        self.free.append(self.slot[gate])
                self.take(run.first + offset)
                clock += 1
        self.free += [self.slot[gate] for gate in passing if last[gate] == clock]

    def __call__(self, slot: int) -> int:
        """Return the place of a slot."""
        return self.slot.get(slot, slot)


def stage_numbers(stage: Stage, place: Callable[[Slot], Slot]) -> npt.NDArray[np.int32]:
    """Write a stage as the list of numbers that the interpreter reads."""
    numbers = [len(stage.runs)]
    for run in stage.runs:
        numbers += [run.kind, len(run.left)]
        for offset, (left, right) in enumerate(zip(run.left, run.right, strict=True)):
            numbers += [place(run.first + offset), place(left), place(right)]
    numbers.append(len(stage.copies))
    for target, literal in stage.copies:
        numbers += [place(target), 2 * place(literal >> 1) | literal & 1]
    return np.array(numbers, dtype=np.int32)
