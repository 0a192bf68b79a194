"""The gates of a Network and its joint moves as decision diagrams, and sets of states.

The end of many games has a diagram that is exponential in the size of the board, though the end
among the states of one layer has a small one. So gates are kept as diagrams only up to a size.
Beyond it a set is narrowed by walking down the gates: to X and (a and b) by narrowing X first by a
and then by b, and to X and not g by removing what g would keep.

A joint move sets some bits to functions of the state before it, and keeps the others. Its preimage
substitutes those functions for the bits; its image relates each changed bit to its function,
quantifies the old bits and renames the new. Bits that a move sets to a constant need no relation.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress

import numpy as np
import numpy.typing as npt
from oxidd.bcdd import BCDDFunction as Function, BCDDSubstitution as Substitution
from oxidd.util import BooleanOperator

from kibitz.engine import CompiledGame, Literal, Network, State
from kibitz.errors import BudgetExceededError, InputError
from kibitz.rows import row_words, sort_rows
from kibitz.solve.symbolic.encoding import Encoding, Work

Rows = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class StateSet:
    """States of a game; those of one space can be joined by | & - and compared."""

    game: CompiledGame = field(repr=False)
    encoding: Encoding = field(repr=False)
    function: Function = field(repr=False)

    @cached_property
    def count(self) -> int:
        """How many states there are, exactly."""
        width = self.encoding.width
        return self.function.sat_count(2 * width) >> width

    @property
    def nodes(self) -> int:
        """How many nodes the diagram has."""
        return self.function.node_count()

    def __bool__(self) -> bool:
        return self.function.satisfiable()

    def __contains__(self, state: State) -> bool:
        assert isinstance(state.key, int)
        bits = self.encoding.assignment(state.key)
        if bits is None:
            return False
        return self.function.eval((self.encoding.variable(i), bit) for i, bit in enumerate(bits))

    def __or__(self, other: StateSet) -> StateSet:
        return self._with(self.function | other.function)

    def __and__(self, other: StateSet) -> StateSet:
        return self._with(self.function & other.function)

    def __sub__(self, other: StateSet) -> StateSet:
        return self._with(self.function & ~other.function)

    def _with(self, function: Function) -> StateSet:
        return StateSet(self.game, self.encoding, function)

    def including(self, states: Iterable[State]) -> StateSet:
        """Return the set with some more states."""
        sets = [self.function]
        for state in states:
            assert isinstance(state.key, int)
            sets.append(self.encoding.cube(state.key))
        while len(sets) > 1:
            sets = [
                sets[i] | sets[i + 1] if i + 1 < len(sets) else sets[i]
                for i in range(0, len(sets), 2)
            ]
        return self._with(sets[0])

    def sample(self, count: int, *, seed: int = 0) -> list[State]:
        """Draw different states, each as likely as any other; all of them if there are no more.

        States are numbered by the diagram and numbers are drawn, so the chances are exact.
        """
        flat = self._flat
        total = flat.below(flat.root, 0)
        if count < 0:
            raise InputError(f"{count} states cannot be drawn")
        if count >= total:
            ranks: Iterable[int] = range(total)
        else:
            source = random.Random(seed)
            drawn: dict[int, None] = {}
            while len(drawn) < count:
                drawn[source.randrange(total)] = None
            ranks = drawn
        return [State(self.game, self._key(flat.unrank(rank))) for rank in ranks]

    def _key(self, bits: list[bool]) -> int:
        key = 0
        for unit, first in zip(self.encoding.units, self.encoding.first_bits, strict=True):
            code = sum(bits[first + place] << place for place in range(unit.width))
            if code in unit.codes:
                key |= 1 << unit.fluents[unit.codes.index(code)]
        return key

    def rows(self) -> Rows:
        """List all states, one row for each, in the form of `StateSpace.states` and sorted."""
        words = row_words(len(self.game.network.fluents))
        codes = self._flat.codes()
        rows = np.zeros((len(codes), words), dtype=np.uint64)
        one = np.uint64(1)
        for unit, first in zip(self.encoding.units, self.encoding.first_bits, strict=True):
            code = np.zeros(len(codes), dtype=np.uint64)
            for place in range(unit.width):
                bit = first + place
                code |= (codes[:, bit // 64] >> np.uint64(bit % 64) & one) << np.uint64(place)
            for fluent, value in zip(unit.fluents, unit.codes, strict=True):
                holds = (code == value).astype(np.uint64)
                rows[:, fluent // 64] |= holds << np.uint64(fluent % 64)
        return sort_rows(rows)

    @cached_property
    def _flat(self) -> _Flat:
        return _Flat(self.function, self.encoding.width)


class _Flat:
    """A diagram as lists, children before parents; 0 is the empty set and 1 is everything.

    `counts[n]` are the states below node n, over the bits from `bits[n]` on.
    """

    def __init__(self, function: Function, width: int) -> None:
        self.width = width
        self.bits = [width, width]
        self.children = [(0, 0), (1, 1)]
        self.counts = [0, 1]
        self.root = self._add(function)

    def _add(self, function: Function) -> int:
        known: dict[Function, int] = {}
        stack = [function]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            both = top.cofactors()
            if both is None:
                known[top] = int(top.satisfiable())
                stack.pop()
                continue
            missing = [child for child in both if child not in known]
            if missing:
                stack += missing
                continue
            high, low = known[both[0]], known[both[1]]
            level = top.node_var()
            assert level is not None
            bit = level // 2
            count = self.below(low, bit + 1) + self.below(high, bit + 1)
            known[top] = len(self.bits)
            self.bits.append(bit)
            self.children.append((low, high))
            self.counts.append(count)
            stack.pop()
        return known[function]

    def below(self, node: int, bit: int) -> int:
        """Count the states below a node over the bits from `bit` on."""
        return self.counts[node] << self.bits[node] - bit

    def unrank(self, rank: int) -> list[bool]:
        """Return the bits of the state with this number."""
        bits = [False] * self.width
        node = self.root
        for at in range(self.width):
            low, high = self.children[node] if self.bits[node] == at else (node, node)
            size = self.below(low, at + 1)
            bits[at] = rank >= size
            rank, node = (rank - size, high) if bits[at] else (rank, low)
        return bits

    def codes(self) -> Rows:
        """List the bits of all states."""
        words = row_words(self.width)
        if self.root == 0:
            return np.zeros((0, words), dtype=np.uint64)
        begun: dict[int, list[Rows]] = {self.root: [np.zeros((1, words), dtype=np.uint64)]}
        for bit in range(self.width):
            after: dict[int, list[Rows]] = {}
            for node, parts in begun.items():
                low, high = self.children[node] if self.bits[node] == bit else (node, node)
                rows = np.concatenate(parts)
                if low:
                    after.setdefault(low, []).append(rows)
                if high:
                    rows = rows.copy() if low else rows
                    rows[:, bit // 64] |= np.uint64(1 << bit % 64)
                    after.setdefault(high, []).append(rows)
            begun = after
        return np.concatenate([part for parts in begun.values() for part in parts])


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


_MOST = 1 << 14


@dataclass(frozen=True)
class JointAction:
    """Effect of one joint move.

    `moves` are the moves of the roles by index, `legal` their literals, and `condition` all of
    them where that is small.
    """

    circuit: Circuit
    moves: tuple[int, ...]
    legal: tuple[Literal, ...]
    condition: Function | None
    back: Substitution
    forgotten: Function
    constants: Function
    relation: Function | None
    renaming: Substitution | None

    def allow(self, states: Function) -> Function:
        """Keep the states in which the joint move is legal."""
        if self.condition is not None:
            return states & self.condition
        for literal in self.legal:
            states = self.circuit.narrow(states, literal)
        return states

    def image(self, states: Function) -> Function:
        """Return the states that the move leads to; it must be legal in all of the given ones."""
        if self.relation is None or self.renaming is None:
            return states.exists(self.forgotten) & self.constants
        both = states.apply_exists(BooleanOperator.AND, self.relation, self.forgotten)
        return both.substitute(self.renaming) & self.constants

    def preimage(self, states: Function) -> Function:
        """Return the states, legal or not, from which the move would lead into the given ones."""
        return states.substitute(self.back)


def actions_of(circuit: Circuit) -> list[JointAction]:
    """Make all joint moves that are legal in some state that respects the exclusive groups."""
    actions = []
    for moves, condition in _joints(circuit):
        circuit.work.tick()
        actions.append(_action(circuit, moves, condition))
        if len(actions) > _MOST:
            raise BudgetExceededError(f"there are more than {_MOST:,} joint moves")
    return actions


def _joints(circuit: Circuit) -> Iterator[tuple[tuple[int, ...], Function | None]]:
    """Walk through one move for each role, as long as they can be legal together."""
    legal = circuit.network.legal

    def walk(
        moves: tuple[int, ...], known: Function, is_known: bool
    ) -> Iterator[tuple[tuple[int, ...], Function | None]]:
        if len(moves) == len(legal):
            yield moves, known if is_known else None
            return
        for index, literal in enumerate(legal[len(moves)]):
            value = circuit.value(literal)
            here = known if value is None else known & value
            if here.satisfiable():
                yield from walk((*moves, index), here, is_known and value is not None)

    valid = circuit.encoding.valid
    for moves, condition in walk((), valid, True):
        if condition is not None:
            # Without the groups it is smaller, and every set it is used on respects them.
            condition = circuit.encoding.true
            for role, index in enumerate(moves):
                value = circuit.value(legal[role][index])
                assert value is not None
                condition = condition & value
        yield moves, condition


def _action(circuit: Circuit, moves: tuple[int, ...], condition: Function | None) -> JointAction:
    encoding = circuit.encoding
    care = encoding.true if condition is None else condition
    changed = []
    forgotten, constants = encoding.true, encoding.true
    relation: Function | None = None
    renamed = []
    for bit, value in reversed(list(enumerate(circuit.step(moves)))):
        now = encoding.now[bit]
        if value == now or not (care & (value ^ now)).satisfiable():
            continue
        forgotten = forgotten & now
        if not (care & value).satisfiable():
            constants, value = constants & ~now, encoding.false
        elif not (care & ~value).satisfiable():
            constants, value = constants & now, encoding.true
        else:
            tie = encoding.after[bit].equiv(value)
            relation = tie if relation is None else relation & tie
            renamed.append((encoding.variable_after(bit), now))
        changed.append((encoding.variable(bit), value))
    return JointAction(
        circuit=circuit,
        moves=moves,
        legal=tuple(circuit.network.legal[role][index] for role, index in enumerate(moves)),
        condition=condition,
        back=Function.make_substitution(changed),
        forgotten=forgotten,
        constants=constants,
        relation=relation,
        renaming=Function.make_substitution(renamed) if renamed else None,
    )
