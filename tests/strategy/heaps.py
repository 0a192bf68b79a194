"""Rule sheets of heaps under names that no game of the library has, for tests of generality."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.gdl import RuleSheet, parse

__all__ = ["heap_sheet", "letters"]


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
