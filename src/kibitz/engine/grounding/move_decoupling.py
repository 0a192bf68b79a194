"""Separate moves from what they do not change, using that each role makes exactly one move.

A frame rule such as "a cell keeps its mark when a move marks a cell other than it" joins every
cell with every move. But a role makes only one move, so the cell differs from the one marked
exactly if some cell is marked and it is not this one:

    does(P, mark(J,K)), X != J   is   some(P), not hit(P, X)      where
    some(P)   :- does(P, mark(J,K)).
    hit(P, X) :- does(P, mark(X,K)).

The same goes for a negated atom that ties a move's arguments to others, and for an atom of a
fixed relation that is an inequality in disguise ("these two cells differ"). The rules of what
changes are few where the rules of what stays were many: this is paper 002's solution of the
inferential frame problem, applied to single literals.
"""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.engine.grounding.argument_restriction import dynamic_relations
from kibitz.gdl import Atom, Clause, Function, Term, Variable, substitute, unify, variables_of

__all__ = ["decouple", "inequalities"]

Pair = tuple[Term, Term]


def decouple(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Rewrite the literals that keep a move's arguments from other variables.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(<= (next (cell ?x)) (true (cell ?x)) (does ?p (mark ?j)) (distinct ?x ?j))"
    >>> for clause in decouple(clauses_of(parse(text))):
    ...     print(clause.head, "<=", *clause.positive, *(f"(not {a})" for a in clause.negative))
    (hit;0 ?p ?j) <= (does ?p (mark ?j))
    (some;1 ?p) <= (does ?p (mark ?j))
    (next (cell ?x)) <= (true (cell ?x)) (role ?p) (some;1 ?p) (not (hit;0 ?p ?x))
    """
    listed = tuple(clauses)
    rewriting = _Rewriting(inequalities(listed))
    for clause in listed:
        rewriting.add(clause)
    return tuple(rewriting.result)


def inequalities(clauses: tuple[Clause, ...]) -> set[str]:
    """Find relations that do not depend on the state and say in each clause that things differ.

    >>> from kibitz.gdl import clauses_of, parse
    >>> inequalities(clauses_of(parse("(n 1) (<= (other ?x ?y) (n ?x) (n ?y) (distinct ?x ?y))")))
    {'other'}
    """
    dynamic = dynamic_relations(clauses)
    unlike = {c.head.relation for c in clauses if not any(_of(*p) for p in c.distinct)}
    return {c.head.relation for c in clauses} - dynamic - unlike


class _Rewriting:
    def __init__(self, inequalities: set[str]) -> None:
        self.inequalities = inequalities
        self.result: list[Clause] = []
        self.known: dict[tuple[str, Clause], str] = {}

    def add(self, clause: Clause) -> None:
        for move in clause.positive:
            if move.relation == "does":
                clause = self.rewrite(clause, move)
        self.result.append(clause)

    def rewrite(self, clause: Clause, move: Atom) -> Clause:
        """Take one `does` atom out of a clause, if a literal keeps it from other variables."""
        role, pattern = move.args
        free = _of(pattern) - _of(role) - _of(clause.head)
        own = _of(move)

        def ties(*nodes: Term | Atom) -> bool:
            return bool(_of(*nodes) & free) and not _of(*nodes) <= own

        pairs = [p for p in clause.distinct if ties(*p)]
        denied = [a for a in clause.negative if ties(a)]
        unlike = [a for a in clause.positive if a.relation in self.inequalities and ties(a)]
        touched = [
            a for a in clause.positive if a is not move and a not in unlike and _of(a) & free
        ]
        if not (pairs or denied or unlike) or any(a.relation == "does" for a in touched):
            return clause
        apart = [a for a in clause.positive if a is not move and a not in unlike + touched]
        kept_pairs = tuple(p for p in clause.distinct if not _of(*p) & free)
        kept_denied = tuple(a for a in clause.negative if not _of(a) & free)
        outside = _of(clause.head, role, *apart, *kept_denied, *(t for p in kept_pairs for t in p))
        tied = _of(*unlike, *denied, *(t for p in pairs for t in p)) - free
        keys = _sorted((_of(move, *touched) - free) & (outside | tied))
        if not tied <= _of(role, *apart) | set(keys):
            return clause
        hits = [hit for pair in pairs if (hit := self.equal(move, pair, free)) is not None]
        hits += [self.hit(move, free, Clause(move, (move, a))) for a in denied]
        for atom in unlike:
            others = _sorted(_of(atom) - own)
            domain = self.named("domain", Clause(Atom("", others), (atom,)))
            apart.append(domain)
            hits.append(self.hit(move, free, Clause(move, (move, domain), (atom,))))
        inner_pairs = tuple(p for p in clause.distinct if _of(*p) & free and p not in pairs)
        inner_denied = tuple(a for a in clause.negative if _of(a) & free and a not in denied)
        some = Clause(Atom("", keys), (move, *touched), inner_denied, inner_pairs)
        if isinstance(role, Variable) and role not in _of(*apart):
            apart.append(Atom("role", (role,)))
        positive = (*apart, self.named("some", some))
        return Clause(clause.head, positive, (*kept_denied, *hits), kept_pairs)

    def equal(self, move: Atom, pair: Pair, free: set[Variable]) -> Atom | None:
        """Make the relation that holds where the two sides of an inequality are equal."""
        bindings = unify(*pair, {})
        if bindings is None:
            return None
        keys = _sorted(_of(move, *pair) - free)
        head = Atom("", tuple(substitute(k, bindings) for k in keys))
        does = Atom("does", tuple(substitute(t, bindings) for t in move.args))
        return Atom(self.named("hit", Clause(head, (does,))).relation, keys)

    def hit(self, move: Atom, free: set[Variable], body: Clause) -> Atom:
        """Make the relation that holds where a move meets a body."""
        keys = _sorted(_of(move, *body.positive, *body.negative) - free)
        return self.named("hit", Clause(Atom("", keys), body.positive, body.negative))

    def named(self, kind: str, clause: Clause) -> Atom:
        """Name a clause's head, the same for clauses that differ in variables only."""
        canonical = _canonical(clause)
        name = self.known.get((kind, canonical))
        if name is None:
            name = self.known[kind, canonical] = f"{kind};{len(self.known)}"
            head = Atom(name, clause.head.args)
            self.result.append(Clause(head, clause.positive, clause.negative, clause.distinct))
        return Atom(name, clause.head.args)


def _sorted(variables: set[Variable]) -> tuple[Variable, ...]:
    return tuple(sorted(variables, key=lambda v: v.name))


def _of(*nodes: Term | Atom) -> set[Variable]:
    return {variable for node in nodes for variable in variables_of(node)}


def _canonical(clause: Clause) -> Clause:
    """Rename variables by the order in which they occur."""
    order = dict.fromkeys(v for a in (clause.head, *clause.positive) for v in variables_of(a))
    names: dict[Variable, Term] = {v: Variable(f"{i}") for i, v in enumerate(order)}

    def atom(a: Atom) -> Atom:
        return Atom(a.relation, tuple(_rename(t, names) for t in a.args))

    return Clause(
        atom(clause.head),
        tuple(map(atom, clause.positive)),
        tuple(map(atom, clause.negative)),
        tuple((_rename(a, names), _rename(b, names)) for a, b in clause.distinct),
    )


def _rename(term: Term, names: dict[Variable, Term]) -> Term:
    if isinstance(term, Variable):
        return names[term]
    return Function(term.name, tuple(_rename(t, names) for t in term.args))
