"""Read off a game's network what a role lacks one thing of: its goal conditions, all but one.

The condition of a role's best goal is a formula over fluents. As a disjunction of conjunctions it
lists the ways to win: in a game of lines, each line. A conjunction of which one literal alone is
missing, and can still be brought about by a move, is a threat. Whether a fluent can be brought
about is asked of the network with unknown values: where a cell that the opponent has marked is
never marked again, no value of the other fluents and no legal move makes it one's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kibitz.engine.compiled import CompiledGame
from kibitz.ground.network import Literal, Network, negate

__all__ = ["Threat", "find_threats", "winning_conditions"]

Conjunction = frozenset[Literal]

_MOST_CONJUNCTIONS = 2000
_MOST_LITERALS = 64


@dataclass(frozen=True, slots=True)
class Threat:
    """A way to win that lacks one literal: masks over the bits of a state's key.

    It holds where the bits of `care` are those of `want` and, unless `some` is 0, one of the bits
    of `some` is set.
    """

    care: int
    want: int
    some: int = 0


def winning_conditions(game: CompiledGame, role: int) -> list[Conjunction]:
    """List the ways to reach a role's best goal, as literals over the network's fluents.

    What no move can change, such as whose turn it is, is left out. A part that would take
    thousands of conjunctions to write is taken to hold.

    >>> from kibitz.games import load
    >>> [len(c) for c in winning_conditions(CompiledGame(load("tictactoe")), 0)]
    [3, 3, 3, 3, 3, 3, 3, 3]
    """
    network = game.network
    valued = [(value, literal) for value, literal in network.goals[role] if value is not None]
    if not valued:
        return []
    best = max(value for value, _ in valued)
    unfolding = _Unfolding(network)
    found: list[Conjunction] = []
    for value, literal in valued:
        if value == best:
            found += unfolding.ways(literal) or []
    movable = _movable(network)
    groups = _groups(game)
    return _smallest(
        frozenset(x for x in way if movable[(x >> 1) - 1] and not _is_implied(x, way, groups))
        for way in found
    )


def find_threats(game: CompiledGame, role: int) -> list[Threat]:
    """List the ways to win that lack one thing which a move can bring about.

    >>> from kibitz.games import load
    >>> len(find_threats(CompiledGame(load("tictactoe")), 0))
    24
    """
    conditions = [c for c in winning_conditions(game, role) if len(c) > 1]
    network = game.network
    changes = _Changes(game, {x for condition in conditions for x in condition})
    threats = []
    for condition in conditions:
        for missing in sorted(condition):
            closed, from_none = changes.closed(missing)
            if from_none and closed == changes.mates(missing):
                continue
            rest = condition - {missing}
            positive = sum(1 << (x >> 1) - 1 for x in rest if not x & 1)
            negative = sum(1 << (x >> 1) - 1 for x in rest if x & 1)
            here = 1 << (missing >> 1) - 1
            want = positive | (here if missing & 1 else 0)
            if want & (negative | closed) or positive & negative:
                continue
            some = changes.mates(missing) & ~closed if from_none else 0
            threats.append(Threat(want | negative | closed | here, want, some))
    assert all(t.care >> len(network.fluents) == 0 for t in threats)
    return threats


class _Unfolding:
    """Writes literals of a network as disjunctions of conjunctions of fluents."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.known: dict[Literal, list[Conjunction] | None] = {}

    def ways(self, literal: Literal) -> list[Conjunction] | None:
        """Give the conjunctions, or None where there would be too many or moves matter."""
        stack = [literal]
        while stack:
            top = stack[-1]
            if top in self.known:
                stack.pop()
                continue
            below = [x for x in self._parts(top) if x not in self.known]
            if below:
                stack += below
                continue
            self.known[top] = self._join(top)
            stack.pop()
        return self.known[literal]

    def _parts(self, literal: Literal) -> list[Literal]:
        index = (literal >> 1) - self.network.first_gate
        if index < 0:
            return []
        return [x ^ (literal & 1) for x in self.network.gates[index]]

    def _join(self, literal: Literal) -> list[Conjunction] | None:
        node = literal >> 1
        if node == 0:
            return [frozenset()] if literal & 1 else []
        if node < self.network.first_move:
            return [frozenset((literal,))]
        if node < self.network.first_gate:
            return None
        one, other = (self.known[x] for x in self._parts(literal))
        if literal & 1:
            if one is None or other is None:
                return None
            return _bounded(_smallest([*one, *other]))
        if one is None or other is None:
            return other if one is None else one
        smaller = min(one, other, key=len)
        if len(one) * len(other) > 20 * _MOST_CONJUNCTIONS:
            return smaller
        joined = (a | b for a in one for b in other)
        ways = _bounded(_smallest(c for c in joined if not any(negate(x) in c for x in c)))
        return smaller if ways is None else ways


def _bounded(ways: list[Conjunction]) -> list[Conjunction] | None:
    if len(ways) > _MOST_CONJUNCTIONS or any(len(way) > _MOST_LITERALS for way in ways):
        return None
    return ways


def _smallest(ways: Iterable[Conjunction]) -> list[Conjunction]:
    """Leave out conjunctions that say more than another one."""
    kept: list[Conjunction] = []
    by_literal: dict[Literal, list[Conjunction]] = {}
    for way in sorted(set(ways), key=lambda c: (len(c), sorted(c))):
        if not way:
            return [way]
        candidates = {c for x in way for c in by_literal.get(x, ())}
        if any(c <= way for c in candidates):
            continue
        kept.append(way)
        by_literal.setdefault(min(way), []).append(way)
    return kept


def _movable(network: Network) -> list[bool]:
    """Tell for each fluent whether moves have a say in what it is next."""
    moved = [False] * network.first_gate
    for node in range(network.first_move, network.first_gate):
        moved[node] = True
    for a, b in network.gates:
        moved.append(moved[a >> 1] or moved[b >> 1])
    return [moved[literal >> 1] for literal in network.next]


def _groups(game: CompiledGame) -> dict[int, int]:
    """Give for each fluent of a group the bits of the whole group."""
    number = {fluent: i for i, fluent in enumerate(game.network.fluents)}
    result: dict[int, int] = {}
    for fluents, _ in game.grounding.groups:
        members = [number[f] for f in fluents if f in number]
        for i in members:
            result[i] = result.get(i, 0) | sum(1 << j for j in members)
    return result


def _is_implied(literal: Literal, way: Conjunction, groups: dict[int, int]) -> bool:
    """Tell whether a literal denies a fluent that another one of its group rules out already."""
    group = groups.get((literal >> 1) - 1, 0)
    return bool(literal & 1) and any(not x & 1 and group >> (x >> 1) - 1 & 1 for x in way)


class _Changes:
    """Finds out which fluents of a group keep a literal from ever coming about by one move."""

    def __init__(self, game: CompiledGame, literals: set[Literal]) -> None:
        network = game.network
        self.group = _groups(game)
        self.queries = [
            (literal, mate)
            for literal in sorted(literals)
            for mate in (None, *self._mates(literal))
        ]
        possible = self._ask(network)
        self.answer = {query: bool(possible >> i & 1) for i, query in enumerate(self.queries)}

    def _mates(self, literal: Literal) -> list[int]:
        mask = self.mates(literal)
        return [i for i in range(mask.bit_length()) if mask >> i & 1]

    def mates(self, literal: Literal) -> int:
        """Give the other fluents of the group, none for a fluent that shall cease to hold."""
        if literal & 1:
            return 0
        here = (literal >> 1) - 1
        return self.group.get(here, 0) & ~(1 << here)

    def closed(self, literal: Literal) -> tuple[int, bool]:
        """Give the mates that exclude the literal, and whether it is excluded if none holds."""
        mates = [m for m in self._mates(literal) if not self.answer[literal, m]]
        return sum(1 << m for m in mates), not self.answer[literal, None]

    def _ask(self, network: Network) -> int:
        """Evaluate all queries at once with unknown values; give those that may come about.

        A value is two numbers with one bit for each query: where it can be 0, where it can be 1.
        """
        ones = (1 << len(self.queries)) - 1
        can_be = [[ones, ones] for _ in network.fluents]
        for i, (literal, mate) in enumerate(self.queries):
            here = (literal >> 1) - 1
            known = dict.fromkeys(self._mates(literal), False) | {here: bool(literal & 1)}
            if mate is not None:
                known[mate] = True
            for fluent, holds in known.items():
                can_be[fluent][not holds] &= ~(1 << i)
        moves = [[ones, ones] for _ in range(network.first_move, network.first_gate)]
        values = _evaluate(network, ones, can_be, moves)
        legal = [literal for literals in network.legal for literal in literals]
        moves = [[ones, values[x >> 1][not x & 1]] for x in legal]
        values = _evaluate(network, ones, can_be, moves)
        result = 0
        for i, (literal, _) in enumerate(self.queries):
            after = network.next[(literal >> 1) - 1] ^ (literal & 1)
            result |= values[after >> 1][not after & 1] & (1 << i)
        return result


def _evaluate(
    network: Network, ones: int, fluents: list[list[int]], moves: list[list[int]]
) -> list[list[int]]:
    values = [[ones, 0], *fluents, *moves]
    for a, b in network.gates:
        left, right = values[a >> 1], values[b >> 1]
        values.append([left[a & 1] | right[b & 1], left[not a & 1] & right[not b & 1]])
    return values
