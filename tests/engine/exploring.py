"""Explore a compiled game block by block: the key of every state that can be reached."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from kibitz.engine.compiled.blocks import Blocks
from kibitz.engine.compiled.game import CompiledGame

__all__ = ["explore", "layers"]

Rows = npt.NDArray[np.uint64]


def layers(game: CompiledGame, *, stop_at_terminal: bool = True) -> Iterator[Rows]:
    """Give the states that are met first after 0, 1, 2, ... joint moves."""
    blocks = Blocks(game)
    layer = blocks.initial()
    seen = set(_bytes(layer))
    while len(layer):
        yield layer
        found = []
        for start in range(0, len(layer), 4096):
            part = layer[start : start + 4096]
            found.append(blocks.expand(part, stop_at_terminal=stop_at_terminal).states)
        children = np.unique(np.concatenate(found), axis=0)
        is_new = []
        for key in _bytes(children):
            is_new.append(key not in seen)
            seen.add(key)
        layer = children[np.array(is_new, dtype=bool)]


def explore(game: CompiledGame, *, limit: int, stop_at_terminal: bool = True) -> list[int]:
    """Give the keys of all states, or of the first so many that are found."""
    keys: list[int] = []
    for layer in layers(game, stop_at_terminal=stop_at_terminal):
        keys += Blocks(game).keys(layer)
        if len(keys) > limit:
            break
    return keys[:limit]


def _bytes(rows: Rows) -> list[bytes]:
    return [row.tobytes() for row in rows]
