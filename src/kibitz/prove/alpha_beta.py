"""Alpha-beta search with a null window in the table of positions, compiled by numba; import late.

One question is asked of every node, whether the first role can get a value or more; so a node is
decided by the first child that answers it for the role to move, or by all of them. Moves are tried
in the order of how often they decided a node before (the history heuristic of Schaeffer, 1983), and
of eight that are made at a time, those first that leave fewer replies. The next eight are made when
these have failed. A child that another thread is at comes last.

It writes what it decides into the table of the proof-number search, and uses what that decided. It
leaves a position that comes again on a line undecided, and what rests on it.
"""

from __future__ import annotations

import numpy as np

from kibitz.engine.compiled.kernels.intrinsics import add
from kibitz.native import native
from kibitz.prove.kernels import (
    INFINITE,
    UNKNOWN,
    Number,
    Numbers,
    SearchColumns,
    comes_again,
    keep,
    look_at,
    probe,
)
from kibitz.prove.lookahead import (
    BOTH_CHOOSE,
    IS_MISSED,
    IS_REACHED,
    STUCK,
    STUCK_STATE,
    Facts,
    Look,
)

__all__ = ["search"]

_Column = SearchColumns
_PLY, _IS_BACK, _NODES, _TROUBLE = _Column.PLY, _Column.IS_BACK, _Column.NODES, _Column.TROUBLE
_PN, _DN, _REPEATED, _DEEPEST = _Column.PN, _Column.DN, _Column.REPEATED, _Column.DEEPEST
_FOUND, _MOVER, _WAITING = Look.FOUND, Look.MOVER, Look.WAITING
_GROUP, _ORDER, _RUNS = Look.GROUP, Look.ORDER, Look.RUNS
_STATUS, _LEFT, _HASH, _THREATS = Facts.STATUS, Facts.LEFT, Facts.HASH, Facts.THREATS
_UNDECIDED, _IS_REACHED, _IS_MISSED = np.uint64(0), np.uint64(IS_REACHED), np.uint64(IS_MISSED)
_NO_MOVE = STUCK
_CHILDREN, _PROVES, _TRIED, _WAS_OPEN, _BEGUN, _FOUND_MOVES, _GROUPS, _OTHER = range(8)
"""Columns of a frame."""
_MISSES, _HITS, _OPEN = 0, 1, 2
"""What a node comes to for the role to move there; -1 while it is not known."""
_REPLY = 10
"""How many successes of a move one reply of the opponent weighs."""
_THREAT = 1 << 32
"""More than anything else weighs."""
_RANKED = 1 << 10
"""After how many nodes moves get a new order."""


@native
def rank(history: Numbers, order: Numbers) -> None:
    """Put each role's moves into the order of how often they decided a node."""
    for role in range(2):
        scores = history[role]
        for number in range(1, len(scores)):
            move = order[role, number]
            place = number
            while place > 0 and scores[order[role, place - 1]] < scores[move]:
                order[role, place] = order[role, place - 1]
                place -= 1
            order[role, place] = move


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

    `frames` has, for each ply: open children, is the prover's, how many of them were tried, was
    one undecided, nodes before, all moves, groups of them made, what the other role does. `numbers`
    has, for each ply, its open children in the order in which they are tried, with their scores.
    """
    words = rows.shape[2]
    deepest = frames.shape[0] - 1
    end = state[_NODES] + limit
    busy_mask = np.uint64(len(busy) - 1)
    context[_ORDER] = order.ctypes.data
    while True:
        ply = state[_PLY]
        answer = -1
        if not state[_IS_BACK]:
            # a node is entered
            if state[_NODES] >= end:
                return False
            pn, dn = 0, 0
            if ply == 0 or frames[ply - 1, _TRIED] > 1:  # else its parent looked it up just now
                pn, dn = probe(table, locks, path[ply], hashes[ply], aim)
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
            if state[_NODES] % _RANKED == 0:
                rank(history, order)
            look_at(addresses[1], context, path, rows, moves, ply)
            state[_NODES] += 1
            state[_DEEPEST] = max(state[_DEEPEST], ply)
            if context[_MOVER] < 0:
                state[_TROUBLE] = STUCK_STATE if context[_MOVER] == _NO_MOVE else BOTH_CHOOSE
                return True
            frames[ply, _PROVES] = context[_MOVER] == prover
            frames[ply, _CHILDREN] = frames[ply, _TRIED] = frames[ply, _WAS_OPEN] = 0
            frames[ply, _BEGUN], frames[ply, _FOUND_MOVES] = state[_NODES], context[_FOUND]
            frames[ply, _GROUPS], frames[ply, _OTHER] = 0, context[_WAITING]
            if busy_mask:
                add(busy.ctypes.data + 8 * np.int64(hashes[ply] & busy_mask), 1)
        else:
            # a child comes back with its answer
            proves = frames[ply, _PROVES] == 1
            tried = frames[ply, _TRIED]
            if state[_PN] != 0 and state[_DN] != 0:
                frames[ply, _WAS_OPEN] = 1
            elif (state[_PN] == 0) == proves:
                answer = _HITS
                if not context[_RUNS]:  # the history misleads where threats order moves
                    role = prover if proves else 1 - prover
                    history[role, moves[ply, numbers[ply, tried - 1, 0]]] += tried
                    for number in range(tried):
                        history[role, moves[ply, numbers[ply, number, 0]]] -= 1
        while answer < 0 and frames[ply, _TRIED] == frames[ply, _CHILDREN]:
            # the next eight moves, or there are no more
            group, count = frames[ply, _GROUPS], frames[ply, _FOUND_MOVES]
            if 8 * group >= count:
                answer = _OPEN if frames[ply, _WAS_OPEN] else _MISSES
                break
            proves = frames[ply, _PROVES] == 1
            mover = prover if proves else 1 - prover
            context[_GROUP], context[_FOUND], context[_MOVER] = group, count, mover
            context[_WAITING] = frames[ply, _OTHER]
            look_at(addresses[2], context, path, rows, moves, ply)
            frames[ply, _GROUPS] += 1
            good = _IS_REACHED if proves else _IS_MISSED
            first = left = frames[ply, _CHILDREN]
            for child in range(8 * group, min(count, 8 * group + 8)):
                status = facts[group, _STATUS, child & 7]
                if status == _UNDECIDED:
                    marks[ply, child] = facts[group, _HASH, child & 7]
                    numbers[ply, left, 0] = child
                    left += 1
                elif status == good:
                    answer = _HITS
                elif status < _IS_REACHED:
                    state[_TROUBLE] = status
                    return True
            if answer < 0:
                opened, left = left, first
                for number in range(first, opened):
                    child = numbers[ply, number, 0]
                    pn, dn = probe(table, locks, rows[ply, child], marks[ply, child], aim)
                    if pn + dn > 0 and (pn == 0 or dn == 0):
                        if (pn == 0) == proves:
                            answer = _HITS
                            break
                        continue
                    replies: Number = np.int64(facts[group, _LEFT, child & 7])
                    score = history[mover, moves[ply, child]] - _REPLY * replies
                    if context[_RUNS]:
                        score += _THREAT * np.int64(facts[group, _THREATS, child & 7])
                    place = left
                    while place > first and numbers[ply, place - 1, 1] < score:
                        numbers[ply, place, 0] = numbers[ply, place - 1, 0]
                        numbers[ply, place, 1] = numbers[ply, place - 1, 1]
                        place -= 1
                    numbers[ply, place, 0], numbers[ply, place, 1] = child, score
                    left += 1
                frames[ply, _CHILDREN] = left
        if answer >= 0:
            if busy_mask:
                add(busy.ctypes.data + 8 * np.int64(hashes[ply] & busy_mask), -1)
            if answer == _OPEN:
                state[_PN] = state[_DN] = UNKNOWN
            else:
                is_reached = (answer == _HITS) == (frames[ply, _PROVES] == 1)
                state[_PN], state[_DN] = (0, INFINITE) if is_reached else (INFINITE, 0)
                keep(
                    table, locks, path[ply], hashes[ply], aim, state[_PN], state[_DN],
                    state[_NODES] - frames[ply, _BEGUN] + 1,
                )  # fmt: skip
            if ply == 0:
                return True
            state[_PLY] = ply - 1
            state[_IS_BACK] = 1
            continue
        place = frames[ply, _TRIED]
        child = numbers[ply, place, 0]
        if busy_mask:
            for number in range(place, frames[ply, _CHILDREN]):
                if busy[marks[ply, numbers[ply, number, 0]] & busy_mask] <= 0:
                    child = numbers[ply, number, 0]
                    while number > place:
                        numbers[ply, number, 0] = numbers[ply, number - 1, 0]
                        number -= 1
                    numbers[ply, place, 0] = child
                    break
        frames[ply, _TRIED] = place + 1
        for word in range(words):
            path[ply + 1, word] = rows[ply, child, word]
        hashes[ply + 1] = marks[ply, child]
        state[_PLY] = ply + 1
        state[_IS_BACK] = 0
