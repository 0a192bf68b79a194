"""Expand packed states: rows of words in, all their successors as rows out.

A block of rows is turned into slots (64 bits of 512 states at a time), viewed, and stepped once for
each round of joint moves, as in `perft`; each block of successors is turned back into rows, which
are written one after the other together with the row they come from and the moves made.
"""

from __future__ import annotations

from llvmlite import ir

from kibitz.engine.compiled.kernels.base import INT, VOID, GameTable, Kernel, call_stage
from kibitz.engine.compiled.kernels.choice import RandomChoice
from kibitz.engine.compiled.llvm import BIT, POINTER, VECTOR, WORD, WORDS, Emitter
from kibitz.engine.compiled.program import GROUP

__all__ = ["Expansion", "RowKernel", "add_expand"]


class Expansion:
    """Columns of the context of `expand_rows`: addresses and numbers; last, how much it wrote."""

    (MEMORY, VIEW, VIEW_CODE, STEP, STEP_CODE, TABLE, ROWS, ROW_WORDS) = range(8)
    (REMAINING, SCRATCH, PACKED, FLAGS, OUT_ROWS, OUT_PARENTS, OUT_MOVES) = range(8, 15)
    STOP, WRITTEN, IMAGES, IMAGE_COUNT = range(15, 19)
    SIZE = 19


def add_expand(choice: RandomChoice) -> None:
    """Add expand_rows(context, first, count): expand rows first to first + count, at most 512.

    FLAGS gets one vector for the end, one for each goal slot, and one for each role that marks
    where it has a choice: bit i belongs to row first + i. OUT_MOVES gets for each successor one
    word with `bits` bits a role, the first role lowest. IMAGES are orders of the slots of next
    fluents, 64 numbers for each word of a row: a successor is written in the order that makes its
    row the smallest. There is at least the plain order.
    """
    _Expand(choice)


class RowKernel(Kernel):
    """Functions that turn rows into the slots of a block; the context is laid out as Expansion."""

    def __init__(self, choice: RandomChoice) -> None:
        super().__init__(choice.module)
        self.choice = choice
        self.bits = choice.bits
        self.transpose = self._transpose()

    def _transpose(self) -> ir.Function:
        """transpose(block): turn 64 vectors so that bit j of vector i becomes bit i of vector j.

        Swaps off-diagonal halves, quarters, and so on (Warren, Hacker's Delight, section 7-3), in
        each of the eight words at once.
        """
        b, (block,) = self.function("transpose", POINTER)
        for shift, mask in (
            (32, 0x00000000FFFFFFFF),
            (16, 0x0000FFFF0000FFFF),
            (8, 0x00FF00FF00FF00FF),
            (4, 0x0F0F0F0F0F0F0F0F),
            (2, 0x3333333333333333),
            (1, 0x5555555555555555),
        ):
            with b.loop(32) as pair:
                # the pair-th index whose bit `shift` is zero
                low = b.and_(pair, b.word(shift - 1))
                first = b.or_(b.shl(b.xor(pair, low), b.word(1)), low)
                second = b.add(first, b.word(shift))
                x, y = b.get(block, first), b.get(block, second)
                swap = b.and_(b.xor(b.lshr(x, b.splat(shift)), y), b.splat(mask))
                b.put(b.xor(y, swap), block, second)
                b.put(b.xor(x, b.shl(swap, b.splat(shift))), block, first)
        b.ret_void()
        return self.module.get_global("transpose")

    def field(self, b: Emitter, context: ir.Value, column: int) -> ir.Value:
        """Read an address of the context."""
        return b.get(context, column, POINTER)

    def number_in(self, b: Emitter, context: ir.Value, column: int) -> ir.Value:
        """Read a number of the context."""
        return b.get(context, column, WORD)

    def load_rows(self, b: Emitter, context: ir.Value, first: ir.Value, count: ir.Value) -> None:
        """Turn rows into the fluents' slots."""
        memory = self.field(b, context, Expansion.MEMORY)
        table = self.field(b, context, Expansion.TABLE)
        packed = self.field(b, context, Expansion.PACKED)
        rows = self.field(b, context, Expansion.ROWS)
        words = self.number_in(b, context, Expansion.ROW_WORDS)
        fluents = self.number(b, table, GameTable.FLUENTS)
        total = self.number(b, table, GameTable.FLUENT_COUNT)
        with b.loop(words) as word:
            with b.loop(count) as i:
                source = b.get(rows, b.add(b.mul(b.add(first, i), words), word), WORD)
                # lane i is bit i % 64 of word i // 64, so row i % 64, element i // 64 here
                row, element = b.and_(i, b.word(63)), b.lshr(i, b.word(6))
                b.put(source, packed, b.add(b.mul(row, b.word(WORDS)), element), WORD)
            b.call(self.transpose, [packed])
            start = b.mul(word, b.word(64))
            left = b.sub(total, start)
            here = b.select(b.icmp_unsigned("<", left, b.word(64)), left, b.word(64))
            with b.loop(here) as i:
                b.put(b.get(packed, i), memory, b.add(fluents, b.add(start, i)))


class _Expand(RowKernel):
    def __init__(self, choice: RandomChoice) -> None:
        super().__init__(choice)
        self.round = ir.Function(
            self.module, ir.FunctionType(VOID, [POINTER, VECTOR, WORD, WORD]), "expand_role"
        )
        self.emit = self._emit()
        self._round()
        self._expand()

    def _expand(self) -> None:
        b, (context, first, count) = self.function("expand_rows", POINTER, WORD, WORD)
        memory = self.field(b, context, Expansion.MEMORY)
        table = self.field(b, context, Expansion.TABLE)
        self.load_rows(b, context, first, count)
        view = self.field(b, context, Expansion.VIEW)
        call_stage(b, view, memory, self.field(b, context, Expansion.VIEW_CODE))
        flags = self.field(b, context, Expansion.FLAGS)
        terminal = self.number(b, table, GameTable.TERMINAL)
        with b.loop(b.add(self.number(b, table, GameTable.GOAL_COUNT), b.word(1))) as i:
            b.put(b.get(memory, b.add(terminal, i)), flags, i)
        mask = self.first_lanes(b, count)
        scratch = self.field(b, context, Expansion.SCRATCH)
        stuck, _ = self.choice.count_all(b, memory, table, scratch)
        behind = b.add(self.number(b, table, GameTable.GOAL_COUNT), b.word(1))
        with b.loop(self.number(b, table, GameTable.ROLES)) as role:
            width = b.word(self.bits + 1)
            chooses = b.get(scratch, b.add(b.mul(role, width), b.word(self.bits)))
            b.put(chooses, flags, b.add(behind, role))
        stop = self.number_in(b, context, Expansion.STOP)
        ended = b.select(
            b.icmp_unsigned("!=", stop, b.word(0)), b.get(memory, terminal), b.splat(0)
        )
        mask = b.and_not(mask, b.or_(stuck, ended))
        with b.if_then(b.is_any(mask)):
            b.call(self.round, [context, mask, first, b.word(0)])
        b.ret_void()

    def _round(self) -> None:
        """expand_role(context, mask, first, role): choose moves for the roles left, then emit."""
        b = Emitter(self.round.append_basic_block())
        context, mask, first, role = self.round.args
        memory = self.field(b, context, Expansion.MEMORY)
        table = self.field(b, context, Expansion.TABLE)
        with b.if_then(b.icmp_unsigned("==", role, self.number(b, table, GameTable.ROLES))):
            step = self.field(b, context, Expansion.STEP)
            call_stage(b, step, memory, self.field(b, context, Expansion.STEP_CODE))
            b.call(self.emit, [context, mask, first])
            b.ret_void()
        groups, does, legal, _ = self.role_row(b, table, role)
        moves = b.mul(groups, b.word(GROUP))
        remaining = b.at(
            self.field(b, context, Expansion.REMAINING),
            b.sub(does, self.role_row(b, table, b.word(0))[1]),
        )
        with b.loop(moves) as i:
            b.put(b.and_(b.get(memory, b.add(legal, i)), mask), remaining, i)
        next_role = b.add(role, b.word(1))
        with b.while_() as go_on_if:
            seen = self.take_moves(b, memory, remaining, does, moves)
            go_on_if(b.is_any(seen))
            b.call(self.round, [context, seen, first, next_role])
        b.ret_void()

    def _emit(self) -> ir.Function:
        """emit(context, mask, first): write the next states of the lanes in mask as rows."""
        b, (context, mask, first) = self.function("emit", POINTER, VECTOR, WORD)
        memory = self.field(b, context, Expansion.MEMORY)
        table = self.field(b, context, Expansion.TABLE)
        packed = self.field(b, context, Expansion.PACKED)
        words = self.number_in(b, context, Expansion.ROW_WORDS)
        width = b.mul(words, b.word(64))
        images = self.field(b, context, Expansion.IMAGES)
        other = b.at(packed, b.mul(b.add(words, b.word(1)), b.word(64)))
        with b.loop(self.number_in(b, context, Expansion.IMAGE_COUNT)) as image:
            order = b.at(images, b.mul(image, width), INT)
            is_first = b.icmp_unsigned("==", image, b.word(0))
            into = b.select(is_first, packed, other)
            with b.loop(words) as word:
                start = b.mul(word, b.word(64))
                block = b.at(into, start)
                with b.loop(64) as i:
                    slot = b.zext(b.get(order, b.add(start, i), INT), WORD)
                    b.put(b.get(memory, slot), block, i)
                b.call(self.transpose, [block])
            with b.if_then(b.not_(is_first)), b.loop(64) as row:
                self.keep_smaller(b, packed, other, words, row)
        moves = b.at(packed, b.mul(words, b.word(64)))
        self.number_moves(b, memory, table, moves)
        b.call(self.transpose, [moves])
        self.write_lanes(b, context, mask, first)
        b.ret_void()
        return self.module.get_global("emit")

    def keep_smaller(
        self, b: Emitter, best: ir.Value, other: ir.Value, words: ir.Value, row: ir.Value
    ) -> None:
        """Take the other rows in lanes where they are smaller, the first word counting most."""
        undecided = b.variable(b.splat(-1))
        take = b.variable(b.splat(0))
        with b.loop(words) as word:
            at = b.add(b.mul(word, b.word(64)), row)
            old, new = b.get(best, at), b.get(other, at)
            less = b.sext(b.icmp_unsigned("<", new, old), VECTOR)
            same = b.sext(b.icmp_unsigned("==", new, old), VECTOR)
            b.store(b.or_(b.read(take), b.and_(b.read(undecided), less)), take)
            b.store(b.and_(b.read(undecided), same), undecided)
        with b.loop(words) as word:
            at = b.add(b.mul(word, b.word(64)), row)
            b.put(b.choose(b.read(take), b.get(other, at), b.get(best, at)), best, at)

    def number_moves(self, b: Emitter, memory: ir.Value, table: ir.Value, block: ir.Value) -> None:
        """Write the numbers of the moves made, bit by bit, the roles one after the other."""
        with b.loop(64) as i:
            b.put(b.splat(0), block, i)
        with b.loop(self.number(b, table, GameTable.ROLES)) as role:
            groups, does, _, _ = self.role_row(b, table, role)
            out = b.mul(role, b.word(self.bits))
            sums = [b.variable(b.splat(0)) for _ in range(self.bits)]
            with b.loop(groups) as g:
                start = b.add(does, b.mul(g, b.word(GROUP)))
                made = [b.get(memory, b.add(start, b.word(j))) for j in range(GROUP)]
                anyone: ir.Value = b.splat(0)
                for j in range(GROUP):
                    anyone = b.or_(anyone, made[j])
                for k in range(self.bits):
                    if k < 3:
                        part: ir.Value = b.splat(0)
                        for j in range(GROUP):
                            if j >> k & 1:
                                part = b.or_(part, made[j])
                    else:
                        bit = b.and_(b.lshr(g, b.word(k - 3)), b.word(1))
                        chosen = b.icmp_unsigned("!=", bit, b.word(0))
                        part = b.select(chosen, anyone, b.splat(0))
                    b.store(b.or_(b.read(sums[k]), part), sums[k])
            for k in range(self.bits):
                b.put(b.read(sums[k]), block, b.add(out, b.word(k)))

    def write_lanes(self, b: Emitter, context: ir.Value, mask: ir.Value, first: ir.Value) -> None:
        packed = self.field(b, context, Expansion.PACKED)
        words = self.number_in(b, context, Expansion.ROW_WORDS)
        rows = self.field(b, context, Expansion.OUT_ROWS)
        parents = self.field(b, context, Expansion.OUT_PARENTS)
        made = self.field(b, context, Expansion.OUT_MOVES)
        position = b.variable(self.number_in(b, context, Expansion.WRITTEN))
        for w in range(WORDS):
            lanes = b.variable(b.extract_element(mask, ir.Constant(INT, w)))
            with b.while_() as go_on_if:
                left = b.read(lanes)
                go_on_if(b.icmp_unsigned("!=", left, b.word(0)))
                lane = b.intrinsic("llvm.cttz.i64", WORD, [left, ir.Constant(BIT, 1)])
                at = b.read(position)
                offset = b.add(b.mul(lane, b.word(WORDS)), b.word(w))
                with b.loop(words) as word:
                    source = b.add(b.mul(word, b.word(64 * WORDS)), offset)
                    b.put(b.get(packed, source, WORD), rows, b.add(b.mul(at, words), word), WORD)
                action = b.add(b.mul(words, b.word(64 * WORDS)), offset)
                b.put(b.get(packed, action, WORD), made, at, WORD)
                b.put(b.add(first, b.add(lane, b.word(64 * w))), parents, at, WORD)
                b.store(b.add(at, b.word(1)), position)
                b.store(b.and_(left, b.sub(left, b.word(1))), lanes)
        b.put(b.read(position), context, Expansion.WRITTEN, WORD)
