"""Find the fewest plies in which the winner of a position can force the end.

One question after another: can it be forced in 1 ply, in 2, in 3?
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from kibitz.engine import State
from kibitz.prove.forced_wins import ForcedWins
from kibitz.prove.proof import Proof
from kibitz.prove.search import Prover

__all__ = ["Plies", "plies_to_win", "with_plies"]

_PLACES = 1 << 20
_MOST = 249


@dataclass(frozen=True, slots=True)
class Plies:
    """How soon a win can be forced: in `exact` plies, or not in `more_than` and open beyond."""

    exact: int | None
    more_than: int


def plies_to_win(
    prover: Prover,
    state: State,
    value: int,
    *,
    seconds: float,
    most: int = _MOST,
    report: Callable[[int], None] = lambda _: None,
) -> Plies | None:
    """Find how soon a won position ends, if in at most so many plies.

    `value` is the index of the first role's goal; it is None where no role gets the most that there
    is. `report` gets each number of plies that is not enough.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> prover = Prover(CompiledGame(load_sheet("nim:1,2,4")))
    >>> plies_to_win(prover, prover.game.initial(), prover.values.index(100), seconds=60)
    Plies(exact=7, more_than=6)
    """
    last = len(prover.values) - 1
    if state.is_terminal:
        return Plies(0, -1) if prover.end_value(state) == value else Plies(None, most)
    if value != last and (value or len(prover.game.roles) != 2):
        return None
    most = min(most, _MOST)
    wins = ForcedWins(prover, most_plies=most, places=_PLACES, use_table=True)
    wins.deadline = time.monotonic() + seconds
    for plies in range(1, most + 1):
        answer = wins.within(prover.row(state), int(value != last), plies)
        if answer is None:
            return Plies(None, plies - 1)
        if answer:
            return Plies(plies, plies - 1)
        report(plies)
    return Plies(None, most)


def with_plies(
    prover: Prover,
    proof: Proof,
    *,
    seconds: float,
    report: Callable[[int], None] = lambda _: None,
) -> Proof:
    """Add to the proof of a win how soon it can be forced, or how many plies are not enough.

    >>> from kibitz.engine import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> prover = Prover(CompiledGame(load_sheet("nim:1,2,4")))
    >>> with_plies(prover, prover.prove(prover.game.initial()), seconds=60).plies
    7
    """
    if proof.value is None or proof.plies is not None:
        return proof
    value = prover.values.index(proof.value[prover.game.roles[0]])
    began = time.monotonic()
    found = plies_to_win(prover, proof.state, value, seconds=seconds, report=report)
    took = proof.seconds + time.monotonic() - began
    if found is None:
        return replace(proof, seconds=took)
    return replace(proof, plies=found.exact, more_plies_than=found.more_than, seconds=took)
