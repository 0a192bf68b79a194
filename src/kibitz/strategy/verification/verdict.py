"""Verify a Strategy or MoveSet against a Solution: what it guarantees, and where it does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from kibitz.engine import Move, Role
from kibitz.errors import InputError
from kibitz.solve import Solution, endless_goal, keeping_edges, progress_edges, solve
from kibitz.space import (
    Reach,
    StateId,
    StateSpace,
    carrier_to,
    playable_line,
    reachable_under,
    require_no_stuck,
    subspace_of,
)
from kibitz.strategy.evaluation.columns import (
    Bools,
    Columns,
    Numbers,
    UnfoldedSpace,
    columns_of,
    root_of,
)
from kibitz.strategy.evaluation.move_set import MoveSet
from kibitz.strategy.evaluation.rule_images import carriers_of
from kibitz.strategy.evaluation.validity import Evaluator
from kibitz.strategy.strategy import Strategy, StrategyRule
from kibitz.strategy.tree import And, Does, Formula, is_timeless, leaves

CLAIMS = (
    "perfect",
    "valid",
    "complete",
    "deterministic",
    "functional",
    "weakly_optimal",
    "strongly_optimal",
    "makes_progress",
    "wins",
    "draws",
)
"""What a strategy can be required to be."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A state that contradicts a claim, and how play gets there.

    `optimal_moves` keep the value and make progress; `keeping_moves` keep the value.
    """

    state: StateId
    fluents: tuple[str, ...]
    path: tuple[tuple[str, ...], ...]
    moves_chosen: tuple[str, ...]
    optimal_moves: tuple[str, ...]
    keeping_moves: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "state": list(self.fluents),
            "path": [list(joint) for joint in self.path],
            "moves_chosen": list(self.moves_chosen),
            "optimal_moves": list(self.optimal_moves),
            "keeping_moves": list(self.keeping_moves),
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """Properties and guarantees of a strategy.

    `perfect` says that from every state it leads to it reaches the value against every opponent: it
    is strongly optimal and makes progress. `valid` to `functional` are paper 001's (section 3.1),
    over all states of the space. σ(s) being the moves chosen in s and opt(s) those that keep its
    value, `weakly_optimal` is definition 4 of paper 000: σ(s) ⊆ opt(s) for all s that are reached
    by σ, and by any moves of opt(s) where it chooses none. `strongly_optimal` is σ(s) ⊆ opt(s) for
    all s that are reached by σ, and by any legal moves where it chooses none, and there opt(s) has
    all moves. `makes_progress` says that no play that follows it continues forever among states
    that are better than the middle. `guarantees` is the worst goal that can result for the role,
    and the best that is guaranteed to another role against it. What depends on values is None where
    states have no single one.

    All this is for `silence` "any". With "stop", nothing after a state in which the strategy has no
    move is considered, so strongly and weakly optimal are the same; and if play can reach such a
    state, the role is guaranteed 0 and nothing is said of others.
    """

    role: Role
    valid: bool
    complete: bool
    deterministic: bool
    weakly_optimal: bool | None
    strongly_optimal: bool | None
    makes_progress: bool | None
    guarantees: dict[Role, int]
    rules: int
    literals: int
    dead_rules: tuple[int, ...]
    states_checked: int
    bad_states: int
    value: int | None
    silence: str = "any"
    """What happens where the strategy has no move; see `MoveSet.under`."""
    stops: bool = False
    """Whether play can come to where it has no move, if that stops play."""
    against: str = ""
    """The claim that the counterexample contradicts; where it is not perfect, the reason."""
    counterexample: Counterexample | None = field(default=None, repr=False)

    @property
    def perfect(self) -> bool | None:
        """Whether it reaches the value against every opponent; None where there is no value."""
        if self.strongly_optimal is None:
            return None
        return self.strongly_optimal and bool(self.makes_progress) and not self.stops

    @property
    def functional(self) -> bool:
        """Whether it gives exactly one move wherever the role has to move."""
        return self.complete and self.deterministic

    @property
    def grade(self) -> str:
        """The quality of the strategy in a word or two; "checked" where no moves are optimal."""
        if self.strongly_optimal is None:
            return "checked"
        if self.perfect:
            return "perfect"
        if self.strongly_optimal:
            return "keeps the value"
        return "weakly optimal" if self.weakly_optimal and self.valid else "fails"

    def reason_against(self, claim: str) -> str:
        """Return the claim if it fails; where it is not perfect, the one that this is for."""
        if self.is_(claim):
            return ""
        parts = (
            ("strongly_optimal", "makes_progress", "complete") if claim == "perfect" else (claim,)
        )
        return next(part for part in parts if not self.is_(part))

    @property
    def wins(self) -> bool:
        """Whether it guarantees the highest goal."""
        return self.guarantees[self.role] == 100

    @property
    def draws(self) -> bool:
        """Whether it guarantees at least 50."""
        return self.guarantees[self.role] >= 50

    def is_(self, claim: str) -> bool:
        """Return whether a claim holds; see CLAIMS."""
        if claim not in CLAIMS:
            raise InputError(f"no claim {claim}", hint=f"one of {' '.join(CLAIMS)}")
        return bool(getattr(self, claim))

    def _repr_html_(self) -> str:
        """Show what was checked in a notebook, with the state that contradicts a claim."""
        from kibitz.board import escape

        words = {True: "yes", False: "no", None: "not known"}
        rows = [(claim.replace("_", " "), words[getattr(self, claim)]) for claim in CLAIMS]
        goals = ", ".join(f"{role} {goal}" for role, goal in self.guarantees.items())
        rows += [("guarantees", goals), ("states checked", f"{self.states_checked:,}")]
        if self.counterexample is not None:
            found = self.counterexample
            against = self.against.replace("_", " ")
            rows += [
                (f"a state against {against}", " ".join(found.fluents)),
                ("moves chosen there", " ".join(found.moves_chosen) or "none"),
            ]
        cells = "".join(f"<tr><td>{escape(a)}</td><td>{escape(b)}</td></tr>" for a, b in rows)
        return f"<p><b>{escape(self.role)}: {self.grade}</b></p><table>{cells}</table>"

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        found: dict[str, Any] = {claim: getattr(self, claim) for claim in CLAIMS[:8]}
        found["silence"] = self.silence
        found["guarantees"] = self.guarantees
        found["value"] = self.value
        found["rules"] = self.rules
        found["literals"] = self.literals
        found["dead_rules"] = list(self.dead_rules)
        found["states_checked"] = self.states_checked
        found["bad_states"] = self.bad_states
        found["counterexample"] = self.counterexample and self.counterexample.as_json()
        return found


def verify(
    strategy: Strategy | MoveSet,
    solution: Solution | StateSpace,
    role: Role,
    *,
    symmetry: str | None = None,
    silence: str = "any",
    claims: Sequence[str] = ("perfect",),
) -> Verdict:
    """Check a strategy against the solution of a space.

    The counterexample is one against the first of the claims that does not hold. If there is no
    solution, for example with more than two roles, give the space: everything is checked except
    what depends on optimal moves.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> from kibitz.strategy.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> solution = solve(explore(game))
    >>> verdict = verify(read_strategy("true => (mark 2 2)", game), solution, "xplayer")
    >>> verdict.perfect, verdict.deterministic, verdict.guarantees["xplayer"]
    (False, True, 0)
    """
    space = solution if isinstance(solution, StateSpace) else solution.space
    space.game.check_role(role)
    require_no_stuck(space)
    decisions = None
    if isinstance(strategy, Strategy):
        decisions = strategy.with_symmetry(symmetry).decide(space, role)
        moves = decisions.moves
    else:
        moves = strategy
    if root_of(moves.space) is not space or moves.role != role:
        raise InputError("these moves belong to another space or role")
    check = _Check(None if isinstance(solution, StateSpace) else solution, moves, silence)
    bad = check.bad(check.strong)
    is_solved = check.solution is not None
    rules: tuple[StrategyRule, ...] = ()
    dead: tuple[int, ...] = ()
    if isinstance(strategy, Strategy) and decisions is not None:
        rules = strategy.rules_for(role)
        deciding = set(np.flatnonzero(np.bincount(decisions.decider + 1)).tolist())
        dead = tuple(n for n in range(1, len(rules) + 1) if n not in deciding)
    verdict = Verdict(
        role=role,
        valid=bool(moves.chosen.any()),
        complete=not len(check.uncovered),
        deterministic=not len(check.undecided),
        weakly_optimal=not len(check.bad(check.weak, only_covered=True)) if is_solved else None,
        strongly_optimal=not len(bad) if is_solved else None,
        makes_progress=not len(check.circling) if is_solved else None,
        guarantees=check.guarantees(),
        rules=len(rules),
        literals=sum(count_literals(rule, check.columns, role) for rule in rules),
        dead_rules=dead,
        states_checked=len(check.strong.order),
        bad_states=len(bad),
        value=check.solution.value()[role] if check.solution else None,
        silence=silence,
        stops=silence == "stop" and bool((check.strong.seen & check.silent).any()),
    )
    against = next(filter(None, map(verdict.reason_against, claims)), "")
    return replace(
        verdict, against=against, counterexample=check.against(against) if against else None
    )


class _Check:
    def __init__(self, solution: Solution | None, moves: MoveSet, silence: str) -> None:
        self.moves, self.space, self.silence = moves, moves.space, silence
        self.solution = solution and _unfolded(solution, moves.space)
        self.columns: Columns = columns_of(self.space)
        self.mine = self.columns.to_move(moves.role)
        source = self.columns.source
        self.silent = moves.silent
        self.keeps: Bools = np.ones(self.space.edges, dtype=bool)
        if self.solution:
            self.keeps = keeping_edges(self.solution)
        waits = ~self.mine[source]
        self.maximal = moves.under(silence).chosen | waits
        """The edges that may be taken: σ^max if silence allows any move, and all of other roles."""
        self.strong = reachable_under(self.space, self.maximal)
        careful = self.maximal & (self.keeps | ~self.silent[source])
        self.weak = reachable_under(self.space, careful)

    def bad(self, reached: Reach, *, only_covered: bool = False) -> Numbers:
        """Return the reached states in which a move may give up value, in order."""
        taken = self.moves.chosen if only_covered else self.maximal
        source = self.columns.source
        wrong = np.zeros(len(self.space), dtype=bool)
        wrong[source[taken & ~self.keeps]] = True
        wrong &= self.mine
        return reached.order[wrong[reached.order]]

    @cached_property
    def progress(self) -> Bools:
        """The edges that keep the value and make progress."""
        return progress_edges(self.solution) if self.solution else self.keeps

    @cached_property
    def uncovered(self) -> Numbers:
        """The states in which it is the role's turn and the strategy has no move."""
        return np.flatnonzero(self.silent)

    @cached_property
    def undecided(self) -> Numbers:
        """The states in which there is more than one move."""
        source = self.columns.source[self.moves.distinct_edges()]
        return np.flatnonzero(np.bincount(source, minlength=len(self.space)) > 1)

    @cached_property
    def circling(self) -> Numbers:
        """The states better than the middle in which play can continue forever."""
        if self.solution is None:
            return np.zeros(0, dtype=np.int64)
        first, middle = self.solution.values, self.solution.middle
        is_first = self.space.game.roles.index(self.moves.role) == 0
        ahead = first > middle if is_first else first < middle
        return self.circles(self.strong.seen & ahead)

    def circles(self, states: Bools) -> Numbers:
        """Return the states from which play can stay among these states forever."""
        if self.space.is_layered:
            return np.zeros(0, dtype=np.int64)
        alive = states.copy()
        source = self.columns.source
        edges = np.flatnonzero(self.maximal & states[source] & states[self.space.target])
        while True:
            edges = edges[alive[self.space.target[edges]] & alive[source[edges]]]
            going_on = np.zeros_like(alive)
            going_on[source[edges]] = True
            if (going_on == alive).all():
                return np.flatnonzero(alive)
            alive = going_on

    def guarantees(self) -> dict[Role, int]:
        space, role = self.space, self.moves.role
        index = space.game.roles.index(role)
        ends = self.strong.seen & space.terminal
        if self.silence == "stop" and (self.strong.seen & self.silent).any():
            return {role: 0}
        worst = [int(space.goals[ends, index].min())] if ends.any() else []
        middle = endless_goal(self.solution.total if self.solution else 100, index)
        if not worst or len(self.circles(self.strong.seen)):
            worst.append(middle)
        found = {role: min(worst)}
        if self.solution and len(space.game.roles) > 1:
            values = solve(self.restricted(), total=self.solution.total).value()
            found |= {other: values[other] for other in values if other != role}
        return {name: found[name] for name in space.game.roles if name in found}

    def restricted(self) -> StateSpace:
        """Make a space of the states reachable if the role follows the strategy."""
        return restrict_to(self.space, self.strong.seen, self.maximal)

    def against(self, claim: str) -> Counterexample | None:
        """Describe one of the nearest states that contradict a claim."""
        reached = self.strong
        match claim:
            case "strongly_optimal" | "weakly_optimal" | "makes_progress" if self.solution is None:
                return None
            case "strongly_optimal":
                found = self.bad(reached)
            case "weakly_optimal":
                reached = self.weak
                found = self.bad(reached, only_covered=True)
            case "makes_progress":  # on every circle some move does not come nearer to the end
                circling = np.zeros(len(self.space), dtype=bool)
                circling[self.circling] = True
                idle = self.maximal & ~self.progress & circling[self.space.target]
                idles = np.bincount(self.columns.source[idle], minlength=len(self.space)) > 0
                found = reached.order[(circling & self.mine & idles)[reached.order]]
            case "wins" | "draws":
                index = self.space.game.roles.index(self.moves.role)
                goal = self.space.goals[reached.order, index]
                lost = self.space.terminal[reached.order] & (
                    goal < (100 if claim == "wins" else 50)
                )
                found = reached.order[lost]
                if self.silence == "stop" and not len(found):
                    found = reached.order[self.silent[reached.order]]
                if not len(found):
                    found = self.circles(reached.seen)
            case "complete" if self.silence == "stop" and (reached.seen & self.silent).any():
                found = reached.order[self.silent[reached.order]]
            case _:
                reached = reachable_under(self.space)
                states = self.undecided if claim == "deterministic" else self.uncovered
                if claim == "functional" and not len(states):
                    states = self.undecided
                found = reached.order[np.isin(reached.order, states)]
        return self.describe(int(found[0]), reached) if len(found) else None

    def describe(self, state: StateId, reached: Reach) -> Counterexample:
        """Describe a state and the path to it."""
        space, write = self.space, self.space.game.write
        index = space.game.roles.index(self.moves.role)
        edges = range(space.first_edge[state], space.first_edge[state + 1])
        path = playable_line(space, reached.path(state))
        shown = space.state(state)
        if space.is_reduced:  # the state that the path leads to, not the one that stands for it
            shown = space.state(0)
            for joint in path:
                shown = space.game.successor(shown.key, joint)
        carry = carrier_to(space, state, shown)

        def names(taken: Bools) -> tuple[str, ...]:
            made = {carry(space.joint_moves[space.action[e]])[index] for e in edges if taken[e]}
            return tuple(sorted(map(write, made)))

        return Counterexample(
            state=state,
            fluents=tuple(map(write, shown.fluents)),
            path=tuple(tuple(map(write, joint)) for joint in path),
            moves_chosen=names(self.maximal if self.mine[state] else self.moves.chosen),
            optimal_moves=names(self.progress),
            keeping_moves=names(self.keeps),
        )


def _unfolded(solution: Solution, space: StateSpace) -> Solution:
    """Return the solution of an unfolded space, whose states have the original values."""
    if not isinstance(space, UnfoldedSpace):
        return solution
    return replace(
        solution,
        space=space,
        values=solution.values[space.origin],
        distance=solution.distance[space.origin],
    )


def restrict_to(space: StateSpace, states: Bools, edges: Bools) -> StateSpace:
    """Keep some states and edges of a space; whose turn it is stays as it was."""
    part = subspace_of(space, states, edges)
    columns_of(part).keep_turns_of(columns_of(space), np.flatnonzero(states))
    return part


def count_literals(rule: StrategyRule, columns: Columns, role: Role) -> int:
    """Count the literals of a rule that the legality of its move does not imply.

    Those of a rule with variables, and of preferences, are counted as they are written.
    """
    preferred = sum(preference.atoms for preference in rule.preferences)
    if len(rule.choices) != 1:
        return rule.atoms + preferred
    ((condition, moves),) = rule.choices
    parts = condition.parts if isinstance(condition, And) else (condition,)
    return preferred + sum(
        size
        for part in parts
        if (size := sum(1 for _ in leaves(part))) and not _is_implied(part, moves, columns, role)
    )


def _is_implied(part: Formula, moves: tuple[Move, ...], columns: Columns, role: Role) -> bool:
    """Return whether a formula holds wherever a role can make one of the moves.

    It does in all states if its images, with the images of the moves, do in the states of a space
    that represent them.
    """
    if not is_timeless(part):
        return False
    asked = [(part, moves)]
    if columns.space.is_reduced:
        asked = list(
            dict.fromkeys(
                (carrier.formula(part), tuple(carrier.moves[role][move] for move in moves))
                for carrier in carriers_of(columns.game)
            )
        )
    evaluator = Evaluator(columns, role)
    for formula, made in asked:
        does = np.logical_or.reduce([columns.does(Does(role, move)) for move in made])
        edges = np.flatnonzero(does[columns.space.action])
        edges = edges[columns.to_move(role)[columns.source[edges]]]
        if not evaluator.valid(formula, edges).all():
            return False
    return True
