"""A small file beside a rule sheet in, the words to use for its pieces, cells and moves out.

`checkers.words.toml` beside `checkers.kif` may have any of these:

    [roles]                    # what players are called
    xplayer = "Cross"
    [pieces]                   # what stands on a cell
    wp = "a white man"
    [cells]                    # by the constants that name a cell
    "1 1" = "the north-west corner"
    [moves]                    # by name; {1}, {2} are the cells, then the other values
    mark = "put your sign on {1}"
    [fluents]                  # what stands on no board, by name; {1}, {2} are its arguments
    hand = "{1} still has {2} men to place"
    [relations]                # of the rule sheet, by name; {1}, {2} are its arguments
    line = "there is a line of {1}"
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kibitz.board import file_beside, read_toml
from kibitz.errors import InputError

_TABLES = ("roles", "pieces", "cells", "moves", "fluents", "relations")
_PLAIN = re.compile(r"[^\x00-\x1f.;«»\"]{1,80}")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words that replace those found from the structure of a game."""

    roles: Mapping[str, str] = field(default_factory=dict)
    pieces: Mapping[str, str] = field(default_factory=dict)
    cells: Mapping[str, str] = field(default_factory=dict)
    moves: Mapping[str, str] = field(default_factory=dict)
    fluents: Mapping[str, str] = field(default_factory=dict)
    relations: Mapping[str, str] = field(default_factory=dict)


def lexicon_file(rules: str | Path) -> Path | None:
    """Return the file of words beside a rule sheet, if there is one.

    >>> lexicon_file("nowhere/checkers.kif") is None
    True
    """
    return file_beside(rules, ".words.toml")


def read_lexicon(path: str | Path) -> Lexicon:
    """Read such a file; raise InputError where it has anything invalid."""
    found = read_toml(path)
    for key, table in found.items():
        if key not in _TABLES:
            raise InputError(
                f"{path}: there is no {key!r} here", hint=f"there are {', '.join(_TABLES)}"
            )
        if not isinstance(table, dict):
            raise InputError(f"{path}: {key} should be a table of texts")
        _check(path, key, table)
    return Lexicon(**found)


def _check(path: str | Path, key: str, table: Mapping[str, object]) -> None:
    seen: dict[str, str] = {}
    for name, words in table.items():
        if not isinstance(words, str) or not _PLAIN.fullmatch(words):
            raise InputError(
                f"{path}: {key}.{name} should be a few words, without full stops and quotes"
            )
        if words in seen:
            raise InputError(
                f"{path}: {key}.{name} and {key}.{seen[words]} have the same words",
                hint="give each its own words, so that a sentence can be read back",
            )
        seen[words] = name
