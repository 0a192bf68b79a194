"""Hypothesis strategies that the tests share: names, terms, formulas, rules and whole sheets."""

from __future__ import annotations

from hypothesis import strategies as st

from kibitz.gdl import (
    KEYWORD_ARITY,
    RESERVED,
    Atom,
    Distinct,
    Formula,
    Function,
    Not,
    Or,
    Rule,
    RuleSheet,
    Term,
    Variable,
)

__all__ = [
    "atoms",
    "formulas",
    "function_names",
    "relation_names",
    "rules",
    "sheets",
    "terms",
    "variables",
]

# Everything that a KIF word may have in it. A byte order mark at the start of a text is none.
_letters = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="();\ufeff").filter(
    lambda char: not char.isspace()
)
_odd_names = st.sampled_from(
    ["X", "Cell", "o'clock", "'", "''", '"', "\\", "%", "a%b", "1a", "-1", "-", "a.b", ":-", "!=",
     ",", "a,b", "_", "_1", "é", "行", "and", "orange", "nothing", "x?y", "=", "a-b", "+", "<",
     "007", "terminal", "true", "TRUE", "\U0001f600"]
)  # fmt: skip
_plain_names = st.from_regex(r"[a-z][a-z0-9_]{0,5}|[0-9]{1,3}", fullmatch=True)
_words = st.one_of(_plain_names, _odd_names, st.text(_letters, min_size=1, max_size=5))

function_names = _words.filter(lambda name: name[0] != "?" and name.lower() not in RESERVED)
relation_names = function_names.map(
    lambda name: name.lower() if name.lower() in KEYWORD_ARITY else name
)
variables = st.builds(Variable, st.one_of(_words, st.sampled_from(["?", "?x", "or", "not", "<="])))


def _functions(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.builds(Function, function_names, st.lists(inner, max_size=3).map(tuple))


terms: st.SearchStrategy[Term] = st.recursive(
    st.one_of(variables, st.builds(Function, function_names)), _functions, max_leaves=6
)
atoms = st.builds(Atom, relation_names, st.lists(terms, max_size=3).map(tuple))


def _connectives(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return st.one_of(
        st.builds(Not, inner), st.builds(Or, st.lists(inner, min_size=2, max_size=3).map(tuple))
    )


formulas: st.SearchStrategy[Formula] = st.recursive(
    st.one_of(atoms, st.builds(Distinct, terms, terms)), _connectives, max_leaves=5
)
rules = st.builds(Rule, atoms, st.lists(formulas, max_size=3).map(tuple))
sheets = st.builds(RuleSheet, st.lists(rules, max_size=5).map(tuple))
