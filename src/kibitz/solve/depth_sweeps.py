"""Native loops of `depth`: look one ply further ahead, and find the best moves."""

from __future__ import annotations

from typing import Any

from kibitz.solve.loops import native

__all__ = ["back_up", "mark_best"]

Array = Any


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
    """Value states from `start` to `stop` by their successors' values, ends by their own.

    Values beyond `limit` are ends, and lose one for the ply that they are further away.
    """
    for state in range(start, stop):
        first, last = first_edge[state], first_edge[state + 1]
        if first == last:
            result[state] = values[state]
            continue
        best = values[target[first]]
        if turn[state] == 1:
            for edge in range(first + 1, last):
                best = min(best, values[target[edge]])
        else:
            for edge in range(first + 1, last):
                best = max(best, values[target[edge]])
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
        best = values[target[first]]
        if turn[state] == 1:
            for edge in range(first + 1, last):
                best = min(best, values[target[edge]])
        else:
            for edge in range(first + 1, last):
                best = max(best, values[target[edge]])
        for edge in range(first, last):
            chosen[edge] = values[target[edge]] == best
