"""Write a Program's stages as straight-line LLVM assembly: fastest for small networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from kibitz import core
from kibitz.engine.compiled.program import Slot, Stage

__all__ = ["PlacedStage", "straight_code"]

PlacedStage = tuple[Stage, Callable[[Slot], Slot]]
"""A stage, and where it finds and puts what it does not keep in registers."""


def straight_code(stages: Mapping[str, PlacedStage]) -> str:
    """Return LLVM assembly with a function for each stage, which takes memory and nothing else."""
    return "\n".join(
        core.ir_function(f"void @{name}(ptr %memory, ptr %code)", [*_lines(stage, place)])
        for name, (stage, place) in stages.items()
    )


def _lines(stage: Stage, place: Callable[[Slot], Slot]) -> Iterator[str]:
    """Write gates depth first from the results: values are used soon after they are made."""
    gates = {
        run.first + offset: (run.kind, left, right)
        for run in stage.runs
        for offset, (left, right) in enumerate(zip(run.left, run.right, strict=True))
    }
    made: dict[Slot, str] = {0: "zeroinitializer"}
    lines: list[str] = []

    def value(text: str) -> str:
        lines.append(f"%v{len(lines)} = {text}")
        return f"%v{len(lines) - 1}"

    def address(slot: Slot) -> str:
        return value(f"getelementptr {core.LANES_TYPE}, ptr %memory, i64 {place(slot)}")

    def read(slot: Slot) -> str:
        """Inputs are loaded again each time, which costs less than a register."""
        return made.get(slot) or value(f"load {core.LANES_TYPE}, ptr {address(slot)}, align 64")

    def opposite(name: str) -> str:
        return value(f"xor {core.LANES_TYPE} {name}, splat (i64 -1)")

    def write(slot: Slot, name: str) -> None:
        lines.append(f"store {core.LANES_TYPE} {name}, ptr {address(slot)}, align 64")

    def make(root: Slot) -> None:
        stack = [root]
        while stack:
            slot = stack[-1]
            if slot not in gates or slot in made:
                stack.pop()
                continue
            kind, left, right = gates[slot]
            waiting = [s for s in (left, right) if s in gates and s not in made]
            if waiting:
                stack.extend(waiting)
                continue
            a, b = read(left), read(right)
            if kind == 2:
                made[slot] = opposite(value(f"or {core.LANES_TYPE} {a}, {b}"))
            else:
                made[slot] = value(f"and {core.LANES_TYPE} {a}, {opposite(b) if kind else b}")
            if slot in stage.kept:
                write(slot, made[slot])
            stack.pop()

    for slot, literal in stage.copies:
        make(literal >> 1)
        result = read(literal >> 1)
        write(slot, opposite(result) if literal & 1 else result)
    for slot in sorted(stage.kept):
        make(slot)
    yield from lines
