"""The tree of a Monte Carlo search, in flat arrays: descend, grow, back up.

A node is a state, however it was reached. Its edges are joint moves, each with the number of times
it was taken and the sum of its results for each role, between 0 and 1; an edge starts with the
results of random matches after it. Where one role chooses, it takes the edge with the highest upper
confidence bound; where several choose at the same time, they mix; see `regret_matching`.

Ends are proven. A node is proven where its chooser has a proven edge that wins all, or where all
edges are proven, so the search becomes a solver near the end of a game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.native import native
from kibitz.play.search.hashing import hash_row
from kibitz.play.search.regret_matching import (
    PROVEN,
    pick_joint,
    regret_joint,
)

__all__ = ["NOBODY", "SEVERAL", "Tree"]

NOBODY, SEVERAL = -1, -2
_NEW, _GROWN, _PROVEN = 0, 1, PROVEN
_RARE = 0.05
"""Moves with less than this share of the most frequent move are not played."""

Floats = npt.NDArray[np.float32]


class Tree:
    """Room for a number of nodes and edges, and the operations on them."""

    def __init__(
        self, roles: int, words: int, bits: int, *, nodes: int, edges: int, seed: int = 1
    ) -> None:
        self.roles, self.bits = roles, bits
        self.rows = np.zeros((nodes, words), np.uint64)
        self.status = np.zeros(nodes, np.int8)
        self.turn = np.full(nodes, NOBODY, np.int8)
        self.first = np.zeros(nodes, np.int64)
        self.count = np.zeros(nodes, np.int32)
        self.visits = np.zeros(nodes, np.int64)
        self.value = np.zeros((nodes, roles), np.float32)
        self.plies = np.zeros(nodes, np.int32)
        self.child = np.zeros(edges, np.int64)
        self.word = np.zeros(edges, np.uint64)
        self.taken = np.zeros(edges, np.int32)
        self.total = np.zeros((edges, roles), np.float32)
        self.prior = np.zeros((edges, roles), np.float32)
        # Where several choose: how many moves each role has, 0 for one that has no choice; the
        # place of an edge's moves among them; and from the first edge on, for all these moves of
        # all roles, their regret and how often they were to be played.
        self.sizes = np.zeros((nodes, roles), np.int32)
        self.slot = np.zeros((edges, roles), np.int32)
        self.regret = np.zeros(edges, np.float32)
        self.played = np.zeros(edges, np.float64)
        self.random = np.array([seed], np.uint64)
        self.table = np.full(1 << int(np.ceil(np.log2(2 * nodes))), -1, np.int64)
        self.used = np.zeros(2, np.int64)
        """How many nodes and edges there are."""

    def node(self, row: npt.NDArray[np.uint64]) -> int:
        """Return the node of a state; make it if it is missing."""
        return int(_find(self.table, self.rows, self.used, row))

    def has_room(self, children: int) -> bool:
        """Return whether a node may get that many edges, each to a new node."""
        return bool(
            self.used[0] + children <= len(self.rows) and self.used[1] + children <= len(self.child)
        )

    def descend(
        self, root: int, paths: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64], spread: float
    ) -> int:
        """Walk down once for each row of paths, stopping at nodes not grown yet or proven.

        A path is a list of edges; its length is in lengths. Returns how many walks were made: fewer
        where two would end at the same new node.
        """
        return int(
            _descend(
                root, paths, lengths, spread, self.status, self.turn, self.first, self.count,
                self.visits, self.value, self.child, self.taken, self.total, self.prior, self.sizes,
                self.slot, self.regret, self.played, self.random,
            )
        )  # fmt: skip

    def grow(
        self, node: int, turn: int, rows: npt.NDArray[np.uint64], words: npt.NDArray[np.uint64]
    ) -> None:
        """Give a node its edges."""
        _grow(
            node, turn, rows, words, self.table, self.rows, self.used, self.status, self.turn,
            self.first, self.count, self.child, self.word,
        )  # fmt: skip
        if turn == SEVERAL:
            low = np.uint64((1 << self.bits) - 1)
            for role in range(self.roles):
                moves = words >> np.uint64(self.bits * role) & low
                known, places = np.unique(moves, return_inverse=True)
                self.sizes[node, role] = len(known) if len(known) > 1 else 0
                self.slot[self.edges(node), role] = places

    def shares(self, node: int, role: int) -> Floats | None:
        """Return how often a role should play each of its moves; None where it chooses alone."""
        if self.status[node] == _NEW or self.turn[node] != SEVERAL:
            return None
        if not self.sizes[node, role]:
            return np.ones(1, np.float32)
        first = int(self.first[node] + self.sizes[node, :role].sum())
        played = self.played[first : first + int(self.sizes[node, role])]
        kept = np.where(played >= _RARE * played.max(initial=0.0), played, 0.0)
        total = kept.sum()
        equal = np.full(len(kept), 1 / len(kept))
        return np.asarray(kept / total if total > 0 else equal, np.float32)

    def prove(self, node: int, value: Floats) -> None:
        """Mark a node as an end with these goals."""
        self.status[node] = _PROVEN
        self.value[node] = value
        self.plies[node] = 0

    def back_up(self, root: int, path: npt.NDArray[np.int64], value: Floats) -> None:
        """Add a result to the edges of a path, and prove what has become certain."""
        _back_up(
            root, path, value, self.status, self.turn, self.first, self.count, self.value,
            self.plies, self.child, self.taken, self.total, self.prior, self.sizes, self.slot,
            self.regret,
        )  # fmt: skip

    def is_proven(self, node: int) -> bool:
        """Return whether a node's value is certain."""
        return bool(self.status[node] == _PROVEN)

    def edges(self, node: int) -> slice:
        """Return the range of a node's edges."""
        return slice(int(self.first[node]), int(self.first[node] + self.count[node]))


@native
def _find(table: Any, rows: Any, used: Any, row: Any) -> Any:
    mask = np.uint64(len(table) - 1)
    at = hash_row(row) & mask
    while table[at] >= 0:
        node = table[at]
        same = True
        for w in range(rows.shape[1]):
            if rows[node, w] != row[w]:
                same = False
                break
        if same:
            return node
        at = (at + np.uint64(1)) & mask
    node = used[0]
    used[0] += 1
    rows[node] = row
    table[at] = node
    return node


@native
def _bound(gained: Any, taken: Any, prior: Any, log: Any, spread: Any) -> Any:
    """Return the mean, with the random matches as one more visit, and the confidence term."""
    times = taken + 1.0
    return (gained + prior) / times + spread * np.sqrt(log / times)


@native
def _pick(
    node: Any, spread: Any, status: Any, turn: Any, first: Any, count: Any, visits: Any,
    value: Any, child: Any, taken: Any, total: Any, prior: Any,
) -> Any:  # fmt: skip
    """Return the edge that the one role with a choice takes."""
    role = max(turn[node], 0)
    log = np.log(visits[node] + 2.0)
    best, best_edge = -1e9, first[node]
    for edge in range(first[node], first[node] + count[node]):
        to = child[edge]
        if status[to] == _PROVEN:
            score = value[to, role]
            # An edge proven not to win is chosen only where no unproven edge is left.
            score = score - 1.0 if score < 1.0 else 2.0
        else:
            score = _bound(total[edge, role], taken[edge], prior[edge, role], log, spread)
        if score > best:
            best, best_edge = score, edge
    return best_edge


@native
def _descend(
    root: Any, paths: Any, lengths: Any, spread: Any, status: Any, turn: Any, first: Any,
    count: Any, visits: Any, value: Any, child: Any, taken: Any, total: Any, prior: Any,
    sizes: Any, slot: Any, regret: Any, played: Any, random: Any,
) -> Any:  # fmt: skip
    made = 0
    for walk in range(len(paths)):
        node = root
        length = 0
        while status[node] == _GROWN and length < paths.shape[1]:
            if turn[node] == SEVERAL:
                edge = pick_joint(
                    first[node], count[node], visits[node], sizes[node], slot, regret, played,
                    random,
                )  # fmt: skip
            else:
                edge = _pick(
                    node, spread, status, turn, first, count, visits, value, child, taken, total,
                    prior,
                )  # fmt: skip
            paths[walk, length] = edge
            length += 1
            node = child[edge]
        for other in range(made):
            last = root if lengths[other] == 0 else child[paths[other, lengths[other] - 1]]
            if status[node] != _PROVEN and last == node:
                return made
        # Until its result is known, a walk counts as a loss, so that the next walk looks
        # elsewhere.
        node = root
        for step in range(length):
            visits[node] += 1
            taken[paths[walk, step]] += 1
            node = child[paths[walk, step]]
        lengths[walk] = length
        made += 1
    return made


@native
def _grow(
    node: Any, new_turn: Any, new_rows: Any, words: Any, table: Any, rows: Any, used: Any,
    status: Any, turn: Any, first: Any, count: Any, child: Any, word: Any,
) -> Any:  # fmt: skip
    first[node] = used[1]
    count[node] = len(words)
    turn[node] = new_turn
    status[node] = _GROWN
    for i in range(len(words)):
        edge = used[1] + i
        word[edge] = words[i]
        child[edge] = _find(table, rows, used, new_rows[i])
    used[1] += len(words)


@native
def _back_up(
    root: Any, path: Any, result: Any, status: Any, turn: Any, first: Any, count: Any,
    value: Any, plies: Any, child: Any, taken: Any, total: Any, prior: Any, sizes: Any, slot: Any,
    regret: Any,
) -> Any:  # fmt: skip
    for step in range(len(path)):
        for role in range(len(result)):
            total[path[step], role] += result[role]
        node = root if step == 0 else child[path[step - 1]]
        if turn[node] == SEVERAL:
            regret_joint(
                first[node], count[node], path[step], result, sizes[node], slot, regret,
                status, value, child, taken, total, prior,
            )  # fmt: skip
    for step in range(len(path) - 1, -1, -1):
        node = root if step == 0 else child[path[step - 1]]
        if status[node] == _GROWN and status[child[path[step]]] == _PROVEN:
            _settle(node, status, turn, first, count, value, plies, child)


@native
def _settle(
    node: Any, status: Any, turn: Any, first: Any, count: Any, value: Any, plies: Any, child: Any
) -> Any:
    """Prove a node whose edges decide it: fastest where it wins, slowest where it does not."""
    role = turn[node]
    best = np.int64(-1)
    open_ = False
    for edge in range(first[node], first[node] + count[node]):
        to = child[edge]
        if status[to] != _PROVEN:
            open_ = True
        elif best < 0:
            best = to
        elif role >= 0:
            better = value[to, role] - value[best, role]
            if better > 0 or (
                better == 0 and (plies[to] < plies[best]) == (value[to, role] >= 1.0)
            ):
                best = to
        elif role == SEVERAL:
            for r in range(value.shape[1]):
                if value[to, r] != value[best, r]:
                    return
    if best < 0 or (open_ and (role < 0 or value[best, role] < 1.0)):
        return
    status[node] = _PROVEN
    value[node] = value[best]
    plies[node] = plies[best] + 1
