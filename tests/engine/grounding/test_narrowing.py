"""Rewritings for sheets too large otherwise: they say the same, and leave few instances."""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

import pytest
from hypothesis import given
from tests.effort import examples
from tests.engine.grounding.rewriting import LIBRARY, plays_the_same, written
from tests.engine.suite import walk_together
from tests.foreign import FOREIGN, needs_foreign
from tests.random_games import games

from kibitz.budget import Budget
from kibitz.engine import ReferenceGame, UngroundedGame
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.grounding import ground_clauses, grounder
from kibitz.engine.grounding.argument_restriction import factor
from kibitz.engine.grounding.demand_guards import guard
from kibitz.engine.grounding.fixed_fluents import fix, fixed_functors
from kibitz.engine.grounding.grounder import ground, narrowed
from kibitz.engine.grounding.network import Hidden
from kibitz.engine.grounding.variable_elimination import split, unfold_inequalities
from kibitz.errors import InputError
from kibitz.games import load_sheet
from kibitz.gdl import Clause, Function, RuleSheet, clauses_of, parse, read

Clauses = tuple[Clause, ...]


def project(clauses: Clauses) -> Clauses:
    return split(clauses, project=True)


def free_and_split(clauses: Clauses) -> Clauses:
    return project(factor(unfold_inequalities(clauses)))


def narrow_game(sheet: RuleSheet, rewriting: Callable[[Clauses], Clauses]) -> CompiledGame:
    """Compile a game from clauses that are rewritten in one way only."""
    budget = Budget(seconds=600, bytes=8_000_000_000)
    rules = ground_clauses(rewriting(clauses_of(sheet)), budget)
    with patch.object(grounder, "_ground_either_way", lambda *_: ([rules], True)):
        return CompiledGame(sheet, grounding=ground(sheet, budget))


def agrees(sheet: RuleSheet, rewriting: Callable[[Clauses], Clauses], *, steps: int) -> None:
    games = [ReferenceGame(sheet), narrow_game(sheet, rewriting)]
    walk_together(games, seed=sheet.name, steps=steps)


HARD = ("chess", "merrills", "linesOfAction", "mummymaze1p", "englishDraughts")
REWRITINGS = (project, factor, unfold_inequalities, free_and_split)


@examples(12)
@given(games())
def test_rewritten_rules_say_the_same(sheet: RuleSheet) -> None:
    for rewriting in REWRITINGS:
        plays_the_same(sheet, rewriting, steps=3)


@examples(20)
@given(games())
def test_rules_guarded_by_what_is_possible_say_the_same(sheet: RuleSheet) -> None:
    for rewriting in (guard, narrowed):
        agrees(sheet, rewriting, steps=6)


@pytest.mark.parametrize("name", LIBRARY)
def test_narrowed_rules_of_the_library_say_the_same(name: str) -> None:
    agrees(load_sheet(name), narrowed, steps=8)


@needs_foreign
@pytest.mark.slow
@pytest.mark.parametrize("name", HARD)
def test_foreign_sheets_that_are_hard_to_ground_say_the_same(name: str) -> None:
    rules = (FOREIGN / "hard/rules" / f"{name}.kif").read_bytes()
    sheet = read(rules, name=name, form="kif")
    walk_together([UngroundedGame(sheet), narrow_game(sheet, narrowed)], seed=name, steps=4)


COUNTING = """(role me) {numbers}
(<= (legal me (fill ?x)) (cell ?x)) (<= (next (full ?x)) (true (full ?x)))
(<= (next (full ?x)) (does me (fill ?x)))
(cell 1) (cell 2) (cell 3) (s 1 2) (s 2 3) (s 3 end)
(<= (count end ?n ?n) (number ?n))
(<= (count ?x ?n ?m) (true (full ?x)) (s ?x ?y) (after ?n ?k) (count ?y ?k ?m))
(<= (count ?x ?n ?m) (cell ?x) (not (true (full ?x))) (s ?x ?y) (count ?y ?n ?m))
(<= terminal (count 1 0 3)) (<= (goal me ?m) (count 1 0 ?m))"""


def test_what_is_counted_is_derived_only_for_numbers_that_come_about() -> None:
    numbers = " ".join(f"(number {i}) (after {i} {i + 1})" for i in range(90))
    sheet = read(COUNTING.format(numbers=numbers), name="counting")
    agrees(sheet, narrowed, steps=5)
    rules = ground_clauses(narrowed(clauses_of(sheet)), Budget()).rules
    assert sum(bool(body) for _, body in rules) < 60


LINES = """(role me) {cells}
(<= (legal me (clear ?x)) (true (stone ?x))) (<= (legal me (put ?x)) (cell ?x))
(<= (next (stone ?x)) (does me (put ?x)))
(<= (next (stone ?x)) (true (stone ?x)) (not (does me (clear ?x))))
(<= (open ?x) (cell ?x) (not (true (stone ?x))))
(<= (line ?x ?y ?z) (s ?x ?y) (cell ?z))
(<= (line ?x ?y ?z) (s ?x ?z) (line ?z ?y ?z))
(<= (line ?x ?y ?z) (s ?x ?u) (open ?u) (line ?u ?y ?z))
(<= (goal me 100) (line 1 {last} 3)) (<= (goal me 0) (not (line 1 {last} 3)))
(<= terminal (true (stone 2)) (not (line 1 3 {last})))"""


def test_an_argument_that_plays_no_part_is_left_out() -> None:
    cells = " ".join(f"(cell {i}) (s {i} {i + 1})" for i in range(1, 6)) + " (cell 6)"
    text = LINES.format(cells=cells, last=6)
    plays_the_same(parse(text, name="lines"), factor, steps=12)
    lines = written(text, factor)
    assert "(line;free;0 ?x ?y) :- (s ?x ?y)" in lines
    assert "(line;free;0 ?x ?y) :- (s ?x ?u), (open ?u), (line;free;0 ?u ?y)" in lines
    assert "(line ?x ?y ?z) :- (s ?x ?z), (line;free;0 ?z ?y), (cell ?z)" in lines


def test_what_binds_a_free_argument_may_fail_where_it_is_denied() -> None:
    text = """(role me) (n 1) (n 2) (m 2) (m 3) (init (p 1)) (<= (legal me ?x) (m ?x))
        (<= (next (p ?x)) (does me ?x))
        (<= (q ?x ?y) (true (p ?x)) (n ?y))
        (<= (next (r ?y)) (m ?y) (not (q 1 ?y)))
        (<= terminal (true (r 2))) (goal me 50)"""
    plays_the_same(read(text, name="denied"), factor, steps=6)
    assert sum("(next (r" in line for line in written(text, factor)) == 2


def test_an_inequality_becomes_the_ways_to_differ() -> None:
    text = """(<= (other ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d) (distinct ?a ?c))
        (<= (other ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d) (distinct ?b ?d))
        (<= (p ?x ?y) (true (q ?x ?y)) (other ?x ?y 1 2))"""
    assert written(text, unfold_inequalities)[2:] == [
        "(p ?x ?y) :- (true (q ?x ?y)), (n ?x), (n ?y), (n 1), (n 2), ?x/1",
        "(p ?x ?y) :- (true (q ?x ?y)), (n ?x), (n ?y), (n 1), (n 2), ?y/2",
    ]


def test_denials_that_have_few_variables_are_put_together() -> None:
    text = """(<= (p ?a ?b ?c ?d ?e) (q ?a ?b ?c ?d ?e)
        (not (r ?a)) (not (s ?a ?b)) (not (t ?a ?b ?c ?d ?e)))"""
    assert written(text, project) == [
        "(split;0 ?v0 ?v1) :- (q ?v0 ?v1 ?v2 ?v3 ?v4)",
        "(split;1 ?v0 ?v1) :- (split;0 ?v0 ?v1), ~(r ?v0), ~(s ?v0 ?v1)",
        "(p ?a ?b ?c ?d ?e) :- (q ?a ?b ?c ?d ?e), (split;1 ?a ?b), ~(t ?a ?b ?c ?d ?e)",
    ]


MAZE = """(role me) (init (at 1)) (init (wall 3)) (n 1) (n 2) (n 3) (s 1 2) (s 2 3) (s 3 4)
(legal me go) (legal me stay)
(<= (next (wall ?x)) (true (wall ?x)))
(<= (next (at ?y)) (does me go) (true (at ?x)) (s ?x ?y) (not (true (wall ?y))))
(<= (next (at ?x)) (does me stay) (true (at ?x)))
(<= terminal (true (at 4))) (<= (goal me 5) (true (wall ?x))) """


def test_fluents_that_no_rule_changes_hold_in_every_state() -> None:
    sheet = read(MAZE, name="maze")
    plays_the_same(sheet, fix, steps=6)
    game = narrow_game(sheet, narrowed)
    walk_together([ReferenceGame(sheet), game], seed=1, steps=6)
    assert [str(fluent) for fluent in game.network.fluents] == ["(at 1)", "(at 2)"]
    assert game.network.hidden == (Hidden(Function("wall", (Function("3"),)), ()),)
    with pytest.raises(InputError, match="wall 3"):
        game.state([Function("at", (Function("1"),))])


@pytest.mark.parametrize(
    "rule",
    [
        "(<= (next (wall ?x)) (does me stay) (true (at ?x)))",
        "(<= (next ?f) (does me stay) (true ?f))",
        "(<= (next (wall 2)) (true (wall 2)))",
    ],
)
def test_fluents_that_another_rule_derives_are_not_fixed(rule: str) -> None:
    sheet = read(MAZE + rule, name="maze")
    assert not fixed_functors(clauses_of(sheet))
    agrees(sheet, narrowed, steps=6)


def test_atoms_that_only_bind_are_projected() -> None:
    text = "(<= (p ?a) (big ?a ?b ?c) (r ?c ?a) (k ?x ?y) (not (bad ?x ?b)) (l ?y))"
    assert written(text, project) == [
        "(split;0 ?v0) :- (k ?v0 ?v1), (l ?v1)",
        "(split;1 ?v0) :- (big ?v1 ?v0 ?v2)",
        "(split;2 ?v0) :- (split;0 ?v1), (split;1 ?v0), ~(bad ?v1 ?v0)",
        "(p ?a) :- (big ?a ?b ?c), (r ?c ?a), (split;2 ?b)",
    ]


def test_a_sheet_too_large_as_written_is_grounded_another_way() -> None:
    """With three more arguments there are 100 million instances, and few that are asked for."""
    bind = "(count end ?n ?n ?a ?b ?c) (number ?n) (number ?a) (number ?b) (number ?c))"
    text = COUNTING.replace("(count end ?n ?n) (number ?n))", bind)
    text = text.replace("?m) (true", "?m ?a ?b ?c) (true").replace(
        "?m) (cell", "?m ?a ?b ?c) (cell"
    )
    text = text.replace("?k ?m))", "?k ?m ?a ?b ?c))").replace(
        "(count ?y ?n ?m))", "(count ?y ?n ?m ?a ?b ?c))"
    )
    text = text.replace("(count 1 0 3)", "(count 1 0 3 5 6 7)").replace(
        "(count 1 0 ?m)", "(count 1 0 ?m 5 6 7)"
    )
    numbers = " ".join(f"(number {i}) (after {i} {i + 1})" for i in range(100))
    few = " ".join(f"(number {i}) (after {i} {i + 1})" for i in range(8))
    sheet = read(text.format(numbers=numbers), name="large")
    with patch.object(grounder, "_QUICK_S", 0.0):
        game = CompiledGame(sheet, budget=Budget(seconds=120, bytes=2_000_000_000))
    assert game.grounding.rules < 5_000
    walk_together([ReferenceGame(read(text.format(numbers=few))), game], seed=1, steps=3)
