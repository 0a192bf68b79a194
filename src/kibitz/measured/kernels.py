"""Loops over lists of rules and positions, compiled by numba; import this where it is needed.

A rule is a word of bits, the conditions that its moves must meet, and some preferences: of the
moves that meet them, those stay for which the first preference is highest, of these those for
which the second is, and so on. The first rule of a list that has a move decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.native import native

__all__ = ["NONE", "anneal", "score_list"]

Numbers = npt.NDArray[Any]
Number = Any
"""A number of numba, whose type no checker knows."""

NONE = -1
"""In the place of a preference: there is none."""


@native
def _draw(random: Numbers, below: int) -> Number:
    """Draw a number below another (splitmix64)."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    x = random[0]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return np.int64((x >> np.uint64(32)) * np.uint64(below) >> np.uint64(32))


@native
def score_list(
    first: Numbers, bits: Numbers, ranks: Numbers, values: Numbers, weights: Numbers,
    needs: Numbers, wants: Numbers, rules: int, decider: Numbers,
) -> float:  # fmt: skip
    """Return the weighted mean value of the moves that a list makes; write which rule decides.

    `bits` and `ranks` have a row for each move: the conditions it meets, and how well it does by
    each preference. Where no rule decides, any legal move may be made.
    """
    total = 0.0
    chosen = np.empty(np.max(first[1:] - first[:-1]), dtype=np.int64)
    for at in range(len(first) - 1):
        decider[at] = NONE
        count = 0
        for rule in range(rules):
            count = 0
            for move in range(first[at], first[at + 1]):
                if bits[move] & needs[rule] == needs[rule]:
                    chosen[count] = move
                    count += 1
            if not count:
                continue
            decider[at] = rule
            for slot in range(wants.shape[1]):
                want = wants[rule, slot]
                if want == NONE or count == 1:
                    break
                best, kept = ranks[chosen[0], want], 0
                for i in range(count):
                    rank = ranks[chosen[i], want]
                    if rank > best:
                        best, kept = rank, 0
                    if rank == best:
                        chosen[kept] = chosen[i]
                        kept += 1
                count = kept
            break
        if not count:
            for move in range(first[at], first[at + 1]):
                chosen[count] = move
                count += 1
        here = 0.0
        for i in range(count):
            here += values[chosen[i]]
        total += weights[at] * here / count
    return float(total / weights.sum())


@native
def _cost(needs: Numbers, wants: Numbers, rules: int) -> int:
    """Count the conditions and preferences of a list."""
    count = 0
    for rule in range(rules):
        rest = needs[rule]
        while rest:
            rest &= rest - np.uint64(1)
            count += 1
        for slot in range(wants.shape[1]):
            count += wants[rule, slot] != NONE
    return count


@native
def _random_need(random: Numbers, conditions: int) -> Number:
    """Draw one condition or two; now and then none."""
    need = np.uint64(0)
    if not conditions:
        return need
    kind = _draw(random, 8)
    if kind:
        need |= np.uint64(1) << np.uint64(_draw(random, conditions))
    if kind > 4:
        need |= np.uint64(1) << np.uint64(_draw(random, conditions))
    return need


@native
def _is_wide(need: Number, most: int) -> bool:
    count = 0
    while need:
        need &= need - np.uint64(1)
        count += 1
    return count > most


@native
def _propose(
    random: Numbers, needs: Numbers, wants: Numbers, rules: int, most: int, conditions: int,
    preferences: int,
) -> int:  # fmt: skip
    """Change a list a little; return how many rules it has, or -1 if nothing was changed."""
    slots = wants.shape[1]
    kind = _draw(random, 10)
    if rules == 0 or (kind < 2 and rules < most):
        at = _draw(random, rules + 1)
        for rule in range(rules, at, -1):
            needs[rule] = needs[rule - 1]
            wants[rule] = wants[rule - 1]
        needs[at] = _random_need(random, conditions)
        wants[at] = NONE
        if preferences and _draw(random, 2):
            wants[at, 0] = _draw(random, preferences)
        return rules + 1
    at = _draw(random, rules)
    if kind == 2:
        for rule in range(at, rules - 1):
            needs[rule] = needs[rule + 1]
            wants[rule] = wants[rule + 1]
        return rules - 1
    if kind == 3:
        other = _draw(random, rules)
        needs[at], needs[other] = needs[other], needs[at]
        for slot in range(slots):
            wants[at, slot], wants[other, slot] = wants[other, slot], wants[at, slot]
        return rules if other != at else -1
    if kind < 6 and conditions:
        needs[at] ^= np.uint64(1) << np.uint64(_draw(random, conditions))
        return rules
    if kind < 9 and preferences:
        slot = _draw(random, slots)
        if slot and wants[at, slot - 1] == NONE:
            slot = 0
        if _draw(random, 3):
            new = _draw(random, preferences)
            if _draw(random, 2) and slots > 1:  # Put it before the others.
                for later in range(slots - 1, slot, -1):
                    wants[at, later] = wants[at, later - 1]
            wants[at, slot] = new
        else:
            for later in range(slot, slots - 1):
                wants[at, later] = wants[at, later + 1]
            wants[at, slots - 1] = NONE
        return rules
    needs[at] = _random_need(random, conditions)
    return rules


@native
def anneal(
    first: Numbers, bits: Numbers, ranks: Numbers, values: Numbers, weights: Numbers,
    needs: Numbers, wants: Numbers, rules: int, most: int, widest: int, conditions: int,
    price: float, steps: int, hot: float, cold: float, random: Numbers,
) -> tuple[int, float]:  # fmt: skip
    """Walk from a list through others, ever more seldom to worse ones; leave the best in place.

    Return how many rules it has, and its mean value less a price for each condition and each
    preference.
    """
    decider = np.empty(len(first) - 1, dtype=np.int64)
    best_needs, best_wants, best_rules = needs.copy(), wants.copy(), rules
    now = score_list(first, bits, ranks, values, weights, needs, wants, rules, decider)
    now -= price * _cost(needs, wants, rules)
    best = now
    new_needs, new_wants = needs.copy(), wants.copy()
    for step in range(steps):
        heat = hot * (cold / hot) ** (step / steps)
        new_needs[:], new_wants[:] = needs, wants
        new = _propose(
            random, new_needs, new_wants, rules, most, conditions, preferences=ranks.shape[1]
        )
        if new < 0:
            continue
        is_valid = True
        for rule in range(new):
            if _is_wide(new_needs[rule], widest):
                is_valid = False
        if not is_valid:
            continue
        score = score_list(first, bits, ranks, values, weights, new_needs, new_wants, new, decider)
        score -= price * _cost(new_needs, new_wants, new)
        chance = np.exp(min(0.0, (score - now) / heat))
        if _draw(random, 1 << 30) < chance * (1 << 30):
            needs[:], wants[:], rules, now = new_needs, new_wants, new, score
            if now > best:
                best = now
                best_needs[:], best_wants[:], best_rules = needs, wants, rules
    needs[:], wants[:] = best_needs, best_wants
    return best_rules, best
