"""Names of pits in, two rows of them and the stores beside these out, as for mancala."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from kibitz.board.layout.axes import natural
from kibitz.board.layout.static_facts import Link

__all__ = ["PitRows", "pit_rows"]


@dataclass(frozen=True, slots=True)
class PitRows:
    """The row near the reader and the one beyond it, each from the left, and the two stores."""

    near: tuple[str, ...]
    far: tuple[str, ...]
    left: str | None = None
    right: str | None = None


def pit_rows(
    pits: Collection[str], stores: Collection[str], owners: Mapping[str, str], links: Iterable[Link]
) -> PitRows | None:
    """Put pits into two rows, if two players own as many of them, or the rules pair all of them.

    Pits face those that the rules pair them with, or else follow one another around the board.

    >>> owners = dict.fromkeys("abc", "south") | dict.fromkeys("def", "north")
    >>> pit_rows("abcdef", "xy", owners, [])
    PitRows(near=('a', 'b', 'c'), far=('f', 'e', 'd'), left='y', right='x')
    >>> opposite = frozenset({("a", "d"), ("b", "c")})
    >>> pit_rows("abcd", "", {}, [opposite])
    PitRows(near=('a', 'b'), far=('d', 'c'), left=None, right=None)
    """
    if len(stores) > 2 or len(pits) < 4:
        return None
    facing = next((found for link in links if (found := _facing(pits, link))), {})
    ordered = sorted(pits, key=natural)
    mine = owners.get(ordered[0])
    near = [pit for pit in ordered if owners.get(pit) == mine]
    if mine is None:
        near = [pit for pit in ordered if pit in facing and natural(pit) < natural(facing[pit])]
    if 2 * len(near) != len(pits) or len({owners.get(pit) for pit in pits}) > 2:
        return None
    far = [facing[pit] for pit in near if pit in facing]
    if set(far) != set(pits) - set(near):
        far = [pit for pit in reversed(ordered) if pit not in near]
    # One sows towards one's own store, which is at the right as one sits before one's row.
    right, left = [*sorted(stores, key=lambda s: (owners.get(s) != mine, natural(s))), None, None][
        :2
    ]
    return PitRows(tuple(near), tuple(far), left, right)


def _facing(pits: Collection[str], link: Link) -> dict[str, str]:
    """Return the other pit of each, if a relation pairs all of them."""
    pairs = [row for row in link if len(row) == 2]
    ends = [end for pair in pairs for end in pair]
    if len(pairs) != len(link) or sorted(ends) != sorted(pits):
        return {}
    return {one: other for a, b in pairs for one, other in ((a, b), (b, a))}
