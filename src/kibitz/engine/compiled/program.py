"""Lay a Network out in memory as a Program, or as straight-line LLVM assembly.

Memory is an array of slots; slot i holds one bit of each of a block of states (bit-sliced), so one
AND works on all of them. A Program has two stages. *view* computes legal moves, the end and goals
from the fluents; *step* also needs the moves made, and computes the next fluents. Areas:

========== ========================================================
zero       one slot, always zero
fluents    one slot for each fluent: the state, set before *view*
does       for each role, its moves: set before *step*
legal      for each role, in the same order; set by *view*
terminal   one slot; set by *view*
goals      one slot for each pair of role and value; set by *view*
next       one slot for each fluent; set by *step*
gates      one slot for each gate, in the order of evaluation
========== ========================================================

The areas of moves are padded to a multiple of `GROUP` with slots that stay zero, so that code
that runs over moves can take them in groups.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.engine.grounding import Literal, Network

GROUP = 8

Slot = int
SlotLiteral = int
"""Twice a slot, plus one where it is negated."""


@dataclass(frozen=True, slots=True)
class MemoryLayout:
    """Where the areas begin, and how long they are."""

    fluents: Slot
    fluent_count: int
    does: tuple[Slot, ...]
    legal: tuple[Slot, ...]
    move_counts: tuple[int, ...]
    terminal: Slot
    goals: Slot
    goal_values: tuple[tuple[int, int | None], ...]
    next: Slot
    gates: Slot
    slots: int


@dataclass(frozen=True, slots=True)
class GateRun:
    """Gates of one kind that do not need one another; results go to consecutive slots.

    Kind 0 is a AND b, kind 1 is a AND NOT b, kind 2 is NOT a AND NOT b.
    """

    kind: int
    first: Slot
    left: tuple[Slot, ...]
    right: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """Gates in runs, then copies of literals to where results are read.

    `kept` are the gates whose values a later stage reads.
    """

    runs: tuple[GateRun, ...]
    copies: tuple[tuple[Slot, SlotLiteral], ...]
    kept: frozenset[Slot]

    @property
    def gate_count(self) -> int:
        """How many gates the stage has."""
        return sum(len(run.left) for run in self.runs)

    def narrowed(self, targets: Container[Slot], *, keep: bool = True) -> Stage:
        """Return the stage that computes some of the results, and what a later stage reads.

        Without `keep`, no later stage reads anything.
        """
        copies = tuple(copy for copy in self.copies if copy[0] in targets)
        kept = self.kept if keep else frozenset[Slot]()
        inputs = {
            run.first + i: pair
            for run in self.runs
            for i, pair in enumerate(zip(run.left, run.right, strict=True))
        }
        needed: set[Slot] = set()
        stack = [*kept, *(literal >> 1 for _, literal in copies)]
        while stack:
            slot = stack.pop()
            if slot in inputs and slot not in needed:
                needed.add(slot)
                stack += inputs[slot]
        runs = []
        for run in self.runs:
            used = [i for i in range(len(run.left)) if run.first + i in needed]
            while used:
                length = next((n for n, i in enumerate(used) if i != used[0] + n), len(used))
                part = slice(used[0], used[0] + length)
                runs.append(GateRun(run.kind, run.first + used[0], run.left[part], run.right[part]))
                used = used[length:]
        return Stage(tuple(runs), copies, kept)


@dataclass(frozen=True, slots=True)
class Program:
    """A game that a machine can run."""

    network: Network
    layout: MemoryLayout
    view: Stage
    step: Stage


def lay_out(network: Network) -> Program:
    """Give every needed node of a network a slot, and order the gates in runs."""
    counts = tuple(map(len, network.moves))
    padded = [-(-count // GROUP) * GROUP for count in counts]
    starts = list(accumulate(padded, initial=0))
    fluents = 1
    does = fluents + len(network.fluents)
    legal = does + starts[-1]
    terminal = legal + starts[-1]
    goals = terminal + 1
    values = tuple((role, value) for role, pairs in enumerate(network.goals) for value, _ in pairs)
    after = goals + len(values)
    first_gate = after + len(network.fluents)

    slot = {0: 0}
    slot.update({1 + i: fluents + i for i in range(len(network.fluents))})
    node = network.first_move
    for start, count in zip(starts, counts, strict=False):
        slot.update({node + i: does + start + i for i in range(count)})
        node += count

    view_roots = [
        *(lit for lits in network.legal for lit in lits),
        network.terminal,
        *(lit for pairs in network.goals for _, lit in pairs),
    ]
    in_view = _cone(network, view_roots, set())
    in_step = _cone(network, network.next, in_view)
    view_runs = _runs(network, in_view, slot, first_gate)
    step_runs = _runs(network, in_step, slot, first_gate + len(in_view))

    def literal(lit: Literal) -> SlotLiteral:
        return 2 * slot[lit >> 1] | lit & 1

    view_copies = [
        *(
            (legal + start + i, literal(lit))
            for start, lits in zip(starts, network.legal, strict=False)
            for i, lit in enumerate(lits)
        ),
        *((terminal + i, literal(lit)) for i, lit in enumerate(view_roots[sum(counts) :])),
    ]
    step_copies = [(after + i, literal(lit)) for i, lit in enumerate(network.next)]
    read_later = {s for run in step_runs for s in (*run.left, *run.right)}
    read_later |= {lit >> 1 for _, lit in step_copies}
    view_slots = {slot[node] for node in in_view}
    return Program(
        network,
        MemoryLayout(
            fluents=fluents,
            fluent_count=len(network.fluents),
            does=tuple(does + start for start in starts[:-1]),
            legal=tuple(legal + start for start in starts[:-1]),
            move_counts=counts,
            terminal=terminal,
            goals=goals,
            goal_values=values,
            next=after,
            gates=first_gate,
            slots=first_gate + len(in_view) + len(in_step),
        ),
        Stage(view_runs, tuple(view_copies), frozenset(read_later & view_slots)),
        Stage(step_runs, tuple(step_copies), frozenset()),
    )


def _cone(network: Network, roots: list[Literal] | tuple[Literal, ...], done: set[int]) -> set[int]:
    """Find the gates that literals depend on, without those already done."""
    first = network.first_gate
    found: set[int] = set()
    stack = [lit >> 1 for lit in roots]
    while stack:
        node = stack.pop()
        if node >= first and node not in found and node not in done:
            found.add(node)
            stack.extend(lit >> 1 for lit in network.gates[node - first])
    return found


def _runs(
    network: Network, nodes: set[int], slot: dict[int, Slot], first_slot: Slot
) -> tuple[GateRun, ...]:
    """Order gates by level and kind, give them slots in that order, and group them."""
    level: dict[int, int] = {}
    groups: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for node in sorted(nodes):
        a, b = network.gates[node - network.first_gate]
        level[node] = 1 + max(level.get(a >> 1, 0), level.get(b >> 1, 0))
        if a & 1 and not b & 1:
            a, b = b, a
        groups.setdefault((level[node], (a & 1) + (b & 1)), []).append((node, a >> 1, b >> 1))
    runs = []
    for (_, kind), gates in sorted(groups.items()):
        for offset, (node, _, _) in enumerate(gates):
            slot[node] = first_slot + offset
        left = tuple(slot[a] for _, a, _ in gates)
        right = tuple(slot[b] for _, _, b in gates)
        runs.append(GateRun(kind, first_slot, left, right))
        first_slot += len(gates)
    return tuple(runs)


PlacedStage = tuple[Stage, Callable[[Slot], Slot]]
"""A stage, and where it finds and puts what it does not keep in registers."""

_CHUNK = 120
"""Gates of a function of a long list: LLVM takes 0.7 s for 7,500 gates so, and 2.5 s for them in
one function, whose code is a tenth faster."""
_FIRST_GATE = 1 << 32
"""Gates of a list get numbers that no slot has."""


def straight_code(stages: Mapping[str, PlacedStage]) -> str:
    """Return LLVM assembly with a function for each stage, which takes memory and nothing else."""
    return "\n".join(
        core.ir_function(f"void @{name}(ptr %memory, ptr %code)", _lines(stage, place))
        for name, (stage, place) in stages.items()
    )


class _Writer:
    """Lines of a function over a block of memory, and the names of what they made."""

    def __init__(self, place: Callable[[Slot], Slot] = lambda slot: slot) -> None:
        self.place = place
        self.lines: list[str] = []
        self.made: dict[Slot, str] = {0: "zeroinitializer"}

    def value(self, text: str) -> str:
        self.lines.append(f"%v{len(self.lines)} = {text}")
        return f"%v{len(self.lines) - 1}"

    def address(self, slot: Slot) -> str:
        return self.value(f"getelementptr {core.LANES_TYPE}, ptr %memory, i64 {self.place(slot)}")

    def read(self, slot: Slot) -> str:
        """Inputs are loaded again each time, which costs less than a register."""
        if slot in self.made:
            return self.made[slot]
        return self.value(f"load {core.LANES_TYPE}, ptr {self.address(slot)}, align 64")

    def opposite(self, name: str) -> str:
        return self.value(f"xor {core.LANES_TYPE} {name}, splat (i64 -1)")

    def write(self, slot: Slot, name: str) -> None:
        self.lines.append(f"store {core.LANES_TYPE} {name}, ptr {self.address(slot)}, align 64")

    def gate(self, target: Slot, kind: int, left: Slot, right: Slot) -> None:
        a, b = self.read(left), self.read(right)
        if kind == 2:
            self.made[target] = self.opposite(self.value(f"or {core.LANES_TYPE} {a}, {b}"))
        else:
            other = self.opposite(b) if kind else b
            self.made[target] = self.value(f"and {core.LANES_TYPE} {a}, {other}")

    def copy(self, target: Slot, literal: int) -> None:
        result = self.read(literal >> 1)
        self.write(target, self.opposite(result) if literal & 1 else result)


Gates = dict[Slot, tuple[int, Slot, Slot]]
"""Kind, left and right of each gate."""


def _depth_first(gates: Gates, root: Slot, done: Container[Slot]) -> Iterator[Slot]:
    """Yield the gates that a result needs: values are used soon after they are made."""
    stack = [root]
    while stack:
        slot = stack[-1]
        if slot not in gates or slot in done:
            stack.pop()
            continue
        waiting = [s for s in gates[slot][1:] if s in gates and s not in done]
        if not waiting:
            yield stack.pop()
        stack.extend(waiting)


def _lines(stage: Stage, place: Callable[[Slot], Slot]) -> list[str]:
    gates: Gates = {
        run.first + offset: (run.kind, left, right)
        for run in stage.runs
        for offset, (left, right) in enumerate(zip(run.left, run.right, strict=True))
    }
    writer = _Writer(place)

    def make(root: Slot) -> None:
        for slot in _depth_first(gates, root, writer.made):
            writer.gate(slot, *gates[slot])
            if slot in stage.kept:
                writer.write(slot, writer.made[slot])

    for slot, literal in stage.copies:
        make(literal >> 1)
        writer.copy(slot, literal)
    for slot in sorted(stage.kept):
        make(slot)
    return writer.lines


def straight_list(name: str, code: npt.NDArray[np.int32]) -> str:
    """Return LLVM assembly with a function that does what the interpreter does with a list.

    It is a chain of functions, which pass values in the slots that the interpreter has for them.
    """
    numbers, at = code.tolist(), 1
    gates: Gates = {}
    made: dict[Slot, Slot] = {}  # the gate whose value is in a slot now
    for _ in range(numbers[0]):
        kind, length = numbers[at : at + 2]
        at += 2
        for start in range(at, at + 3 * length, 3):
            target, left, right = numbers[start : start + 3]
            gate = _FIRST_GATE + len(gates)
            gates[gate] = kind, made.get(left, left), made.get(right, right)
            made[target] = gate
        at += 3 * length
    copies = [
        (target, 2 * made.get(literal >> 1, literal >> 1) | literal & 1)
        for target, literal in zip(numbers[at + 1 :: 2], numbers[at + 2 :: 2], strict=True)
    ]
    order = dict[Slot, int]()
    for _, literal in copies:
        for gate in _depth_first(gates, literal >> 1, order):
            order[gate] = len(order)
    size = _CHUNK
    while (parts := _chain(gates, list(order), copies, sorted(made), size)) is None:
        size *= 2
    heads = [f'@"{name}.{number}"(ptr %memory, ptr %code)' for number in range(len(parts))]
    functions = map(core.ir_function, (f"void {head}" for head in heads), parts)
    whole = core.ir_function(
        f"void @{name}(ptr %memory, ptr %code)", [f"call void {head}" for head in heads]
    )
    return "\n".join([*functions, whole])


def _chain(
    gates: Gates,
    order: list[Slot],
    copies: list[tuple[Slot, int]],
    free: list[Slot],
    size: int,
) -> list[list[str]] | None:
    """Return the lines of functions of so many gates; None if they pass more than fits."""
    last = dict[Slot, int]()
    for number, gate in enumerate(order):
        last |= dict.fromkeys(gates[gate][1:], number)
    last |= dict.fromkeys((literal >> 1 for _, literal in copies), len(order))
    place: dict[Slot, Slot] = {}
    parts = []
    for start in range(0, max(1, len(order)), size):
        writer, end = _Writer(lambda slot: place.get(slot, slot)), start + size
        for gate in order[start:end]:
            writer.gate(gate, *gates[gate])
        if end >= len(order):
            for target, literal in copies:
                writer.copy(target, literal)
        else:
            free += [place.pop(gate) for gate in list(place) if last[gate] < end]
            passed = [gate for gate in order[start:end] if last[gate] >= end]
            if len(passed) > len(free):
                return None
            for gate in passed:
                place[gate] = free.pop()
                writer.write(gate, writer.made[gate])
        parts.append(writer.lines)
    return parts
