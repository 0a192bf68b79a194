"""A bounded table of positions with their proof and disproof numbers, kept in a file if asked."""

from __future__ import annotations

import contextlib
import hashlib
import mmap
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.core import Struct, constant, function
from kibitz.engine import CompiledGame
from kibitz.errors import InputError
from kibitz.gdl import to_kif
from kibitz.space import read_arrays, write_arrays

Words = npt.NDArray[np.uint64]

_KIND = "positions of a search 2"
_LEAST = 1 << 12
_LOCKS = 1 << 14
_FIRST = 1 << 18
_PART = 1 << 22


def pack(pn: int, dn: int, aim: int, work: int) -> int:
    """Return the entry of a place: two numbers, what is asked, and the work as a power of two."""
    dn, aim = dn << constant("DN_SHIFT"), aim << constant("AIM_SHIFT")
    return pn | dn | aim | work << constant("WORK_SHIFT")


def unpack(entries: Words) -> tuple[Words, Words, Words, Words]:
    """Return the proof and disproof numbers of entries, what is asked, and the work as a power."""
    shifts = (np.uint64(constant(f"{name}_SHIFT")) for name in ("DN", "AIM", "WORK"))
    dn, aim, work = (entries >> shift for shift in shifts)
    most = np.uint64(constant("INFINITE"))
    return entries & most, dn & most, aim & np.uint64(127), work


class PositionTable:
    """Places for positions, four to a bucket; what took least work is overwritten first.

    A place holds the whole position, so that no two are ever taken for one another. A table begins
    small, since the system takes longer to provide memory than a short search takes.

    >>> table = PositionTable(words=2, memory=100_000_000)
    >>> table.places, table.most_places
    (262144, 2097152)
    >>> table.make_room(1_000_000)
    >>> table.places
    1048576
    """

    def __init__(self, words: int, memory: int) -> None:
        places = _LEAST
        while 2 * places * 8 * (words + 1) <= memory:
            places *= 2
        if places * 8 * (words + 1) > memory:
            raise InputError(
                f"a table of positions needs at least {places * 8 * (words + 1) / 1e6:.1f} MB, "
                f"and {memory / 1e6:.1f} MB are allowed",
                hint="allow more with --memory",
            )
        self.most_places = places
        self.words = words
        self._begin(min(places, _FIRST))

    def _begin(self, places: int) -> None:
        self.entries = _zeros(places, self.words + 1)
        self.native = Struct(
            "positions", entries=self.entries, mask=places - constant("BUCKET"),
            locks=np.zeros(_LOCKS, dtype=np.uint64), lock_mask=_LOCKS - 1,
        )  # fmt: skip

    @property
    def places(self) -> int:
        """How many positions it can hold now."""
        return len(self.entries)

    def make_room(self, positions: int) -> None:
        """Let the table hold as many positions, or as many as it may. No thread may use it."""
        places = self.places
        while places < min(positions, self.most_places):
            places *= 2
        if places > self.places:
            before = self.entries
            self._begin(places)
            self._fill(before)

    def _fill(self, places: Words) -> None:
        function("positions_fill", self.words)(self.native, places, len(places))

    def numbers(self, row: Words, aim: int) -> tuple[int, int]:
        """Return the proof and disproof number of a row, (0, 0) if they are not known."""
        found = np.zeros(2, dtype=np.int64)
        function("positions_probe", self.words)(self.native, row, aim, found)
        return int(found[0]), int(found[1])

    def _used(self) -> Words:
        """Return the entries that hold a position."""
        used: Words = self.entries[self.entries[:, 0] != 0]
        return used

    def decided(self, least: int) -> tuple[Words, Words]:
        """Return the rows that are proved or disproved after so much work, and their entries."""
        parts = []
        for start in range(0, len(self.entries), _PART):
            part = self.entries[start : start + _PART]
            pn, dn, _, work = unpack(part[:, 0])
            parts.append(part[((pn == 0) != (dn == 0)) & (work >= least)])
        found = np.concatenate(parts)
        return found[:, 1:], found[:, 0]

    def take(self, rows: Words, entries: Words) -> None:
        """Enter rows with what another table had of them."""
        self.make_room(2 * len(rows))
        self._fill(np.column_stack([entries, rows]))

    def save(self, game: CompiledGame, path: str | Path) -> None:
        """Write what the table holds to a file, whole or not at all."""
        used = self._used()
        arrays = {"keys": used[:, 1:].copy(), "data": used[:, 0].copy()}
        notes = {"kind": _KIND, "game": game.sheet.name, "rules": rules_digest(game)}
        write_arrays(path, arrays, notes)

    def load(self, game: CompiledGame, path: str | Path) -> None:
        """Take up what a file holds; raise InputError if it is damaged or of another game."""
        arrays, notes = read_file(path, hint="name another file for --store, or remove this one")
        if notes.get("kind") != _KIND or set(arrays) != {"keys", "data"}:
            raise InputError(f"{path} holds no positions of a search", hint="name another file")
        if notes.get("rules") != rules_digest(game):
            raise InputError(
                f"{path} holds positions of {notes.get('game')}, not of these rules",
                hint="name another file",
            )
        keys, data = arrays["keys"], arrays["data"]
        if keys.shape != (len(data), self.entries.shape[1] - 1):
            raise InputError(f"{path} is damaged: its positions have another size")
        self.take(np.array(keys), np.array(data))


def read_file(path: str | Path, *, hint: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read arrays and notes; raise InputError with a hint that fits if they are damaged."""
    try:
        return read_arrays(path)
    except InputError as error:
        raise InputError(error.message, hint=hint) from None


def _zeros(places: int, words: int) -> Words:
    """Make memory in large pages where the system has them: places are looked up at random."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.zeros((places, words), dtype=np.uint64)
    memory = mmap.mmap(-1, places * words * 8, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with contextlib.suppress(OSError):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(memory, dtype=np.uint64).reshape(places, words)


def rules_digest(game: CompiledGame) -> str:
    """Name the rules and the order of the fluents, on which rows depend."""
    fluents = " ".join(map(str, game.network.fluents))
    return hashlib.sha256(f"{to_kif(game.sheet)}\0{fluents}".encode()).hexdigest()
