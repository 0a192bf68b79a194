from __future__ import annotations

import pytest

from kibitz.errors import Diagnostic, RuleSheetError
from kibitz.gdl import RuleSheet, diagnose as diagnose_any, parse, read


def rules(text: str) -> RuleSheet:
    return parse(text, form="rules")


def kif(text: str) -> RuleSheet:
    return parse(text, form="kif")


def problem(text: str) -> tuple[str, int, int, str]:
    """Give code, line, column and message of the first diagnostic."""
    sheet, found = diagnose_any(text, form="rules")
    first: Diagnostic = found[0]
    return first.code, *sheet.source.position(first.place.start), first.message


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("role(white). role(black).", "(role white) (role black)"),
        ("p :- q, r.", "(<= p q r)"),
        ("p(X,f(Y)) :- q(X,Y).", "(<= (p ?x (f ?y)) (q ?x ?y))"),
        ("p :- not q.", "(<= p (not q))"),
        ("p :- not not q.", "(<= p (not (not q)))"),
        ("p :- not(q).", "(<= p (not q))"),
        ("p :- not (q or r).", "(<= p (not (or q r)))"),
        ("p :- q or r, s.", "(<= p (or q r) s)"),
        ("p :- (q or r or s).", "(<= p (or q r s))"),
        ("p :- (q or (r or s)).", "(<= p (or q (or r s)))"),
        ("p :- ((q)).", "(<= p q)"),
        ("p(X) :- q(X), X != 1.", "(<= (p ?x) (q ?x) (distinct ?x 1))"),
        ("p(X) :- q(X), distinct(X,1).", "(<= (p ?x) (q ?x) (distinct ?x 1))"),
        ("p(X) :- q(X), X = 1.", "(<= (p ?x) (q ?x) (not (distinct ?x 1)))"),
        ("p(X) :- q(X), not X != f(1).", "(<= (p ?x) (q ?x) (not (distinct ?x (f 1))))"),
        ("terminal() :- p().", "(<= (terminal) (p))"),
        ("terminal :- .", "(<= terminal)"),
        ("p(-1).", "(p -1)"),
        ("p('Capital','a-b','o''clock','%').", "(p Capital a-b o'clock %)"),
        ("p(?x-1,?'a,b',?X) :- q.", "(<= (p ?x-1 ?a,b ?X) q)"),
        ("'TERMINAL' :- p. 'Legal'(x,y).", "(<= terminal p) (legal x y)"),
        ("p(Xyz_1).", "(p ?xyz_1)"),
        ("% nothing\np. % more\n% and more", "p"),
        ("p\t(a\n,b )\r\n.", "(p a b)"),
    ],
)
def test_a_rule_means_the_same_as_its_kif(text: str, same: str) -> None:
    assert rules(text) == kif(same)


def test_each_underscore_is_a_variable_of_its_own() -> None:
    assert rules("p :- q(_,_), r(?_1).") == kif("(<= p (q ?_2 ?_3) (r ?_1))")


def test_every_term_knows_its_place() -> None:
    text = "p(X) :-\n  q(X, f(a)),\n  X != b."
    sheet = rules(text)
    rule = sheet.rules[0]
    texts = [text[part.place.start : part.place.end] for part in (rule, rule.head, *rule.body)]
    assert texts == [text, "p(X)", "q(X, f(a))", "X != b"]


@pytest.mark.parametrize(
    ("text", "code", "column", "message"),
    [
        ("p(a", "GDL004", 3, "expected ')' after the arguments of p, found the end of the text"),
        ("p(a) q.", "GDL004", 6, "expected '.' at the end of the rule, found q"),
        ("p :- (q.", "GDL004", 8, "expected ')' to close the parenthesis, found ."),
        ("p :- (q, r) or s.", "GDL004", 8, "a conjunction is not allowed inside a disjunction"),
        ("X :- p.", "GDL004", 1, "a variable cannot be a sentence"),
        ("p :- X.", "GDL004", 6, "a variable cannot be a sentence"),
        ("p :- distinct(a).", "GDL004", 6, "'distinct' takes two terms, not 1"),
        ("p('a b').", "GDL004", 3, "'a b' cannot be a name"),
        ("p('').", "GDL004", 3, "'' cannot be a name"),
        ("p('?x').", "GDL004", 3, "'?x' cannot be a name"),
        ("p(?'a b').", "GDL004", 3, "?'a b' cannot be a variable"),
        ("p('a).", "GDL004", 3, "expected a name, found '"),
        ("p(é).", "GDL004", 3, "expected a name, found é"),
        ("p(a,).", "GDL004", 5, "expected a name, found )"),
        (":- p.", "GDL004", 1, "expected a name, found :-"),
        ("p('or').", "GDL006", 3, "'or' is not allowed here"),
        ("p(not).", "GDL006", 3, "'not' is not allowed here"),
        ("'<=' :- p.", "GDL006", 1, "'<=' is not allowed here"),
        ("p(distinct(a,b)).", "GDL006", 3, "'distinct' is not allowed here"),
        ("distinct(a,b) :- p.", "GDL006", 1, "'distinct' is not allowed here"),
        ("'DISTINCT'(a,b).", "GDL006", 1, "'DISTINCT' is not allowed here"),
        ("p :- distinct(a,b) != c.", "GDL006", 6, "'distinct' is not allowed here"),
        ("p :- c = distinct(a,b).", "GDL006", 10, "'distinct' is not allowed here"),
    ],
)
def test_a_malformed_rule_is_reported_where_it_goes_wrong(
    text: str, code: str, column: int, message: str
) -> None:
    assert problem("ok.\n" + text) == (code, 2, column, message)


def test_one_malformed_rule_does_not_hide_the_next() -> None:
    sheet, found = diagnose_any("p(a. q(X) :- r(X). s(). 1 2. t('').", form="rules")
    assert [(d.code, d.place.start) for d in found if d.code in ("GDL004", "GDL006")] == [
        ("GDL004", 3),
        ("GDL004", 26),
        ("GDL004", 31),
    ]
    assert [str(rule) for rule in sheet.rules] == ["(<= (q ?x) (r ?x))", "s"]


def test_nesting_is_bounded_and_the_rules_behind_it_are_read() -> None:
    deep = "p(" * 10_000 + "a" + ")" * 10_000
    sheet, found = diagnose_any(f"{deep}. q.\n r :- {'not ' * 10_000} q.", form="rules")
    assert [d.code for d in found if d.code == "GDL005"] == ["GDL005", "GDL005"]
    assert [str(rule) for rule in sheet.rules] == ["q"]


def test_parse_raises_with_every_syntax_problem() -> None:
    with pytest.raises(RuleSheetError) as raised:
        rules("p(. q(.")
    assert len(raised.value.diagnostics) == 2


def test_a_whole_game_in_rule_form_is_read_by_its_looks() -> None:
    sheet = read(
        """% A game of waiting.
        role(me). init(step(1)).
        legal(me,wait).
        next(step(2)) :- does(me,wait).
        terminal :- true(step(2)).
        goal(me,100) :- terminal.
        """
    )
    assert len(sheet.rules) == 6
