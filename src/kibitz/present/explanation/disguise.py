"""Recognise in a StateSpace a game of marks in a line, with its places rearranged.

Numbers of which three that add up to 15 win are tic-tac-toe on a magic square. The sets of places
that win must be the lines of a grid, and then all states, moves, ends and goals must correspond.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from kibitz.board import layout_of
from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import Function
from kibitz.solve import edge_sources
from kibitz.space import NOBODY, Limits, StateSpace, explore
from kibitz.strategy import columns_of

_MOST_PLACES = 16
_MOST_STATES = 50_000
_MOST_TRIES = 200_000
_LONGEST_LINE = 4

Owners = tuple[int, ...]
"""Who has each place: 0 for nobody, 1 and 2 for the roles."""


@dataclass(frozen=True, slots=True)
class Disguise:
    """The game that it is, K in a line on a grid, and the names of places row by row."""

    rows: tuple[tuple[str, ...], ...]
    line: int

    @property
    def name(self) -> str:
        """The name of that game in the library."""
        size = (len(self.rows), len(self.rows[0]), self.line)
        return "tictactoe" if size == (3, 3, 3) else f"mnk:{','.join(map(str, size))}"


def disguise_of(space: StateSpace) -> Disguise | None:
    """Find the grid on which a game is one of marks in a line; None where there is none.

    >>> from kibitz.space import explore
    >>> disguise_of(explore(CompiledGame(load_sheet("sum15")))).rows
    (('2', '7', '6'), ('9', '5', '1'), ('4', '3', '8'))
    """
    game = space.game
    if len(game.roles) != 2 or space.is_reduced or not space.is_complete:
        return None
    if len(space) > _MOST_STATES or _is_drawn_as_grid(game):
        return None
    places = _places(space)
    if places is None:
        return None
    names = list(places[0])
    ways = [_ways(space, role, list(places[role].values())) for role in (0, 1)]
    if not ways[0] or ways[0] != ways[1]:
        return None
    line = len(next(iter(ways[0])))
    named = {frozenset(names[place] for place in way) for way in ways[0]}
    for rows in range(2, len(names)):
        columns = len(names) // rows
        if rows > columns or rows * columns != len(names):
            continue
        grid = _arranged(names, named, _lines(rows, columns, line))
        if grid is not None:
            cut = tuple(tuple(grid[r * columns : (r + 1) * columns]) for r in range(rows))
            found = Disguise(cut, line)
            if _is_same(space, places, found):
                return found
    return None


def disguise_sentence(found: Disguise) -> str:
    """Say what a game is, and how to see it.

    >>> disguise_sentence(Disguise((("1", "2"), ("3", "4")), 2))
    'It is mnk:2,2,2 in disguise: arrange the places as 1 2 / 3 4, and 2 in a line win.'
    """
    rows = " / ".join(" ".join(row) for row in found.rows)
    return (
        f"It is {found.name} in disguise: arrange the places as {rows}, and {found.line} in a "
        "line win."
    )


def _is_drawn_as_grid(game: CompiledGame) -> bool:
    boards = layout_of(game).boards
    return any(
        len({cell.x for cell in board.cells}) > 1 and len({cell.y for cell in board.cells}) > 1
        for board in boards
    )


def _places(space: StateSpace) -> list[dict[str, Function]] | None:
    """Return for each role the fluents that it has a place, by the place's name.

    These come to hold by its own moves alone, and differ from the other's in one argument.
    """
    columns, network = columns_of(space), space.game.network
    source = edge_sources(space)
    mover = space.turn[source]
    made: list[dict[tuple[str, int], list[Function]]] = [{}, {}]
    for fluent in (*network.fluents, *(hidden.fluent for hidden in network.hidden)):
        column = columns.fluent(fluent)
        by = set(np.unique(mover[column[space.target] & ~column[source]]).tolist()) - {NOBODY}
        if len(by) == 1 and by <= {0, 1}:
            made[by.pop()].setdefault((fluent.name, len(fluent.args)), []).append(fluent)
    for key in made[0].keys() & made[1].keys():
        for owned in range(key[1]):
            found = [
                {
                    " ".join(str(arg) for n, arg in enumerate(fluent.args) if n != owned): fluent
                    for fluent in things[key]
                }
                for things in made
            ]
            one, other = found
            whole = all(len(a) == len(b[key]) for a, b in zip(found, made, strict=True))
            if whole and one.keys() == other.keys() and 4 <= len(one) <= _MOST_PLACES:
                return [one, {name: other[name] for name in one}]
    return None


def _ways(space: StateSpace, role: int, things: list[Function]) -> set[frozenset[int]]:
    """Return the smallest sets of places that win for a role wherever it has them, all as large."""
    columns = columns_of(space)
    held = [columns.fluent(thing) for thing in things]
    won = space.terminal & (space.goals[:, role] == 100)
    for size in range(2, _LONGEST_LINE + 1):
        found = set()
        covered = np.zeros(len(space), dtype=bool)
        for places in combinations(range(len(things)), size):
            having = np.logical_and.reduce([held[place] for place in places])
            if having.any() and won[having].all():
                found.add(frozenset(places))
                covered |= having
        if found:
            return found if covered[won].all() else set()
    return set()


def _lines(rows: int, columns: int, length: int) -> set[frozenset[int]]:
    """Return the lines of a grid, of the numbers of its cells."""
    found = set()
    for r in range(rows):
        for c in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(r + down * i, c + right * i) for i in range(length)]
                if all(0 <= y < rows and 0 <= x < columns for y, x in cells):
                    found.add(frozenset(y * columns + x for y, x in cells))
    return found


def _arranged(
    names: list[str], ways: set[frozenset[str]], lines: set[frozenset[int]]
) -> list[str] | None:
    """Put names into cells so that lines are just the ways; by trying, cell by cell."""
    if len(ways) != len(lines):
        return None
    tries = iter(range(_MOST_TRIES))
    weight = {name: sum(name in way for way in ways) for name in names}
    through = [sum(cell in line for line in lines) for cell in range(len(names))]

    def fill(grid: list[str]) -> Iterator[list[str]]:
        if len(grid) == len(names):
            yield grid
            return
        cell = len(grid)
        done = [line for line in lines if cell in line and max(line) == cell]
        for name in names:
            if name in grid or weight[name] != through[cell] or next(tries, None) is None:
                continue
            more = [*grid, name]
            if all(frozenset(more[c] for c in line) in ways for line in done):
                yield from fill(more)

    return next(fill([]), None)


def _is_same(space: StateSpace, places: list[dict[str, Function]], found: Disguise) -> bool:
    """Return whether all states, moves, ends and goals are those of the game on the grid."""
    game = CompiledGame(load_sheet(found.name))
    other = explore(game, limits=Limits(states=len(space) + 1))
    if len(other) != len(space):
        return False
    names = [name for row in found.rows for name in row]
    mine = [[known[name] for name in names] for known in places]
    columns = len(found.rows[0])
    theirs = [
        [
            Function(
                "cell", tuple(map(Function, (str(1 + n // columns), str(1 + n % columns), mark)))
            )
            for n in range(len(names))
        ]
        for mark in ("x", "o")
    ]
    return _pictured(space, mine) == _pictured(other, theirs) != {}


def _pictured(
    space: StateSpace, things: list[list[Function]]
) -> dict[Owners, tuple[bool, tuple[int, ...], frozenset[Owners]]]:
    """Return each state by who has what: whether play has ended, goals, and what can follow.

    Empty where two states look alike.
    """
    owner = {
        fluent: (place, 1 + role) for role in (0, 1) for place, fluent in enumerate(things[role])
    }
    seen: list[Owners] = []
    for number in range(len(space)):
        held = [0] * len(things[0])
        for fluent in space.state(number).fluents:
            if fluent in owner:
                place, role = owner[fluent]
                held[place] = role
        seen.append(tuple(held))
    if len(set(seen)) < len(seen):
        return {}
    return {
        owners: (
            bool(space.terminal[number]),
            tuple(space.goals[number].tolist()) if space.terminal[number] else (),
            frozenset(
                seen[target]
                for target in space.target[
                    space.first_edge[number] : space.first_edge[number + 1]
                ].tolist()
            ),
        )
        for number, owners in enumerate(seen)
    }
