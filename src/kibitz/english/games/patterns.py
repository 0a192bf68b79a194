"""Sets of cells in, a phrase for what they have in common out: lines, triangles, or a number."""

from __future__ import annotations

from kibitz.board import CellRef
from kibitz.english.places import BoardWords
from kibitz.english.scene import Scene
from kibitz.wording import number_word


def name_patterns(scene: Scene, cells: frozenset[frozenset[CellRef]]) -> str:
    """Describe what sets of own cells have in common, or how many there are."""
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
        directions = [way for way in ways if runs[way] and runs[way] <= cells]
        if directions and cells == set().union(*(runs[way] for way in directions)):
            names = {(0, 1): "row", (1, 0): "column", (1, 1): "diagonal", (1, -1): "diagonal"}
            if ((1, 1) in directions) == ((1, -1) in directions):
                listed = list(dict.fromkeys(names[way] for way in directions))
                text = ", ".join(listed[:-1]) + (" or " if len(listed) > 1 else "") + listed[-1]
                return f"{number_word(size)} of your own side by side in a {text}"
    if size == 1:
        return _somewhere(words, {ref for pattern in cells for ref in pattern})
    count = number_word(len(cells))
    return f"any of {count} sets of {number_word(size)} {plural_of(words.noun)} of your own"


def _somewhere(words: BoardWords, refs: set[CellRef]) -> str:
    """Describe that one of some cells is the player's own."""
    if side := words.side_of(refs):
        return f"a piece of your own in the {side}"
    if len(refs) == 1:
        return f"a piece of your own on {words.named[(min(refs, key=str),)].text}"
    return f"a piece of your own on one of {number_word(len(refs))} {plural_of(words.noun)}"


def plural_of(noun: str) -> str:
    """Return the plural of a noun.

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
