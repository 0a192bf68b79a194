"""Go on with random matches in all lanes of a block."""

from __future__ import annotations

from kibitz.engine.kernels.base import Table, call_stage, spread
from kibitz.engine.kernels.choice import Choice
from kibitz.engine.llvm import LANES, POINTER, WORD

__all__ = ["add_playouts"]


def add_playouts(choice: Choice) -> None:
    """Add playouts(memory, view, view_code, step, step_code, table, initial, random, scratch,
    counts, rounds): make a move in all lanes; lanes whose match is over start anew.

    counts: moves made, matches ended, lanes stuck, then for each goal slot the matches that
    ended with it. scratch: as for `count_all`, then a rank for each role, then groups.
    """
    b, args = choice.function("playouts", *[POINTER] * 10, WORD)
    (memory, view, view_code, step, step_code, table, initial, state, scratch, counts) = args[:10]
    width = choice.bits + 1
    roles = choice.number(b, table, Table.ROLES)
    ranks = b.at(scratch, b.mul(b.add(roles, b.word(1)), b.word(width)))
    groups_scratch = b.at(ranks, b.mul(b.add(roles, b.word(1)), b.word(width)))
    joined = b.at(scratch, b.mul(roles, b.word(width)))
    shared = b.at(ranks, b.mul(roles, b.word(width)))
    fluents = choice.number(b, table, Table.FLUENTS)
    after = choice.number(b, table, Table.NEXT)
    with b.loop(args[10]):
        call_stage(b, view, memory, view_code)
        stuck, clash = choice.count_all(b, memory, table, scratch)
        ended = b.get(memory, choice.number(b, table, Table.TERMINAL))
        with b.if_then(b.is_any(b.or_(ended, stuck))):
            choice.bump(b, counts, 1, b.popcount(ended))
            choice.bump(b, counts, 2, b.popcount(b.and_not(stuck, ended)))
            with b.loop(choice.number(b, table, Table.GOAL_COUNT)) as i:
                goal = b.get(memory, b.add(choice.number(b, table, Table.GOALS), i))
                reached = b.popcount(b.and_(ended, goal))
                choice.bump(b, counts, b.add(i, b.word(3)), reached)
        over = b.or_(ended, stuck)
        waiting = b.variable(b.splat(0))
        together = b.is_any(clash)
        with b.if_else(together) as (each, one):
            with each, b.loop(roles) as role:
                most = b.at(scratch, b.mul(role, b.word(width)))
                rank = b.at(ranks, b.mul(role, b.word(width)))
                b.call(choice.draw, [most, state, rank])
                b.store(b.or_(b.read(waiting), b.get(rank, choice.bits)), waiting)
            with one:
                b.call(choice.draw, [joined, state, shared])
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
        stays = b.and_not(b.read(waiting), over)
        moved = b.sub(b.word(LANES), b.popcount(b.or_(stays, over)))
        choice.bump(b, counts, 0, moved)
        with b.loop(choice.number(b, table, Table.FLUENT_COUNT)) as f:
            new = b.get(memory, b.add(after, f))
            start = spread(b, b.get(initial, f, WORD))
            slot = b.add(fluents, f)
            old = b.get(memory, slot)
            new = b.choose(over, start, b.choose(stays, old, new))
            b.put(new, memory, slot)
    b.ret_void()
