"""Propositional game: a circuit from fluents and moves to legal moves, next state, end and goals.

Nodes are numbered: 0 is the constant *false*, then come the fluents, then the moves of all roles,
then the gates. A literal is twice a node's number, plus one where it is negated; so 0 is false
and 1 is true. Every gate is the AND of two literals of earlier nodes (an and-inverter graph), so
evaluating the gates in order evaluates the game, and OR is an AND of negations, negated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kibitz.gdl import Function

Literal = int
FALSE: Literal = 0
TRUE: Literal = 1


def negate(literal: Literal) -> Literal:
    """Return the opposite literal."""
    return literal ^ 1


def bits_of(number: int) -> Iterator[int]:
    """Walk the places of the bits of a number, the lowest first."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


@dataclass(frozen=True, slots=True)
class Hidden:
    """A fluent without a node: it holds exactly when none of some others does."""

    fluent: Function
    unless: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Network:
    """A game as gates over its fluents and moves."""

    roles: tuple[str, ...]
    fluents: tuple[Function, ...]
    moves: tuple[tuple[Function, ...], ...]
    initial: tuple[bool, ...]
    gates: tuple[tuple[Literal, Literal], ...]
    legal: tuple[tuple[Literal, ...], ...]
    next: tuple[Literal, ...]
    terminal: Literal
    goals: tuple[tuple[tuple[int | None, Literal], ...], ...]
    hidden: tuple[Hidden, ...] = ()

    @property
    def first_move(self) -> int:
        """The node of the first move of the first role."""
        return 1 + len(self.fluents)

    @property
    def first_gate(self) -> int:
        """The node of the first gate."""
        return self.first_move + sum(map(len, self.moves))

    def outputs(self) -> Iterator[Literal]:
        """Walk the literals that the network is asked for."""
        for literals in self.legal:
            yield from literals
        yield from self.next
        yield self.terminal
        for values in self.goals:
            for _, literal in values:
                yield literal

    def supports(self) -> list[int]:
        """Return for each node the inputs it depends on, as a number with a bit for each node."""
        found = [0, *(1 << node for node in range(1, self.first_gate))]
        for a, b in self.gates:
            found.append(found[a >> 1] | found[b >> 1])
        return found

    def implied(self, literal: Literal) -> dict[int, Literal]:
        """Return the nodes whose value follows from the truth of a literal, each with it."""
        found: dict[int, Literal] = {}
        stack = [literal]
        while stack:
            literal = stack.pop()
            node = literal >> 1
            if node not in found:
                found[node] = FALSE if literal & 1 else TRUE
                if node >= self.first_gate and not literal & 1:
                    stack += self.gates[node - self.first_gate]
        return found

    def needed_gates(self) -> int:
        """Count the gates that some output depends on."""
        needed = bytearray(self.first_gate + len(self.gates))
        for literal in self.outputs():
            needed[literal >> 1] = 1
        for index in range(len(self.gates) - 1, -1, -1):
            if needed[self.first_gate + index]:
                for literal in self.gates[index]:
                    needed[literal >> 1] = 1
        return sum(needed[self.first_gate :])

    def evaluate(self, inputs: Sequence[int], ones: int = 1) -> list[int]:
        """Evaluate all nodes, plainly; bit k of every number belongs to the k-th state.

        `inputs` are the fluents and then the moves; `ones` has a bit for every state.
        """
        values = [0, *inputs]
        for a, b in self.gates:
            left = values[a >> 1] ^ (ones if a & 1 else 0)
            values.append(left & (values[b >> 1] ^ (ones if b & 1 else 0)))
        return values


class Builder:
    """Makes gates, each only once, simplifying as it goes."""

    def __init__(self, inputs: int, limit: int = 5_000_000) -> None:
        self.first_gate = 1 + inputs
        self.limit = limit
        self.gates: list[tuple[Literal, Literal]] = []
        self._known: dict[tuple[Literal, Literal], Literal] = {}

    def both(self, a: Literal, b: Literal) -> Literal:
        """Return the AND of two literals."""
        if a > b:
            a, b = b, a
        if a <= 1:
            return b if a else FALSE
        if a >> 1 == b >> 1:
            return a if a == b else FALSE
        pair = (a, b)
        known = self._known.get(pair)
        if known is None:
            known = self._known[pair] = self._simplified(a, b)
        return known

    def _simplified(self, a: Literal, b: Literal) -> Literal:
        """Look one level down for a literal that decides or repeats the other."""
        for one, other in ((b, a), (a, b)):
            node = (one >> 1) - self.first_gate
            if node < 0:
                continue
            inside = self.gates[node]
            if other in inside:
                # x & (x & y) is (x & y); x & not (x & y) is x & not y
                if one & 1 == 0:
                    return one
                return self.both(other, negate(inside[inside[0] == other]))
            if negate(other) in inside:
                # x & (not x & y) is false; x & not (not x & y) is x
                return FALSE if one & 1 == 0 else other
        if len(self.gates) >= self.limit:
            raise OverflowError(f"more than {self.limit:,} gates")
        self.gates.append((a, b))
        return 2 * (self.first_gate + len(self.gates) - 1)

    def either(self, a: Literal, b: Literal) -> Literal:
        """Return the OR of two literals."""
        return self.both(a ^ 1, b ^ 1) ^ 1

    def all(self, literals: Iterable[Literal]) -> Literal:
        """Return the AND of literals, joined in order so that equal beginnings are shared."""
        result = TRUE
        for literal in literals:
            result = self.both(result, literal)
        return result

    def any(self, literals: Iterable[Literal]) -> Literal:
        """Return the OR of literals as a balanced tree."""
        level = [literal ^ 1 for literal in literals]
        while len(level) > 1:
            pairs = zip(level[::2], level[1::2], strict=False)
            level = [self.both(a, b) for a, b in pairs] + level[len(level) & ~1 :]
        return level[0] ^ 1 if level else FALSE
