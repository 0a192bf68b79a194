"""Speeds of other programs, as they were published or measured."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath

import msgspec

SHEETS = (
    *("ticTacToe", "conn4", "connectFour", "nim1", "nim2", "nim3", "nim4", "sum15", "pentago"),
    *("breakthrough", "knightThrough", "checkers_v1", "checkers", "sheepAndWolf"),
    *("hanoi", "chineseCheckers2", "eightPuzzle"),
)
"""Names of the rule sheets that are measured in a folder of rule sheets, where present."""


@dataclass(frozen=True, slots=True)
class Reference:
    """States per CPU-second of random playouts by other programs, and Sancho's set-up.

    `prover` and `network` are ggp-base's, one reasoning by rules and one evaluating all of a
    network; `hsfc` is a forward chainer in C++. `yardstick` names the code written by hand.
    """

    name: str
    sheets: tuple[str, ...]
    library: tuple[str, ...]
    prover: float
    network: float
    sancho: float
    hsfc: float
    sancho_setup_s: float | None = None
    yardstick: str | None = None


@dataclass(frozen=True, slots=True)
class _File:
    about: str
    games: tuple[Reference, ...]


@cache
def _references() -> tuple[Reference, ...]:
    data = Path(__file__).with_name("references.json").read_bytes()
    return msgspec.json.decode(data, type=_File).games


def reference_of(game: str) -> Reference | None:
    """Return what is known about a game, by its name in the library or the path of its sheet.

    >>> [reference_of(g).name for g in ("tictactoe", "sheets/conn4.kif") if reference_of(g)]
    ['ticTacToe', 'connectFour']
    """
    path = PurePath(game)
    for reference in _references():
        if path.suffix and path.stem in reference.sheets:
            return reference
        if not path.suffix and game in reference.library:
            return reference
    return None
