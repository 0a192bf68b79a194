"""What relations of flat clauses depend on: the state, the moves, one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kibitz.engine.ungrounded.flat_clauses import DependencyLevel, FlatClause, Pred
from kibitz.errors import KibitzError
from kibitz.gdl import components

__all__ = ["UnstratifiedError", "find_groups", "find_levels"]

Clauses = Mapping[Pred, Sequence[FlatClause]]


class UnstratifiedError(KibitzError):
    """A relation depends on its own negation."""


def find_levels(by_head: Clauses) -> dict[Pred, DependencyLevel]:
    """Tell what relations depend on, where it is not nothing."""
    levels: dict[Pred, DependencyLevel] = {}
    users: dict[Pred, set[Pred]] = {}
    for head, clauses in by_head.items():
        for clause in clauses:
            for atom in (*clause.positive, *clause.negative):
                users.setdefault(atom.pred, set()).add(head)
    for relation, level in (("true", DependencyLevel.STATE), ("does", DependencyLevel.MOVE)):
        stack = [pred for pred in users if pred.relation == relation]
        seen: set[Pred] = set()
        while stack:
            pred = stack.pop()
            if pred not in seen:
                seen.add(pred)
                levels[pred] = level
                stack.extend(users.get(pred, ()))
    return levels


def find_groups(by_head: Clauses) -> list[list[Pred]]:
    """Give relations that need one another together, each after those that it needs."""
    needs = {
        head: list(dict.fromkeys(a.pred for c in clauses for a in (*c.positive, *c.negative)))
        for head, clauses in by_head.items()
    }
    groups = components(needs)
    for group in groups:
        inside = set(group)
        for head in group:
            for clause in by_head.get(head, ()):
                if any(atom.pred in inside for atom in clause.negative):
                    raise UnstratifiedError(f"{head.relation} depends on its own negation")
    return groups
