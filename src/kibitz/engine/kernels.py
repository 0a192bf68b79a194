"""Native loops over blocks of states: the gate interpreter, random playouts, and perft.

None of this is about one game: games come in as memory in the Layout of `program`, as the
functions `view` and `step`, and as a table of numbers. Code depends only on how many bits count
the moves of a role, so there is one module for each such number, compiled once for a machine.

Choosing a move at random, for 512 states at a time, all numbers bit-sliced: add up the legal
moves (carry-save adders), draw a rank below that number (by rejection), and walk over the moves,
subtracting them from the rank in groups of eight until it would fall below zero. Lanes whose draw
is rejected three times keep their state and try again in the next round, so that the choice is
exactly uniform without waiting for the slowest lane.
"""

from __future__ import annotations

from functools import cache

from llvmlite import ir

from kibitz.engine.llvm import (
    BIT,
    LANES,
    POINTER,
    VECTOR,
    WORD,
    WORDS,
    Code,
    Emitter,
    compile_module,
)
from kibitz.engine.program import GROUP

__all__ = ["BUFFER_ROW", "ROLE_ROW", "Context", "Table", "kernels"]

INT = ir.IntType(32)
VOID = ir.VoidType()
_DRAWS = 3
_DENSE = LANES * 3 // 4
"""From this many lanes on, a block of successors is visited as it is."""
BUFFER_ROW = 3
"""Vectors that a fluent has in a level's buffer."""


class Table:
    """Columns of the table of numbers that describes a game; rows for roles follow."""

    FLUENTS, FLUENT_COUNT, TERMINAL, GOALS, GOAL_COUNT, NEXT, ROLES, SLOTS = range(8)
    SIZE = 8


class Context:
    """Columns of what `perft` is given: addresses, and numbers of vectors."""

    (ARENA, STRIDE, VIEW, VIEW_CODE, STEP, STEP_CODE, TABLE, COUNTS, STOP, ENDS) = range(10)
    REMAINING, BUFFER, BUFFERED, SCRATCH = range(10, 14)
    SIZE = 14


ROLE_ROW = 4
"""Columns for each role: groups of moves, first does slot, first legal slot, number of moves."""


@cache
def kernels(bits: int) -> Code:
    """Compile the loops for games whose roles have fewer than 2**bits moves each."""
    module = ir.Module(name=f"kernels{bits}")
    _interpreter(module)
    writer = _Kernels(module, bits)
    writer.playouts()
    writer.perft()
    return compile_module(module, optimise=True)


def _interpreter(module: ir.Module) -> None:
    """Run a stage from its list of numbers: runs of gates, then copies."""
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
        b.put(b.xor(source, _spread(b, flip)), memory, target)
    b.ret_void()


def _spread(b: Emitter, word: ir.Value) -> ir.Value:
    """Put a word into every place of a vector."""
    one = b.insert_element(ir.Constant(VECTOR, ir.Undefined), word, ir.Constant(INT, 0))
    zeros = ir.Constant(ir.VectorType(INT, WORDS), [0] * WORDS)
    return b.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), zeros)


class _Kernels:
    """Writes the functions of one module."""

    def __init__(self, module: ir.Module, bits: int) -> None:
        self.module = module
        self.bits = bits
        self.stage_type = ir.FunctionType(VOID, [POINTER, POINTER])
        self.count = self._count()
        self.draw = self._draw()
        self.select = self._select()

    def function(self, name: str, *arguments: ir.Type) -> tuple[Emitter, list[ir.Value]]:
        function = ir.Function(self.module, ir.FunctionType(VOID, arguments), name)
        return Emitter(function.append_basic_block()), list(function.args)

    @staticmethod
    def full_adder(b: Emitter, x: ir.Value, y: ir.Value, z: ir.Value) -> tuple[ir.Value, ir.Value]:
        half = b.xor(x, y)
        return b.xor(half, z), b.or_(b.and_(x, y), b.and_(half, z))

    @staticmethod
    def half_adder(b: Emitter, x: ir.Value, y: ir.Value) -> tuple[ir.Value, ir.Value]:
        return b.xor(x, y), b.and_(x, y)

    def add_group(self, b: Emitter, moves: list[ir.Value]) -> list[ir.Value]:
        """Count eight bits: four bits of sum."""
        s1, c1 = self.full_adder(b, *moves[0:3])
        s2, c2 = self.full_adder(b, *moves[3:6])
        s3, c3 = self.full_adder(b, moves[6], moves[7], s1)
        ones, c4 = self.half_adder(b, s2, s3)
        t1, d1 = self.full_adder(b, c1, c2, c3)
        twos, d2 = self.half_adder(b, t1, c4)
        fours, eights = self.half_adder(b, d1, d2)
        return [ones, twos, fours, eights]

    def group(
        self, b: Emitter, memory: ir.Value, legal: ir.Value, index: ir.Value
    ) -> list[ir.Value]:
        start = b.add(legal, b.mul(index, b.word(GROUP)))
        return [b.get(memory, b.add(start, b.word(j))) for j in range(GROUP)]

    def _count(self) -> ir.Function:
        """count(memory, legal, groups, out): the number of legal moves less one, and none.

        `out` gets `bits` vectors, then one with ones in lanes that have no legal move.
        """
        b, (memory, legal, groups, out) = self.function("count", POINTER, WORD, WORD, POINTER)
        sums = [b.variable(b.splat(0)) for _ in range(self.bits)]
        with b.loop(groups) as g:
            part = self.add_group(b, self.group(b, memory, legal, g))
            carry: ir.Value = b.splat(0)
            for k in range(self.bits):
                old = b.read(sums[k])
                if k < len(part):
                    new, carry = self.full_adder(b, old, part[k], carry)
                else:
                    new, carry = self.half_adder(b, old, carry)
                b.store(new, sums[k])
        borrow: ir.Value = b.splat(-1)
        for k in range(self.bits):
            old = b.read(sums[k])
            b.put(b.xor(old, borrow), out, k)
            borrow = b.and_not(borrow, old)
        b.put(borrow, out, self.bits)
        b.ret_void()
        return self.module.get_global("count")

    def random(self, b: Emitter, state: ir.Value) -> ir.Value:
        """Take 512 bits from a generator (xoshiro256++, Blackman and Vigna 2021, one a lane)."""
        s = [b.get(state, i) for i in range(4)]

        def rotate(x: ir.Value, k: int) -> ir.Value:
            return b.or_(b.shl(x, b.splat(k)), b.lshr(x, b.splat(64 - k)))

        result = b.add(rotate(b.add(s[0], s[3]), 23), s[0])
        shifted = b.shl(s[1], b.splat(17))
        s[2] = b.xor(s[2], s[0])
        s[3] = b.xor(s[3], s[1])
        s[1] = b.xor(s[1], s[2])
        s[0] = b.xor(s[0], s[3])
        s[2] = b.xor(s[2], shifted)
        s[3] = rotate(s[3], 45)
        for i in range(4):
            b.put(s[i], state, i)
        return result

    def _draw(self) -> ir.Function:
        """draw(most, random, rank): a number from 0 to most in each lane, and lanes without one."""
        b, (most, state, rank) = self.function("draw", POINTER, POINTER, POINTER)
        top = [b.get(most, k) for k in range(self.bits)]
        masks: list[ir.Value] = [b.splat(0)] * self.bits
        running: ir.Value = b.splat(0)
        for k in reversed(range(self.bits)):
            running = masks[k] = b.or_(running, top[k])
        ranks = [b.variable(b.splat(0)) for _ in range(self.bits)]
        pending = b.variable(running)
        round_ = b.variable(b.word(0))
        with b.while_() as go_on_if:
            left = b.icmp_unsigned("<", b.read(round_), b.word(_DRAWS))
            go_on_if(b.and_(left, b.is_any(b.read(pending))))
            above: ir.Value = b.splat(0)
            drawn = []
            for k in range(self.bits):
                # A bit that is masked out in all lanes needs no randomness.
                bit = b.variable(b.splat(0))
                with b.if_then(b.is_any(masks[k])):
                    b.store(b.and_(self.random(b, state), masks[k]), bit)
                value = b.read(bit)
                drawn.append(value)
                same = b.not_(b.xor(value, top[k]))
                above = b.or_(b.and_not(value, top[k]), b.and_(same, above))
            accepted = b.and_not(b.read(pending), above)
            for k in range(self.bits):
                b.store(b.choose(accepted, drawn[k], b.read(ranks[k])), ranks[k])
            b.store(b.and_(b.read(pending), above), pending)
            b.store(b.add(b.read(round_), b.word(1)), round_)
        for k in range(self.bits):
            b.put(b.read(ranks[k]), rank, k)
        b.put(b.read(pending), rank, self.bits)
        b.ret_void()
        return self.module.get_global("draw")

    def _select(self) -> ir.Function:
        """select(memory, legal, does, groups, rank, scratch): mark the rank-th legal move."""
        b, (memory, legal, does, groups, rank, scratch) = self.function(
            "select", POINTER, WORD, WORD, WORD, POINTER, POINTER
        )
        r = [b.variable(b.get(rank, k)) for k in range(self.bits)]
        found = b.variable(b.splat(0))
        rest = [b.variable(b.splat(0)) for _ in range(3)]
        merged = [b.variable(b.splat(0)) for _ in range(GROUP)]
        with b.loop(groups) as g:
            moves = self.group(b, memory, legal, g)
            part = self.add_group(b, moves)
            borrow: ir.Value = b.splat(0)
            less = []
            for k in range(self.bits):
                old = b.read(r[k])
                if k < len(part):
                    differ = b.xor(old, part[k])
                    less.append(b.xor(differ, borrow))
                    borrow = b.or_(b.and_not(part[k], old), b.and_not(borrow, differ))
                else:
                    less.append(b.xor(old, borrow))
                    borrow = b.and_not(borrow, old)
            here = b.and_not(borrow, b.read(found))
            b.store(b.or_(b.read(found), borrow), found)
            for k in range(3):
                b.store(b.or_(b.read(rest[k]), b.and_(here, b.read(r[k]))), rest[k])
            for j in range(GROUP):
                b.store(b.or_(b.read(merged[j]), b.and_(here, moves[j])), merged[j])
            b.put(here, scratch, g)
            for k in range(self.bits):
                b.store(less[k], r[k])
        picks = []
        low = [b.read(rest[k]) for k in range(3)]
        for j in range(GROUP):
            borrow = b.read(merged[j])
            for k in range(3):
                low[k], borrow = b.xor(low[k], borrow), b.and_not(borrow, low[k])
            picks.append(borrow)
        with b.loop(groups) as g:
            here = b.get(scratch, g)
            start = b.add(does, b.mul(g, b.word(GROUP)))
            for j in range(GROUP):
                b.put(b.and_(here, picks[j]), memory, b.add(start, b.word(j)))
        b.ret_void()
        return self.module.get_global("select")

    def role_row(self, b: Emitter, table: ir.Value, role: ir.Value) -> list[ir.Value]:
        """Read groups, does, legal and number of moves of a role."""
        row = b.add(b.word(Table.SIZE), b.mul(role, b.word(ROLE_ROW)))
        return [b.get(table, b.add(row, b.word(i)), WORD) for i in range(ROLE_ROW)]

    def number(self, b: Emitter, table: ir.Value, column: int) -> ir.Value:
        return b.get(table, column, WORD)

    def bump(self, b: Emitter, counts: ir.Value, index: ir.Value | int, by: ir.Value) -> None:
        b.put(b.add(b.get(counts, index, WORD), by), counts, index, WORD)

    def count_all(
        self, b: Emitter, memory: ir.Value, table: ir.Value, scratch: ir.Value
    ) -> tuple[ir.Value, ir.Value]:
        """Count every role's moves into scratch; give lanes without a joint move, and clashes.

        Role r's numbers start at vector r * (bits + 1) of scratch. Clashes are lanes in which more
        than one role has a choice. After the roles comes the OR of all their numbers.
        """
        width = self.bits + 1
        stuck = b.variable(b.splat(0))
        clash = b.variable(b.splat(0))
        chooses = b.variable(b.splat(0))
        roles = self.number(b, table, Table.ROLES)
        joined = b.at(scratch, b.mul(roles, b.word(width)))
        for k in range(self.bits):
            b.put(b.splat(0), joined, k)
        with b.loop(roles) as role:
            groups, _, legal, _ = self.role_row(b, table, role)
            out = b.at(scratch, b.mul(role, b.word(width)))
            b.call(self.count, [memory, legal, groups, out])
            none = b.get(out, self.bits)
            b.store(b.or_(b.read(stuck), none), stuck)
            has_choice: ir.Value = b.splat(0)
            for k in range(self.bits):
                bit = b.and_not(b.get(out, k), none)
                b.put(bit, out, k)
                has_choice = b.or_(has_choice, bit)
                b.put(b.or_(b.get(joined, k), bit), joined, k)
            b.put(has_choice, out, self.bits)
            b.store(b.or_(b.read(clash), b.and_(b.read(chooses), has_choice)), clash)
            b.store(b.or_(b.read(chooses), has_choice), chooses)
        return b.read(stuck), b.read(clash)

    def playouts(self) -> None:
        """playouts(memory, view, view_code, step, step_code, table, initial, random, scratch,
        counts, rounds): play on in all lanes; lanes whose match is over start anew.

        counts: moves made, matches ended, lanes stuck, then for each goal slot the matches that
        ended with it. scratch: as for `count_all`, then a rank for each role, then groups.
        """
        b, args = self.function("playouts", *[POINTER] * 10, WORD)
        (memory, view, view_code, step, step_code, table, initial, state, scratch, counts) = args[
            :10
        ]
        width = self.bits + 1
        roles = self.number(b, table, Table.ROLES)
        ranks = b.at(scratch, b.mul(b.add(roles, b.word(1)), b.word(width)))
        groups_scratch = b.at(ranks, b.mul(b.add(roles, b.word(1)), b.word(width)))
        joined = b.at(scratch, b.mul(roles, b.word(width)))
        shared = b.at(ranks, b.mul(roles, b.word(width)))
        fluents = self.number(b, table, Table.FLUENTS)
        after = self.number(b, table, Table.NEXT)
        with b.loop(args[10]):
            self.call_stage(b, view, memory, view_code)
            stuck, clash = self.count_all(b, memory, table, scratch)
            ended = b.get(memory, self.number(b, table, Table.TERMINAL))
            with b.if_then(b.is_any(b.or_(ended, stuck))):
                self.bump(b, counts, 1, b.popcount(ended))
                self.bump(b, counts, 2, b.popcount(b.and_not(stuck, ended)))
                with b.loop(self.number(b, table, Table.GOAL_COUNT)) as i:
                    goal = b.get(memory, b.add(self.number(b, table, Table.GOALS), i))
                    reached = b.popcount(b.and_(ended, goal))
                    self.bump(b, counts, b.add(i, b.word(3)), reached)
            over = b.or_(ended, stuck)
            waiting = b.variable(b.splat(0))
            together = b.is_any(clash)
            with b.if_else(together) as (each, one):
                with each, b.loop(roles) as role:
                    most = b.at(scratch, b.mul(role, b.word(width)))
                    rank = b.at(ranks, b.mul(role, b.word(width)))
                    b.call(self.draw, [most, state, rank])
                    b.store(b.or_(b.read(waiting), b.get(rank, self.bits)), waiting)
                with one:
                    b.call(self.draw, [joined, state, shared])
                    b.store(b.get(shared, self.bits), waiting)
            with b.loop(roles) as role:
                rank = b.at(ranks, b.mul(role, b.word(width)))
                with b.if_then(b.not_(together)):
                    chooses = b.get(scratch, b.add(b.mul(role, b.word(width)), b.word(self.bits)))
                    for k in range(self.bits):
                        b.put(b.and_(b.get(shared, k), chooses), rank, k)
                groups, does, legal, _ = self.role_row(b, table, role)
                b.call(self.select, [memory, legal, does, groups, rank, groups_scratch])
            self.call_stage(b, step, memory, step_code)
            stays = b.and_not(b.read(waiting), over)
            moved = b.sub(b.word(LANES), b.popcount(b.or_(stays, over)))
            self.bump(b, counts, 0, moved)
            with b.loop(self.number(b, table, Table.FLUENT_COUNT)) as f:
                new = b.get(memory, b.add(after, f))
                start = _spread(b, b.get(initial, f, WORD))
                slot = b.add(fluents, f)
                old = b.get(memory, slot)
                new = b.choose(over, start, b.choose(stays, old, new))
                b.put(new, memory, slot)
        b.ret_void()

    def call_stage(self, b: Emitter, stage: ir.Value, memory: ir.Value, code: ir.Value) -> None:
        b.call(_Callee(stage), [memory, code])

    def perft(self) -> None:
        """perft(context, mask, depth): count the states below those in level 0's memory.

        Works depth first on blocks: a block's successors by the first legal moves of its lanes,
        by the second, and so on, are blocks of the next level. Dense ones are visited at once;
        thin ones are squeezed into the level's buffer, which is visited when it holds a block.
        """
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
        """visit(context, memory, left, depth, mask): count the lanes, and go on below them."""
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
        self.call_stage(b, view, memory, code)
        scratch = self.area(b, context, memory, Context.SCRATCH)
        stuck, clash = self.count_all(b, memory, table, scratch)
        ended = b.get(memory, self.number(b, table, Table.TERMINAL))
        ended = b.and_(ended, _spread(b, self.number_in(b, context, Context.ENDS)))
        mask = b.and_not(mask, b.or_(stuck, ended))
        with b.if_then(b.not_(b.is_any(mask))):
            b.ret_void()
        with b.if_then(b.icmp_unsigned("==", left, b.word(1))):
            below = b.add(depth, b.word(1))
            with b.if_else(b.is_any(b.and_(clash, mask))) as (several, one):
                with several:
                    b.call(self.products, [context, memory, below, mask])
                with one:
                    roles = self.number(b, table, Table.ROLES)
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
        with b.if_then(b.icmp_unsigned("==", role, self.number(b, table, Table.ROLES))):
            step = self.field(b, context, Context.STEP)
            self.call_stage(b, step, memory, self.field(b, context, Context.STEP_CODE))
            child = b.at(memory, self.number_in(b, context, Context.STRIDE))
            below, deeper = b.sub(left, b.word(1)), b.add(depth, b.word(1))
            dense = b.icmp_unsigned(">=", b.popcount(mask), b.word(_DENSE))
            with b.if_else(dense) as (at_once, later):
                with at_once:
                    after = self.number(b, table, Table.NEXT)
                    fluents = self.number(b, table, Table.FLUENTS)
                    with b.loop(self.number(b, table, Table.FLUENT_COUNT)) as f:
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
        # The moves not yet made stand where `does` slots would, in an area of their own.
        remaining = self.area(b, context, memory, Context.REMAINING)
        remaining = b.at(remaining, b.sub(does, self.first_does(b, table)))
        with b.loop(moves) as i:
            b.put(b.and_(b.get(memory, b.add(legal, i)), mask), remaining, i)
        with b.while_() as go_on_if:
            seen = b.variable(b.splat(0))
            with b.loop(moves) as i:
                here = b.get(remaining, i)
                pick = b.and_not(here, b.read(seen))
                b.store(b.or_(b.read(seen), here), seen)
                b.put(b.xor(here, pick), remaining, i)
                b.put(pick, memory, b.add(does, i))
            go_on_if(b.is_any(b.read(seen)))
            b.call(self.expand, [context, memory, left, depth, b.read(seen), next_role])
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
        fluents = self.number(b, table, Table.FLUENTS)
        with b.loop(self.number(b, table, Table.FLUENT_COUNT)) as f:
            row = b.at(rows, b.mul(f, b.word(BUFFER_ROW)))
            b.put(b.get(row, 0), memory, b.add(fluents, f))
            for i in range(BUFFER_ROW - 1):
                b.put(b.get(row, i + 1), row, i)
            b.put(b.splat(0), row, BUFFER_ROW - 1)
        mask: ir.Value = b.splat(0)
        for w in range(WORDS):
            beyond = b.icmp_unsigned(">=", taken, b.word(64 * (w + 1)))
            inside = b.icmp_unsigned(">", taken, b.word(64 * w))
            some = b.sub(b.shl(b.word(1), b.and_(taken, b.word(63))), b.word(1))
            word = b.select(beyond, b.word(-1), b.select(inside, some, b.word(0)))
            mask = b.insert_element(mask, word, ir.Constant(INT, w))
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
        after = self.number(b, table, Table.NEXT)
        with b.loop(self.number(b, table, Table.FLUENT_COUNT)) as f:
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
        roles = self.number(b, table, Table.ROLES)
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


class _Callee:
    """A function known by its address only, in the shape that the builder can call."""

    def __init__(self, address: ir.Value) -> None:
        self.address = address
        self.function_type = ir.FunctionType(VOID, [POINTER, POINTER])

    def __getattr__(self, name: str) -> object:
        return getattr(self.address, name)
