"""Proof-number search in a bounded table, compiled by numba; import late.

A depth-first proof-number search (Nagai, 2002) visits the leaf that needs least to decide the root.
Every node has a *proof number*, how much is left to prove that the goal is reached, and a *disproof
number*, how much is left to prove that it is not. A node that needs all of its children has the
largest number of theirs, and one more for each other that is open (Ueda and others, 2008): many
positions are reached in several ways, and a sum would count them as often.

Only what was derived from ends is called proved or disproved: a node by one child, or by all of
them, that were decided before. A position that comes again on a line decides nothing. So what the
table holds does not depend on how a position was reached.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.engine.compiled.kernels.intrinsics import (
    add,
    call,
    exchange,
    exchange_if,
    load,
    load_after,
)
from kibitz.native import native
from kibitz.prove.lookahead import (
    BOTH_CHOOSE,
    BUCKET,
    FIRST_MIX,
    IS_MISSED,
    IS_REACHED,
    LAST_MIX,
    STUCK,
    STUCK_STATE,
    WORD_MIX,
    Facts,
    Look,
)

__all__ = [
    "INFINITE",
    "UNKNOWN",
    "SearchColumns",
    "decide",
    "hash_row",
    "probe",
    "search",
    "unpack",
]

Numbers = npt.NDArray[Any]
Number = Any
"""An integer of numba, whose type no checker knows."""


INFINITE = (1 << 22) - 1
"""The number of what cannot be proved any more."""
UNKNOWN = INFINITE - 1
_BITS = np.uint64(22)
_MASK = np.uint64(INFINITE)
_AIM = np.uint64(44)
_WORK = np.uint64(51)
_WEIGHT = 4
"""How much less a move is looked at that has always failed."""
_ONE = np.uint64(1)
_ZERO = np.uint64(0)

_SECOND, _STATUS, _LEFT, _HASH = Facts.SECOND, Facts.STATUS, Facts.LEFT, Facts.HASH
_OPEN, _IS_REACHED, _IS_MISSED = np.uint64(0), np.uint64(IS_REACHED), np.uint64(IS_MISSED)
_FOUND, _MOVER = Look.FOUND, Look.MOVER
_ROW, _OUT_ROWS, _OUT_MOVES, _ORDER = Look.ROW, Look.OUT_ROWS, Look.OUT_MOVES, Look.ORDER
_NO_MOVE = STUCK


class SearchColumns:
    """Columns of what a search keeps between two calls."""

    PLY, IS_BACK, NODES, TROUBLE, PN, DN, REPEATED, DEEPEST = range(8)
    SIZE = 8


_PLY, _IS_BACK, _NODES, _TROUBLE, _PN, _DN, _REPEATED, _DEEPEST = range(8)


def unpack(entries: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return the proof and disproof numbers of entries, what is asked, and the work as a power."""
    return (
        entries & _MASK,
        (entries >> _BITS) & _MASK,
        (entries >> _AIM) & np.uint64(127),
        entries >> _WORK,
    )


@native
def hash_row(row: Numbers) -> Number:
    """Mix the words of a row."""
    mixed = np.uint64(FIRST_MIX)
    for word in row:
        mixed = (mixed ^ word) * np.uint64(WORD_MIX)
        mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(LAST_MIX)
    return mixed ^ (mixed >> np.uint64(29))


@native
def look_at(
    address: int, context: Numbers, path: Numbers, rows: Numbers, moves: Numbers, ply: int
) -> None:
    """Look ahead from the position of a line at a ply; write its children and moves there."""
    context[_ROW] = path.ctypes.data + 8 * ply * path.shape[1]
    context[_OUT_ROWS] = rows.ctypes.data + 8 * ply * rows.shape[1] * rows.shape[2]
    context[_OUT_MOVES] = moves.ctypes.data + 8 * ply * moves.shape[1]
    call(address, context.ctypes.data)


@native
def find(table: Numbers, row: Numbers, mixed: Number, aim: Number) -> int:
    """Return the place of a row, with what is asked of it, in the table, or -1."""
    first: Number = np.int64(mixed & np.uint64(len(table) - BUCKET))
    for place in range(first, first + BUCKET):
        entry = table[place, 0]
        same = entry != _ZERO and np.int64((entry >> _AIM) & np.uint64(127)) == aim
        for word in range(len(row)):
            same &= table[place, 1 + word] == row[word]
        if same:
            return place
    return -1


@native
def lock_of(locks: Numbers, table: Numbers, mixed: Number) -> Number:
    """Return the address of the lock of a bucket: rows that share a bucket must share its lock."""
    bucket = (mixed & np.uint64(len(table) - BUCKET)) // np.uint64(BUCKET)
    return locks.ctypes.data + 8 * np.int64(bucket & np.uint64(len(locks) - 1))


@native
def probe(
    table: Numbers, locks: Numbers, row: Numbers, mixed: Number, aim: Number
) -> tuple[Number, Number]:
    """Return the numbers of a row, (0, 0) if the table has none.

    What reaches a value reaches every smaller one, and what misses it misses every larger one. A
    lock that is odd, or another one afterwards, says that the bucket was written meanwhile.
    """
    first: Number = np.int64(mixed & np.uint64(len(table) - BUCKET))
    lock = lock_of(locks, table, mixed)
    while True:
        pn: Number = 0
        dn: Number = 0
        before = load(lock)
        for place in range(first, first + BUCKET):
            entry = table[place, 0]
            same = entry != _ZERO
            for word in range(len(row)):
                same &= table[place, 1 + word] == row[word]
            if not same:
                continue
            asked = np.int64((entry >> _AIM) & np.uint64(127))
            here, there = np.int64(entry & _MASK), np.int64((entry >> _BITS) & _MASK)
            if asked == aim or (asked > aim and here == 0) or (asked < aim and there == 0):
                pn, dn = here, there
                if pn == 0 or dn == 0:
                    break
        if load_after(lock) == before and before & 1 == 0:
            return pn, dn


@native
def keep(
    table: Numbers,
    locks: Numbers,
    row: Numbers,
    mixed: Number,
    aim: Number,
    pn: Number,
    dn: Number,
    work: Number,
) -> None:
    """Write the numbers of a row, over the entry of its bucket that took the least work."""
    size = 1
    while work > 1 and size < 63:
        work >>= 1
        size += 1
    entry = (
        np.uint64(pn) | np.uint64(dn) << _BITS | np.uint64(aim) << _AIM | np.uint64(size) << _WORK
    )
    lock = lock_of(locks, table, mixed)
    while True:
        before = load(lock)
        if before & 1 == 0 and exchange_if(lock, before, before + 1):
            break
    place = find(table, row, mixed, aim)
    if place < 0:
        first: Number = np.int64(mixed & np.uint64(len(table) - BUCKET))
        least = np.uint64(1000)
        for other in range(first, first + BUCKET):
            took = table[other, 0] >> _WORK
            if took < least:
                least = took
                place = other
        for word in range(len(row)):
            table[place, 1 + word] = row[word]
    table[place, 0] = entry
    exchange(lock, before + 2)


@native
def comes_again(path: Numbers, hashes: Numbers, ply: int) -> bool:
    """Return whether the last position of a line was on it before."""
    for before in range(ply):
        if hashes[before] == hashes[ply]:
            same = True
            for word in range(path.shape[1]):
                same &= path[before, word] == path[ply, word]
            if same:
                return True
    return False


@native
def decide(facts: Numbers, word: int, prover: int, out: Numbers) -> int:
    """Write the first proof and disproof number of a child; give a trouble, or 0."""
    status = facts[_STATUS, word]
    if status == _OPEN:
        left: Number = np.int64(facts[_LEFT, word])
        proves = np.int64(facts[_SECOND, word] & _ONE) == prover
        out[0], out[1] = (1, left) if proves else (left, 1)
    elif status == _IS_REACHED:
        out[0], out[1] = 0, INFINITE
    elif status == _IS_MISSED:
        out[0], out[1] = INFINITE, 0
    else:
        return int(status)
    return 0


@native
def search(
    limit: int,
    aim: Number,
    prover: int,
    state: Numbers,
    context: Numbers,
    addresses: tuple[int, int, int],
    facts: Numbers,
    path: Numbers,
    hashes: Numbers,
    rows: Numbers,
    marks: Numbers,
    numbers: Numbers,
    moves: Numbers,
    order: Numbers,
    frames: Numbers,
    history: Numbers,
    table: Numbers,
    locks: Numbers,
    busy: Numbers,
) -> bool:
    """Go on until `limit` more nodes were looked at; return whether the search has ended.

    `frames` has, for each ply: children, is the prover's, two bounds, chosen child, nodes before.
    `numbers` has, for each ply and child, its proof and disproof number.
    """
    words = rows.shape[2]
    deepest = frames.shape[0] - 1
    end = state[_NODES] + limit
    pair = np.zeros(2, np.int64)
    busy_mask = np.uint64(len(busy) - 1)
    context[_ORDER] = order.ctypes.data
    while True:
        ply = state[_PLY]
        if not state[_IS_BACK]:
            # a node is entered
            if state[_NODES] >= end:
                return False
            pn, dn = probe(table, locks, path[ply], hashes[ply], aim)
            is_done = False
            if pn + dn > 0:
                is_done = pn >= frames[ply, 2] or dn >= frames[ply, 3] or pn == 0 or dn == 0
            if not is_done and (ply == deepest or comes_again(path, hashes, ply)):
                state[_REPEATED] += 1
                pn = dn = UNKNOWN
                is_done = True
            if is_done:
                state[_PN], state[_DN] = pn, dn
                if ply == 0:
                    return True
                state[_PLY] = ply - 1
                state[_IS_BACK] = 1
                continue
            look_at(addresses[0], context, path, rows, moves, ply)
            state[_NODES] += 1
            if ply > state[_DEEPEST]:
                state[_DEEPEST] = ply
            count, mover = context[_FOUND], context[_MOVER]
            if mover < 0:
                state[_TROUBLE] = STUCK_STATE if mover == _NO_MOVE else BOTH_CHOOSE
                return True
            frames[ply, 0] = count
            frames[ply, 1] = mover == prover
            frames[ply, 5] = state[_NODES]
            for child in range(count):
                marks[ply, child] = facts[child >> 3, _HASH, child & 7]
            for child in range(count):
                trouble = decide(facts[child >> 3], child & 7, prover, pair)
                if trouble:
                    state[_TROUBLE] = trouble
                    return True
                if pair[0] != 0 and pair[1] != 0:
                    known, unknown = probe(table, locks, rows[ply, child], marks[ply, child], aim)
                    if known + unknown > 0:
                        pair[0], pair[1] = known, unknown
                    else:
                        easy = 0 if mover == prover else 1
                        helped = history[mover, moves[ply, child], 0]
                        failed = history[mover, moves[ply, child], 1]
                        scale = 1 + _WEIGHT * failed // (helped + failed + 1)
                        pair[easy] = min(UNKNOWN, pair[easy] * scale)
                numbers[ply, child, 0], numbers[ply, child, 1] = pair[0], pair[1]
            if busy_mask:
                add(busy.ctypes.data + 8 * np.int64(hashes[ply] & busy_mask), 1)
        else:
            # a child comes back with its numbers
            child = frames[ply, 4]
            numbers[ply, child, 0], numbers[ply, child, 1] = state[_PN], state[_DN]
            if state[_PN] == 0 or state[_DN] == 0:
                proves = frames[ply, 1]
                role = prover if proves else 1 - prover
                history[
                    role, moves[ply, child], 0 if (state[_PN] == 0) == (proves == 1) else 1
                ] += 1
        # the numbers of this node from those of its children
        count, proves = frames[ply, 0], frames[ply, 1]
        easy, hard = (0, 1) if proves else (1, 0)
        least, second, most, open_, chosen = INFINITE, INFINITE, 0, 0, -1
        least_seen = INFINITE
        for child in range(count):
            number, other = numbers[ply, child, easy], numbers[ply, child, hard]
            if other == 0:
                continue  # it cannot help
            open_ += 1
            most = max(most, other)
            seen = number
            if busy_mask and number > 0 and busy[marks[ply, child] & busy_mask] > 0:
                seen = min(UNKNOWN, number + number // 2 + 2)
            if number < least:
                least = number
            if seen < least_seen or chosen < 0:
                second = least_seen
                least_seen = seen
                chosen = child
            elif seen < second:
                second = seen
        if open_ == 0:
            here, there = INFINITE, 0
        elif least == 0:
            here, there = 0, INFINITE
        else:
            here, there = least, min(UNKNOWN, most + open_ - 1)
        pn, dn = (here, there) if proves else (there, here)
        if (
            pn >= frames[ply, 2]
            or dn >= frames[ply, 3]
            or pn == 0
            or dn == 0
            or (pn >= UNKNOWN and dn >= UNKNOWN)
        ):
            if pn < UNKNOWN or dn < UNKNOWN:
                keep(
                    table, locks, path[ply], hashes[ply], aim, pn, dn,
                    state[_NODES] - frames[ply, 5] + 1,
                )  # fmt: skip
            if busy_mask:
                add(busy.ctypes.data + 8 * np.int64(hashes[ply] & busy_mask), -1)
            state[_PN], state[_DN] = pn, dn
            if ply == 0:
                return True
            state[_PLY] = ply - 1
            state[_IS_BACK] = 1
            continue
        frames[ply, 4] = chosen
        bound, other_bound = (
            (frames[ply, 2], frames[ply, 3]) if proves else (frames[ply, 3], frames[ply, 2])
        )
        near = min(bound, second + second // 4 + 1)
        near = max(near, numbers[ply, chosen, easy] + 1)  # others may be at a better child
        far = max(other_bound - (open_ - 1), numbers[ply, chosen, hard] + 1)
        frames[ply + 1, 2], frames[ply + 1, 3] = (near, far) if proves else (far, near)
        for word in range(words):
            path[ply + 1, word] = rows[ply, chosen, word]
        hashes[ply + 1] = marks[ply, chosen]
        state[_PLY] = ply + 1
        state[_IS_BACK] = 0


@native
def fill(table: Numbers, locks: Numbers, rows: Numbers, entries: Numbers) -> None:
    """Enter rows with what a table had of them."""
    for number in range(len(entries)):
        entry = entries[number]
        aim = np.int64((entry >> _AIM) & np.uint64(127))
        size: Number = np.int64(entry >> _WORK)
        work = np.int64(1) << max(0, min(62, size - 1))
        pn, dn = np.int64(entry & _MASK), np.int64((entry >> _BITS) & _MASK)
        mixed = hash_row(rows[number])
        keep(table, locks, rows[number], mixed, aim, pn, dn, work)
