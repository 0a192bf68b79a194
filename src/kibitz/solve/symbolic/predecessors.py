"""Who is to move, and from where a role can, or must, enter a set of states.

EPre of paper 003 by substitution: each bit is replaced by what a joint move makes of it. APre are
the states from which some move leads into the set, without those from which some move leads out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from kibitz.errors import KibitzError
from kibitz.solve.symbolic.encoding import Function
from kibitz.solve.symbolic.moves import JointAction
from kibitz.solve.symbolic.space import SymbolicSpace

__all__ = ["Predecessors", "Turns"]


class Turns:
    """Who is to move, also where there is only one move.

    Where no role has a choice, the role that does not wait is to move, if there is exactly one;
    `space.turns` says which moves are waiting.
    """

    def __init__(self, space: SymbolicSpace) -> None:
        self.space = space
        roles = range(len(space.game.roles))
        self.choosing = [self._choosing(role) for role in roles]
        together = space.circuit.encoding.false
        for role in roles:
            for other in range(role):
                together = together | (self.choosing[role] & self.choosing[other])
        if (together & space.inner.function).satisfiable():
            raise KibitzError(
                f"in {space.game.sheet.name} roles choose at the same time, "
                "so no role can force anything"
            )

    def _legal(self, role: int) -> list[Function]:
        """Return the states in which each move of a role is legal, among the reachable if large."""
        circuit = self.space.circuit
        found = []
        for literal in self.space.game.network.legal[role]:
            value = circuit.value(literal)
            small = value is not None
            inner = self.space.inner.function
            found.append(value if small and value is not None else circuit.narrow(inner, literal))
        return found

    def without_move(self, role: int) -> Function:
        """Return the states in which play has not ended and a role has no move."""
        some = self.space.circuit.encoding.false
        for legal in self._legal(role):
            self.space.work.tick()
            some = some | legal
        return self.space.inner.function & ~some

    def _choosing(self, role: int) -> Function:
        """Return the states in which a role has more than one move."""
        once = twice = self.space.circuit.encoding.false
        for legal in self._legal(role):
            self.space.work.tick()
            twice = twice | (once & legal)
            once = once | legal
        return twice

    @cached_property
    def movers(self) -> list[Function]:
        """For each role, the states in which it is to move."""
        encoding, inner = self.space.circuit.encoding, self.space.inner.function
        if len(self.choosing) == 1:
            return [encoding.true]
        legal = [self._legal(role) for role in range(len(self.choosing))]
        names = self.space.game.network.moves
        choices = {
            move
            for role, choosing in enumerate(self.choosing)
            for move, allowed in zip(names[role], legal[role], strict=True)
            if (allowed & choosing & inner).satisfiable()
        }
        moving = []
        nobody = encoding.true
        for role, choosing in enumerate(self.choosing):
            able = encoding.false
            for move, allowed in zip(names[role], legal[role], strict=True):
                if move in choices:
                    able = able | allowed
            moving.append(able)
            nobody = nobody & ~choosing
        movers = []
        for role, choosing in enumerate(self.choosing):
            alone = moving[role] & nobody
            for other, able in enumerate(moving):
                alone = alone if other == role else alone & ~able
            movers.append(choosing | alone)
        return movers


class Predecessors:
    """EPre and APre of a role among states that `keep` keeps, which must not be terminal."""

    def __init__(
        self, space: SymbolicSpace, mine: Function, keep: Callable[[Function], Function]
    ) -> None:
        self.space, self.mine, self.keep = space, mine, keep
        self.my_actions = self._possible(mine)
        self.their_actions = self._possible(~mine)

    def _possible(self, states: Function) -> list[JointAction]:
        """Return the actions that may be legal in some of the states."""
        valid = states & self.space.circuit.encoding.valid
        return [action for action in self.space.actions if action.allow(valid).satisfiable()]

    def can_reach(self, to: Function) -> Function:
        """EPre: the role is to move, and some move leads into the set."""
        return self.keep(self._some(self.my_actions, to) & self.mine)

    def must_reach(self, to: Function) -> Function:
        """APre: the role is not to move, there are moves, and all lead into the set."""
        found = self.keep(self._some(self.their_actions, to) & ~self.mine)
        return self._all(self.their_actions, found, to)

    def some(self, to: Function) -> Function:
        """Return the states from which some move leads into the set, whoever makes it."""
        return self.keep(self._some(self.space.actions, to))

    def every(self, states: Function, to: Function) -> Function:
        """Keep the states from which every move leads into the set, whoever makes it."""
        return self._all(self.space.actions, states, to)

    def _some(self, actions: Sequence[JointAction], to: Function) -> Function:
        found = self.space.circuit.encoding.false
        for action in actions:
            self.space.work.tick()
            found = found | action.allow(action.preimage(to))
        return found

    def _all(self, actions: Sequence[JointAction], states: Function, to: Function) -> Function:
        # The cost of substitution depends on the set, so the smaller of two is used: the one that
        # moves should lead into, or the states outside that they do lead to.
        into = to.node_count() < states.node_count()
        for action in actions:
            self.space.work.tick()
            allowed = action.allow(states)
            if not allowed.satisfiable():
                continue
            if into:
                states = states & ~(allowed & ~action.preimage(to))
            else:
                outside = action.image(allowed) & ~to
                states = states & ~(allowed & action.preimage(outside))
        return states
