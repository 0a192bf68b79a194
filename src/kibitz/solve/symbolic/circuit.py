"""The gates of a Network as decision diagrams, and sets of states narrowed by its literals.

The end of many games has a diagram that is exponential in the size of the board, though the end
among the states of one layer has a small one. So gates are kept as diagrams only up to a size.
Beyond it a set is narrowed by walking down the gates: to X and (a and b) by narrowing X first by a
and then by b, and to X and not g by removing what g would keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from kibitz.engine import Literal, Network
from kibitz.solve.symbolic.encoding import Encoding, Function
from kibitz.solve.symbolic.work_budget import Work

__all__ = ["Circuit"]

_LARGEST = 4096
"""The largest diagram of a gate that is kept, in nodes."""


class Circuit:
    """The gates of a network over the bits of an encoding."""

    def __init__(self, network: Network, encoding: Encoding, work: Work) -> None:
        self.network, self.encoding, self.work = network, encoding, work
        self.moves = network.first_gate - network.first_move
        self._asks_moves = _depending(network, range(network.first_move, network.first_gate))
        self._stepped = _stepped(network, self._asks_moves)
        self._values = self._evaluate()

    def _evaluate(self) -> list[Function | None]:
        """Evaluate all gates that do not depend on moves; None for those that grow too large."""
        network, false = self.network, self.encoding.false
        values: list[Function | None] = [false, *self.encoding.fluents, *[None] * self.moves]
        for index, (a, b) in enumerate(network.gates):
            self.work.tick()
            value = None
            if not self._asks_moves[network.first_gate + index]:
                left, right = _literal(values, a), _literal(values, b)
                if left is not None and right is not None:
                    value = left & right
                    if value.node_count() > _LARGEST:
                        value = None
            values.append(value)
        return values

    def value(self, literal: Literal) -> Function | None:
        """Return the states in which a literal holds, if that is small."""
        return _literal(self._values, literal)

    def narrow(self, states: Function, literal: Literal) -> Function:
        """Keep the states in which a literal holds."""
        value = self.value(literal)
        if value is not None:
            return states & value
        if not states.satisfiable():
            return states
        self.work.tick()
        a, b = self.network.gates[(literal >> 1) - self.network.first_gate]
        kept = self.narrow(self.narrow(states, a), b)
        return states & ~kept if literal & 1 else kept

    def step(self, joint: Sequence[int]) -> list[Function]:
        """Evaluate each bit of the state after a joint move, whether or not it is legal."""
        network, encoding = self.network, self.encoding
        values = list(self._values)
        node = network.first_move
        for chosen, moves in zip(joint, network.moves, strict=True):
            for index in range(len(moves)):
                values[node] = encoding.true if index == chosen else encoding.false
                node += 1
        for index in self._stepped:
            a, b = network.gates[index]
            values[network.first_gate + index] = self._full(values, a) & self._full(values, b)
        result = []
        for literals in encoding.sources(network.next):
            bit = encoding.false
            for literal in literals:
                bit = bit | self._full(values, literal)
            result.append(bit)
        return result

    def _full(self, values: list[Function | None], literal: Literal) -> Function:
        """Evaluate a literal however large it is."""
        value = _literal(values, literal)
        if value is None:
            self.work.tick()
            a, b = self.network.gates[(literal >> 1) - self.network.first_gate]
            value = self._full(values, a) & self._full(values, b)
            values[literal >> 1] = value
            value = ~value if literal & 1 else value
        return value


def _literal(values: list[Function | None], literal: Literal) -> Function | None:
    value = values[literal >> 1]
    return ~value if value is not None and literal & 1 else value


def _depending(network: Network, nodes: range) -> bytearray:
    """Mark what depends on some nodes."""
    marks = bytearray(network.first_gate + len(network.gates))
    for node in nodes:
        marks[node] = 1
    for index, (a, b) in enumerate(network.gates):
        marks[network.first_gate + index] |= marks[a >> 1] | marks[b >> 1]
    return marks


def _stepped(network: Network, asks_moves: bytearray) -> list[int]:
    """Return the gates, by index, that the next state depends on and that depend on moves."""
    needed = bytearray(network.first_gate + len(network.gates))
    for literal in network.next:
        needed[literal >> 1] = 1
    for index in range(len(network.gates) - 1, -1, -1):
        if needed[network.first_gate + index]:
            for literal in network.gates[index]:
                needed[literal >> 1] = 1
    both = (n and m for n, m in zip(needed, asks_moves, strict=True))
    chosen = list(compress(range(len(needed)), both))
    return [node - network.first_gate for node in chosen if node >= network.first_gate]
