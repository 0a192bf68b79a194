"""Time the classification of all positions of a game against thirty plays of one of them.

Paper 003 plays thirty times from a position to find how hard it is, with a search for each move.
`SearchingPlayer` does so, state by state on the engine. Kibitz sweeps over all states instead.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from kibitz.engine import CompiledGame, State
from kibitz.puzzles import DepthSkill, Threat, find_positions, find_threats, measure_all
from kibitz.solve import END, MOST_REWARD

PLAYS = 30


@dataclass(frozen=True, slots=True)
class PuzzleFigures:
    """CPU seconds for all positions, exactly, and for thirty plays of one, as measured on some."""

    game: str
    states: int
    positions: int
    sets_s: float
    exact_s: float
    plays_s: float
    plays: int

    @property
    def ratio(self) -> float:
        """How many times as long thirty plays of one position take as all positions, exactly."""
        return self.plays_s / self.exact_s

    @property
    def ratio_of_all(self) -> float:
        """How many times as long it would take to play thirty times from every position."""
        return self.ratio * self.positions


class SearchingPlayer:
    """A depth-k player that searches from the current state, for each of two alternating roles."""

    def __init__(self, game: CompiledGame, depth: int, seed: int = 1) -> None:
        self.game, self.depth = game, depth
        self.threats = [find_threats(game, role) for role in (0, 1)]
        self.source = random.Random(seed)

    def best(self, state: State) -> list[State]:
        """Return the states after each of the best moves."""
        after = self._successors(state)
        values = [self._search(child, 2 * self.depth - 1) for child in after]
        wanted = max(values) if self._mover(state) == 0 else min(values)
        return [child for child, value in zip(after, values, strict=True) if value == wanted]

    def choose(self, state: State) -> State:
        """Make one of the best moves."""
        return self.source.choice(self.best(state))

    def _search(self, state: State, plies: int) -> int:
        if state.is_terminal:
            first, second = (state.goals[role] or 0 for role in self.game.roles)
            return (first - second) * END
        if plies == 0:
            return self._count(state, self.threats[0]) - self._count(state, self.threats[1])
        values = [self._search(child, plies - 1) for child in self._successors(state)]
        best = max(values) if self._mover(state) == 0 else min(values)
        return best - (best > MOST_REWARD) + (best < -MOST_REWARD)

    def _successors(self, state: State) -> list[State]:
        one, other = (state.legal(role) for role in self.game.roles)
        return [state.step([a, b]) for a in one for b in other]

    def _mover(self, state: State) -> int:
        return 1 if len(state.legal(self.game.roles[1])) > 1 else 0

    def _count(self, state: State, threats: list[Threat]) -> int:
        key = state.key
        assert isinstance(key, int)
        return sum(threat.holds(key) for threat in threats)


def measure_puzzles(
    game: CompiledGame, *, rounds: int = 2, depth: int = 3, seconds: float = 10.0
) -> PuzzleFigures:
    """Classify all positions won in a number of rounds, and play from one of them for a while."""
    start = time.process_time()
    positions = find_positions(game, game.roles[0], set="paper", rounds=[rounds])
    states = positions.won_in(rounds)
    pair = [(DepthSkill(depth), DepthSkill(depth))]
    measure_all(positions.solution, states[:1], role=0, pairs=pair)  # compiles the loops
    sets = time.process_time() - start
    start = time.process_time()
    measure_all(positions.solution, states, role=0, pairs=pair)
    exact = time.process_time() - start
    player = SearchingPlayer(game, depth)
    position = positions.solution.space.state(int(states[len(states) // 2]))
    start = time.process_time()
    plays = 0
    while plays < PLAYS and (plays == 0 or time.process_time() - start < seconds):
        state = position
        while not state.is_terminal:
            state = player.choose(state)
        plays += 1
    thirty = (time.process_time() - start) / plays * PLAYS
    return PuzzleFigures(game.sheet.name, positions.states, len(states), sets, exact, thirty, plays)
