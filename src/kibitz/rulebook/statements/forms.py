"""A sentence such as "square (A, B) holds C" in, a form out that reads and writes its like.

The letters of a form are the arguments of a relation, A the first. A form that states something
has one verb of a short list, so that it can be denied: "square (A, B) does not hold C".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kibitz.gdl import Term, Variable
from kibitz.rulebook.statements.words import Word, split_words, written_constant

_DENIED = {
    "is": "is not",
    "are": "are not",
    "holds": "does not hold",
    "has": "does not have",
    "comes": "does not come",
    "lies": "does not lie",
    "beats": "does not beat",
    "can": "cannot",
    "threatens": "does not threaten",
    "reaches": "does not reach",
    "follows": "does not follow",
    "stands": "does not stand",
    "owns": "does not own",
    "sees": "does not see",
    "contains": "does not contain",
    "covers": "does not cover",
    "needs": "does not need",
    "equals": "does not equal",
}
"""How a statement with such a verb is denied."""

_USUAL = {
    "it_is_turn": "control",
    "square_holds": "cell",
    "nothing": "noop",
    "move_from_square_to_square": "move",
    "place_a_piece_on_square": "place",
}
"""Names by which rule sheets call some things, so that boards and turns are found."""

TermReader = Callable[[Sequence[Word], int], tuple[Term, int] | None]
"""Reads one term at a word; returns it and where it ends."""


def letter_of(number: int) -> str:
    """Return the letter of a number from 0.

    >>> letter_of(0), letter_of(27)
    ('A', 'B1')
    """
    return chr(ord("A") + number % 26) + (str(number // 26) if number >= 26 else "")


@dataclass(frozen=True, slots=True)
class Form:
    """How a relation is spoken: its words with letters for the arguments, and its name."""

    text: str
    name: str
    arity: int

    @classmethod
    def of(cls, text: str) -> Form | None:
        """Make a form; None if its letters are not A, B, C and so on, each once.

        Its words make its name, but for *do* at the start and *is so* at the end.

        >>> Form.of("B comes right after A")
        Form(text='B comes right after A', name='comes_right_after', arity=2)
        """
        words = split_words(text)
        letters = [word.text for word in words if word.kind == "letter"]
        if sorted(letters) != sorted(letter_of(n) for n in range(len(letters))):
            return None
        kept = [word.text.lower() for word in words if word.kind in ("word", "number", "quoted")]
        if kept[:1] == ["do"] and len(kept) > 1:
            kept = kept[1:]
        elif kept[-2:] == ["is", "so"] and len(kept) > 2:
            kept = kept[:-2]
        name = "_".join(re.sub(r"\W", "", word) for word in kept)
        return cls(text, _USUAL.get(name, name) or "holds", len(letters)) if kept else None

    @property
    def denied(self) -> str | None:
        """The text of the contrary, if there is a verb that can be denied."""
        whole = max(self.text.find(" condition holds") + 1, 0)  # the words before are a name
        for match in re.compile(r"(?<![\w\"])[a-z]+(?![\w\"])").finditer(self.text, whole):
            if match.group() in _DENIED:
                return (
                    self.text[: match.start()] + _DENIED[match.group()] + self.text[match.end() :]
                )
        return None

    def write(self, terms: Sequence[str], *, denied: bool = False) -> str:
        """Write the form with terms for its letters.

        >>> Form.of("square (A, B) holds C").write(["X", "2", "white"], denied=True)
        'square (X, 2) does not hold white'
        """
        prefix, text = "", self.text
        if denied:
            contrary = self.denied
            prefix, text = ("", contrary) if contrary else ("it is not so that ", text)
        numbers = {letter_of(n): term for n, term in enumerate(terms)}
        pattern = r"\"[^\"]*\"|(?<![\w-])[A-Z]\d*(?![\w-])"
        return prefix + re.sub(pattern, lambda m: numbers.get(m.group(), m.group()), text)

    def read(
        self, words: Sequence[Word], read_term: TermReader, *, denied: bool = False
    ) -> tuple[Term, ...] | None:
        """Return the arguments of words that have this form; None if they have another."""
        text = self.denied if denied else self.text
        if text is None:
            return None
        terms: dict[str, Term] = {}
        position = 0
        for one in _pieces(text):
            while position < len(words) and words[position].text in ("(", ")", ","):
                position += 1
            if position >= len(words):
                return None
            if one.kind == "letter":
                found = read_term(words, position)
                if found is None:
                    return None
                terms[one.text], position = found
            elif words[position].text.lower() == one.text.lower():
                position += 1
            else:
                return None
        if any(word.text not in ("(", ")", ",") for word in words[position:]):
            return None
        return tuple(terms[letter_of(n)] for n in range(self.arity))


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[Word, ...]:
    return tuple(word for word in split_words(text) if word.kind != "mark")


def write_term(term: Term, letters: dict[Variable, str], names: dict[str, str]) -> str:
    """Write a term: a letter, a name, a number, or in brackets what is made of several.

    >>> from kibitz.gdl import Function
    >>> write_term(Function("at", (Function("1"), Variable("x"))), {Variable("x"): "A"}, {})
    '[at 1 A]'
    """
    if isinstance(term, Variable):
        return letters[term]
    name = names.get(term.name) or written_constant(term.name)
    if not term.args:
        return name
    return f"[{' '.join([name, *(write_term(one, letters, names) for one in term.args)])}]"
