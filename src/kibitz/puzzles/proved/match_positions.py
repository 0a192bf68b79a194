"""A game in, positions of matches between weak and strong players out, and positions near them.

Players are random ones and tree search with few playouts, in blocks of matches. All positions are
reached by play, so none is artificial. The same seed gives the same positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kibitz.engine import Blocks, CompiledGame, Move
from kibitz.policy import (
    NotInBlocksError,
    Policy,
    RandomPolicy,
    UctPolicy,
    match_rows,
    play_matches,
)

__all__ = ["Candidate", "MatchPositions"]

Row = npt.NDArray[np.uint64]

_PAIRINGS = ((0, 0), (10, 0), (10, 10), (0, 10), (50, 10), (50, 50), (10, 50), (100, 50))
"""Playouts of the role and of its opponent, again and again; 0 plays at random."""
_STRONG = (300, 300)
_MATCHES = 64
_LONGEST = 1_000
_LOOKED_AT = 4
"""Matches of each batch in which turns are looked at."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A position of a match: the rows of the match up to it, the last one being its own.

    `distance` is how many plies before the end of the match it stood. A position near one of a
    match has the number of that match, and its distance.
    """

    line: tuple[Row, ...]
    match: int
    distance: int = 0

    @property
    def row(self) -> Row:
        """The position."""
        return self.line[-1]


class MatchPositions:
    """Plays matches, and gives positions in which a role is to choose, some plies from the end.

    >>> from kibitz.games import load_sheet
    >>> source = MatchPositions(CompiledGame(load_sheet("tictactoe")), 0)
    >>> batch = next(source.batches([3]))
    >>> len(batch) > 20, all(len(one.line) > 2 for one in batch)
    (True, True)
    """

    def __init__(self, game: CompiledGame, role: int, *, seed: int = 1) -> None:
        self.game, self.role, self.seed = game, role, seed
        self.blocks = Blocks(game)
        self.source = np.random.default_rng(seed)
        self.matches = 0
        self.alternates = True
        """Whether no role was seen to choose twice in a row."""
        self._can_search = True

    def batches(self, distances: Sequence[int]) -> Iterator[list[Candidate]]:
        """Play on for ever; each batch has the positions of some matches.

        They are so many plies from the end of a match, in this order.
        """
        number = 0
        while True:
            pairing = _PAIRINGS[number % len(_PAIRINGS)]
            number += 1
            lines = self._lines(pairing, number)
            found = [
                Candidate(tuple(line[:-distance]), self.matches + match, distance)
                for distance in distances
                for match, line in enumerate(lines)
                if len(line) > distance
            ]
            self.matches += len(lines)
            yield self._of_role(found)

    def openings(self, plies: range, *, strong: bool = False) -> Iterator[list[Candidate]]:
        """Play on for ever; each batch has positions so many plies after the start."""
        number = 0
        while True:
            number += 1
            pairing = _STRONG if strong else _PAIRINGS[number % len(_PAIRINGS)]
            lines = self._lines(pairing, number)
            found = [
                Candidate(tuple(line[: ply + 1]), self.matches + match)
                for match, line in enumerate(lines)
                for ply in plies
                if ply < len(line) - 1
            ]
            self.matches += len(lines)
            found = self._of_role(found)
            yield [found[i] for i in self.source.permutation(len(found))]

    def near(self, candidate: Candidate, *, most: int, back: int = 4) -> list[Candidate]:
        """Take back some plies, make other moves instead, and give what stands there then."""
        found = []
        for _ in range(most):
            plies = int(self.source.integers(1, back + 1))
            line = list(candidate.line[:-plies])
            if not line:
                continue
            for _ in range(plies):
                children = self.blocks.expand(line[-1][None, :], stop_at_terminal=True).states
                if not len(children):
                    break
                line.append(children[int(self.source.integers(len(children)))])
            else:
                found.append(replace(candidate, line=tuple(line)))
        return self._of_role(found)

    def moves_of(self, candidate: Candidate) -> tuple[tuple[Move, ...], ...]:
        """Return joint moves that lead to a position from the start of the game."""
        found = []
        for before, after in pairwise(candidate.line):
            children = self.blocks.expand(before[None, :])
            index = int((children.states == after).all(axis=1).argmax())
            joint = children.joint[index].tolist()
            found.append(tuple(self.game.network.moves[r][m] for r, m in enumerate(joint)))
        return tuple(found)

    def _of_role(self, candidates: list[Candidate]) -> list[Candidate]:
        """Keep positions in which play goes on and the role alone has a choice."""
        if not candidates:
            return []
        rows = np.stack([one.row for one in candidates])
        is_open = ~self.blocks.terminal(rows)
        for role, name in enumerate(self.game.roles):
            counts = self.blocks.legal(rows, name).sum(axis=1)
            is_open &= counts > 1 if role == self.role else counts == 1
        return [one for one, keep in zip(candidates, is_open.tolist(), strict=True) if keep]

    def _lines(self, pairing: tuple[int, int], number: int) -> list[list[Row]]:
        """Play matches, and return the rows of each."""
        game, seed = self.game, 1000 * self.seed + number
        policies: dict[str, Policy] = {
            name: UctPolicy(playouts, seed=seed) if playouts else RandomPolicy()
            for role, name in enumerate(game.roles)
            for playouts in [pairing[0] if role == self.role else pairing[1]]
        }
        if not self._can_search:
            policies = {}
        try:
            results = play_matches(
                game, policies, _MATCHES, seed=seed, longest=_LONGEST, record=True
            )
        except NotInBlocksError:
            self._can_search = False
            return self._lines((0, 0), number)
        lines = match_rows(game, results)
        self._note_turns(lines[:_LOOKED_AT])
        return lines

    def _note_turns(self, lines: list[list[Row]]) -> None:
        """Look for a role that chooses twice in a row."""
        for line in lines:
            rows = np.stack(line)
            for name in self.game.roles:
                chooses = self.blocks.legal(rows, name).sum(axis=1) > 1
                chooses &= ~self.blocks.terminal(rows)
                if (chooses[1:] & chooses[:-1]).any():
                    self.alternates = False
