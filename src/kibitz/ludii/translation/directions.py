"""Resolve direction words into pairs, lines and jumps between sites."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kibitz.ludii.boards.topology import COMPASS, Topology
from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.problems import Unsupported

_BEND = math.tan(0.25)
_MOST_ROWS = 100_000
_TURNS = {
    "Forward": 0, "FR": 1, "Rightward": 2, "BR": 3,
    "Backward": 4, "BL": 5, "Leftward": 6, "FL": 7,
}  # fmt: skip
_SPANS = {"Forwards": 0, "Rightwards": 1, "Backwards": 2, "Leftwards": 3}
"""Quarter turns to the right; all directions less than a quarter turn away are meant."""


def is_relative(word: Ludeme) -> bool:
    """Return whether a direction depends on where somebody looks."""
    return word.name in _TURNS or word.name in _SPANS


def direction_words(ludeme: Ludeme) -> list[Ludeme]:
    """Return the words in `All`, `{N E}` or `(directions {…})`; what `of:` says is in them."""
    if ludeme.shape == "word":
        return [ludeme]
    if ludeme.shape == "list" or (ludeme.shape == "call" and ludeme.name == "directions"):
        words = [word for item in ludeme.unlabelled() for word in direction_words(item)]
        of = ludeme.get("of")  # the directions among which relative ones are looked for
        return [replace(word, items=(of,)) if of else word for word in words]
    raise Unsupported(ludeme)


class Directions:
    """The directions of a board, looked at by a player who faces one of them."""

    def __init__(self, board: Topology) -> None:
        self.board = board
        self.supported = self._among("Adjacent")

    def _among(self, relation: str) -> list[str]:
        """Return the directions in which there are neighbours of a kind, clockwise from north."""
        related = self.board.relations[relation]
        used = {
            name
            for name, steps in self.board.steps.items()
            if name in COMPASS
            and any(other in related[site] for site, ends in enumerate(steps) for other in ends)
        }
        return sorted(used, key=lambda name: (COMPASS.index(name) - 4) % -16)

    def names(self, word: Ludeme, facing: str) -> list[str]:
        """Return the relations and directions of the board that a word means."""
        name = word.name
        if name in self.board.relations or name in COMPASS or name in ("CW", "CCW", "In", "Out"):
            return [name]
        if name == "Rotational":
            return ["In", "Out", "CW", "CCW"]
        if name in _TURNS:
            return [self._turned(word, facing, _TURNS[name])]
        if name in _SPANS:
            middle = (COMPASS.index(facing) - 4 * _SPANS[name]) % 16
            return [
                one for one in self._of(word) if abs((COMPASS.index(one) - middle + 8) % 16 - 8) < 4
            ]
        raise Unsupported(word)

    def _turned(self, word: Ludeme, facing: str, eighths: int) -> str:
        """Turn by eighths of a circle on boards with eight directions, else by directions."""
        supported = self._of(word)
        count = len(supported)
        if facing not in supported:
            raise Unsupported(word, f"{facing} is no direction of this board")
        here = supported.index(facing)
        if count == 8:
            return supported[(here + eighths) % 8]
        if set(supported) <= {"N", "E", "S", "W"} and eighths % 2 == 0:
            wanted = COMPASS[(COMPASS.index(facing) - 2 * eighths) % 16]
            if wanted in supported:
                return wanted
        if count == 4 and eighths in (1, 7):
            return supported[(here + (1 if eighths == 1 else -1)) % 4]
        if eighths in (1, 7):  # the next direction to the right or left
            near = supported[(here + (1 if eighths == 1 else -1)) % count]
            if abs((COMPASS.index(near) - COMPASS.index(facing) + 8) % 16 - 8) < 4:
                return near
        if count == 6 and eighths in (0, 1, -1, 7, 3, 4, 5):
            sixths = {0: 0, 1: 1, -1: -1, 7: -1, 3: 2, 4: 3, 5: -2}[eighths]
            return supported[(here + sixths) % 6]
        raise Unsupported(word, "relative directions on this board")

    def _of(self, word: Ludeme) -> list[str]:
        relation = word.items[0].name if word.items else "Adjacent"
        if relation not in self.board.relations:
            raise Unsupported(word)
        return self._among(relation)

    def steps(self, name: str) -> tuple[tuple[int, ...], ...]:
        """Return where a step in a direction leads from each site."""
        none = tuple(() for _ in range(len(self.board)))
        return self.board.relations.get(name) or self.board.steps.get(name, none)

    def pairs(self, names: Iterable[str]) -> set[tuple[int, int]]:
        """Return the steps in some directions, as pairs of sites."""
        return {
            (site, other)
            for name in names
            for site, ends in enumerate(self.steps(name))
            for other in ends
        }

    def onward(self, name: str, a: int, b: int) -> int | None:
        """Return where a line goes on that came from one site to another."""
        ends = self.steps(name)[b]
        if name in ("CW", "CCW", "In", "Out") and ends:
            return ends[0]
        if name == "In":  # through the centre, and straight on
            ends = self.steps("Out")[b]
        bends = [(self.board.bend(a, b, c), c) for c in ends]
        bend, site = min(bends, default=(math.inf, -1))
        return site if bend < _BEND and site != a else None

    def lines(self, names: Iterable[str]) -> list[tuple[str, int, int]]:
        """Return the steps in some directions, each with the name of the line it lies on."""
        found: list[tuple[str, int, int]] = []
        for name in names:
            line_of: dict[tuple[int, int], int] = {}
            for start in sorted(self.pairs([name])):
                path, pair = [], start
                while pair not in line_of and pair not in path:
                    path.append(pair)
                    after = self.onward(name, *pair)
                    if after is None:
                        break
                    pair = (pair[1], after)
                number = line_of.get(pair, len(line_of))
                line_of |= dict.fromkeys(path, number)
            tag = name.lower()
            found += [(f"{tag}{number}", a, b) for (a, b), number in line_of.items()]
        return found

    def radial(self, name: str, a: int, b: int) -> Iterator[int]:
        """Walk a line from a site through the next."""
        seen = {a}
        before, here = a, b
        while here not in seen:
            yield here
            seen.add(here)
            after = self.onward(name, before, here)
            if after is None:
                return
            before, here = here, after

    def ahead(self, facing: str, a: int, b: int) -> bool:
        """Return whether a site lies farther in a direction than another."""
        (xa, ya), (xb, yb) = self.board.points[a], self.board.points[b]
        angle = COMPASS.index(facing) * math.pi / 8
        return (xb - xa) * math.cos(angle) + (yb - ya) * math.sin(angle) > 0.01

    def jumps(self, names: Iterable[str]) -> set[tuple[int, int, int]]:
        """Return the sites from which, over which and to which a piece jumps."""
        return {
            (a, b, c)
            for name in names
            for a, b in self.pairs([name])
            if (c := self.onward(name, a, b)) is not None
        }

    def windows(
        self, names: Iterable[str], length: int
    ) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return the rows of a length on lines, in order, each with the sites beyond its ends."""
        found: dict[frozenset[int], tuple[tuple[int, ...], tuple[int, ...]]] = {}
        for name in names:
            pairs = self.pairs([name])
            before: dict[tuple[int, int], list[int]] = {}
            for c, d in pairs:
                if (after := self.onward(name, c, d)) is not None:
                    before.setdefault((d, after), []).append(c)
            for a, b in sorted(pairs):
                line = [a, *self.radial(name, a, b)]
                if len(line) >= length:
                    ends = (*before.get((a, b), ()), *line[length : length + 1])
                    row = tuple(line[:length])
                    found.setdefault(frozenset(row), (row, ends))
        return set(found.values())

    def spread(
        self, names: Iterable[str], length: int
    ) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return the sites that lie on one line, not all of them next to one another."""
        lines: set[tuple[int, ...]] = set()
        for name in names:
            for a, b in self.pairs([name]):
                lines.add((a, *self.radial(name, a, b)))
        if sum(math.comb(len(line), length) for line in lines) > _MOST_ROWS:
            raise OverflowError("too many rows")
        rows = {
            tuple(sorted(row)) for line in lines for row in itertools.combinations(line, length)
        }
        return {(row, ()) for row in rows}

    def trails(self, walk: list[str]) -> set[tuple[int, ...]]:
        """Return all sites on a walk such as F R F, in order, from each site in each direction."""
        found: set[tuple[int, ...]] = set()
        directions = self._compass()
        for site in range(len(self.board)):
            for start in range(len(directions)):
                trail, heading = [site], start
                for step in walk:
                    if step == "F":
                        ends = self.steps(directions[heading])[trail[-1]]
                        if not ends:
                            break
                        trail.append(ends[0])
                    else:
                        heading = (heading + (1 if step == "R" else -1)) % len(directions)
                if len(trail) == 1 + walk.count("F") == len(set(trail)):
                    found.add(tuple(trail))
        return found

    def _compass(self) -> list[str]:
        """Return the orthogonal directions, clockwise."""
        joined = self.pairs(["Orthogonal"])
        return [name for name in self.supported if self.pairs([name]) & joined]

    def walks(
        self, walks: Iterable[Iterable[str]], facing: str | None = None
    ) -> set[tuple[int, int]]:
        """Return where walks such as F F R F lead, from each site, in each direction or in one."""
        directions = self._compass()
        starts = [n for n, name in enumerate(directions) if facing in (None, name)]
        found: set[tuple[int, int]] = set()
        for site in range(len(self.board)):
            for walk in walks:
                for start in starts:
                    here: int | None = site
                    heading = start
                    for step in walk:
                        if step == "F":
                            ends = self.steps(directions[heading])[here] if here is not None else ()
                            here = ends[0] if ends else None
                        elif step in ("R", "L"):
                            heading = (heading + (1 if step == "R" else -1)) % len(directions)
                    if here is not None and here != site:
                        found.add((site, here))
        return found
