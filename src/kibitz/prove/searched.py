"""Values of positions that are searched when they are asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import ClassVar, Literal

from kibitz.engine import CompiledGame, State
from kibitz.prove.proof import Proof
from kibitz.prove.search import Prover, Spending
from kibitz.solve import Choice, Known, Place, Values, state_values


class SearchedValues(Values):
    """Values of positions of one game, by search; what it found stays in its table for the next.

    Each position may take the seconds and positions that may be spent; bounds that are open when
    they are used up stay open.

    >>> from kibitz.games import load_sheet
    >>> values = SearchedValues(CompiledGame(load_sheet("connect:3,4x4")), spending=Spending(60))
    >>> values.value(), len(values.best_moves())
    ({'xplayer': 100, 'oplayer': 0}, 4)
    """

    kind: ClassVar[Literal["bounds"]] = "bounds"
    method: ClassVar[str] = "search"

    def __init__(
        self, game: CompiledGame, state: State | None = None, *, spending: Spending | None = None
    ) -> None:
        self.spending = spending or Spending()
        self.prover = Prover(game, self.spending)
        self.total = self.prover.total if len(game.roles) == 2 else 100
        self._start = state or game.initial()
        self._proofs: dict[State, Proof] = {}

    @property
    def game(self) -> CompiledGame:
        """The game."""
        return self.prover.game

    @property
    def start(self) -> State:
        """The first position that was asked for."""
        return self._start

    def proof(self, at: Place | None = None, *, moves: bool = False) -> Proof:
        """Search a position; with `moves`, value each of its moves as well."""
        state, prover = self.state(at), self.prover
        found = self._proofs.get(state)
        if found is None or (moves and len(found.moves) < len(state.legal(found.mover or ""))):
            most = self.spending.positions
            prover.spending = replace(
                self.spending, positions=None if most is None else most + prover.positions
            )
            prover.deadline = time.monotonic() + self.spending.seconds
            prover.why_open = ""
            found = self._proofs[state] = prover.prove(state, moves=moves)
        return found

    def look(self, at: Place | None = None) -> Known:
        """Return what is known of a position."""
        proof = self.proof(at)
        return Known(proof.bounds, None if proof.plies is None else (proof.plies, proof.plies))

    def moves(self, at: Place | None = None) -> Iterator[Choice]:
        """Walk the joint moves of a position, which are searched together."""
        state = self.state(at)
        if state.is_terminal:
            return
        proof = self.proof(state, moves=True)
        index = self.game.roles.index(proof.mover or self.game.roles[0])
        for joint in product(*(state.legal(role) for role in self.game.roles)):
            after = state.step(joint)
            bounds = proof.moves[joint[index]]
            yield Choice(joint, after, Known(bounds, (0, 0) if after.is_terminal else None))

    def follow(self, at: Place | None = None) -> Iterator[Choice]:
        """Walk one line of best play, as far as a search of the first position found it."""
        state = self.state(at)
        bounds = self.proof(state).bounds
        for joint in self.proof(state).line:
            state = state.step(joint)
            yield Choice(joint, state, Known(bounds, (0, 0) if state.is_terminal else None))

    def __str__(self) -> str:
        if self.look().value[self.game.roles[0]] is not None:
            return super().__str__()
        texts = (f"{role}: {value.text}" for role, value in state_values(self).items())
        return "with best play " + ", ".join(texts)
