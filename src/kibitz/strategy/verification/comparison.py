"""Two strategies in; out where they choose differently, grouped by the rules that decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from kibitz.engine import Role
from kibitz.space import StateId, StateSpace
from kibitz.strategy.evaluation.columns import Bools, columns_of
from kibitz.strategy.evaluation.history_space import depth_of, unfold
from kibitz.strategy.evaluation.move_set import MoveSet
from kibitz.strategy.strategy import Decisions

__all__ = ["Difference", "Disagreement", "compare"]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """States in which one rule of each strategy decides, and they choose differently.

    Rules are numbered from 1; 0 says that no rule decides. The example is the first such state.
    """

    rules: tuple[int, int]
    states: int
    example: StateId
    moves: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two strategies of a role choose differently."""

    role: Role
    space: StateSpace
    states: int
    different: int
    only: tuple[int, int]
    """How many pairs of state and move only the first has, and only the second."""
    groups: tuple[Disagreement, ...]
    silence: str = "any"
    """What happens where a strategy has no move; see `MoveSet.under`."""

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        write = self.space.game.write
        return {
            "role": self.role,
            "silence": self.silence,
            "states": self.states,
            "different": self.different,
            "only_first": self.only[0],
            "only_second": self.only[1],
            "groups": [
                {
                    "rules": list(group.rules),
                    "states": group.states,
                    "example": [write(f) for f in self.space.state(group.example).fluents],
                    "moves": [list(moves) for moves in group.moves],
                }
                for group in self.groups
            ],
        }


class Deciding(Protocol):
    """Anything that recommends moves on a space, and says which of its rules decides where."""

    def decide(self, space: StateSpace, role: Role) -> Decisions:
        """Return the moves, and the number of the rule that decides in each state."""


def compare(
    one: Deciding, other: Deciding, space: StateSpace, role: Role, *, silence: str = "any"
) -> Difference:
    """Compare two strategies on all states of a space in which it is a role's turn.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore
    >>> from kibitz.strategy.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> texts = ("true => (reduce a 0)", "(heap b 0) => (reduce a 0)")
    >>> strategies = [read_strategy(text, game) for text in texts]
    >>> found = compare(*strategies, explore(game), "player1", silence="stop")
    >>> found.different, found.only, found.groups[0].rules
    (1, (1, 0), (1, 0))
    """
    space.require_all_states("comparing strategies")
    first, second = (
        replace(found, moves=found.moves.under(silence))
        for found in (one.decide(space, role), other.decide(space, role))
    )
    depth = max(depth_of(first.moves.space), depth_of(second.moves.space))
    first, second = _unfolded(first, depth), _unfolded(second, depth)
    whole = first.moves.space
    columns = columns_of(whole)
    differ = np.zeros(len(whole), dtype=bool)
    differ[columns.source[first.moves.chosen ^ second.moves.chosen]] = True
    return Difference(
        role=role,
        space=whole,
        states=int(columns.to_move(role).sum()),
        different=int(differ.sum()),
        only=(len(first.moves - second.moves), len(second.moves - first.moves)),
        groups=tuple(_groups(first, second, differ)),
        silence=silence,
    )


def _unfolded(decisions: Decisions, depth: int) -> Decisions:
    space, decider = decisions.moves.space, decisions.decider
    while depth_of(space) < depth:
        before = np.concatenate([np.zeros(1, dtype=np.int64), space.target.astype(np.int64)])
        space, decider = unfold(space, depth_of(space) + 1), decider[before]
    return Decisions(decisions.moves.unfolded(depth), decider)


def _groups(first: Decisions, second: Decisions, differ: Bools) -> Iterator[Disagreement]:
    states = np.flatnonzero(differ)
    pairs = np.stack([first.decider[states], second.decider[states]], axis=1) + 1
    found: dict[tuple[int, int], list[int]] = {}
    for state, (a, b) in zip(states.tolist(), pairs.tolist(), strict=True):
        found.setdefault((a, b), []).append(state)
    for rules, members in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
        yield Disagreement(
            rules,
            len(members),
            members[0],
            (_moves(first.moves, members[0]), _moves(second.moves, members[0])),
        )


def _moves(moves: MoveSet, state: StateId) -> tuple[str, ...]:
    return tuple(map(moves.space.game.write, moves.moves(state)))
