"""Symmetry orbits of positions: how large they are, and one position of each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.solve import in_parts
from kibitz.space import StateSpace, Symmetries, images_of

__all__ = ["orbit_leaders", "orbit_sizes"]

_BLOCK = 1 << 16
Bits = npt.NDArray[np.uint8]


def orbit_leaders(
    space: StateSpace, states: npt.NDArray[np.int64], symmetries: Symmetries
) -> npt.NDArray[np.int64]:
    """Keep the states that are not images of earlier states.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore, find_symmetries
    >>> space = explore(CompiledGame(load_sheet("tictactoe")))
    >>> len(orbit_leaders(space, np.arange(5478), find_symmetries(space.game)))
    765
    """
    images = [np.array(element.fluents) for element in symmetries.elements()[1:]]
    if not images or not len(states):
        return states
    keys = np.concatenate(
        [_smallest(space, states[i : i + _BLOCK], images) for i in range(0, len(states), _BLOCK)]
    )
    _, first = np.unique(keys, return_index=True)
    return states[np.sort(first)]


def orbit_sizes(space: StateSpace, symmetries: Symmetries) -> npt.NDArray[np.int64]:
    """Count the images of every state, including itself.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore, find_symmetries
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> symmetries = find_symmetries(game)
    >>> space = explore(game, symmetries=symmetries)
    >>> len(space), int(orbit_sizes(space, symmetries).sum())
    (765, 5478)
    """
    images = images_of(space.game, symmetries)
    words = space.states.shape[1]
    tables = np.zeros((len(images), 8 * words, 256, words), dtype=np.uint64)
    for table, image in zip(tables, images, strict=True):
        for source, target in enumerate(image):
            byte = np.arange(256)
            has_bit = byte[byte >> source % 8 & 1 == 1]
            table[source // 8, has_bit, target // 64] |= np.uint64(1 << target % 64)
    fixed = np.ones(len(space), dtype=np.int64)
    count_fixed = core.function("chances_count_fixed")

    def count(start: int, stop: int) -> None:
        moved = np.zeros(words, dtype=np.uint64)
        count_fixed(space.states, words, tables, len(images), moved, fixed, start, stop)

    in_parts(count, len(space))
    return (len(images) + 1) // fixed


def _smallest(
    space: StateSpace, states: npt.NDArray[np.int64], images: list[npt.NDArray[np.int64]]
) -> npt.NDArray[np.bytes_]:
    """Return each state's smallest image as bytes that can be compared."""
    bits = _fluents(space, states)
    best = _key(bits)
    for image in images:
        moved = np.empty_like(bits)
        moved[:, image] = bits
        other = _key(moved)
        is_less = other < best
        best = np.where(is_less, other, best)
    return best


def _fluents(space: StateSpace, states: npt.NDArray[np.int64]) -> Bits:
    """Unpack states into one column for each fluent, hidden ones at the end."""
    network = space.game.network
    rows = space.states[states].astype("<u8").view(np.uint8).reshape(len(states), -1)
    bits = np.unpackbits(rows, axis=1, bitorder="little")[:, : len(network.fluents)]
    hidden = [1 - bits[:, list(h.unless)].max(axis=1, initial=0)[:, None] for h in network.hidden]
    return np.concatenate([bits, *hidden], axis=1)


def _key(bits: Bits) -> npt.NDArray[np.bytes_]:
    packed = np.packbits(bits, axis=1)
    # A last byte keeps numpy from treating zeros as padding.
    ends = np.ones((len(packed), 1), dtype=np.uint8)
    raw = np.ascontiguousarray(np.concatenate([packed, ends], axis=1))
    return raw.view(f"S{raw.shape[1]}").ravel()
