"""Rule sheet in; out a program of what does not depend on the state."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.gdl import (
    Clause,
    Function,
    Names,
    RuleSheet,
    Term,
    Variable,
    clauses_of,
    timed_relations,
    write_clause,
)

__all__ = ["fixed_clauses", "static_program"]


def fixed_clauses(sheet: RuleSheet) -> tuple[Clause, ...]:
    """Return the clauses of relations that are the same in all states and certainly finite.

    Relations that build terms and depend on themselves are left out.

    >>> from kibitz.games import load_sheet
    >>> sorted({clause.head.relation for clause in fixed_clauses(load_sheet("marks"))})
    ['cell', 'in_line', 'other', 'role']
    """
    clauses = clauses_of(sheet)
    timed = timed_relations(clauses) | {"init", "base", "input"}
    below = _below(clauses)
    builders = {
        clause.head.relation
        for clause in clauses
        if any(isinstance(arg, Function) and _has_variable(arg) for arg in clause.head.args)
    }
    endless = {name for name in below if any(b in builders and b in below[b] for b in below[name])}
    return tuple(
        clause
        for clause in clauses
        if clause.head.relation not in timed and clause.head.relation not in endless
    )


def static_program(sheet: RuleSheet, names: Names) -> str:
    """Write them for clingo."""
    return "\n".join(write_clause(clause, names) for clause in fixed_clauses(sheet))


def _below(clauses: Sequence[Clause]) -> dict[str, set[str]]:
    """Find what each relation depends on, itself only if it is recursive."""
    below: dict[str, set[str]] = {}
    for clause in clauses:
        used = {atom.relation for atom in (*clause.positive, *clause.negative)}
        below.setdefault(clause.head.relation, set()).update(used)
    while True:
        size = sum(map(len, below.values()))
        for name, used in below.items():
            below[name] = used.union(*(below.get(other, set()) for other in used))
        if sum(map(len, below.values())) == size:
            return below


def _has_variable(term: Term) -> bool:
    if isinstance(term, Variable):
        return True
    return any(map(_has_variable, term.args))
