"""A list of rules in; out how often its moves keep what is proved of a position.

Positions are met in matches of the list against tree search. The search for one position values
their moves; those that it does not decide within its bound are left out, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from kibitz.engine import Blocks, CompiledGame, Role, State
from kibitz.errors import KibitzError
from kibitz.measured.positions import allowed_moves, collect_positions
from kibitz.policy import Policy, share_interval
from kibitz.prove import Analyser

__all__ = ["MET_MATCHES", "Accuracy", "measure_accuracy"]

MET_MATCHES = 64
"""In how many matches positions are met, for each role of a list."""
_MEMORY = 200_000_000


@dataclass(frozen=True, slots=True)
class Accuracy:
    """In which share of the positions, in percent, the rules keep the proved value.

    Where the rules allow several moves, each counts for its part. `open` positions were met too,
    and the search did not decide them.
    """

    share: float
    low: float
    high: float
    positions: int
    open: int

    def as_json(self) -> dict[str, float]:
        """Return it as plain data."""
        return {
            "share": round(self.share, 2),
            "low": round(self.low, 2),
            "high": round(self.high, 2),
            "positions": self.positions,
            "open": self.open,
        }


def measure_accuracy(
    game: CompiledGame,
    policies: Mapping[Role, Policy],
    opponents: Mapping[Role, Policy],
    *,
    positions: int,
    searched: int,
    seconds: float,
    seed: int,
    may_go_on: Callable[[], bool] = lambda: True,
    report: Callable[[str], None] = lambda _: None,
) -> Accuracy | None:
    """Judge the moves of a list in so many positions; None where no position can be proved.

    The search looks at so many positions for each, and for so many seconds at most.
    """
    try:
        analyser = Analyser(game, memory=_MEMORY)
    except KibitzError:
        return None
    kept, decided, undecided = 0.0, 0, 0
    for role, policy in policies.items():
        seats = {**opponents, role: policy}
        met = collect_positions(
            game, role, seats, matches=MET_MATCHES, most_moves=100_000, seed=seed, astray=0.0
        )
        met = met.part(np.random.default_rng([seed, 2]).permutation(len(met)))
        states = [State(game, key) for key in Blocks(game).keys(met.rows)]
        share = positions // len(policies)
        allowed = allowed_moves(game, role, policy, met.part(slice(4 * share)))
        here = 0
        for state, moves in zip(states, allowed, strict=False):
            if here >= share or not may_go_on():
                break
            report(f"proving positions: {decided} of {positions}")
            found = _judge(analyser, state, role, moves, searched, seconds)
            if found is None:
                undecided += 1
            else:
                kept, decided, here = kept + found, decided + 1, here + 1
            if undecided > 2 * positions:
                break
    if not decided:
        return None
    low, high = share_interval(kept, decided)
    return Accuracy(100 * kept / decided, 100 * low, 100 * high, decided, undecided)


def _judge(
    analyser: Analyser,
    state: State,
    role: Role,
    moves: tuple[object, ...],
    searched: int,
    seconds: float,
) -> float | None:
    """Return which part of some moves keeps the value of a position, if that is proved."""
    try:
        *_, last = analyser.analyse(state, seconds=seconds, positions=searched)
    except KibitzError:
        return None
    low, high = last.bounds[role]
    if low != high:
        return None
    kept = 0
    for one in last.moves:
        if one.move in moves:
            least, most = one.bounds[role]
            if least < low <= most:
                return None
            kept += least >= low
    return kept / len(moves) if moves else None
