"""Turn rules with nested `or` and `not` into clauses: conjunctions of literals.

Engines read clauses, so that none of them needs to know how disjunctions nest. A disjunction
becomes one clause for each alternative, and `(not (distinct s t))` is solved here by unifying
s with t, after which it is gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import product

from kibitz.gdl.terms import (
    Atom,
    Distinct,
    Formula,
    Function,
    Not,
    Or,
    Rule,
    RuleSheet,
    Term,
    Variable,
    variables_of,
)

__all__ = [
    "MAX_ALTERNATIVES",
    "Clause",
    "clauses_of",
    "count_alternatives",
    "count_literals",
    "substitute",
    "substitute_all",
    "unify",
]

MAX_ALTERNATIVES = 10_000
"""How many clauses one rule may become."""

Substitution = dict[Variable, Term]


@dataclass(frozen=True, slots=True)
class Clause:
    """A head that holds when all positive atoms hold, no negative one does, and pairs differ."""

    head: Atom
    positive: tuple[Atom, ...] = ()
    negative: tuple[Atom, ...] = ()
    distinct: tuple[tuple[Term, Term], ...] = ()


def clauses_of(sheet: RuleSheet) -> tuple[Clause, ...]:
    """Return the clauses of all rules, in order.

    >>> from kibitz.gdl import parse
    >>> for clause in clauses_of(parse("(<= p (or (q 1) (not (r 1))) s)")):
    ...     print(*clause.positive, "but not", *clause.negative)
    (q 1) s but not
    s but not (r 1)
    """
    return tuple(clause for rule in sheet.rules for clause in _clauses(rule))


def count_alternatives(rule: Rule) -> int:
    """Return how many clauses a rule becomes, without making them.

    Counting stops above MAX_ALTERNATIVES: the number itself could have thousands of digits.
    """
    return _product(_count(formula, negated=False) for formula in rule.body)


def count_literals(rule: Rule) -> int:
    """Return how many literals the clauses of a rule have at most, without making them.

    >>> from kibitz.gdl import parse
    >>> count_literals(parse("(<= p (or (q 1) (not (r 1))) s)").rules[0])
    8
    """
    each = 1 + sum(1 for formula in rule.body for _ in _literals(formula))
    return each * count_alternatives(rule)


def _literals(formula: Formula) -> Iterator[Formula]:
    match formula:
        case Not():
            yield from _literals(formula.formula)
        case Or():
            for part in formula.formulas:
                yield from _literals(part)
        case _:
            yield formula


def _count(formula: Formula, *, negated: bool) -> int:
    match formula:
        case Not():
            return _count(formula.formula, negated=not negated)
        case Or():
            counts = (_count(part, negated=negated) for part in formula.formulas)
            return _product(counts) if negated else sum(counts)
    return 1


def _product(counts: Iterable[int]) -> int:
    total = 1
    for count in counts:
        total *= count
        if total > MAX_ALTERNATIVES:
            break
    return total


def _clauses(rule: Rule) -> Iterator[Clause]:
    for parts in product(*(_alternatives(f, negated=False) for f in rule.body)):
        literals = [literal for part in parts for literal in part]
        clause = Clause(
            rule.head,
            tuple(x for x in literals if isinstance(x, Atom)),
            tuple(
                x.formula for x in literals if isinstance(x, Not) and isinstance(x.formula, Atom)
            ),
            tuple((x.left, x.right) for x in literals if isinstance(x, Distinct)),
        )
        equal = [
            (x.formula.left, x.formula.right)
            for x in literals
            if isinstance(x, Not) and isinstance(x.formula, Distinct)
        ]
        if not equal:
            yield clause
            continue
        bindings = _unify(equal, {})
        if bindings is not None:
            yield _apply(clause, bindings)


def _alternatives(formula: Formula, *, negated: bool) -> list[tuple[Formula, ...]]:
    """Return the ways to satisfy a formula, each a conjunction of literals."""
    match formula:
        case Not():
            return _alternatives(formula.formula, negated=not negated)
        case Or() if negated:
            ways = product(*(_alternatives(part, negated=True) for part in formula.formulas))
            return [tuple(literal for part in way for literal in part) for way in ways]
        case Or():
            return [way for part in formula.formulas for way in _alternatives(part, negated=False)]
    return [(Not(formula, formula.place) if negated else formula,)]


def unify(left: Term, right: Term, bindings: Substitution) -> Substitution | None:
    """Extend bindings so that two terms become equal; None if that is impossible.

    >>> x, a = Variable("x"), Function("a")
    >>> unify(Function("f", (x,)), Function("f", (a,)), {}) == {x: a}
    True
    """
    return _unify([(left, right)], bindings)


def _unify(equal: list[tuple[Term, Term]], bindings: Substitution) -> Substitution | None:
    """Do the same for pairs of terms, and look for cycles once."""
    extended = dict(bindings)
    pairs = list(reversed(equal))
    done: set[tuple[Term, Term]] = set()
    while pairs:
        left, right = (_resolve(term, extended) for term in pairs.pop())
        if left == right or (left, right) in done:
            continue
        if isinstance(left, Variable):
            extended[left] = right
        elif isinstance(right, Variable):
            extended[right] = left
        elif left.name == right.name and len(left.args) == len(right.args):
            done.add((left, right))
            pairs.extend(reversed(list(zip(left.args, right.args, strict=True))))
        else:
            return None
    return None if _has_cycle(extended) else extended


def substitute(term: Term, bindings: Substitution) -> Term:
    """Replace the variables of a term by what they are bound to."""
    term = _resolve(term, bindings)
    if isinstance(term, Function) and term.args:
        return Function(term.name, tuple(substitute(a, bindings) for a in term.args), term.place)
    return term


def substitute_all(clause: Clause, bindings: Substitution) -> Clause:
    """Replace the variables of a clause by what they are bound to."""

    def atom(a: Atom) -> Atom:
        return Atom(a.relation, tuple(substitute(t, bindings) for t in a.args))

    return Clause(
        atom(clause.head),
        tuple(map(atom, clause.positive)),
        tuple(map(atom, clause.negative)),
        tuple((substitute(a, bindings), substitute(b, bindings)) for a, b in clause.distinct),
    )


def _resolve(term: Term, bindings: Substitution) -> Term:
    while isinstance(term, Variable) and term in bindings:
        term = bindings[term]
    return term


def _has_cycle(bindings: Substitution) -> bool:
    """Return whether a variable is bound, perhaps through others, to a term that contains it."""
    waits_for = {variable: set(variables_of(term)) for variable, term in bindings.items()}
    order = TopologicalSorter(waits_for)
    try:
        order.prepare()
    except CycleError:
        return True
    return False


def _apply(clause: Clause, bindings: Substitution) -> Clause:
    def atom(a: Atom) -> Atom:
        return Atom(a.relation, tuple(substitute(t, bindings) for t in a.args), a.place)

    return Clause(
        atom(clause.head),
        tuple(map(atom, clause.positive)),
        tuple(map(atom, clause.negative)),
        tuple((substitute(a, bindings), substitute(b, bindings)) for a, b in clause.distinct),
    )
