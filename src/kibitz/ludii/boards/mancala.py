"""`(mancalaBoard …)` in, its Topology and tracks out: rows of holes, and a store at each end."""

from __future__ import annotations

import re
from dataclasses import replace

from kibitz.ludii.boards import measures
from kibitz.ludii.boards.graph import UnknownBoard
from kibitz.ludii.boards.topology import Topology, build_board, label_of
from kibitz.ludii.ludemes import Ludeme

__all__ = ["Track", "build_mancala", "tracks_of"]

Track = tuple[str, int, tuple[int, ...], bool]
"""Name, owner (0 is everybody), sites in order, and whether it goes round."""

_MOST_HOLES = 200
_PART = re.compile(r"([A-Z]+)(\d*)")


def build_mancala(ludeme: Ludeme) -> Topology:
    """Build the board of a mancala game; raise UnknownBoard for what is not known.

    >>> from kibitz.ludii.ludemes import parse_ludemes
    >>> build_mancala(parse_ludemes("(mancalaBoard 2 3)", name="x")).labels
    ('A2', 'B1', 'C1', 'D1', 'B3', 'C3', 'D3', 'E2')
    """
    numbers = [item for item in ludeme.unlabelled() if item.shape == "word"]
    if len(numbers) != 2 or not all(item.name.isdigit() for item in numbers):
        raise UnknownBoard("a mancala board of so many rows and columns")
    rows, columns = (int(item.name) for item in numbers)
    if not 0 < rows * columns <= _MOST_HOLES:
        raise UnknownBoard(f"more than {_MOST_HOLES} holes")
    shape = Ludeme("call", "rectangle", tuple(numbers), "", ludeme.place)
    use = Ludeme("word", "Vertex", (), "use", ludeme.place)
    holes = build_board(Ludeme("call", "board", (shape, use), "", ludeme.place))
    store = ludeme.get("store")
    if store is not None and store.name == "None":
        return holes
    if rows != 2 or (store is not None and store.name != "Outer"):
        raise UnknownBoard("stores of this kind")
    return _with_stores(holes, columns)


def _with_stores(holes: Topology, columns: int) -> Topology:
    """Add a store at the left, which becomes the first site, and one at the right, the last."""
    count = len(holes)
    last = count + 1

    def moved(table: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
        return [(), *(tuple(one + 1 for one in ends) for ends in table), ()]

    steps = {name: moved(table) for name, table in holes.steps.items()}
    lower, upper = 1, columns + 1
    for name, start, end in (
        ("ESE", 0, lower), ("ENE", 0, upper), ("WNW", lower, 0), ("WSW", upper, 0),
        ("ENE", columns, last), ("ESE", 2 * columns, last),
        ("WSW", last, columns), ("WNW", last, 2 * columns),
    ):  # fmt: skip
        table = steps.setdefault(name, [() for _ in range(last + 1)])
        table[start] = (end,)
    middle = 0.5
    points = ((-0.85, middle), *holes.points, (columns - 0.15, middle))
    rows, across = measures.coordinates_of(points)
    regions = {name: tuple(n + 1 for n in sites) for name, sites in holes.regions.items()}
    every = tuple(range(last + 1))
    regions |= {"Left": (0,), "Right": (last,), "Corners": (0, last), "Board": every}
    regions |= {"Outer": every, "Perimeter": every, "Inner": ()}
    return replace(
        holes,
        labels=tuple(label_of(row, column) for row, column in zip(rows, across, strict=True)),
        points=points,
        rows=rows,
        columns=across,
        phases=(0, *holes.phases, 0),
        relations={name: tuple(moved(table)) for name, table in holes.relations.items()},
        steps={name: tuple(table) for name, table in steps.items()},
        regions=regions,
        sides={name: tuple(n + 1 for n in sites) for name, sites in holes.sides.items()},
    )


def tracks_of(ludeme: Ludeme, board: Topology) -> list[Track]:
    """Read the tracks of a board: where they start, and in which directions they go.

    >>> from kibitz.ludii.ludemes import parse_ludemes
    >>> sheet = parse_ludemes('(mancalaBoard 2 2 (track "Way" "1,E,N,W" loop:True))', name="x")
    >>> tracks_of(sheet, build_mancala(sheet))
    [('Way', 0, (1, 2, 4, 3), True)]
    """
    found: list[Track] = []
    for one in ludeme.walk():
        if one.shape != "call" or one.name != "track":
            continue
        texts = [item.name for item in one.items if item.shape == "text"]
        owner = next(
            (int(i.name[1:]) for i in one.items if i.shape == "word" and i.name[1:].isdigit()), 0
        )
        loop = (item := one.get("loop")) is not None and item.name == "True"
        if len(texts) != 2:
            raise UnknownBoard("a track that is no list of directions")
        found.append((texts[0], owner, _walked(texts[1], board), loop))
    return found


def _walked(text: str, board: Topology) -> tuple[int, ...]:
    sites: list[int] = []
    for part in text.split(","):
        if part.isdigit() and int(part) < len(board):
            sites.append(int(part))
            continue
        match = _PART.fullmatch(part)
        if match is None or not sites or match[1] not in board.steps:
            raise UnknownBoard(f"a track with {part}")
        most = int(match[2]) if match[2] else len(board)
        for _ in range(most):
            ends = board.steps[match[1]][sites[-1]]
            if not ends or ends[0] in sites:
                break
            sites.append(ends[0])
    return tuple(sites)
