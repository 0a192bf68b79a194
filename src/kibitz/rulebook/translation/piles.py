"""Sentences about piles of counters and pits of seeds in, rules for them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.rulebook import model as m
from kibitz.rulebook.translation.problems import RulesProblem

if TYPE_CHECKING:
    from kibitz.rulebook.translation.moves import Moves


def take(moves: Moves, rule: m.MoveRule, move: m.Take) -> None:
    """Write the move that takes counters from a pile."""
    t = moves.t
    heaps = t.heaps()
    if not heaps:
        hint = 'write such as "There are piles of 3, 4 and 5 counters."'
        raise RulesProblem("ENG002", "it is not said what piles there are", rule, hint)
    most = max(size for _, size in heaps)
    last = move.most or most
    if not 1 <= move.least <= last:
        raise RulesProblem("ENG005", f"from {move.least} to {move.most} is no number", rule)
    limited = move.least > 1 or last < most
    moves.allow(
        rule, "(take ?heap ?count)", "(true (heap ?heap ?size))", "(minus ?size ?count ?left)",
        ["(may_take ?count)"] if limited else [],
    )  # fmt: skip
    if limited:
        t.later(*(f"(may_take {n})" for n in range(move.least, min(last, most) + 1)))
    subtraction(moves, most)

    def takes() -> None:
        moves.sheet.rule(
            "(next (heap ?heap ?left))",
            "(does ?player (take ?heap ?count))",
            "(true (heap ?heap ?size))",
            "(minus ?size ?count ?left)",
        )
        moves.sheet.rule("(reduced ?heap)", "(does ?player (take ?heap ?count))")

    moves.effect("take", takes)
    moves.effect("heaps", lambda: _keep_heaps(moves))


def take_each(moves: Moves, rule: m.MoveRule, move: m.TakeEach) -> None:
    """Write the move that takes the same number from every pile."""
    heaps = moves.t.heaps()
    if not heaps:
        raise RulesProblem("ENG002", "it is not said what piles there are", rule)
    body = [
        literal
        for name, _ in heaps
        for literal in (f"(true (heap {name} ?{name}))", f"(minus ?{name} ?count ?{name}left)")
    ]
    moves.allow(rule, "(take_each ?count)", body)
    subtraction(moves, max(size for _, size in heaps))

    def takes() -> None:
        moves.sheet.rule(
            "(next (heap ?heap ?left))",
            "(does ?player (take_each ?count))",
            "(true (heap ?heap ?size))",
            "(minus ?size ?count ?left)",
        )
        moves.sheet.rule(
            "(reduced ?heap)", "(does ?player (take_each ?count))", "(true (heap ?heap ?size))"
        )

    moves.effect("take each", takes)
    moves.effect("heaps", lambda: _keep_heaps(moves))


def sow(moves: Moves, rule: m.MoveRule, move: m.Sow) -> None:
    """Write the move that sows the seeds of a pit."""
    t = moves.t
    pits, stores = t.rules.all(m.Pits), t.rules.all(m.Store)
    if not isinstance(t.board.board, m.Ring) or not pits:
        hint = 'write such as "White has the pits 1, 2 and 3 with 2 seeds each."'
        raise RulesProblem("ENG002", "seeds are sown on a ring of pits", rule, hint)
    ring = [t.board.name(cell) for cell in t.board.cells]
    seeds = dict.fromkeys(ring, 0)
    for pit in pits:
        for name in pit.cells:
            t.board.find(name)
            seeds[str(name)] = pit.seeds
            t.later(f"(pit_of {t.role(pit.player)} {name})")
    for store in stores:
        t.board.find(store.cell)
    total = sum(seeds.values())
    if total > 30 or len(ring) > 16:
        raise RulesProblem("ENG004", "at most 30 seeds in at most 16 pits are sown", rule)
    moves.allow(
        rule, "(sow ?pit)", f"(pit_of {t.who(rule.player)} ?pit)", "(true (pit ?pit ?seeds))",
        "(distinct ?seeds 0)",
    )  # fmt: skip

    def sows() -> None:
        sheet = moves.sheet
        sheet.fact(*(f"(init (pit {name} {count}))" for name, count in seeds.items()))
        does = "(does ?player (sow ?from))"
        held = "(true (pit ?from ?seeds))"
        sheet.rule("(gets ?to ?more)", does, held, "(sown ?from ?seeds ?to ?more)")
        sheet.rule("(receives ?to)", "(gets ?to ?more)")
        sheet.rule("(emptied ?from)", does)
        sheet.rule(
            "(next (pit ?to ?after))",
            "(gets ?to ?more)",
            "(not (emptied ?to))",
            "(true (pit ?to ?before))",
            "(plus ?before ?more ?after)",
        )
        sheet.rule("(next (pit ?from ?more))", "(emptied ?from)", "(gets ?from ?more)")
        sheet.rule("(next (pit ?from 0))", "(emptied ?from)", "(not (receives ?from))")
        sheet.rule(
            "(next (pit ?pit ?seeds))",
            "(true (pit ?pit ?seeds))",
            "(not (emptied ?pit))",
            "(not (receives ?pit))",
        )
        sowing = [name for pit in pits for name in pit.cells]
        for start in sowing:
            first = ring.index(start)
            for count in range(1, total + 1):
                landed = [ring[(first + n) % len(ring)] for n in range(1, count + 1)]
                for name in dict.fromkeys(landed):
                    t.later(f"(sown {start} {count} {name} {landed.count(name)})")
        t.later(*(f"(plus {a} {b} {a + b})" for a in range(total) for b in range(1, total + 1 - a)))

    moves.effect("sow", sows)


def subtraction(moves: Moves, most: int) -> None:
    """List what is left of numbers up to the largest."""
    moves.t.later(
        *(f"(minus {n} {k} {n - k})" for n in range(1, most + 1) for k in range(1, n + 1))
    )


def _keep_heaps(moves: Moves) -> None:
    moves.sheet.rule(
        "(next (heap ?heap ?size))", "(true (heap ?heap ?size))", "(not (reduced ?heap))"
    )
