"""Measure the speed of tree search in a game, with a clock that fits work into a time."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from kibitz.budget import time_left, time_to_work
from kibitz.engine import Blocks, CompiledGame
from kibitz.measured.positions import LONGEST
from kibitz.policy import tree_values

_STATES, _PLAYOUTS = 256, 10
_FEW, _FEW_PLAYOUTS = 8, 20
"""States and playouts that are timed: many at once, and few, which take hardly less."""
_AT_ONCE, _EACH = 8, 64
"""Rows of the first state from which random matches say how long matches are, and how many each."""


class WorkClock:
    """Counts seconds of work since it was made: on a busy machine, not those spent waiting.

    They are the seconds that passed, or those of all processors if these are fewer; but a command
    that is held to a time has no more of it on a busy machine.

    >>> 0 <= WorkClock().seconds() < 60
    True
    """

    def __init__(self) -> None:
        self._began, self._used = time.monotonic(), time.process_time()

    def seconds(self) -> float:
        """Return the seconds that count."""
        passed = time.monotonic() - self._began
        if time_left() < math.inf:
            return passed
        return min(passed, time.process_time() - self._used)

    def is_before(self, end: float) -> bool:
        """Return whether fewer seconds have been counted, and the command has time to go on."""
        return self.seconds() < end and time_to_work() > 0


@dataclass(frozen=True, slots=True)
class Pace:
    """Playouts of tree search in a second, moves of a random match, and gates of the game.

    A playout in a block of few states takes `least_s`, hardly less than in a full one.
    """

    playouts: float
    moves: float
    gates: int
    least_s: float = 0.0

    @property
    def work(self) -> float:
        """Cost of a playout, in playouts of a small game; the same on any machine."""
        return max(1.0, self.moves * self.gates / 2e5)

    def seconds(self, matches: int, playouts: int) -> float:
        """Return about how long matches against tree search take, half of them in each seat."""
        return self.moves * playouts * (self.least_s + matches / 2 / self.playouts)


def pace_of(game: CompiledGame) -> Pace:
    """Time a few playouts.

    >>> from kibitz.games import load_sheet
    >>> pace = pace_of(CompiledGame(load_sheet("tictactoe")))
    >>> pace.playouts > 1000, 5 < pace.moves < 9
    (True, True)
    """
    blocks = Blocks(game)
    rows = blocks.initial()
    after = blocks.expand(rows).states
    going_on = after[~blocks.terminal(after)] if len(after) else after
    rows = (going_on if len(going_on) else rows).repeat(_STATES, axis=0)[:_STATES]
    tree_values(game, rows[:1], 1)  # What must be compiled is compiled now.
    clock = WorkClock()
    tree_values(game, rows, _PLAYOUTS)
    spent = clock.seconds()
    clock = WorkClock()
    tree_values(game, rows[:_FEW], _FEW_PLAYOUTS)
    least_s = clock.seconds() / _FEW_PLAYOUTS
    # Broken off by moves, not by time: work of rounds must not depend on the machine.
    made = game.machine.rollouts(1).run(blocks.initial().repeat(_AT_ONCE, axis=0), 1, LONGEST)[0]
    rate = len(rows) * _PLAYOUTS / max(spent, 1e-6)
    moves = max(1.0, float(made.mean()) / _EACH)
    return Pace(rate, moves, len(game.network.gates), least_s)
