"""Game and role in; out its ways to win, such as the lines of a board, and which are still open.

A way is a set of fluents that together give the role its highest goal, unless something that must
not be stands against it. They are the alternatives that the rules of the goal leave when everything
else in them is unfolded; where there are too many, as for the paths across a board, there are none.
"""

from __future__ import annotations

from itertools import combinations

from kibitz.attached import Attached
from kibitz.engine import CompiledGame, Literal, Network, Role
from kibitz.gdl import Function
from kibitz.strategy.ownership import owned_things
from kibitz.strategy.syntax.numbers import Number
from kibitz.strategy.tree import Formula, Holds, Not, conjunction, disjunction

__all__ = ["chances_of", "open_ways", "things_at", "ways_to_win"]

_MOST_WAYS = 1000
_MOST_JOINED = 10 * _MOST_WAYS
_MOST_WORK = 200 * _MOST_WAYS
"""The most alternatives that are compared in all."""
_LONGEST = 8
"""The most fluents of a way; what needs more is not a line that people see."""

Way = frozenset[Function]
_Cube = frozenset[Literal]

_KNOWN: Attached[CompiledGame, dict[Role, tuple[Way, ...]]] = Attached()
_OPEN: Attached[CompiledGame, dict[tuple[Role, int], tuple[Formula, ...]]] = Attached()


def ways_to_win(game: CompiledGame, role: Role) -> tuple[Way, ...]:
    """Return the ways to win by things that the role itself owns; none if there are too many.

    >>> from kibitz.games import load_sheet
    >>> len(ways_to_win(CompiledGame(load_sheet("tictactoe")), "xplayer"))
    8
    """
    known = _KNOWN.setdefault(game, {})
    if role not in known:
        owned = {thing for things in owned_things(game, role).values() for thing in things}
        cubes: list[_Cube] = []
        for value, literal in game.network.goals[game.roles.index(role)]:
            if value == 100:
                found = _Unfolding(game.network).of(literal)
                if found is None:  # What must not be may be said in too many ways.
                    found = _Unfolding(game.network, asks_absence=False).of(literal)
                cubes += found or []
        fluents = game.network.fluents
        ways = {
            frozenset(fluents[(literal >> 1) - 1] for literal in cube if not literal & 1)
            for cube in cubes
        }
        fitting = all(way and len(way) <= _LONGEST and way <= owned for way in ways)
        known[role] = tuple(sorted(ways, key=lambda way: sorted(map(str, way)))) if fitting else ()
    return known[role]


def open_ways(game: CompiledGame, role: Role, missing: int) -> tuple[Formula, ...]:
    """Return a formula for each way to win that lacks so many things and is still open.

    It is open where the places of what it lacks hold nothing of any role.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> len(open_ways(game, "xplayer", 1))
    8
    """
    known = _OPEN.setdefault(game, {})
    if (role, missing) not in known:
        taken = things_at(game)
        known[role, missing] = tuple(
            disjunction(
                conjunction(
                    [
                        *map(Holds, sorted(way - set(lacking), key=str)),
                        *(Not(Holds(thing)) for lacked in lacking for thing in taken[lacked]),
                    ]
                )
                for lacking in combinations(sorted(way, key=str), missing)
            )
            for way in ways_to_win(game, role)
            if len(way) > missing
        )
    return known[role, missing]


def chances_of(game: CompiledGame, role: Role) -> Number | None:
    """Return how much a role has of its ways to win that are open, a thing once for each of them.

    A way is open where nothing else stands in its places. None if no way needs several things.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> state = game.initial().play("(mark 2 2)")
    >>> number_in(chances_of(game, "xplayer"), state.fluents)
    4
    """
    taken = things_at(game)
    place: dict[Function, int] = {}
    table: list[int] = []
    for way in ways_to_win(game, role):
        for thing in sorted(way, key=str) if len(way) > 1 else ():
            others = [x for lacked in way - {thing} for x in taken[lacked] if x != lacked]
            table.append(2 * place.setdefault(thing, len(place)))
            table += [2 * place.setdefault(x, len(place)) + 1 for x in sorted(others, key=str)]
            table.append(-1)
    return Number("cases", tuple(place.items()), table=tuple(table)) if table else None


def things_at(game: CompiledGame) -> dict[Function, list[Function]]:
    """Return for each thing that a role owns all that can be in its place, itself too."""
    at: dict[tuple[object, ...], list[Function]] = {}
    where: dict[Function, tuple[object, ...]] = {}
    for role in game.roles:
        for (name, arity, k), things in owned_things(game, role).items():
            for thing in things:
                where[thing] = (name, arity, k, thing.args[:k], thing.args[k + 1 :])
                at.setdefault(where[thing], []).append(thing)
    return {thing: at[key] for thing, key in where.items()}


class _Unfolding:
    """Unfolds literals of a network into alternatives of inputs, or of those that must hold."""

    def __init__(self, network: Network, *, asks_absence: bool = True) -> None:
        self.network, self.asks_absence = network, asks_absence

    def of(self, literal: Literal) -> list[_Cube] | None:
        """Return the alternatives of a literal, or None if there are too many."""
        first, gates = self.network.first_gate, self.network.gates
        known: dict[Literal, list[_Cube]] = {0: [], 1: [frozenset()]}
        stack = [literal]
        work = 0
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            if top >> 1 < first:
                asked = self.asks_absence or not top & 1
                known[top] = [frozenset([top] if asked else [])]
                continue
            flip = top & 1
            parts = [part ^ flip for part in gates[(top >> 1) - first]]
            waiting = [part for part in parts if part not in known]
            if waiting:
                stack += waiting
                continue
            one, other = (known[part] for part in parts)
            if flip:
                found = [*one, *other]
            elif len(one) * len(other) > _MOST_JOINED:
                return None
            else:
                found = [a | b for a in one for b in other if not any(x ^ 1 in b for x in a)]
            work += len(found)
            known[top] = _smallest(found)
            if len(known[top]) > _MOST_WAYS or work > _MOST_WORK:
                return None
        return known[literal]


def _smallest(cubes: list[_Cube]) -> list[_Cube]:
    """Return the alternatives that no other one includes, or one more than may be used."""
    kept: list[_Cube] = []
    for cube in sorted(set(cubes), key=lambda cube: (len(cube), sorted(cube))):
        if not any(other <= cube for other in kept):
            kept.append(cube)
            if len(kept) > _MOST_WAYS:
                break
    return kept
