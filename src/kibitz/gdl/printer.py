"""Print a RuleSheet in either notation; reading the text again gives an equal sheet."""

from __future__ import annotations

from collections.abc import Callable

from kibitz.gdl.ruleform import PLAIN_NAME, PLAIN_VARIABLE
from kibitz.gdl.terms import (
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
    terms_of,
)

__all__ = ["TermWriter", "rule_to_kif", "rule_to_ruleform", "to_kif", "to_ruleform"]


class TermWriter:
    """Writes ground terms as KIF text the way a sheet does.

    `(over)` and `over` are the same term, and `str` writes the latter. If a sheet wraps a constant
    in parentheses, so does what Kibitz writes.

    >>> from kibitz.gdl import parse, parse_terms
    >>> write = TermWriter(parse("(<= (next (over)) (does me stop))"))
    >>> [write(term) for term in parse_terms("over (step over)")]
    ['(over)', '(step (over))']
    """

    def __init__(self, sheet: RuleSheet) -> None:
        text = sheet.source.text
        self.wrapped = frozenset(
            term.name
            for term in terms_of(sheet)
            if isinstance(term, Function)
            and not term.args
            and text[term.place.start : term.place.start + 1] == "("
        )

    def __call__(self, term: Function) -> str:
        """Write a term."""
        return self._write(term) if self.wrapped else str(term)

    def _write(self, term: Term) -> str:
        if isinstance(term, Variable):
            return str(term)
        if not term.args:
            return f"({term.name})" if term.name in self.wrapped else term.name
        return f"({term.name} {' '.join(map(self._write, term.args))})"


def to_kif(sheet: RuleSheet) -> str:
    """Print in KIF, one literal a line.

    >>> from kibitz.gdl import parse
    >>> print(to_kif(parse("p(X) :- q(X), X != 1.")), end="")
    (<= (p ?x)
        (q ?x)
        (distinct ?x 1))
    """
    return _join(sheet, rule_to_kif)


def to_ruleform(sheet: RuleSheet) -> str:
    """Print in the rule form, one literal a line.

    >>> from kibitz.gdl import parse
    >>> print(to_ruleform(parse("(<= (p ?x) (q ?x) (or (r ?x) (not (s B ?x))))")), end="")
    p(X) :-
        q(X),
        (r(X) or not s('B',X)).
    """
    return _join(sheet, rule_to_ruleform)


def _join(sheet: RuleSheet, print_rule: Callable[[Rule], str]) -> str:
    """Put a blank line between groups of rules for different relations."""
    lines: list[str] = []
    previous: Rule | None = None
    for rule in sheet.rules:
        if previous and (rule.head.relation != previous.head.relation or previous.body):
            lines.append("")
        lines.append(print_rule(rule))
        previous = rule
    return "\n".join(lines) + "\n" if lines else ""


def rule_to_kif(rule: Rule) -> str:
    """Print one rule in KIF."""
    if not rule.body:
        return str(rule.head)
    return "".join([f"(<= {rule.head}", *(f"\n    {part}" for part in rule.body), ")"])


def rule_to_ruleform(rule: Rule) -> str:
    """Print one rule in the rule form."""
    if not rule.body:
        return f"{_term(rule.head)}."
    body = ",\n    ".join(_formula(part) for part in rule.body)
    return f"{_term(rule.head)} :-\n    {body}."


def _formula(formula: Formula) -> str:
    match formula:
        case Atom():
            return _term(formula)
        case Not():
            return f"not {_formula(formula.formula)}"
        case Or():
            return f"({' or '.join(_formula(part) for part in formula.formulas)})"
        case Distinct():
            return f"{_term(formula.left)} != {_term(formula.right)}"


def _term(term: Term | Atom) -> str:
    if isinstance(term, Variable):
        if PLAIN_VARIABLE.fullmatch(term.name):
            return term.name[0].upper() + term.name[1:]
        return f"?{_quoted(term.name)}"
    name = term.name if isinstance(term, Function) else term.relation
    if not PLAIN_NAME.fullmatch(name) or name in RESERVED:
        name = _quoted(name)
    return f"{name}({','.join(map(_term, term.args))})" if term.args else name


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"
