"""Which moves of a Solution keep the value, and which make progress: one truth value an edge."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.solve.algorithms.retrograde import Solution
from kibitz.space import StateSpace, graph_of

__all__ = ["edge_sources", "keeping_edges", "progress_edges"]

Marks = npt.NDArray[np.bool_]


def edge_sources(space: StateSpace) -> npt.NDArray[np.uint32]:
    """Return the state that each edge leaves.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> [int(state) for state in edge_sources(explore(CompiledGame(load_sheet("nim:2"))))]
    [0, 0, 2]
    """
    source = np.empty(space.edges, dtype=np.uint32)
    core.function("graph_sources")(graph_of(space), source)
    return source


def keeping_edges(solution: Solution) -> Marks:
    """Mark the edges that keep the value of the state they leave, for the role that moves.

    Every state that is not an end has one. In a game with cycles a player who only plays these may
    cycle forever; see `progress_edges`.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> [bool(mark) for mark in keeping_edges(solve(explore(CompiledGame(load_sheet("nim:2")))))]
    [True, False, True]
    """
    space = solution.space
    marks = np.empty(space.edges, dtype=np.bool_)
    core.function("graph_mark_keeping")(graph_of(space), solution.value, None, 0, marks)
    return marks


def progress_edges(solution: Solution) -> Marks:
    """Mark the best edges: those that keep the value and make progress.

    A role that is ahead comes one ply nearer to the end, and a role that is behind stays as far
    from it as possible. At the middle value there is no progress to make, so every edge that keeps
    it is marked.
    """
    space = solution.space
    marks = np.empty(space.edges, dtype=np.bool_)
    keeping = solution.value, solution.distance, solution.middle
    core.function("graph_mark_keeping")(graph_of(space), *keeping, marks)
    return marks
