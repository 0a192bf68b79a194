"""Decide under which moves formulas and plans are valid, for all states of a space at once.

The world of `Paths` here is a space: a position stands for many states, a joint move for many
edges, and a value has a truth for each. Edges with the same remaining formula are handled together,
and states once, however many paths lead to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, reduce
from operator import and_, or_
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.engine import Move, Role
from kibitz.space import StateSpace, edges_of
from kibitz.strategy import tree
from kibitz.strategy.evaluation.columns import Bools, Columns, Numbers
from kibitz.strategy.evaluation.paths import Known, Paths, World

_MOST_KEPT = 100_000
"""States; on larger spaces only the columns of leaves, and of what roles can do, are kept."""


class _States:
    """States of a space, one for each truth of a value; None for all of them."""

    def __init__(self, space: StateSpace, numbers: Numbers | None) -> None:
        self.space, self.numbers = space, numbers
        self.memo: dict[object, Any] = {}

    def at(self, where: Numbers) -> _States:
        return _States(self.space, where if self.numbers is None else self.numbers[where])

    @property
    def count(self) -> int:
        return len(self.space) if self.numbers is None else len(self.numbers)


class _Edges:
    """Edges of a space, one for each truth of a value."""

    def __init__(self, columns: Columns, numbers: Numbers) -> None:
        self.columns, self.numbers = columns, numbers
        self.memo: dict[object, Any] = {}

    def at(self, where: Numbers) -> _Edges:
        return _Edges(self.columns, self.numbers[where])

    @property
    def count(self) -> int:
        return len(self.numbers)

    @cached_property
    def start(self) -> _States:
        return _States(self.columns.space, self.columns.source[self.numbers])

    @cached_property
    def end(self) -> _States:
        space = self.columns.space
        return _States(space, space.target[self.numbers].astype(np.int64))


class _SpaceWorld(World[_States, _Edges, Bools]):
    """Columns of the states and edges of a space; a value without dimension is true everywhere."""

    true, false = np.array(True), np.array(False)

    def __init__(self, columns: Columns) -> None:
        self.columns, self.space = columns, columns.space
        self.whole = _States(self.space, None)

    def no(self, value: Bools) -> Bools:
        return np.logical_not(value)

    def all(self, values: Iterable[Bools]) -> Bools:
        listed = list(values)
        return reduce(and_, listed) if listed else self.true

    def any(self, values: Iterable[Bools]) -> Bools:
        listed = list(values)
        return reduce(or_, listed) if listed else self.false

    def tally(self, values: Sequence[Bools]) -> Numbers:
        held = np.zeros(np.broadcast_shapes(*(value.shape for value in values)), dtype=np.int64)
        for value in values:
            held += value
        return held

    def reaches(self, tally: Numbers, count: int) -> Bools:
        return np.asarray(tally >= count)

    def decided(self, value: Bools) -> bool | None:
        return None if value.ndim else bool(value)

    def leaf(self, leaf: tree.Leaf, at: _States) -> Bools:
        column = self.columns(leaf)
        return column if at.numbers is None else column[at.numbers]

    def does(self, role: Role, move: Move, at: _States, joint: _Edges) -> Bools:
        return self.columns.does(tree.Does(role, move))[self.space.action[joint.numbers]]

    def start(self, at: _States, joint: _Edges) -> _States:
        return joint.start

    def step(self, at: _States, joint: _Edges) -> _States:
        return joint.end

    def memo(self, at: _States, joint: _Edges | None) -> dict[object, Any]:
        return (joint or at).memo

    def once(self, key: tree.Formula, at: _States, ask: Callable[[_States], Bools]) -> Bools:
        kept = self.columns.compound
        if key in kept:
            pass
        elif isinstance(key, tree.Can) or (
            len(self.space) <= _MOST_KEPT and not tree.is_about_moves(key)
        ):
            kept[key] = ask(self.whole)
        elif not tree.is_about_moves(key) or at.numbers is None:
            return ask(at)
        else:
            order, place = _marked(at.numbers, len(self.space))
            found = ask(_States(self.space, order))
            return found[place[at.numbers]] if found.ndim else found
        column = kept[key]
        return column if at.numbers is None or not column.ndim else column[at.numbers]

    def join(
        self,
        parts: Sequence[tree.Formula],
        stop: bool,
        point: Any,
        ask: Callable[[Any, Any], Bools],
    ) -> Bools:
        if isinstance(point, _States) and point.numbers is None:
            return super().join(parts, stop, point, ask)
        result, where = np.full(point.count, not stop), None
        for part in parts:
            value = ask(part, point if where is None else point.at(where))
            if where is None:
                result[:] = value
            else:
                result[where] = value
            where = np.flatnonzero(~result if stop else result)
            if not len(where):
                return self.true if stop else self.false
        return result

    def split(self, formula: tree.Formula, at: _States, ask: Callable[[Any, Any], Bools]) -> Bools:
        """Ask for each formula that is left when the known parts are true or false."""
        known = [x for x in tree.leaves(formula) if isinstance(x, Known)]
        result = np.zeros(at.count, dtype=bool)
        left: dict[tree.Formula, list[Numbers]] = {}
        for values, members in _classes([part.value for part in known], at.count):
            truth = dict(zip(map(id, known), values, strict=True))

            def plain(part: tree.Formula, truth: dict[int, bool] = truth) -> tree.Formula:
                if isinstance(part, tree.Next):
                    return part
                return (
                    tree.Const(truth[id(part)])
                    if id(part) in truth
                    else tree.with_children(part, plain)
                )

            left.setdefault(plain(formula), []).append(members)
        for rest, groups in left.items():
            members = np.concatenate(groups)
            result[members] = ask(rest, at.at(members))
        return result

    def every(self, at: _States, ask: Callable[[_Edges], Bools], where: Bools) -> Bools:
        states = np.arange(len(self.space)) if at.numbers is None else at.numbers
        first = self.space.first_edge
        result = np.array(np.broadcast_to(where, states.shape))
        deeper = np.flatnonzero(result & (first[states] < first[states + 1]))
        if len(deeper):
            edges, starts = edges_of(first, states[deeper])
            valid = np.broadcast_to(ask(_Edges(self.columns, edges)), edges.shape)
            result[deeper] = np.logical_and.reduceat(valid, starts)
        return result

    def can(self, at: _States, role: Role, ask: Callable[[_Edges], Bools], is_own: bool) -> Bools:
        assert at.numbers is None
        columns = self.columns
        edges = _Edges(columns, np.arange(self.space.edges))
        valid = np.broadcast_to(ask(edges), edges.numbers.shape)
        move = columns.move_number(role)[self.space.action]
        moves = int(move.max(initial=0)) + 1
        key = columns.source * moves + move
        refuted = np.zeros(len(self.space) * moves, dtype=bool)
        refuted[key[~valid]] = True
        found = np.zeros(len(self.space), dtype=bool)
        found[columns.source[~refuted[key]]] = True
        return found

    def held(
        self, parts: tuple[tree.Formula, ...], paths: Paths[_States, _Edges, Bools]
    ) -> Numbers:
        """Return how many formulas about a state alone hold in each state."""
        kept = self.columns.counts
        if parts not in kept:
            values = [paths.everywhere(part, self.whole) for part in parts]
            kept[parts] = np.broadcast_to(self.tally(values), (len(self.space),))
        return kept[parts]


class Evaluator:
    """Evaluates formulas on the states and edges of one space, for one role."""

    def __init__(self, columns: Columns, role: Role) -> None:
        self.columns, self.role = columns, role
        self.space = columns.space
        self.world = _SpaceWorld(columns)
        self.paths = Paths(self.world)

    # Plans

    def plan(self, plan: tree.Plan, states: Numbers) -> tuple[Numbers, Bools]:
        """Return the edges of some states, and which of them a plan allows (definition 8)."""
        edges, starts = edges_of(self.space.first_edge, states)
        if not len(edges):
            return edges, np.zeros(0, dtype=bool)
        return edges, self._plan(plan, states, edges, starts)

    def _plan(self, plan: tree.Plan, states: Numbers, edges: Numbers, starts: Numbers) -> Bools:
        """Every state has an edge; `starts` says where in `edges` its edges begin."""
        match plan:
            case tree.Simple():
                valid = self.valid(plan.formula, edges)
                return self._whole_moves(valid, edges, starts)
            case tree.Else():
                return self._else(plan.parts, states, edges, starts)
            case tree.Also():
                counted = tree.counted_in(plan.parts[1:])
                number = None if counted is None else self.number(counted, edges)
                if number is None:
                    return self._also(plan.parts, states, edges, starts)
                chosen = self._plan(plan.parts[0], states, edges, starts)
                sizes = np.diff(np.append(starts, len(edges)))
                rank = np.where(chosen, number, -1)
                best = np.repeat(np.maximum.reduceat(rank, starts), sizes)
                return np.asarray(chosen & (rank == best))
            case tree.Either():
                parts = [self._plan(part, states, edges, starts) for part in plan.parts]
                return np.asarray(np.logical_or.reduce(parts))

    def number(self, parts: tuple[tree.Formula, ...], edges: Numbers) -> Numbers | None:
        """Return how many of some formulas are valid under each edge, whatever is replied.

        None unless all are about the next state, or all about the one after the reply; and if
        others choose as well: then each of them may be valid under a move in other states.
        """
        if self.columns.several_choose:
            return None
        after = tuple(part.formula for part in parts if isinstance(part, tree.Next))
        later = tuple(part.formula for part in after if isinstance(part, tree.Next))
        counted = later or after
        if len(counted) < len(parts) or any(map(tree.is_about_moves, counted)):
            return None
        if len(self.space) > _MOST_KEPT:
            return None
        self.columns.ask(
            x for part in counted for x in tree.leaves(part) if not isinstance(x, tree.Does)
        )
        held = self.world.held(counted, self.paths)
        target = self.space.target[edges].astype(np.int64)
        if not later:
            return held[target]
        order, place = _marked(target, len(self.space))
        # Where play has ended, nothing that follows can fail.
        fewest = np.full(len(order), len(parts), dtype=np.int64)
        first_edge = self.space.first_edge
        going_on = first_edge[order] < first_edge[order + 1]
        if going_on.any():
            replies, starts = edges_of(first_edge, order[going_on])
            fewest[going_on] = np.minimum.reduceat(
                held[self.space.target[replies].astype(np.int64)], starts
            )
        return fewest[place[target]]

    def _whole_moves(self, valid: Bools, edges: Numbers, starts: Numbers) -> Bools:
        """Where others choose as well, a move is allowed if all its joint moves are."""
        if not self.columns.several_choose:
            return valid
        moves = self.columns.move_number(self.role)[self.space.action[edges]]
        sizes = np.diff(np.append(starts, len(edges)))
        key = np.repeat(np.arange(len(starts)), sizes) * (int(moves.max()) + 1) + moves
        bad = np.bincount(key[~valid], minlength=int(key.max()) + 1) > 0
        return np.asarray(~bad[key])

    def _else(
        self, parts: tuple[tree.Plan, ...], states: Numbers, edges: Numbers, starts: Numbers
    ) -> Bools:
        chosen = np.zeros(len(edges), dtype=bool)
        where = np.arange(len(edges))
        for part in parts:
            here = self._plan(part, states, edges, starts)
            chosen[where[here]] = True
            left = ~np.logical_or.reduceat(here, starts)
            if not left.any():
                break
            if not left.all():
                kept = np.repeat(left, np.diff(np.append(starts, len(edges))))
                where, edges = where[kept], edges[kept]
                sizes = np.diff(np.append(starts, len(kept)))[left]
                states, starts = states[left], np.append(0, np.cumsum(sizes)[:-1])
        return chosen

    def _also(
        self, parts: tuple[tree.Plan, ...], states: Numbers, edges: Numbers, starts: Numbers
    ) -> Bools:
        chosen = self._plan(parts[0], states, edges, starts)
        sizes = np.diff(np.append(starts, len(edges)))
        going = np.logical_or.reduceat(chosen, starts)
        for part in parts[1:]:
            if not going.any():
                break
            both = chosen & self._plan(part, states, edges, starts)
            going &= np.logical_or.reduceat(both, starts)
            chosen = np.where(np.repeat(going, sizes), both, chosen)
        return chosen

    # Formulas

    def valid(self, formula: tree.Formula, edges: Numbers) -> Bools:
        """Return under which edges a formula is valid: all paths that begin with it satisfy it."""
        found = self.paths.valid(formula, self.world.whole, _Edges(self.columns, edges))
        return np.broadcast_to(found, edges.shape)

    def everywhere(self, formula: tree.Formula, states: Numbers) -> Bools:
        """Return whether all paths that begin in a state satisfy a formula, for each state."""
        found = self.paths.everywhere(formula, _States(self.space, states))
        return np.broadcast_to(found, states.shape)

    def prepare(self, formula: tree.Formula) -> None:
        """Make the columns that a formula needs."""
        self.columns.ask(leaf for leaf in tree.leaves(formula) if not isinstance(leaf, tree.Does))


def _marked(states: Numbers, count: int) -> tuple[Numbers, npt.NDArray[np.int32]]:
    """Return the distinct states in order, and the index of each among them."""
    marks = np.zeros(count, dtype=bool)
    marks[states] = True
    return np.flatnonzero(marks), np.cumsum(marks, dtype=np.int32) - np.int32(1)


def _classes(rows: list[Bools], count: int) -> list[tuple[tuple[bool, ...], Numbers]]:
    """Group columns of a table of truth values that are equal."""
    if len(rows) == 1:
        sides = (np.flatnonzero(~rows[0]), np.flatnonzero(rows[0]))
        return [((bool(i),), side) for i, side in enumerate(sides) if len(side)]
    code = np.zeros(count, dtype=np.int64)
    for number, row in enumerate(rows, start=1):
        code = 2 * code + row
        if number % 30 == 0:
            code = np.unique(code, return_inverse=True)[1].astype(np.int64)
    order = np.argsort(code, kind="stable")
    bounds = np.flatnonzero(np.diff(code[order])) + 1
    return [
        (tuple(bool(row[members[0]]) for row in rows), members)
        for members in np.split(order, bounds)
        if len(members)
    ]
