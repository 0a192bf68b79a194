"""Unroll a compiled game: positions whose fluents are gates, and those after their moves.

The network of the game is put in the place of its inputs again and again: a position has a literal
for each fluent, and a move, being constant, leaves few gates that are not there already. All gates
are over the fluents of the position that everything starts from.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import core
from kibitz.core import Struct
from kibitz.engine import FALSE, TRUE, CompiledGame, Literal, Network
from kibitz.errors import KibitzError
from kibitz.gdl import Function
from kibitz.space import turn_literals

Literals = npt.NDArray[np.int32]

_CHECKED = 2000
"""Parts of formulas that are looked at before the clock is read, which takes longer than a part."""
MOST_GATES = 1 << 22
MOST_POSITIONS = 200_000
"""How much is made for one player before it is too large."""
_MOST_JOINTS = 1 << 20
"""The most joint moves of one position that are walked."""


class NotCompilableError(KibitzError):
    """A strategy cannot become gates; the message says why."""


class Gates:
    """Gates over some inputs, each made once; literals are those of `engine.Network`."""

    def __init__(self, inputs: int, most: int = MOST_GATES) -> None:
        self.first = 1 + inputs
        # Memory that is never touched costs nothing.
        self.store = Struct(
            "gates", pairs=np.zeros((most, 2), dtype=np.int32), mask=2 * most - 1,
            table=np.zeros(2 * most, dtype=np.int32), first=self.first, most=most,
        )  # fmt: skip
        self._conjoin = partial(core.function("gates_conjoin").raw, self.store.address)

    def both(self, a: Literal, b: Literal) -> Literal:
        """Return the AND of two literals."""
        if a <= 1 or b <= 1:
            return FALSE if FALSE in (a, b) else max(a, b)
        made: int = self._conjoin(a, b)
        if made < 0:
            raise self.too_many()
        return made

    def substitute(
        self, values: Literals, before: Literals, cone: Literals, operands: Literals
    ) -> None:
        """Fill in the literals of a cone's nodes, in order, from those of its inputs.

        Nodes whose value is not known are -1; `before` has values of an earlier position.
        """
        places = self.store, values, before, cone, len(cone), operands
        if not core.function("gates_substitute")(*places):
            raise self.too_many()

    def cut_cone(self, literal: Literal) -> tuple[Literals, Literals]:
        """Return the gates that a literal depends on, in order, and a network of these alone."""
        marks = np.zeros(self.store.count, dtype=np.int32)
        total = core.function("gates_mark_cone")(self.store, literal, marks)
        cone = np.empty(total, dtype=np.int32)
        operands = np.zeros((self.first + total, 2), dtype=np.int32)
        core.function("gates_cut_cone")(self.store, literal, marks, cone, operands)
        return cone, operands

    def too_many(self) -> NotCompilableError:
        """Return the error that there is no room for more gates."""
        return NotCompilableError(f"it needs more than {self.store.most:,} gates")

    def either(self, a: Literal, b: Literal) -> Literal:
        """Return the OR of two literals."""
        return self.both(a ^ 1, b ^ 1) ^ 1

    def all(self, literals: Iterable[Literal]) -> Literal:
        """Return the AND of literals as a balanced tree."""
        level = sorted(set(literals))
        while len(level) > 1:
            pairs = zip(level[::2], level[1::2], strict=False)
            level = [self.both(a, b) for a, b in pairs] + level[len(level) & ~1 :]
        return level[0] if level else TRUE

    def any(self, literals: Iterable[Literal]) -> Literal:
        """Return the OR of literals as a balanced tree."""
        return self.all(literal ^ 1 for literal in literals) ^ 1

    def several(self, literals: Iterable[Literal]) -> Literal:
        """Return whether more than one of the literals holds."""
        one, two = FALSE, FALSE
        for literal in literals:
            two = self.either(two, self.both(one, literal))
            one = self.either(one, literal)
        return two

    def number(self, literals: Sequence[Literal]) -> list[Literal]:
        """Return how many literals hold, as bits, the lowest first.

        Halves are added, always the same ones, so that numbers of literals of which few differ
        share most gates.
        """
        if len(literals) < 2:
            return list(literals)
        middle = len(literals) // 2
        return self.add(self.number(literals[:middle]), self.number(literals[middle:]))

    def add(self, one: Sequence[Literal], other: Sequence[Literal]) -> list[Literal]:
        """Return the sum of two numbers as bits."""
        size = max(len(one), len(other))
        total: list[Literal] = []
        carry = FALSE
        for bit in range(size):
            a = one[bit] if bit < len(one) else FALSE
            b = other[bit] if bit < len(other) else FALSE
            differ = self.unlike(a, b)
            total.append(self.unlike(differ, carry))
            carry = self.either(self.both(a, b), self.both(differ, carry))
        return total if carry == FALSE else [*total, carry]

    def unlike(self, a: Literal, b: Literal) -> Literal:
        """Return whether exactly one of two literals holds."""
        return self.either(self.both(a, b ^ 1), self.both(a ^ 1, b))

    def at_least(self, count: int, literals: Sequence[Literal]) -> Literal:
        """Return whether at least a number of literals hold."""
        return self.reaches(self.number(literals), count)

    def reaches(self, bits: Sequence[Literal], count: int) -> Literal:
        """Return whether a number given as bits, the lowest first, is at least another one."""
        if count <= 0:
            return TRUE
        if count >> len(bits):
            return FALSE
        reached = TRUE
        for place, bit in enumerate(bits):
            asked = count >> place & 1
            reached = self.both(bit, reached) if asked else self.either(bit, reached)
        return reached


class Layer:
    """A network whose nodes are replaced by gates over other inputs."""

    def __init__(self, network: Network, gates: Gates) -> None:
        self.network, self.gates = network, gates
        first = network.first_gate
        self.nodes = first + len(network.gates)
        self.operands = np.zeros((self.nodes, 2), dtype=np.int32)
        if network.gates:
            self.operands[first:] = network.gates
        self._cones: dict[tuple[Literal, ...], Literals] = {}

    def cone(self, literals: tuple[Literal, ...]) -> Literals:
        """Return the gates that literals depend on, in order."""
        if literals not in self._cones:
            first = self.network.first_gate
            found: set[int] = set()
            stack = [literal >> 1 for literal in literals]
            while stack:
                node = stack.pop()
                if node >= first and node not in found:
                    found.add(node)
                    stack += [literal >> 1 for literal in self.network.gates[node - first]]
            self._cones[literals] = np.array(sorted(found), dtype=np.int32)
        return self._cones[literals]

    def fill(self, values: Literals, before: Literals, literals: tuple[Literal, ...]) -> Literals:
        """Return what literals of the network are, given those of its inputs."""
        cone = self.cone(literals)
        self.gates.substitute(values, before, cone, self.operands)
        asked = np.array(literals, dtype=np.int32)
        found: Literals = values[asked >> 1] ^ (asked & 1)
        return found


class Macro:
    """A gate over the fluents of one position, to be asked for in others."""

    def __init__(self, gates: Gates, literal: Literal) -> None:
        self.gates, self.literal = gates, literal
        self.cone, self.operands = gates.cut_cone(literal)
        self.order = np.arange(gates.first, gates.first + len(self.cone), dtype=np.int32)
        self.before = np.concatenate(
            [2 * np.arange(gates.first, dtype=np.int32), 2 * self.cone]
        ).astype(np.int32)

    def at(self, position: Position) -> Literal:
        """Return what the gate is in a position."""
        gates = self.gates
        if not len(self.cone):
            return int(position.values[self.literal >> 1]) ^ (self.literal & 1)
        values = np.full(len(self.operands), -1, dtype=np.int32)
        values[: gates.first] = position.values[: gates.first]
        gates.substitute(values, self.before, self.order, self.operands)
        return int(values[-1]) ^ (self.literal & 1)


class Position:
    """A position as gates: a literal for each fluent, and what follows from them when asked."""

    __slots__ = (
        "__weakref__",
        "_children",
        "_going_on",
        "_legal",
        "before",
        "cache",
        "game",
        "is_first",
        "values",
    )

    def __init__(
        self, game: UnrolledGame, fluents: Literals, before: Literals, *, is_first: bool
    ) -> None:
        self.game, self.before, self.is_first = game, before, is_first
        self.values = np.full(game.layer.nodes, -1, dtype=np.int32)
        self.values[0] = FALSE
        self.values[1 : 1 + len(fluents)] = fluents
        self.cache: dict[object, Any] = {}
        self._legal: dict[int, list[Literal]] = {}
        self._children: dict[tuple[int, ...], Position] = {}
        self._going_on: Literals | None = None

    def ask(self, literals: tuple[Literal, ...]) -> list[Literal]:
        """Return what literals of the game's network are here."""
        found: list[Literal] = self.game.layer.fill(self.values, self.before, literals).tolist()
        return found

    def fluent(self, index: int) -> Literal:
        """Return the literal of a fluent by its number in the network."""
        return int(self.values[1 + index])

    @property
    def terminal(self) -> Literal:
        """Return whether play has ended."""
        return self.ask((self.game.network.terminal,))[0]

    def legal(self, role: int) -> list[Literal]:
        """Return for each move of a role whether the rules allow it."""
        if role not in self._legal:
            self._legal[role] = self.ask(self.game.network.legal[role])
        return self._legal[role]

    def going_on(self) -> Literals:
        """Return what nodes are where play has not ended, as only then there is a next position.

        So lines that a move does not touch are not complete after it.
        """
        if self._going_on is None:
            self.ask((self.game.network.terminal,))
            self._going_on = self.values.copy()
            for node, value in self.game.while_going_on:
                self._going_on[node] = value
        return self._going_on

    def goes_on(self) -> Literal:
        """Return whether play has not ended, and every role has a move."""
        if "goes on" not in self.cache:
            gates = self.game.gates
            moves = [gates.any(self.legal(role)) for role in range(len(self.game.network.roles))]
            self.cache["goes on"] = gates.all([self.terminal ^ 1, *moves])
        return int(self.cache["goes on"])

    def joints(
        self, fixed: dict[int, int], *, goes_on: bool = False
    ) -> Iterator[tuple[tuple[int, ...], Literal]]:
        """Walk the joint moves that may be legal, with whether the moves not fixed are.

        With `goes_on`, play is known not to have ended.
        """
        options = [
            [(fixed[role], TRUE)]
            if role in fixed
            else [(move, here) for move, here in enumerate(self.legal(role)) if here != FALSE]
            for role in range(len(self.game.network.roles))
        ]
        if math.prod(map(len, options)) > _MOST_JOINTS:
            raise NotCompilableError("a position may have too many joint moves")
        for joint in product(*options):
            going_on = TRUE if goes_on else self.terminal ^ 1
            allowed = self.game.gates.all([going_on, *(here for _, here in joint)])
            if allowed != FALSE:
                yield tuple(move for move, _ in joint), allowed

    def after(self, joint: tuple[int, ...]) -> Position:
        """Return the position after a joint move."""
        found = self._children.get(joint)
        if found is None:
            game = self.game
            game.count_position()
            values = self.values.copy()
            values[game.network.first_move : game.network.first_gate] = FALSE
            for start, move in zip(game.starts, joint, strict=True):
                values[start + move] = TRUE
            fluents = game.layer.fill(values, values, game.network.next)
            found = Position(game, fluents, self.going_on(), is_first=False)
            if self.is_first:
                self._children[joint] = found
        return found


class UnrolledGame:
    """A game over gates, and positions that they start from."""

    def __init__(self, game: CompiledGame, most_gates: int = MOST_GATES) -> None:
        self.game = game
        self.network = network = game.network
        # The moves among the inputs are those that were made last.
        self.gates = Gates(network.first_gate - 1, most_gates)
        self.layer = Layer(network, self.gates)
        self.index = {fluent: i for i, fluent in enumerate(network.fluents)}
        self.hidden = {hidden.fluent: hidden.unless for hidden in network.hidden}
        self.starts: list[int] = []
        node = network.first_move
        for moves in network.moves:
            self.starts.append(node)
            node += len(moves)
        self.positions, self.most_positions = 0, MOST_POSITIONS
        self.parts, self.most_parts = 0, math.inf
        self.deadline = math.inf
        self._unchecked = 0
        self.turns = [turn_literals(network, role) for role in range(len(network.roles))]
        self.while_going_on = [
            (node, value)
            for node, value in network.implied(network.terminal ^ 1).items()
            if node >= network.first_gate
        ]
        self._first: dict[tuple[tuple[int, bool], ...], Position] = {}

    def first(self, known: dict[int, bool]) -> Position:
        """Return the position of the inputs, with the values of fluents that are known."""
        key = tuple(sorted(known.items()))
        if key not in self._first:
            fluents = 2 * (1 + np.arange(len(self.network.fluents), dtype=np.int32))
            for number, value in known.items():
                fluents[number] = int(value)
            nothing = np.full(self.layer.nodes, -1, dtype=np.int32)
            self._first[key] = Position(self, fluents, nothing, is_first=True)
        return self._first[key]

    def first_like(self, at: Position) -> Position:
        """Return the position of the inputs in which the same role has the turn, if known."""
        fluents = {fluent for turn in self.turns for fluent in turn}
        known = {i: bool(at.fluent(i)) for i in fluents if at.fluent(i) <= TRUE}
        return self.first(known)

    def count_position(self) -> None:
        """Count a position that is made, up to a limit."""
        self.positions += 1
        if self.positions > self.most_positions:
            raise NotCompilableError(f"it looks at more than {self.most_positions:,} positions")
        self._check_time(1)

    def count_parts(self, parts: int) -> None:
        """Count parts of formulas that are looked at, up to a limit."""
        self.parts += parts
        if self.parts > self.most_parts:
            raise NotCompilableError("it has too many parts")
        self._check_time(parts)

    def _check_time(self, parts: int) -> None:
        self._unchecked += parts
        if self._unchecked < _CHECKED:
            return
        self._unchecked = 0
        if time.thread_time() > self.deadline:
            raise NotCompilableError("there was no time for it")

    def stop_at(self, deadline: float) -> None:
        """Make nothing after a moment of the thread's clock, which the next part looks at."""
        self.deadline, self._unchecked = deadline, _CHECKED

    def holds(self, fluent: Function, at: Position) -> Literal:
        """Return whether a fluent holds."""
        if fluent in self.index:
            return at.fluent(self.index[fluent])
        if fluent in self.hidden:
            return self.gates.any(map(at.fluent, self.hidden[fluent])) ^ 1
        return FALSE
