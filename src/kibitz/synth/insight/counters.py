"""Find Counters of a StateSpace: numbers of the state that alone determine the course of play.

Heaps need not be written as heaps: a number may stand in a fluent of its own, beside another one in
the same fluent, be as many as there are sticks, or lie between two coins. Whatever else a state
has, such as the number of the move, does not matter if the numbers left by moves depend on the
numbers alone, for both roles alike. That is checked on all states.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kibitz.gdl import Function
from kibitz.solve import edge_sources
from kibitz.space import StateSpace
from kibitz.strategy import columns_of, number_arguments, numbers_of_values, write_term
from kibitz.synth.insight.heaps import movers_of

_MOST_EDGES = 1_000_000
_MOST_COUNTERS = 8
_WORK = 10_000_000
"""Edges to look at, which takes about a second."""

Numbers = npt.NDArray[np.int64]
Vector = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Counter:
    """A number of the state: how it is written in the strategy language, and its column."""

    text: str
    column: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Counters:
    """Numbers that say everything about the course of play, and the numbers that moves leave.

    The last move wins, or loses in misère play.
    """

    texts: tuple[str, ...]
    options: dict[Vector, frozenset[Vector]]
    misere: bool


@dataclass(frozen=True, slots=True)
class Axis:
    """A number as it is written, and where it ends; its distance from there is what counts."""

    text: str
    end: int
    is_up: bool

    def distance(self, number: int) -> int:
        """Return how far a number is from where it ends."""
        return self.end - number if self.is_up else number - self.end

    @property
    def term(self) -> str:
        """The distance in the strategy language."""
        if self.is_up:
            return f"({self.end} - {self.text})"
        return f"({self.text} - {self.end})" if self.end else self.text

    @property
    def name(self) -> str:
        """Name of the number in a sentence."""
        if " - " in self.text:
            return "gaps"
        inner = self.text.rpartition("(")[2].rstrip(")")
        words = [word for word in inner.split() if word != "_"]
        return " ".join(words) if "(" in self.text else inner


def counters_of(space: StateSpace) -> Iterator[Counters]:
    """Walk the sets of numbers that say everything about play, on a space with all its states.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> next(counters_of(explore(CompiledGame(load_sheet("nim:2,3"))))).texts
    ('number((heap a _))', 'number((heap b _))')
    """
    game = space.game
    if len(game.roles) != 2 or not 0 < space.edges <= _MOST_EDGES:
        return
    if space.is_reduced or not space.is_complete:
        return
    mover = movers_of(space)
    misere = None if mover is None else is_misere(space, mover)
    if misere is None:
        return
    source = edge_sources(space)
    work = _WORK
    for counters in _sets(space, source):
        work -= space.edges
        if work < 0:
            return
        options = _options(space, source, [counter.column for counter in counters])
        if options is not None:
            yield Counters(tuple(counter.text for counter in counters), options, misere)


def is_misere(space: StateSpace, mover: npt.NDArray[np.int8]) -> bool | None:
    """Return whether the last move loses; None if it depends on something."""
    ends = np.flatnonzero(space.terminal)
    if not len(ends) or (mover[ends] < 0).any():
        return None
    rows, goals = np.arange(len(ends)), space.goals[ends]
    mine, theirs = goals[rows, mover[ends]], goals[rows, 1 - mover[ends]]
    if (mine == 0).all() and (theirs == 100).all():
        return False
    return True if (mine == 100).all() and (theirs == 0).all() else None


def _sets(space: StateSpace, source: npt.NDArray[np.uint32]) -> Iterator[tuple[Counter, ...]]:
    """Walk sets of numbers that may say everything, what is written as numbers first."""
    written = _changing(space, source, _written(space))
    counts = _changing(space, source, _counts(space))
    if 1 < len(written) <= _MOST_COUNTERS:
        yield tuple(written)
    yield from ((counter,) for counter in written)
    yield from ((counter,) for counter in counts)
    yield from _gaps(written)
    if len(written) > 2:
        yield from combinations(written, 2)
    if 1 < len(counts) <= _MOST_COUNTERS:
        yield tuple(counts)
        yield from combinations(counts, 2)


def _changing(
    space: StateSpace, source: npt.NDArray[np.uint32], counters: list[Counter]
) -> list[Counter]:
    """Leave out numbers that no move changes, and those that are others again."""
    found: dict[bytes, Counter] = {}
    for counter in counters:
        if (counter.column[source] != counter.column[space.target]).any():
            found.setdefault(counter.column.tobytes(), counter)
    return list(found.values())


def _written(space: StateSpace) -> list[Counter]:
    """Return the arguments that have one number at a time, with what stands beside them fixed."""
    game = space.game
    network = game.network
    columns = columns_of(space)
    fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
    numbered: dict[str, list[int]] = {}
    for name, argument in number_arguments(game):
        numbered.setdefault(name, []).append(argument)
    found: list[Counter] = []
    for name, arguments in numbered.items():
        alike = [fluent for fluent in fluents if fluent.name == name]
        if len({len(fluent.args) for fluent in alike}) > 1:
            continue
        for size in range(len(arguments), 0, -1):
            for free in combinations(arguments, size):
                groups: dict[tuple[Function | None, ...], list[Function]] = {}
                for fluent in alike:
                    groups.setdefault(_fixed(fluent, free), []).append(fluent)
                held = (np.sum([columns.fluent(f) for f in g], axis=0) for g in groups.values())
                if any(int(total.max()) > 1 for total in held) or (len(groups) > 1 < size):
                    continue
                for pattern, group in groups.items():
                    found += _columns(space, name, free, pattern if len(groups) > 1 else (), group)
                break
            else:
                continue
            break
    return found


def _fixed(fluent: Function, free: tuple[int, ...]) -> tuple[Function | None, ...]:
    return tuple(
        None if place in free or not isinstance(arg, Function) else arg
        for place, arg in enumerate(fluent.args, start=1)
    )


def _columns(
    space: StateSpace,
    name: str,
    free: tuple[int, ...],
    pattern: tuple[Function | None, ...],
    group: list[Function],
) -> Iterator[Counter]:
    """Walk the numbers of fluents of which at most one holds."""
    columns = columns_of(space)
    for argument in free:
        values = {value for f in group if isinstance(value := f.args[argument - 1], Function)}
        numbers = numbers_of_values(values, space.game.sheet)
        if numbers is None:
            continue
        column = np.zeros(len(space), dtype=np.int64)
        for fluent in group:
            value = fluent.args[argument - 1]
            assert isinstance(value, Function)
            column[columns.fluent(fluent)] = numbers[value]
        if pattern:
            shown = Function(name, tuple(Function("_") if a is None else a for a in pattern))
            yield Counter(f"number({write_term(shown)})", column)
        else:
            yield Counter(f"{name}.{argument}", column)


def _counts(space: StateSpace) -> list[Counter]:
    """Return how many fluents of a name hold, alone or by one of their arguments."""
    network = space.game.network
    columns = columns_of(space)
    fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
    groups: dict[Function, list[Function]] = {}
    for fluent in fluents:
        free = Function(fluent.name, (Function("_"),) * len(fluent.args))
        if fluent.args:
            groups.setdefault(free, []).append(fluent)
        for place, arg in enumerate(fluent.args if len(fluent.args) > 1 else ()):
            args = (*free.args[:place], arg, *free.args[place + 1 :])
            groups.setdefault(Function(fluent.name, args), []).append(fluent)
    found = []
    for pattern, group in groups.items():
        if len(group) > 1:
            column = np.zeros(len(space), dtype=np.int64)
            for fluent in group:
                column += columns.fluent(fluent)
            found.append(Counter(f"count({write_term(pattern)})", column))
    return found


def _gaps(counters: list[Counter]) -> Iterator[tuple[Counter, ...]]:
    """Walk the gaps between numbers in pairs that lie on the same line, as two coins in a row.

    Those of a line differ in one argument alone, such as the name of the coin or its owner.
    """
    patterns = [counter.text.rstrip(")").split() for counter in counters]
    for place in range(min(map(len, patterns), default=0)):
        lines: dict[tuple[str, ...], list[Counter]] = {}
        for counter, parts in zip(counters, patterns, strict=True):
            lines.setdefault((*parts[:place], *parts[place + 1 :]), []).append(counter)
        if all(len(line) == 2 for line in lines.values()):
            gaps = [_gap(*line) for line in lines.values()]
            found = tuple(gap for gap in gaps if gap is not None)
            if len(found) == len(gaps) <= _MOST_COUNTERS:
                yield found


def _gap(one: Counter, other: Counter) -> Counter | None:
    """Return by how much one number exceeds the other, if it is always the same one."""
    low, high = (one, other) if (one.column <= other.column).all() else (other, one)
    gap = high.column - low.column
    return None if (gap < 0).any() else Counter(f"({high.text} - {low.text})", gap)


def _options(
    space: StateSpace, source: npt.NDArray[np.uint32], columns: list[Numbers]
) -> dict[Vector, frozenset[Vector]] | None:
    """Return the numbers that moves leave, by the numbers before; None if that depends on more."""
    vectors, codes = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
    codes = codes.reshape(-1).astype(np.int64)
    count = len(vectors)
    after = codes[space.target]
    made = np.unique(source.astype(np.int64) * count + after) // count
    pairs = np.unique(codes[source] * count + after)
    here = np.bincount(made, minlength=len(space))
    if (here != np.bincount(pairs // count, minlength=count)[codes]).any():
        return None
    rows = [tuple(row) for row in vectors.tolist()]
    found: dict[Vector, set[Vector]] = {row: set() for row in rows}
    for pair in pairs.tolist():
        found[rows[pair // count]].add(rows[pair % count])
    return {row: frozenset(left) for row, left in found.items()}


def axes_of(counters: Counters) -> list[Axis]:
    """Return where each number ends, by whether moves make it larger or smaller on the whole."""
    axes = []
    for index, text in enumerate(counters.texts):
        change = sum(
            after[index] - vector[index]
            for vector, left in counters.options.items()
            for after in left
        )
        numbers = [vector[index] for vector in counters.options]
        axes.append(Axis(text, max(numbers) if change > 0 else min(numbers), change > 0))
    return axes


def distances(axes: list[Axis], vector: Vector) -> Vector:
    """Return how far numbers are from where they end."""
    return tuple(axis.distance(number) for axis, number in zip(axes, vector, strict=True))


def named(axis: Axis) -> str:
    """Name what a number is of, where no other number is of the same."""
    return axis.name.partition(".")[0]


def ends_text(axes: list[Axis]) -> str:
    """Say where numbers end, such as `up to 5 or down to 1`; nothing if all go down to 0."""
    ends = (
        f"{'up' if axis.is_up else 'down'} to {axis.end}" for axis in axes if axis.is_up or axis.end
    )
    return " or ".join(dict.fromkeys(ends))


def listed(axes: list[Axis]) -> str:
    """Name what numbers are of."""
    fluents = list(map(named, axes))
    names = list(
        dict.fromkeys(
            axis.name if fluents.count(fluent) > 1 else fluent
            for axis, fluent in zip(axes, fluents, strict=True)
        )
    )
    if names == ["gaps"]:
        return "all gaps"
    joined = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"all numbers in {joined}"
