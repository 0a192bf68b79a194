"""Collect positions that one of some policies meets, with the value of each move in them.

Positions are those in which a role has a choice, from matches. What a move is worth is estimated by
tree search in the state after it: such estimates rank moves well enough to look for rules, and say
nothing certain about a position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from kibitz.core import LANES
from kibitz.engine import Blocks, CompiledGame, Move, Role
from kibitz.policy import (
    Allowed,
    Asked,
    GatePolicy,
    MatchBlock,
    Outside,
    Policy,
    RandomPolicy,
    play_matches,
    tree_values,
)

Rows = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int64]

LONGEST = 500
"""Moves after which a match is broken off."""


@dataclass(frozen=True)
class Positions:
    """States as packed rows, the joint moves that led to them, and how often each was met.

    Moves are numbers of the network, and -1 where there was none.
    """

    rows: Rows
    last: Counts
    met: Counts

    @classmethod
    def alone(cls, game: CompiledGame, rows: Rows) -> Positions:
        """Return states that no move led to, each met once."""
        last = np.full((len(rows), len(game.roles)), -1, dtype=np.int64)
        return cls(rows, last, np.ones(len(rows), dtype=np.int64))

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, which: Counts | slice) -> Positions:
        """Return some of them."""
        return Positions(self.rows[which], self.last[which], self.met[which])


@dataclass(frozen=True)
class Choices:
    """Positions of one role and their legal moves, one after the other.

    The moves of position i are those from `first[i]` to `first[i + 1]`; `moves` are their numbers
    in the network, and `values` what the role gets by them, from 0 to 1. `weights` says how often
    each position was met, and `last` by which joint move.
    """

    role: int
    rows: Rows
    last: Counts
    first: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def position(self) -> npt.NDArray[np.int64]:
        """The position of each move."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))


@dataclass(eq=False)
class _Watched:
    """A policy whose positions are kept; with some chance it makes any legal move instead."""

    other: Policy
    astray: float
    source: np.random.Generator
    block: MatchBlock | None = None
    met: list[tuple[Rows, Counts, Counts]] = field(default_factory=list)
    name: str = "watched"
    needs_past: bool = False
    is_native: bool = False

    def moves(self, asked: Asked) -> Allowed:
        """Return what the policy allows, and keep the states."""
        last = asked.last()
        if last is None:
            last = np.full((len(asked.rows), len(asked.game.roles)), -1, dtype=np.int64)
        self.met.append((asked.rows, last, asked.legal.sum(axis=1)))
        if isinstance(self.other, Outside):
            allowed = self.other.moves(asked)
        elif isinstance(self.other, GatePolicy):
            if self.block is None:
                self.block = MatchBlock(asked.game, {asked.role: self.other})
            allowed = self.block.masks_at(asked.rows, asked.role, last)
        else:
            allowed = asked.legal.copy()
        strays = self.source.random(len(allowed)) < self.astray
        allowed[strays] = asked.legal[strays]
        return allowed


def collect_positions(
    game: CompiledGame,
    role: Role,
    policies: Mapping[Role, Policy],
    *,
    matches: int,
    most_moves: int,
    seed: int,
    astray: float = 0.1,
) -> Positions:
    """Return states in which a role chooses, in matches between policies.

    They are drawn from all that were met until they have so many legal moves together. With the
    chance `astray` the role makes any legal move, so that more is seen.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> found = collect_positions(game, "xplayer", {}, matches=100, most_moves=500, seed=1)
    >>> int(found.met.max()) > 5
    True
    """
    source = np.random.default_rng([seed, 1])
    watched = _Watched(policies.get(role, RandomPolicy()), astray, source)
    seats = {**policies, role: watched}
    play_matches(game, seats, matches, seed=seed, threads=1, longest=LONGEST)
    if not watched.met:
        return Positions.alone(game, Blocks(game).initial()[:0])
    rows, last, moves = map(np.concatenate, zip(*watched.met, strict=True))
    order = source.permutation(len(rows))
    drawn = order[: 1 + np.searchsorted(np.cumsum(moves[order]), most_moves)]
    keys = np.concatenate([rows[drawn], last[drawn].astype(np.uint64)], axis=1)
    _, first, met = np.unique(keys, axis=0, return_index=True, return_counts=True)
    return Positions(rows[drawn[first]], last[drawn[first]], met)


def allowed_moves(
    game: CompiledGame, role: Role, policy: Policy, positions: Positions
) -> list[tuple[Move, ...]]:
    """Return the moves that a policy allows a role in each of some states.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> start = Positions.alone(game, Blocks(game).initial())
    >>> len(allowed_moves(game, "xplayer", RandomPolicy(), start)[0])
    9
    """
    choices = unvalued(game, role, positions)
    rows = positions.rows
    moves = game.network.moves[choices.role]
    legal = np.zeros((len(rows), len(moves)), dtype=bool)
    legal[choices.position, choices.moves] = True
    found: list[tuple[Move, ...]] = []
    for start in range(0, len(rows), LANES):
        part = slice(start, start + LANES)
        numbers = np.arange(start, min(len(rows), start + LANES))
        watched = _Watched(policy, 0.0, np.random.default_rng(0))
        last = partial(positions.last.__getitem__, part)
        asked = Asked(game, role, rows[part], legal[part], numbers, 0, lambda _: [], last)
        found += [tuple(moves[i] for i in np.flatnonzero(row)) for row in watched.moves(asked)]
    return found


def unvalued(game: CompiledGame, role: Role, positions: Positions) -> Choices:
    """Return states and the legal moves of a role, worth nothing as yet.

    Joint moves are not listed: where all roles choose at a time there can be billions.
    """
    index, rows = game.roles.index(role), positions.rows
    legal = Blocks(game).legal(rows, role)
    first = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(legal.sum(axis=1), out=first[1:])
    moves = np.nonzero(legal)[1]
    values, weights = np.zeros(len(moves)), positions.met.astype(np.float64)
    return Choices(index, rows, positions.last, first, moves, values, weights)


def states_after(game: CompiledGame, choices: Choices, *, times: int = 1, seed: int = 1) -> Rows:
    """Return the states after each move, so many times each; the other roles move at random."""
    blocks, source = Blocks(game), np.random.default_rng([seed, 3])
    position = np.repeat(choices.position, times)
    joint = np.zeros((len(position), len(game.roles)), dtype=np.int32)
    for index, other in enumerate(game.roles):
        if index == choices.role:
            joint[:, index] = np.repeat(choices.moves, times)
            continue
        legal = blocks.legal(choices.rows, other)
        count = legal.sum(axis=1)
        start = (np.cumsum(count) - count)[position]
        drawn = (source.random(len(position)) * count[position]).astype(np.int64)
        listed = np.append(np.nonzero(legal)[1], 0)  # for a role that is stuck
        joint[:, index] = listed[start + drawn]
    return blocks.step(choices.rows[position], joint)


def estimate_moves(
    game: CompiledGame, role: Role, positions: Positions, *, playouts: int, seed: int
) -> Choices:
    """Estimate what each legal move of a role is worth in states in which it alone chooses."""
    choices = unvalued(game, role, positions)
    after, blocks = states_after(game, choices), Blocks(game)
    values = choices.values
    ended = blocks.terminal(after)
    goals = blocks.goals(after[ended])[:, choices.role]
    values[ended] = np.where(goals < 0, 0.5, goals / 100)
    if not ended.all():
        values[~ended] = tree_values(game, after[~ended], playouts, seed=seed)[:, choices.role]
    return choices
