"""Game and role in; out how many of its own things a role still needs to win, as a circuit.

The circuit has the shape of the rules of the goal: of alternatives the cheapest counts, and of what
is needed together the sum. So it is the shortest path where the goal is a path, and the line that
lacks least where it is a line. What must not be is taken to be so, and a thing that several parts
need is counted for each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from kibitz.attached import Attached
from kibitz.engine import CompiledGame, Literal, Role
from kibitz.gdl import Function
from kibitz.strategy.ownership import owned_things
from kibitz.strategy.syntax.numbers import Number
from kibitz.strategy.ways import things_at

__all__ = ["goal_inputs", "goal_region", "goal_steps"]

_MOST_STEPS = 15
"""What needs more, or cannot be had any more, counts as so many."""
_MOST_NODES = 20_000

_KNOWN: Attached[CompiledGame, dict[Role, Number | None]] = Attached()


def goal_steps(game: CompiledGame, role: Role) -> Number | None:
    """Return how many things of its own a role lacks at least; None if that says nothing.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("hex:4"))
    >>> number_in(goal_steps(game, "red"), game.initial().fluents)
    4
    """
    known = _KNOWN.setdefault(game, {})
    if role not in known:
        known[role] = _steps(game, role)
    return known[role]


def goal_region(game: CompiledGame, role: Role) -> set[int]:
    """Return the fluents of the cheapest ways to the goal, by their numbers; none if that is much.

    Ways that need nothing, but that others lack something, do not count.

    >>> from kibitz.games import load_sheet
    >>> len(goal_region(CompiledGame(load_sheet("breakthrough:5x4")), "white"))
    4
    """
    found = _goal_circuit(game, role)
    if found is None:
        return set()
    asked, made = found
    prices = made.prices()
    alternatives = dict.fromkeys(asked)
    stack = list(asked)
    while stack:
        top = stack.pop()
        if top & 1:
            stack += [part for part in made.nodes[top] if part not in alternatives]
            alternatives |= dict.fromkeys(made.nodes[top])
    ends = [one for one in alternatives if not (one & 1 and made.nodes[one]) and prices[one]]
    cheapest = min((prices[one] for one in ends), default=0)
    stack = [one for one in ends if prices[one] == cheapest < math.inf]
    reached = set(stack)
    while stack:
        top = stack.pop()
        parts = [part for part in made.nodes[top] if prices[part]]
        if top & 1:
            parts = [part for part in parts if prices[part] == prices[top]]
        stack += [part for part in parts if part not in reached]
        reached.update(parts)
    return {(one >> 1) - 1 for one in reached if not made.nodes[one]}


def _steps(game: CompiledGame, role: Role) -> Number | None:
    network = game.network
    owned = {thing for things in owned_things(game, role).values() for thing in things}
    index = {fluent: i for i, fluent in enumerate(network.fluents)}
    places = {index[thing]: others for thing, others in things_at(game).items() if thing in index}
    circuit = _goal_circuit(game, role)
    if circuit is None:
        return None
    asked, made = circuit
    leaves = {input_: n for n, input_ in enumerate(made.leaves)}
    if not leaves or not all(network.fluents[i] in owned for i in leaves):
        return None
    things = []
    for input_, n in leaves.items():
        own = network.fluents[input_]
        things.append((own, 2 * n))
        things += [(other, 2 * n + 1) for other in places[input_] if other != own]
    return Number(
        "steps",
        things=tuple(things),
        constant=_MOST_STEPS,
        table=made.table(asked, leaves),
    )


def goal_inputs(game: CompiledGame, role: Role) -> set[Function]:
    """Return the fluents that any goals of a role ask for; none if that is much.

    >>> from kibitz.games import load_sheet
    >>> len(goal_inputs(CompiledGame(load_sheet("tictactoe")), "xplayer"))
    18
    """
    network = game.network
    made = _Circuit(network.first_gate, network.gates)
    for _, literal in network.goals[game.roles.index(role)]:
        made.add(literal)
        if len(made.nodes) > _MOST_NODES:
            return set()
    return {network.fluents[number] for number in made.leaves}


def _goal_circuit(game: CompiledGame, role: Role) -> tuple[list[Literal], _Circuit] | None:
    """Return the literals of a role's goal of 100, and what they ask for; None if that is much."""
    network = game.network
    asked = [literal for value, literal in network.goals[game.roles.index(role)] if value == 100]
    made = _Circuit(network.first_gate, network.gates)
    for literal in asked:
        made.add(literal)
        if len(made.nodes) > _MOST_NODES:
            return None
    return asked, made


class _Circuit:
    """Nodes of a network as alternatives and sums of what must hold."""

    def __init__(self, first: int, gates: Sequence[tuple[Literal, Literal]]) -> None:
        self.first, self.gates = first, gates
        self.leaves: dict[int, None] = {}
        self.nodes: dict[Literal, tuple[int, ...]] = {}

    def add(self, literal: Literal) -> None:
        """Add what a literal depends on, parts before what is made of them."""
        stack = [literal]
        while stack:
            top = stack[-1]
            if top in self.nodes or len(self.nodes) > _MOST_NODES:
                stack.pop()
                continue
            node = top >> 1
            if node < self.first:
                self.nodes[top] = ()
                if not top & 1 and node:
                    self.leaves[node - 1] = None
                stack.pop()
                continue
            parts = [part ^ (top & 1) for part in self.gates[node - self.first]]
            waiting = [part for part in parts if part not in self.nodes]
            if waiting:
                stack += waiting
            else:
                self.nodes[top] = tuple(parts)
                stack.pop()

    def prices(self) -> dict[Literal, float]:
        """Return how many things that must hold each literal needs at least."""
        found: dict[Literal, float] = {}
        for literal, parts in self.nodes.items():
            if parts:
                one, other = (found[part] for part in parts)
                found[literal] = min(one, other) if literal & 1 else one + other
            elif literal >> 1 == 0:
                found[literal] = 0 if literal & 1 else math.inf
            else:
                found[literal] = 1 - (literal & 1)
        return found

    def table(self, roots: list[Literal], leaves: dict[int, int]) -> tuple[int, ...]:
        """Write it as one step after another: alternatives (1) or a sum (0) of two places.

        Places are the leaves, then 0, then what cannot be, and then the steps.
        """
        count = len(leaves)
        free, never = count, count + 1
        place: dict[Literal, int] = {}
        steps: dict[tuple[int, int, int], int] = {}

        def joined(kind: int, a: int, b: int) -> int:
            a, b = min(a, b), max(a, b)
            if a == b and kind:
                return a
            if kind:  # the cheaper one
                if free in (a, b):
                    return free
                if never in (a, b):
                    return b if a == never else a
            else:
                if never in (a, b):
                    return never
                if free in (a, b):
                    return b if a == free else a
            return steps.setdefault((kind, a, b), count + 2 + len(steps))

        for literal, parts in self.nodes.items():
            node = literal >> 1
            if parts:
                place[literal] = joined(literal & 1, *(place[part] for part in parts))
            elif node == 0:
                place[literal] = free if literal & 1 else never
            else:
                place[literal] = free if literal & 1 else leaves[node - 1]
        root = never
        for literal in roots:
            root = joined(1, root, place[literal])
        return (root, *(x for step in steps for x in step))
