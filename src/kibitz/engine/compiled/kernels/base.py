"""What the kernels share: the table of numbers that describes a game, and small helpers."""

from __future__ import annotations

from llvmlite import ir

from kibitz.engine.compiled.llvm import VECTOR, WORD, WORDS, Emitter

__all__ = ["INT", "ROLE_ROW", "VOID", "GameTable", "Kernel", "call_at", "call_stage", "spread"]

INT = ir.IntType(32)
VOID = ir.VoidType()


class GameTable:
    """Columns of the table of numbers that describes a game; rows for roles follow."""

    FLUENTS, FLUENT_COUNT, TERMINAL, GOALS, GOAL_COUNT, NEXT, ROLES, SLOTS = range(8)
    SIZE = 8


ROLE_ROW = 4
"""Columns for each role: groups of moves, first does slot, first legal slot, number of moves."""


def spread(b: Emitter, word: ir.Value) -> ir.Value:
    """Put a word into every place of a vector."""
    one = b.insert_element(ir.Constant(VECTOR, ir.Undefined), word, ir.Constant(INT, 0))
    zeros = ir.Constant(ir.VectorType(INT, WORDS), [0] * WORDS)
    return b.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), zeros)


def call_stage(b: Emitter, stage: ir.Value, memory: ir.Value, code: ir.Value) -> None:
    """Call a stage of a game by its address."""
    call_at(b, stage, [memory, code])


def call_at(b: Emitter, address: ir.Value, arguments: list[ir.Value]) -> None:
    """Call a function without a result by its address."""
    b.call(_Callee(address, [argument.type for argument in arguments]), arguments)


class Kernel:
    """Functions of one module."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module

    def function(self, name: str, *arguments: ir.Type) -> tuple[Emitter, list[ir.Value]]:
        """Start a function; return its builder and its arguments."""
        function = ir.Function(self.module, ir.FunctionType(VOID, arguments), name)
        return Emitter(function.append_basic_block()), list(function.args)

    @staticmethod
    def role_row(b: Emitter, table: ir.Value, role: ir.Value) -> list[ir.Value]:
        """Read groups, does, legal and number of moves of a role."""
        row = b.add(b.word(GameTable.SIZE), b.mul(role, b.word(ROLE_ROW)))
        return [b.get(table, b.add(row, b.word(i)), WORD) for i in range(ROLE_ROW)]

    @staticmethod
    def number(b: Emitter, table: ir.Value, column: int) -> ir.Value:
        """Read a column of the table."""
        return b.get(table, column, WORD)

    @staticmethod
    def bump(b: Emitter, counts: ir.Value, index: ir.Value | int, by: ir.Value) -> None:
        """Add to a count."""
        b.put(b.add(b.get(counts, index, WORD), by), counts, index, WORD)

    @staticmethod
    def first_lanes(b: Emitter, count: ir.Value) -> ir.Value:
        """Return a mask of the first `count` lanes."""
        mask: ir.Value = b.splat(0)
        for w in range(WORDS):
            beyond = b.icmp_unsigned(">=", count, b.word(64 * (w + 1)))
            inside = b.icmp_unsigned(">", count, b.word(64 * w))
            some = b.sub(b.shl(b.word(1), b.and_(count, b.word(63))), b.word(1))
            word = b.select(beyond, b.word(-1), b.select(inside, some, b.word(0)))
            mask = b.insert_element(mask, word, ir.Constant(INT, w))
        return mask

    @staticmethod
    def take_moves(
        b: Emitter, memory: ir.Value, remaining: ir.Value, does: ir.Value, moves: ir.Value
    ) -> ir.Value:
        """Make each lane's first remaining move; return the lanes that had one."""
        seen = b.variable(b.splat(0))
        with b.loop(moves) as i:
            here = b.get(remaining, i)
            pick = b.and_not(here, b.read(seen))
            b.store(b.or_(b.read(seen), here), seen)
            b.put(b.xor(here, pick), remaining, i)
            b.put(pick, memory, b.add(does, i))
        return b.read(seen)


class _Callee:
    """A function known only by its address, in a form that the builder can call."""

    def __init__(self, address: ir.Value, arguments: list[ir.Type]) -> None:
        self.address = address
        self.function_type = ir.FunctionType(VOID, arguments)

    def __getattr__(self, name: str) -> object:
        return getattr(self.address, name)
