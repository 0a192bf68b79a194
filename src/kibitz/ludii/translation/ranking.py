"""End rules of three and more players in, rules for their ranks out: who is through stops playing.

A player who wins gets the best rank that is left, one who loses the worst, and the others play on.
Play is over when one is left, or when all passed in turn; who is left then shares what is left.
"""

from __future__ import annotations

from kibitz.gdl import Atom, Distinct, Formula, Function, Not
from kibitz.ludii.ludemes import Ludeme
from kibitz.ludii.translation.core import Bodies, Compiler, Context, constant, joined
from kibitz.ludii.translation.expressions import condition, players
from kibitz.ludii.translation.problems import Unsupported

__all__ = ["RankedEnd", "emit_ranks", "emit_turns"]

RankedEnd = tuple[int, str | None, Ludeme | None, Ludeme, int | None]
"""Number of the rule, phase, condition, result, and the player if it is a rule for each."""

_MOST_PLAYERS = 4


def emit_ranks(c: Compiler, ends: list[RankedEnd]) -> None:
    """Add the rules for ranks, terminal and goal."""
    count = c.equipment.players
    if count > _MOST_PLAYERS:
        raise Unsupported(Ludeme("word", "players"), f"more than {_MOST_PLAYERS} that play on")
    c.needed.add("rank")
    p, q, r, a, b, n = (c.fresh(hint) for hint in ("p", "q", "r", "a", "b", "n"))
    rank = c.fluent("rank", p, r)
    c.rule(Atom("ranked", (p,)), [(rank,)])
    c.rule(Atom("active", (p,)), [(Atom("role", (p,)), Not(Atom("ranked", (p,))))])
    c.rule(Atom("next", (Function("rank", (p, r)),)), [(rank,)])
    for end in ends:
        _emit_end(c, end)
    what = c.fresh("w")
    first: tuple[Formula, ...] = (Atom("ends", (n, p, what)), Atom("active", (p,)))
    numbers = sorted({end[0] for end in ends})
    if rows := [(x, y) for y in numbers for x in numbers if x < y]:
        before = Atom(c.fact_relation("before", rows), (a, n))
        c.rule(Atom("ends_before", (n, p)), [(before, Atom("ends", (a, p, b)))])
        first = (*first, Not(Atom("ends_before", (n, p))))
    c.rule(Atom("finishes", (p, what, n)), [first])
    _emit_new_ranks(c, numbers)
    c.rule(Atom("is_through", (p,)), [(Atom("finishes", (p, what, n)),)])
    c.rule(Atom("plays_on", (p,)), [(Atom("active", (p,)), Not(Atom("is_through", (p,))))])
    two = (Atom("plays_on", (p,)), Atom("plays_on", (q,)), Distinct(p, q))
    c.rule(Atom("two_play_on"), [two])
    over = Atom("next", (Function("over", ()),))
    c.rule(over, [(Not(Atom("two_play_on")),), (Atom("all_passed"),), (Atom("drawn"),)])
    c.rule(Atom("terminal"), [(c.fluent("over"),)])
    goals = [
        (x, y, _goal((x + y) / 2, count)) for y in range(1, count + 1) for x in range(1, y + 1)
    ]
    of_rank = c.fact_relation("goal_of_ranks", goals)
    c.rule(Atom("goal", (p, n)), [(rank, Atom(of_rank, (r, r, n)))])
    left = (Atom("active", (p,)), Atom("best_left", (a,)), Atom("worst_left", (b,)))
    c.rule(Atom("goal", (p, n)), [(*left, Atom(of_rank, (a, b, n)))])


def _goal(rank: float, count: int) -> int:
    return round(50 + 50 * (1 - 2 * (rank - 1) / (count - 1)))


def _emit_end(c: Compiler, end: RankedEnd) -> None:
    number, phase, test, result, player = end
    who, what = result.items[:2]
    for mover in range(1, c.equipment.players + 1):
        context = Context(mover, c.last_stage, {}, player, ending=True)
        bodies = joined([(c.control(mover),)], c.in_phase(phase, mover))
        if test is not None:
            bodies = joined(bodies, condition(c, test, context))
        if what.name in ("Draw", "Tie"):
            c.rule(Atom("drawn"), bodies)
            continue
        if what.name not in ("Win", "Loss"):
            raise Unsupported(result)
        for body, one in players(c, who, context):
            head = Atom("ends", (constant(number), c.role(one), constant(what.name.lower())))
            c.rule(head, joined(bodies, [body]))


def _emit_new_ranks(c: Compiler, numbers: list[int]) -> None:
    """Give a player who wins the best rank that is left, and one who loses the worst."""
    count = c.equipment.players
    p, q, r, s, m, n = (c.fresh(hint) for hint in ("p", "q", "r", "s", "m", "n"))
    ranks = range(1, count + 1)
    number = c.fact_relation("rank_number", [(n,) for n in ranks])
    less = c.fact_relation("better_rank", [(x, y) for y in ranks for x in ranks if x < y])
    turns = sorted((number, f"p{player}") for number in numbers for player in ranks)
    earlier = c.fact_relation("comes_before", [(*x, *y) for y in turns for x in turns if x < y])
    c.rule(Atom("rank_taken", (r,)), [(c.fluent("rank", p, r),)])
    free = Atom("rank_left", (r,))
    c.rule(free, [(Atom(number, (r,)), Not(Atom("rank_taken", (r,))))])
    for name, order in (("best", (s, r)), ("worst", (r, s))):
        c.rule(Atom(f"not_{name}_left", (r,)), [(free, Atom("rank_left", (s,)), Atom(less, order))])
        c.rule(Atom(f"{name}_left", (r,)), [(free, Not(Atom(f"not_{name}_left", (r,))))])
    for what, name, step in (("win", "best", 1), ("loss", "worst", -1)):
        finishes = Atom("finishes", (p, constant(what), n))
        other = Atom("finishes", (q, constant(what), m))
        second = Atom(f"second_{what}", (p,))
        c.rule(second, [(finishes, other, Atom(earlier, (m, q, n, p)))])
        new = Atom("next", (Function("rank", (p, r)),))
        c.rule(new, [(finishes, Not(second), Atom(f"{name}_left", (r,)))])
        beside = c.fact_relation(
            f"rank_after_{name}", [(x, x + step) for x in ranks if x + step in ranks]
        )
        c.rule(new, [(finishes, second, Atom(f"{name}_left", (s,)), Atom(beside, (s, r)))])


def emit_turns(c: Compiler, again: bool) -> None:
    """Give the turn to the next player who played on before this move and has not just lost.

    As Ludii has it: a player who wins by another's move still has the next turn.
    """
    count = c.equipment.players
    p, n = c.fresh("p"), c.fresh("n")
    c.rule(Atom("just_lost", (p,)), [(Atom("finishes", (p, constant("loss"), n)),)])
    c.rule(Atom("has_turns", (p,)), [(Atom("active", (p,)), Not(Atom("just_lost", (p,))))])
    for player in range(1, count + 1):
        between: tuple[Formula, ...] = ()
        if again:
            stays = Atom("next", (Function("control", (c.role(player),)),))
            on = Atom("has_turns", (c.role(player),))
            c.rule(stays, [(c.control(player), Atom("again"), on)])
            c.rule(Atom("turn_passes"), [(Not(Atom("again")),), (c.control(player), Not(on))])
            between = (Atom("turn_passes"),)
        for ahead in range(1, count + 1):
            other = c.role((player + ahead - 1) % count + 1)
            on = Atom("has_turns", (other,))
            head = Atom("next", (Function("control", (other,)),))
            bodies: Bodies = [(c.control(player), on, *between)]
            c.rule(head, bodies)
            between = (*between, Not(on))
