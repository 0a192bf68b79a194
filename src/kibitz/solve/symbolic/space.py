"""Every state that play can reach as decision diagrams, and from where a role can enter a set.

Breadth first, one layer after another. Which states of a layer are terminal, and with which goals,
is found while it is new: among the states of a layer the end has a small diagram, and by itself
mostly none.

EPre of paper 003 by substitution: each bit is replaced by what a joint move makes of it. APre are
the states from which some move leads into the set, without those from which some move leads out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from oxidd.bcdd import BCDDFunction as Function

from kibitz.engine import CompiledGame, Role, State
from kibitz.errors import BudgetExceededError, InputError, KibitzError
from kibitz.gdl import require_gdl1
from kibitz.solve.symbolic.circuit import Circuit, JointAction, StateSet, actions_of
from kibitz.solve.symbolic.encoding import (
    NODE_BYTES,
    Encoding,
    Progress,
    Unit,
    Work,
    candidate_orders,
    find_units,
)

_TRIAL_SECONDS = 0.3
_TRIAL_NODES = 2_000_000


@dataclass(frozen=True)
class SymbolicSpace:
    """The states that play can reach.

    `states` are all of them, `inner` those that are not terminal, and `ends[r]` has, for each goal
    of role r, the terminal states in which the rules give it. `order` names the variable order.
    """

    game: CompiledGame = field(repr=False)
    start: State = field(repr=False)
    circuit: Circuit = field(repr=False)
    actions: Sequence[JointAction] = field(repr=False)
    states: StateSet
    inner: StateSet
    ends: tuple[dict[int | None, StateSet], ...]
    layers: int
    order: str
    seconds: float

    @property
    def work(self) -> Work:
        """The budget of all work on this space."""
        return self.circuit.work

    @property
    def edges(self) -> int:
        """How many moves there are in all."""
        inner = self.inner.function
        return sum(self.make(action.allow(inner)).count for action in self.actions)

    @property
    def nodes(self) -> int:
        """How many nodes all diagrams together have at present."""
        return self.circuit.encoding.manager.num_inner_nodes()

    @property
    def bytes(self) -> int:
        """About how much memory they take."""
        return self.nodes * NODE_BYTES

    @property
    def initial(self) -> StateSet:
        """The set of the initial state."""
        return self.make(self.circuit.encoding.false).including([self.game.initial()])

    def make(self, function: Function) -> StateSet:
        """Wrap a diagram as a set of states of this space."""
        return StateSet(self.game, self.circuit.encoding, function)

    def won(self, role: Role, goal: int = 100) -> StateSet:
        """Return the terminal states in which a role gets a goal or more."""
        self.game.check_role(role)
        found = self.make(self.circuit.encoding.false)
        for value, states in self.ends[self.game.roles.index(role)].items():
            if value is not None and value >= goal:
                found = found | states
        return found


def reach(
    game: CompiledGame,
    *,
    starts: Sequence[State] = (),
    nodes: int = 40_000_000,
    seconds: float = 600.0,
    order: str = "auto",
    binary: bool = True,
    progress: Progress | None = None,
) -> SymbolicSpace:
    """Find every state that play can reach from the initial state, or from given ones.

    Raises BudgetExceededError where that takes more nodes or seconds than allowed.
    `order` is one of `candidate_orders`, by name; auto tries them on the first layers. With
    `binary`, groups of fluents are numbered where that saves bits.

    >>> from kibitz.games import load_sheet
    >>> space = reach(CompiledGame(load_sheet("tictactoe")))
    >>> space.states.count, space.inner.count, space.layers
    (5478, 4520, 10)
    """
    require_gdl1(game.sheet)
    start = time.perf_counter()
    units = find_units(game.grounding, binary=binary)
    orders = candidate_orders(game.network, units)
    if order == "auto":
        order = _best_order(game, orders)
    elif order not in orders:
        raise InputError(f"there is no variable order {order}", hint="orders: " + " ".join(orders))
    work = Work(nodes, seconds, progress)
    with work.bounded(f"building the gates of {game.sheet.name}"):
        search = _Search(game, orders[order], work, starts)
    with work.bounded(f"finding the states of {game.sheet.name}"):
        while search.advance():
            pass
    return search.finish(order, time.perf_counter() - start)


def _best_order(game: CompiledGame, orders: dict[str, list[Unit]]) -> str:
    """Try orders on the first layers, and take the one with the fewest nodes."""
    if len(orders) == 1:
        return next(iter(orders))
    sizes: dict[str, list[int]] = {}
    for name, units in orders.items():
        work = Work(_TRIAL_NODES, _TRIAL_SECONDS)
        sizes[name] = []
        try:
            with work.bounded("a trial"):
                search = _Search(game, units, work)
                while search.advance():
                    sizes[name].append(search.frontier.node_count())
                sizes[name].append(0)
        except BudgetExceededError:
            continue
    common = min(map(len, sizes.values()))
    if common == 0:
        return max(sizes, key=lambda name: len(sizes[name]))
    return min(sizes, key=lambda name: sum(sizes[name][:common]))


class _Search:
    """Breadth-first search from the initial state, or from given ones."""

    def __init__(
        self,
        game: CompiledGame,
        units: Sequence[Unit],
        work: Work,
        starts: Sequence[State] = (),
    ) -> None:
        self.game, self.work = game, work
        encoding = Encoding(work.manager(), units)
        self.circuit = Circuit(game.network, encoding, work)
        self.actions = actions_of(self.circuit)
        starts = starts or [game.initial()]
        self.start = starts[0]
        first = StateSet(game, encoding, encoding.false).including(starts)
        self.frontier = self.states = first.function
        self.inner = encoding.false
        self.ends: list[dict[int | None, Function]] = [
            {value: encoding.false for value, _ in values} for values in game.network.goals
        ]
        self.layers = 0

    def advance(self) -> bool:
        """Find one more layer; return whether it has states."""
        network = self.game.network
        if not self.frontier.satisfiable():
            return False
        self.layers += 1
        inner = self.circuit.narrow(self.frontier, network.terminal ^ 1)
        ended = self.frontier & ~inner
        for values, sets in zip(network.goals, self.ends, strict=True):
            for value, literal in values:
                sets[value] = sets[value] | self.circuit.narrow(ended, literal)
        self.inner = self.inner | inner
        found = self.circuit.encoding.false
        for action in self.actions:
            self.work.tick()
            allowed = action.allow(inner)
            if allowed.satisfiable():
                found = found | action.image(allowed)
        self.frontier = found & ~self.states
        self.states = self.states | self.frontier
        count = self.states.sat_count(2 * self.circuit.encoding.width)
        count >>= self.circuit.encoding.width
        self.work.report(
            f"finding the states of {self.game.sheet.name} ({count:,} in {self.layers} layers)"
        )
        return True

    def finish(self, order: str, seconds: float) -> SymbolicSpace:
        def make(function: Function) -> StateSet:
            return StateSet(self.game, self.circuit.encoding, function)

        return SymbolicSpace(
            game=self.game,
            start=self.start,
            circuit=self.circuit,
            actions=tuple(self.actions),
            states=make(self.states),
            inner=make(self.inner),
            ends=tuple({v: make(s) for v, s in sets.items()} for sets in self.ends),
            layers=self.layers,
            order=order,
            seconds=seconds,
        )


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
