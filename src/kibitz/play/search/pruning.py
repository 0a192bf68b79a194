"""A full tree in; out one with room: mark what is kept, and move it to the front."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.native import native
from kibitz.play.search.hashing import find_row
from kibitz.play.search.leaf_values import GROWN, NEW, NOBODY

__all__ = ["compact", "mark"]


@native
def mark(root: Any, least: Any, kept: Any, nodes: Any, edges: Any, used: Any) -> Any:
    """Mark the nodes that are kept; return their number, and that of their edges."""
    stack = np.empty(used[0], np.int64)
    stack[0] = root
    kept[root] = True
    size = 1
    nodes_kept, edges_kept = 1, 0
    while size:
        size -= 1
        node = stack[size]
        if not _keeps_edges(node, root, least, nodes):
            continue
        edges_kept += nodes[node].count
        for at in range(nodes[node].first, nodes[node].first + nodes[node].count):
            child = edges[at].child
            if not kept[child]:
                kept[child] = True
                nodes_kept += 1
                stack[size] = child
                size += 1
    return nodes_kept, edges_kept


@native
def _keeps_edges(node: Any, root: Any, least: Any, nodes: Any) -> Any:
    """Return whether a node keeps its edges."""
    return nodes[node].count > 0 and (node == root or nodes[node].visits >= least)


@native
def compact(
    order: Any, least: Any, root: Any, kept: Any, nodes: Any, edges: Any, total: Any,
    value: Any, rows: Any, table: Any, used: Any,
) -> Any:  # fmt: skip
    """Move what is kept to the front; return the new place of the root."""
    place = np.full(used[0], -1, np.int64)
    count = 0
    for node in range(used[0]):
        if kept[node]:
            place[node] = count
            count += 1
    written = 0
    for i in range(len(order)):
        node = order[i]
        if not kept[node]:
            continue
        size = nodes[node].count
        if not _keeps_edges(node, root, least, nodes):
            if nodes[node].status == GROWN:
                nodes[node].status = NEW
            nodes[node].count = 0
            nodes[node].first = 0
            nodes[node].floor0 = nodes[node].floor1 = 0.0
            continue
        first = nodes[node].first
        for at in range(size):
            edges[written + at].child = place[edges[first + at].child]
            edges[written + at].move = edges[first + at].move
            edges[written + at].taken = edges[first + at].taken
            edges[written + at].prior = edges[first + at].prior
        nodes[node].first = written
        written += size
    table[:] = -1
    before = used[0]
    used[0] = 0
    for node in range(before):
        if not kept[node]:
            continue
        to = place[node]
        if to != node:
            nodes[to] = nodes[node]
            total[to] = total[node]
            value[to] = value[node]
        find_row(table, rows, used, rows[node].copy())
    for node in range(used[0], before):
        nodes[node].status = NEW
        nodes[node].turn = NOBODY
        nodes[node].is_busy = 0
        nodes[node].plies = 0
        nodes[node].first = 0
        nodes[node].count = 0
        nodes[node].visits = 0
        nodes[node].floor0 = nodes[node].floor1 = 0.0
        total[node, 0] = total[node, 1] = 0.0
    used[1] = written
    return place[root]
