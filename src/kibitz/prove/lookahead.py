"""One state in; out its children as rows, and two plies of what follows from them, as bits.

A block has eight words of 64 lanes. Word i holds the i-th child of a group of eight, in all of its
lanes; after one more step, lane j of it holds that child's j-th reply. So two plies take two steps
of a block for every eight moves, however many replies there are, up to 64.

Of the first state only the moves are asked for, and of the last ones only the ends; so each has a
stage of its own, with the gates that it needs. The two steps lead from one area of memory to
another and back, so that nothing is copied.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from llvmlite import ir

from kibitz.attached import Attached
from kibitz.core import COMPILING, Code
from kibitz.engine import CompiledGame
from kibitz.engine.compiled.kernels.base import (
    INT,
    VOID,
    GameTable,
    Kernel,
    call_stage,
    spread,
)
from kibitz.engine.compiled.llvm import (
    POINTER,
    VECTOR,
    WORD,
    WORDS,
    compile_module,
)
from kibitz.engine.compiled.native_machine import NativeMachine, NativeStage, vectors
from kibitz.prove.threats import EDITS

__all__ = [
    "BOTH_CHOOSE",
    "BUCKET",
    "FACTS",
    "FIRST_MIX",
    "IS_MISSED",
    "IS_REACHED",
    "LAST_MIX",
    "NOT_OPPOSED",
    "NO_GOAL",
    "STUCK",
    "STUCK_STATE",
    "WORD_MIX",
    "Facts",
    "Look",
    "Lookahead",
]


BYTE = ir.IntType(8)
BYTES = ir.VectorType(BYTE, 64)


class Look:
    """Columns of what the functions are given; FOUND to WAITING are what `look_moves` answers."""

    (MOVES, STEP, CHILDREN, REPLY_STEP, ENDS) = range(0, 10, 2)
    """Where stages are; the numbers that they read are in the next column."""
    (MEMORY, HAS_KEPT, TABLE, ROW, ROW_WORDS) = range(10, 15)
    (REACHED, MISSED, PARTNERS, ORDERS, IMAGES) = range(15, 20)
    (OUT_ROWS, OUT_MOVES, OUT_FACTS, SCRATCH, ENTRIES, BUCKETS, WIDTH) = range(20, 27)
    (ORDER, MOST, GROUP) = range(27, 30)
    FOUND, MOVER, WAITING = range(30, 33)
    EDITS, RUNS = 33, 34
    SIZE = 35


class Facts:
    """Vectors that are written for each group of children; word i is the i-th of them.

    STATUS is what the two plies decide: 0 for nothing, whether the first role gets what is asked,
    or a trouble. LEFT is the number of replies that do not lose at once, HASH mixes the row, and
    THREATS is the number of places where whoever made the move would win by another one.
    """

    (ENDED, REACHED, MISSED, STUCK, SEVERAL, SECOND) = range(6)
    (REPLIES, REPLY_ENDED, REPLY_REACHED, REPLY_MISSED, ODD, REPLY_ODD) = range(6, 12)
    (STATUS, LEFT, HASH, THREATS) = range(12, 16)
    SIZE = 16


FACTS = Facts.SIZE
STUCK, SIMULTANEOUS = -1, -2
"""Answers in the place of a mover."""
STUCK_STATE, BOTH_CHOOSE, NO_GOAL, NOT_OPPOSED = 1, 2, 3, 4
"""What ends a search without an answer."""
IS_REACHED, IS_MISSED = 5, 6
"""What two plies can decide."""
BUCKET = 4
"""Places in a table that a row may have, one behind another."""
FIRST_MIX, WORD_MIX, LAST_MIX = 0x9E3779B97F4A7C15, 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53
"""Numbers that mix a row; see `hash_row`."""


def _code() -> Code:
    with COMPILING:
        return _compiled()


@cache
def _compiled() -> Code:
    module = ir.Module(name="lookahead")
    for name in ("look_ahead", "look_moves", "look_group"):
        _Writer(module, name)
    return compile_module(module)


class Lookahead:
    """Memory and addresses for looking ahead in one game, for one thread.

    Who calls `look_ahead` says where the row is, and where rows and moves go.
    """

    def __init__(self, game: CompiledGame, images: Sequence[Sequence[int]] = ()) -> None:
        machine = game.machine
        assert isinstance(machine, NativeMachine)
        layout = machine.program.layout
        self.words = max(1, -(-layout.fluent_count // 64))
        self.most = max(layout.move_counts)
        self.code = _code()
        self.address = self.code.address("look_ahead")
        self.moves_address = self.code.address("look_moves")
        self.group_address = self.code.address("look_group")
        self.order = np.tile(np.arange(self.most), (2, 1))
        self.memory = machine.memory()
        self.stage_code, stages = _stages_of(machine)
        self.facts = vectors(-(-self.most // WORDS) * FACTS).reshape(-1, FACTS, WORDS)
        self.reached = np.zeros(max(1, len(layout.goal_values)), dtype=np.int64)
        self.missed = self.reached.copy()
        self.partners = self.reached.copy()
        self.orders = self._orders(layout.fluent_count, images)
        self.scratch = vectors(12 * self.words)
        self.context = np.zeros(Look.SIZE, dtype=np.int64)
        self.stages = stages  # which hold the numbers that the context points to
        for number, stage in enumerate(stages):
            self.context[Look.MOVES + 2 * number] = stage.address
            self.context[Look.MOVES + 2 * number + 1] = stage.numbers.ctypes.data
        for column, value in (
            (Look.MEMORY, self.memory.ctypes.data),
            (Look.HAS_KEPT, len(machine.program.view.kept)),
            (Look.TABLE, machine.table.ctypes.data),
            (Look.ROW_WORDS, self.words),
            (Look.REACHED, self.reached.ctypes.data),
            (Look.MISSED, self.missed.ctypes.data),
            (Look.PARTNERS, self.partners.ctypes.data),
            (Look.ORDERS, self.orders.ctypes.data),
            (Look.IMAGES, len(self.orders)),
            (Look.OUT_FACTS, self.facts.ctypes.data),
            (Look.SCRATCH, self.scratch.ctypes.data),
            (Look.ORDER, self.order.ctypes.data),
            (Look.MOST, self.most),
        ):
            self.context[column] = value

    def _orders(self, count: int, images: Sequence[Sequence[int]]) -> npt.NDArray[np.int32]:
        """Write permutations of fluents as what comes to each place, the plain order first."""
        places = 64 * self.words
        orders = np.tile(np.arange(places, dtype=np.int32), (1 + len(images), 1))
        for order, image in zip(orders, [range(count), *images], strict=True):
            order[list(image)] = np.arange(count)
        return orders

    def fetch_from(self, entries: npt.NDArray[np.uint64]) -> None:
        """Say in which table the children will be looked up."""
        self.context[Look.ENTRIES] = entries.ctypes.data
        self.context[Look.BUCKETS] = len(entries) - BUCKET
        self.context[Look.WIDTH] = 8 * entries.shape[1]

    def count_threats(self, edits: npt.NDArray[np.uint64] | None) -> None:
        """Let `look_group` count threats, by what `place_edits` made, or not."""
        self.edits = edits
        self.context[Look.EDITS] = 0 if edits is None else edits.ctypes.data
        self.context[Look.RUNS] = 0 if edits is None else edits.shape[1]

    def threats_at(self, row: npt.NDArray[np.uint64]) -> tuple[list[int], list[int]]:
        """Return the moves that two plies leave open, and the threats after them, as `aim` asks."""
        moves = np.zeros(self.most, dtype=np.int64)
        rows = np.zeros((self.most, self.words), dtype=np.uint64)
        self.context[Look.ORDER] = self.order.ctypes.data
        self.context[[Look.ROW, Look.OUT_ROWS, Look.OUT_MOVES]] = [
            array.ctypes.data for array in (row, rows, moves)
        ]
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.moves_address)(self.context.ctypes.data)
        found = int(self.context[Look.FOUND])
        for group in range(-(-found // WORDS)):
            self.context[Look.GROUP] = group
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.group_address)(self.context.ctypes.data)
        is_open = self.facts[:, Facts.STATUS].ravel()[:found] == 0
        threats = self.facts[:, Facts.THREATS].ravel()[:found]
        return moves[:found][is_open].tolist(), threats[is_open].tolist()

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


_made: Attached[NativeMachine, tuple[object, list[NativeStage]]] = Attached()


def _stages_of(machine: NativeMachine) -> tuple[object, list[NativeStage]]:
    """Compile the stages of a machine once, or once for each thread that asks at the same time."""
    if (made := _made.get(machine)) is None:
        made = _made[machine] = _stages(machine)
    return made


def _stages(machine: NativeMachine) -> tuple[object, list[NativeStage]]:
    """Compile the five stages: moves, step, view of the children, step of the replies, ends."""
    program = machine.program
    layout, place = program.layout, machine.placement
    shift, count = layout.next - layout.fluents, layout.fluent_count

    def swapped(slot: int) -> int:
        if 0 <= slot - layout.fluents < count:
            return slot + shift
        return slot - shift if 0 <= slot - layout.next < count else place(slot)

    moves = range(layout.legal[0], layout.terminal)
    ends = range(layout.terminal, layout.next)
    return machine.compile_stages(
        {
            "moves": (program.view.narrowed(moves), place),
            "step": (program.step, place),
            "children": (program.view, swapped),
            "reply_step": (program.step, swapped),
            "ends": (program.view.narrowed(ends, keep=False), place),
        }
    )


class _Writer(Kernel):
    """Writes one function of a context.

    `look_moves` lists the moves of a state, in an order that is given for each role. `look_group`
    makes eight of them, and the replies. `look_ahead` does all of this.
    """

    def __init__(self, module: ir.Module, name: str) -> None:
        super().__init__(module)
        b, (context,) = self.function(name, POINTER)
        self.b, self.context = b, context
        self.memory = self.pointer(Look.MEMORY)
        self.table = self.pointer(Look.TABLE)
        self.words = self.word(Look.ROW_WORDS)
        self.fluents = self.number(b, self.table, GameTable.FLUENTS)
        self.fluent_count = self.number(b, self.table, GameTable.FLUENT_COUNT)
        self.after = self.number(b, self.table, GameTable.NEXT)
        self.terminal = self.number(b, self.table, GameTable.TERMINAL)
        self.roles = self.number(b, self.table, GameTable.ROLES)
        self.is_group = name == "look_group"
        if self.is_group:
            self.make_group(self.word(Look.GROUP))
        else:
            self.list_moves()
        if name == "look_ahead":
            self.make_groups()
        b.ret_void()

    def pointer(self, column: int) -> ir.Value:
        return self.b.get(self.context, column, POINTER)

    def word(self, column: int) -> ir.Value:
        return self.b.get(self.context, column, WORD)

    def list_moves(self) -> None:
        """Write the moves of whoever chooses, and the one of the other role."""
        b = self.b
        self.load()
        self.run(Look.MOVES)
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
        _, _, legal, count = self.role_row(b, self.table, mover)
        moves, order = self.pointer(Look.OUT_MOVES), self.pointer(Look.ORDER)
        first = b.mul(mover, self.word(Look.MOST))
        found = b.variable(b.word(0))
        with b.loop(count) as place:
            move = b.get(order, b.add(first, place), WORD)
            with b.if_then(self.is_legal(legal, move)):
                b.put(move, moves, b.read(found), WORD)
                b.store(b.add(b.read(found), b.word(1)), found)
        waiting = b.variable(b.word(0))
        with b.if_then(b.icmp_unsigned("==", self.roles, b.word(2))):
            _, does, legal, count = self.role_row(b, self.table, b.sub(b.word(1), mover))
            with b.loop(count) as move, b.if_then(self.is_legal(legal, move)):
                b.store(b.add(does, move), waiting)
        b.put(b.read(found), self.context, Look.FOUND, WORD)
        b.put(b.read(waiting), self.context, Look.WAITING, WORD)

    def make_groups(self) -> None:
        """Make all moves, eight at a time."""
        b = self.b
        groups = b.lshr(b.add(self.word(Look.FOUND), b.word(WORDS - 1)), b.word(3))
        with b.loop(groups) as group:
            self.make_group(group)

    def make_group(self, group: ir.Value) -> None:
        """Make eight moves of the state, and the replies to them.

        The first eight follow on the list of moves, which has left the state in all lanes.
        """
        b = self.b
        with b.if_then(b.icmp_unsigned("!=", group, b.word(0))):
            self.load()
            with b.if_then(b.icmp_unsigned("!=", self.word(Look.HAS_KEPT), b.word(0))):
                self.run(Look.MOVES)
        moves = self.pointer(Look.OUT_MOVES)
        self.children(
            group, self.word(Look.FOUND), self.word(Look.MOVER), self.word(Look.WAITING), moves
        )
        if self.is_group:
            self.threats(group)
        self.replies(group)

    def is_legal(self, legal: ir.Value, move: ir.Value) -> ir.Value:
        """Return whether a move may be made in the first lane."""
        b = self.b
        here = b.get(self.memory, b.mul(b.add(legal, move), b.word(WORDS)), WORD)
        return b.icmp_unsigned("!=", b.and_(here, b.word(1)), b.word(0))

    def run(self, stage: int) -> None:
        call_stage(self.b, self.pointer(stage), self.memory, self.pointer(stage + 1))

    def load(self) -> None:
        """Put the state into all lanes, eight fluents at a time."""
        b = self.b
        row = self.pointer(Look.ROW)
        bits = b.at(self.pointer(Look.SCRATCH), b.mul(self.words, b.word(4)))
        up = ir.Constant(VECTOR, [63 - number for number in range(WORDS)])
        groups = b.lshr(b.add(self.fluent_count, b.word(WORDS - 1)), b.word(3))
        with b.loop(groups) as group:
            word = b.get(row, b.lshr(group, b.word(3)), WORD)
            byte = b.lshr(word, b.mul(b.and_(group, b.word(7)), b.word(8)))
            b.put(b.ashr(b.shl(spread(b, byte), up), b.splat(63)), bits, group)
        with b.loop(self.fluent_count) as fluent:
            holds = spread(b, b.get(bits, fluent, WORD))
            b.put(holds, self.memory, b.add(self.fluents, fluent))

    def threats(self, group: ir.Value) -> None:
        """Count, for each child, the places where the mover would win if it moved once more.

        The children are the same in all lanes of a word, so each place gets a lane of its own.
        """
        b = self.b
        mover, runs = self.word(Look.MOVER), self.word(Look.RUNS)
        is_first = b.icmp_unsigned("==", mover, b.word(0))
        each = b.mul(self.fluent_count, b.word(EDITS))
        total = b.variable(b.splat(0))
        with b.loop(runs) as run:
            start = b.mul(b.add(b.mul(mover, runs), run), each)
            edits = b.at(self.pointer(Look.EDITS), start, WORD)
            excluded = b.variable(b.splat(0))
            with b.loop(self.fluent_count) as fluent:
                row = b.at(edits, b.mul(fluent, b.word(EDITS)), WORD)
                adds, removes, excludes = (spread(b, b.get(row, i, WORD)) for i in range(EDITS))
                before = b.get(self.memory, b.add(self.after, fluent))
                after = b.and_not(b.or_(before, adds), removes)
                b.put(after, self.memory, b.add(self.fluents, fluent))
                b.store(b.or_(b.read(excluded), b.and_(before, excludes)), excluded)
            self.run(Look.ENDS)
            wins = b.select(is_first, self.goals(Look.REACHED), self.goals(Look.MISSED))
            wins = b.and_not(b.and_(wins, b.get(self.memory, self.terminal)), b.read(excluded))
            count = b.intrinsic("llvm.ctpop.v8i64", VECTOR, [wins])
            b.store(b.add(b.read(total), count), total)
        facts = b.at(self.pointer(Look.OUT_FACTS), b.mul(group, b.word(FACTS)))
        b.put(b.read(total), facts, Facts.THREATS)

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
        self, group: ir.Value, total: ir.Value, mover: ir.Value, waiting: ir.Value, moves: ir.Value
    ) -> None:
        """Make the moves of a group, one a word, and write the rows of the states after them.

        `waiting` is the slot of the one move that the other role has, or the one that is zero.
        """
        b = self.b
        with b.loop(self.roles) as role:
            _, made, _, count = self.role_row(b, self.table, role)
            with b.loop(count) as move:
                b.put(b.splat(0), self.memory, b.add(made, move))
        with b.if_then(b.icmp_unsigned("!=", waiting, b.word(0))):
            b.put(b.splat(-1), self.memory, waiting)
        _, does, _, _ = self.role_row(b, self.table, mover)
        start = b.mul(group, b.word(WORDS))
        for word in range(WORDS):
            child = b.add(start, b.word(word))
            is_used = b.icmp_unsigned("<", child, total)
            move = b.get(moves, b.select(is_used, child, start), WORD)
            place = b.add(b.mul(b.add(does, move), b.word(WORDS)), b.word(word))
            b.put(b.word(-1), self.memory, place, WORD)
        self.run(Look.STEP)
        self.write_rows(group, start, total)

    def write_rows(self, group: ir.Value, start: ir.Value, total: ir.Value) -> None:
        """Write the states after the moves, each as the smallest of its images, and their hashes.

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
        self.turn_over(bytes_, best)
        images = b.sub(self.word(Look.IMAGES), b.word(1))
        with b.loop(images) as image:
            at = b.mul(b.add(image, b.word(1)), b.mul(self.words, b.word(64)))
            with b.loop(self.words) as part, b.loop(64) as bit:
                place = b.add(b.mul(part, b.word(64)), bit)
                fluent = b.zext(b.get(orders, b.add(at, place), INT), WORD)
                b.put(b.get(bytes_, fluent, BYTE), ordered, place, BYTE)
            self.turn_over(ordered, other)
            self.keep_smaller(best, other)
        rows = self.pointer(Look.OUT_ROWS)
        left = b.sub(total, start)
        used = b.select(b.icmp_unsigned("<", left, b.word(WORDS)), left, b.word(WORDS))
        with b.loop(used) as word, b.loop(self.words) as part:
            value = b.get(best, b.add(b.mul(part, b.word(WORDS)), word), WORD)
            b.put(value, rows, b.add(b.mul(b.add(start, word), self.words), part), WORD)
        mixed = b.variable(b.splat(FIRST_MIX))
        with b.loop(self.words) as part:
            more = b.mul(b.xor(b.read(mixed), b.get(best, part)), b.splat(WORD_MIX))
            b.store(b.xor(more, b.lshr(more, b.splat(32))), mixed)
        last = b.mul(b.read(mixed), b.splat(LAST_MIX))
        facts = b.at(self.pointer(Look.OUT_FACTS), b.mul(group, b.word(FACTS)))
        hashes = b.xor(last, b.lshr(last, b.splat(29)))
        b.put(hashes, facts, Facts.HASH)
        self.fetch_entries(hashes)

    def fetch_entries(self, hashes: ir.Value) -> None:
        """Let the processor fetch what a table has of the children while their replies are made."""
        b = self.b
        entries, width = self.pointer(Look.ENTRIES), self.word(Look.WIDTH)
        buckets = b.and_(hashes, spread(b, self.word(Look.BUCKETS)))
        last = b.sub(b.mul(width, b.word(BUCKET)), b.word(1))
        hint = [ir.Constant(INT, number) for number in (0, 3, 1)]
        for word in range(WORDS):
            bucket = b.mul(b.extract_element(buckets, ir.Constant(INT, word)), width)
            for place in (bucket, b.add(bucket, last)):
                b.intrinsic("llvm.prefetch.p0", VOID, [b.at(entries, place, BYTE), *hint])

    def turn_over(self, bytes_: ir.Value, rows: ir.Value) -> None:
        """Make rows of bytes that have a bit for each child."""
        b = self.b
        with b.loop(self.words) as part:
            taken = b.get(bytes_, part, BYTES)
            made: ir.Value = ir.Constant(VECTOR, [0] * WORDS)
            for word in range(WORDS):
                mask = ir.Constant(BYTES, [1 << word] * 64)
                bits = b.icmp_unsigned("==", b.and_(taken, mask), mask)
                made = b.insert_element(made, b.bitcast(bits, WORD), ir.Constant(INT, word))
            b.put(made, rows, part)

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
        self.run(Look.CHILDREN)
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
        self.run(Look.REPLY_STEP)
        self.run(Look.ENDS)
        for column, value in (
            (Facts.REPLY_ENDED, b.get(self.memory, self.terminal)),
            (Facts.REPLY_REACHED, self.goals(Look.REACHED)),
            (Facts.REPLY_MISSED, self.goals(Look.MISSED)),
            (Facts.REPLY_ODD, self.odd()),
        ):
            b.put(value, facts, column)
        self.decide(facts)

    def decide(self, facts: ir.Value) -> None:
        """Write the status of each child, and how many replies do not lose at once."""
        b = self.b

        def fact(column: int) -> ir.Value:
            return b.get(facts, column)

        def holds(column: int) -> ir.Value:
            """Return in which words a fact holds that is the same in all lanes."""
            return b.icmp_signed("<", fact(column), b.splat(0))

        def is_any(lanes: ir.Value) -> ir.Value:
            return b.icmp_unsigned("!=", lanes, b.splat(0))

        def pick(mask: ir.Value, yes: ir.Value | int, no: ir.Value | int) -> ir.Value:
            parts = [b.splat(part) if isinstance(part, int) else part for part in (yes, no)]
            return b.select(mask, *parts)

        replies = fact(Facts.REPLIES)
        is_many = b.icmp_unsigned(">", replies, b.splat(63))
        few = b.sub(b.shl(b.splat(1), b.and_(replies, b.splat(63))), b.splat(1))
        ended = b.and_(fact(Facts.REPLY_ENDED), pick(is_many, -1, few))
        reached = b.and_(fact(Facts.REPLY_REACHED), ended)
        missed = b.and_(fact(Facts.REPLY_MISSED), ended)
        is_second = is_any(fact(Facts.SECOND))
        wins = b.select(is_second, missed, reached)
        losses = b.select(is_second, reached, missed)
        left = b.sub(replies, b.intrinsic("llvm.ctpop.v8i64", VECTOR, [losses]))
        win = pick(is_second, IS_MISSED, IS_REACHED)
        loss = pick(is_second, IS_REACHED, IS_MISSED)
        status = pick(b.icmp_unsigned("==", left, b.splat(0)), loss, 0)
        status = pick(is_any(wins), win, status)
        status = pick(is_any(b.and_(fact(Facts.REPLY_ODD), ended)), NOT_OPPOSED, status)
        unclear = b.or_(b.and_(reached, missed), b.xor(b.or_(reached, missed), ended))
        status = pick(is_any(unclear), NO_GOAL, status)
        status = pick(is_any(fact(Facts.SEVERAL)), BOTH_CHOOSE, status)
        status = pick(is_any(fact(Facts.STUCK)), STUCK_STATE, status)
        over = pick(holds(Facts.REACHED), IS_REACHED, IS_MISSED)
        over = pick(holds(Facts.ODD), NOT_OPPOSED, over)
        same = b.icmp_signed(">=", b.xor(fact(Facts.REACHED), fact(Facts.MISSED)), b.splat(0))
        over = pick(same, NO_GOAL, over)
        b.put(pick(holds(Facts.ENDED), over, status), facts, Facts.STATUS)
        b.put(left, facts, Facts.LEFT)
