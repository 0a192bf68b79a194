"""StateSpace in; out its first choice as a table of payoffs, dominated moves and equilibria.

For two roles that choose at the same time, whatever their goals add up to. A table is made where
play ends after the choice, or where what follows has one value: it is made backwards from the ends,
and given up where a later choice has several equilibria that differ in what they pay, or none was
found. Where each of several rounds pays the same and payments add up, one round is a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, islice, product

import numpy as np

from kibitz.engine import Move, Role
from kibitz.space import StateSpace

_MOST_MOVES = 6
_MOST_STATES = 20_000

Payoff = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Mix:
    """An equilibrium: how often each role makes each of its moves, and what it pays."""

    chances: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
    payoff: Payoff


@dataclass(frozen=True, slots=True)
class Stage:
    """A choice of two roles at the same time: their moves, and what each pair of moves pays."""

    roles: tuple[Role, Role]
    moves: tuple[tuple[Move, ...], tuple[Move, ...]]
    payoffs: tuple[tuple[Payoff, ...], ...]
    is_last: bool = True
    """Whether play ends after it; otherwise it pays what equilibria of later choices do."""

    def pays(self, role: int, mine: int, other: int) -> Fraction:
        """Return what a role gets for its move and the other's."""
        return self.payoffs[mine][other][0] if role == 0 else self.payoffs[other][mine][1]

    def dominated(self) -> list[tuple[Role, Move, Move]]:
        """List the moves that another one of the role beats whatever the other chooses."""
        found = []
        for role in (0, 1):
            others = range(len(self.moves[1 - role]))
            for worse, better in product(range(len(self.moves[role])), repeat=2):
                if all(self.pays(role, worse, o) < self.pays(role, better, o) for o in others):
                    found.append(
                        (self.roles[role], self.moves[role][worse], self.moves[role][better])
                    )
                    break
        return found

    def pure_equilibria(self) -> list[Mix]:
        """List the pairs of moves from which neither role gains by changing its own: all are tried.

        >>> stage = _table([[(3, 3), (0, 5)], [(5, 0), (1, 1)]])
        >>> [mix.payoff == (1, 1) for mix in stage.pure_equilibria()]
        [True]
        """
        rows, columns = (range(len(moves)) for moves in self.moves)
        found = []
        for r, c in product(rows, columns):
            best_row = max(self.pays(0, other, c) for other in rows)
            best_column = max(self.pays(1, other, r) for other in columns)
            if self.pays(0, r, c) == best_row and self.pays(1, c, r) == best_column:
                found.append(Mix((_only(r, rows), _only(c, columns)), self.payoffs[r][c]))
        return found

    def mixed_equilibria(self) -> list[Mix]:
        """List the equilibria in which both roles mix as many moves as the other, exactly.

        For each choice of moves the other's chances make these equally good; both are kept if no
        move left out is better. A game in general position has no others.

        >>> chicken = _table([[(0, 0), (5, 1)], [(1, 5), (3, 3)]])
        >>> [tuple(map(str, mix.chances[0])) for mix in chicken.mixed_equilibria()]
        [('2/3', '1/3')]
        """
        return list(self._mixes())

    def payoff(self) -> Payoff | None:
        """Return what the equilibria that are found pay; None where they differ, or none is found.

        Where one role's gain is the other's loss all equilibria pay the same, so one is enough.
        """
        found: Iterator[Mix] = chain(self.pure_equilibria(), self._mixes())
        if len({sum(pays) for row in self.payoffs for pays in row}) == 1:
            found = islice(found, 1)
        payoffs = {mix.payoff for mix in found}
        return payoffs.pop() if len(payoffs) == 1 else None

    def _mixes(self) -> Iterator[Mix]:
        rows, columns = (range(len(moves)) for moves in self.moves)
        for size in range(2, min(len(rows), len(columns)) + 1):
            for mine, theirs in product(combinations(rows, size), combinations(columns, size)):
                one = self._balance(1, theirs, mine)
                other = None if one is None else self._balance(0, mine, theirs)
                if one is None or other is None:
                    continue
                pays = tuple(
                    max(
                        sum((self.pays(role, move, o) * mix[o] for o in mix), Fraction(0))
                        for move in range(len(self.moves[role]))
                    )
                    for role, mix in ((0, other), (1, one))
                )
                held = [
                    sum((self.pays(0, mine[0], o) * other[o] for o in other), Fraction(0)),
                    sum((self.pays(1, theirs[0], o) * one[o] for o in one), Fraction(0)),
                ]
                if list(pays) == held:
                    chances = (
                        tuple(one.get(r, Fraction(0)) for r in rows),
                        tuple(other.get(c, Fraction(0)) for c in columns),
                    )
                    yield Mix(chances, pays)

    def _balance(
        self, role: int, moves: tuple[int, ...], others: tuple[int, ...]
    ) -> dict[int, Fraction] | None:
        """Return chances of the other's moves, above 0, that make a role's moves equally good."""
        size = len(moves)
        rows = [
            [self.pays(role, moves[0], o) - self.pays(role, move, o) for o in others]
            + [Fraction(0)]
            for move in moves[1:]
        ]
        rows.append([Fraction(1)] * (size + 1))
        solved = _solve(rows)
        if solved is None or min(solved) <= 0:
            return None
        return dict(zip(others, solved, strict=True))


def first_stage(space: StateSpace) -> Stage | None:
    """Return the first choice of a game as a table; None where it is none, or has no one table.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> stage = first_stage(explore(CompiledGame(load_sheet("roshambo"))))
    >>> [str(move) for move in stage.moves[0]], stage.dominated(), len(stage.mixed_equilibria())
    (['paper', 'rock', 'scissors'], [], 1)
    """
    if not _is_table_sized(space):
        return None
    values: dict[int, Payoff] = {}
    for state in reversed(range(len(space))):
        if space.terminal[state]:
            values[state] = tuple(Fraction(int(goal)) for goal in space.goals[state])
            continue
        stage = _stage(space, state, values)
        if stage is None or state == 0:
            return stage
        payoff = stage.payoff()
        if payoff is None:
            return None
        values[state] = payoff
    return None


def round_stage(space: StateSpace) -> tuple[Stage, int] | None:
    """Return one round of a game whose rounds pay the same and add up, and how many there are.

    Goals are followed to the end with the same first pair of moves again and again; what another
    pair adds to that must be the same in all states. So the goals at every end are such sums.
    """
    if not _is_table_sized(space) or not space.edges:
        return None
    rounds = [0] * len(space)
    ends: dict[int, Payoff] = {}
    added: dict[tuple[Move, ...], Payoff] | None = None
    for state in reversed(range(len(space))):
        if space.terminal[state]:
            ends[state] = tuple(Fraction(int(goal)) for goal in space.goals[state])
            continue
        edges = range(int(space.first_edge[state]), int(space.first_edge[state + 1]))
        after = {space.joint_moves[space.action[e]]: int(space.target[e]) for e in edges}
        if not after:
            return None  # Play is stuck there.
        base = min(after, key=str)
        here = {
            joint: tuple(a - b for a, b in zip(ends[to], ends[after[base]], strict=True))
            for joint, to in after.items()
        }
        lengths = {rounds[to] for to in after.values()}
        if len(lengths) != 1 or (added is not None and here != added):
            return None
        added, rounds[state], ends[state] = here, lengths.pop() + 1, ends[after[base]]
    if added is None or rounds[0] < 2:
        return None
    pays = {
        joint: tuple(more + all_ / rounds[0] for more, all_ in zip(extra, ends[0], strict=True))
        for joint, extra in added.items()
    }
    stage = _table_of(space, pays)
    return None if stage is None else (stage, rounds[0])


def _is_table_sized(space: StateSpace) -> bool:
    """Return whether two roles have few moves each, and play goes on to ends with goals."""
    if len(space.game.roles) != 2 or len(space) > _MOST_STATES or space.is_reduced:
        return False
    if not space.is_complete or not space.is_layered or (space.goals[space.terminal] < 0).any():
        return False
    return bool(np.diff(space.first_edge).max() <= _MOST_MOVES**2)


def _stage(space: StateSpace, state: int, values: dict[int, Payoff]) -> Stage | None:
    edges = range(int(space.first_edge[state]), int(space.first_edge[state + 1]))
    after = {
        space.joint_moves[space.action[edge]]: values.get(int(space.target[edge])) for edge in edges
    }
    is_last = bool(space.terminal[space.target[edges.start : edges.stop]].all())
    return _table_of(space, after, is_last=is_last)


def _table_of(
    space: StateSpace,
    pays: Mapping[tuple[Move, ...], Payoff | None],
    *,
    is_last: bool = True,
) -> Stage | None:
    """Make a table of what pairs of moves pay; None if one pays nothing that is known."""
    moves = tuple(tuple(sorted({joint[role] for joint in pays}, key=str)) for role in (0, 1))
    if not pays or max(map(len, moves)) > _MOST_MOVES:
        return None
    table = [[pays.get((one, other)) for other in moves[1]] for one in moves[0]]
    known = [[payoff for payoff in row if payoff is not None] for row in table]
    if any(len(row) < len(moves[1]) for row in known):
        return None
    first, second = space.game.roles
    return Stage((first, second), (moves[0], moves[1]), tuple(map(tuple, known)), is_last)


def goals_held(space: StateSpace) -> dict[Role, int]:
    """Return the goal that each role can hold against all others, without leaving moves to chance.

    Moves are chosen knowing the state, and not what others choose at the same time. What may never
    end counts as 0.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> goals_held(explore(CompiledGame(load_sheet("roshambo"))))
    {'player1': 0, 'player2': 0}
    """
    if not space.edges:
        here = space.goals[0].tolist() if space.terminal[0] else [0] * len(space.game.roles)
        return {role: max(0, goal) for role, goal in zip(space.game.roles, here, strict=True)}
    counts = np.diff(space.first_edge)
    source = np.repeat(np.arange(len(space)), counts)
    found: dict[Role, int] = {}
    for index, role in enumerate(space.game.roles):
        numbers = {move: n for n, move in enumerate(space.game.network.moves[index])}
        own = np.array([numbers[joint[index]] for joint in space.joint_moves])[space.action]
        key = source * (len(numbers) + 1) + own
        order = np.argsort(key, kind="stable")
        starts = np.flatnonzero(np.r_[True, np.diff(key[order]) > 0]) if len(key) else key
        states = source[order][starts]
        value = np.where(space.terminal, np.maximum(space.goals[:, index], 0), 0).astype(np.int64)
        inner = np.flatnonzero(counts > 0)
        firsts = np.searchsorted(states, inner)
        while len(inner):
            worst = np.minimum.reduceat(value[space.target[order]], starts)
            best = np.maximum.reduceat(worst, firsts)
            if (best == value[inner]).all():
                break
            value[inner] = best
        found[role] = int(value[0])
    return found


def _only(place: int, places: range) -> tuple[Fraction, ...]:
    return tuple(Fraction(int(other == place)) for other in places)


def _solve(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """Solve linear equations by elimination; None if they have no single solution."""
    rows = [list(row) for row in rows]
    size = len(rows)
    for column in range(size):
        pivot = next((r for r in range(column, size) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = rows[column][column]
        rows[column] = [value / scale for value in rows[column]]
        for other in range(size):
            if other != column and rows[other][column]:
                times = rows[other][column]
                rows[other] = [
                    a - times * b for a, b in zip(rows[other], rows[column], strict=True)
                ]
    return [row[-1] for row in rows]


def _table(payoffs: list[list[tuple[int, int]]]) -> Stage:
    """Make a stage of numbers, for examples."""
    from kibitz.gdl import Function

    rows = tuple(Function(f"r{n}") for n in range(len(payoffs)))
    columns = tuple(Function(f"c{n}") for n in range(len(payoffs[0])))
    pays = tuple(tuple((Fraction(a), Fraction(b)) for a, b in row) for row in payoffs)
    return Stage(("row", "column"), (rows, columns), pays)
