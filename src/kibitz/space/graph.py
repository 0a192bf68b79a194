"""A StateSpace as a graph: subspaces, topological order, inverted edges, longest paths."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.space.space import StateSpace

__all__ = ["ends_first", "invert", "longest_matches", "subspace_from", "subspace_of"]

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]
StateIds = npt.NDArray[np.int64]


def subspace_from(space: StateSpace, starts: StateIds) -> tuple[StateSpace, StateIds]:
    """Keep some states and all that follow from them; return also the new numbers of all states.

    States and moves stay in their order, and layers are layers again. A state that is left out has
    a number that means nothing.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("tictactoe")))
    >>> subspace, number = subspace_from(space, np.array([1]))
    >>> len(subspace), int(number[1]), subspace.layers[:3], subspace.is_layered
    (1870, 0, (0, 1, 9), True)
    """
    from kibitz.space.graph_kernels import mark_following

    marks = np.zeros(len(space), dtype=bool)
    marks[starts] = True
    while mark_following(space.first_edge, space.target, marks):
        pass
    part = subspace_of(space, marks, np.ones(space.edges, dtype=bool))
    return part, np.cumsum(marks) - 1


def subspace_of(space: StateSpace, states: Bools, edges: Bools) -> StateSpace:
    """Keep some states, and those of their edges that are marked, all in their order.

    Every edge that is kept leads between states that are kept.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("nim:1,2")))
    >>> part = subspace_of(space, np.arange(len(space)) < 2, space.target == 1)
    >>> len(part), part.edges, part.layers
    (2, 1, (0, 1))
    """
    kept_edges = np.flatnonzero(edges & np.repeat(states, np.diff(space.first_edge)))
    kept = np.flatnonzero(states)
    number = np.cumsum(states) - 1
    # Edges up to the first of each state, counted with those of the states left out.
    before = np.searchsorted(kept_edges, space.first_edge[kept])
    layers = tuple(int(n) for n in np.searchsorted(kept, space.layers) if n < len(kept))
    # A space of a richer kind, such as one unfolded by the past, leaves a plain one.
    given = {f.name: getattr(space, f.name) for f in fields(StateSpace)}
    given |= {
        "states": space.states[kept],
        "first_edge": np.append(before, len(kept_edges)).astype(np.int64),
        "target": number[space.target[kept_edges]].astype(np.uint32),
        "action": space.action[kept_edges],
        "turn": space.turn[kept],
        "terminal": space.terminal[kept],
        "goals": space.goals[kept],
        "layers": tuple(dict.fromkeys(layers)),
    }
    return StateSpace(**given)


def ends_first(space: StateSpace, *, because: str) -> npt.NDArray[np.uint32]:
    """Number all states so that each comes after those that its moves lead to.

    Raise KibitzError, ending in `because`, if there is no such order: play can cycle.
    """
    if space.is_layered:
        return np.arange(len(space) - 1, -1, -1, dtype=np.uint32)
    from kibitz.space import graph_kernels

    first_back = np.zeros(len(space) + 1, dtype=np.uint64)
    back = np.empty(space.edges, dtype=np.uint32)
    graph_kernels.invert(space.first_edge, space.target, first_back, back)
    order = np.empty(len(space), dtype=np.uint32)
    if graph_kernels.order_backwards(space.first_edge, first_back, back, order) < len(space):
        raise KibitzError(f"in {space.game.sheet.name} play can cycle, and {because}")
    return order


def invert(first_edge: Numbers, target: Numbers, first_back: Numbers, back: Numbers) -> None:
    """Put the sources of the edges that lead to state s at `first_back[s]` to `first_back[s + 1]`.

    `first_back` is given as zeros, one more than there are states.
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


def longest_matches(space: StateSpace) -> npt.NDArray[np.int32]:
    """Return for each state the largest number of moves of a match from it; -1 if it need not end.

    Settles states from the ends backwards: one look at every edge for each move of the longest
    match.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> int(longest_matches(explore(CompiledGame(load_sheet("nim:1,2,4,5"))))[0])
    12
    >>> int(longest_matches(explore(CompiledGame(load_sheet("threemensmorris"))))[0])
    -1
    """
    sizes = np.diff(space.first_edge)
    length = np.where(sizes == 0, 0, -1).astype(np.int32)
    inner = np.flatnonzero(sizes)
    starts = space.first_edge[inner]
    while len(inner):
        after = length[space.target]
        settled = np.logical_and.reduceat(after >= 0, starts) & (length[inner] < 0)
        if not settled.any():
            break
        longest = np.maximum.reduceat(after, starts)
        length[inner[settled]] = longest[settled] + 1
    return length
