"""Game and role in; out how far its things are on the way to where its goal asks for them.

Things are on their way where a role's moves carry them: from place to place, with nothing else of
any role on the board. How far a thing is on its way is by how many moves it is nearer to the goal
than the farthest place from which it can arrive. What others put in its way is not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.attached import Attached
from kibitz.engine import CompiledGame, Literal, Network, Role, bits_of
from kibitz.gdl import Function
from kibitz.strategy.ownership import owned_things
from kibitz.strategy.steps_to_win import goal_region
from kibitz.strategy.syntax.numbers import Number

__all__ = ["foremost_of", "moves_nearer", "progress_of"]

_MOST_BITS = 1 << 32
"""The most gates times moves that are looked at."""
_AT_ONCE = 512
"""Moves that are looked at together."""
_MOST_LITERALS = 2_000_000
"""The most literals in what moves ask for."""
_FEWEST_MOVES = 2
"""The fewest moves that the farthest place is away: where all are near, nothing is said."""

_Edges = set[tuple[int, Function, Function]]
"""Moves by their numbers, the things that they take away, and what they bring."""

_Way = tuple[tuple[tuple[Function, int], ...], tuple[Function, ...]]
"""Things with how far they are on their way, and the moves that bring one farther."""

_KNOWN: Attached[CompiledGame, dict[Role, _Way]] = Attached()


def progress_of(game: CompiledGame, role: Role) -> Number | None:
    """Return how far all things of a role are on the way to its goal, added up; None if none is.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("breakthrough:5x4"))
    >>> number_in(progress_of(game, "white"), game.initial().fluents)
    4
    """
    things, _ = _way_of(game, role)
    return Number("sum", things) if things else None


def foremost_of(game: CompiledGame, role: Role) -> Number | None:
    """Return how far the thing of a role that is farthest on its way is; None if none is.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("breakthrough:5x4"))
    >>> number_in(foremost_of(game, "white"), game.initial().fluents)
    1
    """
    things, _ = _way_of(game, role)
    return Number("largest", things) if things else None


def moves_nearer(game: CompiledGame, role: Role) -> tuple[Function, ...]:
    """Return the moves of a role that bring a thing nearer to its goal.

    >>> from kibitz.games import load_sheet
    >>> len(moves_nearer(CompiledGame(load_sheet("breakthrough:5x4")), "white"))
    40
    """
    return _way_of(game, role)[1]


def _way_of(game: CompiledGame, role: Role) -> _Way:
    known = _KNOWN.setdefault(game, {})
    if role not in known:
        known[role] = _find(game, role)
    return known[role]


def _find(game: CompiledGame, role: Role) -> _Way:
    network = game.network
    region = {network.fluents[number] for number in goal_region(game, role)}
    owned = {
        one: [fluent for things in owned_things(game, one).values() for fluent in things]
        for one in game.roles
    }
    region &= set(owned[role])
    edges = _carrying_moves(network, network.roles.index(role), owned, role) if region else set()
    away = _moves_away(region, edges)
    farthest = max(away.values(), default=0)
    if farthest < _FEWEST_MOVES:
        return (), ()
    found = [(fluent, farthest - far) for fluent, far in away.items() if far < farthest]
    moves = network.moves[network.roles.index(role)]
    nearer = {
        move for move, start, end in edges if away.get(start, farthest) > away.get(end, farthest)
    }
    return (
        tuple(sorted(found, key=lambda pair: str(pair[0]))),
        tuple(moves[number] for number in sorted(nearer)),
    )


def _moves_away(region: set[Function], edges: _Edges) -> dict[Function, int]:
    """Return how many moves things are away from a region, of those from which it is reached."""
    before: dict[Function, list[Function]] = {}
    for _, start, end in edges:
        before.setdefault(end, []).append(start)
    away = dict.fromkeys(region, 0)
    reached = list(region)
    for here in reached:
        for start in before.get(here, ()):
            if start not in away:
                away[start] = away[here] + 1
                reached.append(start)
    return away


def _carrying_moves(
    network: Network, who: int, owned: Mapping[Role, list[Function]], role: Role
) -> _Edges:
    """Return what moves of a role carry from where to where; nothing if there is much to look at.

    A move is looked at in all states at once that have no things but those it asks for: a node may
    be 1, or may be 0, or both.
    """
    if len(network.gates) * len(network.moves[who]) > _MOST_BITS:
        return set()
    asked = _asked_for(network, network.legal[who])
    index = {fluent: i for i, fluent in enumerate(network.fluents)}
    unless = {hidden.fluent: hidden.unless for hidden in network.hidden}
    every = {index[fluent] for things in owned.values() for fluent in things if fluent in index}
    edges: _Edges = set()
    for start in range(0, len(asked), _AT_ONCE):
        part = dict(list(asked.items())[start : start + _AT_ONCE])
        moves = _Moves(network, who, part, every)
        leaving: dict[int, list[Function]] = {}
        arriving: dict[int, list[Function]] = {}
        for fluent in owned[role]:
            if fluent in index:
                before, gone, there = moves.shown(index[fluent])
            else:
                before, gone, there = moves.hidden(unless[fluent])
            for bit in bits_of(before & gone & moves.legal):
                leaving.setdefault(bit, []).append(fluent)
            for bit in bits_of(~before & there & moves.legal):
                arriving.setdefault(bit, []).append(fluent)
        numbers = list(part)
        edges |= {
            (numbers[bit], a, b)
            for bit, starts in leaving.items()
            for a in starts
            for b in arriving.get(bit, ())
        }
    return edges


class _Moves:
    """What every node may be where a role makes some moves, a bit for each of them.

    `asked` are the inputs that each move needs, `things` those that do not hold where they are not
    needed. Roles that can wait do.
    """

    def __init__(
        self,
        network: Network,
        who: int,
        asked: Mapping[int, frozenset[Literal]],
        things: set[int],
    ) -> None:
        self.network, self.ones = network, (1 << len(asked)) - 1
        ones = self.ones
        self.needed, self.denied = [0] * len(network.fluents), [0] * len(network.fluents)
        for bit, literals in enumerate(asked.values()):
            for literal in literals:
                (self.denied if literal & 1 else self.needed)[(literal >> 1) - 1] |= 1 << bit
        self.may_be = [[ones], [0]]
        """By what a node may be: for which moves."""
        for i, needed in enumerate(self.needed):
            self._add(ones ^ needed, needed if i in things else ones ^ self.denied[i])
        for index, moves in enumerate(network.moves):
            waiting = [n for n, move in enumerate(moves) if not move.args]
            for n in range(len(moves)):
                made = ones if waiting == [n] else 0
                if index == who:
                    made = sum(1 << bit for bit, move in enumerate(asked) if move == n)
                elif len(waiting) != 1:
                    self._add(ones, ones)
                    continue
                self._add(ones ^ made, made)
        for a, b in network.gates:
            self._add(self.may(a, 0) | self.may(b, 0), self.may(a, 1) & self.may(b, 1))
        self.legal = 0
        for bit, move in enumerate(asked):
            self.legal |= self.may(network.legal[who][move], 1) & 1 << bit

    def _add(self, may_be_0: int, may_be_1: int) -> None:
        self.may_be[0].append(may_be_0)
        self.may_be[1].append(may_be_1)

    def may(self, literal: Literal, value: int) -> int:
        """Return for which moves a literal may have a value."""
        return self.may_be[value ^ (literal & 1)][literal >> 1]

    def shown(self, number: int) -> tuple[int, int, int]:
        """Return for which moves a fluent is needed, does not hold afterwards, and does."""
        after = self.network.next[number]
        ones = self.ones
        return self.needed[number], ones ^ self.may(after, 1), ones ^ self.may(after, 0)

    def hidden(self, unless: tuple[int, ...]) -> tuple[int, int, int]:
        """Return the same of a fluent that holds exactly when none of some others does."""
        before, gone, there = self.ones, 0, self.ones
        for number in unless:
            _, other_gone, other_there = self.shown(number)
            before &= self.denied[number]
            gone |= other_there
            there &= other_gone
        return before, gone, there


def _asked_for(network: Network, literals: Sequence[Literal]) -> dict[int, frozenset[Literal]]:
    """Return the inputs that must hold, or not, wherever a literal does, of those that ever do.

    Nothing where there is too much to look at.
    """
    first = network.first_gate
    known: dict[Literal, frozenset[Literal] | None] = {0: None, 1: frozenset()}
    work = 0
    for literal in literals:
        stack = [literal]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            if top >> 1 < first:
                known[top] = frozenset([top])
                continue
            is_either = top & 1
            parts = [part ^ is_either for part in network.gates[(top >> 1) - first]]
            waiting = [part for part in parts if part not in known]
            if waiting:
                stack += waiting
                continue
            one, other = (known[part] for part in parts)
            if one is None or other is None:
                known[top] = (other if one is None else one) if is_either else None
            else:
                known[top] = one & other if is_either else one | other
            work += len(known[top] or ())
            if work > _MOST_LITERALS:
                return {}
    found = {number: known[literal] for number, literal in enumerate(literals)}
    return {number: needs for number, needs in found.items() if needs is not None}
