"""Anything in, diagnostics out: no other exception, in bounded time.

The sizes are such that work growing with the square of the text would take minutes.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st
from tests.cpu import cpu_seconds
from tests.effort import examples

from kibitz.errors import Diagnostic, RuleSheetError, Severity
from kibitz.games import rule_text
from kibitz.gdl import Form, RuleSheet, diagnose, parse, read, to_ruleform
from kibitz.gdl.reader import MAX_BYTES

FORMS: tuple[Form, ...] = ("kif", "rules")
REAL: dict[Form, list[str]] = {
    "kif": [rule_text("tictactoe"), rule_text("nim:1,2")],
    "rules": [to_ruleform(parse(rule_text("nim:1,2")))],
}
WORDS = (
    "( ) (( )) ?x ?y a b p q <= not or distinct role init true does next legal goal terminal "
    "base input 1 100 ; % . , :- != = ' X _ \n"
)
forms = st.sampled_from(FORMS)


def found_in(text: str | bytes, form: Form | None) -> tuple[Diagnostic, ...]:
    """Diagnose, and write every diagnostic out, which must work as well."""
    sheet, found = diagnose(text, form=form)
    for d in found:
        line, column = sheet.source.position(d.place.start)
        assert line >= 1
        assert column >= 1
        assert d.hint
        shown = d.render(sheet.source)
        assert shown.startswith(f"rules:{line}:{column}: {d.code}: ")
        assert max(map(len, shown.splitlines()[1:3])) <= 110
    return found


@given(st.binary(max_size=200), forms)
def test_any_bytes_give_diagnostics(data: bytes, form: Form) -> None:
    found_in(data, form)


@given(st.text(max_size=200), st.one_of(forms, st.none()))
def test_any_text_gives_diagnostics(text: str, form: Form | None) -> None:
    found_in(text, form)


@given(st.lists(st.sampled_from(WORDS.split(" ")), max_size=60), st.one_of(forms, st.none()))
def test_any_sequence_of_words_gives_diagnostics(words: list[str], form: Form | None) -> None:
    found_in(" ".join(words), form)


@st.composite
def _spoiled(draw: st.DrawFn) -> tuple[str, Form]:
    """Take a real rule sheet and delete, insert, double or swap a few pieces of it."""
    form = draw(forms)
    text = draw(st.sampled_from(REAL[form]))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        piece = draw(
            st.one_of(
                st.just(""),
                st.sampled_from(["(", ")", "()", "?", "?x", "'", ".", ",", "or", "not", "<=", ";"]),
                st.just(text[start:end] * 2),
                st.text(max_size=3),
            )
        )
        text = text[:start] + piece + text[end:]
    return text, form


@given(_spoiled())
@examples(200)
def test_spoiled_rule_sheets_give_diagnostics(spoiled: tuple[str, Form]) -> None:
    found_in(*spoiled)


@given(_spoiled())
def test_a_sheet_without_errors_is_read_and_one_with_errors_is_not(
    spoiled: tuple[str, Form],
) -> None:
    text, form = spoiled
    has_errors = any(d.severity is Severity.ERROR for d in diagnose(text, form=form)[1])
    try:
        read(text, form=form)
    except RuleSheetError:
        assert has_errors
    else:
        assert not has_errors


@pytest.mark.parametrize("open_or_closed", [")", "(", "a("])
def test_thousands_of_unbalanced_parentheses_are_one_diagnostic(open_or_closed: str) -> None:
    (d,) = found_in(open_or_closed * 10_000, "kif")
    assert d.code in ("GDL003", "GDL005")
    assert found_in(open_or_closed * 10_000, "rules")


def test_many_unclosed_sentences_are_one_diagnostic() -> None:
    assert [d.code for d in found_in("(p\n" * 99, "kif")] == ["GDL002"]


def test_a_text_that_is_too_large_is_refused() -> None:
    (d,) = diagnose("(p)" * (MAX_BYTES // 3 + 1))[1]
    assert d.code == "GDL001"
    assert d.message == "the text has 8,000,001 bytes; at most 8,000,000 are read"


def test_a_megabyte_of_facts_is_read() -> None:
    lines = [f"(neighbour square_{i} square_{i + 1} north)" for i in range(25_000)]
    text = "\n".join([rule_text("tictactoe"), *lines])
    assert len(text) > 1_000_000
    assert len(read(text).rules) > 25_000


def test_a_megabyte_of_rule_form_is_read() -> None:
    facts = [f"neighbour(square_{i},square_{i + 1},north)." for i in range(25_000)]
    assert len(parse("\n".join(facts), form="rules").rules) == 25_000


def _numbers(pattern: str, count: int) -> str:
    return " ".join(pattern.replace("#", str(i)).replace("@", str(i + 1)) for i in range(count))


HOSTILE: dict[str, tuple[Callable[[], str], str]] = {
    "one word": (lambda: "x" * 1_000_000, "GDL018"),
    "white space": (lambda: " \n" * 500_000, "GDL018"),
    "comments": (lambda: ";\n" * 500_000, "GDL018"),
    "a name a hundred thousand long": (
        lambda: f"(<= ({'ab' * 50_000} 1) ({'ba' * 50_000} 1))",
        "GDL017",
    ),
    "huge disjunctions": (lambda: "(<= p " + "(or a b)" * 30_000 + ")", "GDL027"),
    "one wide disjunction": (lambda: "(<= p (or " + "a " * 70_000 + "))", "GDL027"),
    "nested disjunctions": (
        lambda: "(<= p " + "(or a " * 90 + "(or " + "a " * 20_000 + ")" * 92,
        "GDL027",
    ),
    "many undefined relations": (lambda: _numbers("(<= p# q#)", 10_000), "GDL017"),
    "many errors on one line": (lambda: "(p ?x) " * 15_000, "GDL007"),
    "many errors on many lines": (lambda: "(p ?x)\n" * 15_000, "GDL007"),
    "many unbound variables in one head": (
        lambda: f"(<= (next (f {_numbers('?x#', 15_000)})) (true a))",
        "GDL007",
    ),
    "many variables and alternatives": (
        lambda: f"(<= p (q {_numbers('?x#', 10_000)}) (or {_numbers('(not (r ?y#))', 10_000)}))",
        "GDL008",
    ),
    "many negative cycles": (lambda: _numbers("(<= p# (not p#))", 10_000), "GDL010"),
    "one large negative cycle": (lambda: _numbers("(<= (p #) (not (p @)))", 10_000), "GDL010"),
    "a long negative cycle": (
        lambda: _numbers("(<= p# p@)", 10_000) + "(<= p10000 (not p0))",
        "GDL010",
    ),
    "a long way from init to true": (
        lambda: _numbers("(<= p# p@)", 10_000) + "(<= p10000 (true a)) (<= (init a) p0)",
        "GDL014",
    ),
    "a long recursive body": (lambda: "(<= (p ?x) (q ?x) " + "(p ?y) " * 20_000 + ")", "GDL011"),
    "large atoms in a negative cycle": (
        lambda: f"(<= (p {_numbers('?x#', 10_000)}) (not (p {_numbers('?y#', 10_000)})))",
        "GDL010",
    ),
    "terms that double when unified": (
        lambda: f"(<= (p {_numbers('?x@ (g ?x# ?x#)', 500)}) (not (p {_numbers('?a# ?a#', 500)})))",
        "GDL010",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_sheets_are_diagnosed_in_bounded_time(name: str) -> None:
    make, code = HOSTILE[name]
    begin = cpu_seconds()
    assert code in {d.code for d in found_in(make(), "kif")}
    assert cpu_seconds() - begin < 20


def test_a_goal_value_of_thousands_of_digits_is_a_diagnostic() -> None:
    assert "GDL020" in {d.code for d in diagnose(f"(goal me {'9' * 10_000})")[1]}


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("a.kif", "p", "kif"),
        ("a.gdl", "p", "kif"),
        ("a.rules", "p.", "rules"),
        ("a.lp", "p.", "rules"),
        ("rules", "(p)", "kif"),
        ("rules", "; a comment\n  (p)", "kif"),
        ("rules", "p.", "rules"),
        ("rules", "% a comment\n  p.", "rules"),
        ("rules", "", "kif"),
    ],
)
def test_the_notation_is_told_by_the_suffix_and_else_by_the_text(
    name: str, text: str, form: Form
) -> None:
    expected = parse("p.", form="rules") if text else RuleSheet(())
    assert parse(text, name=name) == expected
    assert parse(text, name=name, form=form) == expected
