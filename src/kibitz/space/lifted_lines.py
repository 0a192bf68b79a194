"""A path of edges in a StateSpace in, the joint moves that play it out.

In a space reduced by symmetries every state met is an image of the one that stands for it, and so
are the moves made there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kibitz.engine import Move, State
from kibitz.space.space import StateId, StateSpace
from kibitz.space.symmetry import Symmetry

__all__ = ["carrier_to", "playable_line"]

Carry = Callable[[tuple[Move, ...]], tuple[Move, ...]]


def playable_line(
    space: StateSpace, edges: Sequence[int], *, start: State | None = None
) -> list[tuple[Move, ...]]:
    """Return the joint moves of a path of edges, as they are played from its first state.

    `start` is a state symmetric to that, to play from instead.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> from kibitz.space import explore, find_symmetries
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> space = explore(game, symmetries=find_symmetries(game))
    >>> path = [0, int(space.first_edge[space.target[0]])]
    >>> [" ".join(map(str, joint)) for joint in playable_line(space, path)]
    ['(mark 1 1) noop', 'noop (mark 1 2)']
    """
    joints = [space.joint_moves[space.action[edge]] for edge in edges]
    if not space.is_reduced or not edges:
        return joints
    sources = (np.searchsorted(space.first_edge, edges, side="right") - 1).tolist()
    state = start or space.state(sources[0])
    played = []
    for source, joint in zip(sources, joints, strict=True):
        played.append(carrier_to(space, source, state)(joint))
        state = space.game.successor(state.key, played[-1])
    return played


def carrier_to(space: StateSpace, number: StateId, state: State) -> Carry:
    """Return the map of joint moves from a numbered state to a state that it represents."""
    group = space.symmetries
    if group is None:
        return lambda joint: joint
    kept = vars(space)
    if "_elements" not in kept:
        kept["_elements"] = group.elements()
    elements: list[Symmetry] = kept["_elements"]
    index = {fluent: i for i, fluent in enumerate(group.fluents)}
    here = [index[fluent] for fluent in space.state(number).fluents]
    there = {index[fluent] for fluent in state.fluents}
    carrier = next(e for e in elements if {e.fluents[fluent] for fluent in here} == there)

    def carry(joint: tuple[Move, ...]) -> tuple[Move, ...]:
        moves = zip(group.moves, carrier.moves, joint, strict=True)
        return tuple(names[images[names.index(move)]] for names, images, move in moves)

    return carry
