"""Winning sets as decision diagrams, and the states that the paper takes into account.

See `solve.winning_regions` for what W_j is. The won states that paper 003 starts from are
reachable. The predecessors it counts are reachable in some of its games, and in others, those with
full gravity, all boards that look right. Both are offered here for any game.

A state is *consistent* if the groups of fluents that exclude one another are respected, and for
every fluent the fluents that decide its next value, or whether moves that matter to it are legal,
are the same as in some reachable state. On a board with gravity these are a column: a mark above a
hole is inconsistent, columns that no order of turns can fill are not.

A move that always changes the same fluents to the same values can be taken back in one way only.
Where all moves are like that, predecessors are taken among the reachable states. Where what a move
changes depends on the state, as with a mark that falls, rules do not say what to take back, and
predecessors are taken among the consistent states. This gives all figures that the paper prints
for boards of three and four rows; what its authors did is not known.

Predecessors of a state cannot be listed from the rules, but decision diagrams find them. Those
that no play reaches are given to `explore` as starts. The sweeps of `solve.winning_regions` then
find the winning sets again, on arrays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from oxidd.bcdd import BCDDFunction as Function

from kibitz.engine import CompiledGame, Role, State
from kibitz.rows import keys_of, rows_of_keys
from kibitz.solve.symbolic.circuit import Circuit, JointAction, StateSet, actions_of
from kibitz.solve.symbolic.encoding import Encoding, Progress, Work, find_units, next_cones
from kibitz.solve.symbolic.space import Predecessors, SymbolicSpace, Turns, reach
from kibitz.solve.winning_regions import WinningSetKind, WinningSets, winning_sets
from kibitz.space import Limits, StateSpace, explore, reachable_under

Among = Literal["auto", "reachable", "consistent"]
"""Which states predecessors are taken from; auto is what the paper did."""


@dataclass(frozen=True)
class SymbolicWinningSets:
    """For each j the states from which a role wins in j more rounds; beyond the last none."""

    space: SymbolicSpace = field(repr=False)
    role: Role
    kind: WinningSetKind
    goal: int
    sets: tuple[StateSet, ...] = field(repr=False)
    seconds: float

    @property
    def counts(self) -> tuple[int, ...]:
        """The sizes of W_0, W_1, …"""
        return tuple(states.count for states in self.sets)


def find_winning_sets(
    space: SymbolicSpace,
    role: Role,
    *,
    set: WinningSetKind = "exact",
    goal: int = 100,
    among: Among = "auto",
    most: int | None = None,
) -> SymbolicWinningSets:
    """Find W_0, W_1, … of a role; a state is won where it ends with `goal` or more.

    With `most`, no set beyond W_most is searched. `among` matters to the paper's sets; exact sets
    have only reachable states.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve.symbolic import reach
    >>> space = reach(CompiledGame(load_sheet("connect:3,4x4")))
    >>> find_winning_sets(space, "xplayer", set="paper").counts[2]
    110
    """
    start = time.perf_counter()
    won = space.won(role, goal).function
    found: list[Function] = []
    with space.work.bounded(f"finding the winning sets of {role}"):
        mine = Turns(space).movers[space.game.roles.index(role)]
        levels = _exact(space, mine, won)
        if set == "paper":
            levels = _paper(Predecessors(space, mine, _domain(space, among)), won)
        for level in islice(levels, None if most is None else most + 1):
            found.append(level)
            space.work.report(f"finding the winning sets of {role} (W_0 to W_{len(found) - 1})")
    while found and not found[-1].satisfiable():
        found.pop()
    sets = tuple(map(space.make, found))
    return SymbolicWinningSets(space, role, set, goal, sets, time.perf_counter() - start)


def resolve_among(actions: Iterable[JointAction]) -> Literal["reachable", "consistent"]:
    """Return where the paper would look for predecessors in a game with these joint moves."""
    depends = any(action.relation is not None for action in actions)
    return "consistent" if depends else "reachable"


def find_consistent(space: SymbolicSpace) -> StateSet:
    """Find the states that look right locally: all reachable ones, and maybe more."""
    circuit = space.circuit
    encoding = circuit.encoding
    result = encoding.valid
    parts = {frozenset(encoding.bits_of(cone)) for cone in next_cones(space.game.network)}
    every = range(encoding.width)
    for part in sorted(parts, key=sorted):
        if not any(part < other for other in parts):
            space.work.tick()
            rest = encoding.cube_of_bits(bit for bit in every if bit not in part)
            result = result & space.states.function.exists(rest)
    return space.make(result)


def _domain(space: SymbolicSpace, among: Among) -> Callable[[Function], Function]:
    """Return the function that keeps the states that may be predecessors."""
    inner = space.inner.function
    if among == "auto":
        among = resolve_among(space.actions)
    if among == "reachable":
        return lambda states: states & inner
    consistent = find_consistent(space).function
    going_on = space.game.network.terminal ^ 1
    return lambda states: space.circuit.narrow(states & consistent, going_on)


def _paper(predecessors: Predecessors, won: Function) -> Iterator[Function]:
    """Return W_j without earlier ones for each j, as long as there may be more."""
    space = predecessors.space
    wins = predecessors.can_reach(won)
    seen_wins = seen_losses = space.circuit.encoding.false
    while True:
        yield wins & ~seen_wins & ~space.initial.function
        seen_wins = seen_wins | wins
        losses = predecessors.must_reach(wins) & ~seen_losses
        if not losses.satisfiable():
            return
        seen_losses = seen_losses | losses
        wins = predecessors.can_reach(losses)


def _exact(space: SymbolicSpace, mine: Function, won: Function) -> Iterator[Function]:
    """Return the states that are won in 2j + 1 or 2j + 2 plies for each j."""
    inner = space.inner.function
    predecessors = Predecessors(space, mine, lambda states: states & inner)
    decided = new = won
    while True:
        level = space.circuit.encoding.false
        for _ in range(2):
            reaching = predecessors.some(new) & ~decided
            new = (reaching & mine) | predecessors.every(reaching & ~mine, decided)
            decided = decided | new
            level = level | new
        if not level.satisfiable():
            return
        yield level & mine


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
