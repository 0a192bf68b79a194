"""Goals in, the patterns of pieces that reach them out: lines, triangles, or sets of cells."""

from __future__ import annotations

from kibitz.gdl import Function
from kibitz.ground.network import Network
from kibitz.render import CellRef
from kibitz.words.places import BoardWords
from kibitz.words.scene import Scene

__all__ = ["end_play", "name_patterns", "number_word", "patterns_of", "plural_of"]

_MOST = 4000

Pattern = frozenset[Function]
Terms = frozenset[frozenset[int]]


def patterns_of(scene: Scene, goal: int) -> frozenset[Pattern]:
    """Give the sets of own pieces of which the role's goal is this, if it is exactly these.

    The goal's gates are multiplied out into a disjunction of conjunctions of fluents, as far as
    these stay few; only where all are own pieces on a board is it told.
    """
    network = scene.game.network
    goals = network.goals[scene.game.roles.index(scene.role)]
    literals = [literal for value, literal in goals if value == goal]
    if len(literals) != 1:
        return frozenset()
    terms = _Expansion(network).terms(literals[0])
    if not terms:
        return frozenset()
    found = set()
    for term in terms:
        if any(literal & 1 or not 2 <= literal < 2 * network.first_move for literal in term):
            return frozenset()
        fluents = frozenset(network.fluents[(literal >> 1) - 1] for literal in term)
        if any(f not in scene.on_board or scene.on_board[f][1].one != "is yours" for f in fluents):
            return frozenset()
        found.add(fluents)
    return frozenset(found)


def end_play(scene: Scene, patterns: frozenset[Pattern]) -> bool:
    """Tell whether play is over wherever a pattern stands, whatever else holds."""
    network = scene.game.network
    number = {fluent: i for i, fluent in enumerate(network.fluents)}
    return all(_is_certain(network, [number[f] for f in pattern]) for pattern in patterns)


def _is_certain(network: Network, known: list[int]) -> bool:
    """Evaluate the end with some fluents true and all else unknown: what each node can be."""
    inputs = network.first_gate - 1
    can = [(True, False), *[(True, True)] * inputs]
    for index in known:
        can[1 + index] = (False, True)

    def of(literal: int) -> tuple[bool, bool]:
        no, yes = can[literal >> 1]
        return (yes, no) if literal & 1 else (no, yes)

    for a, b in network.gates:
        (no_a, yes_a), (no_b, yes_b) = of(a), of(b)
        can.append((no_a or no_b, yes_a and yes_b))
    return of(network.terminal) == (False, True)


def name_patterns(scene: Scene, patterns: frozenset[Pattern]) -> str:
    """Say what patterns have in common, or how many there are."""
    cells = {frozenset(scene.on_board[f][0] for f in pattern) for pattern in patterns}
    sizes = {len(pattern) for pattern in cells}
    boards = {ref.board for pattern in cells for ref in pattern}
    if len(boards) != 1 or len(sizes) != 1:
        return ""
    (size,), words = sizes, scene.boards[boards.pop()]
    if words.board.kind == "graph" and size == 3:
        return "a triangle of your own" if cells == _triangles(words) else ""
    if words.board.kind == "strip" and size > 1 and cells == _runs(words, size, (0, 1)):
        return f"{number_word(size)} of your own side by side"
    if words.is_rectangle and size > 1:
        ways = [(0, 1), (1, 0), (1, 1), (1, -1)]
        runs = {way: _runs(words, size, way) for way in ways}
        told = [way for way in ways if runs[way] and runs[way] <= cells]
        if told and cells == set().union(*(runs[way] for way in told)):
            names = {(0, 1): "row", (1, 0): "column", (1, 1): "diagonal", (1, -1): "diagonal"}
            if ((1, 1) in told) == ((1, -1) in told):
                listed = list(dict.fromkeys(names[way] for way in told))
                text = ", ".join(listed[:-1]) + (" or " if len(listed) > 1 else "") + listed[-1]
                return f"{number_word(size)} of your own side by side in a {text}"
    count = number_word(len(cells))
    return f"any of {count} sets of {number_word(size)} {plural_of(words.noun)} of your own"


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(count: int) -> str:
    """Write a number, the small ones as words.

    >>> number_word(3), number_word(12)
    ('three', '12')
    """
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def plural_of(noun: str) -> str:
    """Give the plural of a noun.

    >>> plural_of("box"), plural_of("cell")
    ('boxes', 'cells')
    """
    return f"{noun}es" if noun.endswith(("x", "s", "ch", "sh")) else f"{noun}s"


def _runs(words: BoardWords, size: int, way: tuple[int, int]) -> set[frozenset[CellRef]]:
    at = {words.at(ref): ref for ref in words.refs}
    found = set()
    for row, column in at:
        run = [(row + n * way[0], column + n * way[1]) for n in range(size)]
        if all(place in at for place in run):
            found.add(frozenset(at[place] for place in run))
    return found


def _triangles(words: BoardWords) -> set[frozenset[CellRef]]:
    ends = {frozenset(words.board.cells[ref.cell].key): ref for ref in words.refs}
    names = [name for name, _, _ in words.board.points]
    found = set()
    for i, a in enumerate(names):
        for j in range(i + 1, len(names)):
            for c in names[j + 1 :]:
                sides = [frozenset(pair) for pair in ((a, names[j]), (a, c), (names[j], c))]
                if all(side in ends for side in sides):
                    found.add(frozenset(ends[side] for side in sides))
    return found


class _Expansion:
    """Multiplies gates out; gives None where there would be too many terms."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.known: dict[int, Terms | None] = {}

    def terms(self, literal: int) -> Terms | None:
        """Give a literal as a disjunction of conjunctions of literals of fluents."""
        needed, stack = [literal], [literal]
        first = self.network.first_gate
        seen = {literal}
        while stack:
            node = (stack[-1] >> 1) - first
            is_negated = stack.pop() & 1
            if node < 0:
                continue
            for inner in self.network.gates[node]:
                part = inner ^ is_negated
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
            return frozenset({frozenset({literal})})
        a, b = self.network.gates[node]
        if literal & 1:
            left, right = self.known[a ^ 1], self.known[b ^ 1]
            if left is None or right is None or len(left) + len(right) > _MOST:
                return None
            return _absorbed(left | right)
        left, right = self.known[a], self.known[b]
        if left is None or right is None or len(left) * len(right) > 4 * _MOST:
            return None
        joined = frozenset(x | y for x in left for y in right)
        return _absorbed(frozenset(t for t in joined if not any(x ^ 1 in t for x in t)))


def _absorbed(terms: Terms) -> Terms | None:
    if len(terms) > _MOST:
        return None
    if len(terms) > 300:
        return terms
    ordered = sorted(terms, key=len)
    kept: list[frozenset[int]] = []
    for term in ordered:
        if not any(other <= term for other in kept):
            kept.append(term)
    return frozenset(kept)
