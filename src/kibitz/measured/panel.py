"""Choose the best of some rule lists, their panel of opponents, and the number of matches.

Lists climb: those that do best against random play and a quick tree search meet a slower one, and
so on, as long as they get half of the points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kibitz.measured.options import SearchOptions
from kibitz.measured.pace import Pace, WorkClock
from kibitz.measured.players import Candidate
from kibitz.measured.racing import Opponent, Referee, race, tree_player

_LADDER = (10, 30, 100, 1000, 10_000)
"""Playouts of the tree searches that join the panel, one after the other."""
_MATCH_SHARE = 0.05
"""The share of the time that one list may play against one opponent."""
_CLIMB_SHARE, _RACE_SHARE, _BEGIN_SHARE = 0.12, 0.25, 0.5
"""The shares of the time of a race that leaves some lists, and of one that leaves the best; and of
them the share of the first matches of all lists.
"""
_FINALISTS = 12
"""Lists that go on to a stronger opponent, and for which there are always first matches."""
_MANY = 100
"""Lists that race in a small game if no time is given; fewer where matches take longer."""
_TOO_WEAK, _EVEN = 80.0, 50.0
"""Points of 100 from which an opponent leaves the panel, and a stronger one than the last joins."""
_FIRST_MATCHES, _LAST_MATCHES, _CLIMB_MATCHES = 64, 1024, 256
"""Matches of each list at first and at last. Fewer at a time take hardly less."""
_FEWEST_MATCHES = 16
"""The fewest matches of a list against a tree search that are worth their time."""


def ladder_of(options: SearchOptions, pace: Pace) -> dict[int, Opponent]:
    """Return tree searches by their playouts, those that there is time to play in each race.

    Few matches say little: the weakest is there for them, a stronger one for more.
    """
    found: dict[int, Opponent] = {}
    for playouts in _LADDER:
        matches = options.share(_LAST_MATCHES, _FEWEST_MATCHES)
        if options.seconds is not None:
            room = _MATCH_SHARE * options.seconds
            while matches >= _FEWEST_MATCHES and pace.seconds(matches, playouts) > room:
                matches //= 2
        if matches >= (options.share(_FIRST_MATCHES, 8) if found else _FEWEST_MATCHES):
            found[playouts] = tree_player(playouts, matches)
    return found


def grown(
    referee: Referee,
    best: Candidate,
    panel: Sequence[Opponent],
    ladder: Mapping[int, Opponent],
    matches: int,
) -> tuple[Opponent, ...]:
    """Return the panel without opponents that are too weak, and perhaps with a stronger one."""
    points = {one.name: referee.points(best, one, min(matches, one.most)).mean() for one in panel}
    left = [one for one in panel if points[one.name] < _TOO_WEAK]
    hardest = panel[-1]
    names = [one.name for one in ladder.values()]
    stronger = list(ladder.values())[
        names.index(hardest.name) + 1 if hardest.name in names else 0 :
    ]
    if stronger and points[hardest.name] >= _EVEN:
        left.append(stronger[0])
    return tuple(left) or (hardest,)


@dataclass(frozen=True)
class Races:
    """Races of one round; a match of a list against random play takes `match_s`."""

    referee: Referee
    options: SearchOptions
    pace: Pace | None
    match_s: float
    clock: WorkClock

    def best_of(
        self,
        lists: Sequence[Candidate],
        panel: Sequence[Opponent],
        ladder: Mapping[int, Opponent],
        others: Sequence[Opponent] = (),
    ) -> tuple[list[Candidate], tuple[Opponent, ...]]:
        """Return the lists that stayed to the end, the best first, and whom they met at last.

        The best against a panel go on to a stronger one as long as there is any that they hold
        their own against; there they meet some others as well.
        """
        panel = tuple(panel)
        while True:
            lists = self._race(lists, panel, ladder, _CLIMB_SHARE, _CLIMB_MATCHES, _FINALISTS)
            stronger = grown(self.referee, lists[0], panel, ladder, self._first_matches)
            if stronger[-1] in panel:
                break
            panel = stronger
        met = (*panel, *others)
        return self._race(lists, met, ladder, _RACE_SHARE, _LAST_MATCHES, 1), panel

    @property
    def _first_matches(self) -> int:
        return self.options.share(_FIRST_MATCHES, 8)

    def _race(
        self,
        lists: Sequence[Candidate],
        panel: Sequence[Opponent],
        ladder: Mapping[int, Opponent],
        share: float,
        most: int,
        keep: int,
    ) -> list[Candidate]:
        """Let lists race for a share of the time, as many as there is time for."""
        options, clock = self.options, self.clock
        matches, end = self._first_matches, math.inf
        searched = sum(playouts for playouts, one in ladder.items() if one in panel)
        if options.seconds is not None:
            room = share * options.seconds
            end = min(clock.seconds() + room, options.seconds)
            while matches > _FEWEST_MATCHES and (
                _FINALISTS * self._list_s(len(panel), searched, matches) > _BEGIN_SHARE * room
            ):
                matches //= 2
            each_s = self._list_s(len(panel), searched, matches)
            many = _BEGIN_SHARE * room / each_s
        else:
            many = _MANY / (self.pace.work if self.pace else 1.0)
        lists = lists[: max(_FINALISTS, int(many))]
        return race(
            self.referee,
            lists,
            panel,
            matches=matches,
            most=options.share(most, 16),
            keep=keep,
            may_go_on=lambda: clock.is_before(end),
        )

    def _list_s(self, opponents: int, playouts: int, matches: int) -> float:
        """Return about how many seconds the first matches of a list take."""
        tree_s = self.pace.seconds(matches, playouts) if self.pace and playouts else 0.0
        return tree_s + opponents * matches * self.match_s
