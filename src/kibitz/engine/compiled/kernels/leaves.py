"""Look at the leaves of a game tree, a state in each lane: its replies, and one random match.

Rows come in as in `expand`. `look_replies` says of each state whether it is an end, who has a
choice, and what the ends one move later are; no successor is written. `play_matches` plays one
random match from each state, and says with which goals it ended and which moves were made in it;
its first moves can be those that masks allow.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from llvmlite import ir

from kibitz.engine.compiled.kernels.base import INT, GameTable, call_stage
from kibitz.engine.compiled.kernels.choice import RandomChoice
from kibitz.engine.compiled.kernels.expand import Expansion, RowKernel
from kibitz.engine.compiled.kernels.matches import fill_masks
from kibitz.engine.compiled.kernels.playouts import make_moves
from kibitz.engine.compiled.llvm import BIT, POINTER, WORD, WORDS, Emitter
from kibitz.engine.compiled.program import GROUP

__all__ = ["Leaves", "add_leaves"]


class Leaves(Expansion):
    """Columns of the context of both functions; those of Expansion mean the same here.

    REPLY_MEMORY is memory of a second block. PARTNERS names, for each goal slot, the slot that goes
    with it where goals are opposed, or -1. REMAINING and USED have room for all moves of all roles.
    GUIDED is for how many moves a match follows the masks, PLAY_TABLE a table with masks in the
    place of legal moves, and MASKS how many rows for masks follow, as in `matches`. Replies are
    made in the first LOOKED_AT states only. If WEIGHTS is not 0, it has one float for each fluent,
    and EXTREMES room for two floats a lane.
    """

    REPLY_MEMORY, COUNT, PARTNERS, OUT, RANDOM, USED, MOST, MADE = range(19, 27)
    GUIDED, PLAY_TABLE, MASKS, LOOKED_AT, WEIGHTS, EXTREMES = range(27, 33)
    SIZE = 33


_FLOAT = ir.FloatType()
_FLOATS = ir.VectorType(_FLOAT, 64)
"""A float for each lane of a word."""
_MANY = 1e30


def add_leaves(choice: RandomChoice) -> None:
    """Add look_replies(context) and play_matches(context).

    `look_replies` writes vectors to OUT: the end; each goal slot; where each of the two roles has a
    choice; stuck; where both have a choice; where all replies end; where an end, here or one move
    later, has no goal together with its partner; and for each goal slot where a reply ends with it.
    With WEIGHTS, EXTREMES begins with the lowest and the highest sum of the weights of the fluents
    that hold after a reply that is no end.
    `play_matches` writes: ended, stuck, a choice of several roles seen, and each goal slot of the
    end; MADE is increased by the number of moves. USED gets for each move the lanes that made it.
    Where masks are followed, lanes in which the first role has no choice wait for a round: then
    roles that take turns have it in all lanes at once, and only one mask is filled in.
    """
    _Leaves(choice)


class _Leaves(RowKernel):
    def __init__(self, choice: RandomChoice) -> None:
        super().__init__(choice)
        self.weigh = self._weigh()
        self._look()
        self._play()

    def begin(self, name: str) -> tuple[Emitter, ir.Value]:
        b, (context,) = self.function(name, POINTER)
        self.memory = self.field(b, context, Expansion.MEMORY)
        self.table = self.field(b, context, Expansion.TABLE)
        self.out = self.field(b, context, Leaves.OUT)
        self.fluents = self.number(b, self.table, GameTable.FLUENTS)
        self.fluent_count = self.number(b, self.table, GameTable.FLUENT_COUNT)
        self.after = self.number(b, self.table, GameTable.NEXT)
        self.terminal = self.number(b, self.table, GameTable.TERMINAL)
        self.goals = self.number(b, self.table, GameTable.GOALS)
        self.goal_count = self.number(b, self.table, GameTable.GOAL_COUNT)
        self.roles = self.number(b, self.table, GameTable.ROLES)
        self.count = self.number_in(b, context, Leaves.COUNT)
        self.load_rows(b, context, b.word(0), self.count)
        return b, context

    def run(self, b: Emitter, context: ir.Value, stage: int, code: int, memory: ir.Value) -> None:
        call_stage(b, self.field(b, context, stage), memory, self.field(b, context, code))

    def odd(self, b: Emitter, context: ir.Value, memory: ir.Value) -> ir.Value:
        """Return the lanes in which no goal holds together with its partner."""
        partners = self.field(b, context, Leaves.PARTNERS)
        paired = b.variable(b.splat(0))
        with b.loop(self.goal_count) as goal:
            partner = b.get(partners, goal, WORD)
            with b.if_then(b.icmp_signed(">=", partner, b.word(0))):
                here = b.get(memory, b.add(self.goals, goal))
                there = b.get(memory, b.add(self.goals, partner))
                b.store(b.or_(b.read(paired), b.and_(here, there)), paired)
        return b.not_(b.read(paired))

    @contextlib.contextmanager
    def replies(
        self, b: Emitter, context: ir.Value, mask: ir.Value
    ) -> Iterator[tuple[ir.Value, ir.Value]]:
        """Repeat the body for each move of those who have a choice, in the lanes of a mask.

        The body gets the lanes that made a move, and the memory in which the states after it are
        viewed. The block was viewed, and its moves counted.
        """
        memory, width = self.memory, b.word(self.bits + 1)
        scratch = self.field(b, context, Expansion.SCRATCH)
        remaining = self.field(b, context, Expansion.REMAINING)
        other = self.field(b, context, Leaves.REPLY_MEMORY)
        first = self.role_row(b, self.table, b.word(0))[1]
        with b.loop(self.roles) as role:
            groups, does, legal, _ = self.role_row(b, self.table, role)
            left = b.at(remaining, b.sub(does, first))
            with b.loop(b.mul(groups, b.word(GROUP))) as i:
                b.put(b.and_(b.get(memory, b.add(legal, i)), mask), left, i)
        with b.while_() as go_on_if:
            going = b.variable(b.splat(0))
            with b.loop(self.roles) as role:
                groups, does, legal, _ = self.role_row(b, self.table, role)
                left = b.at(remaining, b.sub(does, first))
                chooses = b.get(scratch, b.add(b.mul(role, width), b.word(self.bits)))
                seen = b.variable(b.splat(0))
                with b.loop(b.mul(groups, b.word(GROUP))) as i:
                    here = b.get(left, i)
                    pick = b.and_not(here, b.read(seen))
                    b.store(b.or_(b.read(seen), here), seen)
                    # who has no choice makes the same move each time
                    b.put(b.xor(here, b.and_(pick, chooses)), left, i)
                    b.put(pick, memory, b.add(does, i))
                b.store(b.or_(b.read(going), b.and_(b.read(seen), chooses)), going)
            now = b.read(going)
            go_on_if(b.is_any(now))
            self.run(b, context, Expansion.STEP, Expansion.STEP_CODE, memory)
            with b.loop(self.fluent_count) as fluent:
                value = b.get(memory, b.add(self.after, fluent))
                b.put(value, other, b.add(self.fluents, fluent))
            self.run(b, context, Expansion.VIEW, Expansion.VIEW_CODE, other)
            yield now, other

    def _weigh(self) -> ir.Function:
        """weigh(slots, weights, count, mask, extremes): weigh a block, note extremes in a mask."""
        b, (slots, weights, count, mask, extremes) = self.function(
            "weigh", POINTER, POINTER, WORD, POINTER, POINTER
        )
        nothing = ir.Constant(_FLOATS, [0.0] * 64)
        lanes = ir.VectorType(BIT, 64)
        with b.loop(WORDS) as w:
            total = b.variable(nothing)
            with b.loop(count) as fluent:
                place = b.add(b.mul(fluent, b.word(WORDS)), w)
                holds = b.bitcast(b.get(slots, place, WORD), lanes)
                weight = b.get(weights, fluent, _FLOAT)
                added = b.select(holds, _spread_float(b, weight), nothing)
                b.store(b.fadd(b.read(total), added), total)
            counts = b.bitcast(b.get(mask, w, WORD), lanes)
            for number, order in enumerate("<>"):
                place = b.add(w, b.word(number * WORDS))
                old = b.get(extremes, place, _FLOATS)
                beats = b.and_(counts, b.fcmp_ordered(order, b.read(total), old))
                b.put(b.select(beats, b.read(total), old), extremes, place, _FLOATS)
        b.ret_void()
        return b.function

    def _look(self) -> None:
        b, context = self.begin("look_replies")
        memory, out, width = self.memory, self.out, b.word(self.bits + 1)
        scratch = self.field(b, context, Expansion.SCRATCH)
        self.run(b, context, Expansion.VIEW, Expansion.VIEW_CODE, memory)
        ended = b.get(memory, self.terminal)
        b.put(ended, out, 0)
        with b.loop(self.goal_count) as i:
            b.put(b.get(memory, b.add(self.goals, i)), out, b.add(i, b.word(1)))
        stuck, clash = self.choice.count_all(b, memory, self.table, scratch)
        behind = b.add(self.goal_count, b.word(1))
        with b.loop(self.roles) as role:
            chooses = b.get(scratch, b.add(b.mul(role, width), b.word(self.bits)))
            b.put(chooses, out, b.add(behind, role))
        behind = b.add(behind, self.roles)
        b.put(stuck, out, behind)
        b.put(clash, out, b.add(behind, b.word(1)))
        odd = b.variable(b.and_(ended, self.odd(b, context, memory)))
        all_end = b.variable(b.splat(-1))
        replied = b.add(behind, b.word(4))
        with b.loop(self.goal_count) as i:
            b.put(b.splat(0), out, b.add(replied, i))
        weights, extremes = (
            self.field(b, context, column) for column in (Leaves.WEIGHTS, Leaves.EXTREMES)
        )
        is_weighed = b.icmp_unsigned("!=", self.number_in(b, context, Leaves.WEIGHTS), b.word(0))
        weighed = b.variable(b.splat(0))
        with b.if_then(is_weighed), b.loop(WORDS) as w:
            for number, bound in enumerate((_MANY, -_MANY)):
                place = b.add(w, b.word(number * WORDS))
                b.put(ir.Constant(_FLOATS, [bound] * 64), extremes, place, _FLOATS)
        mask = self.first_lanes(b, self.number_in(b, context, Leaves.LOOKED_AT))
        mask = b.and_not(mask, b.or_(b.or_(ended, stuck), clash))
        with self.replies(b, context, mask) as (now, other):
            ends = b.and_(b.get(other, self.terminal), now)
            goes_on = b.and_not(now, ends)
            b.store(b.and_not(b.read(all_end), goes_on), all_end)
            with b.if_then(is_weighed):
                b.store(goes_on, weighed)
                slots = b.at(other, self.fluents)
                b.call(self.weigh, [slots, weights, self.fluent_count, weighed, extremes])
            with b.if_then(b.is_any(ends)):
                b.store(b.or_(b.read(odd), b.and_(ends, self.odd(b, context, other))), odd)
                with b.loop(self.goal_count) as i:
                    here = b.and_(ends, b.get(other, b.add(self.goals, i)))
                    place = b.add(replied, i)
                    b.put(b.or_(b.get(out, place), here), out, place)
        b.put(b.read(all_end), out, b.add(behind, b.word(2)))
        b.put(b.read(odd), out, b.add(behind, b.word(3)))
        b.ret_void()

    def _play(self) -> None:
        b, context = self.begin("play_matches")
        memory, out = self.memory, self.out
        step, step_code, masked = (
            self.field(b, context, column)
            for column in (Expansion.STEP, Expansion.STEP_CODE, Leaves.PLAY_TABLE)
        )
        guided = self.number_in(b, context, Leaves.GUIDED)
        random = self.field(b, context, Leaves.RANDOM)
        scratch = self.field(b, context, Expansion.SCRATCH)
        used = self.field(b, context, Leaves.USED)
        most = self.number_in(b, context, Leaves.MOST)
        first = self.role_row(b, self.table, b.word(0))[1]
        with b.loop(b.add(self.goal_count, b.word(3))) as i:
            b.put(b.splat(0), out, i)
        with b.loop(self.roles) as role:
            groups, does, _, _ = self.role_row(b, self.table, role)
            with b.loop(b.mul(groups, b.word(GROUP))) as i:
                b.put(b.splat(0), used, b.add(b.sub(does, first), i))
                b.put(b.splat(0), memory, b.add(does, i))
        live = b.variable(self.first_lanes(b, self.count))
        round_ = b.variable(b.word(0))

        def mark(index: ir.Value | int, lanes: ir.Value) -> None:
            b.put(b.or_(b.get(out, index), lanes), out, index)

        with b.while_() as go_on_if:
            is_left = b.icmp_unsigned("<", b.read(round_), most)
            go_on_if(b.and_(is_left, b.is_any(b.read(live))))
            self.run(b, context, Expansion.VIEW, Expansion.VIEW_CODE, memory)
            is_guided = b.icmp_unsigned("<", b.read(round_), guided)
            held = b.variable(b.splat(0))
            with b.if_then(is_guided):
                with b.if_then(b.icmp_unsigned("==", b.read(round_), b.word(0))):
                    b.store(b.not_(self._first_role_chooses(b)), held)
                ended = b.get(memory, self.terminal)
                resting = b.or_(b.or_(ended, b.read(held)), b.not_(b.read(live)))
                fill_masks(b, context, (Leaves.MASKS, Leaves.SIZE), memory, resting)
            table = b.select(is_guided, masked, self.table)
            made = make_moves(b, self.choice, [memory, step, step_code, table], random, scratch)
            stays = b.or_(made.stays, b.read(held))
            over = b.and_(made.over, b.read(live))
            ended = b.and_(made.ended, over)
            with b.if_then(b.is_any(over)):
                mark(0, ended)
                mark(1, b.and_not(over, ended))
                with b.loop(self.goal_count) as i:
                    goal = b.get(memory, b.add(self.goals, i))
                    mark(b.add(i, b.word(3)), b.and_(ended, goal))
            mark(2, b.and_(made.clash, b.and_not(b.read(live), over)))
            b.store(b.and_not(b.read(live), over), live)
            moving = b.and_not(b.read(live), stays)
            self.bump(b, context, Leaves.MADE, b.popcount(moving))
            with b.loop(self.roles) as role:
                groups, does, _, _ = self.role_row(b, self.table, role)
                with b.loop(b.mul(groups, b.word(GROUP))) as i:
                    place = b.add(b.sub(does, first), i)
                    here = b.and_(b.get(memory, b.add(does, i)), moving)
                    b.put(b.or_(b.get(used, place), here), used, place)
            with b.loop(self.fluent_count) as f:
                slot = b.add(self.fluents, f)
                new = b.get(memory, b.add(self.after, f))
                b.put(b.choose(stays, b.get(memory, slot), new), memory, slot)
            b.store(b.add(b.read(round_), b.word(1)), round_)
        b.ret_void()

    def _first_role_chooses(self, b: Emitter) -> ir.Value:
        """Return the lanes in which the first role has several legal moves."""
        _, _, legal, count = self.role_row(b, self.table, b.word(0))
        one, several = b.variable(b.splat(0)), b.variable(b.splat(0))
        with b.loop(count) as i:
            here = b.get(self.memory, b.add(legal, i))
            b.store(b.or_(b.read(several), b.and_(b.read(one), here)), several)
            b.store(b.or_(b.read(one), here), one)
        return b.read(several)


def _spread_float(b: Emitter, value: ir.Value) -> ir.Value:
    """Put a float into every place of a vector."""
    empty = ir.Constant(_FLOATS, ir.Undefined)
    one = b.insert_element(empty, value, ir.Constant(INT, 0))
    return b.shuffle_vector(one, empty, ir.Constant(ir.VectorType(INT, 64), [0] * 64))
