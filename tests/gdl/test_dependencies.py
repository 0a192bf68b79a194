from __future__ import annotations

from hypothesis import given, strategies as st

from kibitz.gdl import parse
from kibitz.gdl.dependencies import Dependencies, components

TEXT = "(<= a (not b)) (<= b c d) (<= c b) (<= d e) (<= f (or f (not a)))"


def test_edges_have_their_sign_and_rule() -> None:
    edges = Dependencies.of(parse(TEXT)).edges
    assert [(e.head, e.atom.relation, e.is_positive) for e in edges] == [
        ("a", "b", False),
        ("b", "c", True),
        ("b", "d", True),
        ("c", "b", True),
        ("d", "e", True),
        ("f", "f", True),
        ("f", "a", False),
    ]
    assert edges[2].rule is edges[1].rule


def test_recursive_edges_are_those_on_a_cycle() -> None:
    dependencies = Dependencies.of(parse(TEXT))
    recursive = [e for e in dependencies.edges if dependencies.is_recursive(e)]
    assert [(e.head, e.atom.relation) for e in recursive] == [("b", "c"), ("c", "b"), ("f", "f")]


def test_a_path_is_a_shortest_chain() -> None:
    dependencies = Dependencies.of(parse(TEXT))
    chain = dependencies.path("a", ["e", "zzz"])
    assert [(e.head, e.atom.relation) for e in chain] == [("a", "b"), ("b", "d"), ("d", "e")]
    assert dependencies.path("d", ["a"]) == []


def test_reachable_has_the_start_only_if_it_is_recursive() -> None:
    dependencies = Dependencies.of(parse(TEXT))
    assert dependencies.reachable("a") == {"b", "c", "d", "e"}
    assert dependencies.reachable("b") == {"b", "c", "d", "e"}
    assert dependencies.reachable("e") == set()


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20))
def test_components_are_sets_of_nodes_that_reach_one_another(
    edges: list[tuple[int, int]],
) -> None:
    successors: dict[int, list[int]] = {}
    for start, end in edges:
        successors.setdefault(start, []).append(end)
        successors.setdefault(end, [])
    reach = {node: _reach(successors, node) for node in successors}
    found = components(successors)
    assert sorted(node for group in found for node in group) == sorted(successors)
    for number, group in enumerate(found):
        for node in group:
            assert {n for n in reach[node] if node in reach[n]} | {node} == set(group)
            later = {n for other in found[number + 1 :] for n in other}
            assert not reach[node] & later


def _reach(successors: dict[int, list[int]], start: int) -> set[int]:
    seen: set[int] = set()
    stack = [start]
    while stack:
        for node in successors[stack.pop()]:
            if node not in seen:
                seen.add(node)
                stack.append(node)
    return seen


def test_a_long_chain_is_no_recursion_error() -> None:
    successors = {i: [i + 1] for i in range(50_000)}
    assert len(components(successors)) == 50_001
