"""Derive a board's topology: sites with labels, neighbours, directions, tracks."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from kibitz.ludii.boards.graph import (
    Graph,
    Point,
    UnknownBoard,
    centre_of,
    coordinates_of,
    corner_faces,
    corners_of,
    distance,
    extremes_of,
    outer_faces,
    perimeters_of,
    phases_of,
    sides_by_direction,
    sides_of,
)
from kibitz.ludii.boards.operations import build_graph
from kibitz.ludii.tokens import Ludeme

SiteKind = Literal["Cell", "Vertex"]

COMPASS = (
    "E", "ENE", "NE", "NNE", "N", "NNW", "NW", "WNW",
    "W", "WSW", "SW", "SSW", "S", "SSE", "SE", "ESE",
)  # fmt: skip
_BEND = math.tan(0.25)
"""How far a radial may bend from one step to the next."""

Sites = tuple[int, ...]


@dataclass(frozen=True)
class Topology:
    """The sites of a board by their numbers, and how they lie to one another."""

    kind: SiteKind
    labels: tuple[str, ...]
    points: tuple[Point, ...]
    rows: Sites
    columns: Sites
    phases: Sites
    relations: dict[str, tuple[Sites, ...]]
    """Orthogonal, Diagonal, OffDiagonal, Adjacent and All neighbours of each site."""
    steps: dict[str, tuple[Sites, ...]]
    """For each direction by name, where a step from each site leads."""
    regions: dict[str, Sites]
    """Corners, Top, Left, … by the words of the language."""
    sides: dict[str, Sites]

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def radials(self) -> dict[str, tuple[tuple[Sites, ...], ...]]:
        """For each direction, the lines that leave each site, without the site itself."""
        return {
            name: tuple(
                tuple(self._radial(name, site, first) for first in steps[site])
                for site in range(len(self))
            )
            for name, steps in self.steps.items()
        }

    def _radial(self, name: str, site: int, first: int) -> Sites:
        steps, line, before, here = self.steps[name], [first], site, first
        while True:
            if name in ("CW", "CCW", "In", "Out"):
                onward = steps[here][0] if steps[here] else None
            else:
                bends = [(self.bend(before, here, there), there) for there in steps[here]]
                bend, onward = min(bends, default=(math.inf, None), key=lambda pair: pair[0])
                if bend >= _BEND:
                    onward = None
            if onward is None or onward == site or onward in line:
                return tuple(line)
            line.append(onward)
            before, here = here, onward

    def bend(self, a: int, b: int, c: int) -> float:
        """Return the tangent of the angle by which a way through three sites turns."""
        (xa, ya), (xb, yb), (xc, yc) = (self.points[i] for i in (a, b, c))
        ux, uy, vx, vy = xb - xa, yb - ya, xc - xb, yc - yb
        along = ux * vx + uy * vy
        return abs(ux * vy - uy * vx) / along if along > 0 else math.inf


def build_board(ludeme: Ludeme) -> Topology:
    """Build the board that `(board …)` describes; raise UnknownBoard for what is not known.

    >>> from kibitz.ludii.tokens import parse_ludemes
    >>> board = build_board(parse_ludemes("(board (square 2))", name="x"))
    >>> board.labels, board.relations["Diagonal"]
    (('A1', 'B1', 'A2', 'B2'), ((3,), (2,), (1,), (0,)))
    """
    use = ludeme.get("use")
    kind = use.name if use else "Cell"
    if kind not in ("Cell", "Vertex"):
        raise UnknownBoard(f"use:{kind}")
    graphs = [item for item in ludeme.unlabelled() if item.shape == "call" and item.name != "track"]
    if len(graphs) != 1:
        raise UnknownBoard("a board of one graph")
    graph = build_graph(graphs[0], on_cells=kind == "Cell")
    return _measured(graph, "Cell" if kind == "Cell" else "Vertex")


def _measured(graph: Graph, kind: SiteKind) -> Topology:
    on_cells = kind == "Cell"
    points = [graph.middle(face) for face in graph.faces] if on_cells else graph.points
    if not points:
        raise UnknownBoard("a board without sites")
    relations = _face_relations(graph, points) if on_cells else _point_relations(graph, points)
    perimeters = perimeters_of(graph)
    rim = {index for walk in perimeters for index in walk}
    convex, concave = corners_of(graph, perimeters)
    sides = sides_by_direction(graph, perimeters, convex | concave)
    if on_cells:
        outer = outer_faces(graph, rim)
        corners = corner_faces(graph, perimeters, convex, concave)
        sides = {
            name: {i for i, face in enumerate(graph.faces) if on_side & set(face)}
            for name, on_side in sides.items()
        }
        nearest = _side_neighbours(graph)
    else:
        outer, corners, nearest = rim, convex | concave, graph.neighbours()
    rows, columns = coordinates_of(points)
    extremes = extremes_of(points)
    count = range(len(points))
    return Topology(
        kind,
        tuple(label_of(row, column) for row, column in zip(rows, columns, strict=True)),
        tuple(points),
        rows,
        columns,
        phases_of(nearest),
        relations,
        _steps(graph, points, relations, on_cells),
        {
            "Corners": tuple(sorted(corners)),
            "Outer": tuple(sorted(outer)),
            "Perimeter": tuple(sorted(outer)),
            "Inner": tuple(i for i in count if i not in outer),
            "Centre": centre_of(points, outer, corners),
            "Board": tuple(count),
            **{name.capitalize(): sites for name, sites in extremes.items()},
        },
        {name: tuple(sorted(sites)) for name, sites in sides.items()},
    )


def label_of(row: int, column: int) -> str:
    """Return the label of a site.

    >>> label_of(2, 27)
    'AB3'
    """
    return (chr(64 + column // 26) if column >= 26 else "") + chr(65 + column % 26) + str(row + 1)


def _side_neighbours(graph: Graph) -> list[list[int]]:
    """Return the faces beside each face, in the order of its sides."""
    beside: dict[frozenset[int], list[int]] = {}
    for index, face in enumerate(graph.faces):
        for side in sides_of(face):
            beside.setdefault(side, []).append(index)
    return [
        [
            other
            for n in range(len(face))
            for other in beside[frozenset((face[n], face[(n + 1) % len(face)]))]
            if other != index
        ]
        for index, face in enumerate(graph.faces)
    ]


def _point_relations(graph: Graph, points: Sequence[Point]) -> dict[str, tuple[Sites, ...]]:
    joined = [tuple(sorted(set(others))) for others in graph.neighbours()]
    across: list[set[int]] = [set() for _ in points]
    for face in graph.faces:
        if len(face) >= 4:
            middle = graph.middle(face)
            for index in face:
                others = [
                    (distance(middle, points[index], points[other]), n, other)
                    for n, other in enumerate(face)
                    if other != index
                ]
                across[index].add(min(others)[2])
    diagonal = tuple(tuple(sorted(a - set(b))) for a, b in zip(across, joined, strict=True))
    return {
        "Orthogonal": tuple(joined),
        "Diagonal": diagonal,
        "OffDiagonal": tuple(() for _ in points),
        "Adjacent": tuple(joined),
        "All": tuple(tuple(sorted({*a, *b})) for a, b in zip(joined, diagonal, strict=True)),
    }


def _face_relations(graph: Graph, points: Sequence[Point]) -> dict[str, tuple[Sites, ...]]:
    """Tell faces that share a side from those that share a corner, or lie beyond an edge."""
    at: list[list[int]] = [[] for _ in graph.points]
    for index, face in enumerate(graph.faces):
        for corner in face:
            at[corner].append(index)
    for corner, faces in enumerate(at):
        x, y = graph.points[corner]
        faces.sort(key=lambda f: math.atan2(points[f][1] - y, points[f][0] - x))
    around = graph.neighbours()
    found: dict[str, list[Sites]] = {
        name: [] for name in ("Orthogonal", "Diagonal", "OffDiagonal", "Adjacent", "All")
    }
    for index, (face, beside) in enumerate(zip(graph.faces, _side_neighbours(graph), strict=True)):
        used = {index, *beside}
        diagonal: set[int] = set()
        for corner in face:
            left = [other for other in at[corner] if other not in used]
            if left:
                nearest = min(
                    left,
                    key=lambda o: distance(graph.points[corner], points[index], points[o]),
                )
                used.add(nearest)
                diagonal.add(nearest)
        off = {other for corner in face for other in at[corner]} - used
        used |= off
        beyond = _beyond(graph, points, at, around, index, used)
        found["Orthogonal"].append(tuple(sorted(set(beside))))
        found["Diagonal"].append(tuple(sorted(diagonal | beyond)))
        found["OffDiagonal"].append(tuple(sorted(off)))
        found["Adjacent"].append(tuple(sorted({*beside} | diagonal | off)))
        found["All"].append(tuple(sorted({*beside} | diagonal | off | beyond)))
    return {name: tuple(sites) for name, sites in found.items()}


def _beyond(
    graph: Graph,
    points: Sequence[Point],
    at: list[list[int]],
    around: list[list[int]],
    index: int,
    used: set[int],
) -> set[int]:
    """Return the faces that lie straight behind an edge which leads away from a corner."""
    face, found = graph.faces[index], set[int]()
    sides = sides_of(face)
    for corner in face:
        if len(around[corner]) != 3:
            continue
        away = [o for o in around[corner] if frozenset((corner, o)) not in sides]
        for other in at[away[0]] if away else ():
            if other in used:
                continue
            a, b = points[index], points[other]
            error = distance(graph.points[corner], a, b)
            error += distance(graph.points[away[0]], a, b)
            if error <= 0.1 * math.dist(a, b):
                used.add(other)
                found.add(other)
    return found


def _steps(
    graph: Graph,
    points: Sequence[Point],
    relations: dict[str, tuple[Sites, ...]],
    on_cells: bool,
) -> dict[str, tuple[Sites, ...]]:
    found: dict[str, list[list[int]]] = {}

    def add(name: str, site: int, other: int) -> None:
        found.setdefault(name, [[] for _ in points])[site].append(other)

    for site, others in enumerate(relations["All"]):
        for other in others:
            angle = math.atan2(
                points[other][1] - points[site][1], points[other][0] - points[site][0]
            ) % (2 * math.pi)
            add(COMPASS[int((angle + math.pi / 16) / (math.pi / 8)) % 16], site, other)
    if not on_cells:
        _add_circular_steps(graph, add)
    return {name: tuple(map(tuple, steps)) for name, steps in found.items()}


def _add_circular_steps(graph: Graph, add: Callable[[str, int, int], None]) -> None:
    """Add the steps in, out, clockwise and counter-clockwise on boards with a pivot."""
    centres = set(graph.pivots.values())
    for site, others in enumerate(graph.neighbours()):
        if site in centres and site not in (graph.pivots.keys() - {site}):
            for other in others:
                add("Out", site, other)
            continue
        pivot = graph.pivots.get(site)
        if pivot is None or pivot == site:
            if pivot == site:
                for other in others:
                    add("Out", site, other)
            continue
        (x, y), (px, py) = graph.points[site], graph.points[pivot]
        for other in others:
            ox, oy = graph.points[other]
            along = ((ox - x) * (px - x) + (oy - y) * (py - y)) / (
                math.hypot(ox - x, oy - y) * math.hypot(px - x, py - y)
            )
            if along > 0.9:
                add("In", site, other)
            elif along < -0.9:
                add("Out", site, other)
            elif frozenset((site, other)) in graph.curved:
                turn = (px - x) * (oy - y) - (py - y) * (ox - x)
                add("CW" if turn > 0 else "CCW", site, other)


Track = tuple[str, int, tuple[int, ...], bool]
"""Name, owner (0 is everybody), sites in order, and whether it goes round."""

_MOST_HOLES = 200
_PART = re.compile(r"([A-Z]+)(\d*)")


def build_mancala(ludeme: Ludeme) -> Topology:
    """Build the board of a mancala game; raise UnknownBoard for what is not known.

    >>> from kibitz.ludii.tokens import parse_ludemes
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
    rows, across = coordinates_of(points)
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

    >>> from kibitz.ludii.tokens import parse_ludemes
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
