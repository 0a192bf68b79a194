"""Derive from frame rules the ways in which a fluent ends under a general joint move.

This is paper 002's translation of an atom for a general joint move. A fluent ends if each frame
rule fails for each of its most general unifiers. How one of them fails is a disjunction; the
ways to end are the combinations, each simplified: equalities are solved by substitution, what
contradicts itself is dropped, and so is what another way already says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kibitz.engine.frame.literals import (
    Bindings,
    JointMove,
    Literal,
    apply_to,
    body_of,
    equal,
    negate,
    rename_apart,
    variables_in,
)
from kibitz.engine.frame.static_knowledge import Condition, Knowledge, Values
from kibitz.engine.frame.unfolding import Auxiliaries, Way, most_general_unifiers, resolve, unfold
from kibitz.gdl import Atom, Clause, Distinct, Function, Not, Term, Variable, substitute, unify

MOST_ENDINGS = 64
"""How many ways to end are listed; beyond that each frame rule becomes a relation."""


@dataclass(frozen=True, slots=True)
class Case:
    """A fluent with variables, and a general joint move."""

    fluent: Function
    joint: JointMove
    values: Values
    outer: dict[Variable, int]
    """The variables of fluent and joint move, numbered, the fluent's first."""

    @classmethod
    def of(cls, fluent: Function, joint: JointMove, values: Values) -> Case:
        """Make a case of a fluent and a joint move, with the values their variables can have."""
        numbered = enumerate(variables_in((fluent, *joint)))
        return cls(fluent, joint, values, {variable: i for i, variable in numbered})


@dataclass(frozen=True, slots=True)
class Persisting:
    """Conjunction that a frame rule requires in a case: its parts share no inner variables."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """A way to end: what the variables of the case are, and literals."""

    bindings: Bindings
    literals: Way


def persisting(
    rule: Clause, case: Case, knowledge: Knowledge, names: Iterator[int]
) -> list[Persisting]:
    """Say when a frame rule keeps the fluent of a case; it does if any of the results holds."""
    head, *body = rename_apart((rule.head, *body_of(rule)), names)
    assert isinstance(head, Atom)
    found = []
    for way in unfold(tuple(body), knowledge, names):
        clause = Clause(head, tuple(x for x in way if isinstance(x, Atom)))
        others = [x for x in way if not isinstance(x, Atom)]
        for bindings in most_general_unifiers(clause, case.fluent, case.joint):
            literals = [equal(v, substitute(v, bindings)) for v in case.outer if v in bindings]
            literals += [
                apply_to(atom, bindings)
                for atom in clause.positive
                if atom.relation != "does" and atom != Atom("true", head.args)
            ]
            literals += [apply_to(literal, bindings) for literal in others]
            instances = _name_roles(literals, case, knowledge)
            found += [Persisting(_conditions(instance, case)) for instance in instances]
    return found


def _name_roles(literals: list[Literal], case: Case, knowledge: Knowledge) -> list[list[Literal]]:
    """Put every role for an inner variable that stands for one."""
    for literal in literals:
        if isinstance(literal, Atom) and literal.relation == "role":
            (role,) = literal.args
            if isinstance(role, Variable) and role not in case.outer:
                rest = [x for x in literals if x != literal]
                return [
                    instance
                    for name in knowledge.domains.roles
                    for instance in _name_roles(
                        [apply_to(x, {role: Function(name)}) for x in rest], case, knowledge
                    )
                ]
    return [literals]


def _conditions(literals: Iterable[Literal], case: Case) -> tuple[Condition, ...]:
    """Split literals by the inner variables that they share."""
    outer = case.outer
    parts: list[tuple[set[Variable], list[Literal]]] = []
    for literal in literals:
        inner = {v for v in variables_in([literal]) if v not in outer}
        joined = (inner, [literal])
        apart = []
        for part in parts:
            if part[0] & inner:
                joined = (joined[0] | part[0], part[1] + joined[1])
            else:
                apart.append(part)
        parts = [*apart, joined]
    return tuple(
        Condition(tuple(part), tuple(v for v in variables_in(part) if v in outer))
        for _, part in parts
    )


def endings(
    kept: list[Persisting],
    case: Case,
    knowledge: Knowledge,
    auxiliaries: Auxiliaries,
    names: Iterator[int],
) -> list[Ending]:
    """Return all ways in which the fluent of a case ends, given what would keep it."""
    failures = [_failures(one, case, knowledge, auxiliaries, names) for one in kept]
    found = _combine(sorted(failures, key=len), case, knowledge)
    if found is not None:
        return found
    whole = [[_whole(one, case, auxiliaries)] for one in kept]
    return _combine(whole, case, knowledge) or []


def _whole(one: Persisting, case: Case, auxiliaries: Auxiliaries) -> Way:
    """Say in one literal that a frame rule fails."""
    literals = tuple(literal for condition in one.conditions for literal in condition.literals)
    keys = tuple(v for v in variables_in(literals) if v in case.outer)
    return (Not(auxiliaries.atom(Condition(literals, keys), case.fluent, case.joint)),)


def _failures(
    one: Persisting,
    case: Case,
    knowledge: Knowledge,
    auxiliaries: Auxiliaries,
    names: Iterator[int],
) -> list[Way]:
    """Return the ways in which what keeps a fluent fails; the literals of one way hold together."""
    ways: list[Way] = []
    for condition in one.conditions:
        known = knowledge.ways_to_fail(condition, case.values)
        if known is not None:
            ways += known
        elif set(variables_in(condition.literals)) <= set(case.outer):
            (literal,) = condition.literals
            for way in unfold((negate(literal),), knowledge, names):
                ways += resolve(way, case.joint)
        else:
            ways.append((Not(auxiliaries.atom(condition, case.fluent, case.joint)),))
    return ways


def _combine(failures: list[list[Way]], case: Case, knowledge: Knowledge) -> list[Ending] | None:
    """Choose one way for each failure; None if there are too many combinations."""
    found = [Ending({}, ())]
    for ways in failures:
        extended: list[Ending] = []
        for ending in found:
            for way in ways:
                longer = _extend(ending, way, case, knowledge)
                if longer is not None and not any(_covers(e, longer, case) for e in extended):
                    extended = [e for e in extended if not _covers(longer, e, case)]
                    extended.append(longer)
        found = extended
        if len(found) > MOST_ENDINGS:
            return None
    return found


def _extend(ending: Ending, way: Way, case: Case, knowledge: Knowledge) -> Ending | None:
    """Add literals to a way to end; None if they contradict it."""
    bindings: Bindings | None = ending.bindings
    literals = list(ending.literals)
    for literal in way:
        if isinstance(literal, Not) and isinstance(literal.formula, Distinct):
            sides = literal.formula
            assert bindings is not None
            bindings = _unify(sides.left, sides.right, bindings, case)
            if bindings is None:
                return None
        else:
            literals.append(literal)
    assert bindings is not None
    for variable, values in case.values.items():
        if variable not in bindings:
            continue
        value = substitute(variable, bindings)
        if isinstance(value, Function) and (value.args or value.name not in values):
            return None
        shared = case.values.get(value) if isinstance(value, Variable) else None
        if shared is not None and not set(values) & set(shared):
            return None
    simple = _simplify(literals, bindings, case, knowledge)
    return None if simple is None else Ending(bindings, simple)


def _unify(left: Term, right: Term, bindings: Bindings, case: Case) -> Bindings | None:
    """Make two terms equal, keeping the fluent's variables, then the moves', before others."""
    left, right = substitute(left, bindings), substitute(right, bindings)
    is_pair = isinstance(left, Variable) and isinstance(right, Variable)
    if is_pair and _rank(left, case) < _rank(right, case):
        left, right = right, left
    return unify(left, right, bindings)


def _rank(term: Term, case: Case) -> int:
    """Rank a variable: the lowest are kept; those of neither fluent nor move come last."""
    return case.outer.get(term, len(case.outer)) if isinstance(term, Variable) else -1


def _simplify(
    literals: list[Literal], bindings: Bindings, case: Case, knowledge: Knowledge
) -> Way | None:
    """Drop literals that always hold; return None if one never does."""
    fluent = substitute(case.fluent, bindings)
    kept: dict[Literal, None] = {}
    for literal in literals:
        literal = apply_to(literal, bindings)
        if literal == Atom("true", (fluent,)):
            continue
        if isinstance(literal, Distinct):
            if literal.left == literal.right:
                return None
            if unify(literal.left, literal.right, {}) is None or _differ(literal, case):
                continue
            if Distinct(literal.right, literal.left) in kept:
                continue
        elif isinstance(literal, Atom) and literal.relation == "role":
            (role,) = literal.args
            if isinstance(role, Function):
                if str(role) not in knowledge.domains.roles:
                    return None
                continue
        if negate(literal) in kept or literal == Not(Atom("true", (fluent,))):
            return None
        kept[literal] = None
    return tuple(kept)


def _differ(literal: Distinct, case: Case) -> bool:
    """Return whether the values that two sides can have are disjoint."""
    ranges = []
    for side in (literal.left, literal.right):
        if isinstance(side, Function):
            ranges.append({str(side)})
        elif side in case.values:
            ranges.append(set(case.values[side]))
        else:
            return False
    return not ranges[0] & ranges[1]


def _covers(general: Ending, special: Ending, case: Case) -> bool:
    """Return whether one way to end holds whenever another does."""
    if len(general.literals) > len(special.literals):
        return False
    for variable in general.bindings:
        if variable not in case.outer:
            continue
        through = substitute(substitute(variable, general.bindings), special.bindings)
        if through != substitute(variable, special.bindings):
            return False
    literals = {apply_to(literal, special.bindings) for literal in general.literals}
    return literals <= set(special.literals)
