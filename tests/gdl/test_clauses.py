from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.strategies import rules as any_rule, terms

from kibitz.gdl import (
    Function,
    Rule,
    RuleSheet,
    Term,
    Variable,
    clauses_of,
    parse,
    parse_terms,
    subterms,
)
from kibitz.gdl.clauses import MAX_ALTERNATIVES, count_alternatives, substitute, unify


def clauses(text: str) -> list[str]:
    """Write each clause of some rules as 'head :- positive, ~negative, left/right'."""
    written = []
    for clause in clauses_of(parse(text)):
        body = [
            *map(str, clause.positive),
            *(f"~{atom}" for atom in clause.negative),
            *(f"{left}/{right}" for left, right in clause.distinct),
        ]
        written.append(f"{clause.head} :- {', '.join(body)}")
    return written


def one(text: str) -> Term:
    """Read a term that may have variables."""
    return parse(f"(p {text})").rules[0].head.args[0]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("(p a)", ["(p a) :- "]),
        ("(<= p q (not r) (distinct a b))", ["p :- q, ~r, a/b"]),
        ("(<= p (or q r) s)", ["p :- q, s", "p :- r, s"]),
        ("(<= p (or q (or r s)))", ["p :- q", "p :- r", "p :- s"]),
        ("(<= p (or a b) (or c d))", ["p :- a, c", "p :- a, d", "p :- b, c", "p :- b, d"]),
        ("(<= p (not (or q r)))", ["p :- ~q, ~r"]),
        ("(<= p (not (or q (not r))))", ["p :- r, ~q"]),
        ("(<= p (not (not q)))", ["p :- q"]),
        ("(<= p (not (or q (not (or r s)))))", ["p :- r, ~q", "p :- s, ~q"]),
        ("(<= p (not (not (distinct a b))))", ["p :- a/b"]),
        ("(<= (p ?x) (q ?x ?y) (not (distinct ?x ?y)))", ["(p ?y) :- (q ?y ?y)"]),
        ("(<= (p ?x) (q ?x) (not (distinct ?x (f 1))))", ["(p (f 1)) :- (q (f 1))"]),
        ("(<= p (not (distinct a a)))", ["p :- "]),
        ("(<= p (not (distinct a b)))", []),
        ("(<= p (q ?x) (not (distinct ?x (f ?x))))", []),
        ("(<= p (q ?x) (or (not (distinct ?x 1)) r))", ["p :- (q 1)", "p :- (q ?x), r"]),
    ],
)
def test_a_rule_becomes_these_clauses(rule: str, expected: list[str]) -> None:
    assert clauses(rule) == expected


def test_the_number_of_clauses_is_known_before_they_are_made() -> None:
    text = "(<= p (or a b c) (not (or d (not (or e f)))) (or g h))"
    assert count_alternatives(parse(text).rules[0]) == len(clauses(text)) == 12


def test_counting_stops_where_the_number_would_fill_pages() -> None:
    rule = parse("(<= p " + "(or a b)" * 50_000 + ")").rules[0]
    assert MAX_ALTERNATIVES < count_alternatives(rule) <= 2 * MAX_ALTERNATIVES


@given(any_rule)
def test_the_count_is_never_below_the_clauses_made(rule: Rule) -> None:
    assert len(clauses_of(RuleSheet((rule,)))) <= count_alternatives(rule)


@given(terms, terms)
def test_unified_terms_are_equal_after_substitution(left: Term, right: Term) -> None:
    bindings = unify(left, right, {})
    if bindings is not None:
        assert substitute(left, bindings) == substitute(right, bindings)


@given(terms, st.dictionaries(st.from_regex(r"[a-c]", fullmatch=True), terms, max_size=3))
def test_a_term_unifies_with_its_instances(term: Term, values: dict[str, Term]) -> None:
    apart = {Variable(name): _apart(value) for name, value in values.items()}
    instance = substitute(term, apart)
    assert unify(term, instance, {}) is not None


def _apart(term: Term) -> Term:
    if isinstance(term, Variable):
        return Variable(f"{term.name};")
    return Function(term.name, tuple(map(_apart, term.args)))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a", "b"),
        ("(f a)", "(g a)"),
        ("(f a)", "f"),
        ("?x", "(f ?x)"),
        ("(f ?x (g ?x))", "(f ?y ?y)"),
        ("(f ?x ?y)", "(f (g ?y) (g ?x))"),
        ("(f ?x a)", "(f b ?x)"),
    ],
)
def test_some_terms_have_no_common_instance(left: str, right: str) -> None:
    assert unify(one(left), one(right), {}) is None
    assert unify(one(right), one(left), {}) is None


def test_bindings_already_there_are_kept_and_not_changed() -> None:
    x, y, (a,) = Variable("x"), Variable("y"), parse_terms("a")
    given_before: dict[Variable, Term] = {x: a}
    assert unify(x, y, given_before) == {x: a, y: a}
    assert given_before == {x: a}
    assert unify(x, Function("b"), given_before) is None


def test_terms_that_double_at_each_step_unify_without_being_written_out() -> None:
    # Written out, the last of these would have 2 to the power of 500 leaves.
    steps = range(1, 500)
    left = one("(f " + " ".join(f"?x{i} ?y{i}" for i in steps) + " ?x499)")
    pairs = " ".join(f"(g ?x{i - 1} ?x{i - 1}) (g ?y{i - 1} ?y{i - 1})" for i in steps)
    assert unify(left, one(f"(f {pairs} ?y499)"), {}) is not None


def test_subterms_walks_everything_inside() -> None:
    assert [str(t) for t in subterms(one("(f (g ?x) a)"))] == ["(f (g ?x) a)", "(g ?x)", "?x", "a"]
