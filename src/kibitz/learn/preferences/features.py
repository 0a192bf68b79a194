"""States and conjunctions in, counts out: how often each conjunction holds in each state.

clingo joins the conjunctions once, over all atoms that hold in any of the states. An instance is a
few atoms, each of which is a column of truth values over the states; the count in a state is a sum
of ANDs of columns.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

import clingo
import numpy as np
import numpy.typing as npt

from kibitz.errors import InputError
from kibitz.gdl import Function, Names, RuleSheet
from kibitz.learn.minimax.clingo_queries import ClingoSymbols
from kibitz.learn.minimax.static_program import static_program
from kibitz.learn.preferences.candidates import Body

__all__ = ["Columns", "Facts", "count_tuples", "counts"]

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
    """What holds in states of a game: fluents as `next/1`, fixed relations, and what rules add."""

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
