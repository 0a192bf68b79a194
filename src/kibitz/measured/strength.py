"""Measure the strength and the accuracy of rules, with intervals.

A position counts where a choice matters: some moves keep the value and others do not. Positions
that a search does not decide soon are early ones, so the positions are those after some number of
moves, from which on nearly all are decided; what happens to be decided earlier is left out.

All of it is measured, in matches that the search did not use, and is given with 95 % intervals.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kibitz.engine import CompiledGame, Move, Role, State
from kibitz.errors import KibitzError
from kibitz.measured.pace import WorkClock
from kibitz.measured.players import Candidate
from kibitz.measured.positions import LONGEST, Positions, allowed_moves
from kibitz.measured.racing import Goals, Opponent, Referee
from kibitz.play import Rating, fit_ratings
from kibitz.policy import Policy, share_interval
from kibitz.prove import Analyser

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


FEWEST = 16
"""The fewest matches that are worth telling."""
LIST = "these rules"
"""The name of the list among the players that are rated."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Points of 100 against one opponent, with their 95 % interval, in a number of matches."""

    score: float
    low: float
    high: float
    matches: int

    def __str__(self) -> str:
        return f"{self.score:.1f} ({self.low:.1f} to {self.high:.1f}) in {self.matches:,} matches"

    def as_json(self) -> dict[str, float]:
        """Return it as plain data."""
        return {
            "score": round(self.score, 2),
            "low": round(self.low, 2),
            "high": round(self.high, 2),
            "matches": self.matches,
        }


@dataclass(frozen=True, slots=True)
class RuleWorth:
    """How often a rule decides, in percent of the moves, and what the list gets without it."""

    share: float
    without: dict[str, Strength]

    def as_json(self) -> dict[str, object]:
        """Return it as plain data."""
        return {
            "share": round(self.share, 2),
            "without": {name: found.as_json() for name, found in self.without.items()},
        }


def strength_of(points: Goals | Sequence[float]) -> Strength:
    """Return the mean of points from 0 to 100, with its interval.

    The interval is that of a rate with the same mean, which is at least as wide.

    >>> strength_of([100] * 80 + [0] * 20)
    Strength(score=80.0, low=71.1..., high=86.6..., matches=100)
    """
    count, mean = len(points), float(np.mean(points))
    low, high = share_interval(mean / 100 * count, count)
    return Strength(mean, 100 * low, 100 * high, count)


def measure_strength(
    referee: Referee,
    candidate: Candidate,
    opponents: Sequence[tuple[Opponent, int]],
    *,
    seconds: float,
    report: Callable[[str], None] = lambda _: None,
) -> dict[str, Strength]:
    """Play a number of matches against each opponent, fewer where there is no time for them.

    An opponent against whom not even a few can be played is left out.
    """
    found: dict[str, Strength] = {}
    for opponent, matches in opponents:
        clock, end = WorkClock(), seconds / len(opponents)
        played = 0
        while played < matches:
            began = clock.seconds()
            report(f"matches against {opponent.name}: {played:,} of {matches:,}")
            # Many at once take hardly longer than few.
            step = min(matches, 2 * played or FEWEST)
            played = len(referee.points(candidate, opponent, step))
            if not clock.is_before((end + 2 * began) / 3):
                break
        found[opponent.name] = strength_of(referee.points(candidate, opponent, played))
    return found


def measure_rules(
    referee: Referee,
    candidate: Candidate,
    shares: Sequence[float],
    opponents: Sequence[tuple[Opponent, int]],
    *,
    seconds: float,
    report: Callable[[str], None] = lambda _: None,
) -> list[RuleWorth]:
    """Measure a list without each of its rules in turn."""
    found = []
    for number, share in enumerate(shares):
        without = (*candidate[:number], *candidate[number + 1 :])
        report(f"matches without rule {number + 1}")
        strengths = measure_strength(
            referee, without, opponents, seconds=seconds / max(1, len(shares))
        )
        found.append(RuleWorth(share, strengths))
    return found


def rate_all(referee: Referee, candidate: Candidate) -> list[Rating]:
    """Fit ratings to all matches that were played; random play has 0, if it was met.

    The list is rated with its parts, whose matches tell more about the opponents.
    """
    names = {who: f"list {number}" for number, (who, _) in enumerate(referee.records)}
    names[candidate] = LIST
    results = [
        (names[who], opponent, float(point) / 100)
        for (who, opponent), record in referee.records.items()
        for point in record.all
    ]
    ratings = fit_ratings(results)
    zero = next((rating.elo for rating in ratings if rating.name == "random"), 0.0)
    return [
        replace(
            rating,
            elo=rating.elo - zero,
            interval=(rating.interval[0] - zero, rating.interval[1] - zero),
        )
        for rating in ratings
    ]
