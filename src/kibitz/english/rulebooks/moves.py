"""Positions in, sentences about the moves of each player out, from what moves change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import kibitz.rulebook as m
from kibitz.english.rulebooks.positions import Cell, Contents, Position, View
from kibitz.errors import KibitzError
from kibitz.rulebook import Geometry

__all__ = ["Actors", "MoveSentences", "are_known", "propose_moves"]

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
_KNIGHT = ("like a knight", "forward like a knight")


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
class MoveSentences:
    """Sentences about moves, and about what players have in hand."""

    rules: tuple[m.Sentence, ...]
    hand: int = 0


@dataclass(frozen=True)
class _Change:
    cells: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True)
class _Seen:
    position: Position
    changes: tuple[_Change, ...]


def propose_moves(
    positions: list[Position], view: View, geometry: Geometry | None, actors: Actors
) -> Iterator[MoveSentences]:
    """Yield sentences that fit the moves of all positions, the simplest first."""
    own = _by_player(positions, view, geometry, actors)
    if any(not each.is_possible for each in own.values()):
        return
    if any("pass" in each.kinds for each in own.values()) and all(
        each.passes_only_if_stuck for each in own.values()
    ):
        for each in own.values():
            each.kinds.pop("pass", None)
        for found in _proposed(own, geometry, actors):
            yield MoveSentences((*found.rules, m.PassIfStuck()), found.hand)
        return
    yield from _proposed(own, geometry, actors)


def _proposed(
    own: dict[int, _Moves], geometry: Geometry | None, actors: Actors
) -> Iterator[MoveSentences]:
    if any("outflank" in each.kinds for each in own.values()):
        yield from _outflanking(own)
        return
    promotions = _promotions(own)
    if promotions is None:
        return
    shared = _shared(own, geometry)
    if shared:
        for found in _with_hand(shared, own, m.YOU):
            yield MoveSentences((*found.rules, *promotions), found.hand)
    rules: list[m.Sentence] = [*promotions]
    for player, each in own.items():
        moves = each.moves({player: each}, geometry)
        if not moves:
            return
        rules += [m.MoveRule(actors.players[player], None, (move,)) for move in moves]
    yield MoveSentences(tuple(rules))


def _promotions(own: dict[int, _Moves]) -> list[m.Promotion] | None:
    """Return what becomes of pieces that reach their last row; None for other changes of kind."""
    found: dict[tuple[str, str], None] = {}
    for each in own.values():
        far = each.view.rows if each.player == 0 else 1
        for _, change in each.kinds.get("travel", []):
            (start,) = (c for c in change.cells if not c[2])
            (end,) = (c for c in change.cells if c is not start)
            if start[1] != end[2]:
                if each.view.kind != "grid" or int(each.view.cells[end[0]][1]) != far:
                    return None
                found[each._name(start[1]), each._name(end[2])] = None
    return [m.Promotion(old, m.FarRow(), new) for old, new in found]


def _outflanking(own: dict[int, _Moves]) -> Iterator[MoveSentences]:
    """Yield sentences by which a placed piece turns others over, and must, unless some did not."""
    kinds = {kind for each in own.values() for kind in each.kinds}
    place = m.MoveRule(m.YOU, None, (m.Put("piece", m.Empty()),))
    if kinds == {"outflank"}:
        yield MoveSentences((place, m.TurnOver(), m.MustTurnOver()))
    elif kinds == {"outflank", "put"}:
        yield MoveSentences((place, m.TurnOver()))


def are_known(
    positions: list[Position], view: View, geometry: Geometry | None, actors: Actors
) -> bool:
    """Return whether every change that moves make has a name."""
    return all(each.is_possible for each in _by_player(positions, view, geometry, actors).values())


def _by_player(
    positions: list[Position], view: View, geometry: Geometry | None, actors: Actors
) -> dict[int, _Moves]:
    seen: dict[int, list[_Seen]] = {player: [] for player in range(len(actors.players))}
    for position in positions:
        if position.goals is None:
            changes = tuple(_change(position.contents, after) for _, after in position.moves)
            seen[position.mover].append(_Seen(position, changes))
    return {p: _Moves(p, found, view, geometry, actors) for p, found in seen.items()}


def _shared(own: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
    """Return moves that are the same for all players, as each of them sees the board."""
    first = own[0].moves(own, geometry)
    return first if all(each.moves(own, geometry) == first for each in own.values()) else []


def _with_hand(moves: list[m.Move], own: dict[int, _Moves], player: str) -> Iterator[MoveSentences]:
    put = [move for move in moves if isinstance(move, m.Put | m.Drop)]
    if put and len(put) < len(moves) and all(each.has_phases for each in own.values()):
        hand = max(each.most for each in own.values())
        none = m.NoneInHand()
        yield MoveSentences(
            (
                *(m.MoveRule(player, None, (move,)) for move in put),
                *(m.MoveRule(player, none, (x,)) for x in moves if x not in put),
            ),
            hand,
        )
    yield MoveSentences(tuple(m.MoveRule(player, None, (move,)) for move in moves))


def _change(before: Contents, after: Contents) -> _Change:
    pairs = enumerate(zip(before, after, strict=True))
    return _Change(tuple((n, old, new) for n, (old, new) in pairs if old != new))


class _Moves:
    """What the moves of one player are, each kind of change by itself."""

    def __init__(
        self,
        player: int,
        seen: list[_Seen],
        view: View,
        geometry: Geometry | None,
        actors: Actors,
    ) -> None:
        self.player, self.seen, self.view, self.actors = player, seen, view, actors
        self.geometry = geometry
        self.kinds: dict[str, list[tuple[_Seen, _Change]]] = {}
        for one in seen:
            for change in one.changes:
                self.kinds.setdefault(self._kind(change), []).append((one, change))
        self.is_possible = "?" not in self.kinds

    def _kind(self, change: _Change) -> str:
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
        if len(cells) == 3 and len(emptied) == 2 and len(filled) == 1:
            return "jump" if filled[0][2] in (emptied[0][1], emptied[1][1]) else "?"
        if len(cells) == 2 and cells[0][1] == cells[1][2] and cells[0][2] == cells[1][1]:
            return "swap"
        if len(filled) == 1 and not emptied and {c[2] for c in cells} == {filled[0][2]}:
            return "outflank"
        if len(emptied) == len(cells) > 0:
            return "bite"
        if len(filled) + len(emptied) == len(cells) > 0:
            return "switch"
        return "pass" if not cells else "?"

    @property
    def passes_only_if_stuck(self) -> bool:
        """Whether a move that changes nothing is always the only one."""
        return all(len(one.changes) == 1 for one, _ in self.kinds.get("pass", []))

    @property
    def most(self) -> int:
        """The largest number of own pieces on the board."""
        return max((self._count(one.position.contents) for one in self.seen), default=0)

    def _count(self, contents: Contents) -> int:
        return sum(self.actors.is_own(content, self.player) for content in contents)

    @property
    def has_phases(self) -> bool:
        """Whether pieces are first placed and then moved."""
        for one in self.seen:
            kinds = {self._kind(change) for change in one.changes}
            if ("put" in kinds) != (self._count(one.position.contents) < self.most):
                return False
        return True

    def moves(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        """Return the moves in words that mean the same to all these players; none if unknown."""
        kinds = {kind for each in everyone.values() for kind in each.kinds}
        if "switch" in kinds:
            kinds -= {"put", "remove", "domino", "pair", "bite", "travel", "jump", "swap"}
        elif "bite" in kinds:
            kinds -= {"remove", "pair"}
        found: list[m.Move] = []
        for kind in sorted(kinds):
            made = getattr(self, f"_{kind.replace(' ', '_')}")(everyone, geometry)
            if not made:
                return []
            found += made
        return found

    def _name(self, content: str) -> str:
        return self.actors.kind[content]

    def _whose(self, content: str) -> m.Whose:
        if self.actors.is_own(content, self.player):
            return m.Whose(m.YOU, "piece")
        if self.actors.is_other(content, self.player):
            return m.Whose(m.OPPONENT, "piece")
        return m.Whose(m.ANYONE, self._name(content))

    # One method for each kind of change.

    def _take(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        taken: set[int] = set()
        is_free = True
        for each in everyone.values():
            for _, change in each.kinds.get("take", []):
                ((_, old, new),) = change.cells
                taken.add(int(old or 0) - int(new or 0))
        for each in everyone.values():
            for one in each.seen:
                sizes = [int(c or 0) for c in one.position.contents]
                made = sum(len(change.cells) == 1 for change in one.changes)
                is_free &= made == sum(sizes)
        if is_free:
            return [m.Take(1, 0)]
        if taken == set(range(min(taken), max(taken) + 1)):
            return [m.Take(min(taken), max(taken))]
        return []

    def _take_each(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        return [m.TakeEach()]

    def _pass(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        return [m.Pass()]

    def _put(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        kinds = {
            self._name(change.cells[0][2])
            for each in everyone.values()
            for _, change in each.kinds.get("put", [])
        }
        return [
            move
            for kind in sorted(kinds)
            for move in [self._put_kind(everyone, geometry, kind)]
            if move is not None
        ]

    def _put_kind(
        self, everyone: dict[int, _Moves], geometry: Geometry | None, kind: str
    ) -> m.Move | None:
        cases: list[tuple[_Moves, Contents, set[int]]] = []
        for each in everyone.values():
            for one in each.seen:
                put = {
                    change.cells[0][0]
                    for change in one.changes
                    if each._kind(change) == "put" and each._name(change.cells[0][2]) == kind
                }
                if put:
                    cases.append((each, one.position.contents, put))
        free = [{n for n, c in enumerate(contents) if not c} for _, contents, _ in cases]
        if all(put == cells for (_, _, put), cells in zip(cases, free, strict=True)):
            return m.Put(kind, m.Empty())
        if geometry is None:
            return None
        if self.view.kind == "grid" and all(
            put == {n for n in cells if not self._is_above_free(n, cells)}
            for (_, _, put), cells in zip(cases, free, strict=True)
        ):
            return m.Drop(kind)
        for low in range(2, self.view.rows) if self.view.kind == "grid" else ():
            if all(
                put == {n for n in cells if self._free_below(n, cells) < low}
                for (_, _, put), cells in zip(cases, free, strict=True)
            ):
                return m.PutLow(kind, low)
        for owner in (m.YOU, m.OPPONENT, m.ANYONE):
            for is_near in (True, False):
                if all(
                    put == {n for n in cells if each._touches(n, contents, owner) == is_near}
                    for (each, contents, put), cells in zip(cases, free, strict=True)
                ):
                    near = m.Near(m.Whose(owner, "piece"), is_near)
                    return m.Put(kind, m.Empty(near=near))
        return None

    def _is_above_free(self, cell: int, free: set[int]) -> bool:
        return self._free_below(cell, free) > 0

    def _free_below(self, cell: int, free: set[int]) -> int:
        """Return how many empty cells lie below a cell in its column."""
        letter, row = self.view.cells[cell]
        return sum(
            self.view.cells[n][0] == letter and int(self.view.cells[n][1]) < int(row) for n in free
        )

    def _touches(self, cell: int, contents: Contents, owner: str) -> bool:
        assert self.geometry is not None
        numbers = {name: n for n, name in enumerate(self.view.cells)}
        for way in self.geometry.heads(("straight",), 0, m.Simultaneous()):
            there = self.geometry.steps[way].get(self.view.cells[cell])
            content = contents[numbers[there]] if there else ""
            if not content:
                continue
            is_own = self.actors.is_own(content, self.player)
            if owner == m.ANYONE or is_own == (owner == m.YOU):
                return True
        return False

    def _remove(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        pieces = {
            each._whose(change.cells[0][1])
            for each in everyone.values()
            for _, change in each.kinds.get("remove", [])
        }
        if pieces == {m.Whose(m.YOU, "piece")}:
            region = self._exit(everyone)
            if region is not None:
                return [m.Leave("piece", region)]
        return [m.Remove(piece) for piece in sorted(pieces, key=str)]

    def _exit(self, everyone: dict[int, _Moves]) -> m.Region | None:
        """Return the row or column from which alone pieces leave the board."""
        if self.geometry is None or self.view.kind != "grid":
            return None
        gone: dict[int, set[Cell]] = {player: set() for player in everyone}
        stayed: dict[int, set[Cell]] = {player: set() for player in everyone}
        for player, each in everyone.items():
            for one in each.seen:
                left = {c.cells[0][0] for c in one.changes if each._kind(c) == "remove"}
                for number, content in enumerate(one.position.contents):
                    if self.actors.is_own(content, player):
                        (gone if number in left else stayed)[player].add(self.view.cells[number])
        regions: list[m.Region] = [m.FarRow()] if len(self.actors.players) < 3 else []
        regions += [m.Rows((n,)) for n in sorted({int(c[1]) for c in self.view.cells})]
        regions += [m.Columns((name,)) for name in sorted({c[0] for c in self.view.cells})]
        for region in regions:
            cells = {p: set(self.geometry.region(region, p, m.Simultaneous())) for p in everyone}
            if all(gone[p] <= cells[p] and not stayed[p] & cells[p] for p in everyone):
                return region
        return None

    def _pair(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        names = {
            each._name(change.cells[0][1])
            for each in everyone.values()
            for _, change in each.kinds.get("pair", [])
        }
        return [m.RemovePair(name) for name in sorted(names)]

    def _bite(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        names = {
            each._name(change.cells[0][1])
            for each in everyone.values()
            for _, change in each.kinds.get("bite", [])
        }
        return [m.Bite(name) for name in sorted(names)]

    def _switch(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        found = [change for _, change in self.kinds.get("switch", [])]
        names = {self._name(old or new) for change in found for _, old, new in change.cells}
        if len(names) != 1:
            return []
        return [m.Switch(next(iter(names)), True)]

    def _domino(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        ways = set()
        for each in everyone.values():
            for _, change in each.kinds.get("domino", []):
                (a, *_), (b, *_) = change.cells
                ways.add(_offset(self.view.cells[a], self.view.cells[b]))
        flat, upright = {(1, 0), (-1, 0)}, {(0, 1), (0, -1)}
        if self.view.kind == "grid" and ways <= flat:
            return [m.Domino("flat")]
        if self.view.kind == "grid" and ways <= upright:
            return [m.Domino("upright")]
        return [m.Domino("any")]

    def _swap(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        others = set()
        for each in everyone.values():
            for _, change in each.kinds.get("swap", []):
                held = [old for _, old, _ in change.cells]
                rest = [c for c in held if not self.actors.is_own(c, each.player)]
                others.add(each._whose(rest[0]) if rest else m.Whose(m.YOU, "piece"))
        return [m.Swap("piece", other) for other in sorted(others, key=str)]

    def _jump(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        found: dict[tuple[str, m.Whose], dict[int, set[str]]] = {}
        for player, each in everyone.items():
            for _, change in each.kinds.get("jump", []):
                (end,) = (c for c in change.cells if not c[1])
                emptied = [c for c in change.cells if not c[2]]
                for start, middle in (emptied, emptied[::-1]):
                    way = self._way(start[0], middle[0])
                    if way and start[1] == end[2] and self._way(middle[0], end[0]) == way:
                        key = each._name(start[1]), each._whose(middle[1])
                        found.setdefault(key, {}).setdefault(player, set()).add(way)
                        break
                else:
                    return []
        moves: list[m.Move] = []
        for (kind, over), ways in sorted(found.items(), key=str):
            words = self._words(ways, everyone)
            if not words:
                return []
            moves.append(m.Jump(kind, words, over, True))
        return moves

    def _way(self, start: int, end: int) -> str:
        """Return the direction of a step between neighbours; nothing if they are none."""
        if self.geometry is None:
            return ""
        a, b = self.view.cells[start], self.view.cells[end]
        for way in self.geometry.directions:
            if self.geometry.steps[way].get(a) == b:
                return way
        return ""

    def _travel(self, everyone: dict[int, _Moves], geometry: Geometry | None) -> list[m.Move]:
        made: dict[str, dict[int, list[_Change]]] = {}
        for player, each in everyone.items():
            for _, change in each.kinds.get("travel", []):
                (start,) = (c for c in change.cells if not c[2])
                made.setdefault(each._name(start[1]), {}).setdefault(player, []).append(change)
        found: list[m.Move] = []
        for kind in sorted(made):
            moves = self._travel_of(made[kind], everyone)
            if not moves:
                return []
            found += moves
        return found

    def _travel_of(
        self, made: dict[int, list[_Change]], everyone: dict[int, _Moves]
    ) -> list[m.Move]:
        """Return the moves of one kind of piece."""
        steps: dict[tuple[str, str], dict[int, set[str]]] = {}
        double = self._double_steps(made)
        doubled = {id(change) for changes in double.values() for change, _, _ in changes}
        slides = False
        knights = False
        for player, changes in made.items():
            for change in changes:
                if id(change) in doubled:
                    continue
                (start,) = (c for c in change.cells if not c[2])
                (end,) = (c for c in change.cells if c is not start)
                if end[1] and not self.actors.is_other(end[1], player):
                    return []
                way = self._way(start[0], end[0])
                if not way:
                    dx, dy = _offset(self.view.cells[start[0]], self.view.cells[end[0]])
                    if {abs(dx), abs(dy)} == {1, 2}:
                        knights, way = True, "forward" if (dy > 0) == (player == 0) else "back"
                    elif dx == 0 or dy == 0 or abs(dx) == abs(dy):
                        slides, way = True, self._straight_way(dx, dy)
                    else:
                        return []
                target = "capture" if end[1] else "empty"
                key = self._name(start[1]), target
                steps.setdefault(key, {}).setdefault(player, set()).add(way)
        if knights:
            heads = {way for each in steps.values() for found in each.values() for way in found}
            like = (_KNIGHT[1],) if heads == {"forward"} else (_KNIGHT[0],)
            kinds = sorted({kind for kind, _ in steps})
            target = "either" if any(t == "capture" for _, t in steps) else "empty"
            return [m.Step(kind, like, target) for kind in kinds]
        moves: list[m.Move] = []
        make = m.Slide if slides else m.Step
        for kind in sorted({kind for kind, _ in steps}):
            quiet, takes = steps.get((kind, "empty"), {}), steps.get((kind, "capture"), {})
            groups = {
                "either": {p: quiet.get(p, set()) & takes.get(p, set()) for p in everyone},
                "empty": {p: quiet.get(p, set()) - takes.get(p, set()) for p in everyone},
                "capture": {p: takes.get(p, set()) - quiet.get(p, set()) for p in everyone},
            }
            for target, ways in groups.items():
                if not any(ways.values()):
                    continue
                words = self._words(ways, everyone)
                if not words:
                    return []
                moves.append(make(kind, words, target))
        return moves + self._doubles(double, everyone) if double else moves

    def _double_steps(
        self, made: dict[int, list[_Change]]
    ) -> dict[int, list[tuple[_Change, str, Cell]]]:
        """Return moves of two steps, if none goes farther: directions and where they start."""
        found: dict[int, list[tuple[_Change, str, Cell]]] = {}
        for player, changes in made.items():
            for change in changes:
                (start,) = (c for c in change.cells if not c[2])
                (end,) = (c for c in change.cells if c is not start)
                a, b = self.view.cells[start[0]], self.view.cells[end[0]]
                dx, dy = _offset(a, b)
                if max(abs(dx), abs(dy)) > 2:
                    return {}
                if (abs(dx), abs(dy)) in ((0, 2), (2, 0), (2, 2)):
                    if end[1]:
                        return {}
                    found.setdefault(player, []).append((change, self._straight_way(dx, dy), a))
        return found

    def _doubles(
        self, double: dict[int, list[tuple[_Change, str, Cell]]], everyone: dict[int, _Moves]
    ) -> list[m.Move]:
        assert self.geometry is not None
        ways = {p: {way for _, way, _ in found} for p, found in double.items()}
        words = self._words({p: ways.get(p, set()) for p in everyone}, everyone)
        if not words or self.view.kind != "grid":
            return []
        rows = {p: {int(cell[1]) for _, _, cell in found} for p, found in double.items()}
        every = sorted({row for found in rows.values() for row in found})
        kinds = {
            self._name(old) for f in double.values() for c, *_ in f for _, old, _ in c.cells if old
        }
        return [m.DoubleStep(kind, words, m.Rows(tuple(every))) for kind in sorted(kinds)]

    def _straight_way(self, dx: int, dy: int) -> str:
        up = {1: "north", -1: "south", 0: ""}[(dy > 0) - (dy < 0)]
        side = {1: "east", -1: "west", 0: ""}[(dx > 0) - (dx < 0)]
        return up + side

    def _words(self, ways: dict[int, set[str]], everyone: dict[int, _Moves]) -> tuple[str, ...]:
        """Return the fewest words that mean these directions to each of the players."""
        assert self.geometry is not None
        usable: dict[str, dict[int, set[str]]] = {}
        for word in (*_WORDS, "along a line", "clockwise", "anticlockwise"):
            try:
                usable[word] = {
                    p: set(self.geometry.heads((word,), p, m.Simultaneous())) for p in everyone
                }
            except KibitzError:  # a word without a meaning on this board
                continue
        for count in (1, 2, 3):
            for words in combinations(usable, count):
                if all(
                    set().union(*(usable[word][p] for word in words)) == ways.get(p, set())
                    for p in everyone
                ):
                    return words
        return ()


def _offset(a: Cell, b: Cell) -> tuple[int, int]:
    if len(a) == 1:
        return int(b[0]) - int(a[0]), 0
    return ord(b[0]) - ord(a[0]), int(b[1]) - int(a[1])


def _are_counts(a: str, b: str) -> bool:
    return (a or "0").isdecimal() and (b or "0").isdecimal()
