"""Explore a game: all states reachable from its initial state, or from given ones."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz.budget import time_to_work
from kibitz.engine import CompiledGame, Game, State, require_compiled
from kibitz.errors import InputError
from kibitz.gdl import require_gdl1
from kibitz.rows import sort_rows
from kibitz.space.intake import StateIntake, rows_of
from kibitz.space.space import NOBODY, StateSpace, Stop
from kibitz.space.symmetry import Symmetries
from kibitz.threads import ThreadTeam, thread_count

Rows = npt.NDArray[np.uint64]
Progress = Callable[[int, int], None]
"""Called now and then with how many states were found, and how many of them are expanded."""

_REPORT_S = 0.1
_MOST_STATES = 2**32 - 2**26
"""State numbers have 32 bits, and a few more states may be found than a limit allows."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where exploring stops, to end in a partial space.

    `hint` is what to do to allow more; if not given, it names the option of the command line.
    """

    states: int = _MOST_STATES
    seconds: float = float("inf")
    bytes: int = 16_000_000_000
    hint: str = ""


def explore(
    game: Game,
    *,
    starts: Sequence[State] | Rows = (),
    symmetries: Symmetries | None = None,
    limits: Limits | None = None,
    spill: str | Path | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> StateSpace:
    """Find every state that play can reach, and every move; play stops at terminal states.

    Raise NotCompiledError for a game that could not be grounded, and RuleSheetError for one of
    chance or hidden information, whose values are not those of this graph. Where a limit is met,
    what was found is a part of the space, and `StateSpace.stopped` says so.

    `starts` are states, or rows of packed ones without repetition, which keep their numbers.

    With `symmetries`, one state of each orbit stands for all of them: the one whose row is the
    smallest. A move then leads to the state that stands for the one it makes.

    Once the arrays take more bytes than `limits` allow, they continue in files in the folder
    `spill`, if one is given; then only tables for looking up states take memory. States and moves
    have the same numbers whatever the number of `threads`.

    >>> from kibitz.games import load_sheet
    >>> space = explore(CompiledGame(load_sheet("tictactoe")))
    >>> len(space), int(space.terminal.sum()), space.edges
    (5478, 958, 16167)
    """
    compiled = require_compiled(game)
    require_gdl1(compiled.sheet)
    images = images_of(compiled, symmetries) if symmetries else []
    with ThreadTeam(_power_of_two(thread_count(threads))) as team:
        exploration = _Exploration(compiled, limits or Limits(), team, images)
        exploration.symmetries = symmetries if images else None
        exploration.spill = spill
        exploration.report = progress or exploration.report
        return exploration.run(starts if len(starts) else [game.initial()])


def list_space(game: CompiledGame, limits: Limits) -> StateSpace:
    """Explore any game, of chance or not, for facts about its matches that are no advice."""
    with ThreadTeam(_power_of_two(thread_count(None))) as team:
        return _Exploration(game, limits, team, []).run([game.initial()])


def _power_of_two(count: int) -> int:
    """Return the largest power of two up to a count."""
    return 1 << count.bit_length() - 1


def images_of(game: CompiledGame, symmetries: Symmetries) -> list[tuple[int, ...]]:
    """Return the group, without the identity, as permutations of the fluents that rows hold."""
    kept = len(game.network.fluents)
    images = [element.fluents[:kept] for element in symmetries.elements()[1:]]
    if any(max(image, default=-1) >= kept for image in images):
        raise InputError(
            f"the symmetries of {game.sheet.name} exchange fluents that are stored with fluents "
            "that are not, so states cannot be compared",
            hint="explore without them",
        )
    return images


class _Exploration:
    """Goes from layer to layer until nothing new is found, or a limit is reached."""

    def __init__(
        self, game: CompiledGame, limits: Limits, team: ThreadTeam, images: list[tuple[int, ...]]
    ) -> None:
        self.game = game
        self.limits = replace(limits, states=min(limits.states, _MOST_STATES))
        self.spill: str | Path | None = None
        self.report: Progress = lambda _found, _expanded: None
        self.intake = StateIntake(game, team, images=images)
        self.images = images
        self.symmetries: Symmetries | None = None
        self.begin = time.perf_counter()

    def run(self, starts: Sequence[State] | Rows) -> StateSpace:
        intake = self.intake
        if isinstance(starts, np.ndarray):
            intake.seed(self.check_rows(starts))
        else:
            intake.seed(rows_of(self.game, starts, self.images))
        layers = [0]
        done, layer_end = 0, intake.count
        is_layered = True
        stop: Stop | None = None
        reported = self.begin
        while done < intake.count:
            if stop := self.stop():
                break
            lowest, done = intake.take(done, layer_end)
            is_layered = is_layered and lowest >= layer_end
            if done == layer_end and intake.count > done:
                layers.append(done)
                layer_end = intake.count
                intake.start_layer(layers)
            if time.perf_counter() > reported + _REPORT_S:
                reported = time.perf_counter()
                self.report(intake.count, done)
        self.report(intake.count, done)
        return self.finish(done, tuple(layers), is_layered, stop)

    def stop(self) -> Stop | None:
        """Say which limit is met, if any; go on in files where memory ends and they are allowed."""
        if self.intake.count > self.limits.states:
            return Stop("states", self.limits.hint)
        if time_to_work() <= 0:
            return Stop("time")  # which is that of the whole command, so that its option helps
        if time.perf_counter() - self.begin > self.limits.seconds:
            return Stop("time", self.limits.hint)
        if self.intake.bytes_in_memory > self.limits.bytes and self.spill is not None:
            for column in self.intake.columns:
                column.move_to(self.spill)
            self.intake.bind()
        is_full = self.intake.bytes_in_memory > self.limits.bytes
        return Stop("memory", self.limits.hint) if is_full else None

    def check_rows(self, rows: Rows) -> Rows:
        """Check that an array can be used as states."""
        if rows.ndim != 2 or rows.shape[1] != self.intake.words or self.images:
            raise InputError(
                f"states of {self.game.sheet.name} are rows of {self.intake.words} words; "
                "with symmetries, give them one by one"
            )
        ordered = sort_rows(rows.copy())
        if (ordered[1:] == ordered[:-1]).all(axis=1).any():
            raise InputError("a state is given twice")
        return np.ascontiguousarray(rows, dtype=np.uint64)

    def finish(
        self, done: int, layers: tuple[int, ...], is_layered: bool, stop: Stop | None
    ) -> StateSpace:
        intake = self.intake
        intake.trim(done)
        intake.terminal.array[done:] = 0
        intake.turn.array[done:] = NOBODY
        intake.goals.array[done:] = -1
        return StateSpace(
            game=self.game,
            states=intake.states.array,
            first_edge=intake.first_edge.array,
            target=intake.target.array,
            action=intake.action.array,
            joint_moves=intake.name_joints(),
            turn=intake.turn.array,
            terminal=intake.terminal.array.view(np.bool_),
            goals=intake.goals.array,
            layers=layers,
            is_layered=is_layered and stop is None,
            stopped=stop,
            symmetries=self.symmetries,
            seconds=time.perf_counter() - self.begin,
        )


_FEW = 5_000_000
"""States that are found in seconds; with fewer, nothing is said."""
_SLOWEST_DECLINE = 0.05
_LAYERS = 1000
_NOTES = 20
"""Projections that must agree; in the middle of a layer one alone can be far too large."""
_CLEARLY = 2.0


class SolverOutlook:
    """Projects how many states a game has from how the search for them grows.

    What was found when a state was expanded divides the states into layers. The logarithm of the
    growth from layer to layer falls about evenly in most games; so it is continued until layers
    shrink, where half of the states are found.

    >>> outlook = SolverOutlook()
    >>> for layer in range(1, 17):
    ...     outlook.note(3**layer, 3 ** (layer - 1))
    >>> outlook.projected() > 1e9
    True
    """

    def __init__(self) -> None:
        self._samples = [(0.0, 0.0)]
        self._projections: deque[float] = deque([0.0], maxlen=_NOTES)

    def note(self, found: int, expanded: int) -> None:
        """Record how many states were found once so many of them were expanded."""
        sample = math.log(max(1, expanded)), math.log(max(1, found))
        if sample[0] > self._samples[-1][0] and sample[1] >= self._samples[-1][1]:
            self._samples.append(sample)
            self._projections.append(self.projected())

    def is_beyond(self, states: int) -> bool:
        """Return whether there are clearly more states than a number, by the last projections."""
        return min(self._projections) > _CLEARLY * states

    def projected(self) -> float:
        """Return about how many states there will be, or what was found while that is little."""
        expanded, found = self._samples[-1]
        if found < math.log(_FEW):
            return math.exp(found)
        ends = [found, expanded]
        columns = list(zip(*self._samples, strict=True))
        for _ in range(3):
            ends.append(float(np.interp(ends[-1], columns[1], columns[0])))
        sizes = [math.exp(a) - math.exp(b) for a, b in pairwise(ends)]
        if min(sizes) <= 0:
            return math.exp(found)
        growth = [math.log(a / b) for a, b in pairwise(sizes)]
        decline = max(_SLOWEST_DECLINE, (growth[-1] - growth[0]) / (len(growth) - 1))
        total, size, rate = math.exp(found), sizes[0], growth[0] - decline
        for _ in range(_LAYERS):
            if rate <= 0:
                break
            size *= math.exp(rate)
            total += size
            rate -= decline
        return total
