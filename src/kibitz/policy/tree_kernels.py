"""Plain tree search in many positions at once, compiled by numba; import this where it is needed.

Each lane of a block belongs to one tree. A lane goes down its tree by upper confidence bounds
(Kocsis and Szepesvári, 2006), adds one node, and plays at random to the end; the block takes all
lanes one move further at a time, whatever each of them is doing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.engine.compiled.kernels.intrinsics import call_loop
from kibitz.native import native

__all__ = ["DEEPEST", "TreeColumns", "search_trees"]

Numbers = npt.NDArray[Any]
Number = Any
"""An integer of numba, whose type no checker knows."""

DEEPEST = 1000
"""The most moves from a root to a node."""
_RESTS, _LOADED, _NEW, _PLAYS = 0, 1, 2, 3
"""What a lane does: nothing; it is at a node that gets a child; it is at that child; it plays."""
_ONE = np.uint64(1)


class TreeColumns:
    """Columns of the numbers that a search is given; columns for roles follow, three for each.

    For a role: where its legal moves begin, where its mask begins, and how many moves it has.
    """

    (CONTEXT, VIEW, ADVANCE, FLUENTS, FLUENT_COUNT, TERMINAL, GOALS, ROLES) = range(8)
    (VISITS, NODES, LONGEST, GAME) = range(8, 12)
    SIZE = 12


_CONTEXT, _VIEW, _ADVANCE = TreeColumns.CONTEXT, TreeColumns.VIEW, TreeColumns.ADVANCE
_FLUENTS, _FLUENT_COUNT = TreeColumns.FLUENTS, TreeColumns.FLUENT_COUNT
_TERMINAL, _GOALS, _ROLES = TreeColumns.TERMINAL, TreeColumns.GOALS, TreeColumns.ROLES
_VISITS, _NODES, _LONGEST = TreeColumns.VISITS, TreeColumns.NODES, TreeColumns.LONGEST
_SIZE, _GAME = TreeColumns.SIZE, TreeColumns.GAME


@native
def _draw(random: Numbers, lane: int, below: int) -> int:
    """Draw a number below another (splitmix64)."""
    random[lane] += np.uint64(0x9E3779B97F4A7C15)
    x = random[lane]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return int((x >> np.uint64(32)) * np.uint64(below) >> np.uint64(32))


@native
def _expand(
    lane: int, node: int, numbers: Numbers, memory: Numbers, edges: Numbers,
    first_edge: Numbers, edge_count: Numbers, chooser: Numbers, free: Numbers,
) -> int:  # fmt: skip
    """Give a node an edge for each move of the role that chooses there.

    Return 1; 0 if there is no room for its edges, or -1 if several roles choose.
    """
    word, bit = lane >> 6, np.uint64(lane & 63)
    who, most = 0, -1
    for role in range(numbers[_ROLES]):
        legal, _, moves = numbers[_SIZE + 3 * role : _SIZE + 3 * role + 3]
        count = 0
        for move in range(moves):
            count += int((memory[legal + move, word] >> bit) & _ONE)
        if count > 1 and most > 1:
            return -1
        if count > most:
            who, most = role, count
    if free[0] + most > len(edges):
        return 0
    first_edge[node], edge_count[node], chooser[node] = free[0], most, who
    legal, _, moves = numbers[_SIZE + 3 * who : _SIZE + 3 * who + 3]
    for move in range(moves):
        if (memory[legal + move, word] >> bit) & _ONE:
            edges[free[0], 0], edges[free[0], 1], edges[free[0], 2] = move, -1, 0
            free[0] += 1
    return 1


@native
def _choose(
    node: int, lane: int, random: Numbers, edges: Numbers, totals: Numbers, first_edge: Numbers,
    edge_count: Numbers, visits: Numbers, logs: Numbers, exploration: float,
) -> Number:  # fmt: skip
    """Return an edge that was not tried yet, drawn at random, or the one with the best bound."""
    first, end = first_edge[node], first_edge[node] + edge_count[node]
    untried = 0
    for edge in range(first, end):
        untried += edges[edge, 2] == 0
    if untried:
        left = _draw(random, lane, untried)
        for edge in range(first, end):
            if edges[edge, 2] == 0:
                if left == 0:
                    return edge
                left -= 1
    best, highest = first, -1.0
    for edge in range(first, end):
        tried = edges[edge, 2]
        bound = totals[edge] / tried + exploration * np.sqrt(logs[visits[node]] / tried)
        if bound > highest:
            best, highest = edge, bound
    return best


@native
def search_trees(
    trees: int,
    exploration: float,
    numbers: Numbers,
    memory: Numbers,
    over: Numbers,
    goal_role: Numbers,
    goal_value: Numbers,
    rows: Numbers,
    node_terminal: Numbers,
    node_scores: Numbers,
    first_edge: Numbers,
    edge_count: Numbers,
    chooser: Numbers,
    visits: Numbers,
    edges: Numbers,
    totals: Numbers,
    logs: Numbers,
    random: Numbers,
    best: Numbers,
    sums: Numbers,
) -> int:
    """Search from the state of every tree's first node; write the most visited moves.

    `edges` have a move, a child and visits; `sums` are those of the scores of each role in the
    playouts of each tree. Return 0, or -1 where several roles choose at a time.
    """
    roles, capacity = numbers[_ROLES], numbers[_NODES]
    fluents, fluent_count = numbers[_FLUENTS], numbers[_FLUENT_COUNT]
    phase = np.full(trees, _LOADED, dtype=np.int64)
    at = np.arange(trees) * capacity
    used = np.ones(trees, dtype=np.int64)
    wanted = np.full(trees, -1, dtype=np.int64)
    done = np.zeros(trees, dtype=np.int64)
    length = np.zeros(trees, dtype=np.int64)
    begun = np.zeros(trees, dtype=np.int64)
    path = np.empty((trees, DEEPEST, 2), dtype=np.int64)
    loading = np.empty(trees, dtype=np.int64)
    scores = np.empty(roles, dtype=np.float64)
    free = np.zeros(1, dtype=np.int64)
    for lane in range(trees):
        loading[lane] = lane
        edge_count[at[lane]], visits[at[lane]], node_terminal[at[lane]] = -1, 0, 0
    loads, active, turn = trees, trees, 0
    while True:
        for index in range(loads):
            lane = loading[index]
            word, bit = lane >> 6, np.uint64(lane & 63)
            row = rows[at[lane]]
            clear = ~(_ONE << bit)
            for fluent in range(fluent_count):
                value = (row[fluent >> 6] >> np.uint64(fluent & 63)) & _ONE
                slot = fluents + fluent
                memory[slot, word] = (memory[slot, word] & clear) | (value << bit)
        loads = 0
        if not active:
            return 0
        call_loop(numbers[_VIEW], numbers[_GAME], numbers[_CONTEXT])
        turn += 1
        for lane in range(trees):
            if phase[lane] == _RESTS:
                continue
            word, bit = lane >> 6, np.uint64(lane & 63)
            is_over = ((over[word] >> bit) & _ONE) != 0
            node = at[lane]
            if phase[lane] == _LOADED:
                if edge_count[node] < 0 and wanted[lane] < 0:
                    answer = _expand(
                        lane, node, numbers, memory, edges, first_edge, edge_count, chooser, free
                    )
                    if answer < 0:
                        return -1
                    if answer:
                        wanted[lane] = first_edge[node] + _draw(random, lane, edge_count[node])
                begun[lane] = turn
                if wanted[lane] < 0 or length[lane] >= DEEPEST:  # There is no room: play from here.
                    phase[lane] = _PLAYS
                    continue
                edge = wanted[lane]
                who = chooser[node]
                _, mask, moves = numbers[_SIZE + 3 * who : _SIZE + 3 * who + 3]
                for move in range(moves):
                    memory[mask + move, word] &= ~(_ONE << bit)
                memory[mask + edges[edge, 0], word] |= _ONE << bit
                child = lane * capacity + used[lane]
                used[lane] += 1
                edges[edge, 1] = child
                path[lane, length[lane], 0], path[lane, length[lane], 1] = node, edge
                length[lane] += 1
                edge_count[child], visits[child], node_terminal[child] = -1, 0, 0
                at[lane] = child
                phase[lane] = _NEW
                continue
            if phase[lane] == _NEW:
                for part in range(rows.shape[1]):
                    rows[node, part] = 0
                for fluent in range(fluent_count):
                    value = (memory[fluents + fluent, word] >> bit) & _ONE
                    rows[node, fluent >> 6] |= value << np.uint64(fluent & 63)
                phase[lane] = _PLAYS
            is_long = turn - begun[lane] > numbers[_LONGEST]
            if not is_over and not is_long:
                continue
            scores[:] = 0.5
            if (memory[numbers[_TERMINAL], word] >> bit) & _ONE:
                for role in range(roles):
                    found, value = 0, 0.0
                    for goal in range(len(goal_role)):
                        if goal_role[goal] == role:
                            here = (memory[numbers[_GOALS] + goal, word] >> bit) & _ONE
                            found += int(here)
                            value += float(here) * goal_value[goal]
                    if found == 1:
                        scores[role] = value
            if is_over and turn - begun[lane] == 1 and length[lane]:
                node_terminal[node] = 1
                for role in range(roles):
                    node_scores[node, role] = scores[role]
            while True:
                for step in range(length[lane]):
                    parent, edge = path[lane, step, 0], path[lane, step, 1]
                    visits[parent] += 1
                    edges[edge, 2] += 1
                    totals[edge] = (totals[edge] if edges[edge, 2] > 1 else 0.0) + scores[
                        chooser[parent]
                    ]
                for role in range(roles):
                    sums[lane, role] += scores[role]
                done[lane] += 1
                if done[lane] >= numbers[_VISITS]:
                    phase[lane] = _RESTS
                    active -= 1
                    break
                node = lane * capacity
                length[lane] = 0
                wanted[lane] = -1
                while edge_count[node] >= 0 and length[lane] < DEEPEST:
                    edge = _choose(
                        node, lane, random, edges, totals, first_edge, edge_count, visits, logs,
                        exploration,
                    )  # fmt: skip
                    if edges[edge, 2] == 0:
                        wanted[lane] = edge
                        break
                    path[lane, length[lane], 0], path[lane, length[lane], 1] = node, edge
                    length[lane] += 1
                    node = edges[edge, 1]
                    if node_terminal[node]:
                        break
                if not node_terminal[node]:
                    at[lane] = node
                    phase[lane] = _LOADED
                    loading[loads] = lane
                    loads += 1
                    break
                for role in range(roles):
                    scores[role] = node_scores[node, role]
            if phase[lane] == _RESTS:
                root = lane * capacity
                most = -1
                for edge in range(first_edge[root], first_edge[root] + edge_count[root]):
                    if edges[edge, 2] > most:
                        most, best[lane] = edges[edge, 2], edges[edge, 0]
        call_loop(numbers[_ADVANCE], numbers[_GAME], numbers[_CONTEXT])
