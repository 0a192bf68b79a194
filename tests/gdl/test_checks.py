from __future__ import annotations

from typing import NamedTuple

import pytest

from kibitz.errors import RuleSheetError, Severity
from kibitz.gdl import diagnose, parse, read
from kibitz.gdl.checks import check

GAME = """\
(role me)
(init (step 1))
(legal me wait)
(<= (next (step 2)) (does me wait))
(<= terminal (true (step 2)))
(goal me 100)
"""


_ABOUT_PLAY = ("GDL031", "GDL032")
"""What is asked and never set: the sentences here are parts of no game; others test these codes."""


class Seen(NamedTuple):
    code: str
    line: int
    column: int
    severity: str
    message: str
    hint: str
    notes: tuple[tuple[int, int, str], ...]


def found_in(text: str, *, form: str = "kif") -> list[Seen]:
    sheet, found = diagnose(text, form="kif" if form == "kif" else "rules")
    position = sheet.source.position
    return [
        Seen(
            d.code,
            *position(d.place.start),
            d.severity,
            d.message,
            d.hint,
            tuple((*position(n.place.start), n.message) for n in d.notes),
        )
        for d in found
        if d.code not in _ABOUT_PLAY
    ]


def only(text: str) -> Seen:
    """Give the one diagnostic of a game with these sentences behind it, on line 7."""
    (seen,) = found_in(GAME + text)
    return seen


def codes(text: str) -> list[str]:
    return [seen.code for seen in found_in(text)]


def test_a_good_sheet_has_no_diagnostics() -> None:
    assert found_in(GAME) == []


def test_text_that_is_not_utf8_is_reported_with_the_byte() -> None:
    sheet, found = diagnose(b"(role me)\n(p \xff)")
    (d,) = found
    assert (d.code, d.message, d.hint) == (
        "GDL001",
        "byte 13 is not UTF-8 text",
        "save the file as UTF-8 text",
    )
    assert sheet.source.position(d.place.start) == (2, 4)


def test_a_control_character_is_reported_where_it_stands() -> None:
    (seen,) = found_in("(role me)\n(p \x07)")
    assert (seen.code, seen.line, seen.column) == ("GDL001", 2, 4)
    assert (seen.message, seen.hint) == ("control character 0x07", "save the file as UTF-8 text")


def test_an_unclosed_parenthesis_is_reported_with_both_places() -> None:
    (seen,) = found_in("(role me)\n(legal me wait\n(<= (next a)\n  (true b))")
    assert (seen.code, seen.line, seen.column) == ("GDL002", 2, 1)
    assert seen.notes == ((4, 11, "the text ends here"),)
    assert seen.hint == "1 closing parenthesis missing in all"


def test_a_stray_parenthesis_is_reported_with_both_places() -> None:
    (seen,) = found_in("(role me))\n(legal me wait)")
    assert (seen.code, seen.line, seen.column) == ("GDL003", 1, 10)
    assert seen.notes == ((1, 9, "the sentence before it ends here"),)
    assert "closed too early" in seen.hint


def test_a_malformed_sentence_is_reported_with_a_hint() -> None:
    seen = only("(<= p (not))")
    assert (seen.code, seen.line, seen.column) == ("GDL004", 7, 7)
    assert seen.hint == "write (not FORMULA)"


def test_nesting_too_deep_is_reported_with_both_places() -> None:
    seen = only("(p " * 101 + ")" * 101)
    assert (seen.code, seen.line, seen.column) == ("GDL005", 7, 301)
    assert seen.notes == ((7, 1, "the outermost one opens here"),)
    assert seen.hint == "is a closing parenthesis missing further up?"


def test_a_misplaced_word_of_the_language_is_reported() -> None:
    seen = only("(p (or a b))")
    assert (seen.code, seen.line, seen.column) == ("GDL006", 7, 5)
    assert "build rules and bodies" in seen.hint


def test_an_unsafe_variable_in_a_head_is_reported_with_its_line() -> None:
    seen = only("(<= (next (cell ?x ?y)) (true (row ?x)))")
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL007", 7, 20, "error")
    assert seen.message == "?y in the head of 'next' is bound by no positive body literal"
    assert seen.hint == "add a literal that binds ?y, such as (true (cell ?x ?y))"


def test_a_variable_role_is_best_bound_by_role() -> None:
    assert only("(<= (legal ?p stop) (true on))").hint == (
        "add a literal that binds ?p, such as (role ?p)"
    )


def test_a_fact_with_a_variable_is_told_to_use_constants() -> None:
    seen = only("(number ?n)")
    assert (seen.code, seen.column) == ("GDL007", 9)
    assert seen.hint.startswith("a fact holds for constants only")


def test_a_variable_bound_in_one_alternative_only_is_unsafe() -> None:
    text = "(a 1) (b 1)\n(<= (p ?x) (or (a ?x) (b 1)))"
    assert [(s.code, s.line) for s in found_in(GAME + text)] == [("GDL007", 8)]
    assert found_in(GAME + "(a 1) (b 1) (<= (p ?x) (or (a ?x) (b ?x)))") == []


def test_every_unsafe_variable_is_reported_once() -> None:
    seen = found_in(GAME + "(<= (p ?x ?y ?x) (true on))")
    assert [(s.code, s.column) for s in seen] == [("GDL007", 8), ("GDL007", 11)]


def test_an_unsafe_variable_under_not_is_reported() -> None:
    seen = only("(q 1) (<= p (not (q ?x)))")
    assert (seen.code, seen.line, seen.column) == ("GDL008", 7, 21)
    assert seen.message == "?x in 'not' is bound by no positive body literal"
    assert seen.hint


def test_an_unsafe_variable_under_not_inside_or_is_reported() -> None:
    seen = only("(q 1) (<= p (or (q ?x) (not (q ?x))))")
    assert (seen.code, seen.column) == ("GDL008", 32)


def test_two_negations_bind_like_none() -> None:
    assert found_in(GAME + "(q 1) (<= (p ?x) (not (not (q ?x))))") == []


def test_an_unsafe_variable_in_distinct_is_reported() -> None:
    seen = only("(<= p (distinct ?x 1))")
    assert (seen.code, seen.line, seen.column) == ("GDL009", 7, 17)
    assert seen.message == "?x in 'distinct' is bound by no positive body literal"
    assert seen.hint


def test_a_relation_that_needs_its_own_negation_is_reported_with_the_cycle() -> None:
    seen = only("(<= a b)\n(<= b (true on) (not c))\n(<= c a)")
    assert (seen.code, seen.line, seen.column) == ("GDL010", 8, 22)
    assert seen.message == "'b' depends on its own negation (b ← not c ← a ← b)"
    assert seen.notes == ((9, 7, "'c' needs 'a' here"), (7, 7, "'a' needs 'b' here"))
    assert seen.hint.startswith("break the cycle")


def test_a_relation_that_negates_itself_is_reported() -> None:
    assert only("(<= p (not p))").message == "'p' depends on its own negation (p ← not p)"


def test_negations_outside_the_cycle_are_fine() -> None:
    assert found_in(GAME + "(<= p (not q)) (<= q r) (<= r q) (r)") == []


def test_a_cycle_is_looked_at_rule_by_rule_whatever_its_variables_are_called() -> None:
    # ?x' could be mistaken for the ?x of the other rule, renamed.
    assert "GDL010" in codes(GAME + "(q 1) (<= (p ?x) (q ?x) (q ?x') (not (p ?x')))")


def test_a_needed_negation_for_other_values_is_only_a_warning() -> None:
    seen = only("(<= (goal me 0) (not (goal me 100)))")
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL028", 7, 22, "warning")
    assert seen.hint.startswith("Kibitz can distinguish them")


def test_recursion_that_builds_terms_is_an_error() -> None:
    seen = only("(n 0)\n(<= (n (s ?x)) (n ?x))")
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL011", 8, 19, "error")
    assert seen.message == "?x in the recursive call of 'n' is not bounded"
    assert seen.hint.startswith("let ?x be an argument of the head")


def test_recursion_without_new_terms_is_only_a_warning() -> None:
    seen = only("(n 0) (<= (n ?x) (true on) (n ?x) (n ?y))")
    assert (seen.code, seen.column, seen.severity) == ("GDL011", 38, "warning")


def test_recursion_bounded_by_a_literal_outside_is_fine() -> None:
    text = "(step 1 2) (<= (path ?x ?z) (path ?x ?y) (step ?y ?z)) (<= (path ?x ?y) (step ?x ?y))"
    assert [s for s in found_in(GAME + text) if s.code == "GDL011"] == []


@pytest.mark.parametrize("keyword", ["next", "init"])
def test_init_and_next_cannot_stand_in_bodies(keyword: str) -> None:
    seen = only(f"(<= p ({keyword} on))")
    assert (seen.code, seen.line, seen.column) == ("GDL012", 7, 7)
    assert seen.hint == "use true for the current state"


def test_true_and_does_cannot_be_heads() -> None:
    first, second = found_in(GAME + "(true on)\n(<= (does me wait) (true on))")
    assert (first.code, first.line, first.column) == ("GDL013", 7, 1)
    assert first.hint.endswith("do you mean next or init?")
    assert (second.code, second.line, second.column) == ("GDL013", 8, 5)
    assert second.hint.endswith("do you mean legal?")


@pytest.mark.parametrize(
    "head", ["(role you)", "(init on)", "(base on)", "(input me wait)"], ids=lambda h: str(h)
)
def test_what_is_fixed_before_play_cannot_depend_on_the_state(head: str) -> None:
    seen = [s for s in found_in(f"{GAME}(<= {head} p)\n(<= p (true on))") if s.code == "GDL014"]
    relation = head[1:].split()[0]
    assert [(s.line, s.column) for s in seen] == [(7, 5)]
    assert seen[0].message == f"'{relation}' depends on 'true' ({relation} ← p ← true)"
    assert [note[:2] for note in seen[0].notes] == [(7, len(head) + 6), (8, 7)]
    assert "fixed before play begins" in seen[0].hint


@pytest.mark.parametrize("head", ["(legal me stop)", "(goal me 0)", "terminal"])
def test_what_is_asked_before_the_moves_cannot_depend_on_them(head: str) -> None:
    seen = only(f"(<= {head} (not p))\n(<= p (does me wait))")
    assert (seen.code, seen.line, seen.column) == ("GDL015", 7, 5)
    assert "← not p ← does)" in seen.message
    assert "asked before anyone moves" in seen.hint


def test_two_numbers_of_arguments_are_reported_with_both_places() -> None:
    seen = only("(p 1)\n(p 1 2)")
    assert (seen.code, seen.line, seen.column) == ("GDL016", 8, 1)
    assert seen.message == "relation 'p' has 2 arguments here and 1 elsewhere"
    assert seen.notes == ((7, 1, "with 1 argument here"),)
    assert seen.hint == "use another name for one of the two relations"


def test_functions_have_one_number_of_arguments_too() -> None:
    seen = only("(<= (next (step 1 2)) (true on))")
    assert (seen.code, seen.line, seen.column) == ("GDL016", 7, 11)
    assert seen.message == "function 'step' has 2 arguments here and 1 elsewhere"


def test_a_constant_may_share_its_name_with_a_function() -> None:
    assert found_in(GAME + "(p (f a) f)") == []


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("(role a b)", "'role' takes 1 argument, not 2"),
        ("(terminal 1)", "'terminal' takes no arguments, not 1"),
        ("(legal me)", "'legal' takes 2 arguments, not 1"),
        ("(base)", "'base' takes 1 argument, not 0"),
    ],
)
def test_keywords_have_a_fixed_number_of_arguments(sentence: str, message: str) -> None:
    seen = only(sentence)
    assert (seen.code, seen.line, seen.column) == ("GDL016", 7, 1)
    assert (seen.message, seen.hint) == (message, "check the parentheses")


def test_a_misspelled_relation_suggests_the_right_one() -> None:
    seen = only("(adjacent 1 2)\n(<= p (adjacnet 1 2))")
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL017", 8, 7, "warning")
    assert seen.message == "'adjacnet' is defined nowhere and so never holds"
    assert seen.hint == "do you mean 'adjacent'?"


def test_a_misspelled_keyword_suggests_the_right_one() -> None:
    assert only("(<= (next on) (tru on))").hint == "do you mean 'true'?"


def test_an_undefined_relation_like_no_other_is_reported_once() -> None:
    seen = only("(<= p (zzz 1))\n(<= q (zzz 2))")
    assert (seen.code, seen.line, seen.hint) == ("GDL017", 7, "define it, or remove what needs it")


def test_and_is_reported_as_not_a_keyword() -> None:
    seen = only("(<= p (and a b))")
    assert (seen.code, seen.column) == ("GDL017", 7)
    assert seen.hint.startswith("'and' is not a keyword of GDL")


def test_a_sheet_without_roles_is_reported() -> None:
    (seen,) = found_in(GAME.replace("(role me)", ""))
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL018", 1, 1, "error")
    assert seen.hint == "name the players: (role white) (role black)"


@pytest.mark.parametrize(
    ("relation", "severity"), [("legal", "error"), ("terminal", "warning"), ("goal", "warning")]
)
def test_a_sheet_without_legal_terminal_or_goal_is_reported(relation: str, severity: str) -> None:
    lines = [line for line in GAME.splitlines() if relation not in line]
    seen = found_in("\n".join(lines))[0]
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL019", 1, 1, severity)
    assert seen.message == f"no rule for '{relation}'"
    assert seen.hint


def test_nothing_is_called_missing_or_undefined_where_some_rules_could_not_be_read() -> None:
    assert codes("(role me)\n(legal or)\n(<= p q)") == ["GDL006"]
    assert [d.code for d in check(parse("(<= p q)"), complete=False)] == []


@pytest.mark.parametrize("value", ["101", "-1", "win", "50.0", "(f 1)", "9" * 5000, "٣", "1000"])
def test_a_goal_value_outside_0_to_100_is_reported(value: str) -> None:
    seen = only(f"(<= (goal me {value}) (true on))")
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL020", 7, 14, "error")
    assert seen.hint == "scale the values: 0 is a loss, 50 a draw, 100 a win"


@pytest.mark.parametrize(
    "body",
    ["(prize ?v)", "(true on) (prize ?v)", "(pays ?p ?v) (distinct ?v 7)", "(pays a ?v) (place a)",
     "(place ?p) (pays ?p ?v)", "(pays ?p ?w) (pays ?p ?v) (place ?p)"],
)  # fmt: skip
def test_a_goal_value_outside_0_to_100_is_seen_through_a_variable(body: str) -> None:
    facts = "(prize 7)\n(prize 150)\n(pays a 7) (pays a 150) (place a) (place b)\n"
    seen = only(f"(<= (goal me ?v) {body})\n{facts}")
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL030", 7, 14, "error")
    assert seen.message == "goal value ?v can be 150, which is not a whole number from 0 to 100"
    assert seen.hint == "scale the values: 0 is a loss, 50 a draw, 100 a win"
    line, column = (9, 1) if "prize" in body else (10, 12)
    assert seen.notes == ((line, column, "it comes from here"),)


@pytest.mark.parametrize(
    "body",
    ["(prize ?v) (true (won ?v))", "(true (won ?v))", "(prize ?v) (not (true (won ?v)))",
     "(prize ?v) (distinct ?v 150)", "(pays a ?v)", "(pays ?p ?v) (place ?p)",
     "(true (at ?p)) (pays ?p ?v)", "(pays ?v ?v)", "(made ?v)"],
)  # fmt: skip
def test_a_goal_value_that_a_state_decides_on_is_left_to_play(body: str) -> None:
    facts = "(prize 7) (prize 150) (pays a 7) (pays b 150) (place a) (<= (made 150) (true on))"
    found = found_in(f"{GAME}(<= (goal me ?v) {body})\n{facts}")
    assert [seen.code for seen in found] == []


def test_many_facts_are_joined_within_bounds() -> None:
    facts = "".join(f"(n {i})" for i in range(101))
    body = " ".join(f"(n ?{name})" for name in "abcdefgh") + " (all ?a ?b ?c ?d ?e ?f ?g ?h ?v)"
    assert found_in(f"{GAME}{facts}(<= (goal me ?v) {body})(all 1 1 1 1 1 1 1 1 50)") == []


@pytest.mark.parametrize("value", ["0", "7", "50", "100", "099", "00"])
def test_goal_values_from_0_to_100_are_fine(value: str) -> None:
    assert found_in(GAME + f"(<= (goal me {value}) (true on))") == []


def test_one_name_for_relation_and_function_is_a_warning_with_both_places() -> None:
    seen = only("(step 1)")
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL021", 7, 1, "warning")
    assert seen.notes == ((5, 20, "used as a function here"),)
    assert seen.hint.endswith("rename one of them")


def test_a_negated_distinct_is_a_warning_wherever_it_stands() -> None:
    seen = only("(<= (next a) (true ?x) (or (true b) (not (distinct ?x c))))")
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL022", 7, 37, "warning")
    assert seen.hint == "use one name for ?x and c"


def test_a_role_made_by_a_rule_is_a_warning() -> None:
    seen = only("(player you)\n(<= (role ?p) (player ?p))")
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL023", 8, 5, "warning")
    assert "the order of moves" in seen.hint


def test_an_empty_disjunction_is_reported() -> None:
    seen = only("(<= terminal (or ))")
    assert (seen.code, seen.line, seen.column) == ("GDL024", 7, 14)
    assert seen.hint == "list what may hold, or remove the rule"


def test_a_repeated_rule_is_a_warning_with_both_places() -> None:
    seen = only("(goal   me\t100)")
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL026", 7, 1, "warning")
    assert seen.notes == ((6, 1, "the same rule"),)
    assert seen.hint == "remove one"


def test_disjunctions_with_too_many_combinations_are_reported() -> None:
    ten = "(or " + " ".join(f"(true {i})" for i in range(10)) + ")"
    assert found_in(GAME + f"(<= p {ten * 4})") == []
    seen = only(f"(<= p {ten * 4} (or (true a) (true b)))")
    assert (seen.code, seen.line, seen.column, seen.severity) == ("GDL027", 7, 1, "error")
    assert seen.hint == "define parts of the rule as separate relations"


def test_negated_disjunctions_count_as_conjunctions() -> None:
    many = " ".join(f"(true {i})" for i in range(20_000))
    assert found_in(GAME + f"(<= p (not (or {many})))") == []


def test_all_diagnostics_come_at_once_in_the_order_of_the_text() -> None:
    text = "(role me)\n(legal me ?m)\n(goal me 200)\n(<= p (q))\n(<= terminal (next x))"
    assert codes(text) == ["GDL007", "GDL020", "GDL017", "GDL012"]


def test_errors_stop_the_reading_and_warnings_do_not() -> None:
    assert len(read(GAME + "(<= p (zzz))").rules) == 7
    with pytest.raises(RuleSheetError) as raised:
        read(GAME + "(<= p (zzz))\n(legal me ?x)", name="mine.kif")
    assert [d.code for d in raised.value.diagnostics] == ["GDL007"]
    assert all(d.severity is Severity.ERROR for d in raised.value.diagnostics)
    assert str(raised.value).startswith("mine.kif:8:11: GDL007: ?x in the head of 'legal'")


def test_the_rule_form_is_checked_alike() -> None:
    text = "role(me).\nlegal(me,X).\nterminal :- true(on).\ngoal(me,100)."
    (seen,) = found_in(text, form="rules")
    assert (seen.code, seen.line, seen.column) == ("GDL007", 2, 10)


def test_a_variable_distinct_from_a_name_that_nothing_else_has_is_reported() -> None:
    seen = only("(<= (p ?x) (role ?x) (role ?other) (or (p ?other) (distinct ?x other)))")
    assert (seen.code, seen.severity) == ("GDL044", "warning")
    assert (seen.line, seen.column) == (7, 64)
    assert seen.message == "(distinct ?x other) holds whatever ?x is: nothing else is called other"
    assert seen.hint == "do you mean ?other?"


@pytest.mark.parametrize(
    "body",
    ["(role ?x) (distinct ?x me)", "(true (step ?x)) (distinct ?x 2)", "(role ?x) (p ?x) (q other)"
     " (distinct ?x other)", "(role ?x) (true (on ?x other)) (distinct ?x other)"],
)  # fmt: skip
def test_a_distinct_from_a_name_that_others_have_is_not(body: str) -> None:
    assert "GDL044" not in codes(f"{GAME}(<= (p ?x) {body}) (q 1)")
