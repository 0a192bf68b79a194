"""The clauses of a rule sheet in; out those that say no more than that players take turns."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.gdl import Atom, Clause, Function

__all__ = ["turn_clauses"]


def turn_clauses(
    clauses: Sequence[Clause], fluent: str, roles: Sequence[str]
) -> tuple[str, frozenset[Clause]]:
    """Return who begins, and all clauses about whose turn it is, if roles have it in their order.

    >>> from kibitz.gdl import clauses_of, parse
    >>> text = "(init (turn x)) (<= (next (turn x)) (true (turn o))) "
    >>> text += "(<= (next (turn o)) (true (turn x)))"
    >>> first, found = turn_clauses(clauses_of(parse(text)), "turn", ["x", "o"])
    >>> first, len(found)
    ('x', 3)
    """
    about = [c for c in clauses if c.head.relation in ("init", "next") and _is_turn(c, fluent)]
    for first in roles if len(roles) > 1 else ():
        wanted = {Clause(Atom("init", (_turn(fluent, first),)))} | {
            Clause(Atom("next", (_turn(fluent, after),)), (Atom("true", (_turn(fluent, role),)),))
            for role, after in zip(roles, (*roles[1:], roles[0]), strict=True)
        }
        if set(about) == wanted:
            return first, frozenset(wanted)
    return "", frozenset()


def _is_turn(clause: Clause, fluent: str) -> bool:
    told = clause.head.args[0]
    return not isinstance(told, Function) or (told.name == fluent and len(told.args) == 1)


def _turn(fluent: str, role: str) -> Function:
    return Function(fluent, (Function(role),))
