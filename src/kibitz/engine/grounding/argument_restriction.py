"""Restrict relations to the arguments that are asked for, and moves to what they change.

"How many of these five fields hold a red stone" is defined for any five fields, and asked for one
set of five. What arguments a relation is called with follows partly from constants and from
relations that no state changes; these become a guard, a new relation that the grounder evaluates
completely and that does not appear in the ground rules.

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

"The line from a to b is clear if field c is ignored" has c as an argument, but in most of its
derivations c plays no part: a rule binds it by a fixed relation alone ("c is a coordinate"), and
others hand it on. Such an argument is free in that clause. The relation is split by the sets of
arguments that are free,

    clear(A,B,C) :- next(A,B), coordinate(C).
    clear(A,B,C) :- next(A,C), clear(C,B,C).           becomes

    clear;free;0(A,B) :- next(A,B).
    clear(A,B,C) :- next(A,C), clear(C,B,C).
    clear(A,B,C) :- next(A,C), clear;free;0(C,B), coordinate(C).

and clauses that use it get one alternative for each of these, so freedom spreads to what they
derive. What remains with the argument are the derivations that look at it. A negated atom
becomes the negations of all of its relations, or the negation of what binds the argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from kibitz.engine.frame.argument_domains import find_domains, places_of
from kibitz.gdl import (
    KEYWORD_ARITY,
    Atom,
    Clause,
    Function,
    Term,
    Variable,
    substitute,
    unify,
    variables_of,
)


def restrict(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Guard the relations that depend on the state by the arguments they are asked for.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(<= (all ?x ?y) (true (at ?x)) (true (at ?y))) (<= terminal (all 1 2))"
    >>> for clause in restrict(clauses_of(parse(text))):
    ...     print(clause.head, "<=", *clause.positive)
    (all ?x ?y) <= (all;asked ?x ?y) (true (at ?x)) (true (at ?y))
    terminal <= (all 1 2)
    (all;asked 1 2) <=
    """
    dynamic = dynamic_relations(clauses)
    guarded = {c.head.relation: tuple(range(len(c.head.args))) for c in clauses}
    guarded = {r: p for r, p in guarded.items() if r in dynamic and r not in KEYWORD_ARITY}
    changed = True
    while changed:
        changed = False
        for clause, call in _calls(clauses):
            places = guarded.get(call.relation, ())
            if not places:
                continue
            known = _known(clause, guarded, dynamic)
            kept = tuple(i for i in places if _is_known(call.args[i], known))
            if kept != places:
                guarded[call.relation] = kept
                changed = True
    result = [_with_guard(clause, guarded) for clause in clauses]
    asked: dict[Clause, None] = {}
    for clause, call in _calls(clauses):
        if places := guarded.get(call.relation, ()):
            asked[_question(clause, call, places, guarded, dynamic)] = None
    return (*result, *asked)


def dynamic_relations(clauses: Iterable[Clause]) -> set[str]:
    """Find the relations that depend on the state or on moves."""
    users: dict[str, set[str]] = {}
    for clause in clauses:
        for atom in (*clause.positive, *clause.negative):
            users.setdefault(atom.relation, set()).add(clause.head.relation)
    found: set[str] = set()
    stack = ["true", "does"]
    while stack:
        relation = stack.pop()
        if relation not in found:
            found.add(relation)
            stack.extend(users.get(relation, ()))
    return found


def _calls(clauses: Iterable[Clause]) -> Iterator[tuple[Clause, Atom]]:
    for clause in clauses:
        for atom in (*clause.positive, *clause.negative):
            yield clause, atom


def _known(clause: Clause, guarded: dict[str, tuple[int, ...]], dynamic: set[str]) -> set[Variable]:
    """Return the variables of a clause that its guard and its fixed atoms bind."""
    known = {v for a in clause.positive if a.relation not in dynamic for v in variables_of(a)}
    for place in guarded.get(clause.head.relation, ()):
        known.update(variables_of(clause.head.args[place]))
    return known


def _is_known(term: Term, known: set[Variable]) -> bool:
    """Return whether a term is ground or a known variable; new terms might grow forever."""
    if isinstance(term, Function):
        return not any(variables_of(term))
    return term in known


def _guard(atom: Atom, places: tuple[int, ...]) -> Atom:
    return Atom(f"{atom.relation};asked", tuple(atom.args[i] for i in places))


def _with_guard(clause: Clause, guarded: dict[str, tuple[int, ...]]) -> Clause:
    places = guarded.get(clause.head.relation, ())
    if not places:
        return clause
    positive = (_guard(clause.head, places), *clause.positive)
    return Clause(clause.head, positive, clause.negative, clause.distinct)


def _question(
    clause: Clause,
    call: Atom,
    places: tuple[int, ...],
    guarded: dict[str, tuple[int, ...]],
    dynamic: set[str],
) -> Clause:
    """Add a clause that asks for a call if its own guard and fixed atoms hold."""
    head = _guard(call, places)
    fixed = [a for a in clause.positive if a.relation not in dynamic]
    if own := guarded.get(clause.head.relation, ()):
        fixed.insert(0, _guard(clause.head, own))
    body = _connected(fixed, set(variables_of(head)))
    bound = {v for atom in body for v in variables_of(atom)}
    distinct = tuple(
        (a, b) for a, b in clause.distinct if bound.issuperset([*variables_of(a), *variables_of(b)])
    )
    return Clause(head, tuple(body), (), distinct)


def _connected(atoms: list[Atom], wanted: set[Variable]) -> list[Atom]:
    """Keep the atoms that contain wanted variables, directly or through one another."""
    reached = set(wanted)
    kept: list[Atom] = []
    size = -1
    while size != len(kept):
        size = len(kept)
        for atom in atoms:
            if atom not in kept and reached.intersection(variables_of(atom)):
                kept.append(atom)
                reached.update(variables_of(atom))
    return kept


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


Domain = frozenset[Atom]
"""What binds an argument: atoms of fixed relations over the variable `_SELF`."""
Kind = tuple[tuple[int, Domain], ...]
"""The arguments that are free, in order, and what binds each."""
Literals = frozenset[Atom]

_SELF = Variable("")
_MOST_KINDS = 6
_MOST_ALTERNATIVES = 64


def factor(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Split relations that depend on the state by which of their arguments are free.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(c 1) (<= (p ?x ?y) (true (q ?x)) (c ?y)) (<= terminal (p 1 1) (p 2 ?z))"
    >>> for clause in factor(clauses_of(parse(text))):
    ...     print(clause.head, "<=", *clause.positive)
    (c 1) <=
    (p;free;0 ?x) <= (true (q ?x))
    terminal <= (p;free;0 1) (c 1) (p;free;0 2) (c ?z)
    """
    listed = tuple(clauses)
    factoring = _Factoring(listed)
    try:
        while True:
            size = factoring.size()
            result = dict.fromkeys(
                written for clause in listed for written in factoring.written(clause)
            )
            if factoring.size() == size:
                return tuple(result)
    except OverflowError:
        return listed


class _Factoring:
    def __init__(self, clauses: tuple[Clause, ...]) -> None:
        self.dynamic = dynamic_relations(clauses)
        self.places = find_domains(clauses).places
        derived = {c.head.relation for c in clauses if c.positive or c.negative}
        self.listed = {c.head.relation for c in clauses if len(c.head.args) == 1} - derived
        self.kinds: dict[str, dict[Kind, str]] = {}
        self.rest: set[str] = set()

    def size(self) -> int:
        return len(self.rest) + sum(map(len, self.kinds.values()))

    def written(self, clause: Clause) -> Iterator[Clause]:
        """Walk what a clause becomes with the kinds that are known; note those that are new."""
        for alternative in self.alternatives(clause):
            relation = clause.head.relation
            kind = self.kind(alternative)
            known = self.kinds.setdefault(relation, {})
            if kind not in known and len(known) >= _MOST_KINDS:
                raise OverflowError
            if not kind:
                self.rest.add(relation)
                yield alternative
                continue
            name = known.setdefault(kind, f"{relation};free;{len(known)}")
            free = {alternative.head.args[i] for i, _ in kind}
            yield Clause(
                Atom(name, _others(alternative.head, kind)),
                tuple(a for a in alternative.positive if free.isdisjoint(variables_of(a))),
                alternative.negative,
                alternative.distinct,
            )

    def kind(self, clause: Clause) -> Kind:
        """Find the arguments of a head that fixed atoms with no other variable bind."""
        relation = clause.head.relation
        if relation not in self.dynamic or relation in KEYWORD_ARITY:
            return ()
        found: list[tuple[int, Domain]] = []
        in_head = [v for arg in clause.head.args for v in variables_of(arg)]
        tied = {v for a in clause.negative for v in variables_of(a)}
        tied |= {v for pair in clause.distinct for term in pair for v in variables_of(term)}
        for place, arg in enumerate(clause.head.args):
            if not isinstance(arg, Variable) or in_head.count(arg) > 1 or arg in tied:
                continue
            atoms = [a for a in clause.positive if arg in variables_of(a)]
            if atoms and all(
                a.relation not in self.dynamic and set(variables_of(a)) == {arg} for a in atoms
            ):
                found.append((place, frozenset(_replace(a, arg, _SELF) for a in atoms)))
        return tuple(found)

    def alternatives(self, clause: Clause) -> Iterator[Clause]:
        """Walk the ways to satisfy the atoms of a clause by the relations they are split into."""
        ways = [list(self.ways(atom)) for atom in clause.positive]
        denials = list(self.denials(clause))
        count = len(denials)
        for way in ways:
            count *= len(way)
        if count > _MOST_ALTERNATIVES:
            raise OverflowError
        for chosen in product(*ways):
            positive = tuple(dict.fromkeys(atom for way in chosen for atom in way))
            for denied in denials:
                if denied.isdisjoint(positive):
                    negative = tuple(sorted(denied, key=str))
                    yield Clause(clause.head, positive, negative, clause.distinct)

    def ways(self, atom: Atom) -> Iterator[tuple[Atom, ...]]:
        kinds = self.kinds.get(atom.relation, {})
        if not kinds or atom.relation in self.rest:
            yield (atom,)
        for kind, name in kinds.items():
            yield (Atom(name, _others(atom, kind)), *_bindings(atom, kind))

    def denials(self, clause: Clause) -> list[Literals]:
        """Return the smallest sets of atoms whose denial denies all atoms that a clause denies."""
        found: list[Literals] = [frozenset()]
        for atom in clause.negative:
            kinds = self.kinds.get(atom.relation, {})
            if not kinds or atom.relation in self.rest:
                found = [one | {atom} for one in found]
            for kind, name in kinds.items():
                bindings = (a for a in _bindings(atom, kind) if not self.holds(a, clause))
                options = [Atom(name, _others(atom, kind)), *bindings]
                found = [one | {option} for one in found for option in options]
                found = [one for one in found if not any(other < one for other in found)]
            found = list(dict.fromkeys(found))
        return found

    def holds(self, atom: Atom, clause: Clause) -> bool:
        """Return whether an atom over one argument, listed by facts, holds wherever a body does."""
        if atom.relation not in self.listed:
            return False
        values = {v for v in self.places.get((atom.relation, 0), set()) if not v[1]}
        term = atom.args[0]
        if isinstance(term, Function):
            return not term.args and (term.name, 0) in values
        occurrences = (place for a in clause.positive for v, place in places_of(a) if v == term)
        return any(self.places.get(place, set()) <= values for place in occurrences)


def _others(atom: Atom, kind: Kind) -> tuple[Term, ...]:
    free = {place for place, _ in kind}
    return tuple(arg for place, arg in enumerate(atom.args) if place not in free)


def _bindings(atom: Atom, kind: Kind) -> list[Atom]:
    return [
        _replace(bound, _SELF, atom.args[place])
        for place, domain in kind
        for bound in sorted(domain, key=str)
    ]


def _replace(atom: Atom, variable: Variable, term: Term) -> Atom:
    """Put a term in the place of a variable."""
    return Atom(atom.relation, tuple(substitute(arg, {variable: term}) for arg in atom.args))
