"""Ludemes whose value does not depend on the position in; their sites, numbers or truth out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from kibitz.ludii.tokens import Ludeme
from kibitz.ludii.translation.directions import Directions, direction_words, is_relative
from kibitz.ludii.translation.equipment import Equipment, player_number
from kibitz.ludii.translation.problems import NotStatic, Unsupported


@dataclass(frozen=True)
class Statics:
    """Evaluates what is known before play, for a player, at known sites."""

    equipment: Equipment
    directions: Directions
    mover: int | None = None
    sites: dict[str, int] = field(default_factory=dict)

    def for_player(self, mover: int | None) -> Statics:
        """Return the same for another player."""
        return replace(self, mover=mover)

    def facing(self) -> str:
        """Return the direction that the mover faces, or that the mover's pieces have."""
        if self.mover is None:
            raise NotStatic
        looks = {piece.facing for piece in self.equipment.owned(self.mover)} - {None}
        if self.mover not in self.equipment.facing and len(looks) > 1:
            raise NotStatic  # it depends on the piece
        return self.equipment.facing.get(self.mover) or next(iter(looks), None) or "N"

    def _names(self, word: Ludeme) -> list[str]:
        facing = self.facing() if self.mover and is_relative(word) else "N"
        return self.directions.names(word, facing)

    def player(self, ludeme: Ludeme) -> int:
        """Return the number of a player."""
        number = player_number(ludeme)
        if number is not None:
            return number
        if ludeme.shape == "word" and ludeme.name == "Mover" and self.mover:
            return self.mover
        if ludeme.shape == "word" and ludeme.name == "Next" and self.mover:
            return self.mover % self.equipment.players + 1
        if ludeme.shape == "call" and ludeme.name == "mover" and self.mover:
            return self.mover
        if ludeme.shape == "call" and ludeme.name == "player" and ludeme.items:
            return self.integer(ludeme.items[0])
        raise NotStatic

    def integer(self, ludeme: Ludeme) -> int:
        """Evaluate a number."""
        if ludeme.shape == "word":
            if ludeme.name.lstrip("-").isdigit():
                return int(ludeme.name)
            return self.player(ludeme)
        if ludeme.shape != "call":
            raise NotStatic
        board = self.equipment.board
        if ludeme.name in _ARITHMETIC:
            items = ludeme.items
            if len(items) == 1 and items[0].shape == "list":
                items = items[0].items
            values = [self.integer(item) for item in items]
            try:
                return _ARITHMETIC[ludeme.name](values)
            except (ZeroDivisionError, IndexError, OverflowError):
                raise NotStatic from None
        if ludeme.name in ("row", "column", "phase"):
            of = ludeme.get("of")
            if of is None:
                raise NotStatic
            site = self.site(of)
            return {"row": board.rows, "column": board.columns, "phase": board.phases}[ludeme.name][
                site
            ]
        if ludeme.kind == "count Rows":
            return max(board.rows) + 1
        if ludeme.kind == "count Columns":
            return max(board.columns) + 1
        if (
            ludeme.kind == "count Sites"
            and len(ludeme.items) == 2
            and ludeme.items[1].name == "Board"
        ):
            return len(board)
        if ludeme.kind == "count Sites" and (where := ludeme.get("in")):
            return len(self.region(where))
        if ludeme.kind == "count Steps" and len(ludeme.items) in (3, 4):
            return self._distance(ludeme)
        if ludeme.kind == "count Players":
            return self.equipment.players
        if ludeme.name == "mapEntry":
            return self._map_entry(ludeme)
        if ludeme.name in ("mover", "player"):
            return self.player(ludeme)
        if ludeme.name == "id" and ludeme.items:
            return self._identity(ludeme)
        return self.site(ludeme)

    def _identity(self, ludeme: Ludeme) -> int:
        """Return the number of a kind of piece, or of a player."""
        first = ludeme.items[0]
        if first.shape == "word":
            return self.player(first)
        owner = self.player(ludeme.items[1]) if len(ludeme.items) > 1 else None
        kinds = [piece.full_name for piece in self.equipment.kinds]
        found = self.equipment.named(first.name, owner)
        if not found:
            raise NotStatic
        return kinds.index(found[0].full_name) + 1

    def _distance(self, ludeme: Ludeme) -> int:
        """Count the steps from a site to the nearest of a region."""
        start, goal = self.site(ludeme.items[-2]), self.region(ludeme.items[-1])
        names = self._words(tuple(ludeme.items[1:-2])) or ["Adjacent"]
        pairs = self.directions.pairs(names)
        reached, steps = {start}, 0
        while not reached & goal:
            further = reached | {b for a, b in pairs if a in reached}
            if further == reached:
                raise NotStatic
            reached, steps = further, steps + 1
        return steps

    def _map_entry(self, ludeme: Ludeme) -> int:
        name = next((item.name for item in ludeme.items if item.shape == "text"), None)
        keys = [item for item in ludeme.items if item.shape != "text"]
        following = Ludeme("word", "Next")
        key = self.integer(following if keys[0].name == "next" else keys[0])
        for one in self.equipment.maps:
            title = next((item.name for item in one.items if item.shape == "text"), None)
            if name is not None and title != name:
                continue
            pairs = [
                p for item in one.items for p in (item.items if item.shape == "list" else [item])
            ]
            for pair in pairs:
                if pair.name == "pair" and self.integer(pair.items[0]) == key:
                    value = pair.items[1]
                    if value.shape == "text":
                        return self._labelled(value.name)
                    if value.name in ("FirstSite", "LastSite"):
                        return 0 if value.name == "FirstSite" else len(self.equipment.board) - 1
                    return self.integer(value)
        raise NotStatic

    def boolean(self, ludeme: Ludeme) -> bool:
        """Evaluate a condition."""
        if ludeme.shape == "word" and ludeme.name in ("True", "False"):
            return ludeme.name == "True"
        items = ludeme.items
        if len(items) == 1 and items[0].shape == "list":
            items = items[0].items
        match ludeme.kind:
            case "and":
                return all(self.boolean(item) for item in items)
            case "or":
                return any(self.boolean(item) for item in items)
            case "not":
                return not self.boolean(items[0])
            case "is Even":
                return self.integer(items[1]) % 2 == 0
            case "is Odd":
                return self.integer(items[1]) % 2 == 1
            case "is In":
                return self.site(items[1]) in self.region(items[2])
            case "is Mover":
                return self.mover is not None and self.player(items[1]) == self.mover
            case "=" | "!=" | "<" | "<=" | ">" | ">=":
                a, b = (self.integer(item) for item in items)
                table = {
                    "=": a == b,
                    "!=": a != b,
                    "<": a < b,
                    "<=": a <= b,
                    ">": a > b,
                    ">=": a >= b,
                }
                return table[ludeme.name]
        raise NotStatic

    def _labelled(self, label: str) -> int:
        labels = self.equipment.board.labels
        if label not in labels:
            raise NotStatic
        return labels.index(label)

    def site(self, ludeme: Ludeme) -> int:
        """Evaluate one site."""
        board = self.equipment.board
        if ludeme.shape == "text":
            return self._labelled(ludeme.name)
        if ludeme.shape == "word" and ludeme.name.isdigit() and int(ludeme.name) < len(board):
            return int(ludeme.name)
        if ludeme.shape != "call":
            raise NotStatic
        match ludeme.name:
            case "from" | "to" | "between" | "site" if not ludeme.items:
                if ludeme.name in self.sites:
                    return self.sites[ludeme.name]
            case "centrePoint":
                return board.regions["Centre"][0]
            case "coord":
                if ludeme.items and ludeme.items[0].shape == "text":
                    return self._labelled(ludeme.items[0].name)
                row, column = ludeme.get("row"), ludeme.get("column")
                if row and column:
                    wanted = (self.integer(row), self.integer(column))
                    places = list(zip(board.rows, board.columns, strict=True))
                    if wanted in places:
                        return places.index(wanted)
            case "mapEntry":
                return self._map_entry(ludeme)
            case "ahead":
                return self._ahead(ludeme)
            case "+" | "-" | "*" | "/" | "%":
                number = self.integer(ludeme)
                if 0 <= number < len(board):
                    return number
        raise NotStatic

    def _ahead(self, ludeme: Ludeme) -> int:
        start = self.site(ludeme.items[0])
        steps = self.integer(item) if (item := ludeme.get("steps")) else 1
        words = [item for item in ludeme.unlabelled()[1:] if item.shape == "word"]
        if len(words) != 1:
            raise NotStatic
        names = self._names(words[0])
        if len(names) != 1:
            raise NotStatic
        ends = self.directions.steps(names[0])[start]
        if not ends:
            return start
        line = [start, *self.directions.radial(names[0], start, ends[0])]
        if steps >= len(line):
            return start
        return line[steps]

    def region(self, ludeme: Ludeme) -> frozenset[int]:
        """Evaluate a set of sites."""
        board = self.equipment.board
        if ludeme.shape == "list":
            return frozenset(site for item in ludeme.items for site in self._one(item))
        if ludeme.shape != "call":
            return self._one(ludeme)
        items = ludeme.items
        match ludeme.name:
            case "sites" if items:
                return self._sites(ludeme)
            case "union":
                return frozenset().union(*self._regions(items))
            case "intersection":
                parts = self._regions(items)
                return parts[0].intersection(*parts[1:])
            case "difference":
                return self.region(items[0]) - self.region(items[1])
            case "expand":
                return self._expand(ludeme)
            case "forEach" if items and (condition := ludeme.get("if")):
                return frozenset(
                    site
                    for site in self.region(items[0])
                    if replace(self, sites={**self.sites, "site": site}).boolean(condition)
                )
            case "centrePoint":
                return frozenset(board.regions["Centre"])
        return self._one(ludeme)

    def _one(self, ludeme: Ludeme) -> frozenset[int]:
        try:
            return frozenset([self.site(ludeme)])
        except NotStatic:
            if ludeme.shape == "call" and ludeme.name in ("sites", "union", "expand", "difference"):
                return self.region(ludeme)
            raise

    def _regions(self, items: tuple[Ludeme, ...]) -> list[frozenset[int]]:
        if len(items) == 1 and items[0].shape == "list":
            items = items[0].items
        return [self.region(item) for item in items]

    def _sites(self, ludeme: Ludeme) -> frozenset[int]:
        board, first = self.equipment.board, ludeme.items[0]
        if first.shape == "list":
            return self.region(first)
        if first.shape == "text":
            owners = [self.player(item) for item in ludeme.items[1:] if item.shape == "word"]
            return self._owned_region(first.name, owners[0] if owners else None)
        title = next((item.name for item in ludeme.items[1:] if item.shape == "text"), None)
        if first.shape == "call":
            return self._owned_region(title, self.player(first))
        if first.shape != "word":
            raise NotStatic
        rest = ludeme.items[1:]
        match first.name:
            case "Row" | "Column" | "Phase":
                number = self.integer(rest[0])
                table = {"Row": board.rows, "Column": board.columns, "Phase": board.phases}[
                    first.name
                ]
                return frozenset(site for site, value in enumerate(table) if value == number)
            case "Side":
                if not rest:
                    return frozenset(site for sites in board.sides.values() for site in sites)
                if rest[0].name in board.sides:
                    return frozenset(board.sides[rest[0].name])
                return frozenset()
            case "Track":
                name = rest[0].name if rest and rest[0].shape == "text" else ""
                return frozenset(
                    site
                    for title, _, sites, _ in self.equipment.tracks
                    if title.startswith(name)
                    for site in sites
                )
            case "Around":
                return self._around(ludeme)
            case "Direction":
                return self._in_direction(ludeme)
            case name if name in board.regions:
                return frozenset(board.regions[name])
            case "Major" | "Minor" | "Empty" | "Occupied" | "Hand" | "LineOfSight" | "Group":
                raise NotStatic
        return self._owned_region(title, self.player(first))

    def _owned_region(self, name: str | None, owner: int | None) -> frozenset[int]:
        found: set[int] = set()
        known = False
        for title, player, ludeme in self.equipment.regions:
            if (name is None or title == name) and owner in (None, player):
                known = True
                found |= self.for_player(player or self.mover).region(ludeme)
        if not known and owner is not None:  # of other players alone
            known = any(name in (None, title) for title, _, _ in self.equipment.regions)
        if not known:
            raise NotStatic
        return frozenset(found)

    def owned_parts(self, owner: int) -> list[frozenset[int]]:
        """Return the regions of a player one by one, as they are listed."""
        return [
            self.for_player(owner).region(part)
            for _, player, ludeme in self.equipment.regions
            if player == owner
            for part in (ludeme.items if ludeme.shape == "list" else [ludeme])
        ]

    def _words(self, items: tuple[Ludeme, ...]) -> list[str]:
        try:
            return [
                name
                for item in items
                if item.shape in ("word", "list") or item.name == "directions"
                for word in direction_words(item)
                for name in self._names(word)
            ]
        except Unsupported:  # a word that is no direction, such as Own
            raise NotStatic from None

    def _around(self, ludeme: Ludeme) -> frozenset[int]:
        rest = ludeme.unlabelled()[1:]
        starts = self.region(rest[0])
        if ludeme.get("distance") or ludeme.get("if"):
            raise NotStatic
        names = self._words(tuple(rest[1:])) or ["Adjacent"]
        pairs = self.directions.pairs(names)
        include = (item := ludeme.get("includeSelf")) is not None and item.name == "True"
        around = {b for a, b in pairs if a in starts}
        return frozenset(
            around | starts if include else around - (starts if len(starts) == 1 else set())
        )

    def _in_direction(self, ludeme: Ludeme) -> frozenset[int]:
        start = ludeme.get("from") or next(iter(ludeme.calls("from")), None)
        if start is None or ludeme.get("stop") or ludeme.get("stopIncluded"):
            raise NotStatic
        distance = self.integer(item) if (item := ludeme.get("distance")) else 1000
        starts = self.region(start)
        names = self._words(tuple(ludeme.unlabelled()[1:])) or ["Adjacent"]
        include = (item := ludeme.get("included")) is not None and item.name == "True"
        found = set(starts) if include else set()
        for name in names:
            for a, b in self.directions.pairs([name]):
                if a in starts:
                    found |= set(list(self.directions.radial(name, a, b))[:distance])
        return frozenset(found)

    def _expand(self, ludeme: Ludeme) -> frozenset[int]:
        steps = self.integer(item) if (item := ludeme.get("steps")) else 1
        rest = list(ludeme.unlabelled())
        if origin := ludeme.get("origin"):
            sites = set(self.region(origin))
        else:
            sites = set(self.region(rest.pop(0)))
        names = self._words(tuple(rest)) or ["Adjacent"]
        pairs = self.directions.pairs(names)
        for _ in range(min(steps, len(self.equipment.board))):
            sites |= {b for a, b in pairs if a in sites}
        return frozenset(sites)


_ARITHMETIC: dict[str, Callable[[list[int]], int]] = {
    "+": sum,
    "-": lambda v: v[0] - sum(v[1:]) if len(v) > 1 else -v[0],
    "*": lambda v: _product(v),
    "/": lambda v: v[0] // v[1],
    "%": lambda v: v[0] % v[1],
    "max": max,
    "min": min,
    "abs": lambda v: abs(v[0]),
    "^": lambda v: _power(v),
    "pow": lambda v: _power(v),
}


def _power(values: list[int]) -> int:
    base, exponent = values
    if not 0 <= exponent <= 8 or abs(base) > 100:
        raise OverflowError
    return int(base**exponent)


def _product(values: list[int]) -> int:
    result = 1
    for value in values:
        result *= value
        if abs(result) > 10**9:
            raise OverflowError
    return result
