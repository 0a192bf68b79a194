"""Native loops over state spaces: take in new states and edges, and sweep over them.

States are rows of words. A hash table holds, for each state, the low 32 bits of its hash and its
number; a look-up compares rows only where these agree. Look-ups run in batches, and what a batch
will touch is fetched ahead, so that the memory's latency is paid once for many.
"""

from __future__ import annotations

from functools import cache

from llvmlite import ir

from kibitz.engine.kernels.base import INT, VOID
from kibitz.engine.llvm import BIT, POINTER, WORD, Code, Emitter, compile_module

__all__ = ["Intake", "Sweep", "space_kernels"]

BYTE = ir.IntType(8)
HALF = ir.IntType(16)
_BATCH = 64


class Intake:
    """Columns of what `absorb` and `rehash` are given."""

    (TABLE, MASK, STATES, COUNT, ROWS, PARENTS, MOVES) = range(7)
    (FIRST_EDGE, TARGETS, ACTIONS, EDGES, JOINTS, JOINT_MASK, JOINT_WORDS) = range(7, 14)
    (JOINT_COUNT, PLACES, HASHES) = range(14, 17)
    SIZE = 17


class Sweep:
    """Columns of what the sweeps are given."""

    (FIRST_EDGE, TARGETS, TURN, VALUE, DISTANCE, MIDDLE) = range(6)
    SIZE = 6


@cache
def space_kernels(words: int) -> Code:
    """Compile the loops for states of a number of words."""
    module = ir.Module(name=f"space{words}")
    _Intake(module, words)
    _Sweeps(module)
    return compile_module(module, optimise=True)


def _start(module: ir.Module, name: str, count: int) -> tuple[Emitter, list[ir.Value]]:
    """Start a function of a context and `count` numbers."""
    kinds = [POINTER, *[WORD] * count]
    function = ir.Function(module, ir.FunctionType(VOID, kinds), name)
    return Emitter(function.append_basic_block()), list(function.args)


class _Intake:
    def __init__(self, module: ir.Module, words: int) -> None:
        self.module = module
        self.words = words
        self.absorb()
        self.rehash()

    def mix(self, b: Emitter, x: ir.Value) -> ir.Value:
        """Spread a word's bits (the finaliser of MurmurHash3, Appleby 2011)."""
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            x = b.mul(b.xor(x, b.lshr(x, b.word(33))), b.word(factor))
        return b.xor(x, b.lshr(x, b.word(33)))

    def hash_row(self, b: Emitter, rows: ir.Value, index: ir.Value) -> ir.Value:
        result = b.word(0)
        start = b.mul(index, b.word(self.words))
        for w in range(self.words):
            word = b.get(rows, b.add(start, b.word(w)), WORD)
            result = self.mix(b, b.add(b.xor(result, word), b.word(w)))
        return result

    def equal_rows(
        self, b: Emitter, one: ir.Value, i: ir.Value, other: ir.Value, j: ir.Value
    ) -> ir.Value:
        differ: ir.Value = b.word(0)
        for w in range(self.words):
            x = b.get(one, b.add(b.mul(i, b.word(self.words)), b.word(w)), WORD)
            y = b.get(other, b.add(b.mul(j, b.word(self.words)), b.word(w)), WORD)
            differ = b.or_(differ, b.xor(x, y))
        return b.icmp_unsigned("==", differ, b.word(0))

    def prefetch(self, b: Emitter, address: ir.Value) -> None:
        numbers = [ir.Constant(INT, n) for n in (0, 3, 1)]
        b.intrinsic("llvm.prefetch.p0", VOID, [address, *numbers])

    def absorb(self) -> None:
        """absorb(context, first, count, found): take in the successors of states first to
        first + count, and put their edges in the order of the states.
        """
        b, (context, first, count, found) = _start(self.module, "absorb", 3)

        def field(column: int) -> ir.Value:
            return b.get(context, column, POINTER)

        rows, parents, moves = field(Intake.ROWS), field(Intake.PARENTS), field(Intake.MOVES)
        table, mask = field(Intake.TABLE), b.get(context, Intake.MASK, WORD)
        states, places = field(Intake.STATES), field(Intake.PLACES)
        targets, actions = field(Intake.TARGETS), field(Intake.ACTIONS)
        first_edge, hashes = field(Intake.FIRST_EDGE), field(Intake.HASHES)
        # Where the edges of each state begin: count them, then add up.
        with b.loop(count) as i:
            b.put(b.word(0), places, i, WORD)
        with b.loop(found) as e:
            place = b.sub(b.get(parents, e, WORD), first)
            b.put(b.add(b.get(places, place, WORD), b.word(1)), places, place, WORD)
        edges = b.variable(b.get(context, Intake.EDGES, WORD))
        with b.loop(count) as i:
            here = b.get(places, i, WORD)
            begin = b.read(edges)
            b.put(begin, places, i, WORD)
            b.put(begin, first_edge, b.add(first, i), WORD)
            b.store(b.add(begin, here), edges)
        b.put(b.read(edges), context, Intake.EDGES, WORD)
        b.put(b.read(edges), first_edge, b.add(first, count), WORD)

        known = b.variable(b.get(context, Intake.COUNT, WORD))
        start = b.variable(b.word(0))
        with b.while_() as go_on_if:
            begin = b.read(start)
            go_on_if(b.icmp_unsigned("<", begin, found))
            left = b.sub(found, begin)
            small = b.icmp_unsigned("<", left, b.word(_BATCH))
            size = b.select(small, left, b.word(_BATCH))
            with b.loop(size) as i:
                value = self.hash_row(b, rows, b.add(begin, i))
                b.put(value, hashes, i, WORD)
                self.prefetch(b, b.at(table, b.and_(value, mask), WORD))
            with b.loop(size) as i:
                entry = b.get(table, b.and_(b.get(hashes, i, WORD), mask), WORD)
                number = b.sub(b.and_(entry, b.word(0xFFFFFFFF)), b.word(1))
                self.prefetch(b, b.at(states, b.mul(number, b.word(self.words)), WORD))
            with b.loop(size) as i:
                edge = b.add(begin, i)
                number = self.look_up(b, table, mask, states, rows, edge, hashes, i, known)
                place = b.sub(b.get(parents, edge, WORD), first)
                at = b.get(places, place, WORD)
                b.put(b.add(at, b.word(1)), places, place, WORD)
                b.put(b.trunc(number, INT), targets, at, INT)
                action = self.joint(b, context, b.get(moves, edge, WORD))
                b.put(b.trunc(action, HALF), actions, at, HALF)
            b.store(b.add(begin, size), start)
        b.put(b.read(known), context, Intake.COUNT, WORD)
        b.ret_void()

    def look_up(
        self,
        b: Emitter,
        table: ir.Value,
        mask: ir.Value,
        states: ir.Value,
        rows: ir.Value,
        row: ir.Value,
        hashes: ir.Value,
        index: ir.Value,
        known: ir.Value,
    ) -> ir.Value:
        """Give the number of a row's state, which is new if it is not in the table.

        An entry is the upper half of the hash and, below it, the number plus one; 0 is empty.
        """
        value = b.get(hashes, index, WORD)
        tag = b.and_(value, b.word(0xFFFFFFFF00000000))
        position = b.variable(b.and_(value, mask))
        result = b.variable(b.word(0))
        done = b.variable(ir.Constant(BIT, 0))
        with b.while_() as go_on_if:
            go_on_if(b.not_(b.read(done)))
            at = b.read(position)
            entry = b.get(table, at, WORD)
            with b.if_else(b.icmp_unsigned("==", entry, b.word(0))) as (new, used):
                with new:
                    number = b.read(known)
                    b.store(b.add(number, b.word(1)), known)
                    b.put(b.or_(tag, b.add(number, b.word(1))), table, at, WORD)
                    for w in range(self.words):
                        word = b.get(rows, b.add(b.mul(row, b.word(self.words)), b.word(w)), WORD)
                        slot = b.add(b.mul(number, b.word(self.words)), b.word(w))
                        b.put(word, states, slot, WORD)
                    b.store(number, result)
                    b.store(ir.Constant(BIT, 1), done)
                with used:
                    same = b.icmp_unsigned("==", b.and_(entry, b.word(0xFFFFFFFF00000000)), tag)
                    with b.if_then(same):
                        number = b.sub(b.and_(entry, b.word(0xFFFFFFFF)), b.word(1))
                        with b.if_then(self.equal_rows(b, rows, row, states, number)):
                            b.store(number, result)
                            b.store(ir.Constant(BIT, 1), done)
                    b.store(b.and_(b.add(at, b.word(1)), mask), position)
        return b.read(result)

    def joint(self, b: Emitter, context: ir.Value, moves: ir.Value) -> ir.Value:
        """Give the number of a joint move, new ones being numbered as they come."""
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
                    number = b.get(context, Intake.JOINT_COUNT, WORD)
                    b.put(b.add(number, b.word(1)), context, Intake.JOINT_COUNT, WORD)
                    b.put(b.add(number, b.word(1)), table, at, WORD)
                    b.put(moves, words, number, WORD)
                    b.store(number, result)
                    b.store(ir.Constant(BIT, 1), done)
                with used:
                    number = b.sub(entry, b.word(1))
                    with b.if_then(b.icmp_unsigned("==", b.get(words, number, WORD), moves)):
                        b.store(number, result)
                        b.store(ir.Constant(BIT, 1), done)
                    b.store(b.and_(b.add(at, b.word(1)), mask), position)
        return b.read(result)

    def rehash(self) -> None:
        """rehash(context, first, count): put states into the table, which has none of them."""
        b, (context, first, count) = _start(self.module, "rehash", 2)
        table = b.get(context, Intake.TABLE, POINTER)
        states = b.get(context, Intake.STATES, POINTER)
        mask = b.get(context, Intake.MASK, WORD)
        with b.loop(count) as i:
            number = b.add(first, i)
            value = self.hash_row(b, states, number)
            tag = b.and_(value, b.word(0xFFFFFFFF00000000))
            position = b.variable(b.and_(value, mask))
            with b.while_() as go_on_if:
                at = b.read(position)
                taken = b.icmp_unsigned("!=", b.get(table, at, WORD), b.word(0))
                go_on_if(taken)
                b.store(b.and_(b.add(at, b.word(1)), mask), position)
            b.put(b.or_(tag, b.add(number, b.word(1))), table, b.read(position), WORD)
        b.ret_void()


class _Sweeps:
    """Backward sweeps for two roles with opposite goals, or one role."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.layered()

    def layered(self) -> None:
        """layered(context, first, last): value states last - 1 down to first.

        Every edge leads to a state with a value. VALUE is the first role's goal, DISTANCE the
        plies to the end. Terminal states have their values; TURN is 0 where the first role moves
        and 1 elsewhere. Whoever is ahead of the middle hurries, and whoever is behind holds out;
        nobody hurries a draw.
        """
        b, (context, first, last) = _start(self.module, "layered", 2)
        first_edge = b.get(context, Sweep.FIRST_EDGE, POINTER)
        targets = b.get(context, Sweep.TARGETS, POINTER)
        turn, value = b.get(context, Sweep.TURN, POINTER), b.get(context, Sweep.VALUE, POINTER)
        distance = b.get(context, Sweep.DISTANCE, POINTER)
        middle = b.get(context, Sweep.MIDDLE, WORD)
        position = b.variable(last)
        with b.while_() as go_on_if:
            go_on_if(b.icmp_unsigned(">", b.read(position), first))
            state = b.sub(b.read(position), b.word(1))
            b.store(state, position)
            begin = b.get(first_edge, state, WORD)
            end = b.get(first_edge, b.add(state, b.word(1)), WORD)
            with b.if_then(b.icmp_unsigned("<", begin, end)):
                is_second = b.icmp_unsigned("!=", b.get(turn, state, BYTE), ir.Constant(BYTE, 0))
                best = b.variable(b.word(-1))
                best_value = b.variable(b.word(0))
                best_distance = b.variable(b.word(0))
                edge = b.variable(begin)
                with b.while_() as more_if:
                    at = b.read(edge)
                    more_if(b.icmp_unsigned("<", at, end))
                    target = b.zext(b.get(targets, at, INT), WORD)
                    here = b.zext(b.get(value, target, BYTE), WORD)
                    plies = b.zext(b.get(distance, target, HALF), WORD)
                    # A number that grows with how much the mover likes it: value, then time.
                    ahead = b.select(
                        is_second,
                        b.icmp_unsigned("<", here, middle),
                        b.icmp_unsigned(">", here, middle),
                    )
                    liked = b.select(is_second, b.sub(b.word(255), here), here)
                    time = b.select(ahead, b.sub(b.word(0xFFFF), plies), plies)
                    key = b.or_(b.shl(liked, b.word(16)), time)
                    better = b.icmp_signed(">", key, b.read(best))
                    with b.if_then(better):
                        b.store(key, best)
                        b.store(here, best_value)
                        b.store(b.add(plies, b.word(1)), best_distance)
                    b.store(b.add(at, b.word(1)), edge)
                b.put(b.trunc(b.read(best_value), BYTE), value, state, BYTE)
                b.put(b.trunc(b.read(best_distance), HALF), distance, state, HALF)
        b.ret_void()
