"""Solve a layered game in little memory: a value and a distance in ten bits a state.

Only the next layer is there as plain rows, with a table. Of a layer that is done two things are
kept: for each state the rank of its value among the goals of the game, in as few bits as there are
goals, and the plies to the end.
"""

from __future__ import annotations

import time
from collections.abc import Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.budget import time_to_work
from kibitz.core import Struct
from kibitz.engine import CompiledGame, State
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.solve.retrograde import endless_goal
from kibitz.solve.values import ExactValues, Place
from kibitz.space import (
    JOB,
    Column,
    CompactSpace,
    Progress,
    RowExpander,
    StateKeys,
    in_shares,
    stuck_error,
)
from kibitz.threads import ThreadTeam, thread_count


class LayerValues:
    """For each state of a layer the rank of its value among all goals, and the plies to the end."""

    def __init__(self, count: int, bits: int, kind: Any) -> None:
        self.bits = bits
        self.ranks, self.plies = Column(np.uint8), Column(kind)
        self.ranks.resize(-(-count * bits // 8))
        self.plies.resize(count)

    def rank(self, place: int) -> int:
        """Return the rank of a state's value."""
        byte, shift = divmod(place * self.bits, 8)
        return int(self.ranks.array[byte]) >> shift & (1 << self.bits) - 1

    @property
    def bytes(self) -> int:
        """How much memory or disk it takes."""
        return self.ranks.array.nbytes + self.plies.array.nbytes

    @property
    def bytes_in_memory(self) -> int:
        """How much memory it takes."""
        return self.ranks.bytes_in_memory + self.plies.bytes_in_memory

    def move_to(self, folder: str | Path) -> None:
        """Continue in files."""
        self.ranks.move_to(folder)
        self.plies.move_to(folder)


@dataclass(frozen=True)
class CompactSolution(ExactValues):
    """The value of every state, and how many plies best play lasts; moves are made when asked for.

    Values and plies mean what they do in a Solution. States are given as such and not by number,
    and there are no edges, so that nothing that needs them (strategies, rules, winning sets,
    symmetric states) takes this.
    """

    method: ClassVar[str] = "compact"

    space: CompactSpace = field(repr=False)
    layers: tuple[LayerValues, ...] = field(repr=False)
    total: int
    seconds: float

    @property
    def game(self) -> CompiledGame:
        """The game."""
        return self.space.game

    @property
    def start(self) -> State:
        """The first of the states that play began from."""
        return self.space.start

    @property
    def bytes(self) -> int:
        """How much memory or disk it takes, including the states."""
        return self.space.bytes + sum(layer.bytes for layer in self.layers)

    @property
    def goals(self) -> Set[int]:
        """The goals of the first role at ends."""
        return {*self.space.goals}

    def first(self, at: Place | None = None) -> tuple[int, int]:
        """Return the first role's value in a state, and the plies to the end."""
        number, place = self.space.find(self.state(at))
        layer = self.layers[number]
        return self.space.goals[layer.rank(place)], int(layer.plies.array[place])


_FULL = 3 / 4
_REPORT_S = 0.1
_PACK = 1 << 16
_LONGEST = 0xFFFF

Results = npt.NDArray[np.int32]


def solve_layers(
    space: CompactSpace, *, threads: int | None = None, progress: Progress | None = None
) -> CompactSolution:
    """Solve a space; raise KibitzError where the game is not one that this can solve.

    The limits of time and memory are those under which the space was explored. `progress` is called
    with how many states there are, and how many have a value.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore_layers
    >>> solution = solve_layers(explore_layers(CompiledGame(load_sheet("tictactoe"))))
    >>> solution.value(), solution.plies(), len(solution.best_moves())
    ({'xplayer': 50, 'oplayer': 50}, 9, 9)
    """
    begin = time.perf_counter()
    total = _check(space)
    with ThreadTeam(thread_count(threads)) as team:
        sweep = _Sweep(space, total, team, progress)
        layers = sweep.run()
    seconds = time.perf_counter() - begin
    return CompactSolution(space, layers, total, seconds)


def _check(space: CompactSpace) -> int:
    """Return the sum of goals."""
    name = space.game.sheet.name
    if space.stuck is not None:
        raise stuck_error(space.stuck)
    if len(space.game.roles) == 2 and len(space.sums) > 1:
        shown = ", ".join(map(str, space.sums[:5]))
        raise KibitzError(
            f"the goals of {name} do not add up to one number, but to {shown}",
            hint="solve it without --compact",
        )
    if len(space.layers) > _LONGEST:
        raise KibitzError(f"in {name} the end is more than {_LONGEST - 1:,} moves away")
    return space.sums[0] if len(space.game.roles) == 2 and space.sums else 100


@dataclass(slots=True)
class _Next:
    """The next layer: its rows, their table, and their results."""

    rows: npt.NDArray[np.uint64]
    table: npt.NDArray[np.uint64]
    results: Results


class _Sweep:
    """Goes from the last layer to the first."""

    def __init__(
        self, space: CompactSpace, total: int, team: ThreadTeam, progress: Progress | None
    ) -> None:
        self.space, self.team = space, team
        self.report: Progress = progress or (lambda _found, _valued: None)
        self.begin = self.reported = time.perf_counter()
        self.expanders = [RowExpander(space.game) for _ in range(team.size)]
        self.words = self.expanders[0].words
        self.states, self.valued = len(space), [0] * team.size
        self.ranks = np.zeros(101, dtype=np.int64)
        self.ranks[list(space.goals)] = range(len(space.goals))
        middle = endless_goal(total, 0)
        self.below = sum(goal < middle for goal in space.goals)
        self.above = sum(goal <= middle for goal in space.goals)
        self.bits = next(bits for bits in (1, 2, 4, 8) if len(space.goals) <= 1 << bits)
        self.best = np.empty((team.size, JOB), dtype=np.int64)
        nothing = np.zeros((0, self.words), dtype=np.uint64)
        self.next = _Next(nothing, np.zeros(1, np.uint64), np.zeros(0, dtype=np.int32))
        self.kept: list[LayerValues] = []

    def run(self) -> tuple[LayerValues, ...]:
        for keys in reversed(self.space.layers):
            results = np.zeros(len(keys), dtype=np.int32)
            self.check_limits(8 * len(self.next.table) + 8 * len(self.next.rows) + 8 * len(keys))

            def value(
                number: int,
                first: int,
                last: int,
                keys: StateKeys = keys,
                results: Results = results,
            ) -> None:
                self.value(number, keys, first, last, results[first:last])

            in_shares(self.team, len(keys), JOB, value)
            self.keep(results)
            self.next = self.tabulate(keys, results)
        self.report(self.states, self.states)
        return tuple(reversed(self.kept))

    def value(self, number: int, keys: StateKeys, first: int, last: int, out: Results) -> None:
        """Value some states of a layer by those of the next."""
        if number == 0:
            self.check_limits(0)
        expander, best = self.expanders[number], self.best[number]
        keys.read(first, last, expander.states)
        best.fill(-1)
        done, count = 0, last - first
        while done < count:
            expanded, found = expander.expand(done, count - done)
            core.function("compact_value_ends", self.words)(
                expander.terminal, expander.goals, len(self.space.game.roles), self.ranks, done,
                done + expanded, out,
            )  # fmt: skip
            successors = Struct(
                "results", rows=expander.rows, hashes=expander.hashes, parents=expander.parents,
                count=found, table=self.next.table, mask=len(self.next.table) - 1,
                known=self.next.rows, results=self.next.results, turn=expander.turn,
                below=self.below, above=self.above, best=best, out=out,
            )  # fmt: skip
            lost = core.function("compact_combine", self.words)(successors)
            assert not lost, "a move leads to a state that was not explored"
            done += expanded
        self.valued[number] += count

    def keep(self, results: Results) -> None:
        """Keep a layer's results in as few bits as possible."""
        kind: Any = np.uint8 if len(self.space.layers) <= 256 else np.uint16
        layer = LayerValues(len(results), self.bits, kind)
        ranks, plies = layer.ranks.array, layer.plies.array
        pack = core.function("compact_pack", self.words)

        def keep_some(_number: int, first: int, last: int) -> None:
            pack(results, self.bits, ranks, first, last)
            plies[first:last] = results[first:last] & _LONGEST

        in_shares(self.team, len(results), _PACK, keep_some)
        self.kept.append(layer)

    def tabulate(self, keys: StateKeys, results: Results) -> _Next:
        """Enter the rows of a layer into a table."""
        size = 1 << 10
        while _FULL * size < len(keys):
            size *= 2
        self.next.table, self.next.rows = np.zeros(0, np.uint64), self.next.rows[:0]
        self.next.results = np.zeros(0, dtype=np.int32)
        self.check_limits(8 * size + (8 * self.words + 4) * len(keys))
        rows = keys.rows(self.team)
        table = np.zeros(size, dtype=np.uint64)
        pool = Struct("pool", table=table, mask=size - 1)
        enter = core.function("compact_enter", self.words)

        def enter_some(number: int, first: int, last: int) -> None:
            enter(pool, self.expanders[number].hash(rows[first:last]), first, last - first)

        in_shares(self.team, len(keys), JOB, enter_some)
        return _Next(rows, table, results)

    def check_limits(self, more: int) -> None:
        """Raise BudgetExceededError where a limit is met; move what is kept to files."""
        space, limits = self.space, self.space.limits
        now = time.perf_counter()
        if now > self.reported + _REPORT_S:
            self.reported = now
            self.report(self.states, sum(self.valued))
        if time_to_work() <= 0 or space.seconds + now - self.begin > limits.seconds:
            raise self.exceeded("time", "--timeout")
        if more + self.bytes > limits.bytes and space.spill is not None:
            for keys in space.layers:
                keys.move_to(space.spill)
            for layer in self.kept:
                layer.move_to(space.spill)
        if more + self.bytes > limits.bytes:
            raise self.exceeded("memory", "--memory")

    @property
    def bytes(self) -> int:
        """How much memory is used by what is kept."""
        return self.space.bytes_in_memory + sum(layer.bytes_in_memory for layer in self.kept)

    def exceeded(self, limit: str, option: str) -> BudgetExceededError:
        return BudgetExceededError(
            f"{self.space.game.sheet.name} has {self.states:,} states; solving it ended at the "
            f"limit of {limit} when {sum(self.valued):,} of them had a value",
            hint=self.space.limits.hint or f"allow more {limit} with {option}",
            options=[option],
        )
