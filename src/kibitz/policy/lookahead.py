"""Decide which moves are allowed in many states, by looking a few moves ahead on the engine.

Where a formula needs too many gates, the states that follow the asked ones are made, all at once,
and the formula is evaluated on them as on a small state space.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kibitz.engine import Blocks, CompiledGame, Role
from kibitz.policy.policies import Allowed, Asked
from kibitz.policy.unrolled_game import NotCompilableError
from kibitz.space import SEVERAL, StateSpace, Stop
from kibitz.strategy import Columns, Evaluator, Strategy, tree

Rows = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

_STATES = 60_000
"""About how many states are made at a time."""
_MOST_AHEAD = 2
"""How many moves ahead one may look: more make too many states."""


@tree.by_identity
def moves_ahead(formula: tree.Formula) -> int:
    """Return how many moves a formula looks ahead.

    >>> from kibitz.strategy.tree import Can, Next, Not, Wins
    >>> moves_ahead(Next(Not(Can("me", Next(Wins("me"))))))
    2
    """
    parts = tree.children(formula)
    # There may be thousands of moves.
    ahead = max((1 if isinstance(x, tree.Does) else moves_ahead(x) for x in parts), default=0)
    match formula:
        case tree.Next():
            return 1 + ahead
        case tree.Can() | tree.Does():
            return max(1, ahead)
        case _:
            return ahead


@lru_cache(maxsize=4096)
def looks_to(formula: tree.Formula) -> int:
    """Return how far to look for a formula, or raise NotCompilableError."""
    if any(isinstance(leaf, tree.Made | tree.Before | tree.Turn) for leaf in tree.leaves(formula)):
        raise NotCompilableError("it asks for the past, or for whose turn it is")
    ahead = max(1, moves_ahead(formula))
    if ahead > _MOST_AHEAD:
        raise NotCompilableError(f"it looks {ahead} moves ahead")
    return ahead


def states_ahead(game: CompiledGame, rows: Rows, depth: int) -> StateSpace:
    """Return states, first the given ones, with all that follows within a number of moves.

    The last ones have no edges, though play may go on there.
    """
    blocks = Blocks(game)
    levels, parents, joints = [rows], [], []
    start = 0
    for _ in range(depth):
        following = blocks.expand(levels[-1], stop_at_terminal=True)
        parents.append(following.parents + start)
        joints.append(following.joint)
        start += len(levels[-1])
        levels.append(following.states)
    states = np.concatenate(levels)
    joint = np.concatenate(joints).astype(np.int64)
    source = np.concatenate(parents)
    sizes = [len(moves) for moves in game.network.moves]
    key = np.zeros(len(joint), dtype=np.int64)
    for role, size in enumerate(sizes):
        key = key * size + joint[:, role]
    _, first, action = np.unique(key, return_index=True, return_inverse=True)
    first_edge = np.zeros(len(states) + 1, dtype=np.int64)
    np.cumsum(np.bincount(source, minlength=len(states)), out=first_edge[1:])
    return StateSpace(
        game=game,
        states=states,
        first_edge=first_edge,
        target=np.arange(len(rows), len(states), dtype=np.uint32),
        action=action.astype(np.uint16),
        joint_moves=tuple(
            tuple(game.network.moves[role][move] for role, move in enumerate(joint[at].tolist()))
            for at in first.tolist()
        ),
        turn=_turns(source, joint, len(states)),
        terminal=blocks.terminal(states),
        goals=blocks.goals(states).astype(np.int8),
        layers=(len(states),),
        is_layered=False,
        stopped=Stop("states"),
        symmetries=None,
        seconds=0.0,
    )


def _turns(source: Numbers, joint: Numbers, states: int) -> npt.NDArray[np.int8]:
    """Return who has a choice in each state: a role, by its number, or several."""
    turn = np.zeros(states, dtype=np.int8)
    choosing = np.zeros(states, dtype=np.int8)
    same = source[1:] == source[:-1]
    for role in range(joint.shape[1]):
        differs = same & (joint[1:, role] != joint[:-1, role])
        here = np.zeros(states, dtype=bool)
        here[source[1:][differs]] = True
        turn[here] = role
        choosing += here
    turn[choosing > 1] = SEVERAL
    return turn


class Ahead:
    """States of a role, and what formulas say about each of their moves."""

    def __init__(self, game: CompiledGame, role: Role, rows: Rows, depth: int) -> None:
        self.space = states_ahead(game, rows, depth)
        self.evaluator = Evaluator(Columns(self.space), role)
        self.edges = np.arange(self.space.first_edge[len(rows)])
        self.states = np.arange(len(rows))
        index = game.roles.index(role)
        number = {move: n for n, move in enumerate(game.network.moves[index])}
        of_joint = np.array([number[joint[index]] for joint in self.space.joint_moves])
        self.source = np.repeat(self.states, np.diff(self.space.first_edge[: len(rows) + 1]))
        self.moves = of_joint[self.space.action[self.edges]]

    def allowed(self, plan: tree.Plan) -> npt.NDArray[np.bool_]:
        """Return which moves a plan allows."""
        for formula in tree.plan_formulas(plan):
            self.evaluator.prepare(formula)
        return self.evaluator.plan(plan, self.states)[1]

    def valid(self, formula: tree.Formula) -> npt.NDArray[np.bool_]:
        """Return under which moves a formula is valid."""
        self.evaluator.prepare(formula)
        return self.evaluator.valid(formula, self.edges)

    def rank(self, preference: tree.Preference) -> Numbers:
        """Return how high moves rank by a preference."""
        counted = tree.counted_by(preference)
        if counted is not None:
            number = self.evaluator.number(counted, self.edges)
            if number is not None:
                return number
        chain = np.stack([self.valid(formula) for formula in preference.formulas])
        return np.asarray(np.logical_and.accumulate(chain, axis=0).sum(axis=0))


def look(
    game: CompiledGame, role: Role, rows: Rows, formulas: Sequence[tree.Formula]
) -> Iterator[tuple[slice, Ahead]]:
    """Walk parts of some states, each with what follows as far as formulas look."""
    depth = max((looks_to(formula) for formula in formulas), default=1)
    start, size = 0, 8
    while start < len(rows):
        part = slice(start, min(len(rows), start + size))
        ahead = Ahead(game, role, rows[part], depth)
        yield part, ahead
        each = max(1, len(ahead.space) // (part.stop - start))
        size = max(1, min(4 * size, _STATES // each))
        start = part.stop


@dataclass(frozen=True, eq=False)
class LookaheadPolicy:
    """Moves of a strategy, for many states at once, by the states that follow them."""

    game: CompiledGame
    role: Role
    plan: tree.Plan
    name: str = "rules"
    needs_past: bool = False
    is_native: bool = False

    @classmethod
    def of(cls, strategy: Strategy, role: Role) -> LookaheadPolicy:
        """Return a policy that follows a strategy; raise NotCompilableError if it looks too far."""
        assert isinstance(strategy.game, CompiledGame)
        plan = strategy.plan(role)
        for formula in tree.plan_formulas(plan):
            looks_to(formula)
        return cls(strategy.game, role, plan, strategy.name)

    def moves(self, asked: Asked) -> Allowed:
        """Return the moves that the strategy allows; all legal ones where it has none."""
        allowed = np.zeros_like(asked.legal)
        formulas = list(tree.plan_formulas(self.plan))
        for part, ahead in look(self.game, self.role, asked.rows, formulas):
            chosen = ahead.allowed(self.plan)
            allowed[part][ahead.source[chosen], ahead.moves[chosen]] = True
        silent = ~allowed.any(axis=1)
        allowed[silent] = asked.legal[silent]
        return allowed
