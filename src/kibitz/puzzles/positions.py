"""Find candidate positions, one for each symmetry orbit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.engine import CompiledGame, Role, fluent_bits
from kibitz.errors import BudgetExceededError, InputError
from kibitz.puzzles.skill.skills import symmetries_of_threats
from kibitz.solve import Solution, WinningSetKind, in_parts, solve, winning_sets
from kibitz.space import Limits, Progress, StateSpace, Symmetries, explore, images_of, subspace_from
from kibitz.wording import counted, win_in_text

_BLOCK = 1 << 16
Bits = npt.NDArray[np.uint8]


def orbit_leaders(
    space: StateSpace, states: npt.NDArray[np.int64], symmetries: Symmetries
) -> npt.NDArray[np.int64]:
    """Keep the states that are not images of earlier states.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore, find_symmetries
    >>> space = explore(CompiledGame(load_sheet("tictactoe")))
    >>> len(orbit_leaders(space, np.arange(5478), find_symmetries(space.game)))
    765
    """
    images = [np.array(element.fluents) for element in symmetries.elements()[1:]]
    if not images or not len(states):
        return states
    keys = np.concatenate(
        [_smallest(space, states[i : i + _BLOCK], images) for i in range(0, len(states), _BLOCK)]
    )
    _, first = np.unique(keys, return_index=True)
    return states[np.sort(first)]


def orbit_sizes(space: StateSpace, symmetries: Symmetries) -> npt.NDArray[np.int64]:
    """Count the images of every state, including itself.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore, find_symmetries
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> symmetries = find_symmetries(game)
    >>> space = explore(game, symmetries=symmetries)
    >>> len(space), int(orbit_sizes(space, symmetries).sum())
    (765, 5478)
    """
    images = images_of(space.game, symmetries)
    words = space.states.shape[1]
    tables = np.zeros((len(images), 8 * words, 256, words), dtype=np.uint64)
    for table, image in zip(tables, images, strict=True):
        for source, target in enumerate(image):
            byte = np.arange(256)
            has_bit = byte[byte >> source % 8 & 1 == 1]
            table[source // 8, has_bit, target // 64] |= np.uint64(1 << target % 64)
    fixed = np.ones(len(space), dtype=np.int64)
    count_fixed = core.function("chances_count_fixed")

    def count(start: int, stop: int) -> None:
        moved = np.zeros(words, dtype=np.uint64)
        count_fixed(space.states, words, tables, len(images), moved, fixed, start, stop)

    in_parts(count, len(space))
    return (len(images) + 1) // fixed


def _smallest(
    space: StateSpace, states: npt.NDArray[np.int64], images: list[npt.NDArray[np.int64]]
) -> npt.NDArray[np.bytes_]:
    """Return each state's smallest image as bytes that can be compared."""
    bits = fluent_bits(space.game.network, space.states[states])
    best = _key(bits)
    for image in images:
        moved = np.empty_like(bits)
        moved[:, image] = bits
        other = _key(moved)
        is_less = other < best
        best = np.where(is_less, other, best)
    return best


def _key(bits: Bits) -> npt.NDArray[np.bytes_]:
    packed = np.packbits(bits, axis=1)
    # A last byte keeps numpy from treating zeros as padding.
    ends = np.ones((len(packed), 1), dtype=np.uint8)
    raw = np.ascontiguousarray(np.concatenate([packed, ends], axis=1))
    return raw.view(f"S{raw.shape[1]}").ravel()


Among = str
"""`reachable` positions, all `consistent` with the rules, or `auto`, as in paper 003."""

AMONG = ("auto", "reachable", "consistent")
_FEW = 0.1
"""If positions are a smaller share of all states, only what follows from them is kept."""


@dataclass(frozen=True, eq=False)
class Positions:
    """For each j the states from which a role can win in j more rounds, over a solved space.

    `states` is the number of reachable states; the space may have only those that follow from the
    positions. `counts` are known for all j up to the last, `sets` for those that were requested.
    Where one state represents its orbit, it is listed once for each state of the orbit. `fell_back`
    says why `auto` used only reachable positions where the paper's rule could not be followed.
    """

    solution: Solution
    role: int
    kind: WinningSetKind
    among: Among
    states: int
    counts: tuple[int, ...]
    sets: Mapping[int, npt.NDArray[np.int64]]
    fell_back: str = ""

    def won_in(self, rounds: int) -> npt.NDArray[np.int64]:
        """Return the states from which the role wins in this number of more rounds."""
        if rounds in self.sets:
            return self.sets[rounds]
        if rounds < len(self.counts) and self.counts[rounds]:
            raise InputError(f"positions won in {rounds} more rounds were not requested")
        return np.zeros(0, dtype=np.int64)

    def why_none(self, rounds: int) -> tuple[str, str]:
        """Describe why there are no positions for a number of rounds, and which choice has some."""
        name, role = self.solution.space.game.sheet.name, self.role_name
        if not any(self.counts):
            other = "--set exact also counts wins that the opponent's moves complete"
            hint = other if self.kind == "paper" else "choose another --role"
            return f"{role} can force a win in no position of {name} where it is to move", hint
        last = max(j for j, count in enumerate(self.counts) if count)
        why = f"in no position of {name} can {role} {win_in_text(rounds)}"
        if rounds > last:
            how = ", as paper 003 counts" if self.kind == "paper" else ""
            why += f"; the longest win takes {counted(last, 'more round')}{how}"
        near = min(
            (j for j, count in enumerate(self.counts) if count), key=lambda j: (abs(j - rounds), j)
        )
        return why, f"nearest: --win-in {near}, with {self.counts[near]:,} positions"

    @property
    def role_name(self) -> Role:
        """Who wins."""
        return self.solution.space.game.roles[self.role]


def positions_of(solution: Solution, role: Role, rounds: int) -> Positions:
    """List the states of a solved game from which a role wins in so many more rounds.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("tictactoe"))))
    >>> len(positions_of(solution, "xplayer", 2).won_in(2))
    72
    """
    space = solution.space
    won = winning_sets(space, role)
    sets = {rounds: won.ids(rounds).astype(np.int64)}
    index = space.game.roles.index(role)
    return Positions(solution, index, won.kind, "reachable", len(space), won.counts, sets)


def find_positions(
    game: CompiledGame,
    role: Role,
    *,
    set: WinningSetKind = "exact",
    among: Among = "auto",
    rounds: Iterable[int] | None = None,
    reduce: bool = False,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Positions:
    """Explore and solve a game, and list the states from which a role can win.

    With `rounds`, only these numbers of rounds are listed. In games with gravity paper 003 counts
    positions that look right although no play leads to them; for the paper's sets `auto` does so as
    well, unless that takes more than half of the time or too much memory, as `fell_back` then says.
    With `reduce`, one reachable position of each orbit may represent it, if depth-k players see no
    difference.

    >>> from kibitz.games import load_sheet
    >>> find_positions(CompiledGame(load_sheet("tictactoe")), "oplayer").counts
    (860, 96, 50)
    >>> game = CompiledGame(load_sheet("connect:3,4x4"))
    >>> [find_positions(game, "xplayer", set="paper", among=a).counts[2]
    ...     for a in ("reachable", "auto")]
    [94, 110]
    """
    from kibitz.solve import where_paper_looks

    game.check_role(role)
    if among not in AMONG:
        raise InputError(f"no positions {among}", hint=f"one of {' '.join(AMONG)}")
    bounds = limits or Limits()
    if among == "consistent":
        return _consistent(game, role, set, rounds, bounds)
    fell_back = ""
    if among == "auto" and set == "paper" and len(game.roles) > 1:
        half = replace(bounds, seconds=bounds.seconds / 2)
        try:
            if where_paper_looks(game) == "consistent":
                return _consistent(game, role, set, rounds, half)
        except BudgetExceededError as error:
            fell_back = f"reachable positions only: {error.message}"
    symmetries = symmetries_of_threats(game, bounds.seconds) if reduce else None
    space = explore(game, symmetries=symmetries, limits=bounds, progress=progress)
    found = winning_sets(space, role, set=set)
    sizes = orbit_sizes(space, symmetries) if symmetries else np.ones(len(space), dtype=np.int64)
    counts = tuple(int(sizes[ids].sum()) for ids in found.sets)
    asked = range(len(found.sets)) if rounds is None else sorted({*rounds})
    sets = {j: found.ids(j).astype(np.int64) for j in asked}
    if rounds is not None and 0 < sum(map(len, sets.values())) <= len(space) * _FEW:
        space, number = subspace_from(space, np.concatenate(list(sets.values())))
    else:
        number = np.arange(len(space))
    listed = {j: np.repeat(number[ids], sizes[ids]) for j, ids in sets.items()}
    index, states = game.roles.index(role), int(sizes.sum())
    return Positions(solve(space), index, set, "reachable", states, counts, listed, fell_back)


def _consistent(
    game: CompiledGame,
    role: Role,
    kind: WinningSetKind,
    rounds: Iterable[int] | None,
    limits: Limits,
) -> Positions:
    """Find positions with decision diagrams, and explore only what can follow from them."""
    from kibitz.solve import find_winning_sets, nodes_within, reach

    if kind == "exact":
        raise InputError(
            "exact sets have only reachable positions", hint="add --set paper or remove --among"
        )
    seconds = min(limits.seconds, 1e6)
    known = reach(game, nodes=nodes_within(limits.bytes), seconds=seconds)
    asked = None if rounds is None else sorted({*rounds})
    most = None if not asked else asked[-1]
    found = find_winning_sets(known, role, set="paper", among="consistent", most=most)
    if asked and not any(found.counts[j] for j in asked if j < len(found.counts)):
        # to find the nearest choice
        found = find_winning_sets(known, role, set="paper", among="consistent")
    wanted = range(len(found.counts)) if asked is None else asked
    parts = {j: found.sets[j].rows() for j in wanted if j < len(found.sets)}
    given = [rows for rows in parts.values() if len(rows)]
    if not given:  # One state is enough to report that there are none.
        given = next(([few.rows()[:1]] for few in reversed(found.sets) if few), [])
    states, counts = known.states.count, found.counts
    del known, found  # The diagrams make room for the states.
    space = explore(game, starts=np.concatenate(given) if given else (), limits=limits)
    sets = _in_order({j: len(parts.get(j, ())) for j in wanted})
    index = game.roles.index(role)
    return Positions(solve(space), index, kind, "consistent", states, counts, sets)


def _in_order(sizes: Mapping[int, int]) -> dict[int, npt.NDArray[np.int64]]:
    """Number the states that a space was explored from, set by set."""
    sets = {}
    first = 0
    for j, size in sizes.items():
        sets[j] = np.arange(first, first + size, dtype=np.int64)
        first += size
    return sets
