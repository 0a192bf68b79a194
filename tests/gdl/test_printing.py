from __future__ import annotations

import pytest
from hypothesis import example, given
from tests.strategies import sheets

from kibitz import games
from kibitz.gdl import (
    Atom,
    Distinct,
    Form,
    Function,
    Not,
    Or,
    Rule,
    RuleSheet,
    TermWriter,
    Variable,
    parse,
    parse_terms,
    to_kif,
    to_ruleform,
)

PRINTERS = {"kif": to_kif, "rules": to_ruleform}
ODD = RuleSheet(
    (
        Rule(Atom("p", (Variable("X"), Variable("x"), Function("X"), Function("x")))),
        Rule(Atom("o'clock", (Variable("?'"), Function("or2"), Function("%")))),
        Rule(Atom("terminal"), (Not(Not(Distinct(Variable("_1"), Function("-1")))),)),
        Rule(Atom("q"), (Not(Or((Atom("a"), Or((Atom("b"), Not(Atom("c"))))))),)),
    )
)


def again(sheet: RuleSheet, form: Form) -> RuleSheet:
    """Print a sheet in a notation and read what was printed."""
    return parse(PRINTERS[form](sheet), form=form)


@given(sheets)
@example(ODD)
def test_a_sheet_printed_in_kif_reads_back_equal(sheet: RuleSheet) -> None:
    assert again(sheet, "kif") == sheet


@given(sheets)
@example(ODD)
def test_a_sheet_printed_in_rule_form_reads_back_equal(sheet: RuleSheet) -> None:
    assert again(sheet, "rules") == sheet


@given(sheets)
@example(ODD)
def test_a_sheet_taken_from_one_notation_to_the_other_and_back_stays_equal(
    sheet: RuleSheet,
) -> None:
    assert again(again(sheet, "kif"), "rules") == sheet
    assert again(again(sheet, "rules"), "kif") == sheet


@given(sheets)
def test_printing_what_was_printed_changes_nothing(sheet: RuleSheet) -> None:
    assert to_kif(again(sheet, "kif")) == to_kif(sheet)
    assert to_ruleform(again(sheet, "rules")) == to_ruleform(sheet)


@pytest.mark.parametrize("name", ["tictactoe", "nim:1,2,misere", "sim", "connect:4,5x5,RC"])
def test_a_library_game_survives_both_notations(name: str) -> None:
    sheet = games.load_sheet(name)
    assert again(again(sheet, "rules"), "kif") == sheet


def test_kif_stands_one_literal_a_line() -> None:
    sheet = parse("(<= (p ?x) (q ?x) (not (r ?x)) (distinct ?x 1)) (s a) (s b) (t (f ?y))")
    assert to_kif(sheet) == (
        "(<= (p ?x)\n    (q ?x)\n    (not (r ?x))\n    (distinct ?x 1))\n\n"
        "(s a)\n(s b)\n\n(t (f ?y))\n"
    )


def test_rule_form_stands_one_literal_a_line() -> None:
    sheet = parse("(<= (p ?x) (q ?x) (not (or (r ?x) s)) (distinct ?x 1)) (s a) (s b)")
    assert to_ruleform(sheet) == (
        "p(X) :-\n    q(X),\n    not (r(X) or s),\n    X != 1.\n\ns(a).\ns(b).\n"
    )


def test_names_that_are_no_identifiers_are_quoted_in_rule_form() -> None:
    sheet = parse("(p Capital a-b o'clock -3 ?Big ?a+b)")
    assert to_ruleform(sheet) == "p('Capital','a-b','o''clock',-3,?'Big',?'a+b').\n"


def test_an_empty_sheet_prints_as_nothing() -> None:
    assert (to_kif(RuleSheet(())), to_ruleform(RuleSheet(()))) == ("", "")


def test_a_constant_is_written_with_parentheses_where_the_sheet_does_so() -> None:
    write = TermWriter(parse("(<= (next (over)) (true (step 1)) (does me stop))"))
    assert [write(t) for t in parse_terms("over (step (over)) stop")] == [
        "(over)",
        "(step (over))",
        "stop",
    ]
