"""Orders of units for a decision diagram, from how the rules connect them.

Sets of units that belong together, because one gate or the next value of one fluent depends on
them, should lie close. The FORCE heuristic (Aloul, Markov and Sakallah 2003) moves every unit to
the mean of the centres of its sets until that no longer shortens them. Units that nearly every
fluent depends on, such as whose turn it is, come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kibitz.engine import Network
from kibitz.solve.symbolic.cones import gate_supports, next_cones
from kibitz.solve.symbolic.encoding import Unit

__all__ = ["candidate_orders"]

_ROUNDS = 60
_WIDEST_GATE = 16


def candidate_orders(network: Network, units: Sequence[Unit]) -> dict[str, list[Unit]]:
    """Return candidate orders by name, without repetition.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.engine.grounding import ground
    >>> from kibitz.solve.symbolic.encoding import find_units
    >>> grounding = ground(load_sheet("connect:3,3x3"))
    >>> orders = candidate_orders(grounding.network, find_units(grounding))
    >>> [str(grounding.network.fluents[unit.fluents[0]]) for unit in orders["moves"][:4]]
    ['(control xplayer)', '(cell 1 1 o)', '(cell 2 1 o)', '(cell 3 1 o)']
    """
    owner = {fluent: place for place, unit in enumerate(units) for fluent in unit.fluents}

    def in_units(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
        found = {frozenset(owner[fluent] for fluent in members) for members in sets}
        return sorted(found, key=sorted)

    cones = in_units(next_cones(network))
    hubs = {
        place
        for place in range(len(units))
        if sum(place in cone for cone in cones) > max(2, len(cones) // 2)
    }
    rest = [place for place in range(len(units)) if place not in hubs]
    moves = [cone - hubs for cone in cones if len(cone - hubs) > 1]
    gates = [g - hubs for g in in_units(gate_supports(network, _WIDEST_GATE)) if len(g - hubs) > 1]
    found: dict[str, list[Unit]] = {}
    for name, order in (
        ("written", rest),
        ("moves", arrange(rest, moves)),
        ("gates", arrange(rest, gates)),
        ("both", arrange(rest, [*moves, *gates])),
    ):
        arranged = [units[place] for place in [*sorted(hubs), *order]]
        if arranged not in found.values():
            found[name] = arranged
    return found


def arrange(items: Sequence[int], sets: Sequence[frozenset[int]]) -> list[int]:
    """Order items so that the members of each set lie close together.

    >>> arrange([0, 1, 2, 3, 4, 5], [frozenset({0, 3}), frozenset({1, 4}), frozenset({2, 5})])
    [0, 3, 1, 4, 2, 5]
    """
    order = list(items)
    member_of: dict[int, list[int]] = {item: [] for item in items}
    for number, members in enumerate(sets):
        for item in members:
            member_of[item].append(number)
    best, least = order, _span(order, sets)
    for _ in range(_ROUNDS):
        place = {item: float(index) for index, item in enumerate(order)}
        centre = [sum(place[item] for item in members) / len(members) for members in sets]
        pull = {
            item: sum(centre[n] for n in inside) / len(inside) if inside else place[item]
            for item, inside in member_of.items()
        }
        new = sorted(order, key=lambda item: (pull[item], place[item]))
        if new == order:
            break
        order = new
        span = _span(order, sets)
        if span < least:
            best, least = order, span
    return best


def _span(order: Sequence[int], sets: Sequence[frozenset[int]]) -> int:
    """Sum up how far apart the first and the last member of each set are."""
    place = {item: index for index, item in enumerate(order)}
    return sum(
        max(place[item] for item in members) - min(place[item] for item in members)
        for members in sets
    )
