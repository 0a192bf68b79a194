"""Hash rows of packed states, and store and find them in open-addressing tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.native import native

__all__ = ["find_row", "hash_row", "hashes", "insert", "slot_of"]


@native
def hash_row(row: Any) -> Any:
    """Mix the words of a row."""
    h = np.uint64(0x9E3779B97F4A7C15)
    for word in row:
        h = (h ^ word) * np.uint64(0xFF51AFD7ED558CCD)
        h ^= h >> np.uint64(32)
    return h


@native
def hashes(rows: Any) -> Any:
    """Hash every row; none is 0."""
    result = np.empty(len(rows), np.uint64)
    for i in range(len(rows)):
        result[i] = max(np.uint64(1), hash_row(rows[i]))
    return result


@native
def insert(table: Any, values: Any) -> Any:
    """Put values into a table with room for them, where 0 is an empty slot; mark the new ones."""
    is_new = np.zeros(len(values), np.bool_)
    mask = np.uint64(len(table) - 1)
    for i in range(len(values)):
        at = values[i] & mask
        while table[at] != 0 and table[at] != values[i]:
            at = (at + np.uint64(1)) & mask
        if table[at] == 0:
            table[at] = values[i]
            is_new[i] = True
    return is_new


@native
def slot_of(row: Any, mask: Any) -> Any:
    """Return where in the table a row is looked for first."""
    mixed = hash_row(row)
    return (mixed ^ (mixed >> np.uint64(29))) & mask


@native
def find_row(table: Any, rows: Any, used: Any, row: Any) -> Any:
    """Return the node of a row; one that is missing is added at the end."""
    mask = np.uint64(len(table) - 1)
    at = slot_of(row, mask)
    while table[at] >= 0:
        node = table[at]
        same = True
        for w in range(rows.shape[1]):
            if rows[node, w] != row[w]:
                same = False
                break
        if same:
            return np.int64(node)
        at = (at + np.uint64(1)) & mask
    fresh = used[0]
    used[0] += 1
    for w in range(rows.shape[1]):
        rows[fresh, w] = row[w]
    table[at] = fresh
    return np.int64(fresh)
