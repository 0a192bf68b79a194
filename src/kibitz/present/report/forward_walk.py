"""Follow play forwards through a space: how long it lasts, where it comes by, how it ends.

Chances for the edges of a space make a Markov chain of it. The chance to be in each state is
carried from one move to the next until all matches have ended, which is exact up to rounding; only
where play can cycle is it broken off, and then the share of matches that are left is reported.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.space import StateId, StateSpace, edges_of, longest_matches

__all__ = ["Chances", "ForwardWalk", "anyhow", "count_matches", "walk_forward"]

Chances = npt.NDArray[np.float64]
"""For each edge of a space the chance that it is taken in the state that it leaves."""

MOST_LOOKS = 100_000_000
"""Edges that are followed, each as often as a match may come to it, before it is broken off."""
_MOST_MOVES = 20_000
_MANY_MOVES = 500
"""After this many moves, play that cannot end any more is not followed."""
_NOTHING = 1e-9


@dataclass(frozen=True, eq=False)
class ForwardWalk:
    """How play went from a state: `lengths[n]` of all matches ended after n moves.

    `visits` says how often a match comes to each state on average, and `rest` how many matches
    were still going on when they were broken off.
    """

    space: StateSpace
    lengths: Chances
    visits: Chances
    rest: float

    @property
    def is_whole(self) -> bool:
        """Whether all matches have ended, but for so few that they make no difference."""
        return self.rest < _NOTHING

    @property
    def shortest(self) -> int | None:
        """The moves of the shortest match; None if none ended."""
        ended = np.flatnonzero(self.lengths)
        return int(ended[0]) if len(ended) else None

    @property
    def longest(self) -> int | None:
        """The moves of the longest match; None if a match need not end."""
        ended = np.flatnonzero(self.lengths)
        return int(ended[-1]) if len(ended) and self.rest == 0 else None

    @property
    def mean(self) -> float | None:
        """The moves of a match on average; None if not all ended."""
        numbers = np.arange(len(self.lengths))
        return float(self.lengths @ numbers) if self.is_whole else None

    @property
    def ends(self) -> npt.NDArray[np.int64]:
        """The states in which matches ended."""
        over = np.diff(self.space.first_edge) == 0
        return np.flatnonzero(over & (self.visits > 0))


def anyhow(space: StateSpace) -> Chances:
    """Give every edge of a state the same chance: each role picks any of its moves.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> anyhow(explore(CompiledGame(load_sheet("nim:2")))).tolist()
    [0.5, 0.5, 1.0]
    """
    moves = np.diff(space.first_edge)
    return np.repeat(1.0 / np.maximum(moves, 1), moves)


def walk_forward(
    space: StateSpace, chances: Chances, *, start: StateId = 0, most_looks: int = MOST_LOOKS
) -> ForwardWalk:
    """Follow play from a state, with a chance for every edge.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("nim:2")))
    >>> found = walk_forward(space, anyhow(space))
    >>> found.lengths.tolist(), found.mean
    ([0.0, 0.5, 0.5], 1.5)
    """
    states = np.array([start], dtype=np.int64)
    weights: Chances = np.ones(1)
    visits = np.zeros(len(space))
    lengths: list[float] = []
    looks = 0
    ending = np.ones(len(space), dtype=bool)
    while len(states) and len(lengths) <= _MOST_MOVES and looks <= most_looks:
        if len(lengths) == _MANY_MOVES:
            ending = _can_end(space, chances)
        if len(lengths) >= _MANY_MOVES and not ending[states].any():
            break  # What is left cycles forever.
        visits[states] += weights
        sizes = space.first_edge[states + 1] - space.first_edge[states]
        lengths.append(float(weights[sizes == 0].sum()))
        edges, _ = edges_of(space.first_edge, states)
        looks += len(edges)
        weight: Chances = np.repeat(weights, sizes) * chances[edges]
        taken = weight > 0
        targets, weight = space.target[edges[taken]].astype(np.int64), weight[taken]
        if not len(targets) or weight.sum() < _NOTHING**2:
            states, weights = targets, weight
            break
        low = int(targets.min())
        sums: Chances = np.bincount(targets - low, weights=weight).astype(np.float64)
        found = np.flatnonzero(sums)
        states, weights = found + low, sums[found]
    return ForwardWalk(
        space, np.array(lengths), visits, float(weights.sum()) if len(states) else 0.0
    )


def _can_end(space: StateSpace, chances: Chances) -> npt.NDArray[np.bool_]:
    """Mark the states from which play can end by edges that have a chance."""
    taken = np.flatnonzero(chances > 0)
    sizes = np.diff(space.first_edge)
    source, target = np.repeat(np.arange(len(space)), sizes)[taken], space.target[taken]
    ending: npt.NDArray[np.bool_] = sizes == 0
    before = -1
    while before < (before := int(ending.sum())):
        ending[source[ending[target]]] = True
    return ending


def count_matches(space: StateSpace) -> float | None:
    """Count the different matches; None where play can cycle.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> count_matches(explore(CompiledGame(load_sheet("tictactoe"))))
    255168.0
    """
    if longest_matches(space)[0] < 0:
        return None
    return float(walk_forward(space, np.ones(space.edges), most_looks=1 << 62).lengths.sum())
