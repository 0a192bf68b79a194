"""Race candidates for the best: matches against a panel, few for those that fall behind.

All candidates meet the same opponents with the same random numbers. After each round the worse half
goes, and the rest play twice as many matches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
import numpy.typing as npt

from kibitz.engine import CompiledGame, Role
from kibitz.measured.players import Candidate, Player
from kibitz.measured.positions import LONGEST
from kibitz.policy import Policy, RandomPolicy, UctPolicy, play_matches
from kibitz.threads import ThreadTeam, thread_count

Goals = npt.NDArray[np.float64]

_SPREAD = 40.0
"""About how far the points of one match are from their mean."""
_LIST_WEIGHT = 0.25
"""What points against another list count, beside those against random play and tree search."""


@dataclass(frozen=True)
class Opponent:
    """Somebody to play against: a policy for a role and a seed, and the name in results.

    A slow one plays at most so many matches in a race. What is got against one of little weight
    says little: a list makes the same moves in every match, so another may beat it by chance.
    """

    name: str
    play: Callable[[Role, int], Policy]
    most: int = sys.maxsize
    weight: float = 1.0


def random_player() -> Opponent:
    """Return one that makes any legal move."""
    return Opponent("random", lambda role, seed: RandomPolicy())


def tree_player(playouts: int, most: int = sys.maxsize) -> Opponent:
    """Return plain tree search with a number of playouts for each move."""
    return Opponent(f"uct:{playouts}", lambda role, seed: UctPolicy(playouts, seed=seed), most)


@dataclass
class Record:
    """Points of a player against one opponent: a number from 0 to 100 for each match."""

    points: list[Goals] = field(default_factory=list)

    @property
    def all(self) -> Goals:
        """All points."""
        return np.concatenate([np.zeros(0), *self.points])


class Referee:
    """Plays candidates against opponents, in the seats of the roles they are for, and keeps all."""

    def __init__(self, game: CompiledGame, players: Mapping[Role, Player], *, seed: int) -> None:
        self.game, self.players, self.seed = game, players, seed
        # What does not end is equal, but a puzzle is not solved.
        self.unfinished = 50.0 if len(game.roles) > 1 else 0.0
        self.records: dict[tuple[Candidate, str], Record] = {}
        self._policies: dict[Candidate, dict[Role, Policy]] = {}

    def policies(self, candidate: Candidate) -> dict[Role, Policy]:
        """Return the policies of a candidate."""
        if candidate not in self._policies:
            self._policies[candidate] = {
                role: player.policy(candidate) for role, player in self.players.items()
            }
        return self._policies[candidate]

    def is_quick(self, candidate: Candidate) -> bool:
        """Return whether nothing of a candidate needs a look at the states that follow."""
        return all(player.by_gates(candidate) for player in self.players.values())

    def as_opponent(self, candidate: Candidate, number: int) -> Opponent:
        """Return a candidate as somebody to play against; roles it is not for play at random."""
        own = self.policies(candidate)
        return Opponent(
            f"list {number}",
            lambda role, seed: own.get(role, RandomPolicy()),
            weight=_LIST_WEIGHT,
        )

    def forget(self, kept: Sequence[Candidate]) -> None:
        """Give back the memory for all candidates but some."""
        self._policies = {c: found for c, found in self._policies.items() if c in kept}

    def points(self, candidate: Candidate, opponent: Opponent, matches: int) -> Goals:
        """Return the points of at least so many matches, as many in each seat.

        Matches that were played before count; the others are numbered after them.
        """
        record = self.records.setdefault((candidate, opponent.name), Record())
        played = len(record.all)
        if played < matches:
            mine = self.policies(candidate)
            share = -(-(matches - played) // len(self.players))
            for role in self.players:
                seed = hash_of(self.seed, played)
                seats = {other: opponent.play(other, seed) for other in self.game.roles}
                seats[role] = mine[role]
                found = play_matches(
                    self.game, seats, share, seed=seed, threads=1, longest=LONGEST
                ).of(role)
                record.points.append(np.where(np.isnan(found), self.unfinished, found))
        return record.all


def hash_of(*numbers: int) -> int:
    """Return a seed made of numbers."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0])


def race(
    referee: Referee,
    candidates: Sequence[Candidate],
    panel: Sequence[Opponent],
    *,
    matches: int,
    most: int,
    keep: int = 1,
    may_go_on: Callable[[], bool] = lambda: True,
    seen: Callable[[Candidate], None] = lambda _: None,
) -> list[Candidate]:
    """Return the candidates that stayed to the end, the best first; it ends with `keep` of them.

    `seen` gets the best so far whenever all that are left have played.

    The first of them is what others are compared with. Then those that are gates play, for others
    may be slow and leave no time. Where time ends
    within a round, what did not play in it is judged by fewer matches, and trusted less, as is
    what is new beside a list that played before.
    """
    first, *rest = dict.fromkeys(candidates)
    left = [first, *sorted(rest, key=lambda one: not referee.is_quick(one))]
    scores: dict[Candidate, float] = {}
    while True:
        found = _scores(referee, left, panel, matches, may_go_on)
        scores |= found
        # Threads end in any order; of equal candidates the first stays.
        left = sorted((one for one in left if one in scores), key=lambda one: -scores[one])
        seen(left[0])
        if len(left) <= keep or matches >= most or not may_go_on():
            return left
        left = left[: max(2, keep, -(-len(left) // 2))]
        matches *= 2
        referee.forget(left)


def _scores(
    referee: Referee,
    candidates: Sequence[Candidate],
    panel: Sequence[Opponent],
    matches: int,
    may_go_on: Callable[[], bool],
) -> dict[Candidate, float]:
    """Return the points that candidates are likely to have at least; of one candidate or more.

    Each thread takes the next one.
    """
    scores: dict[Candidate, float] = {}
    waiting, making = iter(candidates), Lock()
    weights = np.array([one.weight for one in panel])
    weights /= weights.sum()

    def play(_: int) -> None:
        for candidate in waiting:
            if scores and not may_go_on():
                return
            with making:  # Gates are made by one thread at a time.
                referee.policies(candidate)
            got = [referee.points(candidate, one, min(matches, one.most)) for one in panel]
            mean = np.average([points.mean() for points in got], weights=weights)
            error = _SPREAD * np.sqrt(weights**2 @ [1 / len(points) for points in got])
            scores[candidate] = float(mean - error)

    with ThreadTeam(thread_count(None)) as team:
        team.each(play)
    return scores
