"""What `on_demand` rewrites gives the same answers as the clauses it was given.

The oracle is clingo on the clauses as they are, and on the rewritten ones.
"""

from __future__ import annotations

import clingo
import pytest
from hypothesis import given, strategies as st
from tests.effort import examples

from kibitz.gdl import Atom, Clause, Function, Term, Variable, clauses_of, on_demand, parse
from kibitz.gdl.clauses import is_stratified

LISTS = """
(item a) (item b)
(list nil)
(<= (list (cons ?x nil)) (item ?x))
(<= (list (cons ?x (cons ?y ?z))) (item ?x) (list (cons ?y ?z)) (short ?z))
(short nil) (<= (short (cons ?x nil)) (item ?x))
(<= (first ?x (cons ?x ?y)) (item ?x) (list ?y))
"""

CALLED_AFTER_A_NEGATION = """
(role a) (role b) (spot 1) (spot 2) (at a 2) (at b 1)
(<= (move ?p (go ?x)) (role ?p) (spot ?x) (at ?p ?x))
(<= (captures ?p) (move ?p (go 1)))
(<= (turn ?p) (role ?p) (not (captures ?p)))
(<= (legal ?p ?m) (turn ?p) (move ?p ?m))
"""
"""Moves are asked for whose turn it is, which rests on there being no move of a kind."""

SHEETS = {
    "a call after a negation of what is called": CALLED_AFTER_A_NEGATION,
    "facts only": "(p 1) (<= terminal (p 1))",
    "a builder asked for one value": "(p 1) (p 2) (<= (t (f ?x)) (p ?x)) (<= terminal (t (f 2)))",
    "a builder that does not hold": "(p 1) (<= (t (f ?x)) (p ?x)) (<= terminal (t (f 2)))",
    "a builder under a negation": (
        "(p 1) (p 2) (<= (t (f ?x)) (p ?x) (distinct ?x 2))"
        "(<= (legal ?x ?x) (p ?x) (not (t (f ?x))))"
    ),
    "free arguments": "(p 1) (p 2) (<= (t (f ?x)) (p ?x)) (<= (goal ?y ?y) (t ?y))",
    "two ways of calling": (
        "(p 1) (p 2) (<= (t ?x (f ?x)) (p ?x)) (<= (goal ?y ?y) (t 1 ?y))"
        "(<= (legal ?x ?y) (t ?x ?y)) (<= terminal (t 2 (f 2)))"
    ),
    "recursion": (
        "(next_to 1 2) (next_to 2 3) (<= (path ?x ?y (to ?y)) (next_to ?x ?y))"
        "(<= (path ?x ?z (via ?y)) (next_to ?x ?y) (path ?y ?z ?w))"
        "(<= (goal ?z ?w) (path 1 ?z ?w))"
    ),
    "lists": LISTS + "(<= (goal ?x yes) (item ?x) (first ?x (cons ?x (cons b nil))))",
    "lists negated": LISTS + "(<= (goal ?x no) (item ?x) (not (first ?x (cons a nil))))",
    "distinct": (
        "(p 1) (p 2) (<= (t (f ?x) ?y) (p ?x) (p ?y) (distinct ?x ?y))(<= (goal ?x ?y) (t ?x ?y))"
    ),
    "repeated variables": "(p 1) (<= (t (f ?x) ?x) (p ?x)) (<= (goal 1 ?y) (t (f ?y) ?y))",
    "a cycle of asking through a negation": (
        "(s x a) (s a x) (s a a) (b x) (<= (p (f ?x)) (b ?x))"
        "(<= (q ?x ?y) (s ?x ?y) (not (p (f ?x))))"
        "(<= (goal ?x ?y) (q ?x ?y) (not (p (f ?y))))"
    ),
}


def answer(clauses: tuple[Clause, ...]) -> set[str]:
    """Give the keyword atoms of the one answer set."""
    control = clingo.Control(["0", "--warn=none"])
    control.add("\n".join(map(_rule, clauses)))
    control.ground()
    models: list[set[str]] = []
    control.solve(on_model=lambda m: models.append({str(a) for a in m.symbols(atoms=True)}))
    (model,) = models
    return {a for a in model if a.partition("(")[0] in ("terminal", "goal", "legal")}


def _rule(clause: Clause) -> str:
    body = [
        *map(_atom, clause.positive),
        *(f"not {_atom(a)}" for a in clause.negative),
        *(f"{_term(a)} != {_term(b)}" for a, b in clause.distinct),
    ]
    return f"{_atom(clause.head)} :- {', '.join(body)}."


def _atom(atom: Atom) -> str:
    return f"{atom.relation.replace(';', '__')}({','.join(map(_term, atom.args))})"


def _term(term: Term) -> str:
    if isinstance(term, Variable):
        return term.name.upper()
    return f"{term.name}({','.join(map(_term, term.args))})" if term.args else term.name


@pytest.mark.parametrize("name", SHEETS)
def test_the_answers_stay_the_same(name: str) -> None:
    clauses = clauses_of(parse(SHEETS[name]))
    assert answer(on_demand(clauses)) == answer(clauses)


def test_the_cases_are_answered_at_all() -> None:
    answers = {name: answer(clauses_of(parse(text))) for name, text in SHEETS.items()}
    empty = {name for name, found in answers.items() if not found}
    assert empty == {"a builder that does not hold"}


def test_clauses_that_build_nothing_are_given_back_as_they_are() -> None:
    clauses = clauses_of(parse("(p 1) (<= (q ?x) (p ?x)) (<= (next (f ?x)) (q ?x))"))
    assert on_demand(clauses) is clauses


def test_only_what_is_asked_for_is_derived() -> None:
    numbers = " ".join(f"(n {i})" for i in range(100))
    text = numbers + "(<= (pair (f ?x ?y)) (n ?x) (n ?y)) (<= terminal (pair (f 3 4)))"
    control = clingo.Control(["--warn=none"])
    control.add("\n".join(map(_rule, on_demand(clauses_of(parse(text))))))
    control.ground()
    assert len(list(control.symbolic_atoms)) == 100 + 3  # n, asked, the pair, terminal


# Stratified by construction: a relation calls later ones, negated or not, and itself unnegated.
_RELATIONS = ("r0", "r1", "r2", "r3", "base1")
_variables = st.sampled_from([Variable("x"), Variable("y"), Variable("z")])
_constants = st.sampled_from([Function("a"), Function("b")])


@st.composite
def _programs(draw: st.DrawFn) -> tuple[Clause, ...]:
    pairs = draw(st.lists(st.tuples(_constants, _constants), min_size=1, max_size=3))
    levels = [level for level in range(4) for _ in range(draw(st.integers(1, 2)))]
    return (
        *(Clause(Atom("base1", pair)) for pair in pairs),
        *(draw(_clauses(f"r{level}", level)) for level in levels),
        *(draw(_clauses(keyword, -1)) for keyword in ("goal", "legal")),
    )


@st.composite
def _clauses(draw: st.DrawFn, head: str, level: int) -> Clause:
    """Draw a safe clause for a relation of a level; -1 is above all."""
    plain = st.one_of(_variables, _constants)
    later = _RELATIONS[level + 1 :]
    called = draw(st.lists(_atoms(_RELATIONS[max(level, 0) :], plain, plain), max_size=2))
    positive = (Atom("base1", (Variable("x"), Variable("y"))), *called)
    bound = [v for v in ("x", "y", "z") if any(Variable(v) in atom.args for atom in positive)]
    safe = st.one_of(st.sampled_from([Variable(v) for v in bound]), _constants)
    built = st.one_of(safe, st.builds(lambda value: Function("f", (value,)), safe))
    negative = draw(st.lists(_atoms(later, built, safe), max_size=2))
    is_recursive = any(atom.relation == head for atom in called)
    first = draw(safe if is_recursive else built)  # so that no term grows for ever
    return Clause(Atom(head, (first, draw(safe))), positive, tuple(negative))


def _atoms(
    relations: tuple[str, ...], first: st.SearchStrategy[Term], second: st.SearchStrategy[Term]
) -> st.SearchStrategy[Atom]:
    return st.builds(Atom, st.sampled_from(relations), st.tuples(first, second))


@given(_programs())
@examples(100)
def test_stratified_programs_keep_their_answers(clauses: tuple[Clause, ...]) -> None:
    assert answer(on_demand(clauses)) == answer(clauses)


def test_rules_in_order_are_not_made_to_depend_on_their_own_negation() -> None:
    for text in (CALLED_AFTER_A_NEGATION, CALLED_AFTER_A_NEGATION + LISTS):
        clauses = clauses_of(parse(text))
        assert is_stratified(clauses)
        assert is_stratified(on_demand(clauses))
