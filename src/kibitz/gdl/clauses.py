"""Turn rules into clauses, and derive relations that build terms only on demand.

Engines read clauses, so that none of them needs to know how disjunctions nest. A disjunction
becomes one clause for each alternative, and `(not (distinct s t))` is solved here by unifying
s with t, after which it is gone.

Evaluated bottom-up, a relation such as "is a list of at most 25 elements" has far too many
instances to list, though a match asks for only a few of them. The magic-set rewriting (Beeri and
Ramakrishnan 1991) adds, for each such relation and each way of calling it, a relation that holds
the arguments it is called with, and lets the original derive nothing else.

A way of calling is an adornment, one letter for each argument: b if it is bound at the call, f if
it is free. Only relations that lead to a head with a compound term are rewritten; on a sheet
without any, `on_demand` returns the clauses unchanged. The new relations have a semicolon in their
names, which no rule sheet can contain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import product

from kibitz.gdl.dependencies import components
from kibitz.gdl.terms import (
    KEYWORD_ARITY,
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


def on_demand(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Rewrite the relations that build terms, and those that lead to them.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(p 1) (<= (t (f ?x)) (p ?x)) (<= terminal (p ?x) (t (f ?x)))"
    >>> for clause in on_demand(clauses_of(parse(text))):
    ...     print(clause.head, *clause.positive)
    (p 1)
    (t;b;asked (f ?x)) (p ?x)
    terminal (p ?x) (t;b (f ?x))
    (t;b (f ?x)) (t;b;asked (f ?x)) (p ?x)
    """
    builders = _builders(clauses)
    demanded = _leading_to(builders, clauses)
    if not demanded:
        return clauses
    rewritten = _Rewriting(clauses, demanded).run()
    if is_stratified(rewritten) or not is_stratified(clauses):
        return rewritten
    # A demand may now depend on a negation that depends on the demand. Relations that build terms
    # and are not recursive have finitely many instances even without demands.
    groups = components(_needs(clauses))
    recursive = {name for group in groups if len(group) > 1 for name in group}
    recursive |= {name for name, needed in _needs(clauses).items() if name in needed}
    demanded = _leading_to(builders & recursive, clauses)
    if not demanded:
        return clauses
    fewer = _Rewriting(clauses, demanded).run()
    return fewer if is_stratified(fewer) else rewritten


def is_stratified(clauses: Iterable[Clause]) -> bool:
    """Return whether no relation depends on its own negation, whatever its arguments.

    >>> from kibitz.gdl import clauses_of, parse
    >>> is_stratified(clauses_of(parse("(<= (p ?x) (q ?x) (not (r ?x))) (<= (r ?x) (p ?x))")))
    False
    """
    clauses = tuple(clauses)
    component = {
        name: number for number, group in enumerate(components(_needs(clauses))) for name in group
    }
    return not any(
        component[clause.head.relation] == component[atom.relation]
        for clause in clauses
        for atom in clause.negative
    )


def _needs(clauses: Iterable[Clause]) -> dict[str, list[str]]:
    """Return the relations that each relation asks for, in the order of the clauses."""
    needs: dict[str, dict[str, None]] = {}
    for clause in clauses:
        below = needs.setdefault(clause.head.relation, {})
        for atom in (*clause.positive, *clause.negative):
            below[atom.relation] = None
            needs.setdefault(atom.relation, {})
    return {name: list(below) for name, below in needs.items()}


def _builders(clauses: Iterable[Clause]) -> set[str]:
    """Find the relations, except keywords, that have a head with a term made of variables."""
    return {
        clause.head.relation
        for clause in clauses
        for arg in clause.head.args
        if isinstance(arg, Function) and any(variables_of(arg))
    } - set(KEYWORD_ARITY)


def _leading_to(found: set[str], clauses: Iterable[Clause]) -> set[str]:
    """Find the relations, except keywords, that lead to some relations, including these."""
    found = set(found)
    size = -1
    while size != len(found):
        size = len(found)
        found |= {
            clause.head.relation
            for clause in clauses
            if any(atom.relation in found for atom in (*clause.positive, *clause.negative))
        } - set(KEYWORD_ARITY)
    return found


class _Rewriting:
    def __init__(self, clauses: tuple[Clause, ...], demanded: set[str]) -> None:
        self.clauses = clauses
        self.demanded = demanded
        self.result: list[Clause] = []
        self.asked: list[tuple[str, str]] = []

    def run(self) -> tuple[Clause, ...]:
        by_head: dict[str, list[Clause]] = {}
        for clause in self.clauses:
            if clause.head.relation in self.demanded:
                by_head.setdefault(clause.head.relation, []).append(clause)
            else:
                self.rewrite(clause.head, clause, guard=None)
        for relation, adornment in self.asked:  # grows while it is walked
            for clause in by_head.get(relation, ()):
                self.rewrite(
                    Atom(_called(relation, adornment), clause.head.args),
                    clause,
                    guard=_question(clause.head, adornment),
                )
        return tuple(dict.fromkeys(self.result))

    def rewrite(self, head: Atom, clause: Clause, guard: Atom | None) -> None:
        """Add a clause with its demanded atoms renamed, and the demands it makes."""
        body = [guard] if guard else []
        bound = {v for atom in body for v in variables_of(atom)}
        waiting = list(clause.positive)
        while waiting:
            atom = min(waiting, key=lambda a: self.cost(a, bound))
            waiting.remove(atom)
            body.append(self.call(atom, bound, body))
            bound.update(variables_of(atom))
        negative = tuple(self.call(atom, bound, body) for atom in clause.negative)
        self.result.append(Clause(head, tuple(body), negative, clause.distinct))

    def cost(self, atom: Atom, bound: set[Variable]) -> tuple[bool, int]:
        """Order body atoms: plain ones first, then the demanded with the fewest free arguments."""
        if atom.relation not in self.demanded:
            return False, 0
        return True, _adornment(atom.args, bound).count("f")

    def call(self, atom: Atom, bound: set[Variable], body: list[Atom]) -> Atom:
        if atom.relation not in self.demanded:
            return atom
        adornment = _adornment(atom.args, bound)
        if (atom.relation, adornment) not in self.asked:
            self.asked.append((atom.relation, adornment))
        self.result.append(Clause(_question(atom, adornment), tuple(body)))
        return Atom(_called(atom.relation, adornment), atom.args)


def _adornment(args: tuple[Term, ...], bound: set[Variable]) -> str:
    return "".join("b" if bound.issuperset(variables_of(arg)) else "f" for arg in args)


def _called(relation: str, adornment: str) -> str:
    return f"{relation};{adornment}"


def _question(atom: Atom, adornment: str) -> Atom:
    bound = tuple(a for a, letter in zip(atom.args, adornment, strict=True) if letter == "b")
    return Atom(_called(atom.relation, adornment) + ";asked", bound)
