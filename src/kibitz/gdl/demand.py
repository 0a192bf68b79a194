"""Rewrite clauses so that relations which build terms are derived only where they are asked for.

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

from collections.abc import Iterable

from kibitz.gdl.clauses import Clause
from kibitz.gdl.dependencies import components
from kibitz.gdl.terms import KEYWORD_ARITY, Atom, Function, Term, Variable, variables_of

__all__ = ["is_stratified", "on_demand"]


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
