"""Keep the proofs of a game's positions that took longest, in a file that comes with Kibitz.

A book holds rows of a table of positions, so that a search which meets one of them is done there.
It belongs to one text of rules, and is ignored with any other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz import __version__
from kibitz.attached import Attached
from kibitz.engine import CompiledGame
from kibitz.prove.table import PositionTable, rules_digest, unpack

FOLDER = Path(__file__).parent.parent / "games" / "proofs"
_MOST_BYTES = 10_000_000
_LEAST = 10
"""Positions that take a search fewer than two to this many steps are not worth a place."""

Rows = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Book:
    """Rows that are decided, the entries of the table for them, and how they were found."""

    rows: Rows
    entries: npt.NDArray[np.uint64]
    version: str
    positions: int
    """How many positions the search looked at that made it."""

    def __str__(self) -> str:
        return f"{self.positions:,} positions searched by Kibitz {self.version}"


_known: Attached[CompiledGame, Book | None] = Attached()


def book_of(game: CompiledGame) -> Book | None:
    """Return the book that came with Kibitz for these rules, if there is one.

    >>> from kibitz.games import load_sheet
    >>> book_of(CompiledGame(load_sheet("nim:1,2"))) is None
    True
    """
    if game not in _known:
        _known[game] = _read(game)
    return _known[game]


def _read(game: CompiledGame) -> Book | None:
    """Look for the book by the rules: the same game may have another name."""
    for path in sorted(FOLDER.glob("*.npz")):
        if path.stat().st_size > _MOST_BYTES:
            continue
        with np.load(path) as arrays:
            notes = json.loads(bytes(arrays["notes"]))
            if notes["rules"] == rules_digest(game):
                rows, entries = _turn_back(arrays["rows"]), _turn_back(arrays["entries"])[:, 0]
                return Book(rows, entries, notes["version"], notes["positions"])
    return None


def path_of(name: str) -> Path:
    """Return the file of a game's book."""
    return FOLDER / (name.replace(":", "_") + ".npz")


def write_book(game: CompiledGame, table: PositionTable, *, positions: int, most: int) -> Book:
    """Write what took most work of all that a table has proved, in at most so many bytes."""
    rows, entries = table.decided(_LEAST)
    work = unpack(entries)[3]
    notes = {"rules": rules_digest(game), "version": __version__, "positions": positions}
    text = np.frombuffer(json.dumps(notes).encode(), dtype=np.uint8)
    FOLDER.mkdir(exist_ok=True)
    path = path_of(game.sheet.name)
    for least in range(_LEAST, 64):
        kept = np.flatnonzero(work >= least)
        if 2 * len(kept) > most:
            continue  # no row takes as little
        kept = kept[np.lexsort(rows[kept].T[::-1])]
        np.savez_compressed(path, rows=_turn(rows[kept]), entries=_turn(entries[kept]), notes=text)
        if path.stat().st_size <= most:
            break
    return Book(rows[kept], entries[kept], __version__, positions)


def _turn(rows: Rows) -> npt.NDArray[np.uint8]:
    """Lay the bytes that say the same of all rows side by side, which compresses better."""
    return np.ascontiguousarray(rows.astype("<u8").reshape(len(rows), -1).view(np.uint8).T)


def _turn_back(columns: npt.NDArray[np.uint8]) -> Rows:
    return np.ascontiguousarray(columns.T).view("<u8").astype(np.uint64)
