"""What the next value of a fluent depends on, from the gates of a Network alone."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.engine import Network

__all__ = ["gate_supports", "next_cones"]


def _supports(network: Network) -> list[int]:
    """For each node, return the inputs it depends on, as a number with a bit for each node."""
    supports = [0, *(1 << node for node in range(1, network.first_gate))]
    for a, b in network.gates:
        supports.append(supports[a >> 1] | supports[b >> 1])
    return supports


def next_cones(network: Network) -> list[frozenset[int]]:
    """For each fluent, return itself and the fluents that decide its value after a move.

    They decide it directly, or whether a move that matters to it is legal.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.grounding import ground
    >>> network = ground(load_sheet("bottom2:3,3x3")).network
    >>> print(*sorted(str(network.fluents[i]) for i in next_cones(network)[12]))
    (cell 1 1 o) (cell 1 1 x) (cell 2 1 o) (cell 2 1 x) (cell 3 1 o) (cell 3 1 x) (control xplayer)
    """
    supports = _supports(network)
    count = len(network.fluents)
    fluents = (1 << count + 1) - 2
    legal = [supports[literal >> 1] & fluents for row in network.legal for literal in row]
    cones = []
    for fluent, literal in enumerate(network.next):
        support = supports[literal >> 1]
        cone = support & fluents | 1 << fluent + 1
        for move in _bits(support >> network.first_move):
            cone |= legal[move]
        cones.append(frozenset(bit - 1 for bit in _bits(cone)))
    return cones


def gate_supports(network: Network, most: int) -> set[frozenset[int]]:
    """Return the sets of two to `most` fluents that single gates depend on."""
    fluents = (1 << len(network.fluents) + 1) - 2
    found = {support & fluents for support in _supports(network)[network.first_gate :]}
    return {
        frozenset(bit - 1 for bit in _bits(support))
        for support in found
        if 2 <= support.bit_count() <= most
    }


def _bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
