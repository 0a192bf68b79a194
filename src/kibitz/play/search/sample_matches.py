"""A game of two roles in; out positions of matches in blocks, each with its match's result.

Matches are random, or between players that prefer moves to states with a high sum of weights.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import LANES
from kibitz.engine import CompiledGame
from kibitz.engine.compiled.native_machine import Expander, LeafBlock
from kibitz.rows import Rows, pack, row_words, unpack

Floats = npt.NDArray[np.float32]
Bits = npt.NDArray[np.bool_]

_BYTES = 64_000_000
_FEWEST = 64
_LONGEST_RANDOM, _LONGEST = 10_000, 400
"""Moves of a match that is broken off."""
_OPENING = 8
"""Up to so many moves at the beginning of a match are random."""
_KEPT = 0.2
"""The share of a match's positions that become samples."""
_MATCHES = 8
"""Random matches from a position, about as many as a leaf of a search gets."""


class TooSlow(Exception):  # noqa: N818 - no error: there is a search without weights
    """Matches that would not end in time."""


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Positions, and what the first role got in a match each was in, from 0 to 1."""

    rows: Rows
    results: Floats


class SampleMatches:
    """Plays matches of a game until a time of `time.monotonic`; later it raises TooSlow."""

    def __init__(self, game: CompiledGame, deadline: float, *, seed: int = 1) -> None:
        machine, self.layout = game.machine, game.program.layout
        self.deadline = deadline
        self.words = row_words(self.layout.fluent_count)
        widest = max(self.layout.move_counts)
        self.lanes = min(LANES, _BYTES // (8 * self.words * widest))
        self.room = self.lanes * widest
        self.block = LeafBlock(machine, seed, [-1] * len(self.layout.goal_values))
        self.expander = Expander(machine, stop_at_terminal=True)
        self.source = np.random.default_rng(seed)
        self.initial = np.repeat(game.rows([game.initial()]), LANES, axis=0)
        self.length = 0.0
        """How many moves random matches have on average."""

    @property
    def is_opposed(self) -> bool:
        """Whether one role's gain is the other's loss, and there is room for enough matches."""
        first, second = (
            {value for role, value in self.layout.goal_values if role == number}
            for number in (0, 1)
        )
        opposed = None not in first and {100 - (value or 0) for value in first} == second
        return opposed and self.lanes >= _FEWEST

    def random(self, blocks: int) -> Samples:
        """Return one position from any time of each random match, also from its end."""
        self.length = self._play(self.initial, _LONGEST_RANDOM) / LANES
        rows, results = [], []
        for _ in range(blocks):
            self._play(self.initial, 1 + int(self.source.random() * self.length))
            area = slice(self.layout.fluents, self.layout.fluents + self.layout.fluent_count)
            rows.append(pack(unpack(self.block.memory[area], LANES).T, self.words))
            results.append(self._results(rows[-1]))
        return Samples(np.concatenate(rows), np.concatenate(results))

    def means(self, rows: Rows) -> Floats:
        """Return the mean result of a few random matches from each position."""
        parts = [rows[at : at + LANES] for at in range(0, len(rows), LANES)]
        means = [sum(self._results(part) for _ in range(_MATCHES)) / _MATCHES for part in parts]
        return np.concatenate(means).astype(np.float32)

    def _results(self, rows: Rows) -> Floats:
        """Play a random match from each position."""
        self._play(rows, _LONGEST_RANDOM)
        bits = unpack(self.block.out, len(rows)).astype(bool)
        return self._values(bits[0], bits[3:])

    def _values(self, ended: Bits, goals: Bits) -> Floats:
        """Return what the first role has at the end of each match, a half where it did not end."""
        values = np.full(len(ended), 0.5, np.float32)
        for (role, value), holds in zip(self.layout.goal_values, goals, strict=False):
            if role == 0:
                values[ended & holds] = (value or 0) / 100
        return values

    def _play(self, rows: Rows, most: int) -> int:
        """Play a random match from each of up to 512 positions; return how many moves were made."""
        if time.monotonic() > self.deadline:
            raise TooSlow
        rows = np.ascontiguousarray(rows)
        context = self.block.context
        context.rows, context.count, context.made, context.most = rows, len(rows), 0, most
        self.block.play(context)
        return int(context.made)

    def greedy(self, weights: Floats, greed: float) -> Samples:
        """Return positions of matches, ends among them, in which good sums are preferred.

        A role prefers a move over another by `greed` times the difference of the sums after them.
        """
        table = byte_table(weights)
        rows, match = self.initial[: self.lanes], np.arange(self.lanes)
        opening = self.source.integers(0, _OPENING + 1, self.lanes)
        results = np.full(self.lanes, 0.5, np.float32)
        goals = len(self.layout.goal_values)
        kept, matches = [], []
        for ply in range(_LONGEST):
            count = self.expander.run(rows, 0, len(rows), self.room)
            flags = unpack(self.expander.flags, len(rows)).astype(bool)
            ended = flags[0]
            results[match[ended]] = self._values(ended, flags[1:])[ended]
            keeps = ended | (self.source.random(len(rows)) < _KEPT)
            kept.append(rows[keeps])
            matches.append(match[keeps])
            after = self.expander.rows[:count]
            wanted = np.where(opening[match] > ply, 0.0, greed)
            wanted[flags[1 + goals + 1]] *= -1  # where the second role has the choice
            parents = self.expander.parents[:count]
            noise = -np.log(self.source.exponential(size=count))
            wanted = wanted[parents] * score(after, table) + noise
            picked = np.full(len(rows), -1, np.int64)
            core.function("estimates_pick")(parents, wanted, count, picked)
            goes_on = picked >= 0
            rows, match = after[picked[goes_on]], match[goes_on]
            if not len(rows):
                break
            if time.monotonic() > self.deadline:
                raise TooSlow
        return Samples(np.concatenate(kept), results[np.concatenate(matches)])


def byte_table(weights: Floats) -> Floats:
    """Return the sum of weights for each value of each byte of a row; last, the last weight."""
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    sums = weights[:-1].reshape(-1, 8) @ bits.T.astype(np.float32)
    return np.vstack([sums, np.full(256, weights[-1])]).astype(np.float32)


def score(rows: Rows, table: Floats) -> Floats:
    """Return the sum of weights of each row."""
    sums = np.empty(len(rows), np.float32)
    core.function("estimates_score")(
        np.ascontiguousarray(rows), rows.shape[1], len(rows), table, sums
    )
    return sums
