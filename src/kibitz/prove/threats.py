"""Derive the places of a game: which fluents a role's moves can add, and what these replace.

A *place* of a role is a fluent that a move of the role can add. Setting it in a position that the
role has just moved to, as if it moved again, shows whether the place is a threat: whether the role
would win there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from kibitz.core import constant
from kibitz.engine import CompiledGame
from kibitz.engine.grounding import Network

LANES = 64
"""How many places one run of a stage tries."""
_MOST_RUNS = 4
_MOST_WORK = 2_000_000_000
_BATCH = 4_096

Edits = npt.NDArray[np.uint64]
_Query = tuple[int, int, int]
"""Role, the fluent that its move is to add, the fluent that holds there before or -1."""
_Planes = tuple[int, int, int]
"""In which queries a node can be true, can be false, and depends on the move that is asked for."""


def place_edits(game: CompiledGame) -> Edits | None:
    """Return words for [role, run, fluent, edit], one bit for each place that a run tries.

    Where a fluent that excludes a place holds, the place either takes it away, if a move can add
    the place all the same, or cannot be taken. It is None where there are no places or too many.
    """
    network = game.network
    index = {fluent: number for number, fluent in enumerate(network.fluents)}
    others: list[set[int]] = [set() for _ in network.fluents]
    for fluents, _ in game.grounding.groups:
        members = {index[fluent] for fluent in fluents if fluent in index}
        for fluent in members:
            others[fluent] |= members - {fluent}
    roles, count = range(len(network.roles)), len(network.fluents)
    free = [(role, fluent, -1) for role in roles for fluent in range(count)]
    if (len(free) + sum(map(len, others)) * len(roles)) * len(network.gates) > _MOST_WORK:
        return None
    places = [
        query for query, adds in zip(free, _can_add(network, free, others), strict=True) if adds
    ]
    lanes = [[fluent for owner, fluent, _ in places if owner == role] for role in roles]
    runs = -(-max(map(len, lanes)) // LANES)
    if not 0 < runs <= _MOST_RUNS:
        return None
    edits = np.zeros((len(roles), runs, count, constant("EDITS")), dtype=np.uint64)
    edits[..., 1] = ~edits[..., 1]

    def edit(role: int, place: int, fluent: int, kind: int) -> None:
        run, lane = divmod(lanes[role].index(place), LANES)
        edits[role, run, fluent, kind] ^= np.uint64(1 << lane)

    held = [(role, place, other) for role, place, _ in places for other in sorted(others[place])]
    for role, place, _ in places:
        edit(role, place, place, 0)
    for (role, place, other), adds in zip(held, _can_add(network, held, others), strict=True):
        edit(role, place, other, 1 if adds else 2)
    return edits


def _can_add(network: Network, queries: Sequence[_Query], others: Sequence[set[int]]) -> list[bool]:
    """Answer whether, while a fluent is absent, a legal move of a role decides whether it comes."""
    left, found = iter(queries), []
    while batch := list(islice(left, _BATCH)):
        ones = (1 << len(batch)) - 1
        fluents: list[_Planes] = [(ones, ones, 0)] * len(network.fluents)
        for bit, (_, place, holds) in enumerate(batch):
            is_false = {place} if holds < 0 else {place} | others[holds]
            for fluent in is_false:
                fluents[fluent] = (fluents[fluent][0] & ~(1 << bit), fluents[fluent][1], 0)
            if holds >= 0:
                fluents[holds] = (fluents[holds][0], fluents[holds][1] & ~(1 << bit), 0)
        asks = [
            sum(1 << bit for bit, query in enumerate(batch) if query[0] == role)
            for role in range(len(network.roles))
        ]
        free = [(ones, ones, 0)] * (network.first_gate - network.first_move)
        planes = _evaluate(network, [*fluents, *free], ones)
        moves = []
        for role, literals in enumerate(network.legal):
            for literal in literals:
                may = _plane(planes, literal)[0]
                moves.append((may, ones, may & asks[role]))
        planes = _evaluate(network, [*fluents, *moves], ones)
        for bit, (_, place, _) in enumerate(batch):
            found.append(bool(_plane(planes, network.next[place])[2] >> bit & 1))
    return found


def _evaluate(network: Network, inputs: list[_Planes], ones: int) -> list[_Planes]:
    """Evaluate all gates at once for a batch of queries, a bit for each."""
    planes = [(0, ones, 0), *inputs]
    for a, b in network.gates:
        true, false, depends = _plane(planes, a)
        true_too, false_too, depends_too = _plane(planes, b)
        can, cannot = true & true_too, false | false_too
        planes.append((can, cannot, can & cannot & (depends | depends_too)))
    return planes


def _plane(planes: list[_Planes], literal: int) -> _Planes:
    true, false, depends = planes[literal >> 1]
    return (false, true, depends) if literal & 1 else (true, false, depends)
