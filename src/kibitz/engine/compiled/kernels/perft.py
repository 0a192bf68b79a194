"""Count the states below a block, depth first.

A block's successors by the first legal moves of its lanes, by the second, and so on, are blocks of
the next level. Dense ones are visited at once; thin ones are squeezed into the level's buffer,
which is visited when it holds a whole block.
"""

from __future__ import annotations

from llvmlite import ir

from kibitz.engine.compiled.kernels.base import INT, VOID, GameTable, Kernel, call_stage, spread
from kibitz.engine.compiled.kernels.choice import RandomChoice
from kibitz.engine.compiled.llvm import BIT, LANES, POINTER, VECTOR, WORD, WORDS, Emitter
from kibitz.engine.compiled.program import GROUP

__all__ = ["BUFFER_ROW", "Context", "add_perft"]

_DENSE = LANES * 3 // 4
"""From this many lanes on, a block of successors is visited as it is."""
BUFFER_ROW = 3
"""Vectors that a fluent has in a level's buffer."""


class Context:
    """Columns of the context of `perft`: addresses, and numbers of vectors."""

    (ARENA, STRIDE, VIEW, VIEW_CODE, STEP, STEP_CODE, TABLE, COUNTS, STOP, ENDS) = range(10)
    REMAINING, BUFFER, BUFFERED, SCRATCH = range(10, 14)
    SIZE = 14


def add_perft(choice: RandomChoice) -> None:
    """Add perft(context, mask, depth): count the states below those in level 0's memory."""
    _Perft(choice)


class _Perft(Kernel):
    def __init__(self, choice: RandomChoice) -> None:
        super().__init__(choice.module)
        self.choice = choice
        self.bits = choice.bits
        types = [POINTER, POINTER, WORD, WORD, VECTOR]
        self.visit, self.expand, self.flush = (
            ir.Function(self.module, ir.FunctionType(VOID, kinds), name)
            for name, kinds in (
                ("visit", types),
                ("expand", [*types, WORD]),
                ("flush", [POINTER, POINTER, WORD, WORD]),
            )
        )
        self.append = self._append()
        self.products = self._products()
        self._visit()
        self._expand()
        self._flush()
        b, (context, mask, depth) = self.function("perft", POINTER, POINTER, WORD)
        arena = self.field(b, context, Context.ARENA)
        b.call(self.visit, [context, arena, depth, b.word(0), b.get(mask)])
        level = b.variable(b.word(1))
        with b.while_() as go_on_if:
            current = b.read(level)
            go_on_if(b.icmp_unsigned("<=", current, depth))
            memory = b.at(arena, b.mul(current, self.number_in(b, context, Context.STRIDE)))
            with b.while_() as more_if:
                buffered = self.buffered(b, context, memory)
                more_if(b.icmp_unsigned(">", b.get(buffered, 0, WORD), b.word(0)))
                b.call(self.flush, [context, memory, b.sub(depth, current), current])
            b.store(b.add(current, b.word(1)), level)
        b.ret_void()

    def field(self, b: Emitter, context: ir.Value, column: int) -> ir.Value:
        return b.get(context, column, POINTER)

    def number_in(self, b: Emitter, context: ir.Value, column: int) -> ir.Value:
        return b.get(context, column, WORD)

    def area(self, b: Emitter, context: ir.Value, memory: ir.Value, column: int) -> ir.Value:
        return b.at(memory, self.number_in(b, context, column))

    def buffered(self, b: Emitter, context: ir.Value, memory: ir.Value) -> ir.Value:
        return self.area(b, context, memory, Context.BUFFERED)

    def _visit(self) -> None:
        """visit(context, memory, left, depth, mask): count the lanes, and continue below them."""
        b = Emitter(self.visit.append_basic_block())
        context, memory, left, depth, mask = self.visit.args
        counts = self.field(b, context, Context.COUNTS)
        table = self.field(b, context, Context.TABLE)
        self.bump(b, counts, depth, b.popcount(mask))
        stop = b.get(self.field(b, context, Context.STOP), 0, WORD)
        done = b.or_(b.icmp_unsigned("==", left, b.word(0)), b.icmp_unsigned("!=", stop, b.word(0)))
        with b.if_then(done):
            b.ret_void()
        view, code = self.field(b, context, Context.VIEW), self.field(b, context, Context.VIEW_CODE)
        call_stage(b, view, memory, code)
        scratch = self.area(b, context, memory, Context.SCRATCH)
        stuck, clash = self.choice.count_all(b, memory, table, scratch)
        ended = b.get(memory, self.number(b, table, GameTable.TERMINAL))
        ended = b.and_(ended, spread(b, self.number_in(b, context, Context.ENDS)))
        mask = b.and_not(mask, b.or_(stuck, ended))
        with b.if_then(b.not_(b.is_any(mask))):
            b.ret_void()
        with b.if_then(b.icmp_unsigned("==", left, b.word(1))):
            below = b.add(depth, b.word(1))
            with b.if_else(b.is_any(b.and_(clash, mask))) as (several, one):
                with several:
                    b.call(self.products, [context, memory, below, mask])
                with one:
                    roles = self.number(b, table, GameTable.ROLES)
                    joined = b.at(scratch, b.mul(roles, b.word(self.bits + 1)))
                    total = b.popcount(mask)
                    for k in range(self.bits):
                        weight = b.popcount(b.and_(b.get(joined, k), mask))
                        total = b.add(total, b.shl(weight, b.word(k)))
                    self.bump(b, counts, below, total)
            b.ret_void()
        b.call(self.expand, [context, memory, left, depth, mask, b.word(0)])
        b.ret_void()

    def _expand(self) -> None:
        """expand(context, memory, left, depth, mask, role): choose moves for the roles left."""
        b = Emitter(self.expand.append_basic_block())
        context, memory, left, depth, mask, role = self.expand.args
        table = self.field(b, context, Context.TABLE)
        with b.if_then(b.icmp_unsigned("==", role, self.number(b, table, GameTable.ROLES))):
            step = self.field(b, context, Context.STEP)
            call_stage(b, step, memory, self.field(b, context, Context.STEP_CODE))
            child = b.at(memory, self.number_in(b, context, Context.STRIDE))
            below, deeper = b.sub(left, b.word(1)), b.add(depth, b.word(1))
            dense = b.icmp_unsigned(">=", b.popcount(mask), b.word(_DENSE))
            with b.if_else(dense) as (at_once, later):
                with at_once:
                    after = self.number(b, table, GameTable.NEXT)
                    fluents = self.number(b, table, GameTable.FLUENTS)
                    with b.loop(self.number(b, table, GameTable.FLUENT_COUNT)) as f:
                        b.put(b.get(memory, b.add(after, f)), child, b.add(fluents, f))
                    b.call(self.visit, [context, child, below, deeper, mask])
                with later:
                    b.call(self.append, [context, memory, child, mask])
                    held = b.get(self.buffered(b, context, child), 0, WORD)
                    with b.if_then(b.icmp_unsigned(">=", held, b.word(LANES))):
                        b.call(self.flush, [context, child, below, deeper])
            b.ret_void()
        groups, does, legal, _ = self.role_row(b, table, role)
        moves = b.mul(groups, b.word(GROUP))
        width = b.word(self.bits + 1)
        scratch = self.area(b, context, memory, Context.SCRATCH)
        chooses = b.get(scratch, b.add(b.mul(role, width), b.word(self.bits)))
        next_role = b.add(role, b.word(1))
        with b.if_then(b.not_(b.is_any(b.and_(chooses, mask)))):
            with b.loop(moves) as i:
                b.put(b.get(memory, b.add(legal, i)), memory, b.add(does, i))
            b.call(self.expand, [context, memory, left, depth, mask, next_role])
            b.ret_void()
        # The moves not yet made have a separate area, laid out like the `does` slots.
        remaining = self.area(b, context, memory, Context.REMAINING)
        remaining = b.at(remaining, b.sub(does, self.first_does(b, table)))
        with b.loop(moves) as i:
            b.put(b.and_(b.get(memory, b.add(legal, i)), mask), remaining, i)
        with b.while_() as go_on_if:
            seen = self.take_moves(b, memory, remaining, does, moves)
            go_on_if(b.is_any(seen))
            b.call(self.expand, [context, memory, left, depth, seen, next_role])
        b.ret_void()

    def first_does(self, b: Emitter, table: ir.Value) -> ir.Value:
        return self.role_row(b, table, b.word(0))[1]

    def _flush(self) -> None:
        """flush(context, memory, left, depth): visit the first block that a level has buffered."""
        b = Emitter(self.flush.append_basic_block())
        context, memory, left, depth = self.flush.args
        table = self.field(b, context, Context.TABLE)
        rows = self.area(b, context, memory, Context.BUFFER)
        held = self.buffered(b, context, memory)
        count = b.get(held, 0, WORD)
        enough = b.icmp_unsigned(">=", count, b.word(LANES))
        taken = b.select(enough, b.word(LANES), count)
        b.put(b.sub(count, taken), held, 0, WORD)
        fluents = self.number(b, table, GameTable.FLUENTS)
        with b.loop(self.number(b, table, GameTable.FLUENT_COUNT)) as f:
            row = b.at(rows, b.mul(f, b.word(BUFFER_ROW)))
            b.put(b.get(row, 0), memory, b.add(fluents, f))
            for i in range(BUFFER_ROW - 1):
                b.put(b.get(row, i + 1), row, i)
            b.put(b.splat(0), row, BUFFER_ROW - 1)
        mask = self.first_lanes(b, taken)
        b.call(self.visit, [context, memory, left, depth, mask])
        b.ret_void()

    def _append(self) -> ir.Function:
        """append(context, memory, child, mask): squeeze the next states in mask into a buffer.

        Squeezing the marked bits of a word together takes six steps, whose masks depend on the
        marks only and so are made once for all fluents (Warren, Hacker's Delight, section 7-4).
        """
        b, (context, memory, child, mask) = self.function(
            "append", POINTER, POINTER, POINTER, VECTOR
        )
        table = self.field(b, context, Context.TABLE)
        moves = []
        marks = mask
        zeros = b.shl(b.not_(mask), b.splat(1))
        for i in range(6):
            parity = zeros
            for shift in (1, 2, 4, 8, 16, 32):
                parity = b.xor(parity, b.shl(parity, b.splat(shift)))
            move = b.and_(parity, marks)
            moves.append(move)
            marks = b.or_(b.xor(marks, move), b.lshr(move, b.splat(1 << i)))
            zeros = b.and_not(zeros, parity)
        held = self.buffered(b, context, child)
        position = b.get(held, 0, WORD)
        places = []
        for w in range(WORDS):
            places.append((b.lshr(position, b.word(6)), b.and_(position, b.word(63))))
            word = b.extract_element(mask, ir.Constant(INT, w))
            position = b.add(position, b.intrinsic("llvm.ctpop.i64", WORD, [word]))
        b.put(position, held, 0, WORD)
        rows = self.area(b, context, child, Context.BUFFER)
        after = self.number(b, table, GameTable.NEXT)
        with b.loop(self.number(b, table, GameTable.FLUENT_COUNT)) as f:
            bits = b.and_(b.get(memory, b.add(after, f)), mask)
            for i, move in enumerate(moves):
                moving = b.and_(bits, move)
                bits = b.or_(b.xor(bits, moving), b.lshr(moving, b.splat(1 << i)))
            row = b.at(rows, b.mul(f, b.word(BUFFER_ROW)))
            for w, (index, shift) in enumerate(places):
                word = b.extract_element(bits, ir.Constant(INT, w))
                low = b.shl(word, shift)
                high = b.lshr(b.lshr(word, b.word(1)), b.sub(b.word(63), shift))
                b.put(b.or_(b.get(row, index, WORD), low), row, index, WORD)
                behind = b.add(index, b.word(1))
                b.put(b.or_(b.get(row, behind, WORD), high), row, behind, WORD)
        b.ret_void()
        return self.module.get_global("append")

    def _products(self) -> ir.Function:
        """products(context, memory, depth, mask): add up joint moves lane by lane."""
        b, (context, memory, depth, mask) = self.function(
            "products", POINTER, POINTER, WORD, VECTOR
        )
        table = self.field(b, context, Context.TABLE)
        scratch = self.area(b, context, memory, Context.SCRATCH)
        roles = self.number(b, table, GameTable.ROLES)
        total = b.variable(b.word(0))
        for w in range(WORDS):
            lanes = b.variable(b.extract_element(mask, ir.Constant(INT, w)))
            with b.while_() as go_on_if:
                word = b.read(lanes)
                go_on_if(b.icmp_unsigned("!=", word, b.word(0)))
                lane = b.intrinsic("llvm.cttz.i64", WORD, [word, ir.Constant(BIT, 1)])
                product = b.variable(b.word(1))
                with b.loop(roles) as role:
                    most: ir.Value = b.word(0)
                    start = b.mul(b.mul(role, b.word(self.bits + 1)), b.word(WORDS))
                    for k in range(self.bits):
                        bits = b.get(scratch, b.add(start, b.word(k * WORDS + w)), WORD)
                        bit = b.and_(b.lshr(bits, lane), b.word(1))
                        most = b.or_(most, b.shl(bit, b.word(k)))
                    b.store(b.mul(b.read(product), b.add(most, b.word(1))), product)
                b.store(b.add(b.read(total), b.read(product)), total)
                b.store(b.and_(word, b.sub(word, b.word(1))), lanes)
        self.bump(b, self.field(b, context, Context.COUNTS), depth, b.read(total))
        b.ret_void()
        return self.module.get_global("products")
