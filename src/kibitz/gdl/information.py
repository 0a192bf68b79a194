"""Chance and hidden information, GDL-II's additions to GDL (Thielscher 2010): named, and refused.

Kibitz takes every role for a player who sees the whole state. That is another game where `random`
throws dice or `sees` limits what is known, so nothing is proved or advised of such rules unless
`RuleSheet.as_gdl1` asks for the other game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kibitz.errors import Diagnostic, RuleSheetError, Severity
from kibitz.gdl.terms import Function, RuleSheet, Term, Variable, atoms_of, variables_of

__all__ = ["beyond_gdl1", "require_gdl1"]

_RANDOM, _SEES = "random", "sees"


def beyond_gdl1(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL042, GDL043: a role `random` with moves of its own, and rules of `sees`.

    >>> from kibitz.gdl import parse
    >>> sheet = parse("(role random) (legal random heads) (legal random tails)")
    >>> [d.code for d in beyond_gdl1(sheet)]
    ['GDL042']
    """
    if sheet.as_gdl1:
        return
    heads = [rule.head for rule in sheet.rules]
    role = next((h for h in heads if h.relation == "role" and _is_random(h.args[:1])), None)
    moves = {
        head.args[1]
        for head in heads
        if head.relation == "legal" and len(head.args) == 2
        if isinstance(head.args[0], Variable) or _is_random(head.args[:1])
    }
    # The same move in every state is waiting.
    if role and (len(moves) > 1 or any(list(variables_of(move)) for move in moves)):
        yield Diagnostic.warning(
            "GDL042",
            "this role is chance, as in GDL-II: it has moves of its own",
            role.place,
            f"nothing is proved or advised of games of chance; {_hint('makes it a player')}",
        )
    read = {atom.relation for rule in sheet.rules for f in rule.body for atom, _ in atoms_of(f)}
    percepts = [h for h in heads if h.relation.lower() == _SEES and len(h.args) == 2]
    if percepts and percepts[0].relation not in read:  # GDL-II has it in heads only
        yield Diagnostic.warning(
            "GDL043",
            "'sees' hides from a role what it does not name, as in GDL-II",
            percepts[0].place,
            "nothing is proved or advised where something is hidden; "
            + _hint("lets every role see all"),
        )


def require_gdl1(sheet: RuleSheet) -> None:
    """Raise RuleSheetError for rules with chance or hidden information."""
    if found := list(beyond_gdl1(sheet)):
        errors = [replace(diagnostic, severity=Severity.ERROR) for diagnostic in found]
        raise RuleSheetError(sheet.source, errors)


def _hint(effect: str) -> str:
    return f"--as-gdl1, as_gdl1=True in Python, {effect}"


def _is_random(terms: tuple[Term, ...]) -> bool:
    return any(isinstance(term, Function) and term.name.lower() == _RANDOM for term in terms)
