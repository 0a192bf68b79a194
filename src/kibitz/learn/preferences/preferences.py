"""Learned preferences: weak constraints on the state after a move; the cheapest state is best.

As text they are a program for clingo; given a state as `next/1` facts and the fixed relations of
the game, its cost is what the constraints say (paper 004, figures 16 to 18).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.engine import Move, Role, State
from kibitz.errors import InputError
from kibitz.gdl import Function, RuleSheet
from kibitz.learn.preferences.candidates import Body
from kibitz.learn.preferences.features import Columns, Facts, count_tuples
from kibitz.learn.programs import Program, read_program
from kibitz.space import StateSpace
from kibitz.strategy import MoveSet, columns_of, fluent_columns

__all__ = ["Preferences", "Weak", "preferences_of", "read_preferences"]

_AT_ONCE = 250_000


@dataclass(frozen=True, slots=True)
class Weak:
    """A weak constraint: each tuple of its terms costs its weight, at a priority.

    As in clingo, a tuple costs once, even where several instances or constraints of that weight and
    priority give it. Without explicit terms, each instance of the body is a tuple.
    """

    body: Body
    weight: int
    priority: int
    own_terms: tuple[str, ...] | None = None

    def terms(self, number: int) -> tuple[str, ...]:
        """Return its terms; the number separates its instances from those of others."""
        if self.own_terms is not None:
            return self.own_terms
        return (str(number), *self.body.variables)

    def text(self, number: int) -> str:
        """Write it for clingo, as the constraint of this number."""
        cost = f"{self.weight}@{self.priority}"
        return f":~ {self.body.text}. [{', '.join([cost, *self.terms(number)])}]"


@dataclass(frozen=True)
class Preferences:
    """Weak constraints, and rules that define their relations."""

    constraints: tuple[Weak, ...]
    background: str = ""

    @property
    def text(self) -> str:
        """The program."""
        lines = [self.background] if self.background else []
        lines += [weak.text(number) for number, weak in enumerate(self.constraints, 1)]
        return "\n".join(lines) + "\n"

    @property
    def size(self) -> int:
        """How many literals the constraints have."""
        return sum(len(weak.body) for weak in self.constraints)

    def costs(
        self, sheet: RuleSheet, states: Sequence[Iterable[Function]]
    ) -> npt.NDArray[np.int64]:
        """Return the cost of each state, a column for each priority, the highest first."""
        return self.costs_of(Facts(sheet, self.background).columns(states), len(states))

    def costs_of(self, columns: Columns, states: int) -> npt.NDArray[np.int64]:
        """Return the cost of each state, given the atoms that hold there."""
        weaks = self.constraints
        tuples = count_tuples(
            [weak.body for weak in weaks],
            [weak.terms(number) for number, weak in enumerate(weaks, 1)],
            [(weak.priority, weak.weight) for weak in weaks],
            columns,
            states,
        )
        levels = sorted({weak.priority for weak in weaks}, reverse=True)
        found = np.zeros((states, len(levels)), dtype=np.int64)
        for (priority, weight), number in tuples.items():
            found[:, levels.index(priority)] += weight * number
        return found

    def moves(self, state: State, role: Role, facts: Facts | None = None) -> tuple[Move, ...]:
        """Return the best moves of a role in a state; others wait or make their first move.

        What another role does at the same time is not considered.
        """
        game = state.game
        facts = facts or Facts(game.sheet, self.background)
        legal = state.legal(role)
        joint = [state.legal(other)[0] for other in game.roles]
        index = game.roles.index(role)
        after = []
        for move in legal:
            joint[index] = move
            after.append(state.step(joint).fluents)
        costs = [tuple(row) for row in self.costs_of(facts.columns(after), len(after))]
        return tuple(m for m, cost in zip(legal, costs, strict=True) if cost == min(costs))

    def _costs_of_rows(
        self, facts: Facts, space: StateSpace, rows: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        held = fluent_columns(space.game.network, rows)
        columns = {facts.fluent(fluent): column for fluent, column in held if column.any()}
        return self.costs_of(facts.complete(columns, len(rows)), len(rows))

    def move_set(self, space: StateSpace, role: Role) -> MoveSet:
        """Return the moves that are best in each state where it is the role's turn."""
        return self.move_sets(space, [role])[role]

    def move_sets(self, space: StateSpace, roles: Sequence[Role]) -> dict[Role, MoveSet]:
        """Return the sets of best moves of several roles."""
        space.require_all_states("what was learned")
        facts = Facts(space.game.sheet, self.background)
        costs = np.concatenate(
            [
                self._costs_of_rows(facts, space, space.states[first : first + _AT_ONCE])
                for first in range(0, len(space), _AT_ONCE)
            ]
        )
        columns = columns_of(space)
        value = _ranked(costs)[space.target]
        inner = np.flatnonzero(np.diff(space.first_edge))
        least = np.zeros(len(space), dtype=np.int64)
        least[inner] = np.minimum.reduceat(value, space.first_edge[inner]) if len(inner) else 0
        best = value == least[columns.source]
        return {
            role: MoveSet(space, role, columns.to_move(role)[columns.source] & best)
            for role in roles
        }


def _ranked(costs: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Give each row a number, the smaller the cheaper: columns to the left decide first.

    >>> _ranked(np.array([[0, 9], [1, -5], [0, 9], [0, 7]])).tolist()
    [14, 15, 14, 12]
    """
    lowest = costs.min(axis=0, initial=0)
    sizes = (costs.max(axis=0, initial=0) - lowest + 1).tolist()
    if math.prod(sizes) >= 2**63:
        return np.unique(costs, axis=0, return_inverse=True)[1].reshape(-1)
    rank = np.zeros(len(costs), dtype=np.int64)
    for column, low, size in zip(costs.T, lowest, sizes, strict=True):
        rank = rank * size + (column - low)
    return rank


def read_preferences(text: str, *, name: str = "preferences") -> Preferences:
    """Read a program of weak constraints.

    >>> found = read_preferences("p(X) :- next(f(X)). :~ p(A), q(A,B). [-1@2, 1, A, B]")
    >>> found.background, found.constraints[0].text(1)
    ('p(X) :- next(f(X)).', ':~ p(V0), q(V0,V1). [-1@2, 1, V0, V1]')
    """
    program = read_program(text, name=name)
    if not program.constraints:
        raise InputError(f"{name} has no weak constraint", hint="such as :~ next(p). [1@1]")
    return preferences_of(program)


def preferences_of(program: Program) -> Preferences:
    """Return the preferences of a program: its weak constraints and its rules."""
    weaks = [
        Weak(
            Body(weak.literals, weak.comparisons, weak.variables),
            weak.weight,
            weak.priority,
            weak.terms,
        )
        for weak in program.constraints
    ]
    return Preferences(tuple(weaks), "\n".join(program.rules))
