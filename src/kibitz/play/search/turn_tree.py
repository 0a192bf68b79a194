"""The tree of a search of two roles that take turns, in flat arrays: descend, grow, back up.

A node is a state, however it was reached, with its visits and the sum of their results for each
role, between 0 and 1. Its edges are moves. A walk down takes the edge with the highest upper
confidence bound on the mean of its node. An edge that was not taken yet counts as if it had been,
with the mean of its parent, better or worse by how matches went in which that move was made.

Ends are proven. A node is proven where its chooser has a proven edge to the highest goal, or where
all edges are proven.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.engine.compiled.kernels.intrinsics import fetch_ahead
from kibitz.native import native
from kibitz.play.search.hashing import find_row, slot_of
from kibitz.play.search.leaf_values import (
    GROWN,
    NEW,
    PROVEN,
    STUCK,
    LeafWorker,
)
from kibitz.play.search.pruning import compact, mark
from kibitz.play.search.walks import Walks

__all__ = ["TurnTree"]

_NODE = np.dtype(
    [
        ("status", np.int8),
        ("turn", np.int8),
        ("is_busy", np.int8),
        ("plies", np.int32),
        ("first", np.int32),
        ("count", np.int32),
        ("visits", np.int32),
        ("floor0", np.float32),
        ("floor1", np.float32),
        ("guess", np.float32),
    ],
    align=True,
)
_EDGE = np.dtype(
    [
        ("child", np.int32),
        ("move", np.int32),
        ("taken", np.int32),
        ("prior", np.float32),
    ]
)
_MIDDLE = 0.5
_FEW = 10.0
"""Matches with a move that count as much as knowing nothing of it."""


class TurnTree:
    """Room for a number of nodes and edges, and the operations on them."""

    def __init__(self, words: int, moves: int, tops: npt.NDArray[np.float32], nodes: int) -> None:
        self.tops = tops
        self.rows = np.zeros((nodes, words), np.uint64)
        self.node_data = np.zeros(nodes, _NODE)
        self.edge_data = np.zeros(2 * nodes, _EDGE)
        self.total = np.zeros((nodes, 2), np.float64)
        self.value = np.zeros((nodes, 2), np.float32)
        self.table = np.full(1 << int(np.ceil(np.log2(2 * nodes))), -1, np.int32)
        self.used = np.zeros(2, np.int64)
        """How many nodes and edges there are."""
        self.moves = np.zeros((moves, 2), np.float64)
        """For each move of each role: matches it was made in, and the sum of their results."""

    def node(self, row: npt.NDArray[np.uint64]) -> int:
        """Return the node of a state; make it if it is missing."""
        return int(find_row(self.table, self.rows, self.used, row))

    def is_proven(self, node: int) -> bool:
        """Return whether a node's value is certain."""
        return bool(self.node_data["status"][node] == PROVEN)

    def prove(self, node: int, value: npt.NDArray[np.float32]) -> None:
        """Mark a node as an end with these goals."""
        self.node_data["status"][node] = PROVEN
        self.node_data["plies"][node] = 0
        self.value[node] = value

    def begin_at(self, node: int, status: int) -> None:
        """Let a node be searched as a root: one that is proven, but not by edges, is new again."""
        if self.node_data["count"][node] == 0:
            self.node_data["status"][node] = status

    def edges(self, node: int) -> slice:
        """Return the range of a node's edges."""
        first = int(self.node_data["first"][node])
        return slice(first, first + int(self.node_data["count"][node]))

    def descend(
        self,
        root: int,
        walks: Walks,
        worker: LeafWorker,
        *,
        spread: float,
        share: float,
        batches: float,
    ) -> None:
        """Walk down, to at most as many leaves as the worker takes, and hand them to it."""
        most = walks.limit(int(self.node_data["visits"][root]), worker.most, batches)
        _descend(
            root, most, worker.is_wide, spread, share, walks.paths, walks.lengths, walks.leaves,
            walks.counts, self.tops, self.node_data, self.edge_data, self.total, self.value,
            self.rows, worker.nodes, worker.leaf_rows,
        )  # fmt: skip

    def grow(self, root: int, walks: Walks, worker: LeafWorker, weight: float) -> bool:
        """Give leaves their edges, and back up results; return whether all had room."""
        return bool(
            _grow(
                root, walks.paths, walks.lengths, walks.leaves, walks.counts, weight, self.tops,
                self.node_data, self.edge_data, self.total, self.value, self.rows, self.table,
                self.used, self.moves, worker.offset, worker.nodes, worker.first, worker.turn,
                worker.result, worker.rows, worker.moves, worker.status, worker.value, worker.plies,
                worker.own, worker.tally, worker.guess, len(worker.table) > 0,
            )
        )  # fmt: skip

    def prune(self, root: int, share: float = 0.5) -> int:
        """Drop what is not below the root, then what was visited least, until there is room.

        Returns the node that the root has become.
        """
        least = 0
        while True:
            kept = np.zeros(len(self.rows), np.bool_)
            nodes, edges = mark(root, least, kept, self.node_data, self.edge_data, self.used)
            if least > 1 << 30 or (
                nodes <= share * len(self.rows) and edges <= share * len(self.edge_data)
            ):
                break
            least = 4 * least + 4
        first = self.node_data["first"][: int(self.used[0])]
        order = np.argsort(first, kind="stable")
        place = compact(
            order, least, root, kept, self.node_data, self.edge_data, self.total, self.value,
            self.rows, self.table, self.used,
        )  # fmt: skip
        return int(place)


@native
def _pick(node: Any, spread: Any, share: Any, nodes: Any, edges: Any, total: Any) -> Any:
    """Return the open edge with the highest bound for the role that has the choice, or -1."""
    here = nodes[node]
    role = max(here.turn, 0)
    visits = here.visits + 1.0
    mean = (total[node, role] + _MIDDLE) / visits
    log = np.log(visits + 1.0)
    best, best_edge = -1e9, -1
    for at in range(here.first, here.first + here.count):
        edge = edges[at]
        to = nodes[edge.child]
        if to.status == PROVEN:
            continue
        gained = total[edge.child, role] + max(0.0, min(1.0, mean + edge.prior))
        score = gained / (to.visits + 1.0)
        if share > 0.0:
            guess = to.guess if role == 0 else 1.0 - to.guess
            score += share * (guess - score)
        score += spread * np.sqrt(log / (edge.taken + 1.0))
        if score > best:
            best, best_edge = score, at
    return best_edge


@native
def _descend(
    root: Any, most: Any, waits: Any, spread: Any, share: Any, paths: Any, lengths: Any,
    leaves: Any, counts: Any, tops: Any, nodes: Any, edges: Any, total: Any, value: Any, rows: Any,
    leaf_nodes: Any, leaf_rows: Any,
) -> Any:  # fmt: skip
    made, missed = 0, 0
    opened, closed = 0, 0
    while opened + closed < most and made < len(paths) - 1 and missed <= most // 4:
        node = root
        length = 0
        nodes[root].visits += 1
        is_known = False
        while nodes[node].status == GROWN and length < paths.shape[1]:
            edge = _pick(node, spread, share, nodes, edges, total)
            if edge < 0:
                _settle(node, tops, nodes, edges, value)
                break
            paths[made, length] = edge
            length += 1
            edges[edge].taken += 1
            node = np.int64(edges[edge].child)
            nodes[node].visits += 1
        status = nodes[node].status
        if status == PROVEN:
            is_known = True
            _add(root, paths[made], length, value[node, 0], value[node, 1], nodes, edges, total)
            _settle_path(root, paths[made], length, tops, nodes, edges, value)
            if nodes[root].status == PROVEN:
                break
        elif status in (STUCK, GROWN):
            is_known = True
            _add(root, paths[made], length, _MIDDLE, _MIDDLE, nodes, edges, total)
        if is_known:
            missed += 1
            continue
        lengths[made] = length
        leaves[made] = node
        if nodes[node].is_busy:
            missed += 1
            leaves[made] = -1
        else:
            nodes[node].is_busy = 1
            if _gets_edges(node, root, waits, nodes):
                opened += 1
            else:
                closed += 1
        made += 1
    # A walk to a leaf that another one has found is taken back.
    kept = 0
    for walk in range(made):
        if leaves[walk] < 0:
            nodes[root].visits -= 1
            for step in range(lengths[walk]):
                edges[paths[walk, step]].taken -= 1
                nodes[edges[paths[walk, step]].child].visits -= 1
            continue
        leaves[kept] = leaves[walk]
        lengths[kept] = lengths[walk]
        for step in range(lengths[walk]):
            paths[kept, step] = paths[walk, step]
        kept += 1
    counts[0], counts[1], counts[2] = kept, opened, closed
    first, last = 0, opened
    for walk in range(kept):
        node = leaves[walk]
        at = first
        if _gets_edges(node, root, waits, nodes):
            first += 1
        else:
            at = last
            last += 1
        leaves[walk] = at
        leaf_nodes[at] = node
        for w in range(rows.shape[1]):
            leaf_rows[at, w] = rows[node, w]


@native
def _gets_edges(node: Any, root: Any, waits: Any, nodes: Any) -> Any:
    """Return whether a leaf gets edges now: one that waits does at its second visit."""
    return nodes[node].status == NEW and (not waits or node == root or nodes[node].visits > 1)


@native
def _add(
    root: Any, path: Any, length: Any, first: Any, second: Any, nodes: Any, edges: Any, total: Any
) -> Any:
    """Add a result to the nodes of a path, from its end up.

    Who has a choice gets at least what the best proven move gives.
    """
    for step in range(length, -1, -1):
        node = root if step == 0 else np.int64(edges[path[step - 1]].child)
        role = nodes[node].turn
        if step < length and (
            (role == 0 and nodes[node].floor0 > first)
            or (role == 1 and nodes[node].floor1 > second)
        ):
            first, second = np.float64(nodes[node].floor0), np.float64(nodes[node].floor1)
        total[node, 0] += first
        total[node, 1] += second


@native
def _settle_path(
    root: Any, path: Any, length: Any, tops: Any, nodes: Any, edges: Any, value: Any
) -> Any:
    for step in range(length - 1, -1, -1):
        node = root if step == 0 else np.int64(edges[path[step - 1]].child)
        if nodes[edges[path[step]].child].status != PROVEN:
            return
        if nodes[node].status == GROWN:
            _settle(node, tops, nodes, edges, value)


@native
def _settle(node: Any, tops: Any, nodes: Any, edges: Any, value: Any) -> Any:
    """Prove a node whose edges decide it: fastest where it wins, slowest where it does not."""
    here = nodes[node]
    role = here.turn
    best = np.int64(-1)
    is_open = False
    for at in range(here.first, here.first + here.count):
        to = np.int64(edges[at].child)
        if nodes[to].status != PROVEN:
            is_open = True
        elif best < 0:
            best = to
        elif role >= 0:
            better = value[to, role] - value[best, role]
            if better > 0 or (
                better == 0
                and (nodes[to].plies < nodes[best].plies) == (value[to, role] >= tops[role])
            ):
                best = to
    if best < 0 or (is_open and role < 0):
        return
    if is_open and value[best, role] < tops[role]:
        nodes[node].floor0, nodes[node].floor1 = value[best, 0], value[best, 1]
        return
    nodes[node].status = PROVEN
    nodes[node].plies = nodes[best].plies + 1
    value[node, 0] = value[best, 0]
    value[node, 1] = value[best, 1]
    nodes[node].guess = value[best, 0]


@native
def _guess_path(root: Any, path: Any, length: Any, nodes: Any, edges: Any) -> Any:
    """Give the nodes of a path the guess of their best edge, from the end up."""
    for step in range(length, -1, -1):
        node = root if step == 0 else np.int64(edges[path[step - 1]].child)
        here = nodes[node]
        if here.status != GROWN:
            continue
        best = nodes[edges[here.first].child].guess
        for at in range(here.first + 1, here.first + here.count):
            guess = nodes[edges[at].child].guess
            best = min(best, guess) if here.turn == 1 else max(best, guess)
        nodes[node].guess = best


@native
def _grow(
    root: Any, paths: Any, lengths: Any, leaves: Any, counts: Any, weight: Any, tops: Any,
    nodes: Any, edges: Any, total: Any, value: Any, rows: Any, table: Any, used: Any,
    moves: Any, offset: Any, leaf_nodes: Any, leaf_first: Any, leaf_turn: Any, result: Any,
    new_rows: Any, new_moves: Any, new_status: Any, new_value: Any, new_plies: Any, own: Any,
    tally: Any, new_guess: Any, guesses: Any,
) -> Any:  # fmt: skip
    fits = True
    for move in range(len(tally)):
        if tally[move, 0]:
            moves[move, 0] += tally[move, 0]
            moves[move, 1] += tally[move, 1]
            tally[move, 0] = tally[move, 1] = 0.0
    mask = np.uint64(len(table) - 1)
    for i in range(leaf_first[counts[1]]):
        fetch_ahead(table.ctypes.data + 4 * np.int64(slot_of(new_rows[i], mask)))
    for leaf in range(counts[1] + counts[2]):
        node = leaf_nodes[leaf]
        nodes[node].is_busy = 0
        begin, end = leaf_first[leaf], leaf_first[leaf + 1]
        if begin == end or nodes[node].status != NEW:
            continue
        if used[0] + end - begin > len(rows) or used[1] + end - begin > len(edges):
            fits = False
            continue
        role = leaf_turn[leaf]
        nodes[node].first = used[1]
        nodes[node].count = end - begin
        nodes[node].turn = role
        nodes[node].status = GROWN
        mean = 0.0
        for i in range(begin, end):
            at = used[1] + i - begin
            child = find_row(table, rows, used, new_rows[i])
            edges[at].child = child
            edges[at].move = new_moves[i]
            edges[at].taken = 0
            if new_status[i] != NEW and nodes[child].status == NEW:
                nodes[child].status = new_status[i]
                if new_status[i] == PROVEN:
                    nodes[child].plies = new_plies[i]
                    value[child, 0] = new_value[i, 0]
                    value[child, 1] = new_value[i, 1]
                    nodes[child].guess = new_value[i, 0]
            if guesses and nodes[child].status not in (GROWN, PROVEN):
                nodes[child].guess = new_guess[i]
            known = moves[new_moves[i] + (offset if role == 1 else 0)]
            prior = (known[1] + _FEW * _MIDDLE) / (known[0] + _FEW)
            prior = (own[i, 1] + _FEW * prior) / (own[i, 0] + _FEW)
            edges[at].prior = prior
            mean += prior / (end - begin)
        for at in range(used[1], used[1] + end - begin):
            edges[at].prior = weight * (edges[at].prior - mean)
        used[1] += end - begin
        _settle(node, tops, nodes, edges, value)
    for walk in range(counts[0]):
        leaf = leaves[walk]
        length = lengths[walk]
        _add(root, paths[walk], length, result[leaf, 0], result[leaf, 1], nodes, edges, total)
        if nodes[leaf_nodes[leaf]].status == PROVEN:
            _settle_path(root, paths[walk], length, tops, nodes, edges, value)
        if guesses:
            _guess_path(root, paths[walk], length, nodes, edges)
    return fits
