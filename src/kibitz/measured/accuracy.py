"""Measure how often a list of rules keeps what is proved of random positions.

A position counts where a choice matters: some moves keep the value and others do not. Positions
that a search does not decide soon are early ones, so the positions are those after some number of
moves, from which on nearly all are decided; what happens to be decided earlier is left out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.errors import KibitzError
from kibitz.measured.positions import LONGEST, Positions, allowed_moves
from kibitz.policy import Policy, share_interval
from kibitz.prove import Analyser

__all__ = ["Accuracy", "measure_accuracy"]

_MEMORY = 200_000_000
_MOST_OPEN = 0.05
"""The share of positions that may stay open before earlier ones are left out."""
_OPEN_AT_ONCE = 3
"""How many may in any case."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """In which share of positions, in percent, the rules keep the proved value.

    `positions` are those of `judged` random ones in which a choice matters; a random move is right
    in `random` percent of them. Where the rules allow several moves, each counts for its part.
    `after` is the least number of moves made before, and `open` counts what was not decided.
    """

    share: float
    low: float
    high: float
    positions: int
    open: int
    random: float
    judged: int
    after: int

    def as_json(self) -> dict[str, float]:
        """Return it as plain data."""
        return {
            "share": round(self.share, 2),
            "low": round(self.low, 2),
            "high": round(self.high, 2),
            "positions": self.positions,
            "open": self.open,
            "random": round(self.random, 2),
            "judged": self.judged,
            "after": self.after,
        }


@dataclass(frozen=True, slots=True)
class _Met:
    """A random position in which one role chooses."""

    state: State
    role: Role
    last: tuple[int, ...]
    made: int


def measure_accuracy(
    game: CompiledGame,
    policies: Mapping[Role, Policy],
    *,
    positions: int,
    searched: int,
    seconds: float,
    seed: int,
    may_go_on: Callable[[], bool] = lambda: True,
    report: Callable[[str], None] = lambda _: None,
) -> Accuracy | None:
    """Judge the moves of a list in random positions; None where no choice is proved to matter.

    The search looks at so many positions for each, and for so many seconds at most.
    """
    try:
        analyser = Analyser(game, memory=_MEMORY)
    except KibitzError:
        return None
    source = random.Random(seed)
    met = [_draw(game, list(policies), source) for _ in range(positions)]
    ordered = sorted(filter(None, met), key=lambda one: -one.made)
    kept, by_chance, mattering, judged, undecided, after = 0.0, 0.0, 0, 0, 0, 0
    for one in ordered:
        if not may_go_on() or undecided > max(_OPEN_AT_ONCE, _MOST_OPEN * judged):
            break
        report(f"proving positions: {judged} of {positions}")
        right = _right_moves(analyser, one, searched, seconds)
        if right is None:
            undecided += 1
            continue
        judged, after = judged + 1, one.made
        legal = one.state.legal(one.role)
        if len(right) < len(legal):
            rows = analyser.prover.row(one.state)[None, :]
            here = Positions(rows, np.array([one.last]), np.ones(1, dtype=np.int64))
            allowed = allowed_moves(game, one.role, policies[one.role], here)[0]
            kept += len(right & set(allowed)) / max(1, len(allowed))
            by_chance += len(right) / len(legal)
            mattering += 1
    if not mattering:
        return None
    low, high = share_interval(kept, mattering)
    share, chance = 100 * kept / mattering, 100 * by_chance / mattering
    return Accuracy(share, 100 * low, 100 * high, mattering, undecided, chance, judged, after)


def _draw(game: CompiledGame, roles: list[Role], source: random.Random) -> _Met | None:
    """Play a random match, and draw one of the positions in which one of the roles chooses."""
    state, found = game.initial(), []
    last = tuple(-1 for _ in game.roles)
    for made in range(LONGEST):
        if state.is_terminal:
            break
        legal = [state.legal(role) for role in game.roles]
        if not all(legal):
            break
        choosing = [role for role, moves in zip(game.roles, legal, strict=True) if len(moves) > 1]
        found += [_Met(state, role, last, made) for role in choosing if role in roles]
        joint = tuple(source.choice(moves) for moves in legal)
        last = tuple(
            moves.index(move) for moves, move in zip(game.network.moves, joint, strict=True)
        )
        state = state.step(joint)
    return source.choice(found) if found else None


def _right_moves(analyser: Analyser, met: _Met, searched: int, seconds: float) -> set[Move] | None:
    """Return the moves that keep the value of a position, if that is proved of all moves."""
    prover = analyser.prover
    try:
        bounds = analyser.bounds_of(met.state, seconds=seconds, positions=searched)
        low, high = bounds[analyser.game.roles[0]]
        if low != high:
            return None
        right, is_all = prover.all_keeping(met.state, prover.values.index(low), searched)
    except KibitzError:
        return None
    return set(right) if is_all else None
