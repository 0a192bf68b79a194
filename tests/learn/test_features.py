"""What rules of a background add to states, derived for all of them at once and by clingo."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from kibitz.engine.compiled.game import CompiledGame
from kibitz.games import load_sheet
from kibitz.gdl import Function, parse
from kibitz.learn.preferences.preferences import Facts, read_preferences
from kibitz.space import explore

SHEET = """
(role r) (init p) (init q) (init s) (legal r wait) (next p) (next q) (next s) terminal (goal r 0)
(succ 1 2) (succ 2 3)
"""
FLUENTS = [Function(name) for name in "pqs"]
STATES = [[f for bit, f in enumerate(FLUENTS) if number >> bit & 1] for number in range(8)]

literals = st.sampled_from(
    ["next(p)", "next(q)", "next(s)", "a(X)", "b(X)", "c(X)", "succ(X,Y)", "succ(Y,X)"]
)
negated = st.sampled_from(["", "", "not next(p)", "not b(X)", "not c(X)"])


@st.composite
def backgrounds(draw: st.DrawFn) -> str:
    lines = ["d(1..3)."]
    for head in draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=5)):
        body = ["d(X)", *draw(st.lists(literals, min_size=1, max_size=3)), draw(negated)]
        if any("Y" in part for part in body):
            body.append("d(Y)")
        lines.append(f"{head}(X) :- {', '.join(filter(None, body))}.")
    return "\n".join(lines)


@given(backgrounds())
def test_rules_derive_the_same_at_once_and_state_by_state(background: str) -> None:
    facts = Facts(parse(SHEET), background)
    columns = facts.columns(STATES)
    rules = facts.rules
    if rules is None or rules.order is None:
        return
    held = {
        literal: columns.get(atom, np.zeros(8, dtype=bool))
        for atom, literal in rules.fluents.items()
    }
    for atom, column in rules.solve(held, 8).items():
        assert column.tolist() == columns.pop(atom).tolist(), (background, str(atom))
    left = {atom for atom, column in columns.items() if column.any()} - facts.fixed
    assert left <= rules.fluents.keys(), (background, left)


@pytest.mark.parametrize(
    "rules",
    [
        "many :- #count { X : next(X) } > 1.",
        "a :- next(p), not b. b :- next(p), not a. :- b.",
        "far(X) :- next(p), X = 1. far(Y) :- far(X), succ(X,Y). far(Y) :- far(X), succ(Y,X).",
    ],
)
def test_what_counts_chooses_or_goes_round_is_asked_of_clingo(rules: str) -> None:
    facts = Facts(parse(SHEET), rules)
    columns = facts.columns(STATES)
    assert facts.rules is not None
    assert facts.rules.order is None
    derived = {str(atom): column.tolist() for atom, column in columns.items()}
    with_p = [bool(number & 1) for number in range(8)]
    if "many" in rules:
        assert derived["many"] == [number.bit_count() > 1 for number in range(8)]
    elif "far" in rules:
        assert derived["far(3)"] == with_p
    else:
        assert derived["a"] == with_p


@pytest.mark.parametrize("name", ["marks", "threemensmorris", "connect:3,3x3"])
def test_costs_of_a_space_are_those_of_its_states(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kibitz.learn.preferences import preferences

    space = explore(CompiledGame(load_sheet(name)))
    first = min(space.state(0).fluents, key=str)
    args = ",".join("XYZ"[: len(first.args)])
    weak = read_preferences(
        f"busy({args}) :- next({first.name}({args})). "
        f":~ busy({args}). [1@2, 1, {args}] :~ next(F). [2@1, 2, F]"
    )
    monkeypatch.setattr(preferences, "_AT_ONCE", 700)
    sets = weak.move_sets(space, space.game.roles)
    costs = weak.costs(space.game.sheet, [space.state(i).fluents for i in range(len(space))])
    for number in range(0, len(space), 37):
        edges = range(space.first_edge[number], space.first_edge[number + 1])
        ranks = {edge: tuple(costs[space.target[edge]]) for edge in edges}
        best = {edge for edge in edges if ranks[edge] == min(ranks.values())}
        chosen = {edge for moves in sets.values() for edge in edges if moves.chosen[edge]}
        assert chosen == best
