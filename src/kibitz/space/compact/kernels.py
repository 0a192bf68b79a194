"""Loops over rows of states, compiled by numba; import this where it is needed.

A table has for each state the upper half of its hash and, below it, the number of its row plus one;
0 is empty. Threads enter states at the same time: a row is written first, and then published by one
compare-and-swap. Numbers are signed, since numba makes floats of mixed ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from kibitz.native import native

__all__ = [
    "BLOCK",
    "CHUNK",
    "combine",
    "decode",
    "encode",
    "enter",
    "insert",
    "measure",
    "pack",
    "tally",
    "value_ends",
]

Numbers = npt.NDArray[Any]
_tools: Any = cgutils

BLOCK = 1024
"""States that are coded one after another, the first of them in full."""
CHUNK = 4096
"""Rows that a thread takes from the pool at a time."""
_BATCH = 64
_LOW = 0xFFFFFFFF
_TAG = ~0xFFFFFFFF


def _emitted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function write the code of its calls in loops; they leave out its first argument."""
    return cast(Callable[..., Any], intrinsic(function))


@_emitted
def _prefetch(_context: Any, array: Any, index: Any) -> Any:
    """Fetch the cache line of an element of a flat array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature, args)
        word, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        function = _tools.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        numbers = [ir.Constant(word, n) for n in (0, 3, 1)]
        builder.call(function, [builder.bitcast(place, byte), *numbers])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


@_emitted
def _swap(_context: Any, array: Any, index: Any, old: Any, new: Any) -> Any:
    """Replace an element if it has its old value; return whether it had."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature, args)
        done = builder.cmpxchg(place, args[2], args[3], "seq_cst", "seq_cst")
        return builder.extract_value(done, 1)

    return types.boolean(array, types.int64, array.dtype, array.dtype), generate


@_emitted
def _fetch_add(_context: Any, array: Any, index: Any, more: Any) -> Any:
    """Add to an element, and return what it was before."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature, args)
        return builder.atomic_rmw("add", place, args[2], "seq_cst")

    return array.dtype(array, types.int64, array.dtype), generate


def _place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    kind = signature.args[0]
    data = context.make_array(kind)(context, builder, args[0])
    return _tools.get_item_pointer(context, builder, kind, data, [args[1]], wraparound=False)


@native
def _fetch_entries(table: Numbers, hashes: Numbers, start: int, stop: int) -> None:
    """Fetch the entries of a batch of hashes."""
    mask = len(table) - 1
    for e in range(start, stop):
        _prefetch(table, hashes[e] & mask)


@native
def _is_row(known: Numbers, number: int, rows: Numbers, e: int, words: int) -> bool:
    """Return whether a known row is the same as another."""
    w = 0
    while w < words and known[number * words + w] == rows[e * words + w]:
        w += 1
    return w == words


@native
def insert(
    rows: Numbers,
    hashes: Numbers,
    count: int,
    words: int,
    table: Numbers,
    pool: Numbers,
    shared: Numbers,
    mine: Numbers,
) -> int:
    """Enter the first rows that the table lacks, and put them into the pool; count the new ones.

    `shared[0]` is how many chunks of the pool are taken; `mine` is this thread's place in it, and
    the end of its chunk.
    """
    mask = len(table) - 1
    place, end = mine[0], mine[1]
    new = 0
    for start in range(0, count, _BATCH):
        stop = min(count, start + _BATCH)
        _fetch_entries(table, hashes, start, stop)
        for e in range(start, stop):
            entry = table[hashes[e] & mask]
            if entry != 0:
                _prefetch(pool, ((entry & _LOW) - 1) * words)
        for e in range(start, stop):
            at = hashes[e] & mask
            tag = hashes[e] & _TAG
            while True:
                entry = table[at]
                if entry == 0:
                    if place == end:
                        place = _fetch_add(shared, 0, 1) * CHUNK
                        end = place + CHUNK
                    for w in range(words):
                        pool[place * words + w] = rows[e * words + w]
                    if _swap(table, at, 0, tag | (place + 1)):
                        place += 1
                        new += 1
                        break
                    continue
                if entry & _TAG == tag and _is_row(pool, (entry & _LOW) - 1, rows, e, words):
                    break
                at = (at + 1) & mask
    mine[0], mine[1] = place, end
    return new


@native
def enter(hashes: Numbers, first: int, count: int, table: Numbers) -> None:
    """Enter rows that differ from all others, by their hashes, under numbers from `first` on."""
    mask = len(table) - 1
    for start in range(0, count, _BATCH):
        stop = min(count, start + _BATCH)
        _fetch_entries(table, hashes, start, stop)
        for e in range(start, stop):
            at = hashes[e] & mask
            entry = (hashes[e] & _TAG) | (first + e + 1)
            while table[at] != 0 or not _swap(table, at, 0, entry):
                at = (at + 1) & mask


@native
def combine(
    rows: Numbers,
    hashes: Numbers,
    parents: Numbers,
    count: int,
    words: int,
    table: Numbers,
    known: Numbers,
    results: Numbers,
    turn: Numbers,
    below: int,
    above: int,
    best: Numbers,
    out: Numbers,
) -> int:
    """Look successors up, and give each parent the result that its mover likes best.

    A result is the rank of a value among all values, and in the lower half the plies to the end.
    Ranks less than `below` are less than the middle, those from `above` on are greater. A role that
    is ahead prefers short play, others long play. Returns how many successors were not found.
    """
    mask = len(table) - 1
    numbers = np.empty(_BATCH, dtype=np.int64)
    lost = 0
    for start in range(0, count, _BATCH):
        stop = min(count, start + _BATCH)
        _fetch_entries(table, hashes, start, stop)
        for e in range(start, stop):
            number = (table[hashes[e] & mask] & _LOW) - 1
            if number >= 0:
                _prefetch(known, number * words)
                _prefetch(results, number)
        for e in range(start, stop):
            at = hashes[e] & mask
            tag = hashes[e] & _TAG
            numbers[e - start] = -1
            while table[at] != 0:
                number = (table[at] & _LOW) - 1
                if table[at] & _TAG == tag and _is_row(known, number, rows, e, words):
                    numbers[e - start] = number
                    break
                at = (at + 1) & mask
        for e in range(start, stop):
            if numbers[e - start] < 0:
                lost += 1
                continue
            result = np.int64(results[numbers[e - start]])
            rank, plies = result >> 16, result & 0xFFFF
            parent = parents[e]
            if turn[parent] == 1:
                is_ahead, liked = rank < below, 255 - rank
            else:
                is_ahead, liked = rank >= above, rank
            key = liked << 16 | (0xFFFF - plies if is_ahead else plies)
            if key > best[parent]:
                best[parent] = key
                out[parent] = result + 1
    return lost


@native
def value_ends(
    terminal: Numbers, goals: Numbers, ranks: Numbers, first: int, last: int, out: Numbers
) -> None:
    """Give terminal states the ranks of the first role's goals as results."""
    for state in range(first, last):
        if terminal[state]:
            out[state] = ranks[goals[state, 0]] << 16


@native
def tally(
    terminal: Numbers,
    turn: Numbers,
    goals: Numbers,
    parents: Numbers,
    found: int,
    first: int,
    last: int,
    has_move: Numbers,
    figures: Numbers,
    sums: Numbers,
    seen: Numbers,
) -> None:
    """Count ends, stuck states, and states where several roles choose; note the goals of ends.

    `figures` has these three counts, and for each of stuck states and ends without a goal the place
    of the first plus one.
    """
    roles = goals.shape[1]
    has_move[first:last] = 0
    for e in range(found):
        has_move[parents[e]] = 1
    for state in range(first, last):
        if terminal[state]:
            figures[0] += 1
            total = 0
            is_whole = True
            for role in range(roles):
                total += goals[state, role]
                is_whole = is_whole and goals[state, role] >= 0
            if is_whole:
                sums[total] = 1
                seen[goals[state, 0]] = 1
            elif figures[4] == 0:
                figures[4] = state + 1
        else:
            if turn[state] == -2:
                figures[2] += 1
            if not has_move[state]:
                figures[1] += 1
                if figures[3] == 0:
                    figures[3] = state + 1


@native
def _write_row(rows: Numbers, words: int, row: int, data: Numbers, at: int) -> int:
    """Write which bytes of a row differ from the row before, and how; return where it ends.

    Of several words, bits say first which differ. For each of these a byte says which of its bytes
    differ, and these follow, each combined with the one before by exclusive or. Without `data`,
    nothing is written.
    """
    is_written = len(data) > 0
    heads = at
    if words > 1:
        at += (words + 7) // 8
        if is_written:
            data[heads:at] = 0
    for w in range(words):
        differ = rows[row * words + w] ^ rows[(row - 1) * words + w]
        if differ == 0:
            continue
        if is_written and words > 1:
            data[heads + w // 8] |= 1 << w % 8
        head = at
        at += 1
        bits = 0
        for i in range(8):
            octet = differ >> np.uint64(8 * i) & np.uint64(255)
            if octet != 0:
                bits |= 1 << i
                if is_written:
                    data[at] = octet
                at += 1
        if is_written:
            data[head] = bits
    return at


@native
def measure(rows: Numbers, words: int, sizes: Numbers, first: int, last: int) -> None:
    """Find how many bytes each of some blocks takes when it is coded."""
    count = len(rows) // words
    nothing = np.empty(0, dtype=np.uint8)
    for block in range(first, last):
        size = 8 * words
        for row in range(block * BLOCK + 1, min(count, (block + 1) * BLOCK)):
            size = _write_row(rows, words, row, nothing, size)
        sizes[block] = size


@native
def encode(
    rows: Numbers, words: int, starts: Numbers, data: Numbers, first: int, last: int
) -> None:
    """Write some blocks: the first row in full, then of each row what differs."""
    count = len(rows) // words
    for block in range(first, last):
        at = starts[block]
        for w in range(words):
            for i in range(8):
                octet = rows[block * BLOCK * words + w] >> np.uint64(8 * i) & np.uint64(255)
                data[at + 8 * w + i] = octet
        at += 8 * words
        for row in range(block * BLOCK + 1, min(count, (block + 1) * BLOCK)):
            at = _write_row(rows, words, row, data, at)


@native
def decode(data: Numbers, at: int, count: int, words: int, rows: Numbers, row: int) -> None:
    """Read the first rows of a block, and put them from a row of their destination on."""
    for w in range(words):
        word = np.uint64(0)
        for i in range(8):
            word |= np.uint64(data[at + 8 * w + i]) << np.uint64(8 * i)
        rows[row * words + w] = word
    at += 8 * words
    for later in range(row + 1, row + count):
        heads = at
        if words > 1:
            at += (words + 7) // 8
        for w in range(words):
            word = rows[(later - 1) * words + w]
            if words == 1 or data[heads + w // 8] >> w % 8 & 1:
                bits = data[at]
                at += 1
                for i in range(8):
                    if bits >> i & 1:
                        word ^= np.uint64(data[at]) << np.uint64(8 * i)
                        at += 1
            rows[later * words + w] = word


@native
def pack(
    results: Numbers, bits: int, ranks: Numbers, plies: Numbers, first: int, last: int
) -> None:
    """Split results into ranks of a few bits and plies; `first` starts a byte."""
    each = 8 // bits
    for byte in range(first // each, -(-last // each)):
        joined = 0
        for state in range(byte * each, min(last, (byte + 1) * each)):
            joined |= (results[state] >> 16) << bits * (state - byte * each)
            plies[state] = results[state] & 0xFFFF
        ranks[byte] = joined
