"""Cases from the test suites of ggp-base and gdl-validation, two other GDL programs."""

from __future__ import annotations

import pytest
from tests.foreign import FOREIGN, needs_foreign

from kibitz.budget import Budget
from kibitz.engine import ReferenceGame, State, diagnose_start
from kibitz.errors import Diagnostic, Severity
from kibitz.gdl import RuleSheet, diagnose, parse, read

pytestmark = needs_foreign


def text(name: str) -> str:
    return (FOREIGN / "conformance" / f"{name}.kif").read_text("utf-8")


def sheet(name: str) -> RuleSheet:
    return read(text(name), name=name, form="kif")


def start(name: str) -> State:
    return ReferenceGame(sheet(name)).initial()


def found_in(name: str) -> list[tuple[str, int, int]]:
    """Give code, line and column of the errors in a sheet."""
    read_sheet, found = diagnose(text(name), name=name, form="kif")
    return [
        (d.code, *read_sheet.source.position(d.place.start))
        for d in found
        if d.severity is Severity.ERROR
    ]


def warnings_in(name: str) -> list[Diagnostic]:
    return [d for d in diagnose(text(name), form="kif")[1] if d.severity is Severity.WARNING]


def moves(state: State) -> list[str]:
    (role,) = state.game.roles
    return [str(move) for move in state.legal(role)]


def goal(state: State) -> int | None:
    (role,) = state.game.roles
    return state.goals[role]


def walk(state: State, *choices: str) -> State:
    for choice in choices:
        state = state.step([choice])
    return state


def test_1a_a_goal_rule_with_an_empty_body_holds() -> None:
    state = start("basetest_test_case_1a")
    assert goal(state) == 100
    after = walk(state, "proceed")
    assert (after.is_terminal, goal(after)) == (True, 100)


def test_1b_legal_may_stand_in_bodies() -> None:
    state = start("basetest_test_case_1b")
    assert (moves(state), state.is_terminal) == (["lose", "win"], False)
    won, lost = walk(state, "win"), walk(state, "lose")
    assert (won.is_terminal, goal(won)) == (True, 100)
    assert (lost.is_terminal, goal(lost), moves(lost)) == (True, 0, [])


def test_2a_static_facts_derived_by_rules_work_as_facts_do() -> None:
    state = start("basetest_test_case_2a")
    for number in range(4):
        assert moves(state) == [f"(move move_next {number} {number + 1})"]
        state = walk(state, moves(state)[0])
    assert (state.is_terminal, goal(state)) == (True, 100)


def test_2b_static_facts_derived_in_two_directions_work_as_facts_do() -> None:
    state = start("basetest_test_case_2b")
    assert moves(state) == ["mov_left", "mov_right"]
    after = walk(state, "mov_left")
    assert "(pos c5)" in map(str, after.fluents)
    assert moves(after) == []  # a wall to the left, its own tail to the right
    assert after.is_terminal


def test_2c_static_facts_derived_for_a_row_work_as_facts_do() -> None:
    state = start("basetest_test_case_2c")
    assert moves(state) == ["mov_left", "mov_right"]
    for number in range(10):
        assert not state.is_terminal
        assert f"(step {number})" in map(str, state.fluents)
        state = walk(state, "mov_left")
    assert (state.is_terminal, goal(state)) == (True, 100)


def test_3a_an_atom_is_the_same_with_and_without_parentheses() -> None:
    state = start("basetest_test_case_3a")
    assert moves(state) == ["(move correct_correct)"]
    assert goal(walk(state, "(move correct_correct)")) == 100


def test_3b_variables_bound_only_by_distinct_are_rejected() -> None:
    found = found_in("basetest_test_case_3b")
    assert [code for code, _, _ in found] == (["GDL007"] * 4 + ["GDL009"] * 2) * 2
    assert found[0] == ("GDL007", 13, 19)


def test_3c_an_undefined_proposition_is_false_so_its_negation_holds() -> None:
    assert [d.code for d in warnings_in("basetest_test_case_3c")] == ["GDL017"]
    state = start("basetest_test_case_3c")
    assert moves(state) == ["win"]
    assert goal(walk(state, "win")) == 100


def test_3d_the_initial_state_holds_what_init_says_and_no_more() -> None:
    state = start("basetest_test_case_3d")
    assert [str(fluent) for fluent in state.fluents] == ["(cell alpha)"]
    assert moves(state) == ["win"]
    assert goal(walk(state, "win")) == 100


def test_3e_variables_bound_by_nothing_are_rejected() -> None:
    assert found_in("basetest_test_case_3e") == [("GDL007", 8, 12), ("GDL007", 9, 11)]


def test_3f_variables_bound_only_under_a_negation_are_rejected() -> None:
    assert found_in("basetest_test_case_3f") == [
        ("GDL007", 11, 12),
        ("GDL007", 13, 11),
        ("GDL008", 13, 31),
    ]


def test_4a_base_and_input_may_be_there() -> None:
    state = start("basetest_test_case_4a")
    assert ([str(f) for f in state.fluents], moves(state)) == (["p"], ["a"])
    after = walk(state, "a")
    assert ([str(f) for f in after.fluents], after.is_terminal) == (["q"], True)


def test_5a_recursion_through_function_terms_ends() -> None:
    state = start("basetest_test_case_5a")
    assert moves(state) == ["proceed"]  # for r holds of (0 0), (0 f0) and (f0 ff0)
    assert walk(state, "proceed").is_terminal


def test_5b_variables_repeated_in_head_and_body_are_the_same() -> None:
    after = walk(start("basetest_test_case_5b"), "(draw 1 1 1 2)")
    assert [str(f) for f in after.fluents] == ["(line 1 1 1 2)", "done"]


def test_5c_positive_cycles_below_a_negation_are_false() -> None:
    state = start("basetest_test_case_5c")
    assert moves(state) == ["proceed"]
    assert walk(state, "proceed").is_terminal


def test_5d_mutual_recursion_with_swapped_arguments_feeds_init() -> None:
    state = start("basetest_test_case_5d")
    assert [str(f) for f in state.fluents] == [
        "(rTrue 1 2)",
        "(rTrue 2 1)",
        "(sTrue 1 2)",
        "(sTrue 2 1)",
    ]
    assert moves(state) == ["proceed"]


def test_5e_left_recursion_gives_seven_legal_moves() -> None:
    assert moves(start("basetest_test_case_5e")) == [
        *("(reduce a 0)", "(reduce a 1)"),
        *(f"(reduce c {n})" for n in range(5)),
    ]


def test_distinct_may_be_the_first_literal() -> None:
    assert moves(start("basetest_test_distinct_beginning_rule")) == ["(do a b)", "(do b a)"]


def test_a_negated_distinct_means_equality_and_is_a_warning() -> None:
    name = "basetest_test_clean_not_distinct"
    assert {d.code for d in warnings_in(name)} == {"GDL022"}
    assert goal(start(name)) == 100


def test_functions_with_different_numbers_of_arguments_are_diagnosed() -> None:
    assert found_in("basetest_test_invalid_function_arities_differ") == [("GDL016", 8, 15)]


def test_sentences_with_different_numbers_of_arguments_are_diagnosed() -> None:
    assert found_in("basetest_test_invalid_sentence_arities_differ") == [("GDL016", 13, 1)]


def test_in_simple_mutex_two_fluents_exclude_one_another() -> None:
    level = {start("basetest_simpleMutex")}
    pairs = (("t1", "t2"), ("m1", "m2"), ("m3", "m4"), ("m5", "m6"))
    reached: set[State] = set()
    while level:
        reached |= level
        running = [state for state in level if not state.is_terminal]
        level = {walk(s, str(m)) for s in running for m in s.legal("robot")} - reached
    assert len(reached) == 9
    for state in reached:
        holds = {str(fluent) for fluent in state.fluents}
        assert not any(set(pair) <= holds for pair in pairs)
    assert {goal(state) for state in reached if state.is_terminal} == {0, 100}


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, ("GDL002", 1, 5)),
        (2, ("GDL003", 1, 9)),
        (3, ("GDL003", 2, 7)),
        (4, ("GDL004", 1, 2)),
        (5, ("GDL004", 1, 2)),
    ],
)
def test_bad_parentheses_are_reported_with_their_place(
    number: int, expected: tuple[str, int, int]
) -> None:
    assert found_in(f"gdlvalidation_badparens{number}") == [expected]


def test_base_that_depends_on_true_is_diagnosed() -> None:
    assert found_in("gdlvalidation_baseDependsOnTrue") == [("GDL014", 1, 5)]


@pytest.mark.parametrize(("number", "column"), [(1, 2), (2, 6), (3, 7)])
def test_a_misplaced_keyword_is_diagnosed(number: int, column: int) -> None:
    name = f"gdlvalidation_misplacedDatalogKeyword{number}"
    assert found_in(name) == [("GDL006", 1, column)]


def test_an_empty_disjunction_is_diagnosed() -> None:
    assert found_in("gdlvalidation_emptyDisjunction") == [("GDL024", 1, 32)]


def test_a_variable_in_a_top_level_sentence_is_diagnosed() -> None:
    assert found_in("gdlvalidation_varInTopLevelSentence") == [("GDL007", 1, 11)]


def test_a_comment_may_end_the_file_without_a_newline() -> None:
    name = "gdlvalidation_commentEof"
    assert not text(name).endswith("\n")
    assert parse(text(name), form="kif") == RuleSheet(())


@pytest.mark.parametrize("number", [1, 2])
def test_layout_makes_no_difference(number: int) -> None:
    before = text(f"gdlvalidation_formatter{number}Before")
    after = text(f"gdlvalidation_formatter{number}After")
    assert before != after
    assert parse(before, form="kif") == parse(after, form="kif")


@pytest.mark.parametrize(
    ("name", "first_moves"),
    [("basetest_ticTacToe", 9), ("gdlvalidation_ticTacToe", 9), ("basetest_connectFour", 8)],
)
def test_well_known_games_have_no_diagnostics_and_their_first_moves(
    name: str, first_moves: int
) -> None:
    assert diagnose(text(name), form="kif")[1] == ()
    assert diagnose_start(sheet(name), Budget()) == ()
    state = start(name)
    assert max(len(state.legal(role)) for role in state.game.roles) == first_moves
