"""A folder in, the definitions of Ludii's own library out, as tokens by their names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kibitz.errors import InputError, RuleSheetError
from kibitz.ludii.tokens import Token, matching, tokens_of

__all__ = ["Definition", "Library", "definitions_in"]

_MAX_FILES = 5_000
_MAX_BYTES = 200_000

Definition = tuple[Token, ...]
"""What stands for a name: its tokens, in which #1 is the first argument."""


@dataclass(frozen=True)
class Library:
    """Definitions that sheets call by name without defining them."""

    definitions: Mapping[str, Definition] = field(default_factory=dict)

    @staticmethod
    def find(folder: str | Path | None = None) -> Library:
        """Read the definitions in a folder, else in the one that KIBITZ_LUDII names, else none.

        >>> Library.find("no/such/folder")
        Traceback (most recent call last):
        kibitz.errors.InputError: no/such/folder holds no folder def with definitions of Ludii
          hint: name the folder that def is in
        """
        place = folder or os.environ.get("KIBITZ_LUDII")
        return Library() if not place else _read(Path(place).resolve(), str(place))


@cache
def _read(folder: Path, shown: str) -> Library:
    root = next((f for f in (folder / "def", folder) if f.is_dir() and f.name == "def"), None)
    if root is None:
        raise InputError(
            f"{shown} holds no folder def with definitions of Ludii",
            hint="name the folder that def is in",
        )
    found: dict[str, Definition] = {}
    for path in sorted(root.rglob("*.def"))[:_MAX_FILES]:
        try:
            if path.stat().st_size <= _MAX_BYTES:
                tokens = tokens_of(path.read_bytes(), name=str(path))[1]
                found |= definitions_in(tokens)[0]
        except (OSError, RuleSheetError):
            continue  # its definition is missing, which is reported where it is called
    return Library(found)


def definitions_in(tokens: list[Token]) -> tuple[dict[str, Definition], list[Token]]:
    """Split tokens into the definitions among them, and the rest.

    >>> tokens = tokens_of('(define "Two" (a #1)) ("Two" 5)', name="x.lud")[1]
    >>> found, rest = definitions_in(tokens)
    >>> [token.text for token in found["Two"]], [token.text for token in rest]
    (['(', 'a', '#1', ')'], ['(', '"Two"', '5', ')'])
    """
    found: dict[str, Definition] = {}
    rest: list[Token] = []
    index = 0
    while index < len(tokens):
        if (
            tokens[index].text == "("
            and index + 2 < len(tokens)
            and tokens[index + 1].text == "define"
            and tokens[index + 2].kind == "text"
        ):
            end = matching(tokens, index)
            found[tokens[index + 2].text[1:-1]] = tuple(tokens[index + 3 : end - 1])
            index = end
        else:
            rest.append(tokens[index])
            index += 1
    return found, rest
