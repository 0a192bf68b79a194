"""Positions in; out how soon a role wins each: all of their play for a few plies, in blocks.

Where a call for one position costs as much as one for hundreds, looking at everything at once is
faster than a search that leaves most of it out. It says which positions are worth a search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.engine import Blocks

__all__ = ["ShortWins", "short_wins"]

NEVER = 1_000
"""More plies than were looked at."""

Plies = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ShortWins:
    """The plies until a role wins each position, how many of its moves win in time, and all.

    NEVER stands where it is no win within the plies that were looked at.
    """

    plies: Plies
    answers: Plies
    moves: Plies


def short_wins(
    blocks: Blocks,
    rows: npt.NDArray[np.uint64],
    role: int,
    plies: int,
    *,
    goal: int = 100,
    most: int,
) -> ShortWins | None:
    """Play on from each position in every way; None if more than `most` positions come of it.

    For two roles that take turns; the role has won where the first one's goal is `goal`.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> blocks = Blocks(CompiledGame(load_sheet("nim:1,2")))
    >>> found = short_wins(blocks, blocks.initial(), 0, 3, most=1000)
    >>> found.plies.tolist(), found.answers.tolist(), found.moves.tolist()
    ([3], [1], [3])
    """
    levels = [rows]
    parents: list[npt.NDArray[np.int64]] = []
    total = len(rows)
    for _ in range(plies):
        children = blocks.expand(levels[-1], stop_at_terminal=True)
        total += len(children.states)
        if total > most:
            return None
        levels.append(children.states)
        parents.append(children.parents)
    below = _won_now(blocks, levels[-1], goal)
    answers = moves = np.zeros(len(rows), dtype=np.int64)
    for states, up in zip(reversed(levels[:-1]), reversed(parents), strict=True):
        here = _won_now(blocks, states, goal)
        soonest = np.full(len(states), NEVER, dtype=np.int64)
        latest = np.zeros(len(states), dtype=np.int64)
        np.minimum.at(soonest, up, below + 1)
        np.maximum.at(latest, up, below + 1)
        other = blocks.legal(states, blocks.game.roles[1 - role]).sum(axis=1) > 1
        count = np.bincount(up, minlength=len(states))
        later = np.where(other, latest, soonest)
        found = np.where(count > 0, np.minimum(later, NEVER), here)
        in_time = below < NEVER
        answers = np.bincount(up, weights=in_time, minlength=len(states)).astype(np.int64)
        moves, below = count, found
    return ShortWins(below, answers, moves)


def _won_now(blocks: Blocks, states: npt.NDArray[np.uint64], goal: int) -> Plies:
    """Return 0 where play has ended with this goal of the first role, and NEVER elsewhere."""
    if not len(states):
        return np.zeros(0, dtype=np.int64)
    won = blocks.terminal(states) & (blocks.goals(states)[:, 0] == goal)
    return np.where(won, 0, NEVER).astype(np.int64)
