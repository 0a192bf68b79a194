"""Builder and Network against truth tables."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from kibitz.engine.grounding import FALSE, TRUE, Literal, Network, negate
from kibitz.engine.grounding.network import Builder
from kibitz.gdl import Function

INPUTS = 4
ONES = (1 << (1 << INPUTS)) - 1
TABLE = [sum(1 << row for row in range(1 << INPUTS) if row >> i & 1) for i in range(INPUTS)]
"""Truth tables of the inputs: bit r is the value in row r."""

choices = st.lists(
    st.tuples(
        st.sampled_from(["both", "either", "all", "any", "negate"]), st.lists(st.integers(0))
    ),
    min_size=1,
    max_size=40,
)


def network_of(builder: Builder, output: Literal) -> Network:
    """Make a network whose inputs are fluents, with one output."""
    return Network(
        roles=("r",),
        fluents=tuple(Function(f"f{i}") for i in range(builder.first_gate - 1)),
        moves=((),),
        initial=(False,) * (builder.first_gate - 1),
        gates=tuple(builder.gates),
        legal=((),),
        next=(FALSE,) * (builder.first_gate - 1),
        terminal=output,
        goals=((),),
    )


def table_of(builder: Builder, literal: Literal) -> int:
    values = network_of(builder, literal).evaluate(TABLE, ONES)
    return values[literal >> 1] ^ (ONES if literal & 1 else 0)


Made = tuple[Literal, int]
"""A literal, and the truth table that it should have."""


def combine(builder: Builder, kind: str, parts: list[Made]) -> Made:
    literals = [literal for literal, _ in parts]
    conjunction, disjunction = ONES, 0
    for _, table in parts:
        conjunction &= table
        disjunction |= table
    match kind:
        case "both":
            return builder.both(literals[0], literals[-1]), parts[0][1] & parts[-1][1]
        case "either":
            return builder.either(literals[0], literals[-1]), parts[0][1] | parts[-1][1]
        case "all":
            return builder.all(literals), conjunction
        case "any":
            return builder.any(literals), disjunction
    return negate(literals[0]), parts[0][1] ^ ONES


def build_at_random(picks: list[tuple[str, list[int]]]) -> tuple[Builder, list[Made]]:
    builder = Builder(INPUTS)
    made: list[Made] = [(FALSE, 0), (TRUE, ONES)]
    made += [(2 * (1 + i), table) for i, table in enumerate(TABLE)]
    for kind, indices in picks:
        parts = [made[-1 - i % min(len(made), 12)] for i in indices or [0, 1]]
        made.append(combine(builder, kind, parts))
    return builder, made


@given(choices)
def test_what_is_built_has_the_truth_table_of_what_was_asked_for(
    picks: list[tuple[str, list[int]]],
) -> None:
    builder, made = build_at_random(picks)
    for literal, table in made:
        assert table_of(builder, literal) == table


@given(choices)
def test_every_gate_comes_after_what_it_reads_and_only_once(
    picks: list[tuple[str, list[int]]],
) -> None:
    builder, _ = build_at_random(picks)
    assert len(set(builder.gates)) == len(builder.gates)
    for index, (a, b) in enumerate(builder.gates):
        assert 1 < a < b < 2 * (builder.first_gate + index)
        assert a >> 1 != b >> 1


@given(choices)
def test_no_gate_is_a_constant_or_one_of_its_inputs(picks: list[tuple[str, list[int]]]) -> None:
    builder, _ = build_at_random(picks)
    tables = [table_of(builder, 2 * (builder.first_gate + i)) for i in range(len(builder.gates))]
    for (a, b), table in zip(builder.gates, tables, strict=True):
        inputs = {table_of(builder, a), table_of(builder, b)}
        if a >> 1 < builder.first_gate and b >> 1 < builder.first_gate:
            assert table not in {0, ONES, *inputs}


def test_the_same_two_literals_give_the_same_gate_in_either_order() -> None:
    builder = Builder(2)
    assert builder.both(2, 4) == builder.both(4, 2) == 6
    assert len(builder.gates) == 1


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda b: b.both(2, FALSE), FALSE),
        (lambda b: b.both(TRUE, 2), 2),
        (lambda b: b.both(2, 2), 2),
        (lambda b: b.both(2, 3), FALSE),
        (lambda b: b.either(2, 3), TRUE),
        (lambda b: b.either(2, FALSE), 2),
        (lambda b: b.both(2, b.both(2, 4)), 6),
        (lambda b: b.both(3, b.both(2, 4)), FALSE),
        (lambda b: b.both(3, negate(b.both(2, 4))), 3),
        (lambda b: b.both(2, negate(b.both(2, 4))), 8),
        (lambda b: b.all([]), TRUE),
        (lambda b: b.any([]), FALSE),
        (lambda b: b.any([2]), 2),
    ],
)
def test_small_laws_need_no_gate_of_their_own(
    build: Callable[[Builder], Literal], expected: Literal
) -> None:
    assert build(Builder(2)) == expected


def test_a_long_alternative_is_a_balanced_tree() -> None:
    builder = Builder(64)
    builder.any(2 * (1 + i) for i in range(64))
    depth: dict[int, int] = {}
    for index, (a, b) in enumerate(builder.gates):
        below = max(depth.get(a >> 1, 0), depth.get(b >> 1, 0))
        depth[builder.first_gate + index] = 1 + below
    assert (len(builder.gates), max(depth.values())) == (63, 6)


def test_more_gates_than_allowed_are_refused() -> None:
    builder = Builder(10, limit=3)
    with pytest.raises(OverflowError, match="more than 3 gates"):
        builder.all(range(2, 22, 2))


def test_only_gates_that_outputs_depend_on_are_counted_as_needed() -> None:
    builder = Builder(3)
    wanted = builder.both(2, 4)
    builder.both(2, 6)
    assert network_of(builder, wanted).needed_gates() == 1
    assert network_of(builder, 2).needed_gates() == 0
