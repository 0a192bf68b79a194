"""Find threats in a game's network: goal conditions of a role that lack one part.

The condition of a role's best goal is a formula over fluents. As a disjunction of conjunctions it
lists the ways to win: in a game of lines, each line. A conjunction that lacks only one part, which
a move can still achieve, is a threat. Whether a move can achieve it is evaluated on the network
with unknown values: where a cell that the opponent has marked is never marked again, no value of
the other fluents and no legal move makes it the role's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from kibitz.engine import CompiledGame, Literal, Network, negate
from kibitz.puzzles.state_variables import FluentTest, StateVariable, Variables

Ruled = int
"""A conjunction as the values of variables that it rules out."""

_MOST_CONJUNCTIONS = 2000
_MOST_PARTS = 64
_MOST_JOINED = 20_000
"""Pairs of conjunctions that are joined at a gate, unless all gates together had `_MOST_WORK`."""
_MOST_WORK = 100_000
_FEW_JOINED = 8


@dataclass(frozen=True, slots=True)
class Threat:
    """A way to win that lacks one part: masks over the bits of a state's key.

    It holds where the bits of `care` are those of `want`, and each mask of `some` has a bit set.
    """

    care: int
    want: int
    some: tuple[int, ...] = ()

    def holds(self, key: int) -> bool:
        """Return whether a state has the threat."""
        return key & self.care == self.want and all(key & mask for mask in self.some)

    def image(self, bits: Sequence[int]) -> Threat:
        """Return the image of the threat; `bits` gives the new place of each bit."""
        care, want, *some = (
            sum(1 << bits[i] for i in range(mask.bit_length()) if mask >> i & 1)
            for mask in (self.care, self.want, *self.some)
        )
        return Threat(care, want, tuple(sorted(some)))


def winning_conditions(game: CompiledGame, role: int) -> list[frozenset[FluentTest]]:
    """List the ways to reach a role's best goal, as parts that all have to hold.

    What no move can change, such as whose turn it is, is left out. A part that would take thousands
    of conjunctions to write is assumed to hold.

    >>> from kibitz.games import load_sheet
    >>> [len(c) for c in winning_conditions(CompiledGame(load_sheet("tictactoe")), 0)]
    [3, 3, 3, 3, 3, 3, 3, 3]
    """
    variables = Variables(game)
    return [
        frozenset(variable.part(variable.allowed(way)) for variable in variables.ruled(way))
        for way in _conditions(game, role, variables)
    ]


def find_threats(game: CompiledGame, role: int) -> list[Threat]:
    """List the ways to win that lack one thing which a move can achieve.

    >>> from kibitz.games import load_sheet
    >>> len(find_threats(CompiledGame(load_sheet("tictactoe")), 0))
    24
    """
    variables = Variables(game)
    ways = [
        {variable: variable.allowed(way) for variable in variables.ruled(way)}
        for way in _conditions(game, role, variables)
    ]
    ways = [way for way in ways if len(way) > 1]
    changes = _Changes(game.network, list(dict.fromkeys(chain.from_iterable(ways))))
    threats = []
    for way in ways:
        for missing in way:
            before = changes.before(missing, way[missing])
            if before:
                threats.append(_threat([v.part(a) for v, a in {**way, missing: before}.items()]))
    return threats


def _threat(parts: list[FluentTest]) -> Threat:
    care = want = 0
    some = []
    for part in parts:
        if not part.is_denied and part.mask.bit_count() > 1:
            some.append(part.mask)
            continue
        care |= part.mask
        want |= 0 if part.is_denied else part.mask
    return Threat(care, want, tuple(some))


def _conditions(game: CompiledGame, role: int, variables: Variables) -> list[Ruled]:
    network = game.network
    valued = [(value, literal) for value, literal in network.goals[role] if value is not None]
    if not valued:
        return []
    best = max(value for value, _ in valued)
    wanted = [literal for value, literal in valued if value == best]
    # Some win as long as nothing ends the match: then the conditions of the end matter.
    for unfolding in (
        _Unfolding(network, variables, until_end=True),
        _Unfolding(network, variables),
    ):
        found = [way for literal in wanted for way in unfolding.ways(literal) or ()]
        if 0 not in found:
            break
    movable = _movable(network)
    kept = sum(
        variable.field
        for variable in variables.listed
        if any(movable[fluent] for fluent in variable.fluents)
    )
    return _weakest(variables, (way & kept for way in found))


class _Unfolding:
    """Writes literals of a network as disjunctions of conjunctions.

    With `until_end`, what holds in every state that is not an end is assumed to hold.
    """

    def __init__(self, network: Network, variables: Variables, *, until_end: bool = False) -> None:
        self.network, self.variables = network, variables
        self.known: dict[Literal, list[Ruled] | None] = {}
        self.work = 0
        if until_end:
            self._suppose(negate(network.terminal))

    def ways(self, literal: Literal) -> list[Ruled] | None:
        """Return the conjunctions, or None where there would be too many or moves matter."""
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

    def _suppose(self, literal: Literal) -> None:
        """Assume that a literal holds, and all literals of its conjunction."""
        stack = [literal]
        while stack:
            top = stack.pop()
            if top not in self.known:
                self.known[top] = [0]
                stack += [] if top & 1 else self._parts(top)

    def _parts(self, literal: Literal) -> list[Literal]:
        index = (literal >> 1) - self.network.first_gate
        if index < 0:
            return []
        return [x ^ (literal & 1) for x in self.network.gates[index]]

    def _join(self, literal: Literal) -> list[Ruled] | None:
        node = literal >> 1
        if node == 0:
            return [0] if literal & 1 else []
        if node < self.network.first_move:
            return [self.variables.ruled_out_by(literal)]
        if node < self.network.first_gate:
            return None
        one, other = (self.known[x] for x in self._parts(literal))
        most = _MOST_JOINED if self.work <= _MOST_WORK else _FEW_JOINED
        if literal & 1:
            if one is None or other is None or len(one) + len(other) > most:
                return None
            self.work += len(one) + len(other)
            return self._bounded(_weakest(self.variables, self._merged([*one, *other])))
        if one is None or other is None:
            return other if one is None else one
        smaller = min(one, other, key=len)
        if len(one) * len(other) > most:
            return smaller
        self.work += len(one) * len(other)
        joined = {a | b for a in one for b in other}
        is_possible = self.variables.is_possible
        ways = self._bounded(_weakest(self.variables, filter(is_possible, joined)))
        return smaller if ways is None else ways

    def _merged(self, ways: list[Ruled]) -> list[Ruled]:
        """Merge parts that are single conjunctions about the same variable."""
        parts: dict[StateVariable, Ruled] = {}
        rest = []
        for way in ways:
            ruled = self.variables.ruled(way) if self.variables.count(way) == 1 else ()
            for variable in ruled:
                parts[variable] = parts.get(variable, way) & way
            if not ruled:
                rest.append(way)
        return [*parts.values(), *rest]

    def _bounded(self, ways: list[Ruled]) -> list[Ruled] | None:
        if len(ways) > _MOST_CONJUNCTIONS:
            return None
        return None if any(self.variables.count(way) > _MOST_PARTS for way in ways) else ways


def _weakest(variables: Variables, ways: Iterable[Ruled]) -> list[Ruled]:
    """Drop conjunctions that imply another one."""
    kept: list[Ruled] = []
    by_bit: dict[int, list[Ruled]] = {}
    for way in sorted(set(ways), key=lambda way: (way.bit_count(), way)):
        if not way:
            return [way]
        if not any(other & ~way == 0 for bit in _bits(way) for other in by_bit.get(bit, ())):
            kept.append(way)
            by_bit.setdefault(way & -way, []).append(way)
    return sorted(kept, key=lambda way: (variables.count(way), way))


def _bits(mask: int) -> Iterable[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1


def _movable(network: Network) -> list[bool]:
    """Return for each fluent whether its next value depends on moves."""
    moved = [False] * network.first_gate
    for node in range(network.first_move, network.first_gate):
        moved[node] = True
    for a, b in network.gates:
        moved.append(moved[a >> 1] or moved[b >> 1])
    return [moved[literal >> 1] for literal in network.next]


class _Changes:
    """Finds from which values one move can change a variable to which others."""

    def __init__(self, network: Network, variables: list[StateVariable]) -> None:
        self.network = network
        queries = [(variable, value) for variable in variables for value in variable.values]
        self.place = {query: i for i, query in enumerate(queries)}
        self.after = self._ask(queries)

    def before(self, variable: StateVariable, wanted: list[int | None]) -> list[int | None]:
        """Return the values from which a move may lead to a wanted one."""
        return [
            value
            for value in variable.values
            if value not in wanted
            and any(self._may_become(variable, value, after) for after in wanted)
        ]

    def _may_become(self, variable: StateVariable, value: int | None, after: int | None) -> bool:
        bit = 1 << self.place[variable, value]
        if after is None:
            assert value is not None
            return bool(self.after[value][0] & bit)
        return bool(self.after[after][1] & bit)

    def _ask(self, queries: list[tuple[StateVariable, int | None]]) -> list[list[int]]:
        """Return for each fluent the queries in which it can be 0 and 1 after a move.

        All queries are evaluated at once with unknown values. A value is two numbers with one bit
        for each query: where it can be 0, where it can be 1.
        """
        network = self.network
        ones = (1 << len(queries)) - 1
        fluents = [[ones, ones] for _ in network.fluents]
        for i, (variable, value) in enumerate(queries):
            for fluent in variable.fluents:
                fluents[fluent][fluent != value] &= ~(1 << i)
        moves = [[ones, ones] for _ in range(network.first_move, network.first_gate)]
        values = _evaluate(network, ones, fluents, moves)
        legal = chain.from_iterable(network.legal)
        moves = [[ones, values[x >> 1][not x & 1]] for x in legal]
        values = _evaluate(network, ones, fluents, moves)
        return [[values[x >> 1][x & 1], values[x >> 1][not x & 1]] for x in network.next]


def _evaluate(
    network: Network, ones: int, fluents: list[list[int]], moves: list[list[int]]
) -> list[list[int]]:
    values = [[ones, 0], *fluents, *moves]
    for a, b in network.gates:
        left, right = values[a >> 1], values[b >> 1]
        values.append([left[a & 1] | right[b & 1], left[not a & 1] & right[not b & 1]])
    return values
