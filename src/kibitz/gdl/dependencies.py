"""Which relation of a rule sheet depends on which: paths and cycles.

Relations are the nodes. `true` and `does` are given from outside, so edges end there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from kibitz.gdl.terms import Atom, Rule, RuleSheet, atoms_of

Node = TypeVar("Node", bound=Hashable)


class Edge(NamedTuple):
    """A rule's head relation needs a relation of its body."""

    head: str
    atom: Atom
    is_positive: bool
    rule: Rule


@dataclass(frozen=True, slots=True)
class Dependencies:
    """All edges of a sheet, and the component (set of mutually recursive relations) of each."""

    edges: tuple[Edge, ...]
    component: Mapping[str, int]

    @classmethod
    def of(cls, sheet: RuleSheet) -> Dependencies:
        """Find the dependencies of a sheet."""
        edges = tuple(
            Edge(rule.head.relation, atom, sign, rule)
            for rule in sheet.rules
            for formula in rule.body
            for atom, sign in atoms_of(formula)
        )
        successors: dict[str, list[str]] = {rule.head.relation: [] for rule in sheet.rules}
        for edge in edges:
            successors[edge.head].append(edge.atom.relation)
        numbered = enumerate(components(successors))
        return cls(edges, {name: i for i, group in numbered for name in group})

    def path(self, start: str, ends: Iterable[str]) -> list[Edge]:
        """Find a shortest chain of edges from one relation to any of several; empty if none."""
        wanted = set(ends)
        outgoing: dict[str, list[Edge]] = {}
        for edge in self.edges:
            outgoing.setdefault(edge.head, []).append(edge)
        came_by: dict[str, Edge] = {}
        queue = deque([start])
        while queue:
            for edge in outgoing.get(queue.popleft(), ()):
                relation = edge.atom.relation
                if relation in wanted:
                    chain = [edge]
                    while chain[-1].head != start:
                        chain.append(came_by[chain[-1].head])
                    return chain[::-1]
                if relation not in came_by:
                    came_by[relation] = edge
                    queue.append(relation)
        return []

    def reachable(self, start: str) -> set[str]:
        """Return every relation that one depends on; it is among them only if it is recursive."""
        successors: dict[str, set[str]] = {}
        for edge in self.edges:
            successors.setdefault(edge.head, set()).add(edge.atom.relation)
        seen: set[str] = set()
        stack = [start]
        while stack:
            new = successors.get(stack.pop(), set()) - seen
            seen |= new
            stack.extend(new)
        return seen

    def is_recursive(self, edge: Edge) -> bool:
        """Return whether an edge lies on a cycle."""
        return self.component.get(edge.atom.relation, -1) == self.component[edge.head]


def components(successors: Mapping[Node, Iterable[Node]]) -> list[list[Node]]:
    """Find the strongly connected components, each after those it leads to (Tarjan 1972).

    >>> components({"a": ["b"], "b": ["c"], "c": ["b"]})
    [['c', 'b'], ['a']]
    """
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    result: list[list[Node]] = []
    for root in successors:
        if root in index:
            continue
        work = [(root, iter(successors[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, children = work[-1]
            for child in children:
                if child not in index:
                    index[child] = low[child] = len(index)
                    stack.append(child)
                    on_stack.add(child)
                    work.append((child, iter(successors.get(child, ()))))
                    break
                if child in on_stack:
                    low[node] = min(low[node], index[child])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    group: list[Node] = []
                    while not group or group[-1] != node:
                        group.append(stack.pop())
                        on_stack.discard(group[-1])
                    result.append(group)
    return result
