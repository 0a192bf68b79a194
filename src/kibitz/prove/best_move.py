"""A position of a match in, what is proved of it out, if little effort proves it: for players.

A player asks before each move. Far from the end the answer is None after the few positions that it
may look at; near the end it is a proof with a move to make. What was found stays for the next move.
"""

from __future__ import annotations

import time
from dataclasses import replace

from kibitz.engine import CompiledGame, Move, State
from kibitz.errors import KibitzError
from kibitz.prove.analysis import Analyser
from kibitz.prove.endings import Endings
from kibitz.prove.movers import mover_of
from kibitz.prove.plies import plies_to_win
from kibitz.prove.proof import Proof

__all__ = ["best_within"]

_MOST_KEPT = 2
_kept: list[tuple[CompiledGame, Analyser | None]] = []
"""What searches the games asked about last; None for one that search does not take."""


def best_within(
    state: State,
    *,
    seconds: float = 1.0,
    positions: int = 100_000,
    memory: int = 100_000_000,
    endings: Endings | None = None,
    symmetries_s: float = 2.0,
) -> Proof | None:
    """Prove a position within so much, or return None; `best` of the proof has one move to make.

    The move keeps the value, and where it wins, it is the first of a shortest win if that is found
    in time, so that a player who asks each time gets on in games with cycles as well. What is lost
    has no best move. `memory`, `endings` and the time to look for symmetries count when a game is
    asked about for the first time. That takes up to a second or two more, so ask once before the
    clock runs.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2,4"))
    >>> found = best_within(game.initial(), seconds=60)
    >>> found.value, found.best, found.plies
    ({'player1': 100, 'player2': 0}, ((reduce c 3),), 7)
    """
    game = state.game
    if not isinstance(game, CompiledGame) or state.is_terminal:
        return None
    try:
        analyser = _analyser(game, memory, endings, symmetries_s)
        return None if analyser is None else _proved(analyser, state, seconds, positions)
    except KibitzError:  # search does not take the game, or an end that lies ahead
        _keep(game, None)
        return None


def _analyser(
    game: CompiledGame, memory: int, endings: Endings | None, symmetries_s: float
) -> Analyser | None:
    for kept, analyser in _kept:
        if kept is game:
            return analyser
    made = Analyser(game, memory=memory, threads=1, endings=endings, symmetries_s=symmetries_s)
    _keep(game, made)
    return made


def _keep(game: CompiledGame, analyser: Analyser | None) -> None:
    others = [pair for pair in _kept if pair[0] is not game]
    _kept[:] = [(game, analyser), *others][:_MOST_KEPT]


def _proved(analyser: Analyser, state: State, seconds: float, positions: int) -> Proof | None:
    began, before = time.monotonic(), analyser.prover.positions
    bounds = analyser.bounds_of(state, seconds=seconds, positions=positions)
    mover = mover_of(state)
    proof = Proof(state, bounds, mover)
    low, high = bounds[mover]
    if low != high:
        return None
    move, plies = None, None
    if low > analyser.whole[mover][0]:
        left = max(0.0, began + seconds - time.monotonic())
        if low == analyser.whole[mover][1]:
            move, plies = _quickest(analyser, state, left / 2)
        move = move or analyser.keeping(state, seconds=left / 2)
        if move is None:
            return None
    return replace(
        proof,
        best=() if move is None else (move,),
        plies=plies,
        positions=analyser.prover.positions - before,
        seconds=time.monotonic() - began,
    )


def _quickest(analyser: Analyser, state: State, seconds: float) -> tuple[Move | None, int | None]:
    """Return the first move of a shortest win, and its plies, if both are found in time."""
    prover = analyser.prover
    mover = mover_of(state)
    value = len(prover.values) - 1 if mover == analyser.game.roles[0] else 0
    deadline = time.monotonic() + seconds
    found = plies_to_win(prover, state, value, seconds=seconds)
    if found is None or found.exact is None:
        return None, None
    for move in state.legal(mover):
        left = deadline - time.monotonic()
        after = plies_to_win(prover, state.play(move), value, seconds=left, most=found.exact - 1)
        if after is not None and after.exact is not None:
            return move, found.exact
    return None, None
