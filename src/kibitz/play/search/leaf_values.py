"""Value the leaves of a search tree, by learned weights and decisive moves.

The weights of the fluents that hold are added up, and the logistic function of the sum is what the
first role gets, from 0 to 1. Weights are fitted to random matches first, and then, round after
round, to matches of players that prefer moves to states with good estimates.

Rows of leaves go in. Out come the successors of each leaf, with what is proven of them; a mean
result of random matches for each leaf that is not decided by them; and how matches went in which a
move was made. The loops are in the core (`judge.c`) and let other threads run.

Decisive and anti-decisive moves (Teytaud and Teytaud 2010) are found by looking two moves ahead in
every position of every match. As gates this costs little where few moves can win.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import LANES, Struct
from kibitz.engine import CompiledGame
from kibitz.engine.compiled.native_machine import Expander, LeafBlock, MaskProgram
from kibitz.errors import KibitzError
from kibitz.play.search.sample_matches import SampleMatches, TooSlow, byte_table, score
from kibitz.policy import GatePolicy, compile_strategy
from kibitz.rows import Rows, row_words
from kibitz.strategy import read_strategy


def max_goal(slots: Any, role: int) -> int:
    """Return the highest goal of a role."""
    return max((value or 0 for r, value in slots if r == role), default=0)


def opposed_total(slots: Any) -> int:
    """Return what the goals of two roles add up to where one's gain is the other's loss."""
    return max_goal(slots, 0) + min((value or 0 for r, value in slots if r == 1), default=0)


def partners_of(slots: Any) -> list[int]:
    """Return, for each goal slot of the first role, the slot of the second that goes with it."""
    place = {pair: number for number, pair in enumerate(slots)}
    total = opposed_total(slots)
    return [
        place.get((1, total - value), -1) if role == 0 and value is not None else -1
        for role, value in slots
    ]


Floats = npt.NDArray[np.float32]

_RANDOM_BLOCKS, _FEWEST_ROUNDS, _ROUNDS, _JUDGING_ROUNDS = 64, 10, 40, 2
_JUDGED = 4096
"""Positions by which estimates and random matches are compared."""
_FITTING = 0.8
"""The share of the time that may go into more than the fewest rounds."""
_RATE, _LATER_RATE = 0.1, 0.3
_GREED = 2.0
"""A move is as much likelier than another as the odds of its estimate are better, squared."""
_LEAST_S = 0.5
_LEAST_MATCH = 0.3
"""How well estimates must go with the results of matches: their correlation."""


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Weights of fluents, and last of all of every state; and how long random matches are."""

    weights: Floats
    table: Floats
    """For each byte of a row and each value of it the sum of weights; last, that of every state."""
    length: float


def learned_evaluation(game: CompiledGame, seconds: float) -> Evaluation | None:
    """Return an evaluation of a game's states; learn it, if that takes no longer than `seconds`.

    None as well where it goes less well with the results of new matches than random matches do.
    What was found is kept with the game.

    >>> from kibitz.games import load_sheet
    >>> learned_evaluation(CompiledGame(load_sheet("nim:1,2")), 0) is None
    True
    """
    kept = vars(game)
    if "_evaluation" not in kept and seconds >= kept.get("_evaluation_s", _LEAST_S):
        begin = time.monotonic()
        try:
            kept["_evaluation"] = _learn(SampleMatches(game, begin + seconds))
        except TooSlow:
            kept["_evaluation_s"] = 2 * seconds
    found: Evaluation | None = kept.get("_evaluation")
    return found


def _learn(matches: SampleMatches) -> Evaluation | None:
    if not matches.is_opposed:
        return None
    weights = np.zeros(64 * matches.words + 1, np.float32)
    samples = matches.random(_RANDOM_BLOCKS)
    _fit(samples.rows, samples.results, weights, np.ones_like(weights), _RATE)
    squares, rounds = np.ones_like(weights), list[Floats]()
    end = time.monotonic() + _FITTING * (matches.deadline - time.monotonic())
    while len(rounds) < _ROUNDS and (len(rounds) < _FEWEST_ROUNDS or time.monotonic() < end):
        samples = matches.greedy(weights, _GREED)
        _fit(samples.rows, samples.results, weights, squares, _LATER_RATE)
        rounds.append(weights.copy())
    return _if_better(matches, np.mean(rounds[len(rounds) // 2 :], axis=0))


def _if_better(matches: SampleMatches, weights: Floats) -> Evaluation | None:
    """Return an evaluation if it is a better predictor of new matches than random matches are."""
    table = byte_table(weights)
    samples = [matches.greedy(weights, _GREED) for _ in range(_JUDGING_ROUNDS)]
    rows: Rows = np.concatenate([sample.rows for sample in samples])
    results = np.concatenate([sample.results for sample in samples])
    some = slice(None, None, -(-len(rows) // _JUDGED))
    rows, results = rows[some], results[some]
    estimates = 1 / (1 + np.exp(-score(rows, table)))
    both = np.stack([estimates, matches.means(rows), np.ones(len(rows))], axis=1)
    ours, theirs, _ = np.linalg.lstsq(both, results, rcond=None)[0]
    if estimates.std() == 0 or results.std() == 0:
        return None
    match = np.corrcoef(estimates, results)[0, 1]
    if ours <= theirs or match < _LEAST_MATCH:
        return None
    return Evaluation(weights, table, matches.length)


def _fit(rows: Rows, results: Floats, weights: Floats, squares: Floats, rate: float) -> None:
    """Improve weights by one sample after another; `squares` keeps the size of their steps."""
    fit = core.function("estimates_fit")
    fit(rows, rows.shape[1], len(rows), results, weights, squares, rate)


STUCK, CLOSED = core.constant("NODE_STUCK"), core.constant("NODE_CLOSED")
"""Nodes without a move, and those with a choice of both roles."""
MIDDLE = 0.5
_BYTES = 64_000_000

Numbers = npt.NDArray[Any]


class LeafWorker:
    """Memory of one thread for up to `most` leaves of a game of two roles at a time."""

    def __init__(
        self,
        game: CompiledGame,
        seed: int,
        most: int,
        *,
        programs: Mapping[int, MaskProgram] | None = None,
        guided: int = 0,
        evaluation: Evaluation | None = None,
    ) -> None:
        machine = game.machine
        layout = game.program.layout
        slots = layout.goal_values
        widest = max(layout.move_counts)
        self.words = words = row_words(layout.fluent_count)
        self.most = most = max(1, min(most, _BYTES // (8 * words * widest)))
        room = most * widest
        expander = Expander(machine, stop_at_terminal=True)
        expander.make_room(room)
        self.advance = machine.loop("expand_given")
        self.block = LeafBlock(
            machine, seed, partners_of(slots), programs=programs, guided=guided,
            weights=evaluation.weights if evaluation else None,
        )  # fmt: skip
        self.tops = np.array([max_goal(slots, role) / 100 for role in (0, 1)], np.float32)
        self.leaf_rows = np.zeros((most, words), np.uint64)
        self.leaves = core.room("leaf", most + 1)
        self.leaves["given"] = -1
        self.rows = np.zeros((room, words), np.uint64)
        self.successors = core.room("successor", room)
        counts = [-(-count // 8) * 8 for count in layout.move_counts]
        self.tally = np.zeros((sum(counts), 2), np.float64)
        """For each move of each role: matches it was made in, and what they gave that role."""
        self.context = Struct(
            "judging", advance=self.advance.address, expand=expander.loop.address,
            look=self.block.look.address, play=self.block.play.address,
            expansion=expander.context, block=self.block.context,
            slots=np.array([[role, value or 0] for role, value in slots] or [[0, 0]], np.int64),
            opposed_total=opposed_total(slots) / 100, tops=self.tops, bits=machine.bits,
            words=words, leaf_rows=self.leaf_rows, leaves=self.leaves,
            places=np.zeros(most + 1, np.int64), rows=self.rows, successors=self.successors,
            tally=self.tally, moves=len(self.tally), offset=counts[0],
            lane_rows=np.zeros((LANES, words), np.uint64), lane_leaf=np.zeros(LANES, np.int64),
            lane_at=np.zeros(LANES, np.int64), random=seed,
            length=int(evaluation.length) if evaluation else 0,
            table=evaluation.table if evaluation else None,
        )  # fmt: skip
        self._game, self._judge = machine.game, core.function("judge_leaves")
        self._is_wide = core.function("judge_is_wide")

    def judge(self, open_: int, closed: int) -> None:
        """Value the leaves whose rows are in `leaf_rows`; the closed ones come last."""
        self._judge(self._game, self.context, open_, closed)

    def sample(self, row: npt.NDArray[np.uint64]) -> tuple[float, int]:
        """Play a block of random matches from a state.

        Returns their mean length, and in how many of them both roles had a choice together.
        """
        self.leaf_rows[0], self.leaves["given"][0] = row, -1
        run = self.context
        table, before, clashes = run.table, (run.matches, run.made), run.clashes
        run.table = None
        self.judge(0, 1)
        run.table = table
        length = (run.made - before[1]) / (run.matches - before[0])
        clashes = run.clashes - clashes
        run.matches, run.made = before
        self.tally[:] = 0
        return length, clashes

    @property
    def is_wide(self) -> bool:
        """Whether there are so many moves that leaves are better valued before they get edges."""
        return bool(self._is_wide(self.context, self.most))


_RULES = "next wins(me) else next next not wins(opponent)"
_LARGEST_NETWORK = 20_000
_MOST_MADE = 1 << 18
_MOST_TIMES = 12
"""Gates for each gate of the game that may be needed: more make matches too slow."""


def decisive_moves(game: CompiledGame) -> tuple[GatePolicy, ...]:
    """Return a policy for each of two roles: win at once, else let the other not win at once.

    None where the gates are too many, or where looking ahead makes no difference.

    >>> from kibitz.games import load_sheet
    >>> [guide.role for guide in decisive_moves(CompiledGame(load_sheet("connect:3,4x4")))]
    ['xplayer', 'oplayer']
    """
    kept = vars(game)
    if "_decisive_moves" not in kept:
        kept["_decisive_moves"] = _compile(game)
    found: tuple[GatePolicy, ...] = kept["_decisive_moves"]
    return found


def _compile(game: CompiledGame) -> tuple[GatePolicy, ...]:
    size = len(game.network.gates)
    if len(game.roles) != 2 or size > _LARGEST_NETWORK:
        return ()
    try:
        rules = read_strategy(_RULES, game)
        guides = tuple(compile_strategy(rules, role, most_gates=_MOST_MADE) for role in game.roles)
    except KibitzError:
        return ()
    return guides if max(guide.gates for guide in guides) <= _MOST_TIMES * size else ()
