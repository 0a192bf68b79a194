"""What the next value of a fluent depends on, from the gates of a Network alone."""

from __future__ import annotations

from kibitz.engine import Network, bits_of

__all__ = ["gate_supports", "next_cones"]


def next_cones(network: Network) -> list[frozenset[int]]:
    """For each fluent, return itself and the fluents that decide its value after a move.

    They decide it directly, or whether a move that matters to it is legal.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.grounding import ground
    >>> network = ground(load_sheet("bottom2:3,3x3")).network
    >>> print(*sorted(str(network.fluents[i]) for i in next_cones(network)[12]))
    (cell 1 1 o) (cell 1 1 x) (cell 2 1 o) (cell 2 1 x) (cell 3 1 o) (cell 3 1 x) (control xplayer)
    """
    supports = network.supports()
    count = len(network.fluents)
    fluents = (1 << count + 1) - 2
    legal = [supports[literal >> 1] & fluents for row in network.legal for literal in row]
    cones = []
    for fluent, literal in enumerate(network.next):
        support = supports[literal >> 1]
        cone = support & fluents | 1 << fluent + 1
        for move in bits_of(support >> network.first_move):
            cone |= legal[move]
        cones.append(frozenset(bit - 1 for bit in bits_of(cone)))
    return cones


def gate_supports(network: Network, most: int) -> set[frozenset[int]]:
    """Return the sets of two to `most` fluents that single gates depend on."""
    fluents = (1 << len(network.fluents) + 1) - 2
    found = {support & fluents for support in network.supports()[network.first_gate :]}
    return {
        frozenset(bit - 1 for bit in bits_of(support))
        for support in found
        if 2 <= support.bit_count() <= most
    }
