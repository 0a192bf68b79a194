"""Rules in English in, GDL and canonical sentences out: what the rest of Kibitz calls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from kibitz.errors import Diagnostic, Place, RuleSheetError, Source
from kibitz.rulebook.model import Rules, Statement
from kibitz.rulebook.reader import looks_english, looks_formal, looks_like_prose, read_sentences
from kibitz.rulebook.sentences import GRAMMAR
from kibitz.rulebook.statements.translation import translate_statements
from kibitz.rulebook.translation.problems import RulesProblem
from kibitz.rulebook.translation.translator import translate

SUFFIXES = (".rules", ".txt")


def rulebook_gdl(text: str | bytes, *, name: str = "rules") -> str:
    """Translate rules in English into GDL; raise RuleSheetError with all that is wrong.

    >>> text = '''There are piles of 3 and 5 counters. Players: Ann and Bob.
    ... On your turn, take any number of counters from a pile. You lose if you cannot move.'''
    >>> print(rulebook_gdl(text).splitlines()[0])
    ; There are piles of 3 and 5 counters.
    """
    reading = read_sentences(text, name=name)
    try:
        return gdl_of(reading.whole())
    except RulesProblem as problem:

        def place(where: object) -> Place:
            return reading.place(where) if where is not None else Place(0, 1)  # type: ignore[arg-type]

        found: Diagnostic = problem.diagnostic(place)
        raise RuleSheetError(reading.source, [found]) from None


def sentences_above(source: Source, places: Sequence[int]) -> list[str] | None:
    """Return the author's sentence above each place of rules translated from English, or None.

    A place has no sentence where the translation added something. None is for sheets in GDL.

    >>> from kibitz.errors import Source
    >>> gdl = rulebook_gdl("Players: Ann and Bob. The board is a row of 3 cells. On your turn, "
    ...                    "place a piece on an empty cell. You lose if you cannot move.")
    >>> sentences_above(Source("gdl", gdl), [gdl.index("(<= (option"), gdl.index("(<= (legal")])
    ['On your turn, place a piece on an empty cell.', '']
    """
    lines = [(found.start(), found[1]) for found in re.finditer(r"^; ?(.*)$", source.text, re.M)]
    if not looks_english("\n".join(text for _, text in lines)):
        return None
    start = next((n.start() for n in re.finditer(r"^[^;\s]", source.text, re.M)), 0)
    head = {text for offset, text in lines if offset < start}
    # The head lists the sentences, unless each has letters; other comments are headings.
    listed = head & {text for offset, text in lines if offset >= start}
    found = []
    for place in places:
        above = [text for offset, text in lines if offset < place]
        text = above[-1] if above else ""
        found.append(text if text in listed or not listed else "")
    return found


def as_gdl(text: str | bytes, *, name: str) -> str | bytes:
    """Return rules in English as GDL, and any other text as it is.

    >>> as_gdl("(role x)", name="rules")
    '(role x)'
    """
    return rulebook_gdl(text, name=name) if is_english(text, name=name) else text


def gdl_of(rules: Rules) -> str:
    """Write a model as GDL.

    >>> rules = read_sentences('''The board is a row of 3 cells. Players: Ann and Bob. On your
    ... turn, place a piece on an empty cell. You lose if you cannot move.''').rules
    >>> "(option ?player (place ?c))" in gdl_of(rules)
    True
    """
    return translate_statements(rules) if rules.all(Statement) else translate(rules)


def write_rulebook(rules: Rules) -> str:
    """Write a model as sentences, one a line.

    >>> rules = read_sentences("Size: 3 by 4. Players: White, Black.").rules
    >>> print(write_rulebook(rules))
    The board is a grid of 3 columns and 4 rows.
    Players: White and Black.
    """
    return "\n".join(
        one.text if isinstance(one, Statement) else GRAMMAR.sentence(one) for one in rules.sentences
    )


def is_english(text: str | bytes, *, name: str) -> bool:
    """Return whether a text has rules in English: by its look, and where that is odd by its name.

    >>> is_english("Players: White and Black.", name="game.kif")
    True
    >>> is_english("; Players: White and Black.\\n(role white)", name="game.rules.txt")
    False
    """
    content = text.decode("utf-8-sig", "replace") if isinstance(text, bytes) else text
    if looks_english(content):
        return True
    if looks_formal(content):
        return False
    suffixes = PurePath(name).suffixes
    is_named_formal = suffixes[-1:] in ([".kif"], [".gdl"], [".lp"], [".rules"], [".lud"])
    return suffixes[-2:] == list(SUFFIXES) or (looks_like_prose(content) and not is_named_formal)
