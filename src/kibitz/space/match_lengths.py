"""How long matches can be: the longest path through a StateSpace."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.space.space import StateSpace

__all__ = ["longest_matches"]


def longest_matches(space: StateSpace) -> npt.NDArray[np.int32]:
    """Give for each state the moves a match from it can have at most; -1 if it need not end.

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
