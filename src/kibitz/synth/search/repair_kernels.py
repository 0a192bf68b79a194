"""Loops of `repair` over decision states, compiled by numba; import this where it is needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.native import native

__all__ = ["count_errors", "follow_list"]

Numbers = npt.NDArray[Any]


@native
def follow_list(
    order: Numbers,
    rows: Numbers,
    applies: Numbers,
    errs: Numbers,
    first: Numbers,
    correct: Numbers,
    all_correct: Numbers,
    succ_first: Numbers,
    succ: Numbers,
    roots: Numbers,
    parent: Numbers,
    bad: Numbers,
    most: int,
) -> int:
    """Play by a list from the start; return in how many states it errs, up to `most`.

    `parent` gets, for each state that is met, the one that led to it, and `bad` the states in
    which the list errs, nearest first. Nothing after an error counts.
    """
    states = len(first) - 1
    for state in range(states):
        parent[state] = -2
    queue = np.empty(states, dtype=np.int32)
    count = 0
    for root in roots:
        if parent[root] == -2:
            parent[root] = -1
            queue[count] = root
            count += 1
    at = 0
    found = 0
    while at < count:
        state = queue[at]
        at += 1
        rule = -1
        for number in order:
            if applies[number, state]:
                rule = number
                break
        if (rule < 0 and not all_correct[state]) or (rule >= 0 and errs[rule, state]):
            bad[found] = state
            found += 1
            if found >= most:
                return found
            continue
        for edge in range(first[state], first[state + 1]):
            if rule < 0 or rows[rule, edge]:
                for place in range(succ_first[edge], succ_first[edge + 1]):
                    to = succ[place]
                    if parent[to] == -2:
                        parent[to] = state
                        queue[count] = to
                        count += 1
    return found


@native
def count_errors(order: Numbers, applies: Numbers, errs: Numbers, all_correct: Numbers) -> int:
    """Count the decision states in which a list errs, whether it leads there or not."""
    found = 0
    for state in range(len(all_correct)):
        rule = -1
        for number in order:
            if applies[number, state]:
                rule = number
                break
        if (rule < 0 and not all_correct[state]) or (rule >= 0 and errs[rule, state]):
            found += 1
    return found
