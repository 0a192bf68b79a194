from __future__ import annotations

import pytest

from kibitz.errors import RuleSheetError
from kibitz.gdl import Atom, Function, Or, RuleSheet, Variable, diagnose, parse, parse_terms, read

GAME = """(role me) (init (step 1)) (legal me wait)
(<= (next (step 2)) (does me wait)) (<= terminal (true (step 2))) (goal me 100)"""


def kif(text: str | bytes) -> RuleSheet:
    return parse(text, form="kif")


def problem(text: str) -> tuple[str, int, int, str]:
    """Give code, line, column and message of the first diagnostic."""
    sheet, found = diagnose(text, form="kif")
    return found[0].code, *sheet.source.position(found[0].place.start), found[0].message


def test_keywords_may_be_in_any_letter_case() -> None:
    upper = "(ROLE me) (Init (step 1)) (LEGAL me wait) (<= (NEXT (step 2)) (DOES me wait))"
    lower = "(role me) (init (step 1)) (legal me wait) (<= (next (step 2)) (does me wait))"
    assert kif(upper) == kif(lower)
    assert kif("(<= TERMINAL (OR p (NOT q)) (DISTINCT ?x 1))") == kif(
        "(<= terminal (or p (not q)) (distinct ?x 1))"
    )


def test_other_names_keep_their_letter_case() -> None:
    assert kif("(p Step)") != kif("(p step)")
    assert kif("(Next1 a)").rules[0].head.relation == "Next1"


def test_a_keyword_inside_a_term_is_a_name_like_any_other() -> None:
    assert kif("(p (Legal TRUE))").rules[0].head.args == (Function("Legal", (Function("TRUE"),)),)


def test_any_white_space_separates() -> None:
    assert kif("(p\ta\r\n\f b\u00a0c)(q)\n\n\tr") == kif("(p a b c) (q) (r)")


def test_atoms_without_arguments_need_no_parentheses() -> None:
    assert kif("(<= (terminal) (open2) (not (q)))") == kif("(<= terminal open2 (not q))")
    assert kif("(p (a))") == kif("(p a)")


def test_a_rule_with_an_empty_body_is_a_fact() -> None:
    assert kif("(<= (goal me 100))") == kif("(goal me 100)")
    assert kif("(<= terminal)") == kif("terminal")


def test_a_disjunction_of_one_is_that_one() -> None:
    assert kif("(<= p (or q))") == kif("(<= p q)")
    body = kif("(<= p (or q r))").rules[0].body
    assert body == (Or((Atom("q"), Atom("r"))),)


def test_variables_may_stand_for_roles_and_goal_values() -> None:
    sheet = read(
        """(role a) (role b) (value 50) (<= (legal ?p go) (role ?p))
        (<= (goal ?p ?v) (role ?p) (value ?v)) (<= terminal (true over))"""
    )
    assert sheet.rules[4].head.args == (Variable("p"), Variable("v"))


def test_a_comment_may_end_the_text_without_a_newline() -> None:
    assert kif("(p) ; that was all (") == kif("(p)")
    assert kif("; nothing") == RuleSheet(())
    assert kif("(p;)\na)") == kif("(p a)")


def test_line_ends_and_a_byte_order_mark_make_no_difference() -> None:
    windows = GAME.replace("\n", "\r\n")
    assert read(windows) == read(GAME.replace("\n", "\r")) == read(GAME)
    assert read(b"\xef\xbb\xbf" + GAME.encode()) == read("\ufeff" + GAME) == read(GAME)


def test_places_count_a_windows_line_end_as_one() -> None:
    sheet, found = diagnose("(role me)\r\n(legal me ?x)\r\n")
    unsafe = next(d for d in found if d.code == "GDL007")
    assert sheet.source.position(unsafe.place.start) == (2, 11)


def test_names_may_have_any_letters() -> None:
    head = kif('(größe 行 a\'b "c" %d é?)'.encode()).rules[0].head
    assert [head.relation, *map(str, head.args)] == ["größe", "行", "a'b", '"c"', "%d", "é?"]


def test_and_is_no_keyword() -> None:
    head = kif("(<= p (and q r))").rules[0].body[0]
    assert head == Atom("and", (Function("q"), Function("r")))


def test_every_term_knows_its_place() -> None:
    text = "\n(<= (p ?x)\n  (not (q (f ?x))))"
    rule = kif(text).rules[0]
    texts = [text[part.place.start : part.place.end] for part in (rule, rule.head, *rule.body)]
    assert texts == [text.strip(), "(p ?x)", "(not (q (f ?x)))"]


@pytest.mark.parametrize(
    ("text", "code", "column", "message"),
    [
        ("()", "GDL004", 1, "nothing inside the parentheses"),
        ("((p))", "GDL004", 1, "a relation starts with a name, not with another parenthesis"),
        ("(p ((f)))", "GDL004", 4, "a term starts with a name, not with another parenthesis"),
        ("(?p a)", "GDL004", 2, "a variable cannot name a relation"),
        ("(p (?f a))", "GDL004", 5, "a variable cannot name a term"),
        ("?p", "GDL004", 1, "a variable cannot be a sentence"),
        ("(<= p ?q)", "GDL004", 7, "a variable cannot be a sentence"),
        ("(p ?)", "GDL004", 4, "a variable needs a name"),
        ("(<=)", "GDL004", 1, "a rule without a head"),
        ("(<= p (not))", "GDL004", 7, "'not' takes one formula, not 0"),
        ("(<= p (not q r))", "GDL004", 7, "'not' takes one formula, not 2"),
        ("(<= p (distinct a))", "GDL004", 7, "'distinct' takes two terms, not 1"),
        ("(<= p (or))", "GDL024", 7, "a disjunction of nothing can never hold"),
        ("(p or)", "GDL006", 4, "'or' is not allowed here"),
        ("(not p)", "GDL006", 2, "'not' is not allowed here"),
        ("(<= p (<= q r))", "GDL006", 8, "'<=' is not allowed here"),
        ("(p (Not a))", "GDL006", 5, "'Not' is not allowed here"),
        ("or", "GDL006", 1, "'or' is not allowed here"),
    ],
)
def test_a_malformed_sentence_is_reported_where_it_goes_wrong(
    text: str, code: str, column: int, message: str
) -> None:
    assert problem("(ok)\n" + text) == (code, 2, column, message)


def test_one_malformed_sentence_does_not_hide_the_next() -> None:
    sheet, found = diagnose("(p)\n()\n(q or)\n(r)", form="kif")
    assert [d.code for d in found] == ["GDL004", "GDL006"]
    assert [str(rule) for rule in sheet.rules] == ["p", "r"]


def test_an_unclosed_parenthesis_is_shown_with_the_end_of_the_text() -> None:
    sheet, found = diagnose("(role me)\n(<= (p ?x)\n    (q ?x)\n(r a)\n", form="kif")
    (d,) = found
    assert (d.code, sheet.source.position(d.place.start)) == ("GDL002", (2, 1))
    assert (d.notes[0].message, sheet.source.position(d.notes[0].place.start)) == (
        "the text ends here",
        (4, 5),
    )


def test_an_unclosed_parenthesis_before_another_rule_is_shown_with_both_places() -> None:
    sheet, found = diagnose("(<= (p ?x)\n    (q ?x)\n(<= (r a)\n    (s a)\n", form="kif")
    (d,) = found
    assert (d.code, sheet.source.position(d.place.start)) == ("GDL002", (1, 1))
    assert (d.notes[0].message, sheet.source.position(d.notes[0].place.start)) == (
        "a new sentence seems to start here",
        (3, 1),
    )
    assert d.hint == "2 closing parentheses missing in all"


def test_a_stray_closing_parenthesis_is_shown_with_the_end_of_the_sentence_before() -> None:
    sheet, found = diagnose("(p a)\n(<= q (p a)))\n(r)", form="kif")
    (d,) = found
    assert (d.code, sheet.source.position(d.place.start)) == ("GDL003", (2, 13))
    assert [sheet.source.position(n.place.start) for n in d.notes] == [(2, 12)]


def test_nesting_ten_thousand_deep_is_a_diagnostic_with_both_places() -> None:
    sheet, found = diagnose("(p a)\n" + "(f " * 10_000 + ")" * 10_000, form="kif")
    (d,) = found
    assert (d.code, sheet.source.position(d.place.start)) == ("GDL005", (2, 301))
    assert sheet.source.position(d.notes[0].place.start) == (2, 1)


def test_nesting_a_hundred_deep_is_read() -> None:
    assert kif("(f " * 99 + "(a)" + ")" * 99).rules[0].head.relation == "f"


def test_ground_terms_are_read_and_variables_refused() -> None:
    assert parse_terms("(mark 1 1) noop (over)") == (
        Function("mark", (Function("1"), Function("1"))),
        Function("noop"),
        Function("over"),
    )
    with pytest.raises(RuleSheetError, match=r"move:1:7: GDL004: \?x is a variable"):
        parse_terms("(mark ?x 1)", name="move")
    with pytest.raises(RuleSheetError, match="GDL002"):
        parse_terms("(mark 1")
