"""Translate rules in any language that Kibitz reads to the same rules in GDL.

Which language it is shows in the text: what begins like a sheet of Ludii is one, sentences are
rules in English, and all else is GDL. The name of a file decides only where the text does not.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from kibitz.reading import bounded


@bounded("reading the rules")
def gdl_from(text: str | bytes, *, name: str) -> str | bytes:
    """Return rules in English or in the language of Ludii as GDL, and GDL as it is.

    >>> gdl_from("(role x)", name="game.lud")
    '(role x)'
    >>> gdl_from("Player: Ann. Size: 2 by 2. On your turn, mark an empty cell. You win if the "
    ...          "board is full.", name="game.kif").startswith("; The board is a grid")
    True
    """
    from kibitz.ludii import is_ludii
    from kibitz.rulebook import as_gdl, looks_english

    content = text.decode("utf-8-sig", "replace") if isinstance(text, bytes) else text
    is_other = looks_english(content) or re.search(r"\(role\s|\brole\(", content)
    if is_ludii(content) or (PurePath(name).suffix == ".lud" and not is_other):
        from kibitz.ludii import gdl_text

        return gdl_text(text, name=name)
    return as_gdl(text, name=name)
