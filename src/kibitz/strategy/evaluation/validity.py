"""Formulas and plans in; out the moves under which they are valid, for all states at once.

Definition 4 of paper 001 says when a path satisfies a formula; a path may end early, and where it
ends `does(a)` and `○φ` always hold. A formula is valid under a move if all paths that begin with it
satisfy the formula. Validity does not distribute over disjunction: a disjunction can be valid where
neither side is.

Along an edge the states and the move decide all of a formula except what is below ○, and there is a
next state, so ○ commutes with the connectives. What remains is one formula that all paths from the
target must satisfy: the path that ends there, and those that begin with each of its moves. Edges
with the same remaining formula are handled together. Each step removes one ○.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kibitz.engine import Role
from kibitz.space import edges_of
from kibitz.strategy.evaluation.columns import Bools, Columns, Numbers
from kibitz.strategy.syntax.tree import (
    TRUE,
    Also,
    And,
    AtLeast,
    Can,
    Const,
    Does,
    Either,
    Else,
    Formula,
    Next,
    Not,
    Or,
    Plan,
    Previous,
    Simple,
    at_least,
    conjunction,
    counted_in,
    disjunction,
    is_about_moves,
    leaves,
    negation,
)

__all__ = ["Evaluator", "is_timeless"]

_MOST_KEPT = 100_000
"""States; on larger spaces only the columns of leaves are kept."""


class Evaluator:
    """Evaluates formulas on the states and edges of one space, for one role."""

    def __init__(self, columns: Columns, role: Role) -> None:
        self.columns, self.role = columns, role
        self.space = columns.space

    # Plans

    def plan(self, plan: Plan, states: Numbers) -> tuple[Numbers, Bools]:
        """Return the edges of some states, and which of them a plan allows (definition 8)."""
        edges, starts = edges_of(self.space.first_edge, states)
        if not len(edges):
            return edges, np.zeros(0, dtype=bool)
        return edges, self._plan(plan, states, edges, starts)

    def _plan(self, plan: Plan, states: Numbers, edges: Numbers, starts: Numbers) -> Bools:
        """Every state has an edge; `starts` says where in `edges` its edges begin."""
        match plan:
            case Simple():
                valid = self.valid(plan.formula, edges)
                return self._whole_moves(valid, edges, starts)
            case Else():
                return self._else(plan.parts, states, edges, starts)
            case Also():
                counted = counted_in(plan.parts[1:])
                number = None if counted is None else self.number(counted, edges)
                if number is None:
                    return self._also(plan.parts, states, edges, starts)
                chosen = self._plan(plan.parts[0], states, edges, starts)
                sizes = np.diff(np.append(starts, len(edges)))
                rank = np.where(chosen, number, -1)
                best = np.repeat(np.maximum.reduceat(rank, starts), sizes)
                return np.asarray(chosen & (rank == best))
            case Either():
                parts = [self._plan(part, states, edges, starts) for part in plan.parts]
                return np.asarray(np.logical_or.reduce(parts))

    def number(self, parts: tuple[Formula, ...], edges: Numbers) -> Numbers | None:
        """Return how many of some formulas are valid under each edge, whatever is replied.

        None unless all are about the next state, or all about the one after the reply; and if
        others choose as well: then each of them may be valid under a move in other states.
        """
        if self.columns.several_choose:
            return None
        after = tuple(part.formula for part in parts if isinstance(part, Next))
        later = tuple(part.formula for part in after if isinstance(part, Next))
        counted = later or after
        if len(counted) < len(parts) or any(map(is_about_moves, counted)):
            return None
        held = self.held(counted)
        if held is None:
            return None
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
        self, parts: tuple[Plan, ...], states: Numbers, edges: Numbers, starts: Numbers
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
        self, parts: tuple[Plan, ...], states: Numbers, edges: Numbers, starts: Numbers
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

    def valid(self, formula: Formula, edges: Numbers) -> Bools:
        """Return under which edges a formula is valid: all paths that begin with it satisfy it."""
        if is_timeless(formula):
            return self.now(formula, edges)
        if isinstance(formula, And):
            result = np.ones(len(edges), dtype=bool)
            for part in sorted(formula.parts, key=lambda p: not is_timeless(p)):
                result[result] = self.valid(part, edges[result])
            return result
        if is_settled(formula):
            return self.step(formula, edges)
        present: dict[int, Formula] = {}
        _collect(formula, present)
        rows = [self.now(part, edges) for part in present.values()]
        result = np.zeros(len(edges), dtype=bool)
        left_over: dict[Formula, list[Numbers]] = {}
        for values, members in _classes(rows, len(edges)):
            known = dict(zip(present, values, strict=True))
            left_over.setdefault(_after(formula, known), []).append(members)
        for rest, groups in left_over.items():
            members = np.concatenate(groups)
            if isinstance(rest, Const):
                result[members] = rest.value
            else:
                result[members] = self.everywhere(
                    rest, self.space.target[edges[members]].astype(np.int64)
                )
        return result

    def step(self, formula: Formula, edges: Numbers) -> Bools:
        """Evaluate a formula that is settled by a state, the move from it and the next state."""
        if is_timeless(formula):
            return self.now(formula, edges)
        match formula:
            case Next(inner):
                return self.in_states(inner, self.space.target[edges].astype(np.int64))
            case Not(inner):
                return ~self.step(inner, edges)
            case And(parts) | Or(parts):
                join = np.logical_and if isinstance(formula, And) else np.logical_or
                result = self.step(parts[0], edges)
                for part in parts[1:]:
                    result = join(result, self.step(part, edges))
                return result
            case AtLeast(count, parts):
                held = np.sum([self.step(part, edges) for part in parts], axis=0)
                return np.asarray(held >= count)
        raise TypeError("such a formula is about more than one move")

    def everywhere(self, formula: Formula, states: Numbers) -> Bools:
        """Return whether all paths that begin in a state satisfy a formula, for each state."""
        alone = self.alone(formula)
        if not isinstance(alone, Const) and alone == formula:  # nothing depends on what follows
            return self.in_states(formula, states)
        order, place = _marked(states, len(self.space))
        result = self.in_states(alone, order)
        first_edge = self.space.first_edge
        deeper = np.flatnonzero(result & (first_edge[order] < first_edge[order + 1]))
        if len(deeper):
            edges, starts = edges_of(first_edge, order[deeper])
            result[deeper] = np.logical_and.reduceat(self.valid(formula, edges), starts)
        return result[place[states]]

    @staticmethod
    def alone(formula: Formula) -> Formula:
        """Return what remains of a formula on the path that ends at once."""
        return _replaced(formula, lambda part: TRUE if isinstance(part, Does | Next) else None)

    def now(self, formula: Formula, edges: Numbers) -> Bools:
        """Evaluate a formula without ○ on edges."""
        column = self.column(formula)
        if column is not None:
            return column[self.columns.source[edges]]
        match formula:
            case Const():
                return np.full(len(edges), formula.value)
            case Not():
                return ~self.now(formula.formula, edges)
            case And() | Or():
                join = np.logical_and if isinstance(formula, And) else np.logical_or
                result = self.now(formula.parts[0], edges)
                for part in formula.parts[1:]:
                    result = join(result, self.now(part, edges))
                return result
            case AtLeast(count, parts):
                held = np.zeros(len(edges), dtype=np.int32)
                for part in parts:
                    held += self.now(part, edges)
                return np.asarray(held >= count)
            case Does():
                return self.columns.does(formula)[self.space.action[edges]]
            case Next() | Previous():
                raise TypeError("such a formula is not about now")
            case Can():
                return self.can(formula)[self.columns.source[edges]]
            case leaf:
                return self.columns(leaf)[self.columns.source[edges]]

    def column(self, formula: Formula) -> Bools | None:
        """Return where a formula about a state alone holds, if that is kept."""
        if isinstance(formula, Const | Does | Next | Previous) or len(self.space) > _MOST_KEPT:
            return None
        kept = self.columns.compound
        if id(formula) not in kept:
            column: Bools | None
            match formula:
                case Not(inner):
                    column = self.column(inner)
                    column = None if column is None else ~column
                case And(parts) | Or(parts):
                    columns = [self.column(part) for part in parts]
                    known = [column for column in columns if column is not None]
                    join = np.logical_and if isinstance(formula, And) else np.logical_or
                    column = np.asarray(join.reduce(known)) if len(known) == len(parts) else None
                case AtLeast(count, parts):
                    held = self.held(parts)
                    column = None if held is None else held >= count
                case Can():
                    column = self.can(formula)
                case leaf:
                    column = self.columns(leaf)
            kept[id(formula)] = (formula, column)
        return kept[id(formula)][1]

    def held(self, parts: tuple[Formula, ...]) -> Numbers | None:
        """Return how many formulas about a state alone hold in each state, if that is kept."""
        kept = self.columns.counts
        if parts not in kept:
            held = np.zeros(len(self.space), dtype=np.int64)
            self.columns.ask(
                leaf for part in parts for leaf in leaves(part) if not isinstance(leaf, Does)
            )
            for part in parts:
                column = self.column(part)
                if column is None:
                    return None
                held += column
            kept[parts] = held
        return kept[parts]

    def in_states(self, formula: Formula, states: Numbers) -> Bools:
        """Evaluate a formula without ○ and does on states."""
        column = self.column(formula)
        if column is not None:
            return column[states]
        match formula:
            case Const():
                return np.full(len(states), formula.value)
            case Not():
                return ~self.in_states(formula.formula, states)
            case And() | Or():
                join = np.logical_and if isinstance(formula, And) else np.logical_or
                result = self.in_states(formula.parts[0], states)
                for part in formula.parts[1:]:
                    result = join(result, self.in_states(part, states))
                return result
            case AtLeast(count, parts):
                held = np.zeros(len(states), dtype=np.int32)
                for part in parts:
                    held += self.in_states(part, states)
                return np.asarray(held >= count)
            case Does() | Next() | Previous():
                raise TypeError("such a formula is not about a state")
            case Can():
                return self.can(formula)[states]
            case leaf:
                return self.columns(leaf)[states]

    def can(self, formula: Can) -> Bools:
        """Return in which states a role has a move under which a formula is valid."""
        kept = self.columns.can
        if formula not in kept:
            columns = self.columns
            source, move = columns.source, columns.move_number(formula.role)[self.space.action]
            moves = int(move.max(initial=0)) + 1
            valid = self.valid(formula.formula, np.arange(self.space.edges))
            refuted = np.zeros(len(self.space) * moves, dtype=bool)
            refuted[(source * moves + move)[~valid]] = True
            kept[formula] = np.zeros(len(self.space), dtype=bool)
            kept[formula][source[~refuted[source * moves + move]]] = True
        return kept[formula]

    def prepare(self, formula: Formula) -> None:
        """Make the columns that a formula needs."""
        self.columns.ask(leaf for leaf in leaves(formula) if not isinstance(leaf, Does))


@lru_cache(maxsize=4096)
def is_timeless(formula: Formula) -> bool:
    """Return whether a formula depends only on one state and the move from it."""
    match formula:
        case Next() | Previous():
            return False
        case Not(inner):
            return is_timeless(inner)
        case And(parts) | Or(parts) | AtLeast(_, parts):
            return all(map(is_timeless, parts))
        case _:
            return True


@lru_cache(maxsize=4096)
def is_settled(formula: Formula) -> bool:
    """Return whether all paths that begin with the same joint move agree about a formula."""
    match formula:
        case Next(inner):
            return not is_about_moves(inner)
        case Previous():
            return False
        case Not(inner):
            return is_settled(inner)
        case And(parts) | Or(parts) | AtLeast(_, parts):
            return all(map(is_settled, parts))
        case _:
            return True


def _collect(formula: Formula, present: dict[int, Formula]) -> None:
    """Find the largest subformulas that do not look ahead, by their identity."""
    if is_timeless(formula):
        if not isinstance(formula, Const):
            present[id(formula)] = formula
        return
    match formula:
        case Not(inner):
            _collect(inner, present)
        case And(parts) | Or(parts) | AtLeast(_, parts):
            for part in parts:
                _collect(part, present)


def _after(formula: Formula, known: dict[int, bool]) -> Formula:
    """Return what must hold after the move, given the truth of the present subformulas."""

    def step(part: Formula) -> Formula | None:
        if isinstance(part, Next):
            return part.formula
        return Const(known[id(part)]) if id(part) in known else None

    return _replaced(formula, step)


def _replaced(formula: Formula, step: Callable[[Formula], Formula | None]) -> Formula:
    """Replace subformulas from the top down, and simplify."""
    new = step(formula)
    if new is not None:
        return new
    match formula:
        case Not(inner):
            return negation(_replaced(inner, step))
        case And(parts):
            return conjunction(_replaced(part, step) for part in parts)
        case Or(parts):
            return disjunction(_replaced(part, step) for part in parts)
        case AtLeast(count, parts):
            return at_least(count, (_replaced(part, step) for part in parts))
        case _:
            return formula


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
