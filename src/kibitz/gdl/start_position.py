"""Rewrite a RuleSheet to start the same game from a state, given by its fluents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kibitz.errors import InputError
from kibitz.gdl.clauses import unify
from kibitz.gdl.reader import parse
from kibitz.gdl.ruleform import to_kif
from kibitz.gdl.terms import Atom, Function, Rule, RuleSheet, Term, atoms_of


def starting_at(
    sheet: RuleSheet, fluents: Sequence[Function], *, name: str | None = None
) -> RuleSheet:
    """Return the rules of the game that starts where exactly these fluents hold.

    Raise InputError for a fluent that no rule mentions, and where there is none at all.

    >>> from kibitz.gdl import parse_terms, read
    >>> sheet = read("(role me) (init (step 1)) (legal me wait) (goal me 100)"
    ...     "(<= (next (step 2)) (true (step 1))) (<= terminal (true (step 2)))")
    >>> str(starting_at(sheet, parse_terms("(step 2)")).rules[-1])
    '(init (step 2))'
    """
    if not fluents:
        raise InputError("a position has at least one fluent", hint="such as (control xplayer)")
    known = list(_mentioned(sheet))
    for fluent in fluents:
        if not any(unify(fluent, term, {}) is not None for term in known):
            names = sorted({term.name for term in known if isinstance(term, Function)})
            raise InputError(
                f"{fluent} is no fluent of {sheet.name}", hint=f"fluents: {' '.join(names)}"
            )
    rules = [rule for rule in sheet.rules if rule.head.relation != "init"]
    rules += [Rule(Atom("init", (fluent,))) for fluent in dict.fromkeys(fluents)]
    # Read again, so that places are those in the new text.
    made = parse(to_kif(RuleSheet(tuple(rules))), name=name or sheet.name, form="kif")
    return replace(sheet, rules=made.rules, source=made.source)


def _mentioned(sheet: RuleSheet) -> Iterator[Term]:
    """Walk the terms that stand for fluents in the rules."""
    for rule in sheet.rules:
        atoms = [rule.head, *(atom for formula in rule.body for atom, _ in atoms_of(formula))]
        for atom in atoms:
            if atom.relation in ("init", "next", "true", "base"):
                yield from atom.args
