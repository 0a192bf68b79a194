"""Recognise in a StateSpace a game of filling the boxes of a row, where neighbours win.

That it is one is checked on all its states: each box is empty or one role's own; a move fills any
empty box; play ends when a role has so many boxes side by side, which wins, or when all are full.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.engine import Role
from kibitz.gdl import Function
from kibitz.solve import Solution, edge_sources
from kibitz.space import StateSpace
from kibitz.strategy import columns_of, numbers_of_values, owned_things, ways_to_win
from kibitz.synth.insight.heaps import movers_of
from kibitz.synth.insight.ideas import HoldsFor, Idea
from kibitz.synth.insight.replies import empty_places, pair_rules, threat_rules

_MOST_EDGES = 300_000

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MarkRow:
    """A row of boxes: what each role may put there, box by box, and how many neighbours win."""

    marks: dict[Role, tuple[Function, ...]]
    empty: tuple[Function, ...]
    needed: int


def mark_row_ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    """Walk the rules for a row: two threats where two side by side win, else pairs of neighbours.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> solution = solve(explore(CompiledGame(load_sheet("crossdot:4,2"))))
    >>> next(mark_row_ideas(solution, "player1")).proof.sizes
    'every row of at least 3 boxes, as long as 2 side by side win and you begin'
    """
    row = mark_row_of(solution.space)
    if row is None:
        return
    threats, reasons = threat_rules()
    if row.needed == 2:
        if columns_of(solution.space).to_move(role)[0] and len(row.empty) > 2:
            why = (
                reasons[0],
                "A box with an empty one on either side has two neighbours that win, and the "
                "opponent, who has one box at most, can fill only one of them.",
            )
            sizes = "every row of at least 3 boxes, as long as 2 side by side win and you begin"
            yield Idea(threats, why, HoldsFor(True, sizes))
        return
    opponent = next(other for other in row.marks if other != role)
    theirs = row.marks[opponent]
    rows = f"rows of any length, where {row.needed} side by side win"
    beyond = f"that the opponent never wins against pairs of neighbours is proved for {rows}"
    for first in (0, 1):
        starts = range(first, len(theirs) - 1, 2)
        pairs = [(theirs[place], theirs[place + 1]) for place in starts]
        yield from pair_rules(pairs, dict(zip(theirs, row.empty, strict=True)), beyond)


def mark_row_of(space: StateSpace) -> MarkRow | None:
    """Find whether a game is played on such a row, on a space with all its states.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> row = mark_row_of(explore(CompiledGame(load_sheet("crossdot:5,3"))))
    >>> row.needed, str(row.empty[0])
    (3, '(box 1 empty)')
    """
    game = space.game
    if len(game.roles) != 2 or not 0 < space.edges <= _MOST_EDGES:
        return None
    if space.is_reduced or not space.is_complete:
        return None
    lengths = {len(way) for role in game.roles for way in ways_to_win(game, role)}
    marks = {role: _in_order(space, role) for role in game.roles}
    if len(lengths) != 1 or not all(marks.values()) or lengths == {1}:
        return None
    empty = [empty_places(game, role) for role in game.roles]
    if not all(
        thing in known
        for known, things in zip(empty, marks.values(), strict=True)
        for thing in things
    ):
        return None
    blanks = [
        tuple(known[thing] for thing in things)
        for known, things in zip(empty, marks.values(), strict=True)
    ]
    found = MarkRow(marks, blanks[0], lengths.pop())
    return found if blanks[0] == blanks[1] and _is_row(space, found) else None


def _in_order(space: StateSpace, role: Role) -> tuple[Function, ...]:
    """Return what a role may put into boxes that are numbered, in their order."""
    owned = owned_things(space.game, role)
    if len(owned) != 1:
        return ()
    ((_, arity, place), things) = next(iter(owned.items()))
    if arity != 2:
        return ()
    boxes = [thing.args[1 - place] for thing in things]
    values = [box for box in boxes if isinstance(box, Function)]
    numbers = numbers_of_values(values, space.game.sheet)
    if numbers is None or len(set(values)) < len(things):
        return ()
    by_number = {numbers[box]: thing for box, thing in zip(values, things, strict=True)}
    first, last = min(by_number), max(by_number)
    if last - first + 1 != len(by_number):
        return ()
    return tuple(by_number[number] for number in range(first, last + 1))


def _is_row(space: StateSpace, row: MarkRow) -> bool:
    columns = columns_of(space)

    def of(fluents: tuple[Function, ...]) -> Bools:
        return np.column_stack([columns.fluent(fluent) for fluent in fluents])

    has, blank = [of(row.marks[role]) for role in space.game.roles], of(row.empty)
    if (has[0].astype(int) + has[1] + blank != 1).any() or not blank[0].all():
        return False
    mover = movers_of(space)
    if mover is None:
        return False
    source = edge_sources(space)
    for role, own in enumerate(has):
        mine = mover[source] == role
        gained = own[space.target[mine]] & ~own[source[mine]]
        lost = blank[source[mine]] & ~blank[space.target[mine]]
        if (gained.sum(axis=1) != 1).any() or (gained != lost).any():
            return False
    going = ~space.terminal
    if (np.diff(space.first_edge)[going] != blank.sum(axis=1)[going]).any():
        return False
    wins = [_has_run(own, row.needed) for own in has]
    if (space.terminal != (wins[0] | wins[1] | ~blank.any(axis=1))).any():
        return False
    return all(
        (space.goals[won, role] == 100).all() and (space.goals[won, 1 - role] == 0).all()
        for role, won in enumerate(wins)
    )


def _has_run(own: Bools, needed: int) -> Bools:
    length = own.shape[1] - needed + 1
    found = np.zeros(len(own), dtype=bool)
    for first in range(length):
        found |= own[:, first : first + needed].all(axis=1)
    return found
