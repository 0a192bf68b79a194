"""A StateSpace as a graph: subspaces, topological order, inverted edges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.space.space import StateSpace

__all__ = ["ends_first", "invert", "subspace_from"]

Numbers = npt.NDArray[Any]
StateIds = npt.NDArray[np.int64]


def subspace_from(space: StateSpace, starts: StateIds) -> tuple[StateSpace, StateIds]:
    """Keep some states and all that follow from them; give the new numbers of all states as well.

    States and moves stay in their order, and layers are layers again. A state that is left out has
    a number that means nothing.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("tictactoe")))
    >>> part, number = subspace_from(space, np.array([1]))
    >>> len(part), int(number[1]), part.layers[:3], part.is_layered
    (1870, 0, (0, 1, 9), True)
    """
    from kibitz.space.graph_kernels import mark_following

    marks = np.zeros(len(space), dtype=bool)
    marks[starts] = True
    while mark_following(space.first_edge, space.target, marks):
        pass
    number = np.cumsum(marks) - 1
    sizes = np.diff(space.first_edge)
    is_kept = np.repeat(marks, sizes)
    count = int(number[-1]) + 1
    layers = {int(number[start]) + (not marks[start]) for start in space.layers}
    part = replace(
        space,
        states=space.states[marks],
        first_edge=np.concatenate([[0], np.cumsum(sizes[marks])]).astype(np.int64),
        target=number[space.target[is_kept]].astype(np.uint32),
        action=space.action[is_kept],
        turn=space.turn[marks],
        terminal=space.terminal[marks],
        goals=space.goals[marks],
        layers=tuple(sorted(start for start in layers if start < count)),
    )
    return part, number


def ends_first(space: StateSpace, *, because: str) -> npt.NDArray[np.uint32]:
    """Number all states so that each comes after those that its moves lead to.

    Raise KibitzError, ending in `because`, if there is no such order: play can go round in circles.
    """
    if space.is_layered:
        return np.arange(len(space) - 1, -1, -1, dtype=np.uint32)
    from kibitz.space import graph_kernels

    first_back = np.zeros(len(space) + 1, dtype=np.uint64)
    back = np.empty(space.edges, dtype=np.uint32)
    graph_kernels.invert(space.first_edge, space.target, first_back, back)
    order = np.empty(len(space), dtype=np.uint32)
    if graph_kernels.order_backwards(space.first_edge, first_back, back, order) < len(space):
        raise KibitzError(f"in {space.game.sheet.name} play can go round in circles, and {because}")
    return order


def invert(first_edge: Numbers, target: Numbers, first_back: Numbers, back: Numbers) -> None:
    """Put the sources of the edges that lead to state s at `first_back[s]` to `first_back[s + 1]`.

    `first_back` comes as zeros, one more than there are states.
    """
    states = len(first_edge) - 1
    for edge in range(len(target)):
        first_back[target[edge]] += 1
    end = 0
    for state in range(states + 1):
        end += first_back[state]
        first_back[state] = end
    # From the last edge to the first, so that ends become beginnings.
    for before in range(states):
        source = states - 1 - before
        for edge in range(first_edge[source], first_edge[source + 1]):
            place = first_back[target[edge]] - 1
            first_back[target[edge]] = place
            back[place] = source
