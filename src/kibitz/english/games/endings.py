"""Describe gates of ends and goals as patterns on the board.

*One of these pieces is on this cell* is one item, so there are few lines of men of several kinds.

The result is exactly what the gate says, or nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kibitz.board import CellRef
from kibitz.engine import CompiledGame, Hidden, Network, Role
from kibitz.english.games.patterns import plural_of
from kibitz.english.scene import Scene, scene_of
from kibitz.wording import join_words

_MOST = 2000
_MOST_WORK = 40_000

Held = tuple[CellRef, frozenset[str]]
"""One of these pieces is on this cell."""
Item = Held | int
"""That, or a literal of the network."""
Terms = frozenset[frozenset[Item]]


class GateExpansion:
    """Expands gates; returns None where there would be too many terms."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.network = scene, scene.game.network
        self.known: dict[int, Terms | None] = {}
        self.work = 0
        self.exact = {place[0] for place in map(self._group_of, self.network.hidden) if place}
        """Cells that always hold exactly one of their pieces."""

    def _group_of(self, hidden: Hidden) -> tuple[CellRef, set[str]] | None:
        """Return the cell of a hidden fluent, if it means that no other piece is there."""
        fluents = [hidden.fluent, *(self.network.fluents[index] for index in hidden.unless)]
        places = [self.scene.on_board.get(fluent) for fluent in fluents]
        refs = {place[0] for place in places if place}
        pieces = {place[1].piece for place in places if place}
        if len(refs) != 1 or not all(places):
            return None
        (ref,) = refs
        every = {p for where, p in self.scene.pieces_at if where == ref}
        return (ref, pieces) if pieces == every else None

    def terms(self, literal: int) -> Terms | None:
        """Return a literal as a disjunction of conjunctions."""
        needed, stack, seen = [literal], [literal], {literal}
        while stack:
            top = stack.pop()
            node = (top >> 1) - self.network.first_gate
            for inner in self.network.gates[node] if node >= 0 else ():
                part = inner ^ (top & 1)
                if part not in seen:
                    seen.add(part)
                    needed.append(part)
                    stack.append(part)
        for part in sorted(needed, key=lambda x: x >> 1):
            self.known[part] = self._one(part)
        return self.known[literal]

    def _one(self, literal: int) -> Terms | None:
        if literal <= 1:
            return frozenset({frozenset()}) if literal else frozenset()
        node = (literal >> 1) - self.network.first_gate
        if node < 0:
            return self._leaf(literal)
        a, b = self.network.gates[node]
        left, right = self.known[a ^ (literal & 1)], self.known[b ^ (literal & 1)]
        if left is None or right is None:
            return None
        if literal & 1:
            return either(left, right)
        self.work += len(left) * len(right)
        if len(left) * len(right) > _MOST or self.work > _MOST_WORK:
            return None
        if any(self._share_a_cell(x, y) for x in left for y in right):
            return None
        joined = {both for x in left for y in right if (both := _both(x, y)) is not None}
        return _absorbed(joined)

    def _share_a_cell(self, left: frozenset[Item], right: frozenset[Item]) -> bool:
        """Return whether both put different pieces on a cell that may hold several at once."""
        cells = dict(item for item in left if isinstance(item, tuple))
        return any(
            isinstance(item, tuple)
            and item[0] in cells
            and item[0] not in self.scene.single_cells
            and not (item[1] <= cells[item[0]] or cells[item[0]] <= item[1])
            for item in right
        )

    def _leaf(self, literal: int) -> Terms | None:
        if literal >> 1 >= self.network.first_move:
            return None
        fluent = self.network.fluents[(literal >> 1) - 1]
        place = self.scene.on_board.get(fluent)
        if place is None:
            return frozenset({frozenset({literal})})
        ref, content = place
        if literal & 1 and ref in self.exact:
            every = frozenset(p for where, p in self.scene.pieces_at if where == ref)
            return frozenset({frozenset({(ref, every - {content.piece})})})
        item: Item = literal if literal & 1 else (ref, frozenset({content.piece}))
        return frozenset({frozenset({item})})


def either(left: Terms, right: Terms) -> Terms | None:
    """Join two disjunctions, with pieces on the same cell as one item."""
    both = left | right
    single: dict[CellRef, frozenset[str]] = {}
    rest = set()
    for term in both:
        item = next(iter(term)) if len(term) == 1 else None
        if isinstance(item, tuple):
            single[item[0]] = single.get(item[0], frozenset()) | item[1]
        else:
            rest.add(term)
    rest |= {frozenset({held}) for held in single.items()}
    return _absorbed(rest)


def _both(left: frozenset[Item], right: frozenset[Item]) -> frozenset[Item] | None:
    """Join two conjunctions; None where no cell can hold both."""
    cells: dict[CellRef, frozenset[str]] = {}
    signs: set[int] = set()
    for item in (*left, *right):
        if isinstance(item, int):
            signs.add(item)
        elif item[0] in cells:
            cells[item[0]] &= item[1]
        else:
            cells[item[0]] = item[1]
    if any(not pieces for pieces in cells.values()) or any(sign ^ 1 in signs for sign in signs):
        return None
    return frozenset({*signs, *cells.items()})


def _absorbed(terms: Iterable[frozenset[Item]]) -> Terms | None:
    ordered = sorted(set(terms), key=len)
    if len(ordered) > _MOST:
        return None
    if len(ordered) > 200:
        return frozenset(ordered)
    kept: list[frozenset[Item]] = []
    for term in ordered:
        if not any(other <= term for other in kept):
            kept.append(term)
    return frozenset(kept)


Cells = frozenset[CellRef]


@dataclass
class Endings:
    """What a gate says: any of these makes it true, and nothing else does."""

    patterns: dict[Role | tuple[str], set[Cells]] = field(default_factory=dict)
    """Cells that are all held by a role, or all by a piece, which is then a tuple of one."""
    full: set[int] = field(default_factory=set)
    """Boards on which no cell is empty."""
    gone: dict[Role, None] = field(default_factory=dict)
    """Roles that have no piece left."""
    stuck: list[Role] = field(default_factory=list)
    """Roles that have no move left; without a name, all of them."""
    facts: list[str] = field(default_factory=list)
    """What else holds, as text."""


def endings_of(game: CompiledGame, literal: int) -> Endings | None:
    """Return what makes a literal true; None where it cannot be described so."""
    scene = scene_of(game, game.roles[0])
    expansion = GateExpansion(scene)
    found = Endings()
    rest = []
    for part in sorted(_alternatives(game.network, [literal])):
        stuck = _stuck(game, part)
        if stuck is None:
            rest.append(part)
        else:
            found.stuck.append(stuck)
    terms: Terms = frozenset()
    for part in rest:
        more = expansion.terms(part)
        joined = None if more is None else either(terms, more)
        if joined is None:
            return None
        terms = joined
    # Sets have no order, and the text must be the same in every run.
    sorted_ = all(_sort(scene, term, found) for term in sorted(terms, key=_order))
    return found if sorted_ and (terms or found.stuck) else None


def _order(term: frozenset[Item]) -> list[tuple[int, int, list[str]]]:
    """Return what conjunctions are sorted by: the places of their cells, and what is there."""
    return sorted(map(_item_order, term))


def _item_order(item: Item) -> tuple[int, int, list[str]]:
    if isinstance(item, int):
        return -1, item, []
    return item[0].board, item[0].cell, sorted(item[1])


def _alternatives(network: Network, literals: Iterable[int]) -> frozenset[int]:
    """Split nested disjunctions into parts that are not disjunctions."""
    found, stack = set(), list(literals)
    while stack:
        literal = stack.pop()
        node = (literal >> 1) - network.first_gate
        if node >= 0 and literal & 1:
            stack += [part ^ 1 for part in network.gates[node]]
        else:
            found.add(literal)
    return frozenset(found)


def _stuck(game: CompiledGame, literal: int) -> Role | None:
    """Return the role that has no move where a literal holds, or an empty name for all roles."""
    network = game.network
    none = _alternatives(network, [literal ^ 1])
    if len(none) < 2:
        return None
    every: set[int] = set()
    for role, moves, legal in zip(game.roles, network.moves, network.legal, strict=True):
        made = [x for move, x in zip(moves, legal, strict=True) if move.args or len(moves) == 1]
        mine = _alternatives(network, made) - {0}
        if mine == none and len(game.roles) > 1:
            return role
        every |= mine
    if every == none:
        return ""
    return _stuck_in_turn(game, literal)


def _stuck_in_turn(game: CompiledGame, literal: int) -> Role | None:
    """Return the role that is to move and has no move where a literal holds."""
    network = game.network
    asked = _conditions(network, literal)
    for role, moves, legal in zip(game.roles, network.moves, network.legal, strict=True):
        turn = turn_literal(game, role)
        if turn is None or turn not in asked:
            continue
        none = {
            _conditions(network, part) - {turn}
            for other in asked - {turn}
            for part in _alternatives(network, [other ^ 1])
        }
        made = {
            _conditions(network, part) - {turn}
            for move, x in zip(moves, legal, strict=True)
            for part in _alternatives(network, [x])
            if move.args
        }
        if none == made and made:
            return role
    return None


def _conditions(network: Network, literal: int) -> frozenset[int]:
    """Split nested conjunctions into parts that are not conjunctions."""
    return frozenset(part ^ 1 for part in _alternatives(network, [literal ^ 1]))


def turn_literal(game: CompiledGame, role: Role) -> int | None:
    """Return the literal for whose turn it is, where the network has such a fluent."""
    scene = scene_of(game, game.roles[0])
    number = {fluent: index for index, fluent in enumerate(game.network.fluents)}
    for fluent in scene.fluents:
        pattern = scene.layout.pattern(fluent)
        if pattern and pattern.shows == "turn" and len(fluent.args) == 1:
            if str(fluent.args[0]) == role and fluent in number:
                return 2 + 2 * number[fluent]
            if str(fluent.args[0]) != role and len(game.roles) == 2 and fluent in number:
                hidden = [h for h in game.network.hidden if h.unless == (number[fluent],)]
                if any(str(h.fluent.args[0]) == role for h in hidden if h.fluent.args):
                    return 3 + 2 * number[fluent]
    return None


def _sort(scene: Scene, term: frozenset[Item], found: Endings) -> bool:
    """Classify a conjunction; return whether that is possible."""
    network = scene.game.network
    term = frozenset(_not_blank(scene, item) for item in term)
    held = sorted((item for item in term if isinstance(item, tuple)), key=_item_order)
    signs = [item for item in term if isinstance(item, int)]
    if held and not signs and (gone := _gone(scene, term)):
        found.gone[gone] = None
        return True
    if held and not signs:
        if (board := _full_board(scene, held)) is not None:
            found.full.add(board)
            return True
        if line := _full_line(scene, held):
            found.facts.append(f"{line} is full")
            return True
        owners = {_owner(scene, ref, pieces) for ref, pieces in held}
        owner = owners.pop() if len(owners) == 1 else None
        text = "" if owner else _every(scene, held) or _few(scene, held)
        if text:
            found.facts.append(text)
            return True
        whose = owner or _piece(scene, held)
        if whose is not None:
            found.patterns.setdefault(whose, set()).add(frozenset(ref for ref, _ in held))
        return whose is not None
    if len(signs) == 1 and not held and not signs[0] & 1:
        yes, _ = scene.facts.get(network.fluents[(signs[0] >> 1) - 1], ("", ""))
        if yes and "(" not in yes:
            found.facts.append(neutral(scene, yes))
        return bool(yes) and "(" not in yes
    gone = _gone(scene, term)
    if gone:
        found.gone[gone] = None
    return bool(gone)


def _piece(scene: Scene, held: list[Held]) -> tuple[str] | None:
    """Return the piece without an owner that is on several cells."""
    kinds = {piece for _, pieces in held for piece in pieces}
    if len(kinds) != 1 or len(held) < 2 or kinds & set(scene.owners):
        return None
    return (kinds.pop(),)


def _every(scene: Scene, held: list[Held]) -> str:
    """Describe that every cell of a board holds the same."""
    boards, pieces = {ref.board for ref, _ in held}, {pieces for _, pieces in held}
    if len(boards) != 1 or len(pieces) != 1 or len(one := min(pieces)) != 1:
        return ""
    words = scene.boards[min(boards)]
    if {ref for ref, _ in held} != set(words.refs) or len(held) < 2:
        return ""
    noun = "line" if words.board.kind == "graph" else words.noun or "place"
    content = next(c for _, c in scene.on_board.values() if c.piece in one)
    return f"all {plural_of(noun)} {content.many}"


def _few(scene: Scene, held: list[Held]) -> str:
    """Describe what is on a few cells by their names."""
    if len(held) > 3 or any(len(pieces) != 1 for _, pieces in held):
        return ""
    phrases = []
    for ref, pieces in sorted(held, key=lambda each: each[0].cell):
        (piece,) = pieces
        content = next(c for c in scene.contents.values() if c.piece == piece)
        if piece in scene.owners:
            return ""
        phrases.append(f"{scene.boards[ref.board].named[(ref,)].text} {content.one}")
    return join_words(phrases)


def _not_blank(scene: Scene, item: Item) -> Item:
    """Describe a cell that is not empty by what is on it, where that is proved."""
    if isinstance(item, int) and item & 1:
        place = scene.on_board.get(scene.game.network.fluents[(item >> 1) - 1])
        if not place or place[0] not in scene.described_cells:
            return item
        if place[1].piece in (blank := _blank(scene, place[0])):
            every = frozenset(p for where, p in scene.pieces_at if where == place[0])
            return place[0], every - blank
    return item


def neutral(scene: Scene, text: str) -> str:
    """Name the owner of something, without addressing the reader."""
    roles = scene.game.roles
    if len(roles) == 2:
        (other,) = (role for role in roles if role != scene.role)
        text = text.replace("the opponent's ", f"{scene.named(other)}'s ")
    return text.replace("your ", f"{scene.named(scene.role)}'s ")


def _gone(scene: Scene, term: frozenset[Item]) -> str:
    """Return the piece, or the role, that is on no cell if this holds."""
    absent: dict[CellRef, set[str]] = {}
    for item in term:
        if isinstance(item, int):
            place = scene.on_board.get(scene.game.network.fluents[(item >> 1) - 1])
            if place is None or not item & 1:
                return ""
            absent.setdefault(place[0], set()).add(place[1].piece)
        elif item[0] not in scene.single_cells:
            return ""  # Others may be there as well.
        else:
            every = {p for where, p in scene.pieces_at if where == item[0]}
            absent.setdefault(item[0], set()).update(every - item[1])
    pieces = set().union(*absent.values())
    for ref, piece in scene.pieces_at:
        if (piece in pieces) != (piece in absent.get(ref, ())):
            return ""
    owners = {scene.owners.get(piece) for piece in pieces}
    owner = owners.pop() if len(owners) == 1 else None
    if owner and {piece for piece, who in scene.owners.items() if who == owner} == pieces:
        return owner
    return ""


def _blank(scene: Scene, ref: CellRef) -> frozenset[str]:
    return frozenset(
        content.piece
        for (where, content) in scene.fluent_at
        if where == ref and content.one in ("is empty", "is free")
    )


def _full_board(scene: Scene, held: list[Held]) -> int | None:
    """Return the board on which no cell is empty."""
    board = held[0][0].board
    whole = {ref for ref, _ in held} == set(scene.boards[board].refs) and len(held) > 1
    return board if whole and _is_taken(scene, held) else None


def _full_line(scene: Scene, held: list[Held]) -> str:
    """Name the outer row or column in which no cell is empty."""
    words = scene.boards[held[0][0].board]
    side = words.side_of({ref for ref, _ in held})
    return f"the {side}" if side and _is_taken(scene, held) else ""


def _is_taken(scene: Scene, held: list[Held]) -> bool:
    """Return whether this only says that cells are not empty."""
    for ref, pieces in held:
        every = {p for where, p in scene.pieces_at if where == ref}
        if not _blank(scene, ref) or pieces != every - _blank(scene, ref):
            return False
    return True


def _owner(scene: Scene, ref: CellRef, pieces: frozenset[str]) -> Role | None:
    """Return the role that owns these pieces, if they are all it can have there."""
    owners = {scene.owners.get(piece) for piece in pieces}
    if len(owners) != 1 or (owner := owners.pop()) is None:
        return None
    every = {p for where, p in scene.pieces_at if where == ref and scene.owners.get(p) == owner}
    return owner if every == pieces else None


def is_impossible(network: Network, literal: int, given: Iterable[int]) -> bool:
    """Return whether a literal is false whenever some others hold, all else unknown."""
    known = {part >> 1: (bool(part & 1), not part & 1) for part in given}
    can = [(True, False), *[(True, True)] * (network.first_gate - 1)]
    for node, values in known.items():
        if node < len(can):
            can[node] = values

    def of(part: int) -> tuple[bool, bool]:
        no, yes = can[part >> 1]
        return (yes, no) if part & 1 else (no, yes)

    for a, b in network.gates[: max(0, (literal >> 1) - network.first_gate + 1)]:
        (no_a, yes_a), (no_b, yes_b) = of(a), of(b)
        values = (no_a or no_b, yes_a and yes_b)
        can.append(known.get(len(can), values))
    return of(literal) == (True, False)


def turns_by_gates(game: CompiledGame) -> Role | None:
    """Return who begins where two roles take turns, if the gates of the turn prove that.

    The fluent for whose turn it is changes with every move, and the other role has at most one
    move.
    """
    scene, network = scene_of(game, game.roles[0]), game.network
    number = {fluent: index for index, fluent in enumerate(network.fluents)}
    turns: dict[Role, int] = {}
    for fluent in scene.fluents:
        pattern = scene.layout.pattern(fluent)
        if pattern and pattern.shows == "turn" and len(fluent.args) == 1:
            turns[str(fluent.args[0])] = number.get(fluent, -1)
    if len(game.roles) != 2 or set(turns) != set(game.roles):
        return None
    shown = [turns[role] for role in game.roles]
    one, two = (turn_literal(game, role) for role in game.roles)
    if one is None or two is None:
        return None
    after = {index: network.next[index] for index in shown if index >= 0}
    for index, other in ((shown[0], two), (shown[1], one)):
        if index >= 0 and after[index] != other:
            return None
    for place, waits in ((0, one ^ 1), (1, two ^ 1)):
        possible = [x for x in network.legal[place] if not is_impossible(network, x, [waits])]
        if len(possible) > 1:
            return None
    begins = [role for role in game.roles if _holds_first(game, turns, role)]
    return begins[0] if len(begins) == 1 else None


def _holds_first(game: CompiledGame, turns: dict[Role, int], role: Role) -> bool:
    scene = scene_of(game, game.roles[0])
    initial = set(game.initial().fluents)
    return any(
        fluent in initial
        for fluent in scene.fluents
        if len(fluent.args) == 1 and str(fluent.args[0]) == role and role in turns
        if (pattern := scene.layout.pattern(fluent)) and pattern.shows == "turn"
    )
