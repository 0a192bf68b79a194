"""A RuleSheet in; out the sentences at its head, if they are its rules.

A sheet that was made from English has them there. They are read again and translated; if the
clauses are those of the sheet, the sentences are the whole game, whatever its size.
"""

from __future__ import annotations

import re

import kibitz.rulebook as m
from kibitz.errors import KibitzError
from kibitz.gdl import RuleSheet, clauses_of, parse

__all__ = ["own_sentences"]


def own_sentences(sheet: RuleSheet) -> m.Rules | None:
    """Return the rules that a sheet's first comment says, if they are those of the sheet.

    >>> text = m.rulebook_gdl('''There is a pile of 7 counters. Players: Ann and Bob. On your turn,
    ... take one to three counters from a pile. You lose if you cannot move.''')
    >>> print(m.write_rulebook(own_sentences(parse(text))).splitlines()[0])
    There is a pile of 7 counters.
    >>> own_sentences(parse(text.replace("(heap a 7)", "(heap a 6)"))) is None
    True
    """
    comment = _first_comment(sheet)
    _, _, after_title = comment.partition("\n\n")
    comment = after_title or comment
    if not m.looks_english(comment):
        return None
    try:
        rules = m.read_sentences(comment).rules
        made = clauses_of(parse(m.gdl_of(rules)))
    except KibitzError:
        return None
    return rules if set(made) == set(clauses_of(sheet)) else None


def _first_comment(sheet: RuleSheet) -> str:
    """Return the comment lines before the first rule."""
    lines = []
    for line in sheet.source.text.splitlines():
        found = re.match(r"\s*;+\s?(.*)", line)
        if found is None:
            break
        lines.append(found[1])
    return "\n".join(lines)
