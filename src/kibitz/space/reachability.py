"""A StateSpace and some of its edges in, the states that these lead to out, nearest first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.engine import Move
from kibitz.space.graph import graph_of
from kibitz.space.space import StateId, StateSpace

__all__ = ["Reach", "edges_of", "path_of", "reachable_under"]

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Reach:
    """The states that play can reach if only some edges may be taken, nearest first."""

    space: StateSpace
    order: Numbers
    seen: Bools
    arrival: Numbers
    """For each state reached, the edge that it was first reached by; -1 for the first."""

    def path(self, state: StateId) -> list[int]:
        """Return the edges of a shortest path to a state."""
        edges: list[int] = []
        while (edge := int(self.arrival[state])) >= 0:
            edges.append(edge)
            state = int(np.searchsorted(self.space.first_edge, edge, side="right")) - 1
        return edges[::-1]

    def moves_to(self, state: StateId) -> list[tuple[Move, ...]]:
        """Return the joint moves of a shortest path to a state."""
        space = self.space
        return [space.joint_moves[space.action[edge]] for edge in self.path(state)]


def reachable_under(space: StateSpace, allowed: Bools | None = None) -> Reach:
    """Find what can be reached from the first state by allowed edges, all if none are given.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("nim:1,2")))
    >>> len(reachable_under(space).order), len(reachable_under(space, space.target == 1).order)
    (8, 2)
    """
    seen = np.zeros(len(space), dtype=bool)
    arrival = np.full(len(space), -1, dtype=np.int64)
    if allowed is None:
        allowed = np.ones(space.edges, dtype=bool)
    nearest = np.empty(len(space), dtype=np.int64)
    follow = core.function("graph_follow")
    count = follow(graph_of(space), allowed, seen, arrival, nearest)
    return Reach(space, nearest[:count], seen, arrival)


def path_of(space: StateSpace, joints: Iterable[tuple[Move, ...]]) -> list[StateId]:
    """Return the states that joint moves lead to one after another, from the first on.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("nim:1,2")))
    >>> path_of(space, [space.moves(0)[1][0]])
    [0, 2]
    """
    path = [0]
    for joint in joints:
        path.append(next(to for made, to in space.moves(path[-1]) if made == joint))
    return path


def edges_of(first_edge: Numbers, states: Numbers) -> tuple[Numbers, Numbers]:
    """Return the edges of states in their order, and where those of each state begin.

    >>> [found.tolist() for found in edges_of(np.array([0, 2, 2, 5]), np.array([2, 0]))]
    [[2, 3, 4, 0, 1], [0, 3]]
    """
    begin, end = first_edge[states], first_edge[states + 1]
    sizes = end - begin
    starts = np.cumsum(sizes) - sizes
    edges = np.repeat(begin - starts, sizes) + np.arange(int(sizes.sum()))
    return edges, starts
