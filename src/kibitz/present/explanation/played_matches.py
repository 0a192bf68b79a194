"""A rule list in, matches out that it played, with the rule that chose each of its moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from kibitz.engine import Blocks, CompiledGame, Move, Role, State
from kibitz.policy import (
    MaskTable,
    MoveMasks,
    NotCompilableError,
    Policy,
    place_policy,
    play_matches,
    policy_for,
)
from kibitz.strategy import Strategy, moves_at

__all__ = ["Decision", "PlayedMatch", "play_by_rules"]

_FEW = 4
"""The most matches of a list whose moves are asked for state by state."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A position of a match in which a list chose, and the rule that decided; 0 for none.

    `allowed` are the moves of that rule, `otherwise` those of the list without it.
    """

    key: int
    ply: int
    rule: int
    made: Move
    allowed: tuple[Move, ...]
    otherwise: tuple[Move, ...]

    @property
    def is_needed(self) -> bool:
        """Whether the list without the rule allows another move."""
        return not set(self.otherwise) <= set(self.allowed)


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match of a list in the seat of a role: its joint moves, decisions, goal and opponent."""

    role: Role
    joints: tuple[tuple[Move, ...], ...]
    decisions: tuple[Decision, ...]
    goal: float
    against: str

    @property
    def rules(self) -> tuple[int, ...]:
        """The rule that decided each joint move; 0 for none."""
        decided = {one.ply: one.rule for one in self.decisions}
        return tuple(decided.get(ply, 0) for ply in range(len(self.joints)))


def play_by_rules(
    strategy: Strategy, role: Role, opponent: Policy, matches: int, *, seed: int = 1
) -> list[PlayedMatch]:
    """Play matches by a rule list against an opponent who has all other roles.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.policy import RandomPolicy
    >>> from kibitz.strategy import read_strategy
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> rules = read_strategy("next wins(me) => any\\ntrue => mark(2,2)", game)
    >>> match, = play_by_rules(rules, "xplayer", RandomPolicy(), 1)
    >>> match.rules[0]
    2
    """
    game = strategy.game
    assert isinstance(game, CompiledGame)
    seats: dict[Role, Policy] = dict.fromkeys(game.roles, opponent)
    try:
        masks = MoveMasks(game, role)
        wanted = [masks.plan(plan) for plan in strategy.parts(role)]
        seats[role] = place_policy(masks, masks.first(wanted), name=strategy.name)
        table = MaskTable(masks, wanted)
    except NotCompilableError:  # Looking ahead takes longer, and too many gates here.
        seats[role], table = policy_for(strategy, role), None
        matches = min(matches, _FEW)
    results = play_matches(game, seats, matches, seed=seed, threads=1, record=True)
    return [
        _watch(strategy, role, table, record, float(goal), opponent.name)
        for record, goal in zip(results.records, results.of(role), strict=True)
    ]


def _watch(
    strategy: Strategy,
    role: Role,
    table: MaskTable | None,
    record: npt.NDArray[np.int64],
    goal: float,
    against: str,
) -> PlayedMatch:
    """Play a match again, and ask in each position which rule decides."""
    game = strategy.game
    assert isinstance(game, CompiledGame)
    index = game.roles.index(role)
    moves = game.network.moves
    joints = [tuple(moves[i][n] for i, n in enumerate(joint)) for joint in record.tolist()]
    states = [game.initial()]
    for joint in joints:
        states.append(game.successor(states[-1].key, joint))
    plies = [ply for ply in range(len(joints)) if len(states[ply].legal(role)) > 1]
    if not plies:
        return PlayedMatch(role, tuple(joints), (), goal, against)
    if table is not None:
        last = np.concatenate([np.full((1, len(game.roles)), -1), record])[plies]
        found = table.ask(Blocks(game).rows([cast(int, states[ply].key) for ply in plies]), last)
    decisions = []
    for place, ply in enumerate(plies):
        if table is None:
            past = list(zip(states[:ply], joints[:ply], strict=True))
            by_rule = [moves_at(one, states[ply], role, past) for one in strategy.parts(role)]
        else:
            by_rule = [
                tuple(moves[index][n] for n in np.flatnonzero(found[rule, place]))
                for rule in range(len(found))
            ]
        decisions.append(_decision(states[ply], role, ply, joints[ply][index], by_rule))
    return PlayedMatch(role, tuple(joints), tuple(decisions), goal, against)


def _decision(
    state: State, role: Role, ply: int, made: Move, by_rule: Sequence[tuple[Move, ...]]
) -> Decision:
    """Return what the first rule that has moves allows, and what the rules after it would."""
    legal = tuple(state.legal(role))
    asking = [number for number, moves in enumerate(by_rule) if moves]
    rule = asking[0] + 1 if asking else 0
    return Decision(
        key=cast(int, state.key),
        ply=ply,
        rule=rule,
        made=made,
        allowed=by_rule[rule - 1] if rule else legal,
        otherwise=by_rule[asking[1]] if len(asking) > 1 else legal,
    )
