"""From sheet to Grounding: what is told about it, and what happens where it does not fit."""

from __future__ import annotations

import contextlib
import importlib
import os
import time

import pytest
from tests.cpu import cpu_seconds
from tests.engine.grounding.test_gringo import children

from kibitz.budget import Budget
from kibitz.engine.grounding import ground
from kibitz.errors import BudgetExceededError
from kibitz.games import load_sheet
from kibitz.gdl import Clause, RuleSheet, parse, read

pytestmark = pytest.mark.usefixtures("grounded_anew")

GROWING = """(role me) (init (count z)) (legal me more)
(<= (next (count (s ?n))) (true (count ?n)))
(<= terminal (true (count (s (s (s z)))))) (goal me 0)"""

NUMBERS = "".join(f"(n {i})" for i in range(100))

MILLION = f"""(role me) {NUMBERS} (init (at 0)) (<= (legal me (go ?x)) (n ?x))
(<= (next (at ?x)) (does me (go ?x)))
(<= (near ?x ?y ?z) (true (at ?x)) (n ?y) (n ?z) (distinct ?y ?z))
(<= terminal (near ?x ?y ?z) (true (at ?y)) (true (at ?z))) (goal me 0)"""
"""There are 990,000 instances of the third rule from below."""


def test_a_grounding_tells_sizes_and_time() -> None:
    grounding = ground(load_sheet("tictactoe"))
    network = grounding.network
    assert len(network.fluents) + len(network.hidden) == 29
    assert list(map(len, network.moves)) == [10, 10]
    assert grounding.gates == network.needed_gates() <= len(network.gates)
    assert grounding.gates_before > grounding.gates > 50
    assert grounding.rules > 50
    assert grounding.seconds > 0


@pytest.mark.parametrize(
    ("rules", "strata"),
    [
        ("(<= terminal (true p))", 1),
        ("(<= terminal (not (true p)))", 2),
        ("(<= a (not (true p))) (<= terminal (not a))", 3),
        ("(<= a (not (true p))) (<= b a) (<= b b a) (<= terminal (not b)) (<= c (not b))", 3),
    ],
)
def test_strata_count_the_negations_on_a_chain_of_rules(rules: str, strata: int) -> None:
    text = f"(role me) (init p) (legal me a) (<= (next p) (true p)) {rules} (goal me 0)"
    assert ground(read(text, form="kif")).strata == strata


def test_roles_keep_the_order_in_which_they_are_written() -> None:
    text = """(<= (role ?x) (more ?x)) (more c) (more b) (role z) (<= (legal ?r w) (role ?r))
        terminal (goal z 0)"""
    assert ground(read(text, form="kif")).network.roles == ("z", "b", "c")


def test_networks_stay_small() -> None:
    most = {"tictactoe": 200, "connectfour": 900, "breakthrough": 3_000, "sim": 300}
    for name, gates in most.items():
        assert ground(load_sheet(name)).gates <= gates


@pytest.mark.parametrize("sheet", [GROWING, MILLION], ids=["growing terms", "a million rules"])
def test_what_does_not_fit_the_time_is_told_within_it(sheet: str) -> None:
    before = children()
    start = cpu_seconds()
    with contextlib.suppress(BudgetExceededError):
        ground(read(sheet, form="kif"), Budget(seconds=1))
    assert cpu_seconds() - start < 7
    assert children() <= before


def test_what_does_not_fit_the_memory_is_told() -> None:
    before = children()
    with pytest.raises(BudgetExceededError, match="needs more than"):
        ground(read(GROWING, form="kif"), Budget(seconds=300, bytes=150_000_000))
    assert children() <= before


@pytest.mark.slow
def test_a_million_ground_rules_are_grounded() -> None:
    grounding = ground(read(MILLION, form="kif"), Budget(seconds=900))
    assert grounding.network.fluents
    assert grounding.gates < 10_000


def test_too_many_gates_are_a_budget_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.engine.grounding.network.Builder.__init__.__defaults__", (10,))
    with pytest.raises(BudgetExceededError, match="the network of tictactoe has more than 10 gate"):
        ground(load_sheet("tictactoe"))


BASE = """(role me) (init (at 1)) (legal me go) (<= terminal (true (at 2))) (goal me 0)
(<= (next (at 2)) (does me go)) (n 1) (n 2) (<= (legal me stop) p)"""
LONG = {
    "variables": f"{BASE} (<= p {' '.join(f'(n ?v{i})' for i in range(40))})",
    "roles": BASE + "".join(f"(role r{i}) (legal r{i} go) (goal r{i} 0)" for i in range(30)),
    "rules": f"{BASE} {'(<= p (n 1) (n 3)) ' * 1500}",
    "alternatives": f"{BASE} (<= p {'(or (n 1) (n 3)) ' * 8})",
}


@pytest.mark.parametrize("what", LONG)
def test_what_may_take_long_before_clingo_begins_is_done_in_a_bounded_child(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = os.getpid()
    module = importlib.import_module("kibitz.engine.grounding.grounder")
    real = module.clauses_of

    def clauses_of(sheet: RuleSheet) -> tuple[Clause, ...]:
        if os.getpid() == here:
            raise AssertionError("rewritten without bounds")
        clauses: tuple[Clause, ...] = real(sheet)
        return clauses

    monkeypatch.setattr(module, "clauses_of", clauses_of)
    assert ground(parse(LONG[what])).network.roles[0] == "me"


def test_rewriting_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("kibitz.engine.grounding.grounder")
    monkeypatch.setattr(module, "clauses_of", lambda _sheet: time.sleep(3600))
    with pytest.raises(BudgetExceededError, match=r"grounding needs more than 0\.2 s"):
        ground(parse(LONG["variables"]), Budget(seconds=0.2))
