"""Evaluate preferences: weak constraints on the state after a move, by feature counts.

clingo joins the conjunctions once, over all atoms that hold in any of the states. An instance is a
few atoms, each of which is a column of truth values over the states; the count in a state is a sum
of ANDs of columns.

As text they are a program for clingo; given a state as `next/1` facts and the fixed relations of
the game, its cost is what the constraints say (paper 004, figures 16 to 18).
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

import clingo
import numpy as np
import numpy.typing as npt

from kibitz.engine import Move, Role, State
from kibitz.errors import InputError
from kibitz.gdl import Function, Names, RuleSheet
from kibitz.learn.minimax.clingo_queries import ClingoSymbols, static_program
from kibitz.learn.preferences.bias import Body
from kibitz.learn.programs import Program, read_program
from kibitz.space import StateSpace
from kibitz.strategy import MoveSet, columns_of, fluent_columns

K = TypeVar("K")

Counts = npt.NDArray[np.int32]
Columns = dict[clingo.Symbol, npt.NDArray[np.bool_]]
"""In which of some states each atom holds."""


def _solver(program: str, observer: clingo.Observer | None = None) -> clingo.Control:
    lines: list[str] = []
    control = clingo.Control(["--warn=none"], logger=lambda _code, text: lines.append(text))
    if observer:
        control.register_observer(observer)
    try:
        control.add("base", [], program)
        control.ground([("base", [])])
    except RuntimeError as error:
        raise InputError(f"clingo cannot read this: {(lines or [str(error)])[0].strip()}") from None
    return control


class Facts:
    """Facts of a game's states: fluents as `next/1`, fixed relations, and atoms that rules add."""

    def __init__(self, sheet: RuleSheet, background: str = "") -> None:
        self.sheet = sheet
        self.names = Names.of_sheet(sheet)
        self.symbols = ClingoSymbols(self.names)
        is_fixed = re.search(r"\bnext\s*\(", background) is None
        self.background = "" if is_fixed else background
        fixed = _solver(f"{static_program(sheet, self.names)}\n{background if is_fixed else ''}")
        self.fixed = frozenset(
            atom.symbol for atom in fixed.symbolic_atoms if atom.is_fact or atom.literal
        )
        self.fixed_text = "\n".join(f"{symbol}." for symbol in sorted(self.fixed))
        self.known: dict[Function, clingo.Symbol] = {}
        self.rules: _Rules | None = None

    def fluent(self, fluent: Function) -> clingo.Symbol:
        """Return the atom that says that a fluent holds in the next state."""
        if fluent not in self.known:
            self.known[fluent] = clingo.Function("next", [self.symbols.write(fluent)])
        return self.known[fluent]

    def columns(self, states: Sequence[Iterable[Function]]) -> Columns:
        """Return in which of the states each atom holds."""
        columns: Columns = {}
        for number, fluents in enumerate(states):
            for fluent in fluents:
                atom = self.fluent(fluent)
                if atom not in columns:
                    columns[atom] = np.zeros(len(states), dtype=bool)
                columns[atom][number] = True
        return self.complete(columns, len(states))

    def complete(self, columns: Columns, count: int) -> Columns:
        """Add what holds everywhere, and what the rules derive, to the columns of fluents."""
        columns |= dict.fromkeys(self.fixed, np.ones(count, dtype=bool))
        if self.background.strip():
            columns |= self._derived(columns, count)
        return columns

    def _derived(self, columns: Columns, count: int) -> Columns:
        """Return what the rules derive in each state.

        They are grounded with all fluents seen so far left open.
        """
        if self.rules is None or not self.rules.fluents.keys() >= columns.keys() - self.fixed:
            known = self.rules.fluents.keys() if self.rules else set()
            self.rules = _Rules(
                self.fixed_text, self.background, known | columns.keys(), self.fixed
            )
        nowhere = np.zeros(count, dtype=bool)
        held = {
            literal: columns.get(fluent, nowhere) for fluent, literal in self.rules.fluents.items()
        }
        if self.rules.order is None:
            return self.rules.solve(held, count)
        return self.rules.evaluate(held, count)


_Held = dict[int, npt.NDArray[np.bool_]]
"""In which of some states the atoms of a ground program hold, by their literals."""


class _Rules:
    """Rules of a background, grounded once with fluents left open."""

    def __init__(
        self,
        fixed_text: str,
        background: str,
        atoms: Set[clingo.Symbol],
        fixed: Set[clingo.Symbol],
    ) -> None:
        fluents = sorted(atoms - fixed)
        choices = "\n".join(f"{{ {atom} }}." for atom in fluents)
        self.ground = _Ground()
        self.control = _solver(f"{fixed_text}\n{choices}\n{background}", self.ground)
        known = self.control.symbolic_atoms
        self.fluents = {atom: found.literal for atom in fluents if (found := known[atom])}
        self.more = [
            (atom.literal, atom.symbol)
            for atom in known
            if atom.literal and atom.symbol not in self.fluents and atom.symbol not in fixed
        ]
        self.order = self.ground.order(set(self.fluents.values()))

    def evaluate(self, held: _Held, count: int) -> Columns:
        """Derive, for all states at once, rule by rule in the order of their dependencies."""
        nowhere, everywhere = np.zeros(count, dtype=bool), np.ones(count, dtype=bool)
        for atom in self.order or ():
            if atom in held:
                continue
            column = nowhere
            for body in self.ground.bodies.get(atom, ()):
                both = everywhere
                for literal in body:
                    both = both & (held[literal] if literal > 0 else ~held[-literal])
                column = column | both
            held[atom] = column
        return {symbol: held.get(literal, nowhere) for literal, symbol in self.more}

    def solve(self, held: _Held, count: int) -> Columns:
        """Ask clingo in each state."""
        found: Columns = {}
        table = np.array([np.where(column, atom, -atom) for atom, column in held.items()])
        for number in range(count):
            for symbol in self._hold(table.reshape(-1, count)[:, number].tolist()):
                if symbol not in found:
                    found[symbol] = np.zeros(count, dtype=bool)
                found[symbol][number] = True
        return found

    def _hold(self, assumptions: Sequence[int]) -> list[clingo.Symbol]:
        with self.control.solve(assumptions=assumptions, yield_=True) as handle:
            model = handle.model()
            if model is None:
                return []
            return [symbol for literal, symbol in self.more if model.is_true(literal)]


class _Ground(clingo.Observer):
    """Observes the grounder: the bodies that derive each atom."""

    def __init__(self) -> None:
        self.bodies: dict[int, list[Sequence[int]]] = defaultdict(list)
        self.open: set[int] = set()
        self.is_plain = True

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Record a rule; choice rules and constraints are left to clingo."""
        if choice and not body:
            self.open.update(head)
        elif choice or len(head) != 1:
            self.is_plain = False
        else:
            self.bodies[head[0]].append(tuple(body))

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        """Leave weight rules to clingo."""
        self.is_plain = False

    def order(self, fluents: Set[int]) -> list[int] | None:
        """Return the atoms, each after those that it needs; None where there is no such order."""
        if not self.is_plain or not self.open <= fluents:
            return None
        needs = {
            atom: {abs(literal) for body in bodies for literal in body}
            for atom, bodies in self.bodies.items()
        }
        try:
            return list(TopologicalSorter(needs).static_order())
        except CycleError:
            return None


def counts(bodies: Sequence[Body], columns: Columns, states: int) -> Counts:
    """Count the instances of each conjunction in each state: a row for each state."""
    joins = _Joins(columns)
    found = np.zeros((states, len(bodies)), dtype=np.int32, order="F")
    for which, values, _ in joins.instances(bodies, [()] * len(bodies)):
        column = joins.column(bodies[which], values)
        found[:, which] += 1 if column is None else column
    return found


def count_tuples(
    bodies: Sequence[Body],
    terms: Sequence[Sequence[str]],
    kinds: Sequence[K],
    columns: Columns,
    states: int,
) -> dict[K, npt.NDArray[np.int64]]:
    """Count in each state, for each kind, the different tuples of terms that conjunctions give.

    As in clingo, a tuple counts once for a kind, however many instances give it.
    """
    joins = _Joins(columns)
    given: dict[tuple[K, clingo.Symbol], list[tuple[int, Sequence[clingo.Symbol]]]] = {}
    for which, values, named in joins.instances(bodies, terms):
        given.setdefault((kinds[which], named), []).append((which, values))
    found = {kind: np.zeros(states, dtype=np.int64) for kind in kinds}
    for (kind, _), instances in given.items():
        holds = np.zeros(states, dtype=bool)
        for which, values in instances:
            column = joins.column(bodies[which], values)
            holds |= True if column is None else column
        found[kind] += holds
    return found


class _Joins:
    """Instances of conjunctions over all atoms that hold in any of some states."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.everywhere = {atom for atom, column in columns.items() if column.all()}
        self.literals: dict[str, _Literal] = {}

    def instances(
        self, bodies: Sequence[Body], terms: Sequence[Sequence[str]]
    ) -> Iterator[tuple[int, Sequence[clingo.Symbol], clingo.Symbol]]:
        """Return each instance: its body, the values of its variables, and its terms."""
        lines = [f"{atom}." for atom, column in self.columns.items() if column.any()]
        for number, (body, named) in enumerate(zip(bodies, terms, strict=True)):
            # One more term keeps a tuple a tuple, whatever the number of the others.
            values, tuple_ = (",".join([*part, "end"]) for part in (body.variables, named))
            lines.append(f"instance({number},({values},),({tuple_},)) :- {body.text}.")
        control = _solver("\n".join(lines))
        for instance in control.symbolic_atoms.by_signature("instance", 3):
            which, given, weighed = instance.symbol.arguments
            yield which.number, given.arguments, weighed

    def column(self, body: Body, values: Sequence[clingo.Symbol]) -> npt.NDArray[np.bool_] | None:
        """Return in which states an instance holds; None for all."""
        found = None
        for text in body.literals:
            if text not in self.literals:
                self.literals[text] = _Literal(text)
            atom = self.literals[text].atom(values)
            if atom not in self.everywhere:
                one = self.columns[atom]
                found = one if found is None else found & one
        return found


class _Literal:
    """A literal of bodies, and its atoms with values for its variables."""

    def __init__(self, text: str) -> None:
        self.template = _template(text)
        self.variables = sorted({int(n) for n in re.findall(r"\bV(\d+)\b", text)})
        self.known: dict[tuple[clingo.Symbol, ...], clingo.Symbol] = {}

    def atom(self, values: Sequence[clingo.Symbol]) -> clingo.Symbol:
        """Put values into the places of variables."""
        own = tuple(values[number] for number in self.variables)
        if own not in self.known:
            self.known[own] = _put(self.template, values)
        return self.known[own]


def _template(literal: str) -> clingo.Symbol:
    """Read a literal with its variables as symbols."""
    return clingo.parse_term(re.sub(r"\bV(\d+)\b", r"v__(\1)", literal))


def _put(template: clingo.Symbol, values: Sequence[clingo.Symbol]) -> clingo.Symbol:
    if template.type != clingo.SymbolType.Function or not template.arguments:
        return template
    if template.name == "v__":
        return values[template.arguments[0].number]
    return clingo.Function(template.name, [_put(arg, values) for arg in template.arguments])


_AT_ONCE = 250_000


@dataclass(frozen=True, slots=True)
class Weak:
    """A weak constraint: each tuple of its terms costs its weight, at a priority.

    As in clingo, a tuple costs once, even where several instances or constraints of that weight and
    priority give it. Without explicit terms, each instance of the body is a tuple.
    """

    body: Body
    weight: int
    priority: int
    own_terms: tuple[str, ...] | None = None

    def terms(self, number: int) -> tuple[str, ...]:
        """Return its terms; the number separates its instances from those of others."""
        if self.own_terms is not None:
            return self.own_terms
        return (str(number), *self.body.variables)

    def text(self, number: int) -> str:
        """Write it for clingo, as the constraint of this number."""
        cost = f"{self.weight}@{self.priority}"
        return f":~ {self.body.text}. [{', '.join([cost, *self.terms(number)])}]"


@dataclass(frozen=True)
class Preferences:
    """Weak constraints, and rules that define their relations."""

    constraints: tuple[Weak, ...]
    background: str = ""

    @property
    def text(self) -> str:
        """The program."""
        lines = [self.background] if self.background else []
        lines += [weak.text(number) for number, weak in enumerate(self.constraints, 1)]
        return "\n".join(lines) + "\n"

    @property
    def size(self) -> int:
        """How many literals the constraints have."""
        return sum(len(weak.body) for weak in self.constraints)

    def costs(
        self, sheet: RuleSheet, states: Sequence[Iterable[Function]]
    ) -> npt.NDArray[np.int64]:
        """Return the cost of each state, a column for each priority, the highest first."""
        return self.costs_of(Facts(sheet, self.background).columns(states), len(states))

    def costs_of(self, columns: Columns, states: int) -> npt.NDArray[np.int64]:
        """Return the cost of each state, given the atoms that hold there."""
        weaks = self.constraints
        tuples = count_tuples(
            [weak.body for weak in weaks],
            [weak.terms(number) for number, weak in enumerate(weaks, 1)],
            [(weak.priority, weak.weight) for weak in weaks],
            columns,
            states,
        )
        levels = sorted({weak.priority for weak in weaks}, reverse=True)
        found = np.zeros((states, len(levels)), dtype=np.int64)
        for (priority, weight), number in tuples.items():
            found[:, levels.index(priority)] += weight * number
        return found

    def moves(self, state: State, role: Role, facts: Facts | None = None) -> tuple[Move, ...]:
        """Return the best moves of a role in a state; others wait or make their first move.

        What another role does at the same time is not considered.
        """
        game = state.game
        facts = facts or Facts(game.sheet, self.background)
        legal = state.legal(role)
        joint = [state.legal(other)[0] for other in game.roles]
        index = game.roles.index(role)
        after = []
        for move in legal:
            joint[index] = move
            after.append(state.step(joint).fluents)
        costs = [tuple(row) for row in self.costs_of(facts.columns(after), len(after))]
        return tuple(m for m, cost in zip(legal, costs, strict=True) if cost == min(costs))

    def _costs_of_rows(
        self, facts: Facts, space: StateSpace, rows: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        held = fluent_columns(space.game.network, rows)
        columns = {facts.fluent(fluent): column for fluent, column in held if column.any()}
        return self.costs_of(facts.complete(columns, len(rows)), len(rows))

    def move_set(self, space: StateSpace, role: Role) -> MoveSet:
        """Return the moves that are best in each state where it is the role's turn."""
        return self.move_sets(space, [role])[role]

    def move_sets(self, space: StateSpace, roles: Sequence[Role]) -> dict[Role, MoveSet]:
        """Return the sets of best moves of several roles."""
        space.require_all_states("what was learned")
        facts = Facts(space.game.sheet, self.background)
        costs = np.concatenate(
            [
                self._costs_of_rows(facts, space, space.states[first : first + _AT_ONCE])
                for first in range(0, len(space), _AT_ONCE)
            ]
        )
        columns = columns_of(space)
        value = _ranked(costs)[space.target]
        inner = np.flatnonzero(np.diff(space.first_edge))
        least = np.zeros(len(space), dtype=np.int64)
        least[inner] = np.minimum.reduceat(value, space.first_edge[inner]) if len(inner) else 0
        best = value == least[columns.source]
        return {
            role: MoveSet(space, role, columns.to_move(role)[columns.source] & best)
            for role in roles
        }


def _ranked(costs: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Give each row a number, the smaller the cheaper: columns to the left decide first.

    >>> _ranked(np.array([[0, 9], [1, -5], [0, 9], [0, 7]])).tolist()
    [14, 15, 14, 12]
    """
    lowest = costs.min(axis=0, initial=0)
    sizes = (costs.max(axis=0, initial=0) - lowest + 1).tolist()
    if math.prod(sizes) >= 2**63:
        return np.unique(costs, axis=0, return_inverse=True)[1].reshape(-1)
    rank = np.zeros(len(costs), dtype=np.int64)
    for column, low, size in zip(costs.T, lowest, sizes, strict=True):
        rank = rank * size + (column - low)
    return rank


def read_preferences(text: str, *, name: str = "preferences") -> Preferences:
    """Read a program of weak constraints.

    >>> found = read_preferences("p(X) :- next(f(X)). :~ p(A), q(A,B). [-1@2, 1, A, B]")
    >>> found.background, found.constraints[0].text(1)
    ('p(X) :- next(f(X)).', ':~ p(V0), q(V0,V1). [-1@2, 1, V0, V1]')
    """
    program = read_program(text, name=name)
    if not program.constraints:
        raise InputError(f"{name} has no weak constraint", hint="such as :~ next(p). [1@1]")
    return preferences_of(program)


def preferences_of(program: Program) -> Preferences:
    """Return the preferences of a program: its weak constraints and its rules."""
    weaks = [
        Weak(
            Body(weak.literals, weak.comparisons, weak.variables),
            weak.weight,
            weak.priority,
            weak.terms,
        )
        for weak in program.constraints
    ]
    return Preferences(tuple(weaks), "\n".join(program.rules))
