"""Put the states of a space without cycles into an order in which every move leads back."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.space import StateSpace

__all__ = ["ends_first"]


def ends_first(space: StateSpace, *, because: str) -> npt.NDArray[np.uint32]:
    """Number all states so that each comes after those that its moves lead to.

    Raise KibitzError, ending in `because`, if there is no such order: play can go round in circles.
    """
    if space.is_layered:
        return np.arange(len(space) - 1, -1, -1, dtype=np.uint32)
    from kibitz.solve.loops import invert, order_backwards

    first_back = np.zeros(len(space) + 1, dtype=np.uint64)
    back = np.empty(space.edges, dtype=np.uint32)
    invert(space.first_edge, space.target, first_back, back)
    order = np.empty(len(space), dtype=np.uint32)
    if order_backwards(space.first_edge, first_back, back, order) < len(space):
        raise KibitzError(f"in {space.game.sheet.name} play can go round in circles, and {because}")
    return order
