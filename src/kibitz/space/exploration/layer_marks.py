"""Find a mark that distinguishes the layers of a space, so that a new state need not be compared
with those of earlier layers.

In many games something grows with every move: marks on a board, or a counter of steps. A mark is
either how many fluents of a set hold, or which. It is guessed from the first layers and checked on
every state: where all states of a layer bear one mark, and each layer another, no state can be in
two layers. The first state with a wrong mark ends this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.gdl import Function

__all__ = ["LayerMark", "find_mark"]

_SAMPLE = 256

Rows = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class LayerMark:
    """The fluents that are counted, and those that are compared one by one, as bits of a row."""

    counted: Rows
    fixed: Rows

    def of(self, row: Rows) -> tuple[int, tuple[int, ...]]:
        """Return the mark of a state."""
        count = int(np.bitwise_count(row & self.counted).sum())
        return count, tuple((row & self.fixed).tolist())


def find_mark(fluents: Sequence[Function], layers: Sequence[Rows]) -> LayerMark | None:
    """Guess a mark from the first layers of a space; None if there is no candidate."""
    words = layers[0].shape[1]
    samples = [layer[:: 1 + len(layer) // _SAMPLE] for layer in layers]
    nothing = np.zeros(words, dtype=np.uint64)
    for group in _groups(fluents):
        mask = nothing.copy()
        for i in group:
            mask[i // 64] |= np.uint64(1 << i % 64)
        counted, fixed = LayerMark(mask, nothing), LayerMark(nothing, mask)
        for mark in (counted, fixed):
            if _tells_apart(mark, samples) and _tells_apart(mark, layers):
                return mark
    return None


def _groups(fluents: Sequence[Function]) -> list[list[int]]:
    """Return sets of fluents that may be counted: of one name, or with one argument in common."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for i, fluent in enumerate(fluents):
        keys: list[tuple[object, ...]] = [(fluent.name,)]
        keys += [(fluent.name, place, arg) for place, arg in enumerate(fluent.args)]
        for key in keys:
            groups.setdefault(key, []).append(i)
    return [list(range(len(fluents))), *groups.values()]


def _tells_apart(mark: LayerMark, layers: Sequence[Rows]) -> bool:
    marks = [mark.of(layer[0]) for layer in layers]
    if len(set(marks)) < len(marks):
        return False
    for layer, (count, pattern) in zip(layers, marks, strict=True):
        if (np.bitwise_count(layer & mark.counted).sum(axis=1) != count).any():
            return False
        if ((layer & mark.fixed) != np.array(pattern, dtype=np.uint64)).any():
            return False
    return True
