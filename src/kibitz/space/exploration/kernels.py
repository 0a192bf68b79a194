"""Native loops over state spaces: add new states and edges, and sweep over them.

States are rows of words. A hash table holds, for each state, the upper half of its hash and its
number; a look-up compares rows only where these agree. Look-ups run in batches, and what a batch
will touch is fetched ahead, so that the memory's latency is paid once for many.

Several threads can add one run of states together, and number what they find as one thread would.
Each has a share of the states and a section of the table. Four loops follow one another; all
threads finish one before any starts the next:

====== ==========================================================================================
expand each thread writes the successors of its share, in order, and their hashes
claim  each looks up the successors of all shares that belong to its section; a new one
       is entered under a passing number, its place among the successors
number each gives the new ones of its share their numbers, in order
link   each writes the edges of its share
====== ==========================================================================================
"""

from __future__ import annotations

from llvmlite import ir

from kibitz.engine.compiled.kernels import Expansion
from kibitz.engine.compiled.kernels.base import INT, VOID, call_at
from kibitz.engine.compiled.llvm import (
    BIT,
    LANES,
    POINTER,
    WORD,
    Code,
    Emitter,
    compile_module,
    compiled_once,
)
from kibitz.space.backward_kernels import Sweep, add_sweeps

__all__ = ["Intake", "Sweep", "space_kernels"]

BYTE = ir.IntType(8)
HALF = ir.IntType(16)
_BATCH = 64
_TAG = 0xFFFFFFFF00000000


class Intake:
    """Columns of the context of one thread's loops."""

    (TABLE, MASK, SECTION_MASK, SECTION, STATES, KNOWN) = range(6)
    (ROWS, PARENTS, MOVES, HASHES, NUMBERS, SLOTS, CODES) = range(6, 13)
    (FIRST_EDGE, TARGETS, ACTIONS, TERMINAL, TURN, GOALS) = range(13, 19)
    (JOINTS, JOINT_MASK, JOINT_WORDS, JOINT_COUNT, PLACES, BATCH) = range(19, 25)
    (EXPAND, EXPANSION, OFFSET, BLOCK, ROOM, FRESH_JOINT) = range(25, 31)
    (GOAL_COUNT, GOAL_ROLES, GOAL_VALUES, ROLES) = range(31, 35)
    (COUNTED, COUNT, FIXED, PATTERN, STRAYS) = range(35, 40)
    SIZE = 40


@compiled_once
def space_kernels(words: int) -> Code:
    """Compile the loops for states of a number of words."""
    module = ir.Module(name=f"space{words}")
    _Intake(module, words)
    add_sweeps(module)
    return compile_module(module, optimise=True)


class _Intake:
    def __init__(self, module: ir.Module, words: int) -> None:
        self.module = module
        self.words = words
        self.expand()
        self.number_joints()
        self.claim()
        self.number()
        self.link()
        self.rehash()
        self.hash()

    def start(
        self, name: str, count: int, result: ir.Type = VOID
    ) -> tuple[Emitter, ir.Value, list[ir.Value]]:
        """Start a function of a context and `count` numbers."""
        kinds = [POINTER, *[WORD] * count]
        function = ir.Function(self.module, ir.FunctionType(result, kinds), name)
        context, *numbers = function.args
        return Emitter(function.append_basic_block()), context, numbers

    def mix(self, b: Emitter, x: ir.Value) -> ir.Value:
        """Spread a word's bits (the finaliser of MurmurHash3, Appleby 2011)."""
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            x = b.mul(b.xor(x, b.lshr(x, b.word(33))), b.word(factor))
        return b.xor(x, b.lshr(x, b.word(33)))

    def hash_row(self, b: Emitter, rows: ir.Value, index: ir.Value) -> ir.Value:
        result = b.word(0)
        for w in range(self.words):
            result = self.mix(b, b.add(b.xor(result, self.row_word(b, rows, index, w)), b.word(w)))
        return result

    def row_word(self, b: Emitter, rows: ir.Value, index: ir.Value, w: int) -> ir.Value:
        return b.get(rows, b.add(b.mul(index, b.word(self.words)), b.word(w)), WORD)

    def equal_rows(
        self, b: Emitter, one: ir.Value, i: ir.Value, other: ir.Value, j: ir.Value
    ) -> ir.Value:
        differ: ir.Value = b.word(0)
        for w in range(self.words):
            both = b.xor(self.row_word(b, one, i, w), self.row_word(b, other, j, w))
            differ = b.or_(differ, both)
        return b.icmp_unsigned("==", differ, b.word(0))

    def prefetch(self, b: Emitter, address: ir.Value) -> None:
        numbers = [ir.Constant(INT, n) for n in (0, 3, 1)]
        b.intrinsic("llvm.prefetch.p0", VOID, [address, *numbers])

    def expand(self) -> None:
        """expand(context, first, count): write successors, facts, hashes; return states expanded.

        It stops early where there might be no room for the successors of one more block.
        """
        b, context, (first, count) = self.start("expand", 2, WORD)
        expansion = b.get(context, Intake.EXPANSION, POINTER)
        rows, hashes = b.get(context, Intake.ROWS, POINTER), b.get(context, Intake.HASHES, POINTER)
        moves, codes = b.get(context, Intake.MOVES, POINTER), b.get(context, Intake.CODES, POINTER)
        block, room = b.get(context, Intake.BLOCK, WORD), b.get(context, Intake.ROOM, WORD)
        offset = b.get(context, Intake.OFFSET, WORD)
        done = b.variable(b.word(0))
        with b.while_() as go_on_if:
            at = b.read(done)
            before = b.get(expansion, Expansion.WRITTEN, WORD)
            has_room = b.icmp_unsigned("<=", before, room)
            go_on_if(b.and_(has_room, b.icmp_unsigned("<", at, count)))
            left = b.sub(count, at)
            size = b.select(b.icmp_unsigned("<", left, block), left, block)
            here = b.add(first, at)
            call_at(b, b.get(context, Intake.EXPAND, POINTER), [expansion, here, size])
            self.facts(b, context, here, size)
            with b.loop(b.sub(b.get(expansion, Expansion.WRITTEN, WORD), before)) as i:
                e = b.add(b.add(offset, before), i)
                b.put(self.hash_row(b, rows, e), hashes, e, WORD)
                code = self.joint(b, context, b.get(moves, e, WORD), is_new_entered=False)
                b.put(b.trunc(code, HALF), codes, e, HALF)
            b.store(b.add(at, size), done)
        b.ret(b.read(done))

    def facts(self, b: Emitter, context: ir.Value, first: ir.Value, size: ir.Value) -> None:
        """Read the end, the turn and the goals of a block's states off its flags."""
        expansion = b.get(context, Intake.EXPANSION, POINTER)
        flags = b.get(expansion, Expansion.FLAGS, POINTER)
        terminal = b.get(context, Intake.TERMINAL, POINTER)
        turn, goals = b.get(context, Intake.TURN, POINTER), b.get(context, Intake.GOALS, POINTER)
        goal_count = b.get(context, Intake.GOAL_COUNT, WORD)
        goal_roles = b.get(context, Intake.GOAL_ROLES, POINTER)
        goal_values = b.get(context, Intake.GOAL_VALUES, POINTER)
        roles = b.get(context, Intake.ROLES, WORD)
        with b.loop(size) as i:
            state = b.add(first, i)
            word, shift = b.lshr(i, b.word(6)), b.and_(i, b.word(63))

            def bit(column: ir.Value, word: ir.Value = word, shift: ir.Value = shift) -> ir.Value:
                place = b.add(b.mul(column, b.word(LANES // 64)), word)
                return b.and_(b.lshr(b.get(flags, place, WORD), shift), b.word(1))

            ended = bit(b.word(0))
            b.put(b.trunc(ended, BYTE), terminal, state, BYTE)
            mover = b.variable(b.word(-1))
            with b.loop(roles) as role:
                b.put(ir.Constant(BYTE, -1), goals, b.add(b.mul(state, roles), role), BYTE)
                chooses = bit(b.add(b.add(goal_count, b.word(1)), role))
                is_first = b.icmp_signed("==", b.read(mover), b.word(-1))
                then = b.select(is_first, role, b.word(-2))
                one = b.icmp_unsigned("!=", b.and_(chooses, b.xor(ended, b.word(1))), b.word(0))
                b.store(b.select(one, then, b.read(mover)), mover)
            b.put(b.trunc(b.read(mover), BYTE), turn, state, BYTE)
            seen = b.variable(b.word(0))
            with b.loop(goal_count) as g, b.if_then(b.trunc(bit(b.add(g, b.word(1))), BIT)):
                role = b.get(goal_roles, g, WORD)
                mark = b.shl(b.word(1), role)
                again = b.icmp_unsigned("!=", b.and_(b.read(seen), mark), b.word(0))
                value = b.select(again, b.word(-1), b.get(goal_values, g, WORD))
                b.store(b.or_(b.read(seen), mark), seen)
                place = b.add(b.mul(state, roles), role)
                b.put(b.trunc(value, BYTE), goals, place, BYTE)

    def joint(
        self, b: Emitter, context: ir.Value, moves: ir.Value, *, is_new_entered: bool
    ) -> ir.Value:
        """Return the number of a joint move; one that is not known is entered, or noted down."""
        table = b.get(context, Intake.JOINTS, POINTER)
        words = b.get(context, Intake.JOINT_WORDS, POINTER)
        mask = b.get(context, Intake.JOINT_MASK, WORD)
        position = b.variable(b.and_(self.mix(b, moves), mask))
        result = b.variable(b.word(0))
        done = b.variable(ir.Constant(BIT, 0))
        with b.while_() as go_on_if:
            go_on_if(b.not_(b.read(done)))
            at = b.read(position)
            entry = b.get(table, at, WORD)
            with b.if_else(b.icmp_unsigned("==", entry, b.word(0))) as (new, used):
                with new:
                    if is_new_entered:
                        number = b.get(context, Intake.JOINT_COUNT, WORD)
                        b.put(b.add(number, b.word(1)), context, Intake.JOINT_COUNT, WORD)
                        b.put(b.add(number, b.word(1)), table, at, WORD)
                        b.put(moves, words, number, WORD)
                        b.store(number, result)
                    else:
                        b.put(b.word(1), context, Intake.FRESH_JOINT, WORD)
                    b.store(ir.Constant(BIT, 1), done)
                with used:
                    number = b.sub(entry, b.word(1))
                    with b.if_then(b.icmp_unsigned("==", b.get(words, number, WORD), moves)):
                        b.store(number, result)
                        b.store(ir.Constant(BIT, 1), done)
                    b.store(b.and_(b.add(at, b.word(1)), mask), position)
        return b.read(result)

    def number_joints(self) -> None:
        """number_joints(context, begin, end): number joint moves of successors, new ones too."""
        b, context, (begin, end) = self.start("number_joints", 2)
        moves, codes = b.get(context, Intake.MOVES, POINTER), b.get(context, Intake.CODES, POINTER)
        with b.loop(b.sub(end, begin)) as i:
            e = b.add(begin, i)
            code = self.joint(b, context, b.get(moves, e, WORD), is_new_entered=True)
            b.put(b.trunc(code, HALF), codes, e, HALF)
        b.ret_void()

    def claim(self) -> None:
        """claim(context, begin, end): look up successors of this thread's section; return the new.

        SLOTS gets the place in the table where a successor is new, and -1 elsewhere.
        """
        b, context, (begin, end) = self.start("claim", 2, WORD)
        table, mask = b.get(context, Intake.TABLE, POINTER), b.get(context, Intake.MASK, WORD)
        section = b.get(context, Intake.SECTION, WORD)
        section_mask = b.get(context, Intake.SECTION_MASK, WORD)
        states = b.get(context, Intake.STATES, POINTER)
        hashes, batch = (
            b.get(context, Intake.HASHES, POINTER),
            b.get(context, Intake.BATCH, POINTER),
        )
        new = b.variable(b.word(0))
        start = b.variable(begin)
        not_section = b.and_(mask, b.not_(section_mask))
        with b.while_() as go_on_if:
            go_on_if(b.icmp_unsigned("<", b.read(start), end))
            size = b.variable(b.word(0))
            with b.while_() as more_if:
                at, have = b.read(start), b.read(size)
                is_some = b.icmp_unsigned("<", at, end)
                more_if(b.and_(is_some, b.icmp_unsigned("<", have, b.word(_BATCH))))
                value = b.get(hashes, at, WORD)
                mine = b.icmp_unsigned("==", b.and_(value, not_section), section)
                b.put(at, batch, have, WORD)
                slot = b.at(table, b.and_(value, mask), WORD)
                self.prefetch(b, b.select(mine, slot, b.at(batch, have, WORD)))
                b.store(b.add(have, b.zext(mine, WORD)), size)
                b.store(b.add(at, b.word(1)), start)
            with b.loop(b.read(size)) as i:
                value = b.get(hashes, b.get(batch, i, WORD), WORD)
                entry = b.get(table, b.and_(value, mask), WORD)
                number = b.sub(b.and_(entry, b.word(0xFFFFFFFF)), b.word(1))
                self.prefetch(b, b.at(states, b.mul(number, b.word(self.words)), WORD))
            with b.loop(b.read(size)) as i:
                is_new = self.look_up(b, context, b.get(batch, i, WORD))
                b.store(b.add(b.read(new), is_new), new)
        b.ret(b.read(new))

    def look_up(self, b: Emitter, context: ir.Value, e: ir.Value) -> ir.Value:
        """Put the number of a successor into NUMBERS; return 1 if it is new, and 0 otherwise.

        An entry is the upper half of the hash and, below it, the number plus one; 0 is empty.
        """
        table, states = (b.get(context, c, POINTER) for c in (Intake.TABLE, Intake.STATES))
        rows, slots = (b.get(context, c, POINTER) for c in (Intake.ROWS, Intake.SLOTS))
        known, section = (b.get(context, c, WORD) for c in (Intake.KNOWN, Intake.SECTION))
        mask, section_mask = (b.get(context, c, WORD) for c in (Intake.MASK, Intake.SECTION_MASK))
        value = b.get(b.get(context, Intake.HASHES, POINTER), e, WORD)
        tag = b.and_(value, b.word(_TAG))
        position = b.variable(b.and_(value, mask))
        result = b.variable(b.word(0))
        slot = b.variable(b.word(-1))
        done = b.variable(ir.Constant(BIT, 0))
        with b.while_() as go_on_if:
            go_on_if(b.not_(b.read(done)))
            at = b.read(position)
            entry = b.get(table, at, WORD)
            with b.if_else(b.icmp_unsigned("==", entry, b.word(0))) as (new, used):
                with new:
                    number = b.add(known, e)
                    b.put(b.or_(tag, b.add(number, b.word(1))), table, at, WORD)
                    b.store(number, result)
                    b.store(at, slot)
                    b.store(ir.Constant(BIT, 1), done)
                    self.check_layer(b, context, e)
                with used:
                    same = b.icmp_unsigned("==", b.and_(entry, b.word(_TAG)), tag)
                    with b.if_then(same):
                        number = b.sub(b.and_(entry, b.word(0xFFFFFFFF)), b.word(1))
                        passing = b.icmp_unsigned(">=", number, known)
                        base = b.select(passing, rows, states)
                        index = b.select(passing, b.sub(number, known), number)
                        with b.if_then(self.equal_rows(b, rows, e, base, index)):
                            b.store(number, result)
                            b.store(ir.Constant(BIT, 1), done)
                    onward = b.and_(b.add(at, b.word(1)), section_mask)
                    b.store(b.or_(onward, section), position)
        b.put(b.read(result), b.get(context, Intake.NUMBERS, POINTER), e, WORD)
        b.put(b.read(slot), slots, e, WORD)
        return b.zext(b.icmp_signed("!=", b.read(slot), b.word(-1)), WORD)

    def check_layer(self, b: Emitter, context: ir.Value, e: ir.Value) -> None:
        """Count a new row as a stray where its mark differs from that of its layer."""
        rows, counted = (b.get(context, c, POINTER) for c in (Intake.ROWS, Intake.COUNTED))
        fixed, pattern = (b.get(context, c, POINTER) for c in (Intake.FIXED, Intake.PATTERN))
        total: ir.Value = b.word(0)
        differ: ir.Value = b.word(0)
        for w in range(self.words):
            word = self.row_word(b, rows, e, w)
            ones = b.intrinsic("llvm.ctpop.i64", WORD, [b.and_(word, b.get(counted, w, WORD))])
            total = b.add(total, ones)
            off = b.and_(b.xor(word, b.get(pattern, w, WORD)), b.get(fixed, w, WORD))
            differ = b.or_(differ, off)
        differ = b.or_(differ, b.xor(total, b.get(context, Intake.COUNT, WORD)))
        stray = b.zext(b.icmp_unsigned("!=", differ, b.word(0)), WORD)
        b.put(b.add(b.get(context, Intake.STRAYS, WORD), stray), context, Intake.STRAYS, WORD)

    def number(self) -> None:
        """number(context, begin, end, number): number the new among successors, from a number."""
        b, context, (begin, end, first) = self.start("number", 3)
        table, states = (b.get(context, c, POINTER) for c in (Intake.TABLE, Intake.STATES))
        rows, slots = (b.get(context, c, POINTER) for c in (Intake.ROWS, Intake.SLOTS))
        hashes = b.get(context, Intake.HASHES, POINTER)
        numbers = b.get(context, Intake.NUMBERS, POINTER)
        number = b.variable(first)
        with b.loop(b.sub(end, begin)) as i:
            e = b.add(begin, i)
            slot = b.get(slots, e, WORD)
            with b.if_then(b.icmp_signed("!=", slot, b.word(-1))):
                here = b.read(number)
                b.put(here, numbers, e, WORD)
                tag = b.and_(b.get(hashes, e, WORD), b.word(_TAG))
                b.put(b.or_(tag, b.add(here, b.word(1))), table, slot, WORD)
                for w in range(self.words):
                    place = b.add(b.mul(here, b.word(self.words)), b.word(w))
                    b.put(self.row_word(b, rows, e, w), states, place, WORD)
                b.store(b.add(here, b.word(1)), number)
        b.ret_void()

    def link(self) -> None:
        """link(context, first, count, begin, end, edge): write the edges of states, from an edge.

        The edges of a state are consecutive. Returns the lowest number that an edge leads to.
        """
        b, context, (first, count, begin, end, edge) = self.start("link", 5, WORD)
        parents, places = (b.get(context, c, POINTER) for c in (Intake.PARENTS, Intake.PLACES))
        numbers, slots = (b.get(context, c, POINTER) for c in (Intake.NUMBERS, Intake.SLOTS))
        targets, actions = (b.get(context, c, POINTER) for c in (Intake.TARGETS, Intake.ACTIONS))
        first_edge, codes = (b.get(context, c, POINTER) for c in (Intake.FIRST_EDGE, Intake.CODES))
        known = b.get(context, Intake.KNOWN, WORD)
        found = b.sub(end, begin)
        with b.loop(count) as i:
            b.put(b.word(0), places, i, WORD)
        with b.loop(found) as i:
            place = b.sub(b.get(parents, b.add(begin, i), WORD), first)
            b.put(b.add(b.get(places, place, WORD), b.word(1)), places, place, WORD)
        edges = b.variable(edge)
        with b.loop(count) as i:
            here = b.get(places, i, WORD)
            b.put(b.read(edges), places, i, WORD)
            b.put(b.read(edges), first_edge, b.add(first, i), WORD)
            b.store(b.add(b.read(edges), here), edges)
        b.put(b.read(edges), first_edge, b.add(first, count), WORD)
        lowest = b.variable(b.word(-1))
        with b.loop(found) as i:
            e = b.add(begin, i)
            number = b.get(numbers, e, WORD)
            old = b.icmp_signed("==", b.get(slots, e, WORD), b.word(-1))
            passing = b.and_(old, b.icmp_unsigned(">=", number, known))
            where = b.select(passing, b.sub(number, known), e)
            number = b.get(numbers, where, WORD)
            less = b.icmp_unsigned("<", number, b.read(lowest))
            b.store(b.select(less, number, b.read(lowest)), lowest)
            place = b.sub(b.get(parents, e, WORD), first)
            at = b.get(places, place, WORD)
            b.put(b.add(at, b.word(1)), places, place, WORD)
            b.put(b.trunc(number, INT), targets, at, INT)
            b.put(b.get(codes, e, HALF), actions, at, HALF)
        b.ret(b.read(lowest))

    def rehash(self) -> None:
        """rehash(context, first, count): enter states of one section that the table lacks."""
        b, context, (first, count) = self.start("rehash", 2)
        table, states = (b.get(context, c, POINTER) for c in (Intake.TABLE, Intake.STATES))
        mask, section_mask = (b.get(context, c, WORD) for c in (Intake.MASK, Intake.SECTION_MASK))
        section, batch = b.get(context, Intake.SECTION, WORD), b.get(context, Intake.BATCH, POINTER)
        not_section = b.and_(mask, b.not_(section_mask))
        start = b.variable(b.word(0))
        with b.while_() as go_on_if:
            go_on_if(b.icmp_unsigned("<", b.read(start), count))
            size = b.variable(b.word(0))
            with b.while_() as more_if:
                at, have = b.read(start), b.read(size)
                is_some = b.icmp_unsigned("<", at, count)
                more_if(b.and_(is_some, b.icmp_unsigned("<", have, b.word(_BATCH))))
                value = self.hash_row(b, states, b.add(first, at))
                mine = b.icmp_unsigned("==", b.and_(value, not_section), section)
                b.put(value, batch, have, WORD)
                b.put(b.add(first, at), batch, b.add(have, b.word(_BATCH)), WORD)
                slot = b.at(table, b.and_(value, mask), WORD)
                self.prefetch(b, b.select(mine, slot, b.at(batch, have, WORD)))
                b.store(b.add(have, b.zext(mine, WORD)), size)
                b.store(b.add(at, b.word(1)), start)
            with b.loop(b.read(size)) as i:
                value = b.get(batch, i, WORD)
                number = b.get(batch, b.add(i, b.word(_BATCH)), WORD)
                position = b.variable(b.and_(value, mask))
                with b.while_() as taken_if:
                    at = b.read(position)
                    taken_if(b.icmp_unsigned("!=", b.get(table, at, WORD), b.word(0)))
                    onward = b.and_(b.add(at, b.word(1)), section_mask)
                    b.store(b.or_(onward, section), position)
                tag = b.and_(value, b.word(_TAG))
                entry = b.or_(tag, b.add(number, b.word(1)))
                b.put(entry, table, b.read(position), WORD)
        b.ret_void()

    def hash(self) -> None:
        """hash(context, count): hash rows."""
        b, context, (count,) = self.start("hash", 1)
        rows, hashes = (b.get(context, c, POINTER) for c in (Intake.ROWS, Intake.HASHES))
        with b.loop(count) as i:
            b.put(self.hash_row(b, rows, i), hashes, i, WORD)
        b.ret_void()
