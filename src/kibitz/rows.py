"""Rows: states as 64-bit words, bit i of them fluent i; a key is the same bits as one number.

>>> rows = pack(np.array([[0, 1, 1], [1, 0, 0]]))
>>> rows.tolist(), unpack(rows, 3).tolist(), keys_of(rows)
([[6], [1]], [[0, 1, 1], [1, 0, 0]], [6, 1])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import core

__all__ = [
    "Bits",
    "Rows",
    "hash_rows",
    "key_of",
    "keys_of",
    "least_image",
    "least_images",
    "order_rows",
    "pack",
    "pack_key",
    "row_words",
    "rows_of_keys",
    "sort_rows",
    "unpack",
    "unpack_key",
]

Rows = npt.NDArray[np.uint64]
Bits = npt.NDArray[np.uint8]


def row_words(fluents: int) -> int:
    """Return how many words a row takes.

    >>> row_words(0), row_words(64), row_words(65)
    (1, 1, 2)
    """
    return max(1, -(-fluents // 64))


def pack(bits: npt.NDArray[Any], words: int = 1) -> Rows:
    """Pack the last axis of zeros and ones into words, the first bit lowest.

    There are at least so many words.
    """
    packed = np.packbits(np.ascontiguousarray(bits), axis=-1, bitorder="little")
    size = 8 * max(words, row_words(bits.shape[-1]))
    if packed.shape[-1] != size:
        raw = np.zeros((*packed.shape[:-1], size), dtype=np.uint8)
        raw[..., : packed.shape[-1]] = packed
        packed = raw
    return packed.view("<u8").astype(np.uint64, copy=False)


def unpack(rows: Rows, count: int) -> Bits:
    """Return the first bits of the words along the last axis, each as 0 or 1."""
    raw = np.ascontiguousarray(rows).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(raw, axis=-1, count=count, bitorder="little")


def key_of(row: Rows) -> int:
    """Return the key of one row."""
    return int.from_bytes(row.astype("<u8", copy=False).tobytes(), "little")


def keys_of(rows: Rows) -> list[int]:
    """Return the keys of rows."""
    return list(map(key_of, rows))


def rows_of_keys(keys: Iterable[int], words: int) -> Rows:
    """Return the rows of keys.

    >>> rows_of_keys([1 << 64, 3], 2).tolist()
    [[0, 1], [3, 0]]
    """
    raw = b"".join(key.to_bytes(8 * words, "little") for key in keys)
    return np.frombuffer(raw, dtype="<u8").reshape(-1, words).astype(np.uint64)


def least_image(key: int, images: Iterable[Sequence[int]], words: int) -> tuple[int, ...]:
    """Return the words of the smallest of a key's images and itself, the first counting most.

    >>> least_image(0b100, [[1, 2, 0], [2, 0, 1]], 1)
    (1,)
    """
    bits = [i for i in range(key.bit_length()) if key >> i & 1]
    keys = [key, *(sum(1 << image[i] for i in bits) for image in images)]
    return min(tuple(one >> 64 * w & (2**64 - 1) for w in range(words)) for one in keys)


def least_images(rows: Rows, images: Iterable[Sequence[int]]) -> Rows:
    """Return the smallest image of each row, itself among them, the first word counting most."""
    best, bits = rows.copy(), unpack(rows, 64 * rows.shape[1])
    for image in images:
        moved = np.zeros_like(bits)
        moved[:, list(image)] = bits[:, : len(image)]
        other = pack(moved)
        less, same = np.zeros(len(rows), bool), np.ones(len(rows), bool)
        for word in range(rows.shape[1]):
            less |= same & (other[:, word] < best[:, word])
            same &= other[:, word] == best[:, word]
        best[less] = other[less]
    return best


def pack_key(bits: npt.NDArray[Any]) -> int:
    """Return a column of zeros and ones as one number, the first bit lowest."""
    return int.from_bytes(np.packbits(bits.astype(bool, copy=False), bitorder="little"), "little")


def unpack_key(key: int, count: int) -> Bits:
    """Return the bits of a number.

    >>> unpack_key(pack_key(np.array([0, 1, 1])), 4).tolist()
    [0, 1, 1, 0]
    """
    raw = np.frombuffer(key.to_bytes(-(-count // 8), "little"), dtype=np.uint8)
    return np.unpackbits(raw, count=count, bitorder="little")


def hash_rows(rows: Rows) -> Rows:
    """Return the hash of each row, the one that tables of states use."""
    result = np.empty(len(rows), dtype=np.uint64)
    core.function("hash_rows", rows.shape[1])(np.ascontiguousarray(rows), result, len(rows))
    return result


def order_rows(rows: Rows) -> npt.NDArray[np.int64]:
    """Return the indices of rows ordered by their hashes, and by their words where these agree.

    >>> rows = np.array([[1], [2], [3]], dtype=np.uint64)
    >>> places = order_rows(rows)
    >>> bool((np.diff(hash_rows(rows[places]).astype(object)) > 0).all())
    True
    """
    hashes = hash_rows(rows)
    order = np.argsort(hashes)
    placed = hashes[order]
    if (placed[1:] == placed[:-1]).any():
        order = np.lexsort((*rows.T[::-1], hashes))
    return order


def sort_rows(rows: Rows) -> Rows:
    """Sort rows as numbers, in place if they have one word."""
    if rows.shape[1] == 1:
        rows[:, 0].sort()
        return rows
    return rows[np.lexsort(rows.T)]
