"""A game whose roles choose at the same time: what rules can ask there, and what moves are worth.

Plain tree search knows no such games. What a move is worth is the mean of random matches after it,
whatever the others choose, each of their moves with the same chance.
"""

from __future__ import annotations

import numpy as np

from kibitz.engine import Blocks, CompiledGame, Role
from kibitz.measured.candidates import Terms
from kibitz.measured.players import Ranking
from kibitz.measured.positions import LONGEST, Choices, Positions
from kibitz.policy import play_matches

__all__ = ["terms_by_gates", "values_at_random"]

_PLAYOUTS, _FEWEST, _MOST = 200_000, 4, 64
"""About how many random matches give the moves of a role their values, and after each move."""


def terms_by_gates(terms: Terms) -> Terms:
    """Return what is asked by gates: a look at the states that follow is for one role's moves."""
    players = list(terms.players.values())
    part = Terms(players)
    part.conditions = tuple(
        name
        for name in terms.conditions
        if all(isinstance(p.conditions[name], tuple) for p in players)
    )
    part.preferences = tuple(
        name
        for name in terms.preferences
        if all(isinstance(p.preferences[name], Ranking) for p in players)
    )
    return part


def values_at_random(game: CompiledGame, role: Role, positions: Positions, *, seed: int) -> Choices:
    """Return what each legal move of a role is worth where all that follows is random.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("roshambo"))
    >>> start = Positions.alone(game, Blocks(game).initial())
    >>> values = values_at_random(game, "player1", start, seed=1).values
    >>> len(values), bool((abs(values - 0.5) < 0.1).all())
    (3, True)
    """
    index = game.roles.index(role)
    children = Blocks(game).expand(positions.rows)
    joints = len(children.states)
    times = int(np.clip(_PLAYOUTS / joints, _FEWEST, _MOST))
    starts = np.repeat(children.states, times, axis=0)
    goals = play_matches(game, {}, len(starts), seed=seed, longest=LONGEST, starts=starts).of(role)
    means = np.where(np.isnan(goals), 50.0, goals).reshape(joints, times).mean(axis=1) / 100
    pairs = np.stack([children.parents.astype(np.int64), children.joint[:, index]], axis=1)
    kept, place, count = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    values = np.bincount(place.ravel(), weights=means) / count
    first = np.searchsorted(kept[:, 0], np.arange(len(positions) + 1))
    return Choices(
        index, positions.rows, positions.last, first, kept[:, 1], values,
        positions.met.astype(np.float64),
    )  # fmt: skip
