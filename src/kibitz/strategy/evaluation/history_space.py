"""StateSpace in; out one whose states also know the last moves that led to them.

A strategy that refers to the past can choose differently in one state, depending on how play got
there. A space unfolded once has a state for each edge of the original space, which stands for the
edge's target as reached by it, and one for the start. Unfolding again adds one more move.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from kibitz.errors import BudgetExceededError
from kibitz.space import StateSpace

__all__ = ["UnfoldedSpace", "depth_of", "root_of", "unfold"]

Numbers = npt.NDArray[np.int64]

MOST_EDGES = 200_000_000


@dataclass(frozen=True)
class UnfoldedSpace(StateSpace):
    """A space whose states know the last move. State 1 + e is the target of edge e of `base`."""

    base: StateSpace
    origin: Numbers
    """For each state, the state of the original space that it stands for."""
    origin_edge: Numbers
    """For each edge, the edge of the original space that it stands for."""


def depth_of(space: StateSpace) -> int:
    """Return how many moves back the states of a space know."""
    return 1 + depth_of(space.base) if isinstance(space, UnfoldedSpace) else 0


def root_of(space: StateSpace) -> StateSpace:
    """Return the original space."""
    return root_of(space.base) if isinstance(space, UnfoldedSpace) else space


def unfold(space: StateSpace, depth: int) -> StateSpace:
    """Return a space whose states know at least `depth` moves; the same object each time.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("nim:2")))
    >>> len(space), space.edges, len(unfold(space, 1))
    (4, 3, 4)
    """
    while depth_of(space) < depth:
        kept = vars(space)
        if "_unfolded" not in kept:
            kept["_unfolded"] = _once(space)
        space = kept["_unfolded"]
    return space


def _once(space: StateSpace) -> UnfoldedSpace:
    space.require_all_states("a strategy that refers to the past")
    before = np.concatenate([np.zeros(1, dtype=np.int64), space.target.astype(np.int64)])
    sizes = np.diff(space.first_edge)[before]
    if int(sizes.sum()) > MOST_EDGES:
        raise BudgetExceededError(
            f"{space.game.sheet.name} has too many moves to distinguish its states by the past"
        )
    first_edge = np.zeros(len(before) + 1, dtype=np.int64)
    np.cumsum(sizes, out=first_edge[1:])
    edges = np.repeat(space.first_edge[before] - first_edge[:-1], sizes)
    edges += np.arange(len(edges))
    origin, origin_edge = before, edges
    if isinstance(space, UnfoldedSpace):
        origin, origin_edge = space.origin[before], space.origin_edge[edges]
    given = {f.name: getattr(space, f.name) for f in fields(StateSpace)}
    given |= {
        "states": space.states[before],
        "first_edge": first_edge,
        "target": (1 + edges).astype(np.uint32),
        "action": space.action[edges],
        "turn": space.turn[before],
        "terminal": space.terminal[before],
        "goals": space.goals[before],
        "layers": (0, *(1 + int(space.first_edge[state]) for state in space.layers)),
    }
    return UnfoldedSpace(**given, base=space, origin=origin, origin_edge=origin_edge)
