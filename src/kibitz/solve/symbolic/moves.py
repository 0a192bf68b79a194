"""Joint moves as operations on sets of states: image forwards, preimage backwards.

A joint move sets some bits to functions of the state before it, and keeps the others. Its preimage
substitutes those functions for the bits; its image relates each changed bit to its function,
quantifies the old bits and renames the new. Bits that a move sets to a constant need no relation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from oxidd.bcdd import BCDDSubstitution as Substitution
from oxidd.util import BooleanOperator

from kibitz.engine import Literal
from kibitz.errors import BudgetExceededError
from kibitz.solve.symbolic.circuit import Circuit
from kibitz.solve.symbolic.encoding import Function

__all__ = ["JointAction", "actions_of"]

_MOST = 1 << 14


@dataclass(frozen=True)
class JointAction:
    """What one joint move does.

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
