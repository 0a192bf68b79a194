"""Native loops over states: count threats, chances of winning, and sampled plays."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.native import native

__all__ = [
    "can_reach",
    "chances_down",
    "chances_in_order",
    "chances_of_layer",
    "count_fixed",
    "count_narrow",
    "count_wide",
    "play",
]

Array = Any
Chain = tuple[Any, Any, Any, int, Any, float, Any, float]
"""First edges, targets and turns of a space; the role, the moves that it and the others pick from,
each with a chance of slips."""


@native
def count_narrow(
    states: Array, care: Array, want: Array, sign: int, result: Array, start: int, stop: int
) -> None:
    """Add the number of threats that hold in states of one word to the result."""
    for state in range(start, stop):
        row = states[state, 0]
        count = 0
        for i in range(len(care)):
            count += (row & care[i]) == want[i]
        result[state] += sign * count


@native
def count_wide(
    states: Array,
    care: Array,
    want: Array,
    some: Array,
    first: Array,
    sign: int,
    result: Array,
    start: int,
    stop: int,
) -> None:
    """Add the number of threats that hold in states of any width to the result.

    Threat i asks for a bit of each row of `some` from `first[i]` to `first[i + 1]`.
    """
    words = states.shape[1]
    for state in range(start, stop):
        count = 0
        for i in range(len(care)):
            holds = True
            for word in range(words):
                if (states[state, word] & care[i, word]) != want[i, word]:
                    holds = False
                    break
            for row in range(first[i], first[i + 1]):
                if not holds:
                    break
                holds = False
                for word in range(words):
                    holds |= (states[state, word] & some[row, word]) != 0
            count += holds
        result[state] += sign * count


@native
def count_fixed(states: Array, tables: Array, result: Array, start: int, stop: int) -> None:
    """Add to the result how many images equal the state itself.

    `tables[image, byte, value]` is the image of the value of a state's byte.
    """
    images, size, _, words = tables.shape
    moved = np.zeros(words, dtype=np.uint64)
    for state in range(start, stop):
        for image in range(images):
            moved[:] = 0
            for byte in range(size):
                value = states[state, byte >> 3] >> np.uint64(8 * (byte & 7)) & np.uint64(255)
                for word in range(words):
                    moved[word] |= tables[image, byte, value, word]
            is_same = True
            for word in range(words):
                is_same &= moved[word] == states[state, word]
            result[state] += is_same


@native
def _chance(chain: Chain, chance: Array, state: int) -> Any:
    """Return the mean chance of a state's successors, as the role to move picks them."""
    first_edge, target, turn, role, own, own_slip, other, other_slip = chain
    chosen, slip = (own, own_slip) if turn[state] == role else (other, other_slip)
    first, last = first_edge[state], first_edge[state + 1]
    total = 0.0
    some = 0.0
    count = 0
    for edge in range(first, last):
        here = chance[target[edge]]
        total += here
        if chosen[edge]:
            some += here
            count += 1
    every = total / (last - first)
    if count == 0:
        return every
    if slip == 0.0:
        return some / count
    return (1.0 - slip) * (some / count) + slip * every


@native
def chances_of_layer(chain: Chain, chance: Array, start: int, stop: int) -> None:
    """Give states of a layer the mean chance of their successors, which are in later layers."""
    first_edge = chain[0]
    for state in range(start, stop):
        if first_edge[state] < first_edge[state + 1]:
            chance[state] = _chance(chain, chance, state)


@native
def chances_in_order(chain: Chain, chance: Array, order: Array) -> None:
    """Give states the mean chance of their successors, which come before them in the order."""
    first_edge = chain[0]
    for index in range(len(order)):
        state = order[index]
        if first_edge[state] < first_edge[state + 1]:
            chance[state] = _chance(chain, chance, state)


@native
def chances_down(chain: Chain, chance: Array, is_open: Array) -> None:
    """Give open states the mean chance of their successors, from last to first, in place."""
    for state in range(len(is_open) - 1, -1, -1):
        if is_open[state]:
            chance[state] = _chance(chain, chance, state)


@native
def can_reach(chain: Chain, marks: Array) -> bool:
    """Mark states from which play can lead to marked ones; return whether any is new."""
    first_edge, target, turn, role, own, own_slip, other, other_slip = chain
    is_new = False
    for state in range(len(marks) - 1, -1, -1):
        first, last = first_edge[state], first_edge[state + 1]
        if marks[state] or first == last:
            continue
        chosen, slip = (own, own_slip) if turn[state] == role else (other, other_slip)
        some = False
        for edge in range(first, last):
            some |= chosen[edge]
        every = not some or slip > 0.0
        for edge in range(first, last):
            if marks[target[edge]] and (every or chosen[edge]):
                marks[state] = True
                is_new = True
    return is_new


@native
def _draw(state: Array) -> Any:
    """Draw 64 random bits (SplitMix64; Steele, Lea and Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@native
def play(
    chain: Chain,
    is_won: Array,
    begins: Array,
    rounds: Array,
    plays: int,
    seed: int,
    most_plies: int,
    wins: Array,
    start: int,
    stop: int,
) -> None:
    """Play from states `begins[start:stop]`, `plays` times each; count the role's wins.

    The random numbers for a state depend only on the seed, the state and the number of its round.
    """
    first_edge, target, turn, role, own, own_slip, other, other_slip = chain
    random = np.zeros(1, dtype=np.uint64)
    for index in range(start, stop):
        random[0] = np.uint64(seed) * np.uint64(0x632BE59BD9B4E019) + np.uint64(begins[index])
        random[0] += np.uint64(rounds[index]) * np.uint64(0xD1B54A32D192ED03)
        _draw(random)
        for _ in range(plays):
            state = begins[index]
            for _ in range(most_plies):
                first, last = first_edge[state], first_edge[state + 1]
                if first == last:
                    break
                chosen, slip = (own, own_slip) if turn[state] == role else (other, other_slip)
                count = 0
                for edge in range(first, last):
                    count += chosen[edge]
                if slip > 0.0 and (_draw(random) >> np.uint64(11)) * 2.0**-53 < slip:
                    count = 0
                size = np.uint64(count if count else last - first)
                # Multiplying the upper half keeps the bias below 2^-32 times the moves.
                rank = np.int64(((_draw(random) >> np.uint64(32)) * size) >> np.uint64(32))
                for edge in range(first, last):
                    if count == 0 or chosen[edge]:
                        if rank == 0:
                            state = target[edge]
                            break
                        rank -= 1
            wins[index] += is_won[state]
