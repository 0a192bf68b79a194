"""One state in; out its children as rows, and two plies of what follows from them, as bits.

A block has eight words of 64 lanes. Word i holds the i-th child of a group of eight, in all of its
lanes; after one more step, lane j of it holds that child's j-th reply. So two plies take two steps
and two views of a block for every eight moves, however many replies there are, up to 64.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from llvmlite import ir

from kibitz.engine import CompiledGame
from kibitz.engine.compiled.kernels.base import INT, GameTable, Kernel, call_stage, spread
from kibitz.engine.compiled.llvm import (
    POINTER,
    VECTOR,
    WORD,
    WORDS,
    Code,
    compile_module,
    compiled_once,
)
from kibitz.engine.compiled.native_machine import NativeMachine, vectors

__all__ = [
    "BOTH_CHOOSE",
    "FACTS",
    "NOT_OPPOSED",
    "NO_GOAL",
    "STUCK",
    "STUCK_STATE",
    "Facts",
    "Look",
    "Lookahead",
]


BYTE = ir.IntType(8)
BYTES = ir.VectorType(BYTE, 64)


class Look:
    """Columns of what `look_ahead` is given; the last two are what it answers."""

    (MEMORY, VIEW, VIEW_CODE, STEP, STEP_CODE, TABLE, ROW, ROW_WORDS) = range(8)
    (REACHED, MISSED, PARTNERS, ORDERS, IMAGES) = range(8, 13)
    (OUT_ROWS, OUT_MOVES, OUT_FACTS, SCRATCH) = range(13, 17)
    FOUND, MOVER = range(17, 19)
    SIZE = 19


class Facts:
    """Vectors that are written for each group of children; word i is the i-th of them."""

    (ENDED, REACHED, MISSED, STUCK, SEVERAL, SECOND) = range(6)
    (REPLIES, REPLY_ENDED, REPLY_REACHED, REPLY_MISSED, ODD, REPLY_ODD) = range(6, 12)
    SIZE = 12


FACTS = Facts.SIZE
STUCK, SIMULTANEOUS = -1, -2
"""Answers in the place of a mover."""
STUCK_STATE, BOTH_CHOOSE, NO_GOAL, NOT_OPPOSED = 1, 2, 3, 4
"""What ends a search without an answer."""


@compiled_once
def _code() -> Code:
    module = ir.Module(name="lookahead")
    _Writer(module)
    return compile_module(module, optimise=True)


class Lookahead:
    """Memory and addresses for looking ahead in one game, for one thread."""

    def __init__(self, game: CompiledGame, images: Sequence[Sequence[int]] = ()) -> None:
        machine = game.machine
        assert isinstance(machine, NativeMachine)
        layout = machine.program.layout
        self.words = max(1, -(-layout.fluent_count // 64))
        self.most = max(layout.move_counts)
        self.code = _code()
        self.address = self.code.address("look_ahead")
        self.memory = machine.memory()
        self.row = np.zeros(self.words, dtype=np.uint64)
        self.rows = np.zeros((self.most, self.words), dtype=np.uint64)
        self.moves = np.zeros(self.most, dtype=np.int64)
        self.facts = vectors(-(-self.most // WORDS) * FACTS).reshape(-1, FACTS, WORDS)
        self.reached = np.zeros(max(1, len(layout.goal_values)), dtype=np.int64)
        self.missed = self.reached.copy()
        self.partners = self.reached.copy()
        self.orders = self._orders(layout.fluent_count, images)
        self.scratch = vectors(4 * self.words)
        self.context = np.zeros(Look.SIZE, dtype=np.int64)
        stages = machine.stepper
        for column, value in (
            (Look.MEMORY, self.memory.ctypes.data),
            (Look.VIEW, stages.view),
            (Look.VIEW_CODE, stages.view_code.ctypes.data),
            (Look.STEP, stages.step),
            (Look.STEP_CODE, stages.step_code.ctypes.data),
            (Look.TABLE, machine.table.ctypes.data),
            (Look.ROW, self.row.ctypes.data),
            (Look.ROW_WORDS, self.words),
            (Look.REACHED, self.reached.ctypes.data),
            (Look.MISSED, self.missed.ctypes.data),
            (Look.PARTNERS, self.partners.ctypes.data),
            (Look.ORDERS, self.orders.ctypes.data),
            (Look.IMAGES, len(self.orders)),
            (Look.OUT_ROWS, self.rows.ctypes.data),
            (Look.OUT_MOVES, self.moves.ctypes.data),
            (Look.OUT_FACTS, self.facts.ctypes.data),
            (Look.SCRATCH, self.scratch.ctypes.data),
        ):
            self.context[column] = value

    def _orders(self, count: int, images: Sequence[Sequence[int]]) -> npt.NDArray[np.int32]:
        """Write permutations of fluents as what comes to each place, the plain order first."""
        places = 64 * self.words
        orders = np.tile(np.arange(places, dtype=np.int32), (1 + len(images), 1))
        for order, image in zip(orders, [range(count), *images], strict=True):
            order[list(image)] = np.arange(count)
        return orders

    def pair(self, partners: Sequence[int]) -> None:
        """Say of each goal slot which other slot goes with it in every end, or -1 to ask nothing.

        Where no slot holds together with its partner, an end is *odd*.
        """
        self.partners[: len(partners)] = partners

    def aim(self, reached: Sequence[bool | None]) -> None:
        """Say of each goal slot whether it reaches what is asked, misses it, or says nothing."""
        for goal, answer in enumerate(reached):
            self.reached[goal] = -1 if answer is True else 0
            self.missed[goal] = -1 if answer is False else 0


class _Writer(Kernel):
    """Writes look_ahead(context)."""

    def __init__(self, module: ir.Module) -> None:
        super().__init__(module)
        b, (context,) = self.function("look_ahead", POINTER)
        self.b, self.context = b, context
        self.memory = self.pointer(Look.MEMORY)
        self.table = self.pointer(Look.TABLE)
        self.words = self.word(Look.ROW_WORDS)
        self.fluents = self.number(b, self.table, GameTable.FLUENTS)
        self.fluent_count = self.number(b, self.table, GameTable.FLUENT_COUNT)
        self.after = self.number(b, self.table, GameTable.NEXT)
        self.terminal = self.number(b, self.table, GameTable.TERMINAL)
        self.roles = self.number(b, self.table, GameTable.ROLES)
        self.write()

    def pointer(self, column: int) -> ir.Value:
        return self.b.get(self.context, column, POINTER)

    def word(self, column: int) -> ir.Value:
        return self.b.get(self.context, column, WORD)

    def write(self) -> None:
        b = self.b
        self.load()
        self.run(Look.VIEW, Look.VIEW_CODE)
        stuck, several, second = self.movers()
        zero = ir.Constant(INT, 0)
        simultaneous = b.extract_element(several, zero)
        mover = b.and_(b.extract_element(second, zero), b.word(1))
        b.put(mover, self.context, Look.MOVER, WORD)
        b.put(b.word(0), self.context, Look.FOUND, WORD)
        with b.if_then(b.icmp_unsigned("!=", simultaneous, b.word(0))):
            b.put(b.word(SIMULTANEOUS), self.context, Look.MOVER, WORD)
            b.ret_void()
        with b.if_then(b.icmp_unsigned("!=", b.extract_element(stuck, zero), b.word(0))):
            b.put(b.word(STUCK), self.context, Look.MOVER, WORD)
            b.ret_void()
        _, does, legal, count = self.role_row(b, self.table, mover)
        moves = self.pointer(Look.OUT_MOVES)
        found = b.variable(b.word(0))
        with b.loop(count) as move:
            here = b.get(self.memory, b.mul(b.add(legal, move), b.word(WORDS)), WORD)
            with b.if_then(b.icmp_unsigned("!=", b.and_(here, b.word(1)), b.word(0))):
                b.put(move, moves, b.read(found), WORD)
                b.store(b.add(b.read(found), b.word(1)), found)
        total = b.read(found)
        b.put(total, self.context, Look.FOUND, WORD)
        groups = b.lshr(b.add(total, b.word(WORDS - 1)), b.word(3))
        with b.loop(groups) as group:
            with b.if_then(b.icmp_unsigned("!=", group, b.word(0))):
                self.load()
                self.run(Look.VIEW, Look.VIEW_CODE)
            self.children(group, total, mover, does, moves)
            self.replies(group)
        b.ret_void()

    def run(self, stage: int, code: int) -> None:
        call_stage(self.b, self.pointer(stage), self.memory, self.pointer(code))

    def load(self) -> None:
        """Put the state into all lanes."""
        b = self.b
        row = self.pointer(Look.ROW)
        with b.loop(self.fluent_count) as fluent:
            word = b.get(row, b.lshr(fluent, b.word(6)), WORD)
            bit = b.and_(b.lshr(word, b.and_(fluent, b.word(63))), b.word(1))
            b.put(spread(b, b.sub(b.word(0), bit)), self.memory, b.add(self.fluents, fluent))

    def movers(self) -> tuple[ir.Value, ir.Value, ir.Value]:
        """Return masks of words: a role has no move; both choose; the second role chooses."""
        b = self.b
        stuck = b.variable(b.splat(0))
        first = b.variable(b.splat(0))
        second = b.variable(b.splat(0))
        with b.loop(self.roles) as role:
            _, _, legal, count = self.role_row(b, self.table, role)
            total = b.variable(b.splat(0))
            with b.loop(count) as move:
                here = b.and_(b.get(self.memory, b.add(legal, move)), b.splat(1))
                b.store(b.add(b.read(total), here), total)
            none = b.sext(b.icmp_unsigned("==", b.read(total), b.splat(0)), VECTOR)
            many = b.sext(b.icmp_unsigned(">", b.read(total), b.splat(1)), VECTOR)
            b.store(b.or_(b.read(stuck), none), stuck)
            is_first = b.icmp_unsigned("==", role, b.word(0))
            b.store(b.select(is_first, many, b.read(first)), first)
            b.store(b.select(is_first, b.read(second), many), second)
        return b.read(stuck), b.and_(b.read(first), b.read(second)), b.read(second)

    def children(
        self, group: ir.Value, total: ir.Value, mover: ir.Value, does: ir.Value, moves: ir.Value
    ) -> None:
        """Make the moves of a group, one a word, and write the rows of the states after them."""
        b = self.b
        with b.loop(self.roles) as role:
            _, made, legal, count = self.role_row(b, self.table, role)
            is_mover = b.icmp_unsigned("==", role, mover)
            with b.loop(count) as move:
                waits = b.get(self.memory, b.add(legal, move))
                value = b.select(is_mover, b.splat(0), waits)
                b.put(value, self.memory, b.add(made, move))
        start = b.mul(group, b.word(WORDS))
        for word in range(WORDS):
            child = b.add(start, b.word(word))
            is_used = b.icmp_unsigned("<", child, total)
            move = b.get(moves, b.select(is_used, child, start), WORD)
            place = b.add(b.mul(b.add(does, move), b.word(WORDS)), b.word(word))
            b.put(b.word(-1), self.memory, place, WORD)
        self.run(Look.STEP, Look.STEP_CODE)
        self.write_rows(start, total)

    def write_rows(self, start: ir.Value, total: ir.Value) -> None:
        """Write the states after the moves, each as the smallest of its images.

        All lanes of a word are alike, so one byte has what a fluent is in all eight children.
        """
        b = self.b
        orders, best = self.pointer(Look.ORDERS), self.pointer(Look.SCRATCH)
        other = b.at(best, self.words)
        bytes_ = b.at(other, self.words)
        ordered = b.at(bytes_, self.words)
        zero = ir.Constant(VECTOR, [0] * WORDS)
        with b.loop(self.fluent_count) as fluent:
            holds = b.icmp_signed("<", b.get(self.memory, b.add(self.after, fluent)), zero)
            b.put(b.bitcast(holds, BYTE), bytes_, fluent, BYTE)
        with b.loop(self.word(Look.IMAGES)) as image:
            is_first = b.icmp_unsigned("==", image, b.word(0))
            into = b.select(is_first, best, other)
            at = b.mul(image, b.mul(self.words, b.word(64)))
            with b.loop(b.mul(self.words, b.word(64))) as bit:
                fluent = b.zext(b.get(orders, b.add(at, bit), INT), WORD)
                b.put(b.get(bytes_, fluent, BYTE), ordered, bit, BYTE)
            with b.loop(self.words) as part:
                taken = b.get(ordered, part, BYTES)
                rows = zero
                for word in range(WORDS):
                    mask = ir.Constant(BYTES, [1 << word] * 64)
                    bits = b.icmp_unsigned("==", b.and_(taken, mask), mask)
                    rows = b.insert_element(rows, b.bitcast(bits, WORD), ir.Constant(INT, word))
                b.put(rows, into, part)
            with b.if_then(b.not_(is_first)):
                self.keep_smaller(best, other)
        rows = self.pointer(Look.OUT_ROWS)
        left = b.sub(total, start)
        used = b.select(b.icmp_unsigned("<", left, b.word(WORDS)), left, b.word(WORDS))
        with b.loop(used) as word, b.loop(self.words) as part:
            value = b.get(best, b.add(b.mul(part, b.word(WORDS)), word), WORD)
            b.put(value, rows, b.add(b.mul(b.add(start, word), self.words), part), WORD)

    def keep_smaller(self, best: ir.Value, other: ir.Value) -> None:
        """Take the other rows in words where they are smaller, the first part counting most."""
        b = self.b
        undecided = b.variable(b.splat(-1))
        take = b.variable(b.splat(0))
        with b.loop(self.words) as part:
            old, new = b.get(best, part), b.get(other, part)
            less = b.sext(b.icmp_unsigned("<", new, old), VECTOR)
            same = b.sext(b.icmp_unsigned("==", new, old), VECTOR)
            b.store(b.or_(b.read(take), b.and_(b.read(undecided), less)), take)
            b.store(b.and_(b.read(undecided), same), undecided)
        with b.loop(self.words) as part:
            b.put(b.choose(b.read(take), b.get(other, part), b.get(best, part)), best, part)

    def go_on(self) -> None:
        """Let the states after the moves be the states, and view them."""
        b = self.b
        with b.loop(self.fluent_count) as fluent:
            value = b.get(self.memory, b.add(self.after, fluent))
            b.put(value, self.memory, b.add(self.fluents, fluent))
        self.run(Look.VIEW, Look.VIEW_CODE)

    def goals(self, column: int) -> ir.Value:
        """Return the lanes in which one of the goals holds that a column of the context names."""
        b = self.b
        asked = self.pointer(column)
        goals = self.number(b, self.table, GameTable.GOALS)
        lanes = b.variable(b.splat(0))
        with b.loop(self.number(b, self.table, GameTable.GOAL_COUNT)) as goal:
            here = b.get(self.memory, b.add(goals, goal))
            asks = spread(b, b.get(asked, goal, WORD))
            b.store(b.or_(b.read(lanes), b.and_(here, asks)), lanes)
        return b.read(lanes)

    def odd(self) -> ir.Value:
        """Return the lanes in which no goal holds together with its partner."""
        b = self.b
        partners = self.pointer(Look.PARTNERS)
        goals = self.number(b, self.table, GameTable.GOALS)
        lanes = b.variable(b.splat(0))
        with b.loop(self.number(b, self.table, GameTable.GOAL_COUNT)) as goal:
            partner = b.get(partners, goal, WORD)
            here = b.get(self.memory, b.add(goals, goal))
            with b.if_then(b.icmp_signed(">=", partner, b.word(0))):
                both = b.and_(here, b.get(self.memory, b.add(goals, partner)))
                b.store(b.or_(b.read(lanes), both), lanes)
        return b.not_(b.read(lanes))

    def replies(self, group: ir.Value) -> None:
        """Make up to 64 replies of each child, one a lane, and write what is known of all."""
        b = self.b
        facts = b.at(self.pointer(Look.OUT_FACTS), b.mul(group, b.word(FACTS)))
        self.go_on()
        stuck, several, second = self.movers()
        ended = b.get(self.memory, self.terminal)
        for column, value in (
            (Facts.ENDED, ended),
            (Facts.REACHED, self.goals(Look.REACHED)),
            (Facts.MISSED, self.goals(Look.MISSED)),
            (Facts.STUCK, stuck),
            (Facts.SEVERAL, several),
            (Facts.SECOND, second),
            (Facts.ODD, self.odd()),
        ):
            b.put(value, facts, column)
        ranks = b.variable(b.splat(0))
        with b.loop(self.roles) as role:
            _, does, legal, count = self.role_row(b, self.table, role)
            is_first = b.icmp_unsigned("==", role, b.word(0))
            chooses = b.select(is_first, b.not_(second), second)
            with b.loop(count) as move:
                allowed = b.get(self.memory, b.add(legal, move))
                rank = b.read(ranks)
                fits = b.sext(b.icmp_unsigned("<", rank, b.splat(64)), VECTOR)
                lane = b.and_(b.shl(b.splat(1), b.and_(rank, b.splat(63))), fits)
                made = b.choose(chooses, b.and_(lane, allowed), allowed)
                b.put(made, self.memory, b.add(does, move))
                one = b.and_(b.and_(allowed, chooses), b.splat(1))
                b.store(b.add(rank, one), ranks)
        b.put(b.read(ranks), facts, Facts.REPLIES)
        self.run(Look.STEP, Look.STEP_CODE)
        self.go_on()
        for column, value in (
            (Facts.REPLY_ENDED, b.get(self.memory, self.terminal)),
            (Facts.REPLY_REACHED, self.goals(Look.REACHED)),
            (Facts.REPLY_MISSED, self.goals(Look.MISSED)),
            (Facts.REPLY_ODD, self.odd()),
        ):
            b.put(value, facts, column)
