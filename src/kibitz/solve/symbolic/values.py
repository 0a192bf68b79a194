"""The value of every state under best play, as decision diagrams.

By the same rules as `solve.retrograde`: values are fixed from the extremes inwards. The
first role's best goal spreads to the states from which it can force it, one ply per round, then the
next best, down to the middle; likewise the second role's from below; the remaining states have the
middle value, as has a play that never ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from typing import ClassVar

from oxidd.bcdd import BCDDFunction as Function

from kibitz.engine import CompiledGame, State, goal_error
from kibitz.errors import InputError, KibitzError
from kibitz.solve.symbolic.circuit import StateSet
from kibitz.solve.symbolic.space import Predecessors, SymbolicSpace, Turns
from kibitz.solve.values import ExactValues, Place
from kibitz.space import Stuck, stuck_error


@dataclass(frozen=True)
class SymbolicSolution(ExactValues):
    """For each goal of the first role, the states with that value.

    `layers` has, for each goal, the states that are 0, 1, 2, … plies from the end. States in no
    layer have the middle value: best play never ends there.
    """

    method: ClassVar[str] = "symbolic"

    space: SymbolicSpace = field(repr=False)
    by_value: dict[int, StateSet]
    layers: dict[int, tuple[StateSet, ...]] = field(repr=False)
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
    def goals(self) -> Set[int]:
        """The goals of the first role at ends."""
        return {goal for goal, ends in self.space.ends[0].items() if ends and goal is not None}

    def first(self, at: Place | None = None) -> tuple[int, int | None]:
        """Return the first role's value and the plies to the end, None where play never ends."""
        state = self.state(at)
        for value, states in self.by_value.items():
            if state in states:
                layers = enumerate(self.layers[value])
                return value, next((plies for plies, layer in layers if state in layer), None)
        raise InputError(f"play in {self.game.sheet.name} cannot reach {state}")


def solve_symbolically(space: SymbolicSpace) -> SymbolicSolution:
    """Solve a space; raise KibitzError where the game is not one that this can solve.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve.symbolic import reach
    >>> solution = solve_symbolically(reach(CompiledGame(load_sheet("nim:1,2,4,5"))))
    >>> solution.value(), solution.plies()
    ({'player1': 100, 'player2': 0}, 11)
    """
    start = time.perf_counter()
    with space.work.bounded(f"solving {space.game.sheet.name}"):
        total, middle, goals = _check(space)
        turns = Turns(space)
        if (stuck := _find_stuck(turns)) is not None:
            raise stuck_error(stuck)
        second = turns.choosing[1] if len(turns.choosing) > 1 else space.circuit.encoding.false
        by_value: dict[int, StateSet] = {}
        layers: dict[int, tuple[StateSet, ...]] = {}
        inner = space.inner.function
        predecessors = Predecessors(space, ~second, lambda states: states & inner)
        decided = space.circuit.encoding.false
        above = [goal for goal in sorted(goals, reverse=True) if goal > middle]
        below = [goal for goal in sorted(goals) if goal < middle]
        for goal in [*above, *below, middle]:
            first_decides = goal > middle
            wants = None if goal == middle else ~second if first_decides else second
            # For the role that wants this goal, better goals serve as well; for the other they do
            # not.
            mine = [by_value[g].function for g in by_value if (g > goal) == first_decides]
            as_good = decided if wants is None else _union(space, mine)
            ends = goals.get(goal, space.circuit.encoding.false)
            found = list(_spread(predecessors, ends, as_good, decided, wants, goal))
            here = _union(space, found)
            decided = decided | here
            layers[goal] = tuple(map(space.make, found))
            by_value[goal] = space.make(here)
        rest = space.make(space.states.function & ~decided)
        by_value[middle] = by_value[middle] | rest
    by_value = {goal: states for goal, states in sorted(by_value.items()) if states}
    return SymbolicSolution(space, by_value, layers, total, time.perf_counter() - start)


def _union(space: SymbolicSpace, sets: list[Function]) -> Function:
    result = space.circuit.encoding.false
    for states in sets:
        result = result | states
    return result


def _spread(
    predecessors: Predecessors,
    ends: Function,
    as_good: Function,
    decided: Function,
    wants: Function | None,
    goal: int,
) -> Iterator[Function]:
    """Return the states with a value by their distance: who wants it needs one move to it."""
    work = predecessors.space.work
    name = predecessors.space.game.sheet.name
    level = ends
    plies = 0
    while level.satisfiable():
        yield level
        decided = decided | level
        as_good = as_good | level
        reaching = predecessors.some(level) & ~decided
        if wants is None:
            level = predecessors.every(reaching, as_good)
        else:
            chosen = reaching & wants
            level = chosen | predecessors.every(reaching & ~wants, as_good)
        plies += 1
        work.report(f"solving {name} (goal {goal}, {plies} moves from the end)")


def find_stuck_states(space: SymbolicSpace) -> Stuck | None:
    """Find the states in which play is stuck; None if there are none.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve.symbolic import reach
    >>> find_stuck_states(reach(CompiledGame(load_sheet("nim:1,2")))) is None
    True
    """
    with space.work.bounded(f"solving {space.game.sheet.name}"):
        return _find_stuck(Turns(space))


def _find_stuck(turns: Turns) -> Stuck | None:
    space = turns.space
    stuck = _union(space, [turns.without_move(role) for role in range(len(space.game.roles))])
    if not stuck.satisfiable():
        return None
    states = space.make(stuck)
    start = space.game.initial()
    shown = start if start in states else states.sample(1)[0]
    role = next(role for role in space.game.roles if not shown.legal(role))
    return Stuck(states.count, role, shown, () if shown == start else None)


def _check(space: SymbolicSpace) -> tuple[int, int, dict[int, Function]]:
    """Return the sum of goals, the first role's middle value, and the ends with each goal."""
    name, roles = space.game.sheet.name, space.game.roles
    if len(roles) > 2:
        raise KibitzError(f"{name} has {len(roles)} roles; only one or two can be solved")
    ended = space.states.function & ~space.inner.function
    goals: list[dict[int, Function]] = []
    for role, ends in zip(roles, space.ends, strict=True):
        left = ended
        wrong = space.circuit.encoding.false
        known: dict[int, Function] = {}
        for value, states in ends.items():
            wrong = wrong | (states.function & ~left)
            left = left & ~states.function
            if value is not None and 0 <= value <= 100:
                known[value] = states.function
            else:
                wrong = wrong | states.function
        wrong = wrong | left
        if wrong.satisfiable():
            raise goal_error(space.make(wrong).sample(1)[0], role)
        goals.append(known)
    if len(roles) == 1:
        return 100, 50, goals[0]
    sums = sorted(
        {
            one + other
            for one, states in goals[0].items()
            for other, others in goals[1].items()
            if (states & others).satisfiable()
        }
    )
    if len(sums) > 1:
        shown = ", ".join(map(str, sums[:5]))
        raise KibitzError(f"the goals of {name} do not add up to one number, but to {shown}")
    total = sums[0] if sums else 100
    return total, total // 2, goals[0]
