"""Native loops over rule lists: where a list errs, and the search through wrong lists.

A list is a table of rules in slots, and the order in which the slots are tried. The situations that
a rule applies to in a state are a mask, computed when first needed and kept until the rule changes
(`known` against `version`). One slot is spare, for the rule that a step proposes.

Numbers are made 64 bits wide where they are passed on, and small loops get the arrays they need
rather than tuples of all: each loop is then compiled once, and the first search starts sooner.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.native import native
from kibitz.synth.problem.problem import Arrays

__all__ = [
    "MOST_LITERALS",
    "RuleTable",
    "errors",
    "first_rule",
    "first_rules",
    "make_table",
    "search",
]

MOST_LITERALS = 24
"""How many literals a rule may have in the search."""

_wide: Any = np.int64

_PATIENCE = 300
"""After how many steps without improvement wrong states gain weight."""

_MEMORY = 0.98
"""How much of the gained weight remains when states gain weight again."""


class RuleTable(NamedTuple):
    """Rules in slots, and what is known about where they apply."""

    orbit: npt.NDArray[np.int32]
    size: npt.NDArray[np.int32]
    literals: npt.NDArray[np.int32]
    order: npt.NDArray[np.int32]
    length: npt.NDArray[np.int32]
    version: npt.NDArray[np.int64]
    known: npt.NDArray[np.int64]
    masks: npt.NDArray[np.uint64]
    reached: npt.NDArray[np.int64]
    queue: npt.NDArray[np.int32]


def make_table(arrays: Arrays, slots: int) -> RuleTable:
    """Make an empty list with room for a number of rules, and a spare slot."""
    states = len(arrays.all_correct)
    words = -(-int(np.diff(arrays.sit_first).max()) // 64)
    most = max(MOST_LITERALS, int(np.diff(arrays.usable_first).max()))
    return RuleTable(
        orbit=np.zeros(slots + 1, dtype=np.int32),
        size=np.zeros(slots + 1, dtype=np.int32),
        literals=np.zeros((slots + 1, most), dtype=np.int32),
        order=np.arange(slots + 1, dtype=np.int32),
        length=np.zeros(1, dtype=np.int32),
        version=np.ones(slots + 1, dtype=np.int64),
        known=np.zeros((states, slots + 1), dtype=np.int64),
        masks=np.zeros((slots + 1, states, words), dtype=np.uint64),
        reached=np.zeros(states + 1, dtype=np.int64),
        queue=np.zeros(states, dtype=np.int32),
    )


@native
def _work_out(
    orbit: int,
    literals: Any,
    mask: Any,
    state: int,
    start: int,
    first: Any,
    sit: Any,
    full: Any,
    columns: Any,
    correct: Any,
    is_first: bool,
) -> int:
    """Find the situations of a state that a rule applies to; return what it does there.

    0 is nothing, 1 only correct moves, 2 some wrong move.
    """
    for i in range(len(mask)):
        mask[i] = 0
    verdict = 0
    for block in range(first[orbit, state], first[orbit, state + 1]):
        word = full[block]
        for literal in literals:
            word &= columns[literal, block]
            if word == 0:
                break
        if word:
            if is_first:
                bit = 0
                while not (word >> np.uint64(bit)) & np.uint64(1):
                    bit += 1
                place = sit[64 * block + bit]
            else:
                place = sit[block]
            mask[place >> 6] |= np.uint64(1) << np.uint64(place & 63)
            if not correct[start + place]:
                verdict = 2
            elif verdict == 0:
                verdict = 1
            if is_first:
                break
    return verdict


@native
def errors(a: Any, t: Any, weights: Any, bad: Any, silence: int, limit: float) -> tuple[float, int]:
    """Play a list against everything; return the weight and the number of states where it errs.

    A state where no rule applies is no error if `silence` is 2, an error if some move is wrong if
    it is 1, and always an error if it is 0. After an error, and where no rule applies, play
    continues with the correct moves. Stops once the weight exceeds the limit. The states are left
    in `bad`.
    """
    # Everything is taken out of the tuples first: passing them on costs more than a look-up.
    order, version, known, masks = t.order, t.version, t.known, t.masks
    orbits, sizes, literals = t.orbit, t.size, t.literals
    reached, queue = t.reached, t.queue
    sit_first, sit_correct, all_correct = a.sit_first, a.sit_correct, a.all_correct
    succ_first, succ, correct_first, correct_succ = (
        a.succ_first,
        a.succ,
        a.correct_first,
        a.correct_succ,
    )
    block_first, block_sit, full, columns = a.block_first, a.block_sit, a.full, a.columns
    is_first = a.is_first
    rules = t.length[0]
    states = len(all_correct)
    stamp = reached[states] + 1
    reached[states] = stamp
    count = 0
    for state in a.roots:
        reached[state] = stamp
        queue[count] = state
        count += 1
    cost = 0.0
    wrong = 0
    at = 0
    while at < count:
        state = _wide(queue[at])
        at += 1
        chosen = -1
        verdict = 0
        for place in range(rules):
            slot = order[place]
            found = known[state, slot]
            if found >> 2 == version[slot]:
                verdict = found & 3
            else:
                verdict = _work_out(
                    _wide(orbits[slot]),
                    literals[slot, : sizes[slot]],
                    masks[slot, state],
                    state,
                    _wide(sit_first[state]),
                    block_first,
                    block_sit,
                    full,
                    columns,
                    sit_correct,
                    is_first,
                )
                known[state, slot] = version[slot] << 2 | verdict
            if verdict:
                chosen = slot
                break
        if verdict == 2 or (
            verdict == 0 and (silence == 0 or (silence == 1 and not all_correct[state]))
        ):
            bad[wrong] = state
            wrong += 1
            cost += weights[state]
            if cost > limit:
                return cost, wrong
            chosen = -1
        if chosen < 0:
            for i in range(correct_first[state], correct_first[state + 1]):
                to = correct_succ[i]
                if reached[to] != stamp:
                    reached[to] = stamp
                    queue[count] = to
                    count += 1
            continue
        start = sit_first[state]
        for sit in range(start, sit_first[state + 1]):
            place = sit - start
            if (masks[chosen, state, place >> 6] >> np.uint64(place & 63)) & np.uint64(1):
                for i in range(succ_first[sit], succ_first[sit + 1]):
                    to = succ[i]
                    if reached[to] != stamp:
                        reached[to] = stamp
                        queue[count] = to
                        count += 1
    return cost, wrong


@native
def first_rule(a: Any, t: Any, state: int, start: int) -> int:
    """Return the place of the first rule from `start` on that applies in a state; -1 for none."""
    order, version, known, masks = t.order, t.version, t.known, t.masks
    for place in range(start, t.length[0]):
        slot = order[place]
        found = known[state, slot]
        if found >> 2 == version[slot]:
            verdict = found & 3
        else:
            verdict = _work_out(
                _wide(t.orbit[slot]),
                t.literals[slot, : t.size[slot]],
                masks[slot, state],
                state,
                _wide(a.sit_first[state]),
                a.block_first,
                a.block_sit,
                a.full,
                a.columns,
                a.sit_correct,
                a.is_first,
            )
            known[state, slot] = version[slot] << 2 | verdict
        if verdict:
            return place
    return -1


@native
def first_rules(a: Any, t: Any) -> Any:
    """Return, for each state, the index of the first rule that applies; -1 for none."""
    found = np.empty(len(a.all_correct), dtype=np.int32)
    for state in range(len(found)):
        found[state] = first_rule(a, t, state, 0)
    return found


@native
def _draw(rng: Any) -> Any:
    """Draw 64 bits (xorshift64*)."""
    x = rng[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    rng[0] = x
    return x * np.uint64(2685821657736338717)


@native
def _below(rng: Any, n: int) -> Any:
    return _wide((_draw(rng) >> np.uint64(33)) % np.uint64(n))


@native
def _uniform(rng: Any) -> float:
    return float(_draw(rng) >> np.uint64(11)) / 9007199254740992.0


@native
def _add(size: Any, literals: Any, slot: int, literal: int) -> None:
    """Add a literal to a rule that has room and says nothing of the same atom."""
    if size[slot] == MOST_LITERALS:
        return
    for i in range(size[slot]):
        if literals[slot, i] >> 1 == literal >> 1:
            return
    literals[slot, size[slot]] = literal
    size[slot] += 1


@native
def _drop(size: Any, literals: Any, slot: int, index: int) -> None:
    size[slot] -= 1
    literals[slot, index] = literals[slot, size[slot]]


@native
def _drop_any(size: Any, literals: Any, slot: int, rng: Any) -> None:
    _drop(size, literals, slot, _below(rng, _wide(size[slot])))


@native
def _literal(usable_first: Any, usable: Any, orbit: int, rng: Any) -> int:
    """Draw a literal that says something about an orbit's images; -1 if there is none."""
    start, end = _wide(usable_first[orbit]), _wide(usable_first[orbit + 1])
    if start == end:
        return -1
    return int(usable[start + _below(rng, end - start)])


@native
def _holding(
    usable_first: Any, usable: Any, column: Any, orbit: int, bit: int, holds: bool, rng: Any
) -> int:
    """Draw a literal that holds, or fails, in one image; -1 if none is found soon.

    `column` has the word of its block for each literal.
    """
    for _ in range(20):
        literal = _literal(usable_first, usable, orbit, rng)
        if literal < 0:
            return -1
        if ((column[literal] >> np.uint64(bit)) & np.uint64(1) != 0) == holds:
            return literal
    return -1


@native
def _image(a: Any, state: int, orbit: int, wanted: int, rng: Any) -> tuple[int, int]:
    """Draw an image of a situation in a state: correct (1) or wrong (0), of an orbit; -1 if none.

    Returns block and bit.
    """
    block_first, block_sit, full = a.block_first, a.block_sit, a.full
    first = _wide(a.sit_first[state])
    start, end = _wide(block_first[orbit, state]), _wide(block_first[orbit, state + 1])
    if start == end:
        return -1, 0
    for _ in range(12):
        block = start + _below(rng, end - start)
        word = full[block]
        bit = _below(rng, 64)
        for _ in range(64):
            if (word >> np.uint64(bit)) & np.uint64(1):
                break
            bit = (bit + 1) & 63
        place = block_sit[64 * block + bit] if a.is_first else block_sit[block]
        if a.sit_correct[first + place] == wanted:
            return block, bit
    return -1, 0


@native
def _propose(
    a: Any, t: Any, bad: Any, wrong: int, spare: int, locked: int, rng: Any
) -> tuple[int, int, bool]:
    """Propose a change: which place, to which place, and whether the spare slot takes over.

    Rules before the place `locked` stay as they are. A place of -1 is no proposal.
    """
    orbits, size, literals, order = t.orbit, t.size, t.literals, t.order
    usable_first, usable, columns = a.usable_first, a.usable, a.columns
    rules = _wide(t.length[0]) - locked
    place = locked + _below(rng, rules)
    kind = _below(rng, 100)
    if kind < 10:
        other = locked + _below(rng, rules)
        return (-1, 0, False) if other == place else (place, other, False)
    to = place
    state = _wide(0)
    if kind >= 35:
        state = _wide(bad[_below(rng, wrong)])
    if kind >= 80:
        to = locked + _below(rng, rules)
    if 35 <= kind < 60 or kind >= 80:
        decides = first_rule(a, t, state, locked)
        if kind >= 80:
            to = min(to, decides) if decides >= 0 else to
        elif decides >= 0:
            place = to = decides
    source = order[place]
    orbits[spare] = orbits[source]
    size[spare] = size[source]
    for i in range(size[source]):
        literals[spare, i] = literals[source, i]
    orbit = _wide(orbits[spare])
    if kind < 25:
        if size[spare] == 0:
            return -1, 0, False
        _drop_any(size, literals, spare, rng)
        return place, place, True
    if kind < 35:
        literal = _literal(usable_first, usable, orbit, rng)
        if literal < 0:
            return -1, 0, False
        if size[spare] and kind < 31:
            _drop_any(size, literals, spare, rng)
        _add(size, literals, spare, literal)
        return place, place, True
    # Up to 60 the rule that errs in the bad state, or a random rule, no longer applies to one of
    # its images; up to 80 the rule applies to a correct situation of the state; else a new rule
    # does, before the rule that decides there.
    block = bit = _wide(-1)
    for _ in range(20 if kind >= 80 else 1):
        if kind >= 80:
            orbit = _below(rng, _wide(a.block_first.shape[0]))
        block, bit = _image(a, state, orbit, _wide(kind >= 60), rng)
        if block >= 0:
            break
    if block < 0:
        return -1, 0, False
    column = columns[:, block]
    more = _wide(1)
    if kind >= 80:
        orbits[spare] = orbit
        size[spare] = 0
        more = _below(rng, 4)
    elif kind >= 60:
        i = 0
        while i < size[spare]:
            if (column[literals[spare, i]] >> np.uint64(bit)) & np.uint64(1):
                i += 1
            else:
                _drop(size, literals, spare, i)
        if kind >= 70:
            more = 0
    for _ in range(more):
        literal = _holding(usable_first, usable, column, orbit, bit, kind >= 60, rng)
        if kind < 60:
            if literal < 0:
                return -1, 0, False
            if size[spare] and kind < 45:
                _drop_any(size, literals, spare, rng)
        if literal >= 0:
            _add(size, literals, spare, literal)
    return place, to, True


@native
def _move(order: Any, place: int, to: int) -> None:
    """Move an entry to another place; those between move up."""
    entry = order[place]
    step = 1 if to > place else -1
    for i in range(place, to, step):
        order[i] = order[i + step]
    order[to] = entry


@native
def _price(orbit: Any, size: Any, literals: Any, slot: int, prices: Any) -> float:
    total = 0.0
    for i in range(size[slot]):
        total += prices[orbit[slot], literals[slot, i]]
    return total


@native
def search(
    a: Any,
    t: Any,
    weights: Any,
    prices: Any,
    rng: Any,
    stop: Any,
    locked: int,
    silence: int,
    steps: int,
    cap: float,
    temperature: float,
) -> int:
    """Walk through lists of one length until one has no error; return the steps left, -1 if none.

    A step proposes one change and takes it if the weight of errors falls, or by chance if it does
    not, unless the literals of the list would cost more than the cap. When nothing has improved for
    a while, states that are still wrong gain weight (Morris 1993 calls it breaking out).
    """
    orbits, size, literals, order, version = t.orbit, t.size, t.literals, t.order, t.version
    rules = _wide(t.length[0])
    spare = _wide(order[rules])
    price = 0.0
    for place in range(rules):
        price += _price(orbits, size, literals, _wide(order[place]), prices)
    bad = np.empty(len(weights), dtype=np.int32)
    other_bad = np.empty(len(weights), dtype=np.int32)
    cost, wrong = errors(a, t, weights, bad, silence, 1e300)
    idle = 0
    best = cost
    for left in range(steps, 0, -1):
        if wrong == 0 and price <= cap:
            return left
        if stop[0]:
            return -1
        if wrong == 0:
            # A correct list that costs too much: drop any of its literals.
            slot = _wide(order[locked + _below(rng, rules - locked)])
            if size[slot]:
                index = _below(rng, _wide(size[slot]))
                price -= prices[orbits[slot], literals[slot, index]]
                _drop(size, literals, slot, index)
                version[slot] += 1
                cost, wrong = errors(a, t, weights, bad, silence, 1e300)
            continue
        idle += 1
        if idle > _PATIENCE:
            idle = 0
            for state in range(len(weights)):
                weights[state] = 1.0 + (weights[state] - 1.0) * _MEMORY
            cost = 0.0
            for i in range(wrong):
                weights[bad[i]] += 1.0
                cost += weights[bad[i]]
            best = cost
        place, to, is_new = _propose(a, t, bad, wrong, spare, locked, rng)
        if place == -1:
            continue
        limit = cost - temperature * np.log(_uniform(rng) + 1e-300)
        old = _wide(order[place])
        change = 0.0
        if is_new:
            change = _price(orbits, size, literals, spare, prices)
            change -= _price(orbits, size, literals, old, prices)
            if change > 0 and price + change > cap:
                continue
            version[spare] += 1
        _move(order, place, to)
        if is_new:
            order[to] = spare
        new, new_wrong = errors(a, t, weights, other_bad, silence, limit)
        if new > limit:
            order[to] = old
            _move(order, to, place)
            continue
        if is_new:
            spare = old
            order[rules] = spare
            price += change
        cost, wrong = new, new_wrong
        bad, other_bad = other_bad, bad
        if cost < best - 1e-9:
            best = cost
            idle = 0
    return -1
