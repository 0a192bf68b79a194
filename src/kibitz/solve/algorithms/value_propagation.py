"""Spread values backwards along edges, through a queue.

These are plain functions for up to a few thousand edges; `kibitz.solve.algorithms.kernels` has them
compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["UNKNOWN", "count_open", "spread"]

Numbers = npt.NDArray[Any]

UNKNOWN = 255
"""The value of states that have none yet."""
_LONGEST = 0xFFFE


def count_open(
    first_edge: Numbers, target: Numbers, value: Numbers, distance: Numbers, middle: int
) -> Numbers:
    """Count the edges of each state to states that have no value, or that end with the middle."""
    result = np.zeros(len(value), dtype=np.uint32)
    for state in range(len(value)):
        if value[state] == UNKNOWN:
            for edge in range(first_edge[state], first_edge[state + 1]):
                to = target[edge]
                if value[to] == UNKNOWN or (value[to] == middle and distance[to] == 0):
                    result[state] += 1
    return result


def spread(
    queue: Numbers,
    size: int,
    first_back: Numbers,
    back: Numbers,
    wants: Numbers,
    left: Numbers,
    value: Numbers,
    distance: Numbers,
) -> bool:
    """Spread the value of the first `size` states in the queue to all from which it can be forced.

    States enter the queue in the order of their distance. One whose mover wants the value gets it
    with the first of its edges, others with the last, which `left` counts down to. False if a
    distance is too long to store.
    """
    done = 0
    while done < size:
        state = queue[done]
        done += 1
        for index in range(first_back[state], first_back[state + 1]):
            source = back[index]
            if value[source] != UNKNOWN:
                continue
            if not wants[source]:
                left[source] -= 1
                if left[source] > 0:
                    continue
            if distance[state] >= _LONGEST:
                return False
            value[source] = value[state]
            distance[source] = distance[state] + 1
            queue[size] = source
            size += 1
    return True
