"""Choose moves at random, for 512 states at a time, all numbers bit-sliced.

Add up the legal moves (carry-save adders), draw a rank below that number (by rejection), and walk
over the moves, subtracting them from the rank in groups of eight until it would fall below zero.
Lanes whose draw is rejected three times keep their state and try again in the next round, so the
choice is exactly uniform without waiting for the slowest lane.
"""

from __future__ import annotations

from llvmlite import ir

from kibitz.engine.compiled.kernels.base import GameTable, Kernel
from kibitz.engine.compiled.llvm import POINTER, WORD, Emitter
from kibitz.engine.compiled.program import GROUP

__all__ = ["RandomChoice"]

_DRAWS, _STEADY_DRAWS = 3, 32


class RandomChoice(Kernel):
    """Adds the functions count, draw and select.

    If it is `steady`, what a lane draws does not depend on other lanes, and hardly ever is a draw
    rejected until it has to wait.
    """

    def __init__(self, module: ir.Module, bits: int, *, steady: bool = False) -> None:
        super().__init__(module)
        self.bits, self.steady = bits, steady
        self.count = self._count()
        self.draw = self._draw()
        self.select = self._select()

    @staticmethod
    def full_adder(b: Emitter, x: ir.Value, y: ir.Value, z: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Add three bits: sum and carry."""
        half = b.xor(x, y)
        return b.xor(half, z), b.or_(b.and_(x, y), b.and_(half, z))

    @staticmethod
    def half_adder(b: Emitter, x: ir.Value, y: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Add two bits: sum and carry."""
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
        """Load the legal bits of a group of moves."""
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
            draws = _STEADY_DRAWS if self.steady else _DRAWS
            left = b.icmp_unsigned("<", b.read(round_), b.word(draws))
            go_on_if(b.and_(left, b.is_any(b.read(pending))))
            above: ir.Value = b.splat(0)
            drawn = []
            for k in range(self.bits):
                # A bit that is masked out in all lanes needs no randomness.
                if self.steady:
                    value = b.and_(self.random(b, state), masks[k])
                else:
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

    def count_all(
        self, b: Emitter, memory: ir.Value, table: ir.Value, scratch: ir.Value
    ) -> tuple[ir.Value, ir.Value]:
        """Count every role's moves into scratch; return lanes without a joint move, and clashes.

        Role r's numbers start at vector r * (bits + 1) of scratch. Clashes are lanes in which more
        than one role has a choice. After the roles comes the OR of all their numbers.
        """
        width = self.bits + 1
        stuck = b.variable(b.splat(0))
        clash = b.variable(b.splat(0))
        chooses = b.variable(b.splat(0))
        roles = self.number(b, table, GameTable.ROLES)
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
