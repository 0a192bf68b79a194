"""Play one match in every lane of a block, by masks of moves, until all have ended.

A mask is an area like that of the legal moves of a role, and is filled in after the game's *view*:
by programs of gates here, or by whoever calls `view_all` and `advance` in turn. Every round takes
its random numbers from a seed and the number of the round, so that matches that went the same way
go on in the same way, whatever happens in other lanes.
"""

from __future__ import annotations

from llvmlite import ir

from kibitz.engine.compiled.kernels.base import GameTable, call_at, call_stage, spread
from kibitz.engine.compiled.kernels.choice import RandomChoice
from kibitz.engine.compiled.kernels.playouts import make_moves
from kibitz.engine.compiled.llvm import POINTER, WORD, Emitter

__all__ = ["MASK_ROW", "MatchColumns", "add_matches", "fill_masks"]


class MatchColumns:
    """Columns of what the functions here are given; rows for masks follow.

    The table is that of the game, with masks in the place of legal moves.
    """

    (MEMORY, VIEW, VIEW_CODE, STEP, STEP_CODE, TABLE, SEED, RANDOM, SCRATCH) = range(9)
    (OVER, ROUND, MOVES, MASKS) = range(9, 13)
    SIZE = 13


MASK_ROW = 5
"""Columns for each mask: function and code of its program, if any; the first slot of what is
legal, the first of the mask, and how many slots each has.
"""


def add_matches(choice: RandomChoice) -> None:
    """Add view_all(context), advance(context) and matches(context, rounds)."""
    _add_view_all(choice)
    _add_advance(choice)
    b, (context, rounds) = choice.function("matches", POINTER, WORD)
    left = b.variable(rounds)
    with b.while_() as go_on_if:
        b.call(choice.module.get_global("view_all"), [context])
        over = b.get(b.get(context, MatchColumns.OVER, POINTER))
        is_left = b.icmp_unsigned("!=", b.read(left), b.word(0))
        go_on_if(b.and_(is_left, b.is_any(b.not_(over))))
        b.call(choice.module.get_global("advance"), [context])
        b.store(b.sub(b.read(left), b.word(1)), left)
    b.ret_void()


def _add_view_all(choice: RandomChoice) -> None:
    """Add view_all(context): view the block, fill in masks by programs, and see what is over.

    Where no lane leaves a role a choice, its mask is what is legal.
    """
    b, (context,) = choice.function("view_all", POINTER)
    memory = b.get(context, MatchColumns.MEMORY, POINTER)
    call_stage(
        b,
        b.get(context, MatchColumns.VIEW, POINTER),
        memory,
        b.get(context, MatchColumns.VIEW_CODE, POINTER),
    )
    table = b.get(context, MatchColumns.TABLE, POINTER)
    ended = b.get(memory, choice.number(b, table, GameTable.TERMINAL))
    fill_masks(b, context, (MatchColumns.MASKS, MatchColumns.SIZE), memory, ended)
    over = b.variable(ended)
    with b.loop(choice.number(b, table, GameTable.ROLES)) as role:
        _, _, legal, count = choice.role_row(b, table, role)
        some = b.variable(b.splat(0))
        with b.loop(count) as i:
            b.store(b.or_(b.read(some), b.get(memory, b.add(legal, i))), some)
        b.store(b.or_(b.read(over), b.not_(b.read(some))), over)
    b.put(b.read(over), b.get(context, MatchColumns.OVER, POINTER))
    b.ret_void()


def fill_masks(
    b: Emitter, context: ir.Value, columns: tuple[int, int], memory: ir.Value, ended: ir.Value
) -> None:
    """Fill in the masks of a block that was viewed, by programs where a lane leaves a choice.

    `columns` are where the context has the number of masks, and where their rows begin.
    """
    with b.loop(b.get(context, columns[0], WORD)) as number:
        row = b.add(b.word(columns[1]), b.mul(number, b.word(MASK_ROW)))
        function, code = (b.get(context, b.add(row, b.word(i)), POINTER) for i in range(2))
        legal, mask, count = (b.get(context, b.add(row, b.word(i)), WORD) for i in range(2, 5))
        one, several = b.variable(b.splat(0)), b.variable(b.splat(0))
        with b.loop(count) as i:
            here = b.get(memory, b.add(legal, i))
            b.store(b.or_(b.read(several), b.and_(b.read(one), here)), several)
            b.store(b.or_(b.read(one), here), one)
            b.put(here, memory, b.add(mask, i))
        is_program = b.icmp_unsigned("!=", b.ptrtoint(function, WORD), b.word(0))
        with b.if_then(b.and_(is_program, b.is_any(b.and_not(b.read(several), ended)))):
            call_at(b, function, [memory, code])


def _add_advance(choice: RandomChoice) -> None:
    """Add advance(context): make a move in every lane that is not over, by the masks."""
    b, (context,) = choice.function("advance", POINTER)
    memory = b.get(context, MatchColumns.MEMORY, POINTER)
    table = b.get(context, MatchColumns.TABLE, POINTER)
    random = b.get(context, MatchColumns.RANDOM, POINTER)
    _seed_round(b, context, random)
    stages = [
        memory,
        b.get(context, MatchColumns.STEP, POINTER),
        b.get(context, MatchColumns.STEP_CODE, POINTER),
        table,
    ]
    scratch = b.get(context, MatchColumns.SCRATCH, POINTER)
    made = make_moves(b, choice, stages, random, scratch)
    stays = b.or_(made.stays, made.over)
    choice.bump(b, context, MatchColumns.MOVES, b.popcount(b.not_(stays)))
    fluents = choice.number(b, table, GameTable.FLUENTS)
    after = choice.number(b, table, GameTable.NEXT)
    with b.loop(choice.number(b, table, GameTable.FLUENT_COUNT)) as f:
        slot = b.add(fluents, f)
        new = b.choose(stays, b.get(memory, slot), b.get(memory, b.add(after, f)))
        b.put(new, memory, slot)
    b.ret_void()


def _seed_round(b: Emitter, context: ir.Value, random: ir.Value) -> None:
    """Set the generators by seed and round, through the finaliser of splitmix64."""
    seed = b.get(context, MatchColumns.SEED, POINTER)
    round_ = b.get(context, MatchColumns.ROUND, WORD)
    offset = b.mul(round_, b.word(-0x61C8864680B583EB))
    for i in range(4):
        x = b.add(b.get(seed, i), spread(b, offset))
        for shift, factor in ((30, -0x40A7B892E31B1A47), (27, -0x6B2FB644ECCEEE15)):
            x = b.mul(b.xor(x, b.lshr(x, b.splat(shift))), b.splat(factor))
        b.put(b.xor(x, b.lshr(x, b.splat(31))), random, i)
    b.put(b.add(round_, b.word(1)), context, MatchColumns.ROUND, WORD)
