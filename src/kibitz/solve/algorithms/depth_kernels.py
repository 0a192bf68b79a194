"""Native loops of `depth`: look one ply further ahead, and find the best moves."""

from __future__ import annotations

from typing import Any

from kibitz.native import native

__all__ = ["back_up", "mark_best"]

Array = Any


@native
def _best(target: Array, values: Array, first: int, last: int, is_second: bool) -> Any:
    """Return the best value that edges lead to, for the first or the second role."""
    best = values[target[first]]
    for edge in range(first + 1, last):
        here = values[target[edge]]
        if (here < best) == is_second and here != best:
            best = here
    return best


@native
def back_up(
    first_edge: Array,
    target: Array,
    turn: Array,
    limit: int,
    values: Array,
    result: Array,
    start: int,
    stop: int,
) -> None:
    """Value states from `start` to `stop` by their successors' values, ends by their goals.

    Values beyond `limit` are ends, and lose one for each ply of distance.
    """
    for state in range(start, stop):
        first, last = first_edge[state], first_edge[state + 1]
        if first == last:
            result[state] = values[state]
            continue
        best = _best(target, values, first, last, turn[state] == 1)
        if best > limit:
            best -= 1
        elif best < -limit:
            best += 1
        result[state] = best


@native
def mark_best(
    first_edge: Array,
    target: Array,
    turn: Array,
    values: Array,
    chosen: Array,
    start: int,
    stop: int,
) -> None:
    """Mark the edges that lead to the best value for whoever is to move."""
    for state in range(start, stop):
        first, last = first_edge[state], first_edge[state + 1]
        if first == last:
            continue
        best = _best(target, values, first, last, turn[state] == 1)
        for edge in range(first, last):
            chosen[edge] = values[target[edge]] == best
