"""Choose and learn where several roles choose at the same time: regret matching in the tree.

Each role plays moves in proportion to its regret for not having played them, and now and then any
move. Regret is how much better a move would have been against what the others just did, by what is
known of that joint move; negative regrets are reset to zero (Tammelin 2014). Over time the mean of
what is played, with later visits counting more, approaches an equilibrium of two opposed roles.

Moves of all roles that have a choice have one place each from the first edge of a node on: with two
or more such roles there are at least that many joint moves. Other roles have size 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.native import native

__all__ = ["PROVEN", "pick_joint", "regret_joint"]

PROVEN = 2
"""The status of a node whose value is certain."""


@native
def _draw(random: Any) -> Any:
    """Draw a number from 0 to 1 (SplitMix64; Steele, Lea and Flood 2014)."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53


@native
def pick_joint(
    first: Any, count: Any, visits: Any, sizes: Any, slot: Any, regret: Any, played: Any,
    random: Any,
) -> Any:  # fmt: skip
    """Return the edge that roles take when each draws its move."""
    curious = 2.0 / (2.0 + np.sqrt(visits))
    wanted = np.zeros(len(sizes), np.int64)
    base = first
    for role in range(len(sizes)):
        total = 0.0
        for at in range(base, base + sizes[role]):
            total += regret[at]
        for at in range(base, base + sizes[role]):
            share = regret[at] / total if total > 0.0 else 1.0 / sizes[role]
            played[at] += visits * share
        if total <= 0.0 or _draw(random) < curious:
            wanted[role] = int(_draw(random) * sizes[role])
        else:
            left = _draw(random) * total
            for place in range(sizes[role]):
                wanted[role] = place
                left -= regret[base + place]
                if left < 0.0:
                    break
        base += sizes[role]
    for edge in range(first, first + count):
        is_wanted = True
        for role in range(len(sizes)):
            is_wanted &= slot[edge, role] == wanted[role]
        if is_wanted:
            return edge
    return first


@native
def regret_joint(
    first: Any, count: Any, taken_edge: Any, result: Any, sizes: Any, slot: Any, regret: Any,
    status: Any, value: Any, child: Any, taken: Any, total: Any, prior: Any,
) -> Any:  # fmt: skip
    """Add each role's regret for its other moves against what the others did."""
    for edge in range(first, first + count):
        differs = -1
        base = first
        at = base
        for role in range(len(sizes)):
            if slot[edge, role] != slot[taken_edge, role]:
                if differs >= 0:
                    differs = -2
                    break
                differs = role
                at = base + slot[edge, role]
            base += sizes[role]
        if differs < 0:
            continue
        to = child[edge]
        if status[to] == PROVEN:
            other = value[to, differs]
        else:
            other = (total[edge, differs] + prior[edge, differs]) / (taken[edge] + 1.0)
        regret[at] = max(0.0, regret[at] + other - result[differs])
