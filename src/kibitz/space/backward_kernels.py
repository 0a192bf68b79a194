"""Native backward sweeps over state spaces, for two roles with opposite goals or one role."""

from __future__ import annotations

from llvmlite import ir

from kibitz.engine.compiled.kernels.base import INT, VOID
from kibitz.engine.compiled.llvm import POINTER, WORD, Emitter

__all__ = ["Sweep", "add_sweeps"]

BYTE = ir.IntType(8)
HALF = ir.IntType(16)
_AHEAD = 48
_NEVER = 0xFFFF


class Sweep:
    """Columns of the context of the sweeps."""

    (FIRST_EDGE, TARGETS, TURN, VALUE, DISTANCE, MIDDLE) = range(6)
    SIZE = 6


def add_sweeps(module: ir.Module) -> None:
    """Add layered(context, first, last): value states last - 1 down to first.

    Every edge leads to a state with a value. VALUE is the first role's goal, DISTANCE the
    plies to the end. Terminal states have their values; TURN is 0 where the first role moves
    and 1 elsewhere. A role ahead of the middle prefers short play, and a role behind it long
    play; neither shortens a draw. A play that is stuck never ends, nor does one that leads there.
    """
    kind = ir.FunctionType(VOID, [POINTER, WORD, WORD])
    function = ir.Function(module, kind, "layered")
    b = Emitter(function.append_basic_block())
    context, first, last = function.args
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
                _fetch_ahead(b, targets, at, value, distance)
                target = b.zext(b.get(targets, at, INT), WORD)
                here = b.zext(b.get(value, target, BYTE), WORD)
                plies = b.zext(b.get(distance, target, HALF), WORD)
                # A number that orders results by the mover's preference: value, then time.
                ahead = b.select(
                    is_second,
                    b.icmp_unsigned("<", here, middle),
                    b.icmp_unsigned(">", here, middle),
                )
                liked = b.select(is_second, b.sub(b.word(255), here), here)
                time = b.select(ahead, b.sub(b.word(_NEVER), plies), plies)
                key = b.or_(b.shl(liked, b.word(16)), time)
                better = b.icmp_signed(">", key, b.read(best))
                with b.if_then(better):
                    b.store(key, best)
                    b.store(here, best_value)
                    never = b.icmp_unsigned("==", plies, b.word(_NEVER))
                    b.store(b.select(never, plies, b.add(plies, b.word(1))), best_distance)
                b.store(b.add(at, b.word(1)), edge)
            b.put(b.trunc(b.read(best_value), BYTE), value, state, BYTE)
            b.put(b.trunc(b.read(best_distance), HALF), distance, state, HALF)
    b.ret_void()


def _fetch_ahead(
    b: Emitter, targets: ir.Value, edge: ir.Value, value: ir.Value, distance: ir.Value
) -> None:
    """Prefetch the target of an edge that is used later; states come in descending order."""
    is_far = b.icmp_unsigned(">=", edge, b.word(_AHEAD))
    later = b.select(is_far, b.sub(edge, b.word(_AHEAD)), edge)
    target = b.zext(b.get(targets, later, INT), WORD)
    numbers = [ir.Constant(INT, n) for n in (0, 3, 1)]
    for array, kind in ((value, BYTE), (distance, HALF)):
        b.intrinsic("llvm.prefetch.p0", VOID, [b.at(array, target, kind), *numbers])
