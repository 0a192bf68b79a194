"""Winning sets of a StateSpace: the states in which a role can force a win in j more rounds.

After paper 003, section 3. For a role, EPre(X) are the states in which it is to move and one of
its moves leads to X; APre(X) those in which it is not, and every move leads to X. A round is a
move of the role and what the others answer.

- *paper* is what the paper's procedure gives as printed. W_0 = EPre(T), T being the states that
  are won; A_0 = APre(W_0); W_{j+1} = EPre(A_j); A_{j+1} = APre(W_{j+1}) without A_0 … A_j. Counted
  are the states of W_j that are in no earlier set, without the initial state. Replies that lose
  faster than others must lose in the same number of rounds, so some won states are in no W_j.
- *exact* are all states that are won in j more rounds and no fewer, whatever the others answer: a
  win is 2j + 1 plies away, or 2j + 2 if it is the others who must finish it.

Each sweep over the space costs one look at every edge.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from kibitz.engine import Role
from kibitz.errors import KibitzError
from kibitz.space import NOBODY, SEVERAL, StateSpace, choices_on

WinningSetKind = Literal["paper", "exact"]
Mask = npt.NDArray[np.bool_]
_BLOCK = 1 << 22


@dataclass(frozen=True)
class WinningSets:
    """For each j the states, by number and ascending, from which a role wins in j more rounds.

    Beyond the last set all are empty.
    """

    space: StateSpace = field(repr=False)
    role: Role
    kind: WinningSetKind
    goal: int
    sets: tuple[npt.NDArray[np.uint32], ...] = field(repr=False)
    seconds: float

    @property
    def counts(self) -> tuple[int, ...]:
        """The sizes of W_0, W_1, …"""
        return tuple(map(len, self.sets))

    def ids(self, rounds: int) -> npt.NDArray[np.uint32]:
        """Return the states of W_j by number, for any j."""
        return self.sets[rounds] if rounds < len(self.sets) else np.zeros(0, dtype=np.uint32)

    def mask(self, rounds: int) -> Mask:
        """Return W_j as one bool for each state, for any j."""
        mask = np.zeros(len(self.space), dtype=bool)
        mask[self.ids(rounds)] = True
        return mask


def winning_sets(
    space: StateSpace,
    role: Role,
    *,
    set: WinningSetKind = "exact",
    goal: int = 100,
    target: Mask | None = None,
    among: Mask | None = None,
) -> WinningSets:
    """Find W_0, W_1, … of a role in a space; a state is won where it ends with `goal` or more.

    `target` narrows the states that count as won, and `among` those that may be predecessors. More
    than two roles are two sides: the role, and all others together.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("tictactoe")))
    >>> winning_sets(space, "xplayer").counts
    (1498, 260, 72)
    >>> winning_sets(space, "xplayer", set="paper").counts
    (1498, 260, 36)
    """
    start = time.perf_counter()
    sweeps = _Sweeps(space, role, among)
    won = space.terminal & (space.goals[:, sweeps.role] >= goal)
    if target is not None:
        won = won & target
    levels = _paper(sweeps, won) if set == "paper" else _exact(sweeps, won)
    sets = [np.flatnonzero(level).astype(np.uint32) for level in levels]
    while sets and not len(sets[-1]):
        sets.pop()
    return WinningSets(space, role, set, goal, tuple(sets), time.perf_counter() - start)


def find_movers(space: StateSpace) -> npt.NDArray[np.int8]:
    """Return who is to move in each state, also where there is only one move.

    Where no role has a choice, it is the role whose only move is elsewhere one of several, if there
    is one such role; `space.turns` has the definition.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("mnk:1,3,3")))
    >>> int((space.turn >= 0).sum()), int((find_movers(space) >= 0).sum())
    (4, 10)
    """
    movers = space.turn.copy()
    roles = len(space.game.roles)
    sizes = np.diff(space.first_edge)
    if roles == 1:
        movers[(sizes > 0) & ~space.terminal] = 0
        return movers
    single = np.flatnonzero((movers == NOBODY) & (sizes == 1) & ~space.terminal)
    if not len(single):
        return movers
    choices = choices_on(space)
    moving = np.full(len(space.joint_moves), NOBODY, dtype=np.int8)
    for number, joint in enumerate(space.joint_moves):
        chosen = [role for role in range(roles) if joint[role] in choices]
        if len(chosen) == 1:
            moving[number] = chosen[0]
    movers[single] = moving[space.action[space.first_edge[single]]]
    return movers


def _blocks(count: int) -> Iterator[tuple[int, int]]:
    for first in range(0, count, _BLOCK):
        yield first, min(first + _BLOCK, count)


class _Sweeps:
    """EPre and APre of a role on a space."""

    def __init__(self, space: StateSpace, role: Role, among: Mask | None) -> None:
        space.game.check_role(role)
        name = space.game.sheet.name
        space.require_complete()
        if (space.turn == SEVERAL).any():
            raise KibitzError(f"in {name} roles choose at the same time: no role can force a win")
        self.space = space
        self.role = space.game.roles.index(role)
        self.mine: Mask = find_movers(space) == self.role
        self.others: Mask = ~self.mine & ~space.terminal
        if among is not None:
            self.mine, self.others = self.mine & among, self.others & among

    def can_reach(self, to: Mask) -> Mask:
        """EPre: the role is to move, and some move leads into the set."""
        return self._sweep(to, np.logical_or, self.mine)

    def must_reach(self, to: Mask) -> Mask:
        """APre: the role is not to move, there are moves, and all lead into the set."""
        return self._sweep(to, np.logical_and, self.others)

    def _sweep(self, to: Mask, combine: np.ufunc, among: Mask) -> Mask:
        found = np.zeros(len(self.space), dtype=bool)
        first_edge = self.space.first_edge
        for first, last in _blocks(len(self.space)):
            offsets = first_edge[first : last + 1]
            inner = np.flatnonzero(offsets[:-1] < offsets[1:])
            if len(inner):
                into = to[self.space.target[offsets[0] : offsets[-1]]]
                found[first + inner] = combine.reduceat(into, offsets[inner] - offsets[0])
        return found & among


def _paper(sweeps: _Sweeps, won: Mask) -> Iterator[Mask]:
    """Return W_j without earlier ones for each j, as long as there may be more."""
    wins = sweeps.can_reach(won)
    seen_wins = np.zeros_like(won)
    seen_losses = np.zeros_like(won)
    while True:
        new = wins & ~seen_wins
        new[0] = False
        yield new
        seen_wins |= wins
        losses = sweeps.must_reach(wins) & ~seen_losses
        if not losses.any():
            return
        seen_losses |= losses
        wins = sweeps.can_reach(losses)


def _exact(sweeps: _Sweeps, won: Mask) -> Iterator[Mask]:
    """Return the states that are won in 2j + 1 or 2j + 2 plies for each j."""
    decided = won
    while True:
        level = np.zeros_like(won)
        for _ in range(2):
            new = (sweeps.can_reach(decided) | sweeps.must_reach(decided)) & ~decided
            decided = decided | new
            level |= new
        if not level.any():
            return
        yield level & sweeps.mine
