"""Translate the text of a .lud file into rules in GDL."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from kibitz.gdl import RuleSheet, to_kif
from kibitz.ludii.english.description import describe
from kibitz.ludii.expansion import Library, expand
from kibitz.ludii.translation.translator import translate
from kibitz.wording import IN_WORDS


def read_ludii(
    text: str | bytes,
    *,
    name: str = "game.lud",
    options: Iterable[str] = (),
    library: Library | None = None,
) -> RuleSheet:
    """Read a sheet in the language of Ludii as a RuleSheet.

    Raise RuleSheetError with everything in it that is not supported.

    >>> sheet = read_ludii('''
    ...     (game "Fill" (players 2)
    ...         (equipment {(board (square 2)) (piece "Disc" Each)})
    ...         (rules
    ...             (play (move Add (to (sites Empty))))
    ...             (end (if (is Line 2) (result Mover Win)))))
    ... ''')
    >>> [str(rule) for rule in sheet.rules[:3]]
    ['(role p1)', '(role p2)', '(init (control p1))']
    """
    return translate(*expand(text, name=name, options=options, library=library))


def gdl_text(text: str | bytes, *, name: str, folder: str | Path | None = None) -> str:
    """Translate a sheet into GDL, with the rules in words before it.

    Options and definitions are those that the environment names:
    KIBITZ_LUDII_OPTIONS has one option a line, KIBITZ_LUDII the folder or jar of Ludii.

    >>> sheet = '(game "One" (players 1) (equipment {(board (square 2)) (piece "Disc" P1)})'
    >>> sheet += ' (rules (play (move Add (to (sites Empty))))'
    >>> sheet += ' (end (if (is Full) (result P1 Win)))))'
    >>> print(gdl_text(sheet, name="one.lud").splitlines()[2])
    ; The board is a square of 2 by 2 cells.
    """
    options = [one for one in os.environ.get("KIBITZ_LUDII_OPTIONS", "").splitlines() if one]
    library = Library.find(folder)
    source, game = expand(text, name=name, options=options, library=library)
    sheet = translate(source, game)
    sentences = [IN_WORDS, *describe(game, sheet)]
    comments = "".join(f"; {line}\n" for line in sentences)
    return f"{comments}\n{to_kif(sheet)}"
