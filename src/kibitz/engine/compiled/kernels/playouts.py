"""Continue random matches in all lanes of a block, forever or until all have ended."""

from __future__ import annotations

from typing import NamedTuple

from llvmlite import ir

from kibitz.engine.compiled.kernels.base import GameTable, call_stage, spread
from kibitz.engine.compiled.kernels.choice import RandomChoice
from kibitz.engine.compiled.llvm import LANES, POINTER, WORD, Emitter

__all__ = ["MovesMade", "add_playouts", "add_rollouts", "make_moves"]

_STAGES = 6
"""The arguments that all kernels here begin with: memory, view, its code, step, its code, table."""


def add_playouts(choice: RandomChoice) -> None:
    """Add playouts(memory, view, view_code, step, step_code, table, initial, random, scratch,
    counts, rounds): make a move in all lanes; lanes whose match is over start a new one.

    counts: moves made, matches ended, lanes stuck, then for each goal slot the matches that
    ended with it. scratch: as for `count_all`, then a rank for each role, then groups.
    """
    b, args = choice.function("playouts", *[POINTER] * 10, WORD)
    initial, random, scratch, counts, rounds = args[_STAGES:]
    memory, table = args[0], args[5]
    fluents = choice.number(b, table, GameTable.FLUENTS)
    after = choice.number(b, table, GameTable.NEXT)
    with b.loop(rounds):
        call_stage(b, args[1], memory, args[2])
        made = make_moves(b, choice, [memory, *args[3:_STAGES]], random, scratch)
        with b.if_then(b.is_any(made.over)):
            choice.bump(b, counts, 1, b.popcount(made.ended))
            choice.bump(b, counts, 2, b.popcount(b.and_not(made.over, made.ended)))
            with b.loop(choice.number(b, table, GameTable.GOAL_COUNT)) as i:
                goal = b.get(memory, b.add(choice.number(b, table, GameTable.GOALS), i))
                reached = b.popcount(b.and_(made.ended, goal))
                choice.bump(b, counts, b.add(i, b.word(3)), reached)
        moved = b.sub(b.word(LANES), b.popcount(b.or_(made.stays, made.over)))
        choice.bump(b, counts, 0, moved)
        with b.loop(choice.number(b, table, GameTable.FLUENT_COUNT)) as f:
            new = b.get(memory, b.add(after, f))
            start = spread(b, b.get(initial, f, WORD))
            slot = b.add(fluents, f)
            old = b.get(memory, slot)
            new = b.choose(made.over, start, b.choose(made.stays, old, new))
            b.put(new, memory, slot)
    b.ret_void()


def add_rollouts(choice: RandomChoice) -> None:
    """Add rollouts(memory, view, view_code, step, step_code, table, initial, random, scratch,
    counts, live, rounds, most): play random matches that begin with a state for each word.

    In the first `rounds` rounds a lane whose match is over starts a new one; after them it rests,
    until all rest or `most` rounds have been made. So all matches that were begun are counted, also
    the long ones, and their mean is not biased towards short matches (Wald's identity).
    initial: one vector for each fluent. live: the lanes in use; gets those left unfinished.
    counts: vectors, each word for its own lanes: moves made, matches ended, lanes stuck, and for
    each goal slot the matches that ended with it.
    """
    b, args = choice.function("rollouts", *[POINTER] * 11, WORD, WORD)
    initial, random, scratch, counts, live_out, rounds, most = args[_STAGES:]
    memory, table = args[0], args[5]
    fluents = choice.number(b, table, GameTable.FLUENTS)
    after = choice.number(b, table, GameTable.NEXT)
    live = b.variable(b.get(live_out))
    round_ = b.variable(b.word(0))

    def tally(index: ir.Value | int, lanes: ir.Value) -> None:
        ones = b.intrinsic("llvm.ctpop.v8i64", lanes.type, [lanes])
        b.put(b.add(b.get(counts, index), ones), counts, index)

    with b.while_() as go_on_if:
        is_left = b.icmp_unsigned("<", b.read(round_), most)
        go_on_if(b.and_(is_left, b.is_any(b.read(live))))
        call_stage(b, args[1], memory, args[2])
        made = make_moves(b, choice, [memory, *args[3:_STAGES]], random, scratch)
        over = b.and_(made.over, b.read(live))
        ended = b.and_(made.ended, over)
        with b.if_then(b.is_any(over)):
            tally(1, ended)
            tally(2, b.and_not(over, ended))
            with b.loop(choice.number(b, table, GameTable.GOAL_COUNT)) as i:
                goal = b.get(memory, b.add(choice.number(b, table, GameTable.GOALS), i))
                tally(b.add(i, b.word(3)), b.and_(ended, goal))
        tally(0, b.and_not(b.read(live), b.or_(made.stays, over)))
        begins = b.icmp_unsigned("<", b.read(round_), rounds)
        b.store(b.select(begins, b.read(live), b.and_not(b.read(live), over)), live)
        with b.loop(choice.number(b, table, GameTable.FLUENT_COUNT)) as f:
            new = b.get(memory, b.add(after, f))
            slot = b.add(fluents, f)
            old = b.get(memory, slot)
            new = b.choose(made.over, b.get(initial, f), b.choose(made.stays, old, new))
            b.put(new, memory, slot)
        b.store(b.add(b.read(round_), b.word(1)), round_)
    b.put(b.read(live), live_out)
    b.ret_void()


class MovesMade(NamedTuple):
    """Lanes whose match is over, of these the ones at an end, and lanes still without a draw.

    Last, the lanes in which several roles have a choice.
    """

    over: ir.Value
    ended: ir.Value
    stays: ir.Value
    clash: ir.Value


def make_moves(
    b: Emitter, choice: RandomChoice, stages: list[ir.Value], random: ir.Value, scratch: ir.Value
) -> MovesMade:
    """Draw a move for every role in every lane of a block that was viewed, and step.

    `stages` are memory, step, its code, and table.
    """
    memory, step, step_code, table = stages
    width = choice.bits + 1
    roles = choice.number(b, table, GameTable.ROLES)
    ranks = b.at(scratch, b.mul(b.add(roles, b.word(1)), b.word(width)))
    groups_scratch = b.at(ranks, b.mul(b.add(roles, b.word(1)), b.word(width)))
    joined = b.at(scratch, b.mul(roles, b.word(width)))
    shared = b.at(ranks, b.mul(roles, b.word(width)))
    stuck, clash = choice.count_all(b, memory, table, scratch)
    ended = b.get(memory, choice.number(b, table, GameTable.TERMINAL))
    over = b.or_(ended, stuck)
    waiting = b.variable(b.splat(0))
    together = b.is_any(clash)
    with b.if_else(together) as (each, one):
        with each, b.loop(roles) as role:
            most = b.at(scratch, b.mul(role, b.word(width)))
            rank = b.at(ranks, b.mul(role, b.word(width)))
            b.call(choice.draw, [most, random, rank])
            b.store(b.or_(b.read(waiting), b.get(rank, choice.bits)), waiting)
        with one:
            b.call(choice.draw, [joined, random, shared])
            b.store(b.get(shared, choice.bits), waiting)
    with b.loop(roles) as role:
        rank = b.at(ranks, b.mul(role, b.word(width)))
        with b.if_then(b.not_(together)):
            chooses = b.get(scratch, b.add(b.mul(role, b.word(width)), b.word(choice.bits)))
            for k in range(choice.bits):
                b.put(b.and_(b.get(shared, k), chooses), rank, k)
        groups, does, legal, _ = choice.role_row(b, table, role)
        b.call(choice.select, [memory, legal, does, groups, rank, groups_scratch])
    call_stage(b, step, memory, step_code)
    return MovesMade(over, ended, b.and_not(b.read(waiting), over), clash)
