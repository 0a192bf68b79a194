"""Emit the frame rules from a position to the next one: board, turn, hands, phases, counts."""

from __future__ import annotations

from kibitz.gdl import Atom, Function, Not
from kibitz.ludii.translation.core import Bodies, Body, Compiler, Context, constant, joined
from kibitz.ludii.translation.endings import emit_turns
from kibitz.ludii.translation.variables import emit_memory


def emit_frame(c: Compiler, has_phases: bool) -> None:
    """Add the rules for what a position keeps of the one before it."""
    s, p, n, m = (c.fresh(hint) for hint in ("s", "p", "n", "m"))
    if "to_clear" in c.needed:
        _clear_late(c, "moveAgain" in c.uses)
    last = max(c.stages, default=0)
    cell = Function("cell", (s, p))
    c.rule(Atom("next", (cell,)), [(Atom(f"@cell {last}", (s, p)),)])
    players = range(1, c.equipment.players + 1)
    count = c.equipment.players
    again = "moveAgain" in c.uses
    if "rank" in c.needed:
        emit_turns(c, again)
    for player in players if "rank" not in c.needed else ():
        following = c.role(player % count + 1)
        control = c.control(player)
        turn = Atom("next", (Function("control", (following,)),))
        free: Body = (Not(Atom("next_is_set")),) if "next_player" in c.needed else ()
        if again:
            c.rule(turn, [(control, Not(Atom("again")), *free)])
            keep = Atom("next", (Function("control", (c.role(player),)),))
            c.rule(keep, [(control, Atom("again"), *free)])
        else:
            c.rule(turn, [(control, *free)])
        if "last_mover" in c.needed:
            c.rule(Atom("next", (Function("last_mover", (c.role(player),)),)), [(control,)])
    if "next_player" in c.needed:
        chosen = c.fresh("r")
        c.rule(Atom("next_is_set"), [(Atom("next_player", (chosen,)),)])
        following_turn = Atom("next", (Function("control", (chosen,)),))
        c.rule(following_turn, [(Atom("next_player", (chosen,)),)])
    _count_moves(c)
    if "score" in c.needed:
        _keep_scores(c)
    if "visited" in c.needed and again:
        been = Atom("next", (Function("visited_this_turn", (s,)),))
        kept: Bodies = [(Atom("moved_from", (s,)),), (Atom("moved_to", (s,)),)]
        kept.append((c.fluent("visited_this_turn", s),))
        c.rule(been, joined([(Atom("again"),)], kept))
    if "last_sown" in c.needed:
        c.rule(Atom("next", (Function("last_sown", (s,)),)), [(Atom("sown_to", (s,)),)])
    if "remembered" in c.needed:
        emit_memory(c)
    for end, name in (("to", "last_target"), ("from", "last_origin")):
        if name in c.needed:
            place = Function(name, (s,))
            c.rule(Atom("next", (place,)), [(Atom(f"moved_{end}", (s,)),)])
    if has_phases:
        r, old, new = (c.fresh(hint) for hint in ("r", "o", "n"))
        c.rule(
            Atom("next", (Function("phase", (r, new)),)),
            [(Atom("enters", (r, new)),)],
        )
        c.rule(Atom("leaves", (r,)), [(Atom("enters", (r, new)),)])
        c.rule(
            Atom("next", (Function("phase", (r, old)),)),
            [(c.fluent("phase", r, old), Not(Atom("leaves", (r,))))],
        )
        if "last_phase" in c.needed:
            was = Atom("next", (Function("last_phase", (old,)),))
            c.rule(was, [(c.fluent("control", r), c.fluent("phase", r, old))])
    if "was_stuck" in c.needed:
        r = c.fresh("r")
        stuck, turn = Atom("next", (Function("was_stuck", (r,)),)), c.fluent("control", r)
        c.rule(stuck, [(turn, Not(Atom("has_move", (r,)))), (c.fluent("was_stuck", r), Not(turn))])
    if c.in_hand:
        r = c.fresh("r")
        held = c.fluent("hand", r, p, n)
        taken = Atom("taken", (r, p))
        less = c.fact_relation("less_one", [(k + 1, k) for k in range(1, c.most_in_hand)])
        bodies: Bodies = [(held, Not(taken))]
        head = Atom("in_hand_after", (r, p, n))
        c.rule(head, bodies)
        if c.most_in_hand > 1:
            down = Atom("in_hand_after", (r, p, m))
            c.rule(down, [(held, taken, Atom(less, (n, m)))])
        c.rule(Atom("next", (Function("hand", (r, p, n)),)), [(head,)])


def _clear_late(c: Compiler, again: bool) -> None:
    """Take what was marked during a turn away when the turn is over."""
    s = c.fresh("s")
    c.rule(Atom("to_clear_after", (s,)), [(c.fluent("to_clear", s),), (Atom("marked", (s,)),)])
    over: Bodies = [(Atom("to_clear_after", (s,)), *((Not(Atom("again")),) if again else ()))]
    c.clear(Context(1, c.last_stage - 1), s, over)
    if again:
        kept = (Atom("to_clear_after", (s,)), Atom("again"))
        c.rule(Atom("next", (Function("to_clear", (s,)),)), [kept])


def _keep_scores(c: Compiler) -> None:
    """Keep scores: what they are set to, or what is added to them."""
    r, n, m, t = (c.fresh(hint) for hint in ("r", "n", "m", "t"))
    after = Atom("score_after", (r, n))
    c.rule(after, [(Atom("scores", (r, n)),)])
    c.rule(Atom("is_scored", (r,)), [(Atom("scores", (r, n)),)])
    before = c.fluent("score", r, n)
    heads = {rule.head.relation for rule in c.rules}
    for number in range(1, len(heads) + 1):
        gains = f"gains_{number}"
        if gains not in heads:
            break
        top = c.most_score
        rows = [
            (a, b, max(-top, min(a + b, top)))
            for a in range(-top if min(c.gains) < 0 else 0, top + 1)
            for b in sorted(c.gains)
        ]
        plus = Atom(c.fact_relation("plus", rows), (n, m, t))
        sum_so_far = f"with_{gains}"
        c.rule(Atom(sum_so_far, (r, t)), [(before, Atom(gains, (r, m)), plus)])
        c.rule(Atom(f"has_{gains}", (r,)), [(Atom(gains, (r, m)),)])
        c.rule(Atom(sum_so_far, (r, n)), [(before, Not(Atom(f"has_{gains}", (r,))))])
        before = Atom(sum_so_far, (r, n))
    c.rule(after, [(before, Not(Atom("is_scored", (r,))))])
    c.rule(Atom("next", (Function("score", (r, n)),)), [(after,)])


def _count_on(c: Compiler, what: str, name: str, head: Atom, counts: Body) -> None:
    """Count on with every move, or with every turn that is over."""
    if what == "moves" or "moveAgain" not in c.uses:
        c.rule(head, [counts])
        return
    again, n = Atom("again"), c.fresh("n")
    c.rule(head, [(*counts, Not(again))])
    c.rule(Atom("next", (Function(name, (n,)),)), [(c.fluent(name, n), again)])


def _count_moves(c: Compiler) -> None:
    for what, divisor in sorted(c.cycles):
        old, new, name = c.fresh("n"), c.fresh("n"), f"{what}_modulo_{divisor}"
        rows = [(k, (k + 1) % divisor) for k in range(divisor)]
        follows = Atom(c.fact_relation(f"round_{divisor}", rows), (old, new))
        head = Atom("next", (Function(name, (new,)),))
        _count_on(c, what, name, head, (c.fluent(name, old), follows))
    if "odd_moves" in c.needed:
        odd = c.fluent("odd_moves")
        c.rule(Atom("next", (Function("odd_moves"),)), [(Not(odd),)])
    n, m = c.fresh("n"), c.fresh("m")
    for name, top in c.counted.items():
        start = -1 if name == "counter" else 0
        rows = [(k, min(k + 1, top)) for k in range(start, top + 1)]
        more = Atom(c.fact_relation(f"count_to_{top}", rows), (n, m))
        head = Atom("next", (Function(name, (m,)),))
        if name == "counter":
            again = Atom("counter_restarts")
            c.rule(head, [(c.fluent(name, n), more, Not(again))])
            zero = Atom("next", (Function(name, (constant(0),)),))
            c.rule(zero, [(again,)])
            continue
        if name in ("moves", "turns"):
            _count_on(c, name, name, head, (c.fluent(name, n), more))
            continue
        if "moveAgain" in c.uses:
            c.rule(head, [(Atom("again"), c.fluent(name, n), more)])
            first: Bodies = [(Not(Atom("again")),)]
        else:
            first = [()]
        c.rule(Atom("next", (Function(name, (constant(0),)),)), first)
