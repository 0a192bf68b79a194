"""Run a Program on native code: blocks of 512 states in memory, playouts, expansion and perft.

A machine calls the loops of the core, which call the game's gates. Small networks are straight-line
code: a loop that has run for a while is compiled again with this code linked into it. Large ones
are interpreted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import LANES, WORDS, Struct, vectors
from kibitz.engine.compiled.program import (
    GROUP,
    PlacedStage,
    Program,
    Slot,
    Stage,
    straight_code,
    straight_list,
)
from kibitz.errors import InputError, KibitzError
from kibitz.rows import row_words, unpack

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

BACKENDS = ("auto", "straight", "interpreter")
STRAIGHT_LIMIT = 4000
"""Networks with at most this many gates, and results, are compiled to straight-line code."""
LINKED_AFTER_S = 0.5
"""Linking makes loops in which gates count up to half faster again."""
_LINKED = {
    "playouts_run": 1, "playouts_roll": 1, "perft_run": 1, "leaves_look": 1, "leaves_play": 1,
    "search_alpha_beta": 8, "search_proof_numbers": 8,
}  # fmt: skip
"""After how many times as long that pays where it is not kept from before: it then takes 0.2 to
0.5 s, and 0.8 s and more in searches. Listing states is not among them: looking states up is what
takes the time there."""


@dataclass(frozen=True)
class NativeStage:
    """The native function of a stage, and the numbers it reads, if any."""

    address: int
    numbers: npt.NDArray[np.int32]


class Stages:
    """Stages of a game: what loops of the core take first, and what is linked into them."""

    def __init__(self, machine: NativeMachine, stages: Mapping[str, PlacedStage]) -> None:
        self.machine, self._stages = machine, stages
        self._code, compiled = machine.compile_stages(stages)  # alive as long as this object
        self.game = Struct("game", roles=machine.roles, **machine.numbers)
        for name, stage in zip(stages, compiled, strict=True):
            setattr(self.game, name, stage.address)
            setattr(self.game, f"{name}_code", stage.numbers)
        self._loops: dict[str, Loop] = {}

    @cached_property
    def linked_code(self) -> str:
        """The game as constants and straight-line code."""
        code = core.ir_game(self.machine.roles, self.machine.numbers, self._stages)
        return straight_code(self._stages) + code

    def loop(self, name: str) -> Loop:
        """Return a function of the core that runs on this game."""
        if name not in self._loops:
            self._loops[name] = Loop(self, name)
        return self._loops[name]


class Loop:
    """A function of the core over one game; linked with the game's gates once that pays."""

    def __init__(self, stages: Stages, name: str) -> None:
        machine = stages.machine
        self.stages, self.name = stages, name
        numbers = {"bits": machine.bits, "words": machine.words}
        self.constants = [numbers[one] for one in core.constants_of(name)]
        self.function = core.function(name, *self.constants)
        self.spent = 0.0
        links = machine.is_straight and name in _LINKED
        self.due = LINKED_AFTER_S if links else float("inf")

    @property
    def address(self) -> int:
        """Where the function is, for native code that calls it."""
        return self.function.address

    def __call__(self, *arguments: Any, may_compile: bool = True) -> Any:
        """Call the function for the machine's game."""
        started = time.thread_time()
        result = self.function(self.stages.game, *arguments)
        self.spent += time.thread_time() - started
        if self.spent > self.due:
            self._link(may_compile and self.spent > LINKED_AFTER_S * _LINKED[self.name])
        return result

    def _link(self, may_compile: bool) -> None:
        given = {"game": self.stages.linked_code}
        if may_compile or core.is_kept(self.name, *self.constants, **given):
            self.due = float("inf")
            self.function = core.function(self.name, *self.constants, **given)
        else:
            self.due *= 2


class NativeMachine:
    """Everything native that one game needs. Holds no state: memory is made by `memory`."""

    lanes = LANES

    def __init__(self, program: Program, backend: str = "auto") -> None:
        if backend not in BACKENDS:
            raise InputError(f"no backend {backend}", hint=f"choose one of {' '.join(BACKENDS)}")
        self.program = program
        layout = program.layout
        most = max(layout.move_counts, default=1)
        self.words = row_words(layout.fluent_count)
        """Machine words of a row."""
        self.bits = next(b for b in (4, 5, 6, 8, 10, 12, 16, 20, 32) if most < 1 << b)
        gates = program.view.gate_count + program.step.gate_count
        results = len(program.view.copies) + len(program.step.copies)
        is_small = max(gates, results) <= STRAIGHT_LIMIT
        self.is_straight = {"straight": True, "interpreter": False}.get(backend, is_small)
        self.placement = Placement(program, straight=self.is_straight)
        self.roles = core.records(
            "role",
            [
                {"groups": -(-count // GROUP), "does": does, "legal": legal, "moves": count}
                for count, does, legal in zip(
                    layout.move_counts, layout.does, layout.legal, strict=True
                )
            ],
        )
        self.numbers = {
            "fluents": layout.fluents,
            "fluent_count": layout.fluent_count,
            "terminal": layout.terminal,
            "goals": layout.goals,
            "goal_count": len(layout.goal_values),
            "next": layout.next,
            "slots": self.placement.slots,
            "role_count": len(layout.does),
        }
        self.stages = Stages(
            self, {"view": (program.view, self.placement), "step": (program.step, self.placement)}
        )
        self.game, self.loop = self.stages.game, self.stages.loop
        self._view = core.Stage(self.game.view, self.game.view_code)
        self._step = core.Stage(self.game.step, self.game.step_code)
        initial = [-1 if holds else 0 for holds in program.network.initial]
        self.initial = np.array(initial or [0], dtype=np.int64)

    def compile_stages(self, stages: Mapping[str, PlacedStage]) -> tuple[object, list[NativeStage]]:
        """Compile stages of this machine's program, or write them for the interpreter.

        They are good as long as the first result is alive.
        """
        if self.is_straight:
            code, nothing = core.compile_ir(straight_code(stages)), np.zeros(1, dtype=np.int32)
            return code, [NativeStage(code.address(name), nothing) for name in stages]
        interpret = core.function("interpret")
        numbers = [stage_numbers(*placed) for placed in stages.values()]
        return interpret, [NativeStage(interpret.address, one) for one in numbers]

    @cached_property
    def ahead(self) -> Stages:
        """The stages that look ahead: the replies lead back from next fluents to fluents."""
        program, place = self.program, self.placement
        layout = program.layout
        shift, count = layout.next - layout.fluents, layout.fluent_count

        def swapped(slot: Slot) -> Slot:
            if 0 <= slot - layout.fluents < count:
                return slot + shift
            return slot - shift if 0 <= slot - layout.next < count else place(slot)

        moves = range(layout.legal[0], layout.terminal)
        ends = range(layout.terminal, layout.next)
        return Stages(
            self,
            {
                "moves": (program.view.narrowed(moves), place),
                "step": (program.step, place),
                "reply_view": (program.view, swapped),
                "reply_step": (program.step, swapped),
                "ends": (program.view.narrowed(ends, keep=False), place),
            },
        )

    def memory(self) -> Words:
        """Make memory for one block, every state of it all false."""
        return vectors(self.placement.slots)

    def memories(self, blocks: int) -> Words:
        """Make memory for several blocks, in one array; native code needs them aligned."""
        return vectors(blocks * self.placement.slots).reshape(blocks, self.placement.slots, -1)

    def view(self, memory: Words) -> None:
        """Fill in legal moves, the end and goals from the fluents."""
        self._view(memory)

    def step(self, memory: Words) -> None:
        """Fill in the next fluents from the fluents, the last view, and the moves made."""
        self._step(memory)

    def orders(self, images: Sequence[Sequence[int]]) -> npt.NDArray[np.int32]:
        """Write permutations of fluents as orders of slots, the plain order first.

        Fluent i of a state is fluent image[i] of its image, so that bit image[i] of the image's
        row comes from the slot of fluent i. Bits without a fluent come from slot 0, always zero.
        """
        layout = self.program.layout
        orders = np.zeros((1 + len(images), 64 * self.words), dtype=np.int32)
        for order, image in zip(orders, [range(layout.fluent_count), *images], strict=True):
            order[list(image)] = layout.next + np.arange(layout.fluent_count)
        return orders

    def mask_slots(self) -> tuple[list[int], int]:
        """Return where masks of the roles' moves begin behind a game's slots, and where they end.

        A mask is padded like the area of legal moves.
        """
        *starts, end = accumulate((GROUP * g for g in self.groups), initial=self.placement.slots)
        return starts, end

    def mask_records(
        self, starts: Sequence[int], codes: Mapping[int, npt.NDArray[np.int32] | None]
    ) -> tuple[Numbers, Numbers]:
        """Return the roles with masks in the place of legal moves, and the masks of some of them.

        A mask without code is filled in by the caller.
        """
        masked, rows = self.roles.copy(), []
        for role, code in codes.items():
            masked[role, core.columns("role")["legal"]] = starts[role]
            fill = 0 if code is None else core.function("interpret").address
            rows.append(
                {
                    "fill": fill,
                    "code": 0 if code is None else code.ctypes.data,
                    "legal": self.program.layout.legal[role],
                    "mask": starts[role],
                    "moves": self.program.layout.move_counts[role],
                }
            )
        return masked, core.records("mask", rows)

    @property
    def groups(self) -> list[int]:
        """How many groups of moves each role has."""
        return [-(-count // GROUP) for count in self.program.layout.move_counts]

    def playouts(self, seed: int, initial: Numbers | None = None) -> Playouts:
        """Start random play in all lanes of a block, from the initial state or another one.

        A state is -1 for each fluent that holds, and 0 for each other.
        """
        return Playouts(self, seed, self.initial if initial is None else initial)

    def rollouts(self, seed: int) -> Rollouts:
        """Make memory for random matches from given states."""
        return Rollouts(self, seed)


class Playouts:
    """A block of random matches under way."""

    def __init__(self, machine: NativeMachine, seed: int, initial: Numbers) -> None:
        layout = machine.program.layout
        self.memory = machine.memory()
        fluents = slice(layout.fluents, layout.fluents + layout.fluent_count)
        if layout.fluent_count:
            self.memory[fluents] = initial[:, None].view(np.uint64)
        self.counts = np.zeros(3 + len(layout.goal_values), dtype=np.int64)
        scratch, state = choice_scratch(machine), random_state(seed)
        self._loop, self._finish = machine.loop("playouts_run"), machine.loop("playouts_roll")
        self._context = Struct(
            "playouts", memory=self.memory, initial=initial, random=state, scratch=scratch,
            counts=self.counts,
        )  # fmt: skip
        self._last = Struct(
            "rollouts", memory=self.memory, random=state, scratch=scratch, live=vectors(1),
            counts=vectors(len(self.counts)),
            initial=vectors(max(1, len(initial))),  # which no lane starts from
        )  # fmt: skip
        self._last.live[:] = ~np.uint64(0)

    def run(self, rounds: int) -> None:
        """Make one move in every lane, `rounds` times; leave the tallies in `counts`."""
        self._loop(self._context, rounds)

    def finish(self, rounds: int) -> int:
        """Begin no more matches; return how many are under way after so many rounds."""
        self._last.counts[:] = 0
        self._finish(self._last, 0, rounds)
        self.counts += self._last.counts.sum(axis=1).astype(np.int64)
        return int(np.bitwise_count(self._last.live).sum())


class Rollouts:
    """Plays random matches from up to eight states at a time, 64 lanes each."""

    def __init__(self, machine: NativeMachine, seed: int) -> None:
        self.machine = machine
        layout = machine.program.layout
        self._loop = machine.loop("playouts_roll")
        self._context = Struct(
            "rollouts", memory=machine.memory(), random=random_state(seed),
            scratch=choice_scratch(machine), initial=vectors(max(1, layout.fluent_count)),
            live=vectors(1), counts=vectors(3 + len(layout.goal_values)),
        )  # fmt: skip

    def run(self, states: Words, rounds: int, most: int = 10_000) -> Words:
        """Return counts for each row of states: moves, ends, stuck, ends with each goal; one column
        per state. Lanes begin matches for `rounds` rounds and finish those they began, unless that
        takes more than `most` rounds in all.
        """
        layout, run = self.machine.program.layout, self._context
        bits = unpack(states, layout.fluent_count)
        run.initial[: layout.fluent_count, : len(states)] = -bits.T.astype(np.uint64)
        fluents = slice(layout.fluents, layout.fluents + layout.fluent_count)
        run.memory[fluents] = run.initial[: layout.fluent_count]
        run.live[0] = 0
        run.live[0, : len(states)] = ~np.uint64(0)
        run.counts[:] = 0
        self._loop(run, rounds, most)
        counts: Words = run.counts[:, : len(states)]
        return counts


def random_state(seed: int) -> Words:
    """Make generators of random numbers, one for each word of a block."""
    state = vectors(4)
    source = np.random.default_rng(seed)
    state[:] = source.integers(0, 2**64, size=(4, WORDS), dtype=np.uint64)
    return state


def choice_scratch(machine: NativeMachine) -> Words:
    """Make the memory for drawing moves: counts and ranks for each role, and groups of moves."""
    groups = max(machine.groups, default=1)
    return vectors(2 * (len(machine.groups) + 1) * (machine.bits + 1) + groups + 1)


_BUFFER_ROW = 3
"""Vectors that a fluent has in a level's buffer."""


class PerftArena:
    """Memory of one worker that counts states below blocks."""

    def __init__(self, machine: NativeMachine, depth: int) -> None:
        self.layout = layout = machine.program.layout
        remaining = machine.placement.slots
        buffer = remaining + GROUP * sum(machine.groups)
        buffered = buffer + _BUFFER_ROW * layout.fluent_count
        scratch = buffered + 1
        stride = scratch + (len(machine.groups) + 1) * (machine.bits + 1)
        self.arena = vectors(stride * (depth + 1))
        self.counts = np.zeros(depth + 2, dtype=np.int64)
        self.stop = np.zeros(1, dtype=np.int64)
        self._mask = vectors(1)
        self._loop = machine.loop("perft_run")
        self._context = Struct(
            "perft", arena=self.arena, stride=stride, counts=self.counts, stop=self.stop,
            remaining=remaining, buffer=buffer, buffered=buffered, scratch=scratch,
        )  # fmt: skip

    def run(self, fluents: Words, mask: Words, depth: int, *, stop_at_terminal: bool) -> list[int]:
        """Count the states at each depth below a block, the block itself at depth 0."""
        layout = self.layout
        self._context.ends = -1 if stop_at_terminal else 0
        self.arena[layout.fluents : layout.fluents + layout.fluent_count] = fluents
        self._mask[0] = mask
        self.counts[:] = 0
        self._loop(self._context, self._mask, depth)
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
        roles = len(layout.does)
        if machine.bits * roles > 64:  # A joint move is one word.
            raise KibitzError(
                f"{roles} roles with up to {max(layout.move_counts):,} moves have too "
                "many joint moves to be numbered",
                hint="simulate and perft do not need such numbers",
            )
        self.row_words = machine.words
        self.flags = vectors(1 + len(layout.goal_values) + roles)
        self.loop = machine.loop("expand_rows")
        orders = machine.orders(images)
        self.context = Struct(
            "expansion", memory=machine.memory(), row_words=self.row_words,
            remaining=vectors(GROUP * sum(machine.groups)),
            scratch=vectors((roles + 1) * (machine.bits + 1)),
            packed=vectors(64 * (2 * self.row_words + 1)), flags=self.flags,
            stop=int(stop_at_terminal), images=orders, image_count=len(orders),
        )  # fmt: skip
        self.make_room(0)

    def run(self, states: Words, first: int, count: int, room: int) -> int:
        """Expand states first to first + count; return how many successors there are.

        They are in `rows`, `parents` and `moves`, which hold at least `room`; the end and the
        goals of the states are in `flags`.
        """
        if len(self.parents) < room:
            self.make_room(room)
        self.context.rows = states
        self.context.written = 0
        self.loop(self.context, first, count)
        return int(self.context.written)

    def make_room(self, room: int) -> None:
        """Make buffers for that many successors."""
        self.rows = self.context.out_rows = np.empty((room, self.row_words), dtype=np.uint64)
        self.parents = self.context.out_parents = np.empty(room, dtype=np.int64)
        self.moves = self.context.out_moves = np.empty(room, dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class MaskProgram:
    """Code for the interpreter that fills in the mask of a role, and how many slots it needs."""

    code: npt.NDArray[np.int32]
    slots: int


def compile_list(code: npt.NDArray[np.int32]) -> core.Code:
    """Compile a list of gates that the interpreter runs; the function is called `gates`."""
    return core.compile_ir(straight_list("gates", code))


class LeafBlock:
    """Memory for looking at up to 512 states at a time, for one thread.

    In the first `guided` moves of matches, roles with a program make moves of its mask.
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
        layout = machine.program.layout
        self.look = machine.loop("leaves_look")
        self.play = machine.loop("leaves_play_guided" if programs else "leaves_play")
        words, moves = machine.words, GROUP * sum(machine.groups)
        self.programs = dict(programs or {})
        starts, end = machine.mask_slots()
        slots = max((end, *(program.slots for program in self.programs.values())))
        self.memory = vectors(slots) if self.programs else machine.memory()
        self.out = vectors(2 * len(layout.goal_values) + len(layout.does) + 8)
        self.used = vectors(moves)
        self.extremes = vectors(2 * 32).view(np.float32).reshape(2, LANES)
        masked, masks = machine.mask_records(
            starts, {role: program.code for role, program in self.programs.items()}
        )
        self.context = Struct(
            "leaves", memory=self.memory, reply_memory=machine.memory(), row_words=words,
            remaining=vectors(moves), used=self.used, scratch=choice_scratch(machine),
            packed=vectors(64 * (words + 1)), out=self.out, random=random_state(seed),
            partners=np.array([*partners, -1], dtype=np.int64), most=10_000, guided=guided,
            masked_roles=masked, mask_count=len(self.programs), masks=masks,
            weights=None if weights is None else np.ascontiguousarray(weights, np.float32),
            extremes=self.extremes,
        )  # fmt: skip

    def fill_by(self, role: int, address: int) -> None:
        """Let native code fill in the mask of a role, in the place of its program."""
        fill = core.columns("mask")["fill"]
        self.context.masks[list(self.programs).index(role), fill] = address


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
