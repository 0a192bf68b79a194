"""Positions in, what the moves of each player change out, each kind of change by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import kibitz.rulebook as m
from kibitz.english.rulebooks.positions import Cell, Contents, Position, View
from kibitz.errors import KibitzError
from kibitz.rulebook import Geometry

_WORDS = (
    "in any direction",
    "straight",
    "diagonally",
    "forward",
    "backward",
    "sideways",
    "diagonally forward",
    "diagonally backward",
    "up",
    "down",
    "left",
    "right",
)


@dataclass(frozen=True)
class Actors:
    """Who plays, whose each content is, and what it is called."""

    players: tuple[str, ...]
    owner: dict[str, int]
    kind: dict[str, str]

    @property
    def is_plain(self) -> bool:
        """Whether each player has at most one kind of piece."""
        return len(set(self.owner.values())) == len(self.owner)

    def is_own(self, content: str, player: int) -> bool:
        """Return whether a content is a piece of a player."""
        return self.owner.get(content) == player

    def is_other(self, content: str, player: int) -> bool:
        """Return whether a content is a piece of another player."""
        return content in self.owner and self.owner[content] != player


@dataclass(frozen=True)
class Change:
    """The cells that a move changed: number, what was there and what is."""

    cells: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True)
class Seen:
    """A position, and what each of its moves changes."""

    position: Position
    changes: tuple[Change, ...]


def moves_by_player(
    positions: list[Position], view: View, geometry: Geometry | None, actors: Actors
) -> Everyone:
    """Return what moves change, for each player."""
    seen: dict[int, list[Seen]] = {player: [] for player in range(len(actors.players))}
    for position in positions:
        if position.goals is None:
            changes = tuple(_change(position.contents, after) for _, after in position.moves)
            seen[position.mover].append(Seen(position, changes))
    return {p: PlayerMoves(p, found, view, geometry, actors) for p, found in seen.items()}


def _change(before: Contents, after: Contents) -> Change:
    pairs = enumerate(zip(before, after, strict=True))
    return Change(tuple((n, old, new) for n, (old, new) in pairs if old != new))


class PlayerMoves:
    """What the moves of one player are, each kind of change by itself."""

    def __init__(
        self,
        player: int,
        seen: list[Seen],
        view: View,
        geometry: Geometry | None,
        actors: Actors,
    ) -> None:
        self.player, self.seen, self.view, self.actors = player, seen, view, actors
        self.geometry = geometry
        self.kinds: dict[str, list[tuple[Seen, Change]]] = {}
        for one in seen:
            for change in one.changes:
                self.kinds.setdefault(self.kind(change), []).append((one, change))
        self.is_possible = "?" not in self.kinds

    def kind(self, change: Change) -> str:
        """Name a change: what happened to the cells."""
        cells = change.cells
        if self.view.kind == "piles":
            less = [int(a or 0) - int(b or 0) if _are_counts(a, b) else 0 for _, a, b in cells]
            if not cells or min(less) < 1:
                return "?"
            if len(cells) == 1:
                return "take"
            everywhere = len(cells) == len(self.view.cells) and len(set(less)) == 1
            return "take each" if everywhere else "?"
        filled = [c for c in cells if not c[1]]
        emptied = [c for c in cells if not c[2]]
        if len(cells) == 1:
            return "put" if filled else "remove" if emptied else "?"
        if len(cells) == 2 and len(filled) == 2 and filled[0][2] == filled[1][2]:
            return "domino"
        if len(cells) == 2 and len(emptied) == 2 and emptied[0][1] == emptied[1][1]:
            return "pair"
        if len(cells) == 2 and len(emptied) == 1:
            (start,) = emptied
            (end,) = (c for c in cells if c is not start)
            is_promoted = self.actors.is_own(start[1], self.player) and self.actors.is_own(
                end[2], self.player
            )
            return "travel" if start[1] == end[2] or is_promoted else "?"
        if len(cells) == 2 and len(filled) == 1 and not emptied:
            (left,) = (c for c in cells if c is not filled[0])
            if filled[0][2] == left[1]:
                return "trail"
        if len(cells) == 3 and len(emptied) == 2 and len(filled) == 1:
            is_jump = filled[0][2] in (emptied[0][1], emptied[1][1]) or self._captures(cells)
            return "jump" if is_jump else "?"
        if len(cells) > 3 and self._captures(cells):
            return "jumps"
        if len(cells) == 2 and cells[0][1] == cells[1][2] and cells[0][2] == cells[1][1]:
            return "swap"
        if len(filled) == 1 and not emptied and {c[2] for c in cells} == {filled[0][2]}:
            return "outflank"
        if len(emptied) == len(cells) > 0:
            return "bite"
        if len(filled) + len(emptied) == len(cells) > 0:
            return "switch"
        return "pass" if not cells else "?"

    def _captures(self, cells: tuple[tuple[int, str, str], ...]) -> bool:
        """Return whether an own piece goes to an empty cell, and all else that goes is not own."""
        own = [c for c in cells if self.actors.is_own(c[1], self.player)]
        filled = [c for c in cells if not c[1]]
        gone = [c for c in cells if not c[2] and c not in own]
        return (
            len(own) == len(filled) == 1
            and not own[0][2]
            and self.actors.is_own(filled[0][2], self.player)
            and len(gone) == len(cells) - 2
            and all(self.actors.is_other(c[1], self.player) for c in gone)
        )

    def cells_of(self, change: Change) -> list[tuple[str, tuple[int, ...]]]:
        """Return what a move places or moves, and the cells that it leaves and reaches."""
        filled = [c for c in change.cells if not c[1]]
        kind = self.kind(change)
        if kind == "put":
            return [(filled[0][2], (filled[0][0],))]
        if kind not in ("travel", "jump", "trail"):
            return []
        end = filled[0] if filled else next(c for c in change.cells if c[2])
        starts = [
            c
            for c in change.cells
            if c is not end and (c[1] == end[2] or self.actors.is_own(c[1], self.player))
        ]
        return [(starts[0][1], (starts[0][0], end[0]))] if len(starts) == 1 else []

    def without_trail(self) -> set[str]:
        """Take what moving pieces leave behind out of their moves; return what that was."""
        left: set[str] = set()
        for one, change in self.kinds.pop("trail", []):
            end = next(c for c in change.cells if not c[1])
            left |= {c[2] for c in change.cells if c is not end}
            bare = Change(tuple(c if c is end else (c[0], c[1], "") for c in change.cells))
            self.kinds.setdefault("travel", []).append((one, bare))
        return left

    @property
    def passes_only_if_stuck(self) -> bool:
        """Whether a move that changes nothing is always the only one."""
        return all(len(one.changes) == 1 for one, _ in self.kinds.get("pass", []))

    @property
    def most(self) -> int:
        """The largest number of own pieces on the board."""
        return max((self.count(one.position.contents) for one in self.seen), default=0)

    def count(self, contents: Contents) -> int:
        """Return how many own pieces there are."""
        return sum(self.actors.is_own(content, self.player) for content in contents)

    @property
    def has_phases(self) -> bool:
        """Whether pieces are first placed and then moved."""
        for one in self.seen:
            kinds = {self.kind(change) for change in one.changes}
            if ("put" in kinds) != (self.count(one.position.contents) < self.most):
                return False
        return True

    def name(self, content: str) -> str:
        """Return what a content is called."""
        return self.actors.kind[content]

    def whose(self, content: str) -> m.Whose:
        """Return a content as seen by the player: yours, your opponent's or nobody's."""
        if self.actors.is_own(content, self.player):
            return m.Whose(m.YOU, "piece")
        if self.actors.is_other(content, self.player):
            return m.Whose(m.OPPONENT, "piece")
        return m.Whose(m.ANYONE, self.name(content))

    def way(self, start: int, end: int) -> str:
        """Return the direction of a step between neighbours; nothing if they are none."""
        if self.geometry is None:
            return ""
        a, b = self.view.cells[start], self.view.cells[end]
        for way in self.geometry.directions:
            if self.geometry.steps[way].get(a) == b:
                return way
        return ""

    def words(self, ways: dict[int, set[str]], everyone: Everyone) -> tuple[str, ...]:
        """Return the fewest words that mean these directions to each of the players."""
        for words, meant in self._meanings(everyone, 3):
            if all(meant[p] == ways.get(p, set()) for p in everyone):
                return words
        return ()

    def wider_words(self, ways: dict[int, set[str]], everyone: Everyone) -> tuple[str, ...]:
        """Return words that mean these directions and the fewest others, which were not seen."""
        wider = [
            (sum(map(len, meant.values())), words)
            for words, meant in self._meanings(everyone, 2)
            if all(meant[p] >= ways.get(p, set()) for p in everyone)
        ]
        return min(wider)[1] if wider else ()

    def _meanings(
        self, everyone: Everyone, most: int
    ) -> Iterator[tuple[tuple[str, ...], dict[int, set[str]]]]:
        """Yield some words for directions, at most so many, and what they mean to players."""
        assert self.geometry is not None
        usable: dict[str, dict[int, set[str]]] = {}
        for word in (*_WORDS, "along a line", "clockwise", "anticlockwise"):
            try:
                usable[word] = {
                    p: set(self.geometry.heads((word,), p, m.Simultaneous())) for p in everyone
                }
            except KibitzError:  # a word without a meaning on this board
                continue
        for count in range(1, most + 1):
            for words in combinations(usable, count):
                yield words, {p: set().union(*(usable[w][p] for w in words)) for p in everyone}


Everyone = dict[int, PlayerMoves]


def offset(a: Cell, b: Cell) -> tuple[int, int]:
    """Return how many columns and rows one cell lies from another."""
    if len(a) == 1:
        return int(b[0]) - int(a[0]), 0
    return ord(b[0]) - ord(a[0]), int(b[1]) - int(a[1])


def straight_way(dx: int, dy: int) -> str:
    """Return the direction in which something lies so many columns and rows away."""
    up = {1: "north", -1: "south", 0: ""}[(dy > 0) - (dy < 0)]
    side = {1: "east", -1: "west", 0: ""}[(dx > 0) - (dx < 0)]
    return up + side


def _are_counts(a: str, b: str) -> bool:
    return (a or "0").isdecimal() and (b or "0").isdecimal()
