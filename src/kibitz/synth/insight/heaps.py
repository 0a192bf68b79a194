"""Recognise in a StateSpace a sum of Heaps: what may be taken, and the value of each heap.

That a game is one is checked on all its states: numbers and the turn say everything; a move makes
one number smaller, and what may be taken from it depends on it alone; both roles may do the same;
play ends where nothing can be taken, and the last move wins, or loses in misère play. A heap then
has a Grundy value, and in normal play the positions to leave are those whose values have nim-sum 0
(Sprague 1935, Grundy 1939).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.gdl import Function
from kibitz.solve import edge_sources
from kibitz.space import StateSpace
from kibitz.strategy import columns_of, number_arguments, numbers_of_values

_MOST_EDGES = 10_000_000
_MOST_SORTED = 300_000
_LONGEST = 2000
"""Up to which number the values of a heap are computed when their period is looked for."""


@dataclass(frozen=True, slots=True)
class Heaps:
    """A game of heaps: the argument that counts, how many heaps, and what may be taken.

    `takes` is None where any number may be taken. A number ends at `end`, and is `most` away from
    it at most; where `is_up`, moves make it larger, as in a race to 21. Where `is_clamped`, more
    may be taken than there is, which ends it too. `text` is how the number is written, where it
    is no argument.
    """

    name: str
    argument: int
    heaps: int
    most: int
    takes: tuple[int, ...] | None
    misere: bool
    end: int = 0
    is_up: bool = False
    is_clamped: bool = False
    text: str = ""

    @property
    def term(self) -> str:
        """The numbers in the strategy language."""
        return self.text or f"{self.name}.{self.argument}"


@dataclass(frozen=True, slots=True)
class Values:
    """The values of a heap of 0, 1, 2, …: `start` once, then `period` for ever.

    `is_identity` says that each heap has its size as its value.
    """

    start: tuple[int, ...]
    period: tuple[int, ...]
    is_identity: bool = False

    def of(self, number: int) -> int:
        """Return the value of a heap.

        >>> Values((0,), (1, 2)).of(4)
        2
        """
        if self.is_identity:
            return number
        if number < len(self.start):
            return self.start[number]
        return self.period[(number - len(self.start)) % len(self.period)]

    @property
    def won_or_lost(self) -> Values:
        """The same with 1 for all values but 0, and a period that is as short as can be.

        >>> Values((3,), (0, 1, 0, 2)).won_or_lost
        Values(start=(), period=(1, 0), is_identity=False)
        """
        start, period = ([min(value, 1) for value in part] for part in (self.start, self.period))
        size = len(period)
        length = next(
            n for n in range(1, size + 1) if size % n == 0 and period == period[:n] * (size // n)
        )
        return _shortest(start, period[:length])


def heaps_of(space: StateSpace) -> Heaps | None:
    """Find whether a game is a sum of heaps, on a space with all its states.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> found = heaps_of(explore(CompiledGame(load_sheet("nim:1,2,3"))))
    >>> found.term, found.heaps, found.takes, found.misere
    ('heap.2', 3, None, False)
    """
    game = space.game
    if len(game.roles) != 2 or space.edges > _MOST_EDGES or not space.edges:
        return None
    if space.is_reduced or not space.is_complete:
        return None
    mover = movers_of(space)
    if mover is None:
        return None
    for name, argument in number_arguments(game):
        numbers = _heap_columns(space, name, argument)
        if numbers is not None:
            found = _Checked(space, numbers, mover).heaps(name, argument)
            if found is not None:
                return found
    return None


def heap_values(heaps: Heaps) -> Values | None:
    """Return the values of a heap of any size, with a period that is proved; None if none is found.

    In normal play these are Grundy values; of one heap in misère play, 0 where whoever is to move
    loses, and 1 elsewhere. A value depends on as many values before it as can be taken at most, so
    that a run of that length which comes again comes again for ever.

    >>> heap_values(Heaps("n", 1, 1, 21, (1, 2, 3), False))
    Values(start=(), period=(0, 1, 2, 3), is_identity=False)
    """
    if heaps.takes is None:
        return None if heaps.misere else Values((), (), is_identity=True)
    reach = max(heaps.takes)
    values: list[int] = []
    seen: dict[tuple[int, ...], int] = {}
    for number in range(_LONGEST):
        taken = [min(k, number) if heaps.is_clamped else k for k in heaps.takes]
        options = {values[number - k] for k in taken if number and k <= number}
        if heaps.misere:
            values.append(1 if not options or 0 in options else 0)
        else:
            values.append(mex(options))
        if number + 1 >= reach:
            run = tuple(values[-reach:])
            if run in seen:
                first = seen[run]
                start, period = values[:first], values[first : number + 1 - reach]
                return _shortest(start, period)
            seen[run] = number + 1 - reach
    return None


def is_tame(heaps: Heaps, values: Values) -> bool:
    """Return whether misère play of such heaps is as that of Nim (Ferguson 1974).

    It is if a move to value 1 leads from every heap of value 0 from which there is a move: as long
    as values are 0 and 1 alone, there is then always a move that changes one of them to the other.

    >>> kind = Heaps("n", 1, 1, 9, (1, 2), False)
    >>> is_tame(kind, heap_values(kind))
    True
    """
    if values.is_identity:
        return True
    takes = heaps.takes or ()
    least, most = min(takes), len(values.start) + len(values.period) + max(takes)
    return not heaps.is_clamped and all(
        any(k <= number and values.of(number - k) == 1 for k in takes)
        for number in range(least, most + 1)
        if values.of(number) == 0
    )


def _shortest(start: list[int], period: list[int]) -> Values:
    """Move what the start has in common with the period into it."""
    while start and start[-1] == period[-1]:
        start.pop()
        period = [period[-1], *period[:-1]]
    return Values(tuple(start), tuple(period))


def mex(values: Iterable[int]) -> int:
    """Return the least number from 0 on that is not among some.

    >>> mex([0, 1, 3])
    2
    """
    known, least = set(values), 0
    while least in known:
        least += 1
    return least


def movers_of(space: StateSpace) -> npt.NDArray[np.int8] | None:
    """Return which role moves in each state; None unless the roles move in turn.

    Where play has ended it is the role that would move next. Where both have one move that is none
    of several anywhere, it is the role whose turn comes after that of the state before.
    """
    columns = columns_of(space)
    first, second = (columns.to_move(role) for role in space.game.roles)
    counts = np.diff(space.first_edge)
    if (first & second & (counts > 1)).any() or not (first | second)[counts > 0].all():
        return None
    mover = np.where(first == second, -1, np.where(first, 0, 1)).astype(np.int8)
    source = edge_sources(space)
    while True:
        open_ = (mover[source] >= 0) & (mover[space.target] < 0)
        if not open_.any():
            break
        mover[space.target[open_]] = 1 - mover[source[open_]]
    is_in_turn = (mover[source] >= 0) & (mover[space.target] == 1 - mover[source])
    return mover if is_in_turn.all() else None


def _heap_columns(space: StateSpace, name: str, argument: int) -> npt.NDArray[np.int64] | None:
    """Return the number of each heap in each state, a column for each heap; 0 where none holds."""
    network = space.game.network
    fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
    groups: dict[tuple[str, ...], list[tuple[Function, Function]]] = {}
    for fluent in fluents:
        if fluent.name == name and len(fluent.args) >= argument:
            others = (*fluent.args[: argument - 1], *fluent.args[argument:])
            value = fluent.args[argument - 1]
            assert isinstance(value, Function)
            groups.setdefault(tuple(map(str, others)), []).append((fluent, value))
    values = {value for group in groups.values() for _, value in group}
    numbers = numbers_of_values(values, space.game.sheet)
    if numbers is None or min(numbers.values()) < 0 or len(groups) > 12:
        return None
    columns = columns_of(space)
    found = np.zeros((len(space), len(groups)), dtype=np.int64)
    for heap, group in enumerate(groups.values()):
        held = np.zeros(len(space), dtype=np.int64)
        for fluent, value in group:
            here = columns.fluent(fluent)
            held += here
            found[here, heap] = numbers[value]
        if (held > 1).any():
            return None
    return found


class _Checked:
    """Checks on all states that numbers behave like heaps."""

    def __init__(
        self, space: StateSpace, numbers: npt.NDArray[np.int64], mover: npt.NDArray[np.int8]
    ) -> None:
        self.space, self.numbers, self.mover = space, numbers, mover

    def heaps(self, name: str, argument: int) -> Heaps | None:
        space, numbers = self.space, self.numbers
        source, target = edge_sources(space), space.target
        is_up = bool((numbers[target] > numbers[source]).any())
        end = int(numbers.max() if is_up else numbers.min())
        numbers = self.numbers = end - numbers if is_up else numbers - end
        key = np.column_stack([numbers, self.mover])
        if len(np.unique(key, axis=0)) < len(space):
            return None
        change = numbers[source] - numbers[target]
        if ((change != 0).sum(axis=1) != 1).any() or (change < 0).any():
            return None
        taken: dict[int, set[int]] = {}
        heap = np.argmax(change, axis=1)
        rows = np.arange(len(change))
        before, lost = numbers[source][rows, heap], change[rows, heap]
        for number, less in np.unique(np.column_stack([before, lost]), axis=0).tolist():
            taken.setdefault(number, set()).add(less)
        most = int(numbers.max())
        takes = sorted(set().union(*taken.values()))
        by_set = all(taken.get(n, set()) == {k for k in takes if k <= n} for n in range(most + 1))
        if not by_set or not self._are_free(taken):
            return None
        is_misere = self._is_misere()
        if is_misere is None:
            return None
        is_any = takes == list(range(1, most + 1))
        return Heaps(
            name,
            argument,
            numbers.shape[1],
            most,
            None if is_any else tuple(takes),
            is_misere,
            end,
            is_up,
        )

    def _are_free(self, taken: dict[int, set[int]]) -> bool:
        """Return whether every heap can be lessened whatever the others are, up to their order."""
        space = self.space
        choices = np.array([len(taken.get(n, ())) for n in range(int(self.numbers.max()) + 1)])
        pairs = np.unique(
            edge_sources(space).astype(np.int64) * len(space) + space.target.astype(np.int64)
        )
        made_here = np.bincount(pairs // len(space), minlength=len(space))
        if (choices[self.numbers].sum(axis=1) == made_here).all():
            return True  # As many as there can be, and each lessens one heap by what may be taken.
        if space.edges > _MOST_SORTED:
            return False
        for state in range(len(space)):
            row = self.numbers[state].tolist()
            expected = {
                tuple(sorted([*row[:heap], number - less, *row[heap + 1 :]]))
                for heap, number in enumerate(row)
                for less in taken.get(number, ())
            }
            edges = slice(space.first_edge[state], space.first_edge[state + 1])
            made = self.numbers[space.target[edges]]
            if {tuple(sorted(after)) for after in made.tolist()} != expected:
                return False
        return True

    def _is_misere(self) -> bool | None:
        """Return whether the last move loses; None if it depends on something."""
        ends = np.flatnonzero(self.space.terminal)
        if not len(ends) or (self.mover[ends] < 0).any():
            return None
        goals = self.space.goals[ends]
        next_, last = self.mover[ends], 1 - self.mover[ends]
        rows = np.arange(len(ends))
        mine, theirs = goals[rows, next_], goals[rows, last]
        if (mine == 0).all() and (theirs == 100).all():
            return False
        return True if (mine == 100).all() and (theirs == 0).all() else None
