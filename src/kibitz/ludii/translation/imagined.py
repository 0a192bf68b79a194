"""Moves that are looked at before they are allowed in, the same moves under a condition out.

`(do MOVES ifAfterwards:CONDITION)` keeps the moves after which a condition holds. What each of them
would do to the board is worked out beside the position, for every move that may be made.
"""

from __future__ import annotations

from dataclasses import replace

from kibitz.gdl import Atom, Variable
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation.core import Compiler, Context, World, joined
from kibitz.ludii.translation.effects import emit_effects
from kibitz.ludii.translation.expressions import condition
from kibitz.ludii.translation.moves import MOVES, Move, moves_of
from kibitz.ludii.translation.problems import Unsupported

_STAGES = 4
"""How many stages the consequences of a move can have."""


@MOVES("do")
def _do(c: Compiler, ludeme: Ludeme, context: Context) -> list[Move]:
    """Keep the moves after which a condition holds, on the board that they lead to."""
    test = ludeme.get("ifAfterwards")
    c.real(context, ludeme)
    if test is None or ludeme.get("next"):
        raise Unsupported(ludeme)
    found = moves_of(c, ludeme.unlabelled()[0], context)
    for move in found:
        ready, after = _imagined(c, move, context)
        move.bodies = joined([(ready,)], condition(c, test, after))
    return found


def _imagined(c: Compiler, move: Move, context: Context) -> tuple[Atom, Context]:
    """Return what says that a move can be made, and the context of the board after it."""
    to = move.context.sites.get("to")
    start = move.context.sites.get("from", to)
    if move.action == "pass" or to is None or start is None:
        raise Unsupported(Ludeme("word", "do"), "a pass that is only looked at")
    places = tuple(dict.fromkeys(one for one in (start, to) if isinstance(one, Variable)))
    bare = Context(move.context.mover, sites={str(n): one for n, one in enumerate(places)})
    ready = c.relation("candidate", move.bodies, bare)
    ready = Atom(ready.relation, tuple(arg for arg in ready.args))
    acts = [str(effect) for effect, _, _ in move.applied]
    then = [str(one) for one in move.then]
    key = ("imagined", str(ready.relation), move.action, str(move.piece), str(acts), str(then))
    name = c.name("imagined", (*key, move.context.stage, move.context.mover))
    args = tuple(arg for arg in ready.args if isinstance(arg, Variable))
    inner = replace(move.context, imagined=(name, args))
    if name not in c.worlds:
        c.worlds[name] = World(ready, move.context, {move.context.stage + 1})
        emit_effects(c, move, ready, inner)
    stage = move.context.stage + _STAGES
    after = replace(inner.at(last_to=to, last_from=start), stage=stage, mover=context.mover)
    return ready, after
