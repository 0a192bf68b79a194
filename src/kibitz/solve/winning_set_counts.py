"""Count the winning sets of a game, on arrays or on decision diagrams."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kibitz.budget import Budget
from kibitz.engine import CompiledGame, Role
from kibitz.errors import BudgetExceededError, InputError
from kibitz.solve.symbolic import (
    Among,
    Progress,
    explore_for_paper,
    find_stuck_states,
    find_winning_sets,
    nodes_within,
    reach,
    where_paper_looks,
)
from kibitz.solve.winning_regions import WinningSetKind, winning_sets
from kibitz.space import Limits, explore, require_no_stuck, stuck_error

Method = Literal["auto", "explicit", "symbolic"]
_MOST_STATES = 20_000_000


@dataclass(frozen=True, slots=True)
class WinningCounts:
    """How many states a game has, and how many are in W_0, W_1, … of a role.

    `best` is the highest goal with which play can end for the role, None if it cannot end.
    """

    role: Role
    kind: WinningSetKind
    among: Among
    method: Method
    goal: int
    best: int | None
    states: int
    w: tuple[int, ...]
    seconds: float


def count_winning_sets(
    game: CompiledGame,
    role: Role,
    *,
    set: WinningSetKind = "exact",
    method: Method = "auto",
    among: Among = "auto",
    goal: int = 100,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> WinningCounts:
    """Count a role's winning sets; see `solve.winning_regions` for what they are.

    By default, this uses arrays for up to twenty million states if all sets are reachable, and
    decision diagrams otherwise.

    >>> from kibitz.games import load_sheet
    >>> count_winning_sets(CompiledGame(load_sheet("mnk:3,3,3,RD")), "xplayer", set="paper").w
    (1097, 162, 1)
    """
    game.check_role(role)
    start = time.perf_counter()
    budget = budget or Budget(seconds=600)
    if set == "exact":
        if among == "consistent":
            raise InputError(
                "exact sets have only reachable states", hint="add --set paper or remove --among"
            )
        among = "reachable"
    elif among == "auto":
        among = where_paper_looks(game)
    found = None
    if method == "explicit" or (method == "auto" and among == "reachable"):
        most = _MOST_STATES if method == "auto" else Limits().states
        limits = Limits(states=most, seconds=budget.seconds, bytes=budget.bytes)
        found = _on_arrays(game, role, set, among, goal, limits, progress)
    if found is None and method == "explicit":
        raise BudgetExceededError(
            f"{game.sheet.name} has too many states for {budget.bytes / 1e9:g} GB "
            f"and {budget.seconds:g} s",
            hint="allow more with --timeout or --memory, or use --method symbolic",
            options=["--timeout", "--memory", "--method"],
        )
    method = "symbolic" if found is None else "explicit"
    if found is None:
        left = budget.seconds - (time.perf_counter() - start)
        if left <= 0:
            raise budget.exceeded("time", f"listing the states of {game.sheet.name}")
        space = reach(game, nodes=nodes_within(budget.bytes), seconds=left, progress=progress)
        if (stuck := find_stuck_states(space)) is not None:
            raise stuck_error(stuck)
        counts = find_winning_sets(space, role, set=set, goal=goal, among=among).counts
        ends = space.ends[game.roles.index(role)].items()
        values = [value for value, states in ends if value is not None and states]
        found = space.states.count, counts, max(values, default=None)
    states, counts, best = found
    return WinningCounts(
        role=role,
        kind=set,
        among=among,
        method=method,
        goal=goal,
        best=best,
        states=states,
        w=counts,
        seconds=time.perf_counter() - start,
    )


def _on_arrays(
    game: CompiledGame,
    role: Role,
    set: WinningSetKind,
    among: Among,
    goal: int,
    limits: Limits,
    progress: Progress | None,
) -> tuple[int, tuple[int, ...], int | None] | None:
    """Return the states, the sizes of the sets, and the best goal; None if that takes too much."""
    if among == "consistent":
        nodes = nodes_within(limits.bytes)
        paper = explore_for_paper(game, goal=goal, nodes=nodes, limits=limits, progress=progress)
        space, reachable = paper.space, paper.reachable
        sets = paper.winning_sets(role, goal=goal)
        if (reachable & ~space.terminal & (np.diff(space.first_edge) == 0)).any():
            require_no_stuck(explore(game, limits=limits))
    else:
        space = explore(game, limits=limits)
        if not space.is_complete:
            return None
        require_no_stuck(space)
        reachable = np.ones(len(space), dtype=bool)
        sets = winning_sets(space, role, set=set, goal=goal)
    best = int(space.goals[space.terminal & reachable, game.roles.index(role)].max(initial=-1))
    return int(reachable.sum()), sets.counts, None if best < 0 else best
