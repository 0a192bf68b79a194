"""Learned program in; out the moves that it prefers, in a state or on a whole space.

A program has weak constraints on the next state, or `best_do` rules on this one, or both: then the
rules come first, and constraints decide where no rule applies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TypeVar

import clingo
import numpy as np
import numpy.typing as npt

from kibitz.budget import Budget, run_within
from kibitz.engine import CompiledGame, Game, Move, Role, State
from kibitz.errors import InputError
from kibitz.gdl import Function, Names
from kibitz.learn.minimax.clingo_queries import ClingoSymbols, fixed_clauses
from kibitz.learn.preferences.preferences import Facts, Preferences, preferences_of
from kibitz.learn.programs import Program, Relation, read_program
from kibitz.space import StateSpace
from kibitz.strategy import Decisions, MoveSet, Strategy, columns_of, read_strategy

T = TypeVar("T")

_VARIABLE = re.compile(r"\b_*[A-Z]\w*")
_WIDE = 6


class Advice:
    """The moves that a learned program recommends in the states of a game.

    A program may not terminate. With a budget it is evaluated in a child process within that
    budget.
    """

    def __init__(
        self,
        game: Game,
        rules: str,
        preferences: Preferences | None,
        *,
        name: str = "advice",
        budget: Budget | None = None,
    ) -> None:
        self.game, self.rules, self.preferences, self.name = game, rules, preferences, name
        self.budget = budget

    @cached_property
    def facts(self) -> Facts | None:
        """Facts of states, as far as the constraints need them; computed on first use."""
        preferences = self.preferences
        return Facts(self.game.sheet, preferences.background) if preferences else None

    @cached_property
    def rule_advice(self) -> _RuleAdvice | None:
        """Evaluator of the rules; grounded on first use."""
        return _RuleAdvice(self.game, self.rules) if self.rules else None

    def moves(self, state: State, role: Role) -> tuple[Move, ...]:
        """Return the best moves for a role; none where the program says nothing."""
        return self._within(lambda: self._moves(state, role))

    def _within(self, work: Callable[[], T]) -> T:
        if self.budget is None:
            return work()
        return run_within(self.budget, work, doing=f"evaluating {self.name}")

    def _moves(self, state: State, role: Role) -> tuple[Move, ...]:
        if self.rule_advice:
            recommended = self.rule_advice.moves(state, role)
            best = tuple(move for move in state.legal(role) if move in recommended)
            if best:
                return best
        if self.preferences is None:
            return ()
        return self.preferences.moves(state, role, self.facts)

    def on(self, space: StateSpace, role: Role) -> MoveSet:
        """Return the moves that are best in each state where it is the role's turn."""
        return self.decide(space, role).moves

    def decide(self, space: StateSpace, role: Role) -> Decisions:
        """Return these moves, and whether a rule (0) or constraints (1) decide in each state."""
        space.require_all_states(self.name)
        chosen, decider = self._within(lambda: self._decided(space, role))
        return Decisions(MoveSet(space, role, chosen), decider)

    def _decided(
        self, space: StateSpace, role: Role
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int32]]:
        """Return which edges are chosen, and what decides in each state."""
        columns = columns_of(space)
        chosen = np.zeros(space.edges, dtype=bool)
        decider = np.full(len(space), -1, dtype=np.int32)
        if self.rule_advice:
            index = space.game.roles.index(role)
            for number in np.flatnonzero(columns.to_move(role)):
                recommended = self.rule_advice.moves(space.state(int(number)), role)
                for edge in range(space.first_edge[number], space.first_edge[number + 1]):
                    chosen[edge] = space.joint_moves[space.action[edge]][index] in recommended
            decider[columns.source[chosen]] = 0
        if self.preferences is not None:
            open_ = columns.to_move(role) & (decider < 0)
            chosen |= self.preferences.move_set(space, role).chosen & open_[columns.source]
            decider[open_] = 1
        return chosen, decider


class _RuleAdvice:
    """Evaluator of `best_do` rules in states.

    Rules are grounded once with all fluents open, and clingo is asked about a state under
    assumptions. Rules with many variables have too many instances for that; clingo grounds these
    again for each state.
    """

    def __init__(self, game: Game, rules: str) -> None:
        self.rules = rules
        self.names = Names.of_sheet(game.sheet)
        self.symbols = ClingoSymbols(self.names)
        widest = max(len(set(_VARIABLE.findall(rule))) for rule in rules.split(".\n"))
        fluents: tuple[Function, ...] = ()
        if isinstance(game, CompiledGame) and widest <= _WIDE:
            fluents = (*game.network.fluents, *(hidden.fluent for hidden in game.network.hidden))
        self.fluents = frozenset(fluents)
        self.control = self._grounded("{{ true({}) }}.", fluents)
        atoms = self.control.symbolic_atoms
        self.literals = [
            (fluent, found.literal)
            for fluent in fluents
            if (found := atoms[clingo.Function("true", [self.symbols.write(fluent)])])
        ]
        self.best = self._best(self.control)

    def _grounded(self, form: str, fluents: Iterable[Function]) -> clingo.Control:
        control = clingo.Control(["--warn=none"], logger=lambda _code, _text: None)
        facts = "\n".join(form.format(self.names.term(fluent)) for fluent in fluents)
        try:
            control.add("base", [], f"{facts}\n{self.rules}")
            control.ground([("base", [])])
        except RuntimeError as error:
            raise InputError(f"clingo cannot read these rules: {error}") from None
        return control

    def _best(self, control: clingo.Control) -> list[tuple[int, Role, Move]]:
        found = []
        for atom in control.symbolic_atoms.by_signature("best_do", 2):
            role, move = map(self.symbols.read, atom.symbol.arguments)
            found.append((atom.literal, role.name, move))
        return found

    def moves(self, state: State, role: Role) -> frozenset[Move]:
        """Return the moves that the rules recommend to a role, legal or not."""
        holds = frozenset(state.fluents)
        if holds <= self.fluents:
            control, best = self.control, self.best
            assumptions = [lit if fluent in holds else -lit for fluent, lit in self.literals]
        else:
            control, assumptions = self._grounded("true({}).", holds), []
            best = self._best(control)
        with control.solve(assumptions=assumptions, yield_=True) as handle:
            model = handle.model()
            if model is None:
                return frozenset()
            return frozenset(m for lit, who, m in best if who == role and model.is_true(lit))


def read_advice(
    text: str, game: Game, *, name: str = "advice", budget: Budget | None = None
) -> Advice:
    """Read a learned program: rules for `best_do`, weak constraints, or both.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> advice = read_advice("best_do(player1, reduce(b,1)) :- true(heap(b,2)).", game)
    >>> [str(move) for move in advice.moves(game.initial(), "player1")]
    ['(reduce b 1)']
    """
    program = read_program(text, name=name)
    has_rules = "best_do" in program.defined
    if not has_rules and not program.constraints:
        raise InputError(
            f"{name} has neither best_do rules nor weak constraints",
            hint="kibitz learn tree --rules -o FILE.lp writes rules, learn constraints the other",
        )
    _check_defined(program, game, has_rules, name)
    return Advice(
        game,
        "\n".join(program.rules) if has_rules else "",
        preferences_of(program) if program.constraints else None,
        name=name,
        budget=budget,
    )


def _check_defined(program: Program, game: Game, has_rules: bool, name: str) -> None:
    """Raise an error for a relation that nothing defines, which would hold nowhere."""
    names = Names.of_sheet(game.sheet)
    known: set[Relation] = {("true", 1)} if has_rules else set()
    if program.constraints:
        fixed = {(c.head.relation, len(c.head.args)) for c in fixed_clauses(game.sheet)}
        known |= {("next", 1), *((names.relation(word), arity) for word, arity in fixed)}
    for (word, arity), line in program.asked.items():
        if (word, arity) not in known:
            usable = ", ".join(f"{one}/{count}" for one, count in sorted(known))
            raise InputError(
                f"{name}:{line}: nothing defines {word}/{arity}, so it never holds",
                hint=f"define it by a rule; the program may ask for {usable}",
            )


def read_any(
    text: str,
    game: Game,
    *,
    name: str = "strategy",
    part: str | None = None,
    budget: Budget | None = None,
) -> Strategy | Advice:
    """Read a strategy by the suffix of its name: a learned program if it is .lp.

    >>> from kibitz.engine.compiled.game import CompiledGame
    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> texts = {"mine.lp": ":~ next(heap(b,2)). [1@1]", "mine.strategy": "true => (reduce b 1)"}
    >>> [str(read_any(t, game, name=n).moves(game.initial(), "player1")[0]) for n, t in
    ...  texts.items()]
    ['(reduce b 0)', '(reduce b 1)']
    """
    if not name.endswith(".lp"):
        return read_strategy(text, game, name=name, part=part)
    if part is not None:
        raise InputError(f"{name} defines no parts", hint=f"give {name} alone")
    return read_advice(text, game, name=name, budget=budget)
