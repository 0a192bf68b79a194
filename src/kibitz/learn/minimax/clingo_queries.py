"""Query clingo about a game: successors, and best matches.

Both programs are grounded once. A question is a solve under assumptions, which takes microseconds;
grounding again would take milliseconds. The best match is found by asking for one with the highest
goal, then the next, and so on: there are few goals, and a yes or no is cheaper than optimising.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import clingo
import numpy as np

from kibitz.engine import CompiledGame, Game, Move, Role, State, ground
from kibitz.errors import BudgetExceededError, KibitzError
from kibitz.gdl import (
    Clause,
    Function,
    Names,
    RuleSheet,
    Term,
    Variable,
    clauses_of,
    explicit_time_program,
    one_step_program,
    timed_relations,
    write_clause,
)
from kibitz.space import Limits, explore, longest_matches
from kibitz.strategy import columns_of


def fixed_clauses(sheet: RuleSheet) -> tuple[Clause, ...]:
    """Return the clauses of relations that are the same in all states and certainly finite.

    Relations that build terms and depend on themselves are left out.

    >>> from kibitz.games import load_sheet
    >>> sorted({clause.head.relation for clause in fixed_clauses(load_sheet("marks"))})
    ['cell', 'in_line', 'other', 'role']
    """
    clauses = clauses_of(sheet)
    timed = timed_relations(clauses) | {"init", "base", "input"}
    below = _below(clauses)
    builders = {
        clause.head.relation
        for clause in clauses
        if any(isinstance(arg, Function) and _has_variable(arg) for arg in clause.head.args)
    }
    endless = {name for name in below if any(b in builders and b in below[b] for b in below[name])}
    return tuple(
        clause
        for clause in clauses
        if clause.head.relation not in timed and clause.head.relation not in endless
    )


def static_program(sheet: RuleSheet, names: Names) -> str:
    """Write them for clingo."""
    return "\n".join(write_clause(clause, names) for clause in fixed_clauses(sheet))


def _below(clauses: Sequence[Clause]) -> dict[str, set[str]]:
    """Find what each relation depends on, itself only if it is recursive."""
    below: dict[str, set[str]] = {}
    for clause in clauses:
        used = {atom.relation for atom in (*clause.positive, *clause.negative)}
        below.setdefault(clause.head.relation, set()).update(used)
    while True:
        size = sum(map(len, below.values()))
        for name, used in below.items():
            below[name] = used.union(*(below.get(other, set()) for other in used))
        if sum(map(len, below.values())) == size:
            return below


def _has_variable(term: Term) -> bool:
    if isinstance(term, Variable):
        return True
    return any(map(_has_variable, term.args))


Fluents = frozenset[Function]
_LONGEST = 4096
_LIMITS = Limits(states=5_000_000, seconds=30)


@dataclass(frozen=True, slots=True)
class Successor:
    """A joint move from a state, and the fluents of the state after it."""

    joint: tuple[Move, ...]
    fluents: Fluents


class ClingoSymbols:
    """Turns terms into clingo's symbols and back.

    >>> symbols = ClingoSymbols(Names.of(["X"]))
    >>> symbols.write(Function("cell", (Function("X"), Function("3"))))
    Function('cell', [Function('n_X', [], True), Number(3)], True)
    >>> print(symbols.read(symbols.write(Function("X"))))
    X
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.original = {new: old for old, new in names.written.items()}
        self.known: dict[clingo.Symbol, Function] = {}

    def read(self, symbol: clingo.Symbol) -> Function:
        """Read a symbol as a term."""
        found = self.known.get(symbol)
        if found is None:
            if symbol.type == clingo.SymbolType.Number:
                found = Function(str(symbol.number))
            else:
                name = self.original.get(symbol.name, symbol.name)
                found = Function(name, tuple(map(self.read, symbol.arguments)))
            self.known[symbol] = found
        return found

    def write(self, term: Term) -> clingo.Symbol:
        """Make a symbol of a ground term."""
        return clingo.parse_term(self.names.term(term))


def _control(*options: str) -> clingo.Control:
    return clingo.Control(["--warn=none", *options], logger=lambda _code, _text: None)


class Successors:
    """Gives everything that can follow a state, one answer set for each joint move."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.names = Names.of_sheet(game.sheet)
        self.symbols = ClingoSymbols(self.names)
        self.fluents = _all_fluents(game.sheet)
        self.control = _control("--models=0")
        facts = "\n".join(f"{{ true({self.names.term(f)}) }}." for f in self.fluents)
        shown = "#show next/1. #show does/2."
        self.control.add(
            "base", [], f"{one_step_program(game.sheet, self.names)}\n{facts}\n{shown}"
        )
        self.control.ground([("base", [])])
        atoms = self.control.symbolic_atoms
        self.literal = {}
        for fluent in self.fluents:
            found = atoms[clingo.Function("true", [self.symbols.write(fluent)])]
            if found is not None:
                self.literal[fluent] = found.literal
        self.known: dict[Fluents, tuple[Successor, ...]] = {}

    def of(self, state: State) -> tuple[Successor, ...]:
        """Return the choices in a state, in the order of their text."""
        fluents = frozenset(state.fluents)
        if fluents not in self.known:
            self.known[fluents] = self._ask(fluents)
        return self.known[fluents]

    def _ask(self, fluents: Fluents) -> tuple[Successor, ...]:
        assumptions = [
            literal if fluent in fluents else -literal for fluent, literal in self.literal.items()
        ]
        choices = []
        with self.control.solve(assumptions=assumptions, yield_=True) as handle:
            for model in handle:
                does: dict[str, Move] = {}
                after = []
                for symbol in model.symbols(shown=True):
                    term = self.symbols.read(symbol.arguments[-1])
                    if symbol.name == "next":
                        after.append(term)
                    else:
                        does[str(self.symbols.read(symbol.arguments[0]))] = term
                if does:
                    joint = tuple(does[role] for role in self.game.roles)
                    choices.append(Successor(joint, frozenset(after)))
        return tuple(sorted(choices, key=lambda choice: tuple(map(str, choice.joint))))


def _all_fluents(sheet: RuleSheet) -> tuple[Function, ...]:
    network = ground(sheet).network
    return (*network.fluents, *(hidden.fluent for hidden in network.hidden))


def find_horizon(game: Game, state: State) -> int:
    """Find how long the longest match from a state is; raise KibitzError where there is none.

    Uses the reachable states where these can be listed. Otherwise it asks clingo for a match that
    is not over after some moves, doubling the number until there is none.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> find_horizon(game, game.initial())
    3
    """
    if state.is_terminal:
        return 0
    if isinstance(game, CompiledGame):
        space = explore(game, starts=[state], limits=_LIMITS)
        if space.is_complete:
            longest = int(longest_matches(space)[0])
            if longest < 0:
                raise _endless(game.sheet)
            return longest
    fluents = sorted(state.fluents, key=str)
    high = 1
    while _goes_on(game.sheet, fluents, high):
        high *= 2
        if high > _LONGEST:
            raise _endless(game.sheet)
    low = high // 2
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if _goes_on(game.sheet, fluents, middle) else (low, middle)
    return high


def has_fixed_size(game: Game, state: State) -> bool:
    """Return whether all states that follow are known to have as many fluents as this one.

    Then the fluents that hold in a state identify it, without those that do not hold.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2"))
    >>> has_fixed_size(game, game.initial())
    True
    """
    if not isinstance(game, CompiledGame):
        return False
    space = explore(game, starts=[state], limits=_LIMITS)
    columns = columns_of(space)
    sizes = np.zeros(len(space), dtype=np.int64)
    for fluent in _all_fluents(game.sheet):
        sizes += columns.fluent(fluent)
    return space.is_complete and bool((sizes == sizes[0]).all())


def _endless(sheet: RuleSheet) -> KibitzError:
    return BudgetExceededError(
        f"{sheet.name} has matches that are very long or have no end",
        hint="give the longest that counts with --horizon",
        options=["--horizon"],
    )


def _goes_on(sheet: RuleSheet, fluents: list[Function], moves: int) -> bool:
    """Return whether some match is not over after a number of moves."""
    control = _control()
    control.add("base", [], explicit_time_program(sheet, fluents, moves, must_end=False))
    control.add("base", [], f":- not on({moves}). :- terminal({moves}).")
    control.ground([("base", [])])
    return bool(control.solve().satisfiable)


@dataclass(frozen=True, slots=True)
class Matched:
    """A match that clingo found: its joint moves, and the first role's goal at its end."""

    joints: tuple[tuple[Move, ...], ...]
    goal: int


class BestMatches:
    """Finds matches from a state that maximise or minimise the first role's goal."""

    def __init__(
        self, game: Game, state: State, *, horizon: int | None = None, seed: int | None = None
    ) -> None:
        self.game, self.start = game, frozenset(state.fluents)
        self.names = Names.of_sheet(game.sheet)
        self.symbols = ClingoSymbols(self.names)
        self.horizon = horizon or find_horizon(game, state)
        luck = () if seed is None else (f"--seed={seed}", "--rand-freq=0.1", "--sign-def=rnd")
        self.control = _control(*luck)
        first = self.names.term(Function(game.roles[0]))
        fluents = sorted(self.start, key=str)
        self.control.add(
            "base",
            [],
            explicit_time_program(game.sheet, fluents, self.horizon, self.names)
            + f"\nended(V) :- goal({first},V,T), terminal(T). #show does/3.",
        )
        self.control.ground([("base", [])])
        self.calls = 0
        atoms = self.control.symbolic_atoms
        self.goals = sorted(
            (atom.symbol.arguments[0].number, atom.literal)
            for atom in atoms.by_signature("ended", 1)
        )
        self.literal: dict[tuple[int, Role, Move], int] = {}
        self.made: dict[clingo.Symbol, tuple[int, int, Move]] = {}
        roles = {self.symbols.write(Function(r)): i for i, r in enumerate(game.roles)}
        for atom in atoms.by_signature("does", 3):
            role, move, time = atom.symbol.arguments
            made = self.symbols.read(move)
            self.made[atom.symbol] = (time.number, roles[role], made)
            self.literal[time.number, game.roles[roles[role]], made] = atom.literal

    def require(self, name: str, text: str) -> None:
        """Add constraints that hold while their name is not withdrawn."""
        self.control.add(name, [], f"#external use_{name}.\n{text}")
        self.control.ground([(name, [])])
        self.control.assign_external(clingo.Function(f"use_{name}"), True)

    def withdraw(self, name: str) -> None:
        """Withdraw constraints."""
        self.control.release_external(clingo.Function(f"use_{name}"))

    def find(
        self,
        prefix: Sequence[tuple[Move, ...]],
        *,
        barred: Sequence[tuple[int, Role, Move]] = (),
        upwards: bool,
    ) -> Matched | None:
        """Find the best match that begins with some joint moves and avoids some moves.

        `barred` are moves that a role must not make at a time. None where no match remains.
        """
        assumptions = [
            self._does(time, role, move)
            for time, joint in enumerate(prefix)
            for role, move in zip(self.game.roles, joint, strict=True)
        ]
        assumptions += [-self._does(*choice) for choice in barred]
        self.calls += 1
        for goal, literal in reversed(self.goals) if upwards else self.goals:
            with self.control.solve(assumptions=[*assumptions, literal], yield_=True) as handle:
                model = handle.model()
                if model is not None:
                    return Matched(self._read(model), goal)
        return None

    def _does(self, time: int, role: Role, move: Move) -> int:
        if (time, role, move) not in self.literal:
            raise KibitzError(f"{move} can never be made by {role} in move {time + 1}")
        return self.literal[time, role, move]

    def _read(self, model: clingo.Model) -> tuple[tuple[Move, ...], ...]:
        joints: dict[int, dict[int, Move]] = {}
        for symbol in model.symbols(shown=True):
            time, role, move = self.made[symbol]
            joints.setdefault(time, {})[role] = move
        roles = range(len(self.game.roles))
        return tuple(tuple(joints[t][role] for role in roles) for t in range(len(joints)))
