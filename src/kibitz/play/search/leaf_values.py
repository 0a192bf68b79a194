"""Value the leaves of a search tree together: successors, ends within two moves, random matches.

Rows of leaves go in. Out come the successors of each leaf, with what is proven of them; a mean
result of random matches for each leaf that is not decided by them; and how matches went in which a
move was made. All loops are native and let other threads run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import LANES
from kibitz.engine import CompiledGame
from kibitz.engine.compiled.kernels.intrinsics import call_loop, call_range, ones
from kibitz.engine.compiled.native_machine import (
    Expander,
    LeafBlock,
    MaskProgram,
)
from kibitz.native import native
from kibitz.play.search.evaluation import Evaluation, chance, estimate
from kibitz.play.search.opposed_goals import max_goal, opposed_total, partners_of

__all__ = [
    "CLOSED",
    "GROWN",
    "MIDDLE",
    "NEW",
    "NOBODY",
    "PROVEN",
    "STUCK",
    "LeafWorker",
]

NEW, GROWN, PROVEN, STUCK, CLOSED = range(5)
"""What a node is: not looked at, with edges, certain, without a move, or with a choice of both."""
NOBODY = -1
MIDDLE = 0.5
_BYTES = 64_000_000
_EXPANSION, _LEAVES = core.columns("expansion"), core.columns("leaves")
_WRITTEN, _ROWS, _LEAF_ROWS = _EXPANSION["written"], _EXPANSION["rows"], _LEAVES["rows"]
_COUNT, _MADE, _LOOKED_AT = _LEAVES["count"], _LEAVES["made"], _LEAVES["looked_at"]
_LANES = LANES
_MOST_LOOKS = 4
"""Steps of a block that may go into looking at replies, for each of one of random matches."""
_NONE = 1e29
"""Sums of weights are smaller; those of no reply at all are larger."""
_ONE = np.uint64(1)

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
        self.words = words = max(1, -(-layout.fluent_count // 64))
        self.most = most = max(1, min(most, _BYTES // (8 * words * widest)))
        room = most * widest
        self.expander = Expander(machine, stop_at_terminal=True)
        self.expander.make_room(room)
        self.block = LeafBlock(
            machine, seed, partners_of(slots), programs=programs, guided=guided,
            weights=evaluation.weights if evaluation else None,
        )  # fmt: skip
        self.addresses = np.array(
            [
                self.expander.loop.address,
                self.block.look.address,
                self.block.play.address,
                machine.game.address,
            ],
            dtype=np.int64,
        )
        self.slots = np.array([[role, value or 0] for role, value in slots] or [[0, 0]], np.int64)
        self.goal_count = len(slots)
        self.opposed_total = opposed_total(slots) / 100
        self.tops = np.array([max_goal(slots, role) / 100 for role in (0, 1)], np.float32)
        # What goes in.
        self.nodes = np.zeros(most, np.int64)
        self.leaf_rows = np.zeros((most, words), np.uint64)
        # What comes out: for each leaf, and for each successor.
        self.first = np.zeros(most + 1, np.int64)
        self.turn = np.zeros(most, np.int64)
        self.result = np.zeros((most, 2), np.float64)
        self.rows = np.zeros((room, words), np.uint64)
        self.moves = np.zeros(room, np.int64)
        self.status = np.zeros(room, np.int64)
        self.value = np.zeros((room, 2), np.float32)
        self.plies = np.zeros(room, np.int64)
        self.guess = np.zeros(room, np.float32)
        """What the first role gets after a successor, by the evaluation."""
        self.table = evaluation.table if evaluation else np.zeros((0, 256), np.float32)
        """What values leaves in the place of random matches, unless it is empty."""
        self.own = np.zeros((room, 2), np.float64)
        """Matches that began at a successor, and what they gave whoever had the choice of it."""
        counts = [-(-count // 8) * 8 for count in layout.move_counts]
        self.offset = counts[0]
        self.tally = np.zeros((sum(counts), 2), np.float64)
        self.lane_rows = np.zeros((LANES, words), np.uint64)
        self.lane_leaf = np.zeros(LANES, np.int64)
        self.lane_at = np.zeros(LANES, np.int64)
        self.random = np.array([seed], np.uint64)
        self.played = np.zeros(3, np.int64)
        """Matches played, moves made in them, and lanes in which both roles had a choice."""
        self.last = np.array([evaluation.length if evaluation else 0, 0], np.int64)
        """Of the last leaves: moves of their matches on average; the most successors of one."""

    def judge(self, open_: int, closed: int) -> None:
        """Value the leaves whose rows are in `leaf_rows`; the closed ones come last."""
        self._judge(open_, closed, self.table)

    def sample(self, row: npt.NDArray[np.uint64]) -> tuple[float, int]:
        """Play a block of random matches from a state.

        Returns their mean length, and in how many of them both roles had a choice together.
        """
        self.leaf_rows[0] = row
        before = self.played.copy()
        self._judge(0, 1, self.table[:0])
        matches, moves, clashes = self.played - before
        self.played[:] = before
        self.tally[:] = 0
        return moves / matches, int(clashes)

    def _judge(self, open_: int, closed: int, table: npt.NDArray[np.float32]) -> None:
        expander, block = self.expander, self.block
        _judge(
            open_, closed, self.machine_bits, self.addresses, expander.context.words, expander.rows,
            expander.parents, expander.moves, expander.flags, block.context.words, block.out,
            block.used,
            self.slots, self.goal_count, self.opposed_total, self.tops, self.leaf_rows, self.first,
            self.turn, self.result, self.rows, self.moves, self.status, self.value, self.plies,
            self.own, self.offset, self.tally, self.lane_rows, self.lane_leaf, self.lane_at,
            self.random, self.played, self.last, table, self.guess, block.extremes,
        )  # fmt: skip

    @property
    def is_wide(self) -> bool:
        """Whether there are so many moves that leaves are better valued before they get edges."""
        return bool(_is_wide(self.most, self.last))

    @property
    def machine_bits(self) -> int:
        """How many bits number a move of a role."""
        return self.expander.machine.bits


@native
def _number(random: Any, below: Any) -> Any:
    """Draw a number (SplitMix64; Steele, Lea and Flood 2014)."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(1)) % below


@native
def _decode(
    lane: Any, at: Any, out: Any, slots: Any, goals: Any, total: Any, tops: Any, status: Any,
    value: Any, plies: Any,
) -> Any:  # fmt: skip
    """Write what is known of a successor."""
    word, bit = lane >> 6, np.uint64(lane & 63)
    status[at] = NEW
    if out[0, word] >> bit & _ONE:
        status[at] = PROVEN
        plies[at] = 0
        value[at, 0] = value[at, 1] = 0.0
        for goal in range(goals):
            if out[1 + goal, word] >> bit & _ONE:
                value[at, slots[goal, 0]] += np.float32(slots[goal, 1] / 100)
        return
    if out[goals + 3, word] >> bit & _ONE:
        status[at] = STUCK
        return
    if out[goals + 4, word] >> bit & _ONE:
        status[at] = CLOSED
        return
    if out[goals + 6, word] >> bit & _ONE:
        return  # goals are not opposed
    role = -1
    for r in range(2):
        if out[goals + 1 + r, word] >> bit & _ONE:
            role = r
    if role < 0:
        return
    best = -1
    for goal in range(goals):
        if slots[goal, 0] == role and out[goals + 7 + goal, word] >> bit & _ONE:
            best = max(best, slots[goal, 1])
    if best >= 0:
        found = np.float32(best / 100)
        if found >= tops[role] or out[goals + 5, word] >> bit & _ONE:
            status[at] = PROVEN
            plies[at] = 1
            value[at, role] = found
            value[at, 1 - role] = np.float32(total - best / 100)


@native
def _judge(
    open_: Any, closed: Any, bits: Any, addresses: Any, expand: Any, found_rows: Any,
    parents: Any, found_moves: Any, flags: Any, block: Any, out: Any, used: Any, slots: Any,
    goals: Any, total: Any, tops: Any, leaf_rows: Any, first: Any, turn: Any, result: Any,
    rows: Any, moves: Any, status: Any, value: Any, plies: Any, own: Any, offset: Any, tally: Any,
    lane_rows: Any, lane_leaf: Any, lane_at: Any, random: Any, played: Any, last: Any, table: Any,
    guess: Any, extremes: Any,
) -> Any:  # fmt: skip
    words = rows.shape[1]
    low = np.uint64((1 << bits) - 1)
    # The successors, ordered by leaf.
    count = 0
    if open_ > 0:
        expand[_ROWS] = leaf_rows.ctypes.data
        expand[_WRITTEN] = 0
        call_range(addresses[0], addresses[3], expand.ctypes.data, 0, open_)
        count = expand[_WRITTEN]
    first[: open_ + closed + 1] = 0
    for i in range(count):
        first[parents[i] + 1] += 1
    for leaf in range(open_ + closed):
        first[leaf + 1] += first[leaf]
        turn[leaf] = NOBODY
        for role in range(2):
            word = flags[1 + goals + role, leaf >> 6]
            if leaf < open_ and word >> np.uint64(leaf & 63) & _ONE:
                turn[leaf] = role
    place = first[: open_ + closed].copy()
    for i in range(count):
        at = place[parents[i]]
        place[parents[i]] += 1
        for w in range(words):
            rows[at, w] = found_rows[i, w]
        role = max(turn[parents[i]], 0)
        moves[at] = np.int64(found_moves[i] >> np.uint64(bits * role) & low)
    own[:count] = 0.0
    # What is certain of them.
    for leaf in range(open_):
        last[1] = max(last[1] if leaf else 0, first[leaf + 1] - first[leaf])
    looks = not _is_wide(open_ + closed, last)
    for start in range(0, count, _LANES):
        here = min(_LANES, count - start)
        block[_LOOKED_AT] = here if looks else 0
        block[_LEAF_ROWS] = rows.ctypes.data + 8 * words * start
        block[_COUNT] = here
        call_loop(addresses[1], addresses[3], block.ctypes.data)
        for lane in range(here):
            at = start + lane
            _decode(lane, at, out, slots, goals, total, tops, status, value, plies)
            if len(table):
                guess[at] = _guess(
                    lane, at, out, slots, goals, rows, status, value, table, extremes
                )
    # Which leaves are decided, and who plays matches: successors that are not certain.
    playing = closed
    for leaf in range(open_):
        if not _decided(leaf, first, turn, tops, status, value, result):
            playing += 1
            result[leaf, 0] = -1.0
    if playing == 0:
        return
    if len(table):
        for leaf in range(open_ + closed):
            if leaf >= open_ or result[leaf, 0] < 0.0:
                result[leaf, 0] = _leaf_guess(leaf, first, turn, leaf_rows, table, guess)
                result[leaf, 1] = 1.0 - result[leaf, 0]
        return
    share = max(1, _LANES // playing)
    lanes = 0
    for leaf in range(open_ + closed):
        if leaf < open_ and result[leaf, 0] >= 0.0:
            continue
        begin, size = first[leaf], first[leaf + 1] - first[leaf]
        at = begin + _number(random, size) if size else begin
        for _ in range(share):
            lane_leaf[lanes] = leaf
            if size:
                at += 1
                if at >= begin + size:
                    at = begin
                while status[at] == PROVEN:
                    at += 1
                    if at >= begin + size:
                        at = begin
            lane_at[lanes] = at if size else -1
            for w in range(words):
                lane_rows[lanes, w] = rows[at, w] if size else leaf_rows[leaf, w]
            lanes += 1
    block[_LEAF_ROWS] = lane_rows.ctypes.data
    block[_COUNT] = lanes
    block[_MADE] = 0
    call_loop(addresses[2], addresses[3], block.ctypes.data)
    played[0] += lanes
    played[1] += block[_MADE]
    last[0] = block[_MADE] // lanes
    for word in range(8):
        played[2] += ones(out[2, word])
    sums = np.zeros((open_ + closed, 2))
    for lane in range(lanes):
        word, bit = lane >> 6, np.uint64(lane & 63)
        leaf = lane_leaf[lane]
        at, chooser = lane_at[lane], turn[leaf]
        if at >= 0:
            own[at, 0] += 1.0
        if not out[0, word] >> bit & _ONE:
            sums[leaf, 0] += MIDDLE
            sums[leaf, 1] += MIDDLE
            if at >= 0:
                own[at, 1] += MIDDLE
            continue
        for goal in range(goals):
            if out[3 + goal, word] >> bit & _ONE:
                gained = slots[goal, 1] / 100
                sums[leaf, slots[goal, 0]] += gained
                if at >= 0 and slots[goal, 0] == chooser:
                    own[at, 1] += gained
    for leaf in range(open_ + closed):
        if leaf < open_ and result[leaf, 0] >= 0.0:
            continue
        for role in range(2):
            result[leaf, role] = sums[leaf, role] / share
        role = turn[leaf]
        if role >= 0:  # who moves will not do worse than by what is proven
            for at in range(first[leaf], first[leaf + 1]):
                if status[at] == PROVEN and value[at, role] > result[leaf, role]:
                    result[leaf, 0], result[leaf, 1] = value[at, 0], value[at, 1]
    for move in range(len(tally)):
        role = 1 if move >= offset else 0
        for word in range(8):
            lanes_ = used[move, word] & out[0, word]
            if lanes_:
                tally[move, 0] += ones(lanes_)
                for goal in range(goals):
                    if slots[goal, 0] == role:
                        tally[move, 1] += ones(lanes_ & out[3 + goal, word]) * slots[goal, 1] / 100


@native
def _guess(
    lane: Any, at: Any, out: Any, slots: Any, goals: Any, rows: Any, status: Any, value: Any,
    table: Any, extremes: Any,
) -> Any:  # fmt: skip
    """Return what the first role gets after a successor: by its best reply, if it was looked at."""
    if status[at] == PROVEN:
        return value[at, 0]
    word, bit = lane >> 6, np.uint64(lane & 63)
    for role in range(2):
        best = extremes[1 - role, lane]
        if not out[goals + 1 + role, word] >> bit & _ONE or np.abs(best) > _NONE:
            continue
        known = chance(best + table[-1, 0])
        for goal in range(goals):
            if slots[goal, 0] == role and out[goals + 7 + goal, word] >> bit & _ONE:
                gained = np.float32(slots[goal, 1] / 100)
                known = max(known, gained) if role == 0 else min(known, 1 - gained)
        return known
    return estimate(rows[at], table)


@native
def _leaf_guess(leaf: Any, first: Any, turn: Any, leaf_rows: Any, table: Any, guess: Any) -> Any:
    """Return what the first role gets by the evaluation, after the best move."""
    if first[leaf] == first[leaf + 1]:
        return estimate(leaf_rows[leaf], table)
    best = guess[first[leaf]]
    for at in range(first[leaf] + 1, first[leaf + 1]):
        best = min(best, guess[at]) if turn[leaf] == 1 else max(best, guess[at])
    return best


@native
def _is_wide(leaves: Any, last: Any) -> Any:
    """Return whether looking at all replies would take far longer than random matches."""
    return leaves * last[1] * last[1] > _MOST_LOOKS * _LANES * last[0] > 0


@native
def _decided(
    leaf: Any, first: Any, turn: Any, tops: Any, status: Any, value: Any, result: Any
) -> Any:
    """Return whether successors decide a leaf; write its value as its result."""
    role = turn[leaf]
    best = -1
    is_open = False
    for at in range(first[leaf], first[leaf + 1]):
        if status[at] != PROVEN:
            is_open = True
        elif best < 0 or (role >= 0 and value[at, role] > value[best, role]):
            best = at
    if best < 0 or (is_open and (role < 0 or value[best, role] < tops[role])):
        return False
    result[leaf, 0], result[leaf, 1] = value[best, 0], value[best, 1]
    return True
