"""Sentences about piles and rows of counters in, sentences of the table out."""

from __future__ import annotations

from kibitz.rulebook import model as m
from kibitz.rulebook.grammar import NotSaid
from kibitz.rulebook.model import YOU
from kibitz.rulebook.prose.tables import table

Said = tuple[m.Sentence, ...]


def _piles(sizes: tuple[int, ...]) -> Said:
    return (m.Piles(tuple(sizes)),)


def _equal_piles(count: int, size: int) -> Said:
    return (m.Piles((size,) * count),)


def _counted_piles(count: int, sizes: tuple[int, ...]) -> Said:
    if count != len(sizes):
        raise NotSaid
    return _piles(sizes)


def _pile(size: int) -> Said:
    return _piles((size,))


def _two_piles(one: int, other: int) -> Said:
    return _piles((one, other))


def _named_piles(names: tuple[str, ...], count: int, sizes: tuple[int, ...]) -> Said:
    return (m.Players(tuple(names)), *_counted_piles(count, sizes))


def _counters_in_row(size: int, noun: str) -> Said:
    return (m.Row(size), m.Start(YOU, noun, m.Every()))


PILES = (
    *table(
        "there",
        None,
        """
        there is
        {_:game} [is] play|played with
        [the] {_:count} players play with
        start|begin with
        """,
    ),
    *table(
        "says",
        _two_piles,
        """
        there are {_:count} piles of {_:kinds} one of|with {one:size} and one of|with {other:size}
        """,
    ),
    *table(
        "says",
        _counted_piles,
        """
        {_:there} {count:count} piles of|with|contain {sizes:size+} {_:kinds}
        {_:there} {count:count} piles of|with|contain {_:kinds} with {sizes:size+} {_:kinds}
        {_:there} {count:count} piles of {_:kinds} [of] {sizes:size+}
        {count:count} piles of|with|contain {sizes:size+} {_:kinds}
        arrange|lay|put|place {_:kinds} in {count:count} rows|piles of {sizes:size+}
        {_:there} {count:count} rows of {sizes:size+} {_:kinds}
        """,
    ),
    *table(
        "says",
        _named_piles,
        "{_:two} {names:player+} play with {count:count} piles of {sizes:size+} {_:kinds}",
    ),
    *table(
        "says",
        _equal_piles,
        """
        {_:there} {count:count} piles of|with|contain {size:size} {_:kinds} [each]
        """,
    ),
    *table(
        "says",
        _pile,
        """
        [{_:there}] a|one pile of|with {size:size} {_:kinds}
        one pile {size:size} {_:kinds} [two] [players]
        there is {size:size} {_:kinds} [on] [the] [table]
        put|lay|place {size:size} {_:kinds} on the table
        put|lay|place {size:size} {_:kinds} in a|one pile
        [the] [game] start|begin with [a|one] [pile] [of] {size:size} {_:kinds}
        {_:two} start with [a|one] [pile] [of] {size:size} {_:kinds}
        you have {size:size} {_:kinds}
        """,
    ),
    *table(
        "says",
        _counters_in_row,
        """
        put|lay|place {size:size} {noun:kinds} [side-by-side] in a row|line
        {size:size} {noun:kinds} stand|lie|is [arranged|placed|lined] [up] in a row|line
        there are {size:size} {noun:kinds} [side-by-side] in a row|line
        there is a row|line of {size:size} {noun:kinds}
        """,
    ),
)
