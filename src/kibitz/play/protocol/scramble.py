"""Rename the symbols of a rule sheet, so that players cannot recognise the game by them."""

from __future__ import annotations

import random
import re

from kibitz.gdl import KEYWORD_ARITY, RESERVED, RuleSheet, to_kif

__all__ = ["Scrambler"]

_SYMBOL = re.compile(r"[^\s();]+")
_SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]


class Scrambler:
    """Scrambles symbols and restores them. Keywords, variables and numbers stay as they are.

    >>> from kibitz.games import load_sheet
    >>> scrambler = Scrambler(load_sheet("tictactoe"), seed=1)
    >>> hidden = scrambler.hide("(mark 1 2)")
    >>> hidden != "(mark 1 2)", scrambler.reveal(hidden)
    (True, '(mark 1 2)')
    """

    def __init__(self, sheet: RuleSheet, *, seed: int = 1) -> None:
        source = random.Random(seed)
        text = to_kif(sheet)
        symbols = sorted({name for name in _SYMBOL.findall(text) if _is_plain(name)})
        names: set[str] = set()
        while len(names) < len(symbols):
            names.add("".join(source.choices(_SYLLABLES, k=3)))
        order = sorted(names)
        source.shuffle(order)
        self._hidden = dict(zip(symbols, order, strict=True))
        self._revealed = {new: old for old, new in self._hidden.items()}
        self.rules = self.hide(text)

    def hide(self, text: str) -> str:
        """Write a text in the scrambled names."""
        return _renamed(text, self._hidden)

    def reveal(self, text: str) -> str:
        """Write a text in the names of the rule sheet."""
        return _renamed(text, self._revealed)


def _is_plain(name: str) -> bool:
    word = name.lower()
    return not (word in KEYWORD_ARITY or word in RESERVED or name.startswith("?") or name.isdigit())


def _renamed(text: str, names: dict[str, str]) -> str:
    return _SYMBOL.sub(lambda found: names.get(found.group(), found.group()), text)
