"""Find a plan for a puzzle of one role: a line of moves to its best goal.

States are expanded layer by layer, none twice. Where a layer has more states than the width of the
search, those that look best are kept: by how much of a goal condition they satisfy, and in the next
run by how random matches from them end. Every run is wider than the one before. A run that never
dropped a state has seen them all. In between clingo looks for plans, for as long.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import WORDS
from kibitz.engine import Blocks, CompiledGame, Move, State
from kibitz.engine.compiled.native_machine import Expander
from kibitz.errors import InputError
from kibitz.play.search.plan_unrolling import Unrolling
from kibitz.puzzles import winning_conditions
from kibitz.rows import Rows, hash_rows, key_of, row_words, rows_of_keys

Scores = npt.NDArray[np.float64]
Guide = Callable[[Rows], Scores]

_LANES = 64 * WORDS
_NARROWEST = 64
_WIDEST = 1 << 18
_DEEPEST = 5000
_MOST_WAYS = 200
_JUDGED = 4096
"""How many states are judged at a time."""
_UNROLLING_S = 0.5
"""How much longer clingo gets than the run before."""
_LOOK_AHEAD = 200
"""The most plies of a random match."""


@dataclass(frozen=True, slots=True)
class MovePlan:
    """Moves to make, by the key of the state to make them in, and the goal they lead to."""

    goal: int
    moves: dict[object, Move]


@dataclass(frozen=True, slots=True)
class _Layer:
    """States with their parents in the layer before and the moves that led to them."""

    rows: Rows
    parents: npt.NDArray[np.int64]
    moves: npt.NDArray[np.uint64]

    def take(self, kept: npt.NDArray[np.int64] | npt.NDArray[np.bool_]) -> _Layer:
        return _Layer(self.rows[kept], self.parents[kept], self.moves[kept])


class Planner:
    """Looks for plans in one game, from one state after another.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("eightpuzzle"))
    >>> planner = Planner(game)
    >>> planner.search(game.initial(), time.monotonic() + 30)
    >>> planner.plan.goal, planner.is_done
    (100, True)
    """

    def __init__(self, game: CompiledGame, *, seed: int = 1) -> None:
        if len(game.roles) != 1:
            raise InputError(f"plans are made for one role, and {game.sheet.name} has more")
        self.game = game
        self.source = np.random.default_rng(seed)
        self.expander = Expander(game.machine, stop_at_terminal=True)
        self.rollouts = game.machine.rollouts(seed)
        self.blocks = Blocks(game)
        self.values = np.array([v or 0 for _, v in game.program.layout.goal_values], np.float64)
        self.best_goal = int(self.values.max(initial=0))
        nearness = _Nearness(game)
        self.guides: list[Guide] = (
            [nearness, self._outlook] if nearness.is_useful else [self._outlook]
        )
        self.forget()

    def forget(self) -> None:
        """Start again: the match has left the plan."""
        self.plan: MovePlan | None = None
        self.is_done = False
        """Whether there is no better plan: the best goal was reached, or all states were seen."""
        self._runs = self._widths()
        self._unrolling: Unrolling | None = None
        self._deadline = 0.0

    def search(self, state: State, deadline: float) -> None:
        """Look for a better plan from a state until a time of `time.monotonic`."""
        if self.plan is not None and state.key not in self.plan.moves:
            self.forget()
        self._deadline = deadline
        while not self.is_done and (begin := time.monotonic()) < deadline:
            guide, width = next(self._runs)
            try:
                self.is_done |= self._run(state, guide, width)
            except TimeoutError:
                return
            if not self._has_best() and not self.is_done:
                now = time.monotonic()
                self._unroll(state, min(deadline, 2 * now - begin + _UNROLLING_S))
            self.is_done |= self._has_best()

    def _has_best(self) -> bool:
        return self.plan is not None and self.plan.goal == self.best_goal

    def _unroll(self, state: State, deadline: float) -> None:
        """Look for better plans with clingo."""
        self._unrolling = self._unrolling or Unrolling(self.game, state)
        least = int(self.values.min(initial=0)) if self.plan is None else self.plan.goal
        try:
            found = self._unrolling.find(least, deadline)
        except TimeoutError:
            return
        if found is None:
            self.is_done |= self._unrolling.is_done
            return
        goal, line = found
        moves: dict[object, Move] = {}
        for move in line:
            moves[state.key] = move
            state = state.step([move])
        self.plan = MovePlan(goal, moves)

    def _widths(self) -> Iterator[tuple[Guide, int]]:
        width = _NARROWEST
        while True:
            for guide in self.guides:
                yield guide, width
            width = min(4 * width, _WIDEST)

    def _check(self) -> None:
        if time.monotonic() > self._deadline:
            raise TimeoutError

    def _run(self, state: State, guide: Guide, width: int) -> bool:
        """Search once; return whether every state was seen."""
        row = self.game.rows([state])
        seen = _Seen()
        seen.fresh(row)
        layers = [_Layer(row, np.zeros(1, np.int64), np.zeros(1, np.uint64))]
        is_whole = True
        while len(layers[-1].rows) and len(layers) < _DEEPEST:
            after = self._expand(layers, seen)
            if self._has_best():
                return False
            if len(after.rows) > width:
                is_whole = False
                scores = self._scores(guide, after.rows)
                after = after.take(np.argpartition(-scores, width)[:width])
            layers.append(after)
        return is_whole and not len(layers[-1].rows)

    def _scores(self, guide: Guide, rows: Rows) -> Scores:
        """Judge states, some at a time, so that neither time nor memory runs out in between."""
        parts = []
        for start in range(0, len(rows), _JUDGED):
            self._check()
            parts.append(guide(rows[start : start + _JUDGED]))
        return np.concatenate(parts) + 1e-6 * self.source.random(len(rows))

    def _expand(self, layers: list[_Layer], seen: _Seen) -> _Layer:
        """Return the new states after the last layer; record the ends in that layer."""
        rows = np.ascontiguousarray(layers[-1].rows)
        found = []
        for first in range(0, len(rows), _LANES):
            self._check()
            part = rows[first : first + _LANES]
            room = sum(self.blocks.count_joint_moves(part, stop_at_terminal=True))
            count = self.expander.run(part, 0, len(part), room)
            self._note_ends(layers, first, len(part))
            after = self.expander.rows[:count]
            new = np.flatnonzero(seen.fresh(after))
            parents = self.expander.parents[:count][new] + first
            found.append(_Layer(after[new], parents, self.expander.moves[:count][new]))
        return _Layer(
            np.concatenate([layer.rows for layer in found]),
            np.concatenate([layer.parents for layer in found]),
            np.concatenate([layer.moves for layer in found]),
        )

    def _note_ends(self, layers: list[_Layer], first: int, count: int) -> None:
        bits = np.unpackbits(self.expander.flags.view(np.uint8), axis=1, bitorder="little")
        ends = np.flatnonzero(bits[0, :count])
        if not len(ends):
            return
        goals = self.values @ bits[1 : 1 + len(self.values), ends]
        best = int(goals.argmax())
        if self.plan is None or goals[best] > self.plan.goal:
            self.plan = MovePlan(int(goals[best]), self._trace(layers, first + int(ends[best])))

    def _trace(self, layers: list[_Layer], at: int) -> dict[object, Move]:
        """Go back from a state of the last layer; return the moves that led there."""
        low = (1 << self.expander.machine.bits) - 1
        moves: dict[object, Move] = {}
        for before, layer in zip(layers[-2::-1], layers[:0:-1], strict=True):
            move = self.game.network.moves[0][int(layer.moves[at]) & low]
            at = int(layer.parents[at])
            moves[key_of(before.rows[at])] = move
        return moves

    def _outlook(self, rows: Rows) -> Scores:
        """Judge states by random matches: their mean goal, and the best goal seen."""
        parts = []
        for start in range(0, len(rows), WORDS):
            self._check()
            part = rows[start : start + WORDS]
            counts = self.rollouts.run(part, 1, _LOOK_AHEAD).astype(np.float64)
            mean = counts[3:].T @ self.values / np.maximum(counts[1], 1)
            best = np.where(counts[3:] > 0, self.values[:, None], 0).max(axis=0, initial=0)
            parts.append(mean + best)
        return np.concatenate(parts)


class _Nearness:
    """Measures how much of a condition of the best goal states already satisfy."""

    def __init__(self, game: CompiledGame) -> None:
        ways = sorted(winning_conditions(game, 0), key=len)[:_MOST_WAYS]
        self.parts = list({part for way in ways for part in way})
        self.is_useful = any(len(way) > 1 for way in ways)
        words = row_words(len(game.network.fluents))
        self.masks = rows_of_keys([part.mask for part in self.parts], words)
        self.is_in = np.zeros((len(self.parts), len(ways)), np.float32)
        for i, way in enumerate(ways):
            for part in way:
                self.is_in[self.parts.index(part), i] = 1 / len(way)

    def __call__(self, rows: Rows) -> Scores:
        """Judge states by the largest share of parts that hold."""
        holds = np.zeros((len(rows), len(self.parts)), np.float32)
        for i, (part, masks) in enumerate(zip(self.parts, self.masks, strict=True)):
            met = np.zeros(len(rows), bool)
            for word, mask in enumerate(masks):
                met |= (rows[:, word] & mask) != 0
            holds[:, i] = met != part.is_denied
        return np.asarray((holds @ self.is_in).max(axis=1), np.float64)


class _Seen:
    """Distinguishes new states from those seen before, by a 64-bit hash."""

    def __init__(self) -> None:
        self.table = np.zeros(1 << 16, np.uint64)
        self.size = 0

    def fresh(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Mark rows that are new, and remember them."""
        if 2 * (self.size + len(rows)) > len(self.table):
            known = self.table[self.table != 0]
            while 2 * (self.size + len(rows)) > len(self.table):
                self.table = np.zeros(4 * len(self.table), np.uint64)
            self._insert(known)
        is_new = self._insert(np.maximum(hash_rows(rows), 1))
        self.size += int(is_new.sum())
        return is_new

    def _insert(self, hashes: Rows) -> npt.NDArray[np.bool_]:
        """Put hashes into the table, where 0 is an empty slot; mark the new ones."""
        is_new = np.zeros(len(hashes), np.bool_)
        core.function("insert_hashes")(self.table, len(self.table) - 1, hashes, len(hashes), is_new)
        return is_new
