"""Write gates as straight-line LLVM assembly: fastest for small networks."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.engine.compiled.program import Slot, Stage

__all__ = ["PlacedStage", "straight_code", "straight_list"]

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
