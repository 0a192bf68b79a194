"""Look up the rules of a game by name: the library of games, and families with parameters.

>>> from kibitz.games import load_sheet
>>> len(load_sheet("connect:4,5x5,RC").rules) > 20
True

Each game has its fixed rules in ``rules/*.kif``; what depends on parameters, such as the size of
a board, is added as facts. `docs/games.md` lists all games.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from kibitz.games.families import FAMILIES
from kibitz.games.languages import gdl_from
from kibitz.games.names import library_name, read_name
from kibitz.games.relatives import larger_games
from kibitz.gdl import RuleSheet, read

__all__ = [
    "Entry", "catalogue", "gdl_from", "larger_games", "library_name", "load_sheet", "rule_text",
    "title_of",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the catalogue: a name, its parameters as written after a colon, and words."""

    name: str
    parameters: str
    summary: str
    examples: tuple[str, ...]
    title: str
    also: tuple[str, ...] = ()


def catalogue() -> tuple[Entry, ...]:
    """List the games; the simplest example of each is its bare name.

    >>> [entry.parameters for entry in catalogue() if entry.name == "mnk"]
    ['ROWS,COLS,K[,LINES]']
    """
    return tuple(
        Entry(
            name,
            family.parameters,
            family.summary,
            (name, *family.examples),
            family.title or name.capitalize(),
            family.also,
        )
        for name, family in FAMILIES.items()
    )


def title_of(name: str) -> str:
    """Return what people call a game of the library; any other name stays as it is.

    >>> title_of("tictactoe"), title_of("nim:1,2"), title_of("my game")
    ('Tic-tac-toe', 'Nim 1,2', 'my game')
    """
    head, _, values = name.partition(":")
    titles = {entry.name: entry.title for entry in catalogue()}
    return f"{titles[head]} {values}".rstrip() if head in titles else name


def load_sheet(name: str) -> RuleSheet:
    """Read the rules of a game; raise GameNameError if no game has that name.

    >>> load_sheet("nim:1,3,5,7,misere").name
    'nim:1,3,5,7,misere'
    """
    name = library_name(name)
    return read(rule_text(name), name=name)


def rule_text(name: str) -> str:
    """Write the rules of a game in KIF; raise GameNameError if no game has that name.

    >>> print(rule_text("hanoi:2").splitlines()[0])
    ; hanoi:2: Move a tower to the third peg, disk by disk, never a larger one onto a smaller.
    """
    head, family, values = read_name(name)
    folder = files(__name__) / "rules"
    sheets = [(folder / f"{sheet}.kif").read_text("utf-8") for sheet in family.sheets or (head,)]
    rules = "\n".join([*sheets, family.facts(**values)])
    return f"; {name}: {family.summary}\n;\n{rules.rstrip()}\n"
