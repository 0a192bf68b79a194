"""Rule sheets of heaps under names that no game of the library has, for tests of generality."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kibitz.gdl import RuleSheet, parse

__all__ = ["heap_sheet", "letters", "row_sheet"]


def letters(count: int) -> list[str]:
    """Name numbers by letters: q0 would be a numeral in disguise, so these have none."""
    return ["o", *("".join(chr(ord("a") + int(d)) for d in str(n)) for n in range(1, count + 1))]


def heap_sheet(
    heaps: Sequence[int],
    takes: Sequence[int] | None = None,
    *,
    misere: bool = False,
    names: Sequence[str] | None = None,
    downwards: bool = False,
    both: bool = False,
) -> RuleSheet:
    """Write a game of heaps from which one takes any number, or one of `takes`.

    Sizes are letters unless `names` gives others; `downwards` links each to the one below. With
    `both`, one may also take the same from two heaps.
    """
    most = max(heaps)
    named = list(names or letters(most))
    sizes = range(most + 1)
    pairs = [(named[n], named[n + 1]) for n in range(most)]
    links = [f"(follows {b} {a})" if downwards else f"(follows {a} {b})" for a, b in pairs]
    drops = [
        f"(drop {named[n]} {named[k]} {named[n - k]})"
        for n in sizes
        for k in (takes or range(1, most + 1))
        if k <= n
    ]
    starts = [f"(init (stock {named[n]} {chr(ord('p') + i)}))" for i, n in enumerate(heaps)]
    winner, loser = ("ann", "bob") if misere else ("bob", "ann")
    rules = f"""
    (role ann) (role bob)
    (init (mover ann))
    (<= (legal ?r (grab ?h ?k)) (true (mover ?r)) (true (stock ?n ?h)) (drop ?n ?k ?m))
    {
        '''(<= (legal ?r (both ?k)) (true (mover ?r)) (true (stock ?n p)) (drop ?n ?k ?m)
            (true (stock ?u q)) (drop ?u ?k ?v))
    (<= (next (stock ?m ?h)) (does ?r (both ?k)) (true (stock ?n ?h)) (drop ?n ?k ?m))
    (<= (changed ?h) (does ?r (both ?k)) (true (stock ?n ?h)))'''
        if both
        else ""
    }
    (<= (legal ?r wait) (role ?r) (not (true (mover ?r))))
    (<= (next (mover ann)) (true (mover bob)))
    (<= (next (mover bob)) (true (mover ann)))
    (<= (next (stock ?m ?h)) (does ?r (grab ?h ?k)) (true (stock ?n ?h)) (drop ?n ?k ?m))
    (<= (next (stock ?n ?h)) (true (stock ?n ?h)) (not (changed ?h)))
    (<= (changed ?h) (does ?r (grab ?h ?k)))
    (<= going (true (stock ?n ?h)) (drop ?n ?k ?m))
    (<= terminal (not going))
    (<= (goal {winner} 100) (not going) (true (mover ann)))
    (<= (goal {loser} 0) (not going) (true (mover ann)))
    (<= (goal {loser} 100) (not going) (true (mover bob)))
    (<= (goal {winner} 0) (not going) (true (mover bob)))
    (<= (goal ?r 50) (role ?r) going)
    """
    return parse("\n".join([rules, *links, *drops, *starts]), name="stocks")


def row_sheet(length: int, takes: Sequence[int]) -> RuleSheet:
    """Write a game on a row of candles: put out so many side by side; whoever cannot loses."""
    names = letters(length)
    facts = [f"(then {a} {b})" for a, b in pairwise(names[1:])]
    facts += [f"(init (burns {name}))" for name in names[1:]]
    for number, count in enumerate(takes):
        for first in range(1, length - count + 2):
            spots = names[first : first + count]
            move = f"(blow {number} {spots[0]})"
            burning = " ".join(f"(true (burns {spot}))" for spot in spots)
            facts.append(f"(<= (can {move}) {burning})")
            facts += [f"(hits {move} {spot})" for spot in spots]
    rules = """
    (role flo) (role gus) (init (blows flo))
    (<= (legal ?r ?m) (true (blows ?r)) (can ?m))
    (<= (legal ?r sit) (role ?r) (not (true (blows ?r))))
    (<= (next (blows flo)) (true (blows gus)))
    (<= (next (blows gus)) (true (blows flo)))
    (<= (next (burns ?x)) (true (burns ?x)) (not (out ?x)))
    (<= (out ?x) (does ?r ?m) (hits ?m ?x))
    (<= more (can ?m))
    (<= terminal (not more))
    (<= (goal ?r 0) (not more) (true (blows ?r)))
    (<= (goal ?r 100) (role ?r) (not more) (not (true (blows ?r))))
    (<= (goal ?r 50) (role ?r) more)
    """
    return parse("\n".join([rules, *facts]), name="candles")
