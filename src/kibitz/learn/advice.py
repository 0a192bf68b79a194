"""Learned program in; out the moves that it calls best, at a state or on a whole space.

A program has weak constraints on the next state, or `best_do` rules on this one, or both: then the
rules come first, and constraints decide where no rule applies.
"""

from __future__ import annotations

import re

import clingo
import numpy as np

from kibitz.engine import Move, Role, State
from kibitz.errors import InputError
from kibitz.gdl import RuleSheet
from kibitz.gdl.clingo import Names
from kibitz.learn.features import Facts
from kibitz.learn.preferences import Preferences, read_preferences
from kibitz.learn.solvers import Symbols
from kibitz.space import StateSpace
from kibitz.strategy import MoveSet
from kibitz.strategy.columns import columns_of

__all__ = ["Advice", "read_advice"]


class Advice:
    """What a learned program says about the states of a game."""

    def __init__(self, sheet: RuleSheet, rules: str, preferences: Preferences | None) -> None:
        self.sheet, self.rules, self.preferences = sheet, rules, preferences
        self.names = Names.of_sheet(sheet)
        self.symbols = Symbols(self.names)
        self.facts = Facts(sheet, preferences.background) if preferences else None

    def moves(self, state: State, role: Role) -> tuple[Move, ...]:
        """Give the moves that are best for a role; none where nothing is said."""
        if self.rules:
            told = self._told(state).get(role, frozenset())
            best = tuple(move for move in state.legal(role) if move in told)
            if best:
                return best
        if self.preferences is None:
            return ()
        return self.preferences.moves(state, role, self.facts)

    def _told(self, state: State) -> dict[Role, frozenset[Move]]:
        """Ask clingo which moves the rules call best."""
        control = clingo.Control(["--warn=none"], logger=lambda _code, _text: None)
        facts = "\n".join(f"true({self.names.term(fluent)})." for fluent in state.fluents)
        try:
            control.add("base", [], f"{facts}\n{self.rules}")
            control.ground([("base", [])])
        except RuntimeError as error:
            raise InputError(f"clingo cannot read these rules: {error}") from None
        told: dict[Role, set[Move]] = {}
        for atom in control.symbolic_atoms.by_signature("best_do", 2):
            role, move = map(self.symbols.read, atom.symbol.arguments)
            told.setdefault(role.name, set()).add(move)
        return {role: frozenset(moves) for role, moves in told.items()}

    def move_set(self, space: StateSpace, role: Role) -> MoveSet:
        """Give the moves that are best in each state where it is the role's turn."""
        if not self.rules and self.preferences is not None:
            return self.preferences.move_set(space, role)
        columns = columns_of(space)
        mine = columns.to_move(role)
        index = space.game.roles.index(role)
        chosen = np.zeros(space.edges, dtype=bool)
        for number in np.flatnonzero(mine):
            best = set(self.moves(space.state(int(number)), role))
            for edge in range(space.first_edge[number], space.first_edge[number + 1]):
                chosen[edge] = space.joint_moves[space.action[edge]][index] in best
        return MoveSet(space, role, chosen)


def read_advice(text: str, sheet: RuleSheet, *, name: str = "advice") -> Advice:
    """Read a learned program: rules for `best_do`, weak constraints, or both.

    >>> from kibitz.engine.compiled import CompiledGame
    >>> from kibitz.games import load
    >>> game = CompiledGame(load("nim:1,2"))
    >>> advice = read_advice("best_do(player1, reduce(b,1)) :- true(heap(b,2)).", game.sheet)
    >>> [str(move) for move in advice.moves(game.initial(), "player1")]
    ['(reduce b 1)']
    """
    if "#script" in text or "#include" in text:
        raise InputError(f"{name} has #script or #include", hint="learned programs need neither")
    has_rules = re.search(r"\bbest_do\s*\(", text) is not None
    preferences = read_preferences(text, name=name) if ":~" in text else None
    if not has_rules and preferences is None:
        raise InputError(
            f"{name} has neither best_do rules nor weak constraints",
            hint="kibitz learn tree --rules -o FILE.lp writes rules, learn constraints the other",
        )
    rules = re.sub(r":~.*?\]", "", text, flags=re.DOTALL) if has_rules else ""
    return Advice(sheet, rules, preferences)
