"""Generate ideas for a StateSpace where places have values, and the nim-sum of those held decides.

So it is with coins that are turned over: by the theory of Sprague and Grundy a row of coins is
worth the nim-sum of what each coin that shows heads is worth alone. That the Grundy value of every
state is such a nim-sum is checked, not assumed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kibitz.gdl import Function
from kibitz.space import StateSpace
from kibitz.strategy import columns_of, numbers_of_values, write_term
from kibitz.synth.insight.counters import is_misere
from kibitz.synth.insight.heaps import movers_of
from kibitz.synth.insight.ideas import NIM_SUM, Idea

_MOST_EDGES = 100_000
_FEWEST_PLACES = 3
_MOST_PLACES = 60

_WHY = (
    "Every move changes a nim-sum of 0, and from any other nim-sum some move makes it 0 again; "
    "that was checked in all positions. When no move is left it is 0, so that the opponent is the "
    "first who cannot move. "
)


def place_value_ideas(space: StateSpace) -> Iterator[Idea]:
    """Walk the rules to leave places whose values cancel, where whoever cannot move loses."""
    if not 0 < space.edges <= _MOST_EDGES or space.is_reduced or len(space.game.roles) != 2:
        return
    mover = movers_of(space)
    values = None if mover is None or is_misere(space, mover) is not False else grundy_values(space)
    if values is None:
        return
    for pattern, places in _patterns(space).items():
        found = _values_of_places(space, list(places.values()), values)
        if found is None:
            continue
        table = dict(zip(places, found, strict=True))
        listed = ", ".join(str(table.get(n, 0)) for n in range(max(table) + 1))
        is_plain = all(value == number for number, value in table.items())
        values_held = pattern if is_plain else f"table({pattern}, {listed})"
        yield Idea((f"next nimsum({values_held}) = 0 => any",), (_WHY + NIM_SUM,))


def grundy_values(space: StateSpace) -> npt.NDArray[np.int64] | None:
    """Return the Grundy value of each state; None where play can go on for ever.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> int(grundy_values(explore(CompiledGame(load_sheet("nim:1,2"))))[0])
    3
    """
    first, target = space.first_edge.tolist(), space.target.tolist()
    found = np.full(len(space), -1, dtype=np.int64)
    before: list[list[int]] = [[] for _ in range(len(space))]
    left = [last - start for start, last in pairwise(first)]
    for state in range(len(space)):
        for after in target[first[state] : first[state + 1]]:
            before[after].append(state)
    ready = [state for state, count in enumerate(left) if not count]
    while ready:
        state = ready.pop()
        reached = {int(found[after]) for after in target[first[state] : first[state + 1]]}
        found[state] = next(n for n in range(len(reached) + 1) if n not in reached)
        for source in before[state]:
            left[source] -= 1
            if not left[source]:
                ready.append(source)
    return None if (found < 0).any() else found


def _patterns(space: StateSpace) -> dict[str, dict[int, Function]]:
    """Return fluents that differ in one argument of numbers alone, by number."""
    alike: dict[tuple[Function, int], list[Function]] = {}
    network = space.game.network
    for fluent in (*network.fluents, *(hidden.fluent for hidden in network.hidden)):
        for place in range(len(fluent.args)):
            args = (*fluent.args[:place], Function("_"), *fluent.args[place + 1 :])
            alike.setdefault((Function(fluent.name, args), place), []).append(fluent)
    found: dict[str, dict[int, Function]] = {}
    for (pattern, place), fluents in alike.items():
        names = [arg for f in fluents if isinstance(arg := f.args[place], Function)]
        numbers = numbers_of_values(names, space.game.sheet)
        if numbers is not None and _FEWEST_PLACES <= len(fluents) <= _MOST_PLACES:
            held = {numbers[name]: f for name, f in zip(names, fluents, strict=True)}
            found[write_term(pattern)] = dict(sorted(held.items()))
    return found


def _values_of_places(
    space: StateSpace, places: Sequence[Function], values: npt.NDArray[np.int64]
) -> list[int] | None:
    """Solve for what each place is worth if a state is the nim-sum of its places; None if not so.

    Each state is an equation between bits; pivots are the highest places of reduced ones.
    """
    columns = columns_of(space)
    held = np.column_stack([columns.fluent(place) for place in places])
    weights = 1 << np.arange(len(places), dtype=np.int64)
    equations = {*zip((held @ weights).tolist(), values.tolist(), strict=True)}
    pivots: dict[int, tuple[int, int]] = {}
    for row, value in equations:
        row, value = _reduced(row, value, pivots)
        if row:
            pivots[row.bit_length() - 1] = row, value
        elif value:
            return None
    found: list[int] = []
    for place in range(len(places)):
        row, value = pivots.get(place, (0, 0))
        for other in range(place):
            value ^= found[other] if row >> other & 1 else 0
        found.append(value)
    return found


def _reduced(row: int, value: int, pivots: Mapping[int, tuple[int, int]]) -> tuple[int, int]:
    """Subtract equations until the highest place of one is no pivot."""
    while row and (top := row.bit_length() - 1) in pivots:
        row, value = row ^ pivots[top][0], value ^ pivots[top][1]
    return row, value
