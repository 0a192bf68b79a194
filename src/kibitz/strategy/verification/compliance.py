"""Strategies of some roles and a formula in; out whether it holds in the model where they comply.

Sections 6 and 7 of paper 001: the game is restricted to the moves that comply. Formulas are checked
on all remaining paths, the remaining terminal states are the possible outcomes, and solving the
rest gives the best reply of the roles without a strategy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.engine import Role
from kibitz.errors import InputError, KibitzError
from kibitz.solve import solve, sums_of_goals
from kibitz.space import Reach, StateId, StateSpace, reachable_under
from kibitz.strategy.evaluation.columns import columns_of, depth_of, unfold
from kibitz.strategy.evaluation.move_set import MoveSet
from kibitz.strategy.evaluation.validity import Evaluator
from kibitz.strategy.strategy import read_strategy
from kibitz.strategy.tree import Formula, Simple, past_depth
from kibitz.strategy.verification.verdict import restrict_to

Line = tuple[tuple[str, ...], ...]
"""Joint moves, one after the other."""


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """Goals that a match can end with, in how many states, and a shortest path to one."""

    goals: dict[Role, int | None]
    states: int
    path: Line


@dataclass(frozen=True, slots=True)
class BestReply:
    """The goal guaranteed to a role against the strategies, and a line of such play."""

    goal: int
    line: Line


@dataclass(frozen=True, slots=True)
class Compliance:
    """Report on the subgame in which roles comply with strategies.

    `holds` is None where no formula was asked for; `path` leads to a state from which not all paths
    satisfy it, one of the nearest. `silent` counts the states in which a strategy has no move, and
    `silence` is what happens there; `stuck` counts those where play cannot continue though it has
    not ended. Replies are computed only if play never stops because of silence.
    """

    roles: tuple[Role, ...]
    formula: str | None
    holds: bool | None
    path: Line | None
    states: int
    ends: int
    stuck: int
    silence: str
    silent: int
    outcomes: tuple[MatchOutcome, ...]
    replies: dict[Role, BestReply]

    def as_json(self, *, with_outcomes: bool = False) -> dict[str, Any]:
        """Return it as JSON."""
        found: dict[str, Any] = {
            "roles": list(self.roles),
            "property": self.formula,
            "holds": self.holds,
            "counterexample": None if self.path is None else {"path": _listed(self.path)},
            "states": self.states,
            "terminal_states": self.ends,
            "stuck_states": self.stuck,
            "silence": self.silence,
            "silent_states": self.silent,
            "best_replies": {
                role: {"goal": reply.goal, "line": _listed(reply.line)}
                for role, reply in self.replies.items()
            },
        }
        if with_outcomes:
            found["outcomes"] = [
                {"goals": o.goals, "states": o.states, "path": _listed(o.path)}
                for o in self.outcomes
            ]
        return found


def comply(
    space: StateSpace,
    strategies: Sequence[MoveSet],
    formula: str | None = None,
    *,
    silence: str = "any",
) -> Compliance:
    """Restrict a space to what complies with strategies, and describe what can happen there.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> from kibitz.strategy.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> space = explore(game)
    >>> greedy = read_strategy("true => (reduce b 0) | true => (reduce a 0)", game)
    >>> found = comply(space, [greedy.on(space, "player1")], "terminal implies wins(player2)")
    >>> found.holds, [outcome.goals["player1"] for outcome in found.outcomes]
    (True, [0])
    """
    model, silent = _complying(space, strategies, silence)
    holds: bool | None = None
    path: Line | None = None
    if formula is not None:
        bad = _violations(model, formula)
        holds = not len(bad[1])
        if not holds:
            path = _path(bad[0], reachable_under(bad[0]), int(bad[1][0]))
    stuck = (np.diff(model.first_edge) == 0) & ~model.terminal
    return Compliance(
        roles=tuple(moves.role for moves in strategies),
        formula=formula,
        holds=holds,
        path=path,
        states=len(model),
        ends=int(model.terminal.sum()),
        stuck=int(stuck.sum()),
        silence=silence,
        silent=silent,
        outcomes=_outcomes(model),
        replies={}
        if silence == "stop" and silent
        else _replies(space, model, [moves.role for moves in strategies]),
    )


def complying(
    space: StateSpace, strategies: Sequence[MoveSet], *, silence: str = "any"
) -> StateSpace:
    """Return the subspace that remains if roles make only their moves.

    Where a role's strategy has no move, it may make any legal one; if `silence` is "stop", play
    stops there.
    """
    return _complying(space, strategies, silence)[0]


def _complying(
    space: StateSpace, strategies: Sequence[MoveSet], silence: str
) -> tuple[StateSpace, int]:
    """Return the subspace, and in how many of its states a strategy has no move."""
    space.require_all_states("compliance")
    depth = max((depth_of(moves.space) for moves in strategies), default=0)
    space = unfold(space, depth)
    allowed = np.ones(space.edges, dtype=bool)
    silent = np.zeros(len(space), dtype=bool)
    columns = columns_of(space)
    for moves in strategies:
        here = moves.unfolded(depth)
        if here.space is not space:
            raise InputError("these moves belong to another space")
        waits = ~columns.to_move(moves.role)[columns.source]
        allowed &= here.under(silence).chosen | waits
        silent |= here.silent
    seen = reachable_under(space, allowed).seen
    return restrict_to(space, seen, allowed), int((seen & silent).sum())


def holds_everywhere(
    text: str, space: StateSpace, strategies: Sequence[MoveSet] = (), *, silence: str = "any"
) -> bool:
    """Return whether a formula is valid where roles comply: all reachable paths satisfy it.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load_sheet("nim:1,2")))
    >>> holds_everywhere("terminal implies goal(player1) = 0 or goal(player1) = 100", space)
    True
    """
    return not len(_violations(complying(space, strategies, silence=silence), text)[1])


def _violations(model: StateSpace, text: str) -> tuple[StateSpace, Any]:
    """Return the states from which not all paths satisfy a formula, on a space unfolded for it."""
    formula = _read(text, model)
    model = unfold(model, past_depth(formula))
    evaluator = Evaluator(columns_of(model), model.game.roles[0])
    evaluator.prepare(formula)
    return model, np.flatnonzero(~evaluator.everywhere(formula, np.arange(len(model))))


def _read(text: str, space: StateSpace) -> Formula:
    strategy = read_strategy(text, space.game, name="property")
    (_, plan), *_ = strategy.plans
    if not isinstance(plan, Simple) or strategy.lines:
        raise InputError("a property is one formula, without rules, else and also")
    return plan.formula


def _path(space: StateSpace, reached: Reach, state: StateId) -> Line:
    write = space.game.write
    return tuple(tuple(map(write, joint)) for joint in reached.moves_to(state))


def _outcomes(model: StateSpace) -> tuple[MatchOutcome, ...]:
    ends = np.flatnonzero(model.terminal)
    reached = reachable_under(model)
    rank = np.empty(len(model), dtype=np.int64)
    rank[reached.order] = np.arange(len(reached.order))
    found: dict[tuple[int, ...], list[int]] = {}
    for state in ends[np.argsort(rank[ends])].tolist():
        found.setdefault(tuple(model.goals[state].tolist()), []).append(state)
    return tuple(
        MatchOutcome(
            dict(zip(model.game.roles, (g if g >= 0 else None for g in goals), strict=True)),
            len(states),
            _path(model, reached, states[0]),
        )
        for goals, states in sorted(found.items(), reverse=True)
    )


def _replies(whole: StateSpace, model: StateSpace, bound: list[Role]) -> dict[Role, BestReply]:
    """Solve the subspace for the roles without a strategy, if possible."""
    free = [role for role in model.game.roles if role not in bound]
    if not free or not bound:
        return {}
    try:
        sums = sums_of_goals(whole)  # the subspace may have no end
        solution = solve(model, total=sums[0] if len(sums) == 1 else None)
    except KibitzError:
        return {}
    write = model.game.write
    line = tuple(tuple(map(write, joint)) for joint in solution.line())
    return {role: BestReply(solution.value()[role], line) for role in free}


def _listed(line: Line) -> list[list[str]]:
    return [list(joint) for joint in line]
