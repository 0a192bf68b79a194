"""Compile a Program's stages to straight-line code: fastest for small networks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from llvmlite import ir

from kibitz.engine.compiled.llvm import POINTER, VECTOR, WORDS, Code, Emitter, compile_module
from kibitz.engine.compiled.program import Slot, Stage

__all__ = ["PlacedStage", "compile_straight"]

PlacedStage = tuple[Stage, Callable[[Slot], Slot]]
"""A stage, and where it finds and puts what it does not keep in registers."""


def compile_straight(stages: Mapping[str, PlacedStage]) -> Code:
    """Return a native function for each stage, which takes memory and an unused pointer."""
    module = ir.Module(name="straight")
    for name, (stage, place) in stages.items():
        _emit(module, name, stage, place)
    return compile_module(module, optimise=False)


def _emit(module: ir.Module, name: str, stage: Stage, place: Callable[[Slot], Slot]) -> None:
    """Emit gates depth first from the results, so that values are used soon after they are made."""
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER, POINTER]), name)
    builder = Emitter(function.append_basic_block())
    memory = function.args[0]
    gates = {
        run.first + offset: (run.kind, left, right)
        for run in stage.runs
        for offset, (left, right) in enumerate(zip(run.left, run.right, strict=True))
    }
    made: dict[Slot, ir.Value] = {}

    def value(slot: Slot) -> ir.Value:
        """Return a slot's value; inputs are loaded again, which costs less than a register."""
        if slot == 0:
            return ir.Constant(VECTOR, [0] * WORDS)
        return made[slot] if slot in made else builder.get(memory, place(slot))

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
            a, b = value(left), value(right)
            if kind == 2:
                made[slot] = builder.not_(builder.or_(a, b))
            else:
                made[slot] = builder.and_(a, builder.not_(b) if kind else b)
            if slot in stage.kept:
                builder.put(made[slot], memory, place(slot))
            stack.pop()

    for slot, literal in stage.copies:
        make(literal >> 1)
        result = value(literal >> 1)
        builder.put(builder.not_(result) if literal & 1 else result, memory, place(slot))
    for slot in sorted(stage.kept):
        make(slot)
    builder.ret_void()
