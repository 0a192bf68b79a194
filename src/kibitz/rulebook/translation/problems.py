"""What makes sentences no game: raised with the place of the word or sentence."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from kibitz.errors import Diagnostic, KibitzError
from kibitz.rulebook.model import Name, Sentence


class RulesProblem(KibitzError):  # noqa: N818 - given a place before people see it
    """A word or a sentence that cannot be translated."""

    def __init__(
        self, code: str, message: str, where: Sentence | str | None = None, hint: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.code, self.where = code, where

    def diagnostic(self, place_of: object) -> Diagnostic:
        """Give the problem a place: of its word, else of its sentence."""
        if isinstance(self.where, Name) and self.where.place is not None:
            place = self.where.place
        else:
            place = place_of(self.where)  # type: ignore[operator]
        return Diagnostic.error(self.code, self.message, place, self.hint)


def closest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names what is known, the most similar word first."""
    names = list(known)
    near = difflib.get_close_matches(word, names, 1)
    if near:
        return f"did you mean {near[0]}?"
    return f"known are {', '.join(names[:12])}" if names else ""
