"""A StateSpace with the unreachable states that paper 003 counts among its winning sets.

Predecessors of a state cannot be listed from the rules, but decision diagrams find them. Those
that no play reaches are given to `explore` as starts. The sweeps of `solve.winning_regions` then
find the winning sets again, on arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Role, State
from kibitz.rows import keys_of, rows_of_keys
from kibitz.solve.symbolic.circuit import Circuit
from kibitz.solve.symbolic.cones import next_cones
from kibitz.solve.symbolic.encoding import Encoding, find_units
from kibitz.solve.symbolic.moves import actions_of
from kibitz.solve.symbolic.space import reach
from kibitz.solve.symbolic.winning_regions import find_winning_sets, resolve_among
from kibitz.solve.symbolic.work_budget import Progress, Work
from kibitz.solve.winning_regions import WinningSets, winning_sets
from kibitz.space import Limits, StateSpace, explore, reachable_under

__all__ = ["PaperSpace", "explore_for_paper", "where_paper_looks"]

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PaperSpace:
    """A space whose state 0 is initial, with the states that play reaches from there, and those
    that are consistent."""

    space: StateSpace
    reachable: Mask
    consistent: Mask

    def winning_sets(self, role: Role, *, goal: int = 100) -> WinningSets:
        """Find the paper's W_0, W_1, … of a role, unreachable states included."""
        return winning_sets(
            self.space,
            role,
            set="paper",
            goal=goal,
            target=self.reachable,
            among=self.consistent,
        )


def where_paper_looks(game: CompiledGame) -> Literal["reachable", "consistent"]:
    """Return where the paper would look for predecessors in a game.

    >>> from kibitz.games import load_sheet
    >>> where_paper_looks(CompiledGame(load_sheet("tictactoe")))
    'reachable'
    >>> where_paper_looks(CompiledGame(load_sheet("connectfour")))
    'consistent'
    """
    work = Work(8_000_000, 60)
    with work.bounded(f"building the gates of {game.sheet.name}"):
        encoding = Encoding(work.manager(), find_units(game.grounding))
        return resolve_among(actions_of(Circuit(game.network, encoding, work)))


def explore_for_paper(
    game: CompiledGame,
    *,
    goal: int = 100,
    nodes: int = 40_000_000,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> PaperSpace:
    """Explore a game from its initial state and from unreachable ones in any role's W_j.

    >>> from kibitz.games import load_sheet
    >>> paper = explore_for_paper(CompiledGame(load_sheet("connect:3,4x4")))
    >>> int(paper.reachable.sum()), paper.winning_sets("xplayer").counts
    (41750, (9410, 988, 110))
    """
    limits = limits or Limits()
    found = reach(game, nodes=nodes, seconds=min(limits.seconds, 1e6), progress=progress)
    more = found.make(found.circuit.encoding.false)
    for role in game.roles:
        for states in find_winning_sets(
            found, role, set="paper", goal=goal, among="consistent"
        ).sets:
            more = more | (states - found.states)
    starts = [game.initial()]
    starts += [State(game, key) for key in keys_of(more.rows())]
    space = explore(game, starts=starts, limits=limits)
    reachable = reachable_under(space).seen
    return PaperSpace(space, reachable, _consistent(space, reachable))


def _consistent(space: StateSpace, reachable: Mask) -> Mask:
    """Mark the states whose every unit with its neighbours also occurs in a reachable state."""
    marks = np.ones(len(space), dtype=bool)
    parts = _parts(space.game)
    keys = _keys(space.states)
    for part in parts:
        seen = keys(part)
        known = np.sort(seen[reachable])
        places = np.searchsorted(known, seen).clip(max=len(known) - 1)
        marks &= known[places] == seen
    return marks


def _parts(game: CompiledGame) -> set[int]:
    """Return what the next value of each fluent depends on, in whole units, as keys of fluents."""
    units = [set(unit.fluents) for unit in find_units(game.grounding)]
    parts = set()
    for cone in next_cones(game.network):
        fluents = set().union(*(unit for unit in units if unit & cone))
        parts.add(sum(1 << fluent for fluent in fluents))
    return parts


def _keys(states: npt.NDArray[np.uint64]) -> Callable[[int], npt.NDArray[Any]]:
    """Return a function that projects all states to some fluents, as values that can be sorted."""
    words = states.shape[1]

    def cut(part: int) -> npt.NDArray[Any]:
        mask = rows_of_keys([part], words)
        rows = np.ascontiguousarray(states & mask)
        if words == 1:
            return rows[:, 0]
        return rows.view([("", rows.dtype)] * words)[:, 0]

    return cut
