"""Run a stage of gates from a list of numbers."""

from __future__ import annotations

from llvmlite import ir

from kibitz.engine.compiled.kernels.base import INT, VOID, spread
from kibitz.engine.compiled.llvm import POINTER, WORD, Emitter

__all__ = ["add_interpreter"]


def add_interpreter(module: ir.Module) -> None:
    """Add interpret(memory, code).

    The code holds the number of runs; for each its kind, its length, and then target, left and
    right slot of every gate; then the number of copies, and target and literal of each.
    """
    function = ir.Function(module, ir.FunctionType(VOID, [POINTER, POINTER]), "interpret")
    b = Emitter(function.append_basic_block())
    memory, code = function.args
    position = b.variable(b.word(0))

    def number() -> ir.Value:
        at = b.read(position)
        b.store(b.add(at, b.word(1)), position)
        return b.zext(b.get(code, at, INT), WORD)

    with b.loop(number()):
        kind, count = number(), number()
        start = b.read(position)
        done = b.append_basic_block("ran")
        blocks = [b.append_basic_block(f"kind{k}") for k in range(3)]
        switch = b.switch(kind, blocks[2])
        for k in range(2):
            switch.add_case(b.word(k), blocks[k])
        for k, block in enumerate(blocks):
            b.position_at_end(block)
            with b.loop(count) as i:
                at = b.add(start, b.mul(i, b.word(3)))
                target, left, right = (
                    b.zext(b.get(code, b.add(at, b.word(field)), INT), WORD) for field in range(3)
                )
                one, other = b.get(memory, left), b.get(memory, right)
                if k == 2:
                    result = b.not_(b.or_(one, other))
                else:
                    result = b.and_(one, b.not_(other) if k else other)
                b.put(result, memory, target)
            b.branch(done)
        b.position_at_end(done)
        b.store(b.add(start, b.mul(count, b.word(3))), position)
    with b.loop(number()):
        target, literal = number(), number()
        source = b.get(memory, b.lshr(literal, b.word(1)))
        flip = b.sub(b.word(0), b.and_(literal, b.word(1)))
        b.put(b.xor(source, spread(b, flip)), memory, target)
    b.ret_void()
