"""The child process that grounds: what comes back, and that nothing stays behind."""

from __future__ import annotations

import os
import resource

import pytest
from tests.cpu import cpu_seconds

from kibitz.budget import Budget
from kibitz.engine.grounding.gringo import Grounder, GroundRules, ground_clauses
from kibitz.errors import BudgetExceededError
from kibitz.gdl import clauses_of, parse, parse_terms

pytestmark = pytest.mark.usefixtures("grounded_anew")

BLOW_UP = """(role me) (legal me a) (init p) (<= (next p) (true p))
(<= terminal (t ?a ?b ?c ?d ?e ?f))
(<= (t ?a ?b ?c ?d ?e ?f) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (true p))"""
BLOW_UP += "".join(f"(n {i})" for i in range(60))


def ground(text: str, budget: Budget | None = None) -> GroundRules:
    return ground_clauses(clauses_of(parse(text, form="kif")), budget or Budget(seconds=300))


def children() -> set[str]:
    """Give the processes that this one has started and not yet forgotten."""
    found = set()
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as stream:
                    parent = stream.read().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if parent == str(os.getpid()):
                found.add(entry)
    return found


def names(rules: GroundRules, relation: str) -> tuple[set[str], set[str]]:
    """Give the atoms of a relation that always hold, and those that may."""
    facts = {" ".join(map(str, args)) for name, args in rules.facts if name == relation}
    atoms = {" ".join(map(str, args)) for name, args, _ in rules.atoms if name == relation}
    return facts, atoms


def test_what_is_fixed_is_a_fact_and_what_may_change_has_a_number() -> None:
    rules = ground("""(role me) (init (f 1)) (n 1) (n 2) (<= (legal me (m ?x)) (n ?x))
        (<= (next (f ?x)) (does me (m ?x))) (<= terminal (true (f 2))) (goal me 5)""")
    assert names(rules, "role") == ({"me"}, set())
    assert names(rules, "legal") == ({"me (m 1)", "me (m 2)"}, set())
    assert names(rules, "true") == (set(), {"(f 1)", "(f 2)"})
    assert names(rules, "does") == (set(), {"me (m 1)", "me (m 2)"})
    assert names(rules, "next") == (set(), {"(f 1)", "(f 2)"})
    numbers = {(name, args): number for name, args, number in rules.atoms}
    (two,) = parse_terms("(f 2)")
    assert (numbers["terminal", ()], (numbers["true", (two,)],)) in rules.rules


def test_what_turns_out_to_be_fixed_only_later_still_holds_without_condition() -> None:
    # (r 2) is derived with a condition before it is derived without one, by way of 5.
    rules = ground("""(role me) (init (on 1)) (<= (next (on ?x)) (true (on ?x)))
        (<= (next (on ?y)) (true (on ?x)) (s ?x ?y)) (s 1 2) (s 2 3) (s 3 4) (s 4 5)
        (<= (r ?y) (r ?x) (e ?x ?y) (true (on ?y))) (<= (r ?y) (r ?x) (f ?x ?y)) (r 1)
        (<= (legal me ?x) (r ?x))
        (e 1 3) (e 4 4) (e 2 3) (e 1 2) (f 5 2) (f 4 4) (f 2 4) (f 1 5) (f 3 3)""")
    held: set[int] = set()
    for _ in rules.rules:
        held |= {head for head, body in rules.rules if held.issuperset(body)}
    always = {str(args[1]) for name, args in rules.facts if name == "legal"}
    always |= {str(args[1]) for name, args, n in rules.atoms if name == "legal" and n in held}
    assert always == {"1", "2", "4", "5"}


def test_fluents_that_no_play_reaches_are_left_out() -> None:
    rules = ground("""(role me) (init (f 1)) (n 2) (legal me a) (<= (next (f ?x)) (true (f ?x)))
        (<= (next (f 3)) (true (f 2))) (<= terminal (true (f 2)) (n 2))""")
    assert names(rules, "true") == (set(), {"(f 1)"})
    assert names(rules, "terminal") == (set(), set())


@pytest.mark.parametrize("name", ["é行", '"', "\\", "o'clock", "\U0001f600", "%*", "#show"])
def test_names_of_all_kinds_come_back_as_they_are(name: str) -> None:
    rules = ground(f"(role me) (init (f {name} 1)) (legal me a) (<= (next p) (true (f ?x ?y)))")
    assert names(rules, "init") == ({f"(f {name} 1)"}, set())
    assert names(rules, "true")[1] == {f"(f {name} 1)", "p"}


def test_running_out_of_time_is_said_within_the_time() -> None:
    start = cpu_seconds()
    with pytest.raises(BudgetExceededError, match="grounding needs more than 1 s"):
        ground(BLOW_UP, Budget(seconds=1))
    assert cpu_seconds() - start < 5


def test_running_out_of_memory_is_said() -> None:
    with pytest.raises(BudgetExceededError, match=r"grounding needs more than 0\.15 GB"):
        ground(BLOW_UP, Budget(seconds=600, bytes=150_000_000))


def test_a_grounder_that_is_stopped_leaves_no_process() -> None:
    before = children()
    grounder = Grounder(clauses_of(parse(BLOW_UP, form="kif")), Budget(seconds=60))
    assert not grounder.is_done
    grounder.stop()
    assert children() <= before


@pytest.mark.parametrize("budget", [Budget(seconds=1), Budget(bytes=150_000_000)])
def test_no_process_is_left_when_the_budget_is_exceeded(budget: Budget) -> None:
    before = children()
    with pytest.raises(BudgetExceededError):
        ground(BLOW_UP, budget)
    assert children() <= before


def test_a_budget_above_what_the_system_allows_is_no_error() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    more = 1 << 50 if most == resource.RLIM_INFINITY else 2 * most
    assert ground("(role me) (legal me a)", Budget(bytes=more)).facts
