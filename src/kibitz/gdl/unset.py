"""A RuleSheet in; out the fluents that rules ask for and never set, and moves that are never legal.

A term is set where some head of `init` or `next` can be equal to it, whatever its variables stand
for; so what is reported can hold in no state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from kibitz.errors import Diagnostic, Note
from kibitz.gdl.terms import Atom, Function, RuleSheet, Term, Variable, atoms_of

__all__ = ["unset_terms"]

_MOST_REPORTED = 20
_MOST_COMPARED = 2_000


def unset_terms(sheet: RuleSheet) -> Iterator[Diagnostic]:
    """GDL031, GDL032: fluents that are asked for and never set, moves asked for and never legal.

    >>> from kibitz.gdl import parse
    >>> sheet = parse("(init (control me)) (<= (legal me go) (true (contrl me)))")
    >>> [(d.message, d.hint) for d in unset_terms(sheet)]
    [('(contrl me) never holds: no rule of init or next sets it', "do you mean 'control'?")]
    """
    yield from _unset(
        sheet,
        asked=_asked(sheet, "true", 0),
        given=_heads(sheet, ("init", "next"), 0),
        code="GDL031",
        why="never holds: no rule of init or next sets it",
        cure="set it by init or next, or remove what asks for it",
    )
    yield from _unset(
        sheet,
        asked=_asked(sheet, "does", 1),
        given=_heads(sheet, ("legal",), 1),
        code="GDL032",
        why="is never made: no rule of legal allows it",
        cure="allow it by legal, or remove what asks for it",
    )


def _unset(
    sheet: RuleSheet, *, asked: list[Term], given: list[Term], code: str, why: str, cure: str
) -> Iterator[Diagnostic]:
    if any(isinstance(term, Variable) for term in given):
        return
    heads: dict[str, list[Function]] = {}
    for term in given:
        assert isinstance(term, Function)
        heads.setdefault(term.name, []).append(term)
    uses = {term.name for term in asked if isinstance(term, Function)}
    reported: dict[str, None] = {}
    for term in asked:
        if isinstance(term, Variable) or len(reported) == _MOST_REPORTED:
            continue
        same = heads.get(term.name, [])
        if len(same) > _MOST_COMPARED or any(_can_equal(term, head) for head in same):
            continue
        text = str(term) if same else term.name
        if text in reported:
            continue
        reported[text] = None
        # A name that is set and never asked for is the likeliest to be meant.
        unused = [name for name in heads if name not in uses]
        near = _near(term.name, unused) or _near(term.name, list(heads))
        notes = []
        hint = cure
        if not same and near:
            hint = f"do you mean '{near}'?"
            notes = [Note(f"'{near}' is here", heads[near][0].place)]
        elif same:
            notes = [Note(f"'{term.name}' is set here, with other arguments", same[0].place)]
            if code == "GDL032":
                notes = [
                    Note(f"'{term.name}' is allowed here, with other arguments", same[0].place)
                ]
        yield Diagnostic.warning(code, f"{term} {why}", term.place, hint, notes)


def _asked(sheet: RuleSheet, relation: str, place: int) -> list[Term]:
    atoms = [atom for rule in sheet.rules for formula in rule.body for atom, _ in atoms_of(formula)]
    return [atom.args[place] for atom in atoms if _is(atom, relation, place)]


def _heads(sheet: RuleSheet, relations: Sequence[str], place: int) -> list[Term]:
    heads = [rule.head for rule in sheet.rules]
    return [head.args[place] for head in heads for name in relations if _is(head, name, place)]


def _is(atom: Atom, relation: str, place: int) -> bool:
    return atom.relation == relation and len(atom.args) == place + 1


def _can_equal(one: Term, other: Term) -> bool:
    """Return False only where two terms are equal for no values of their variables."""
    if isinstance(one, Variable) or isinstance(other, Variable):
        return True
    return (
        one.name == other.name
        and len(one.args) == len(other.args)
        and all(map(_can_equal, one.args, other.args))
    )


def _near(name: str, known: list[str]) -> str:
    """Find the name most like another, among names short enough to have been misspelled."""
    short = [other for other in known[:1000] if other != name and len(other) <= 50]
    close = get_close_matches(name, short, n=1, cutoff=0.75) if len(name) <= 50 else []
    return close[0] if close else ""
