"""Find redundant literals over static relations, those that no state changes.

A condition over such relations alone, "these two cells differ", is worked out for all values that
its variables can have. Where it is always or never true it goes away, and where it is an equality
or an inequality in disguise it becomes one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from kibitz.budget import Budget
from kibitz.engine.frame.argument_domains import Domains, find_domains
from kibitz.engine.frame.literals import Literal, apply_to, equal, negate, variables_in
from kibitz.engine.grounding import dynamic_relations, ground_clauses
from kibitz.errors import KibitzError
from kibitz.gdl import Atom, Clause, Distinct, Function, Not, Variable, on_demand

MAX_INSTANCES = 40_000
"""How many values a condition is worked out for."""

Values = dict[Variable, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Condition:
    """Literals that hold together for some values of the variables that are not keys."""

    literals: tuple[Literal, ...]
    keys: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class _Canonical:
    """A condition with its keys numbered, and the values that each can have."""

    literals: tuple[Literal, ...]
    keys: tuple[Variable, ...]
    values: tuple[tuple[str, ...], ...]


class Knowledge:
    """State-independent knowledge of a game's rules."""

    def __init__(self, clauses: tuple[Clause, ...], *, seconds: float = 4.0) -> None:
        self.clauses = clauses
        self.seconds = seconds
        self.domains: Domains = find_domains(clauses)
        self.dynamic = dynamic_relations(clauses)
        self.moving = _depending_on_moves(clauses)
        self.by_head: dict[str, list[Clause]] = {}
        for clause in clauses:
            self.by_head.setdefault(clause.head.relation, []).append(clause)
        self.recursive = _recursive(self.by_head)
        self._fixed = tuple(c for c in clauses if c.head.relation not in self.dynamic)
        # Relations that build terms have infinitely many instances.
        self._is_plain = on_demand(self._fixed) == self._fixed
        self._known: dict[_Canonical, tuple[tuple[Literal, ...], ...] | None] = {}

    def is_fixed(self, literal: Literal) -> bool:
        """Return whether no state and no move changes a literal."""
        inner = literal.formula if isinstance(literal, Not) else literal
        return isinstance(inner, Distinct) or (
            isinstance(inner, Atom) and inner.relation not in self.dynamic
        )

    def learn(self, conditions: Iterable[tuple[Condition, Values]]) -> None:
        """Work out conditions over fixed relations, all at once."""
        asked = dict.fromkeys(
            canonical
            for condition, values in conditions
            if (canonical := self._canonical(condition, values)) is not None
        )
        new = [canonical for canonical in asked if canonical not in self._known]
        if not new:
            return
        answers = self._probe(new)
        for number, canonical in enumerate(new):
            rows = None if answers is None else answers[number]
            self._known[canonical] = None if rows is None else _describe_failure(canonical, rows)

    def ways_to_fail(
        self, condition: Condition, values: Values
    ) -> tuple[tuple[Literal, ...], ...] | None:
        """Return the ways in which a condition over fixed relations fails, as equalities and such.

        None if there is no short description. One empty way: it always fails; no way: it never
        fails.
        """
        canonical = self._canonical(condition, values)
        if canonical is None:
            return None
        ways = self._known.get(canonical)
        if ways is None:
            return None
        back = dict(zip(canonical.keys, condition.keys, strict=True))
        return tuple(tuple(apply_to(literal, dict(back)) for literal in way) for way in ways)

    def _canonical(self, condition: Condition, values: Values) -> _Canonical | None:
        if not all(map(self.is_fixed, condition.literals)) or not self._is_plain:
            return None
        if any(key not in values for key in condition.keys):
            return None
        if not any(isinstance(x, Atom) or _is_denied(x) for x in condition.literals):
            return None
        if any(isinstance(x, Not) and not _is_denied(x) for x in condition.literals):
            return None
        ranges = tuple(values[key] for key in condition.keys)
        if prod(map(len, ranges)) > MAX_INSTANCES:
            return None
        names = {key: Variable(f"k{i}") for i, key in enumerate(condition.keys)}
        others = [v for v in variables_in(condition.literals) if v not in names]
        names.update({v: Variable(f"l{i}") for i, v in enumerate(others)})
        renamed = tuple(apply_to(literal, dict(names)) for literal in condition.literals)
        return _Canonical(renamed, tuple(names[k] for k in condition.keys), ranges)

    def _probe(self, asked: Sequence[_Canonical]) -> list[set[tuple[str, ...]]] | None:
        """Find the values for which each condition holds, with clingo."""
        clauses = [c for c in self._fixed if c.head.relation != "init"]
        for number, canonical in enumerate(asked):
            ranges = []
            for place, (key, values) in enumerate(
                zip(canonical.keys, canonical.values, strict=True)
            ):
                name = f"range;{number};{place}"
                clauses += [Clause(Atom(name, (Function(value),))) for value in values]
                ranges.append(Atom(name, (key,)))
            fluent = Function("probe", (Function(str(number)), *canonical.keys))
            clauses.append(
                Clause(
                    Atom("init", (fluent,)),
                    (*ranges, *(x for x in canonical.literals if isinstance(x, Atom))),
                    tuple(
                        x.formula
                        for x in canonical.literals
                        if isinstance(x, Not) and isinstance(x.formula, Atom)
                    ),
                    tuple((x.left, x.right) for x in canonical.literals if isinstance(x, Distinct)),
                )
            )
        try:
            facts = ground_clauses(clauses, Budget(seconds=self.seconds)).facts
        except KibitzError:
            return None
        found: list[set[tuple[str, ...]]] = [set() for _ in asked]
        for relation, args in facts:
            if relation == "init" and isinstance(args[0], Function) and args[0].name == "probe":
                which, *row = (str(arg) for arg in args[0].args)
                found[int(which)].add(tuple(row))
        return found


def _is_denied(literal: Literal) -> bool:
    return isinstance(literal, Not) and isinstance(literal.formula, Atom)


def _describe_failure(
    canonical: _Canonical, rows: set[tuple[str, ...]]
) -> tuple[tuple[Literal, ...], ...] | None:
    """Describe when a condition fails, given the values for which it holds."""
    total = prod(map(len, canonical.values))
    if len(rows) == total:
        return ()
    if not rows:
        return ((),)
    holding = _equalities(canonical, rows, len(rows))
    if holding is not None:
        return tuple((negate(literal),) for literal in holding)
    failing = [row for row in product(*canonical.values) if row not in rows]
    described = _equalities(canonical, failing, len(failing))
    return None if described is None else (described,)


def _equalities(
    canonical: _Canonical, rows: Iterable[tuple[str, ...]], count: int
) -> tuple[Literal, ...] | None:
    """Describe a set of values by equalities, if that describes no others."""
    columns = list(zip(*rows, strict=True))
    keys = canonical.keys
    fixed = {i: column[0] for i, column in enumerate(columns) if len(set(column)) == 1}
    fixed = {i: value for i, value in fixed.items() if len(canonical.values[i]) > 1}
    same: dict[int, int] = {}
    for i in range(len(columns)):
        for j in range(i):
            if j not in same and i not in fixed and j not in fixed and columns[i] == columns[j]:
                same[i] = j
                break
    if not fixed and not same:
        return None
    ranges = [set(values) for values in canonical.values]
    for i, j in same.items():
        ranges[j] &= ranges[i]
    size = prod(len(ranges[i]) for i in range(len(keys)) if i not in fixed and i not in same)
    if size != count:
        return None
    literals = [equal(keys[j], keys[i]) for i, j in same.items()]
    literals += [equal(keys[i], Function(value)) for i, value in fixed.items()]
    return tuple(literals)


def _depending_on_moves(clauses: tuple[Clause, ...]) -> set[str]:
    """Find the relations that depend on what is done."""
    users: dict[str, set[str]] = {}
    for clause in clauses:
        for atom in (*clause.positive, *clause.negative):
            users.setdefault(atom.relation, set()).add(clause.head.relation)
    found: set[str] = set()
    stack = ["does"]
    while stack:
        relation = stack.pop()
        if relation not in found:
            found.add(relation)
            stack.extend(users.get(relation, ()))
    return found


def _recursive(by_head: dict[str, list[Clause]]) -> set[str]:
    needs = {
        head: {a.relation for c in clauses for a in (*c.positive, *c.negative)}
        for head, clauses in by_head.items()
    }
    found = set()
    for start in needs:
        seen: set[str] = set()
        stack = list(needs[start])
        while stack:
            relation = stack.pop()
            if relation not in seen:
                seen.add(relation)
                stack.extend(needs.get(relation, ()))
        if start in seen:
            found.add(start)
    return found
