"""Recognise in a StateSpace a game on runs of places that are independent of one another.

That it is one is checked on all its states: the live places that moves leave depend on the live
places alone; both roles may do the same; the last move wins; and the Grundy value of a state, by
the moves that it has, is the nim-sum of values that depend only on the lengths of its runs. Where
the moves on one run are those of an octal game, values of any length are known, and a period is
proved by the theorem of Guy and Smith (1956).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import xor

import numpy as np

from kibitz.gdl import Function
from kibitz.space import StateSpace
from kibitz.strategy import (
    columns_of,
    number_arguments,
    numbers_of_values,
    write_term,
)
from kibitz.synth.insight.heaps import mex, movers_of

_MOST_EDGES = 300_000
_LONGEST = 600

Octal = dict[int, frozenset[int]]
"""How many places a move takes from a run, and into how many runs it may leave the rest."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A game of runs: the fluents of live places, the values of runs of 0, 1, …, and its moves."""

    pattern: str
    values: tuple[int, ...]
    moves: Octal | None


def rows_of(space: StateSpace) -> Rows | None:
    """Find whether a game is a sum of runs, on a space with all its states.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> rows_of(explore(CompiledGame(load_sheet("kayles:6")))).values
    (0, 1, 2, 3, 1, 4, 3)
    """
    game = space.game
    if len(game.roles) != 2 or space.edges > _MOST_EDGES or not space.edges:
        return None
    if space.is_reduced or not space.is_complete:
        return None
    mover = movers_of(space)
    if mover is None:
        return None
    columns = columns_of(space)
    for pattern, things in _lines(space).items():
        live = np.column_stack([columns.fluent(fluent) for fluent, _ in things])
        places = [place for _, place in things]
        codes = [int("".join("01"[bit] for bit in row), 2) for row in live.astype(int)]
        found = _Checked(space, codes, mover.tolist(), places).rows(pattern)
        if found is not None:
            return found
    return None


def octal_table(moves: Octal, longest: int) -> tuple[int, ...]:
    """Return the values of runs up to a length.

    >>> octal_table({2: frozenset({0, 1, 2})}, 6)
    (0, 0, 1, 1, 2, 0, 3)
    """
    values: list[int] = []
    for length in range(longest + 1):
        options = [[values[part] for part in left] for left in _cut(length, moves)]
        values.append(mex(reduce(xor, worth, 0) for worth in options))
    return tuple(values)


def octal_values(moves: Octal) -> tuple[tuple[int, ...], int, int] | None:
    """Return the values of runs with the start and the length of their period, which is proved.

    If values repeat with period p from n to 2n + p + t, where moves take at most t places, they
    repeat for ever.

    >>> values, start, period = octal_values({1: frozenset({0, 1, 2}), 2: frozenset({0, 1, 2})})
    >>> values[:7], start, period
    ((0, 1, 2, 3, 1, 4, 3), 71, 12)
    """
    most = max(moves)
    values = octal_table(moves, _LONGEST - 1)
    for period in range(1, _LONGEST // 3):
        unlike = [n for n in range(_LONGEST - period) if values[n] != values[n + period]]
        start = unlike[-1] + 1 if unlike else 0
        if 2 * start + 2 * period + most < _LONGEST:
            return values, start, period
    return None


def _lines(space: StateSpace) -> dict[str, list[tuple[Function, int]]]:
    """Return the fluents that differ in one number only, by their pattern, in order."""
    network = space.game.network
    fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
    found: dict[str, list[tuple[Function, int]]] = {}
    for name, argument in number_arguments(space.game):
        groups: dict[Function, list[Function]] = {}
        for fluent in fluents:
            if fluent.name == name and len(fluent.args) >= argument:
                args = list(fluent.args)
                args[argument - 1] = Function("_")
                groups.setdefault(Function(name, tuple(args)), []).append(fluent)
        for pattern, members in groups.items():
            values = [m.args[argument - 1] for m in members]
            numbers = numbers_of_values(
                [value for value in values if isinstance(value, Function)], space.game.sheet
            )
            if numbers is not None and len(members) > 2:
                known = {str(value): number for value, number in numbers.items()}
                things = [(m, known[str(v)]) for m, v in zip(members, values, strict=True)]
                found[write_term(pattern)] = sorted(things, key=lambda thing: thing[1])
    return found


class _Checked:
    """Checks on all states that live places are runs with values."""

    def __init__(
        self, space: StateSpace, codes: list[int], mover: list[int], places: list[int]
    ) -> None:
        self.space, self.codes, self.mover, self.places = space, codes, mover, places

    def rows(self, pattern: str) -> Rows | None:
        space, codes = self.space, self.codes
        options: dict[int, frozenset[int]] = {}
        for state, code in enumerate(codes):
            edges = slice(space.first_edge[state], space.first_edge[state + 1])
            after = frozenset(codes[target] for target in space.target[edges].tolist())
            if options.setdefault(code, after) != after:
                return None
            if any(other & ~code or other == code for other in after):
                return None
        if not self._last_wins():
            return None
        value: dict[int, int] = {}
        for code in sorted(options):
            value[code] = mex({value[other] for other in options[code]})
        moves = self.octal(options)
        longest = len(self.places)
        if moves:
            table = dict(enumerate(octal_table(moves, longest)))
        else:
            single = {code: self.runs(code) for code in value}
            table = {runs[0]: value[code] for code, runs in single.items() if len(runs) == 1}
        values = tuple(table.get(length, 0) for length in range(longest + 1))
        for code, worth in value.items():
            runs = self.runs(code)
            if not set(runs) <= table.keys() or worth != reduce(
                xor, map(table.__getitem__, runs), 0
            ):
                return None
        return Rows(pattern, (0, *values[1:]), moves)

    def runs(self, code: int) -> list[int]:
        """Return the lengths of the runs of live places."""
        found: list[int] = []
        before = -2
        for index, place in enumerate(self.places):
            if code >> (len(self.places) - 1 - index) & 1:
                if place == before + 1:
                    found[-1] += 1
                else:
                    found.append(1)
                before = place
        return found

    def _last_wins(self) -> bool:
        for state in np.flatnonzero(self.space.terminal).tolist():
            mover = self.mover[state]
            goals = self.space.goals[state]
            if mover < 0 or goals[mover] != 0 or goals[1 - mover] != 100:
                return False
        return True

    def octal(self, options: dict[int, frozenset[int]]) -> Octal | None:
        """Return what moves do to a run, if they do the same to all runs; None if they do not."""
        moves: Octal = {}
        made: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
        for code, after in options.items():
            before = Counter(self.runs(code))
            for other in after:
                left = Counter(self.runs(other))
                lost, gained = list((before - left).elements()), list((left - before).elements())
                if len(lost) != 1 or len(gained) > 2:
                    return None
                taken = lost[0] - sum(gained)
                moves[taken] = moves.get(taken, frozenset()) | {len(gained)}
                made.setdefault(_sorted(before), set()).add(_sorted(left))
        for code in options:
            before = Counter(self.runs(code))
            expected = {
                _sorted(before - Counter([run]) + Counter(left))
                for run in before
                for left in _cut(run, moves)
            }
            if made.get(_sorted(before), set()) != expected:
                return None
        longest = max((run for code in options for run in self.runs(code)), default=0)
        splits = any(2 in parts for parts in moves.values())
        return moves if splits and max(moves, default=0) < longest else None


def _sorted(runs: Counter[int]) -> tuple[int, ...]:
    return tuple(sorted(runs.elements()))


def _cut(length: int, moves: Octal) -> Iterator[tuple[int, ...]]:
    """Walk what moves can leave of a run."""
    for taken, parts in moves.items():
        rest = length - taken
        if rest == 0 and 0 in parts:
            yield ()
        if rest > 0 and 1 in parts:
            yield (rest,)
        if rest > 0 and 2 in parts:
            yield from ((a, rest - a) for a in range(1, rest // 2 + 1))
