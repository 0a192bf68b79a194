"""Alpha-beta search with a null window in the table of positions, compiled by numba; import late.

One question is asked of every node, whether the first role can get a value or more; so a node is
decided by the first child that answers it for the role to move, or by all of them. Moves are tried
in the order of how often they decided a node before (the history heuristic of Schaeffer, 1983), and
those first that leave fewer replies. A child that another thread is at comes last.

It writes what it decides into the table of the proof-number search, and uses what that decided. It
leaves a position that comes again on a line undecided, and what rests on it.
"""

from __future__ import annotations

import numpy as np

from kibitz.engine.compiled.kernels.intrinsics import add, call
from kibitz.prove.kernels import (
    INFINITE,
    UNKNOWN,
    Number,
    Numbers,
    SearchColumns,
    comes_again,
    decide,
    fetch_bucket,
    hash_row,
    keep,
    probe,
)
from kibitz.prove.lookahead import BOTH_CHOOSE, STUCK, STUCK_STATE, Look
from kibitz.space.graph_kernels import native

__all__ = ["search"]

_Column = SearchColumns
_PLY, _IS_BACK, _NODES, _TROUBLE = _Column.PLY, _Column.IS_BACK, _Column.NODES, _Column.TROUBLE
_PN, _DN, _REPEATED, _DEEPEST = _Column.PN, _Column.DN, _Column.REPEATED, _Column.DEEPEST
_FOUND, _MOVER = Look.FOUND, Look.MOVER
_NO_MOVE = STUCK
_MISSES, _HITS, _OPEN = 0, 1, 2
"""What a node comes to for the role to move there; -1 while it is not known."""
_REPLY = 10
"""How many successes of a move one reply of the opponent weighs."""


@native
def search(
    limit: int,
    aim: Number,
    prover: int,
    state: Numbers,
    context: Numbers,
    address: int,
    look_row: Numbers,
    look_rows: Numbers,
    look_moves: Numbers,
    facts: Numbers,
    path: Numbers,
    hashes: Numbers,
    rows: Numbers,
    numbers: Numbers,
    moves: Numbers,
    frames: Numbers,
    history: Numbers,
    keys: Numbers,
    data: Numbers,
    locks: Numbers,
    busy: Numbers,
) -> bool:
    """Go on until `limit` more nodes were looked at; return whether the search has ended.

    `frames` has, for each ply: children left, is the prover's, the one it is at, how many were
    tried, was one undecided, nodes before. `numbers` has, for each ply and child, its score and
    whether it was tried.
    """
    words = rows.shape[2]
    deepest = frames.shape[0] - 1
    end = state[_NODES] + limit
    pair = np.zeros(2, np.int64)
    marks = np.zeros(rows.shape[1], np.uint64)
    at = context.ctypes.data
    busy_mask = np.uint64(len(busy) - 1)
    while True:
        ply = state[_PLY]
        answer = -1
        if not state[_IS_BACK]:
            # a node is entered
            if state[_NODES] >= end:
                return False
            pn, dn = probe(keys, data, locks, path[ply], hashes[ply], aim)
            is_done = pn + dn > 0 and (pn == 0 or dn == 0)
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
            for word in range(words):
                look_row[word] = path[ply, word]
            call(address, at)
            state[_NODES] += 1
            state[_DEEPEST] = max(state[_DEEPEST], ply)
            count, mover = context[_FOUND], context[_MOVER]
            if mover < 0:
                state[_TROUBLE] = STUCK_STATE if mover == _NO_MOVE else BOTH_CHOOSE
                return True
            proves = mover == prover
            frames[ply, 1] = proves
            frames[ply, 3] = frames[ply, 4] = 0
            frames[ply, 5] = state[_NODES]
            for child in range(count):
                marks[child] = hash_row(look_rows[child])
                fetch_bucket(keys, data, marks[child])
            left = 0
            for child in range(count):
                trouble = decide(facts[child >> 3], child & 7, prover, pair)
                if trouble:
                    state[_TROUBLE] = trouble
                    return True
                replies = max(pair[0], pair[1])
                if pair[0] != 0 and pair[1] != 0:
                    pn, dn = probe(keys, data, locks, look_rows[child], marks[child], aim)
                    if pn + dn > 0 and (pn == 0 or dn == 0):
                        pair[0], pair[1] = pn, dn
                if pair[0] == 0 or pair[1] == 0:
                    if (pair[0] == 0) == proves:
                        answer = _HITS
                        break
                    continue
                score = history[mover, look_moves[child]] - _REPLY * replies
                place = left
                while place > 0 and numbers[ply, place - 1, 0] < score:
                    numbers[ply, place, 0] = numbers[ply, place - 1, 0]
                    moves[ply, place] = moves[ply, place - 1]
                    for word in range(words):
                        rows[ply, place, word] = rows[ply, place - 1, word]
                    place -= 1
                numbers[ply, place, 0] = score
                moves[ply, place] = look_moves[child]
                for word in range(words):
                    rows[ply, place, word] = look_rows[child, word]
                left += 1
            frames[ply, 0] = left
            for child in range(left):
                numbers[ply, child, 1] = 0
            if answer < 0 and left == 0:
                answer = _MISSES
            if busy_mask:
                add(busy.ctypes.data + 8 * np.int64(hashes[ply] & busy_mask), 1)
        else:
            # a child comes back with its answer
            child = frames[ply, 2]
            proves = frames[ply, 1] == 1
            numbers[ply, child, 1] = 1
            if state[_PN] != 0 and state[_DN] != 0:
                frames[ply, 4] = 1
            elif (state[_PN] == 0) == proves:
                answer = _HITS
                role = prover if proves else 1 - prover
                history[role, moves[ply, child]] += frames[ply, 3]
                for other in range(frames[ply, 0]):
                    if numbers[ply, other, 1] == 1:
                        history[role, moves[ply, other]] -= 1
            if answer < 0 and frames[ply, 3] == frames[ply, 0]:
                answer = _OPEN if frames[ply, 4] else _MISSES
        if answer >= 0:
            if busy_mask:
                add(busy.ctypes.data + 8 * np.int64(hashes[ply] & busy_mask), -1)
            if answer == _OPEN:
                state[_PN] = state[_DN] = UNKNOWN
            else:
                is_reached = (answer == _HITS) == (frames[ply, 1] == 1)
                state[_PN], state[_DN] = (0, INFINITE) if is_reached else (INFINITE, 0)
                keep(
                    keys, data, locks, path[ply], hashes[ply], aim, state[_PN], state[_DN],
                    state[_NODES] - frames[ply, 5] + 1,
                )  # fmt: skip
            if ply == 0:
                return True
            state[_PLY] = ply - 1
            state[_IS_BACK] = 1
            continue
        chosen = -1
        for child in range(frames[ply, 0]):
            if numbers[ply, child, 1] == 0:
                if chosen < 0:
                    chosen = child
                if not busy_mask:
                    break
                if busy[hash_row(rows[ply, child]) & busy_mask] <= 0:
                    chosen = child
                    break
        frames[ply, 2] = chosen
        frames[ply, 3] += 1
        for word in range(words):
            path[ply + 1, word] = rows[ply, chosen, word]
        hashes[ply + 1] = hash_row(path[ply + 1])
        state[_PLY] = ply + 1
        state[_IS_BACK] = 0
