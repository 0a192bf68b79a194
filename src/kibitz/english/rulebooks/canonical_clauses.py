"""The clauses of a rule sheet in; out those that matter, and each in one form to compare.

Two clauses with the same form are the same rule: names of variables, the order of conditions, and
conditions that a sentence implies make no difference.
"""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.gdl import (
    Atom,
    Clause,
    Dependencies,
    RuleSheet,
    Term,
    Variable,
    clauses_of,
    substitute_all,
    variables_of,
)

__all__ = ["canonical", "clause_variables", "is_implied", "live_clauses", "player_of", "stays"]


def live_clauses(sheet: RuleSheet) -> list[Clause]:
    """Return the clauses that say what happens, without those that nothing needs."""
    depends = Dependencies.of(sheet)
    live = {"role", "init", "legal", "next", "goal", "terminal"}
    for relation in tuple(live):
        live |= depends.reachable(relation)
    return list(dict.fromkeys(c for c in clauses_of(sheet) if c.head.relation in live))


def clause_variables(clause: Clause) -> Iterator[Variable]:
    """Yield the variables of a clause, as often as they come."""
    for atom in (clause.head, *clause.positive, *clause.negative):
        yield from variables_of(atom)
    for pair in clause.distinct:
        for term in pair:
            yield from variables_of(term)


def canonical(clause: Clause) -> object:
    """Return a clause with its variables numbered in the order in which they come."""
    first = [Atom("true", clause.head.args)] if stays(clause) else []
    if (player := player_of(clause.head)) is not None:  # only players have moves and results
        first.append(Atom("role", (player,)))
    rest = [one for one in clause.positive if not is_implied(one, clause)]
    ordered = Clause(clause.head, (*first, *rest), clause.negative, clause.distinct)
    bindings: dict[Variable, Term] = {}
    for variable in clause_variables(ordered):
        bindings.setdefault(variable, Variable(f"#{len(bindings)}"))  # unlike any other
    one = substitute_all(ordered, bindings)
    return one.head, frozenset(one.positive), frozenset(one.negative), frozenset(one.distinct)


def player_of(head: Atom) -> Variable | None:
    """Return the variable that stands for the player whom a head is about."""
    if head.relation in ("legal", "goal") and isinstance(head.args[0], Variable):
        return head.args[0]
    return None


def is_implied(atom: Atom, clause: Clause) -> bool:
    """Return whether a sentence says a condition without it: "it stays so", who makes moves."""
    head = clause.head
    if atom.relation == "role":
        does = (one.args[0] for one in clause.positive if one.relation == "does")
        return isinstance(atom.args[0], Variable) and atom.args[0] in (player_of(head), *does)
    return head.relation == "next" and atom.relation == "true" and atom.args == head.args


def stays(clause: Clause) -> bool:
    """Return whether a clause says that what is so stays so."""
    head = clause.head
    return head.relation == "next" and any(
        atom.relation == "true" and atom.args == head.args for atom in clause.positive
    )
