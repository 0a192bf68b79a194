"""Derive a relation only for arguments that some rule can ask for, where that is known beforehand.

"How many of these five fields hold a red stone" is defined for any five fields, and asked for one
set of five. What arguments a relation is called with follows partly from constants and from
relations that no state changes; these become a guard, a new relation that the grounder evaluates
completely and that does not appear in the ground rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kibitz.gdl import KEYWORD_ARITY, Atom, Clause, Function, Term, Variable, variables_of

__all__ = ["dynamic_relations", "restrict"]


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
