"""Loops over the edges of a space, compiled by numba; import this where it is needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.native import native
from kibitz.space import graph

__all__ = ["follow", "invert", "mark_following", "order_backwards", "write_sources"]

Numbers = npt.NDArray[Any]


invert = native(graph.invert)


@native
def write_sources(first_edge: Numbers, source: Numbers) -> None:
    """Write the state that each edge leaves."""
    for state in range(len(first_edge) - 1):
        for edge in range(first_edge[state], first_edge[state + 1]):
            source[edge] = state


@native
def mark_following(first_edge: Numbers, target: Numbers, marks: Numbers) -> bool:
    """Mark the states that follow from marked ones; return whether another pass is needed."""
    is_new = False
    for state in range(len(marks)):
        if marks[state]:
            for edge in range(first_edge[state], first_edge[state + 1]):
                to = target[edge]
                is_new |= to < state and not marks[to]
                marks[to] = True
    return is_new


@native
def order_backwards(first_edge: Numbers, first_back: Numbers, back: Numbers, order: Numbers) -> int:
    """Write states so that each comes after all it leads to; return how many can be ordered."""
    states = len(first_edge) - 1
    left = np.empty(states, dtype=np.uint32)
    size = 0
    for state in range(states):
        left[state] = first_edge[state + 1] - first_edge[state]
        if left[state] == 0:
            order[size] = state
            size += 1
    done = 0
    while done < size:
        state = order[done]
        done += 1
        for index in range(first_back[state], first_back[state + 1]):
            source = back[index]
            left[source] -= 1
            if left[source] == 0:
                order[size] = source
                size += 1
    return size


@native
def follow(
    first_edge: Numbers,
    target: Numbers,
    allowed: Numbers,
    seen: Numbers,
    arrival: Numbers,
    order: Numbers,
) -> int:
    """Write the states that allowed edges lead to from state 0, nearest first; count them."""
    seen[0] = True
    order[0] = 0
    count = 1
    done = 0
    while done < count:
        state = order[done]
        done += 1
        for edge in range(first_edge[state], first_edge[state + 1]):
            after = target[edge]
            if allowed[edge] and not seen[after]:
                seen[after] = True
                arrival[after] = edge
                order[count] = after
                count += 1
    return count
