"""A StateSpace as a graph: subspaces, topological order, inverted edges, longest paths."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.errors import KibitzError
from kibitz.space.space import StateSpace

__all__ = [
    "ends_first",
    "graph_of",
    "invert",
    "longest_matches",
    "order_backwards",
    "subspace_from",
    "subspace_of",
]

Bools = npt.NDArray[np.bool_]
StateIds = npt.NDArray[np.int64]
States = npt.NDArray[np.uint32]


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
    marks = np.zeros(len(space), dtype=bool)
    marks[starts] = True
    graph = graph_of(space)
    while core.function("graph_mark_following")(graph, marks):
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
    first_back, back = invert(space)
    order = order_backwards(graph_of(space), first_back, back)
    if len(order) < len(space):
        raise KibitzError(f"in {space.game.sheet.name} play can cycle, and {because}")
    return order


def order_backwards(graph: Struct, first_back: StateIds, back: States) -> States:
    """Return the states, each after those that it leads to; those that play can cycle to are left
    out.
    """
    order, left = np.empty((2, graph.states), dtype=np.uint32)
    size = core.function("graph_order_backwards")(graph, first_back, back, left, order)
    found: States = order[:size]
    return found


def invert(space: StateSpace) -> tuple[StateIds, States]:
    """Return the sources of the edges that lead to state s, from the s-th number to the next one.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> [found.tolist() for found in invert(explore(CompiledGame(load_sheet("nim:2"))))]
    [[0, 0, 1, 2, 3], [0, 0, 2]]
    """
    first_back = np.zeros(len(space) + 1, dtype=np.int64)
    back = np.empty(space.edges, dtype=np.uint32)
    core.function("graph_invert")(graph_of(space), first_back, back)
    return first_back, back


def graph_of(space: StateSpace) -> Struct:
    """Return what native loops take for a space."""
    return Struct("graph", first_edge=space.first_edge, target=space.target, states=len(space))


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
