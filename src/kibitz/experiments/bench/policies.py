"""Measure how fast a list of rules is followed: as gates, beside the evaluator of one state."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

from kibitz.engine import CompiledGame, State
from kibitz.policy import GatePolicy, compile_strategy, play_matches
from kibitz.strategy import Strategy, read_strategy

_MATCHES = 2048
_ANY = "{drop(1), drop(2), drop(3), drop(4), drop(5), drop(6), drop(7)}"
_QUIET = (
    "next next not wins(opponent) & next not can(opponent, next (not terminal & "
    "next can(opponent, next wins(opponent))))"
)
EIGHT_RULES = f"""\
next wins(me) => {_ANY}
can(me, next can(opponent, next wins(opponent))) & next next not wins(opponent) => {_ANY}
next (not terminal & next can(me, next wins(me))) => {_ANY}
{_QUIET} => drop(4)
{_QUIET} => drop(3)
{_QUIET} => drop(2)
{_QUIET} => drop(1)
next next not wins(opponent) => {_ANY}
"""
"""For connect four: win, parry, make two threats, then the most central column after which the
opponent can neither win at once nor make two threats, then one after which he cannot win at once.
"""


@dataclass(frozen=True, slots=True)
class Following:
    """Moves in a CPU-second by gates and by the evaluator, and how large the gates are."""

    game: str
    rules: int
    gates: int
    seconds_to_compile: float
    moves_per_cpu_second: float
    evaluator_moves_per_cpu_second: float

    @property
    def times(self) -> float:
        """How many times as fast the gates are."""
        return self.moves_per_cpu_second / self.evaluator_moves_per_cpu_second

    def as_json(self) -> dict[str, object]:
        """Return the figures as plain data."""
        return {**asdict(self), "times": self.times}


def measure_policy(game: CompiledGame, text: str, *, windows: int = 3) -> Following:
    """Let every role follow a list in matches, one thread; the best window counts.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> measure_policy(game, "next wins(me) => mark(2,2)", windows=1).rules
    1
    """
    strategy = read_strategy(text, game)
    start = time.process_time()
    policies = {role: compile_strategy(strategy, role) for role in game.roles}
    compiled = time.process_time() - start
    best = max(_rate(game, policies) for _ in range(windows))
    return Following(
        game.sheet.name,
        len(strategy.rules),
        max(policy.gates for policy in policies.values()),
        compiled,
        best,
        _evaluator_rate(game, strategy, policies),
    )


def _rate(game: CompiledGame, policies: dict[str, GatePolicy]) -> float:
    start = time.process_time()
    results = play_matches(game, policies, _MATCHES, threads=1)
    return results.moves / (time.process_time() - start)


def _evaluator_rate(
    game: CompiledGame, strategy: Strategy, policies: dict[str, GatePolicy]
) -> float:
    """Ask the evaluator in the states of one match after another, for a second or a match."""
    spent, asked = 0.0, 0
    for record in play_matches(game, policies, 20, record=True, threads=1).records:
        state: State = game.initial()
        start = time.process_time()
        for joint in record.tolist():
            for role in game.roles:
                if len(state.legal(role)) > 1:
                    strategy.moves(state, role)
                    asked += 1
            moves = tuple(game.network.moves[i][move] for i, move in enumerate(joint))
            state = game.successor(state.key, moves)
        spent += time.process_time() - start
        if spent > 1:
            break
    return asked / spent
