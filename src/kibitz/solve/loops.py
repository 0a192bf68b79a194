"""Loops over the flat arrays of a space, compiled by numba; import this where it is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba import njit

__all__ = ["mark_keeping", "mark_progress", "native", "write_sources"]

Loop = TypeVar("Loop", bound=Callable[..., Any])
Numbers = npt.NDArray[Any]


def native(loop: Loop) -> Loop:
    """Compile a loop when it is first called, and keep the code from one start to the next."""
    return cast(Loop, njit(cache=True, nogil=True)(loop))


@native
def write_sources(first_edge: Numbers, source: Numbers) -> None:
    """Write the state that each edge leaves."""
    for state in range(len(first_edge) - 1):
        for edge in range(first_edge[state], first_edge[state + 1]):
            source[edge] = state


@native
def mark_keeping(first_edge: Numbers, target: Numbers, value: Numbers, keeps: Numbers) -> None:
    """Mark edges between states of equal value."""
    for state in range(len(first_edge) - 1):
        here = value[state]
        for edge in range(first_edge[state], first_edge[state + 1]):
            keeps[edge] = value[target[edge]] == here


@native
def mark_progress(
    first_edge: Numbers,
    target: Numbers,
    value: Numbers,
    distance: Numbers,
    middle: int,
    marks: Numbers,
) -> None:
    """Mark edges between states of equal value that, unless it is the middle, come one ply on."""
    for state in range(len(first_edge) - 1):
        here = value[state]
        plies = np.int64(distance[state])
        for edge in range(first_edge[state], first_edge[state + 1]):
            to = target[edge]
            comes_on = here == middle or np.int64(distance[to]) + 1 == plies
            marks[edge] = comes_on and value[to] == here
