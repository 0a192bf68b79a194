"""A game whose roles choose at the same time: what rules can ask there, and what moves are worth.

Plain tree search knows no such games. What a move is worth is the mean of random matches after it,
whatever the others choose, each of their moves with the same chance.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kibitz.engine import Blocks, CompiledGame, Role
from kibitz.measured.candidates import Terms
from kibitz.measured.players import Ranking
from kibitz.measured.positions import LONGEST, Choices, Positions, states_after, unvalued
from kibitz.policy import match_rows, play_matches

_PLAYOUTS, _FEWEST, _MOST = 200_000, 4, 64
"""About how many random matches give the moves of a role their values, and after each move."""
_WATCHED = 16
"""Random matches in which it is seen whether several choose at a time."""


def choose_together(game: CompiledGame) -> bool:
    """Return whether several roles choose at a time in some state of a few random matches.

    >>> from kibitz.games import load_sheet
    >>> choose_together(CompiledGame(load_sheet("roshambo")))
    True
    """
    if len(game.roles) == 1:
        return False
    blocks = Blocks(game)
    played = play_matches(game, {}, _WATCHED, longest=LONGEST, threads=1, record=True)
    for line in match_rows(game, played):
        rows = np.stack(line)
        choosing = sum(
            (blocks.legal(rows, role).sum(axis=1) > 1).astype(int) for role in game.roles
        )
        if (choosing > 1).any():
            return True
    return False


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
    choices = unvalued(game, role, positions)
    count = max(1, len(choices.moves))
    times = int(np.clip(_PLAYOUTS / count, _FEWEST, _MOST))
    starts = states_after(game, choices, times=times, seed=seed)
    goals = play_matches(game, {}, len(starts), seed=seed, longest=LONGEST, starts=starts).of(role)
    values = np.where(np.isnan(goals), 50.0, goals).reshape(count, times).mean(axis=1) / 100
    return replace(choices, values=values)
