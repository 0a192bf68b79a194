"""Loops over states that decide rule lists, compiled by numba; import this late.

Rule lists are decided for blocks of states at a time, bit-sliced: the column of a literal has one
bit for each state of a block, so a condition is an AND of columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.native import native

__all__ = ["decide"]

Numbers = npt.NDArray[Any]

_WORDS = 32
_BLOCK = 64 * _WORDS


@native
def _fill_columns(
    states: Numbers,
    start: int,
    count: int,
    column_ptr: Numbers,
    column_bits: Numbers,
    columns: Numbers,
) -> None:
    """Fill in where literals hold: column 2c where one of some bits is set, 2c + 1 elsewhere."""
    square = np.empty(64, dtype=np.uint64)
    for word in range(_WORDS):
        columns[:, word] = 0
        first = start + 64 * word
        size = min(64, start + count - first)
        for part in range(states.shape[1]):
            square[:] = 0
            for k in range(size):
                square[k] = states[first + k, part]
            _transpose(square)
            for c in range(len(column_ptr) - 1):
                for at in range(column_ptr[c], column_ptr[c + 1]):
                    if column_bits[at] >> 6 == part:
                        columns[2 * c, word] |= square[column_bits[at] & 63]
        for c in range(len(column_ptr) - 1):
            columns[2 * c + 1, word] = ~columns[2 * c, word]


@native
def _transpose(square: Numbers) -> None:
    """Turn 64 words so that bit i of word k becomes bit k of word i."""
    width = 32
    mask = np.uint64(0x00000000FFFFFFFF)
    while width:
        shift = np.uint64(width)
        for i in range(64):
            if i & width == 0:
                swap = ((square[i] >> shift) ^ square[i + width]) & mask
                square[i] ^= swap << shift
                square[i + width] ^= swap
        width >>= 1
        mask ^= mask << np.uint64(width)


@native
def decide(
    states: Numbers,
    first_edge: Numbers,
    edge_move: Numbers,
    is_turn: Numbers,
    moves: int,
    column_ptr: Numbers,
    column_bits: Numbers,
    literal_ptr: Numbers,
    literals: Numbers,
    image_move: Numbers,
    group_ptr: Numbers,
    group_rule: Numbers,
    chosen: Numbers,
    decider: Numbers,
) -> None:
    """Mark the moves of the first group that has an image that applies, for all such images.

    Image i holds where all its literals, columns literal_ptr[i] to literal_ptr[i + 1], hold; it
    leads to one move. Groups of images are tried in order until one decides.
    """
    columns = np.zeros((2 * (len(column_ptr) - 1), _WORDS), dtype=np.uint64)
    legal = np.zeros((moves, _WORDS), dtype=np.uint64)
    found = np.zeros((moves, _WORDS), dtype=np.uint64)
    is_open = np.zeros(_WORDS, dtype=np.uint64)
    here = np.zeros(_WORDS, dtype=np.uint64)
    one = np.uint64(1)
    for start in range(0, len(states), _BLOCK):
        count = min(_BLOCK, len(states) - start)
        is_open[:] = 0
        legal[:] = 0
        some = False
        for k in range(count):
            if is_turn[start + k]:
                some = True
                bit = one << np.uint64(k & 63)
                is_open[k >> 6] |= bit
                for edge in range(first_edge[start + k], first_edge[start + k + 1]):
                    legal[edge_move[edge], k >> 6] |= bit
        if not some:
            continue
        _fill_columns(states, start, count, column_ptr, column_bits, columns)
        for group in range(len(group_ptr) - 1):
            some = False
            for word in range(_WORDS):
                some |= is_open[word] != 0
            if not some:
                break
            found[:] = 0
            some = False
            for image in range(group_ptr[group], group_ptr[group + 1]):
                move = image_move[image]
                for word in range(_WORDS):
                    here[word] = legal[move, word] & is_open[word]
                for at in range(literal_ptr[image], literal_ptr[image + 1]):
                    column = literals[at]
                    for word in range(_WORDS):
                        here[word] &= columns[column, word]
                for word in range(_WORDS):
                    found[move, word] |= here[word]
            here[:] = 0
            for move in range(moves):
                for word in range(_WORDS):
                    here[word] |= found[move, word]
            for word in range(_WORDS):
                is_open[word] &= ~here[word]
                rest = here[word]
                k = 64 * word
                while rest:
                    if rest & one:
                        decider[start + k] = group_rule[group]
                        bit = np.uint64(k & 63)
                        for edge in range(first_edge[start + k], first_edge[start + k + 1]):
                            if found[edge_move[edge], word] >> bit & one:
                                chosen[edge] = True
                    rest >>= one
                    k += 1
