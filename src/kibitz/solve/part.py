"""Cut a StateSpace down to what can follow from some of its states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from kibitz.space import StateSpace

__all__ = ["part_after"]

StateIds = npt.NDArray[np.int64]


def part_after(space: StateSpace, starts: StateIds) -> tuple[StateSpace, StateIds]:
    """Keep some states and all that follow from them; give the new numbers of all states as well.

    States and moves stay in their order, and layers are layers again. A state that is left out has
    a number that means nothing.

    >>> from kibitz.engine.compiled import CompiledGame
    >>> from kibitz.games import load
    >>> from kibitz.space import explore
    >>> space = explore(CompiledGame(load("tictactoe")))
    >>> part, number = part_after(space, np.array([1]))
    >>> len(part), int(number[1]), part.layers[:3], part.is_layered
    (1870, 0, (0, 1, 9), True)
    """
    from kibitz.solve.loops import mark_following

    marks = np.zeros(len(space), dtype=bool)
    marks[starts] = True
    while mark_following(space.first_edge, space.target, marks):
        pass
    number = np.cumsum(marks) - 1
    sizes = np.diff(space.first_edge)
    is_kept = np.repeat(marks, sizes)
    count = int(number[-1]) + 1
    layers = {int(number[start]) + (not marks[start]) for start in space.layers}
    part = replace(
        space,
        states=space.states[marks],
        first_edge=np.concatenate([[0], np.cumsum(sizes[marks])]).astype(np.int64),
        target=number[space.target[is_kept]].astype(np.uint32),
        action=space.action[is_kept],
        turn=space.turn[marks],
        terminal=space.terminal[marks],
        goals=space.goals[marks],
        layers=tuple(sorted(start for start in layers if start < count)),
    )
    return part, number
