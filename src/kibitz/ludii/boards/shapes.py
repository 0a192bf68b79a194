"""Build the graph of a shape or a tiling."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable

from kibitz.ludii.boards.graph import Graph, Point, UnknownBoard
from kibitz.ludii.tokens import Ludeme

_ROOT = math.sqrt(3)
MOST_POINTS = 1_200
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?|[-+]?inf|nan", re.IGNORECASE)
MOST_AWAY = 1_000_000
"""How far from the origin a point of a board may lie."""
_MOST = 60
"""The most rows or rings of a board."""


def number(ludeme: Ludeme) -> float:
    """Evaluate a number, or arithmetic on numbers; raise UnknownBoard for anything else.

    Raise OverflowError for what is no place on a board.

    >>> from kibitz.ludii.tokens import parse_ludemes
    >>> number(parse_ludemes("(/ (- 7 3) 2)", name="x"))
    2.0
    """
    if ludeme.shape == "word" and _NUMBER.fullmatch(ludeme.name):
        value = float(ludeme.name)
    elif ludeme.shape == "call" and ludeme.name in _ARITHMETIC and ludeme.items:
        values = [number(item) for item in ludeme.items]
        if len(values) == 1 and ludeme.items[0].shape == "list":
            raise UnknownBoard("a list")
        value = _ARITHMETIC[ludeme.name](values)
    else:
        raise UnknownBoard(f"{ludeme} is no number")
    if not abs(value) <= MOST_AWAY:  # nor is nan
        raise OverflowError(f"{value:g} is no number from -{MOST_AWAY:,} to {MOST_AWAY:,}")
    return value


_ARITHMETIC: dict[str, Callable[[list[float]], float]] = {
    "+": sum,
    "-": lambda v: v[0] - sum(v[1:]) if len(v) > 1 else -v[0],
    "*": math.prod,
    "/": lambda v: v[0] / v[1],
    "max": max,
    "min": min,
}


def words(ludeme: Ludeme) -> list[str]:
    """Return the words of a ludeme that have no label and are no numbers."""
    return [
        item.name
        for item in ludeme.unlabelled()
        if item.shape == "word" and not item.name.lstrip("-").replace(".", "").isdigit()
    ]


def sizes_of(ludeme: Ludeme) -> list[int]:
    """Return the numbers of a ludeme that have no label."""
    found = [
        int(number(item))
        for item in ludeme.unlabelled()
        if item.shape == "call" or item.name.lstrip("-").isdigit()
    ]
    if not found or not all(1 <= size <= _MOST for size in found):
        raise UnknownBoard(f"sizes from 1 to {_MOST}")
    return found


def _square(ludeme: Ludeme, on_cells: bool) -> Graph:
    shape = (words(ludeme) or ["Square"])[0]
    sizes = sizes_of(ludeme)
    if shape == "Diamond" and not ludeme.get("diagonals"):
        return _square_diamond(sizes[0])
    if ludeme.get("pyramidal") or shape != "Square":
        raise UnknownBoard("this shape on squares")
    rows, columns = sizes[0] + on_cells, sizes[-1] + on_cells
    graph = Graph([(float(c), float(r)) for r in range(rows) for c in range(columns)])
    for r in range(rows):
        for c in range(columns):
            if r + 1 < rows:
                graph.edges.append((r * columns + c, (r + 1) * columns + c))
            if c + 1 < columns:
                graph.edges.append((r * columns + c, r * columns + c + 1))
    diagonals = ludeme.get("diagonals")
    if diagonals:
        _add_diagonals(graph, rows, columns, diagonals.name)
    graph.make_faces()
    graph.reorder()
    return graph


def _square_diamond(size: int) -> Graph:
    """Build a square that stands on a corner, with steps for sides."""
    return unit_graph(
        (float(c), float(r))
        for r in range(2 * size)
        for c in range(2 * size)
        if size - 1 <= r + c < 3 * size and abs(r - c) <= size
    )


def unit_graph(points: Iterable[Point]) -> Graph:
    """Build the graph of points in which those at distance 1 are joined."""
    graph = Graph(list(points))
    if len(graph.points) > MOST_POINTS:
        raise UnknownBoard(f"a board of more than {MOST_POINTS:,} points")
    for a, (x, y) in enumerate(graph.points):
        for b in range(a):
            if abs(math.hypot(graph.points[b][0] - x, graph.points[b][1] - y) - 1) < 0.05:
                graph.edges.append((b, a))
    graph.make_faces()
    graph.reorder()
    return graph


def _add_diagonals(graph: Graph, rows: int, columns: int, kind: str) -> None:
    for r in range(rows - 1):
        for c in range(columns - 1):
            corners = [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]
            a, b, d, e = (row * columns + column for row, column in corners)
            rising, falling = (a, e), (b, d)
            match kind:
                case "Solid":
                    middle = graph.point((c + 0.5, r + 0.5))
                    graph.edges.extend((corner, middle) for corner in (a, b, d, e))
                case "SolidNoSplit":
                    graph.edges.extend([rising, falling])
                case "Alternating":
                    graph.edges.append(falling if (r + c) % 2 else rising)
                case "Radiating" if rows == columns:
                    graph.edges.extend([rising] * (r == c) + [falling] * (r + c == rows - 2))
                case "Implied":
                    pass
                case _:
                    raise UnknownBoard(f"diagonals:{kind}")


def _hex(ludeme: Ludeme, on_cells: bool) -> Graph:
    shape = (words(ludeme) or ["Hexagon"])[0]
    sizes = sizes_of(ludeme)
    n = sizes[0]
    upright = [
        (math.cos(a), math.sin(a)) for a in (math.pi / 6 + k * math.pi / 3 for k in range(6))
    ]
    flat = [(math.cos(a), math.sin(a)) for a in (k * math.pi / 3 for k in range(6))]
    match shape:
        case "Hexagon" if len(sizes) == 1:
            return _hexagons(_slanted(_hexagon(n, n)), upright)
        case "Hexagon" | "Limping" if shape == "Limping" or abs(sizes[0] - sizes[1]) == 1:
            return _hexagons(_slanted(_hexagon(n, n + 1)), upright)
        case "Triangle":
            rows = ((r, c) for r in range(n) for c in range(r, n))
            return _hexagons(_slanted(rows), upright)
        case "Diamond" | "Prism" if shape == "Diamond" or len(sizes) == 2:
            places = ((1.5 * (c - r), _ROOT / 2 * (c + r)) for r, c in _rhombus(sizes))
            return _hexagons(places, flat)
        case "Star" if len(sizes) == 1:
            return _hexagons(_slanted(_star(n)), upright)
        case "Rectangle" | "Square":
            columns = sizes[-1]
            places = (
                (_ROOT * (c + (r % 2) / 2), 1.5 * r) for r in range(n) for c in range(columns)
            )
            return _hexagons(places, upright)
        case _:
            raise UnknownBoard(f"hex {shape}")


def _slanted(places: Iterable[tuple[int, int]]) -> list[Point]:
    """Place hexagons with sides of length 1 by row and column; each row is half a place further."""
    return [(_ROOT * (c - r / 2), 1.5 * r) for r, c in places]


def _hexagon(a: int, b: int) -> Iterable[tuple[int, int]]:
    """List row and column in a hexagon whose sides have `b` and `a` places in turn."""
    for r in range(a + b - 1):
        for c in range(max(0, r - a + 1), min(a + b - 2, r + b - 1) + 1):
            yield r, c


def _rhombus(sizes: list[int]) -> Iterable[tuple[int, int]]:
    """List row and column in a rhombus; of two sizes in a prism, which has two corners less."""
    size = sum(sizes) - 1 if len(sizes) > 1 else sizes[0]
    for r, c in itertools.product(range(size), repeat=2):
        if len(sizes) == 1 or abs(r - c) < sizes[0]:
            yield r, c


def _star(arm: int) -> Iterable[tuple[int, int]]:
    """List row and column in a star with six arms, which two triangles make."""
    for r, c in itertools.product(range(4 * arm + 1), repeat=2):
        upward = arm <= c <= arm + r and r <= 3 * arm
        downward = r - arm <= c <= 3 * arm and r >= arm
        if upward or downward:
            yield r, c


def _hexagons(middles: Iterable[Point], corners: list[Point]) -> Graph:
    graph = Graph()
    places: dict[tuple[int, int], int] = {}
    edges: set[frozenset[int]] = set()
    for x, y in middles:
        around = []
        for dx, dy in corners:
            key = (round((x + dx) * 100), round((y + dy) * 100))
            near = [(key[0] + i, key[1] + j) for i in (0, -1, 1) for j in (0, -1, 1)]
            index = next((places[k] for k in near if k in places), None)
            if index is None:
                index = places[key] = len(graph.points)
                graph.points.append((x + dx, y + dy))
            around.append(index)
        for i in range(6):
            edge = (around[i - 1], around[i])
            if frozenset(edge) not in edges:
                edges.add(frozenset(edge))
                graph.edges.append(edge)
    graph.make_faces()
    graph.reorder()
    return graph


def _tri(ludeme: Ludeme, on_cells: bool) -> Graph:
    shape = (words(ludeme) or ["Triangle"])[0]
    sizes = sizes_of(ludeme)
    n = sizes[0] + on_cells
    match shape:
        case "Hexagon" if len(sizes) == 1:
            places = _hexagon(n, n)
        case "Limping":
            places = _hexagon(n, n + 1)
        case "Triangle":
            places = ((r, c) for r in range(n) for c in range(r, n))
        case "Star" if len(sizes) == 1:
            places = _star(sizes[0])
        case "Rectangle" | "Square":
            columns = sizes[-1] + on_cells
            places = ((r, c + (r + 1) // 2) for r in range(n) for c in range(columns - r % 2))
        case "Diamond" | "Prism" if shape == "Diamond" or len(sizes) == 2:
            rhombus = _rhombus([size + on_cells for size in sizes])
            return unit_graph((_ROOT / 2 * (c - r), (c + r) / 2) for r, c in rhombus)
        case _:
            raise UnknownBoard(f"tri {shape}")
    return unit_graph((x / _ROOT, y / _ROOT) for x, y in _slanted(places))


def _wedge(ludeme: Ludeme, on_cells: bool) -> Graph:
    """Build rows of equal size that widen from an apex downwards."""
    sizes = sizes_of(ludeme)
    rows, columns = sizes[0], sizes[1] if len(sizes) > 1 else 3
    top = rows - 1
    graph = Graph([(float(top), float(top))])
    for r in range(1, rows):
        for c in range(columns):
            graph.points.append((top - r + 2 * r * c / (columns - 1), float(top - r)))
            here = len(graph.points) - 1
            if c:
                graph.edges.append((here - 1, here))
            graph.edges.append((here - columns if r > 1 else 0, here))
    return graph


def _concentric(ludeme: Ludeme, on_cells: bool) -> Graph:
    sides = {"Triangle": 3, "Square": 4, "Hexagon": 6}
    rings = ludeme.get("rings")
    if ludeme.items and ludeme.items[0].shape == "list":
        return _circles([int(number(item)) for item in ludeme.items[0].items], ludeme, on_cells)
    named = [word for word in words(ludeme) if word in sides]
    count = ludeme.get("sides")
    corners = sides[named[0]] if named else int(number(count)) if count else 0
    if not 3 <= corners <= _MOST:
        raise UnknownBoard("concentric without a shape")
    switch = {
        name: (item.name == "True" if (item := ludeme.get(name)) else default)
        for name, default in (("midpoints", True), ("joinMidpoints", True), ("joinCorners", False))
    }
    return _polygons(corners, int(number(rings)) if rings else 1, on_cells, switch)


def _polygons(sides: int, rings: int, on_cells: bool, switch: dict[str, bool]) -> Graph:
    """Build regular polygons within one another, joined at the middles of their sides."""
    if not 1 <= rings <= _MOST:
        raise UnknownBoard("rings")
    arc = 2 * math.pi / sides
    turn = math.pi / 2 + (arc / 2 if sides % 2 == 0 else 0)
    per_side = 2 if switch["midpoints"] else 1
    size = sides * per_side
    graph = Graph()
    for ring in range(rings):
        radius = 1 + ring * (2 if sides == 3 else 1)
        corners = [
            (radius * math.cos(turn + arc * k), radius * math.sin(turn + arc * k))
            for k in range(sides + 1)
        ]
        for (xa, ya), (xb, yb) in itertools.pairwise(corners):
            graph.points.append((xa, ya))
            if switch["midpoints"]:
                graph.points.append(((xa + xb) / 2, (ya + yb) / 2))
        graph.edges.extend((ring * size + k, ring * size + (k + 1) % size) for k in range(size))
    for ring in range(rings - 1):
        for k in range(size):
            is_corner = k % per_side == 0
            if switch["joinCorners"] if is_corner else switch["joinMidpoints"]:
                graph.edges.append((ring * size + k, (ring + 1) * size + k))
    graph.reorder()
    if on_cells:
        graph.make_faces()
    return graph


def _circles(sizes: list[int], ludeme: Ludeme, on_cells: bool) -> Graph:
    """Build rings of points around a centre, which is there if the first ring has one point."""
    if on_cells or not sizes or any(abs(size) > _MOST for size in sizes) or len(sizes) > _MOST:
        raise UnknownBoard("rings of cells")
    if len(sizes) == 1:
        return _ring(sizes[0])
    has_centre = abs(sizes[0]) <= 1
    stagger = (item := ludeme.get("stagger")) is not None and item.name == "True"
    graph = Graph()
    rings: list[list[int]] = [[graph.point((0.0, 0.0))] if abs(sizes[0]) == 1 else []]
    for ring, size in enumerate(sizes[1:] if has_centre else sizes, start=1):
        step = 2 * math.pi / max(1, abs(size))
        offset = step / 2 if stagger and ring % 2 else 0.0
        angles = sorted(math.pi / 2 + offset - step * k for k in range(abs(size)))
        rings.append([graph.point((ring * math.cos(a), ring * math.sin(a))) for a in angles])
        if size >= 2:
            here = rings[-1]
            for k, index in enumerate(here):
                graph.join(index, here[(k + 1) % len(here)], curved=True)
    for ring, here in enumerate(rings[:-1]):
        for index in here:
            if ring == 0:
                for outer in rings[1]:
                    graph.join(index, outer)
                continue
            x, y = graph.points[index]
            outward = graph.find((x * (ring + 1) / ring, y * (ring + 1) / ring))
            if outward is not None:
                graph.join(index, outward)
                if not rings[0]:
                    graph.pivots[outward] = index
    if rings[0]:
        graph.pivots = dict.fromkeys(range(len(graph.points)), 0)
    return graph


def _ring(size: int) -> Graph:
    if size < 3:
        raise UnknownBoard("a ring of fewer than three points")
    radius = size / (2 * math.pi)
    start = math.pi / 4 if size == 4 else math.pi / 2
    angles = [start + 2 * math.pi * k / size for k in range(size)]
    graph = Graph([(radius * math.cos(a), radius * math.sin(a)) for a in angles])
    graph.edges = [(k, (k + 1) % size) for k in range(size)]
    graph.reorder()
    return graph


def _regular(ludeme: Ludeme, on_cells: bool) -> Graph:
    """Build a regular polygon, or a star: each corner joined to those farthest from it."""
    size = sizes_of(ludeme)[0]
    graph = _ring(size)
    if "Star" in words(ludeme):
        radius = size / (2 * math.pi)
        angles = [math.pi / 2 + 2 * math.pi * k / size for k in range(size)]
        graph = Graph([(radius * math.cos(a), radius * math.sin(a)) for a in angles])
        reach = (size - 1) // 2
        for k in range(size):
            graph.join(k, (k + reach) % size)
        graph.reorder()
    graph.make_faces()
    return graph


SHAPES: dict[str, Callable[[Ludeme, bool], Graph]] = {
    "square": _square,
    "rectangle": _square,
    "hex": _hex,
    "tri": _tri,
    "wedge": _wedge,
    "concentric": _concentric,
    "regular": _regular,
}
"""Shapes by their names: a ludeme, and whether cells are played on, in; their graph out."""


_MOST_LAYERS = 12


def _tiling(ludeme: Ludeme, on_cells: bool) -> Graph:
    name, *shape = words(ludeme)
    sizes = sizes_of(ludeme)
    if name != "T3464" or shape not in ([], ["Hexagon"]) or len(sizes) > 1:
        raise UnknownBoard(f"tiling {name} {' '.join(shape)}".strip())
    return _hexagons_and_squares(sizes[0])


def _hexagons_and_squares(size: int) -> Graph:
    """Build a hexagon of hexagons with squares on their sides, and triangles between these."""
    if size > _MOST_LAYERS:
        raise UnknownBoard("a tiling of this size")
    corners = [(1.0, k * math.pi / 3) for k in range(6)]
    far = (1 + _ROOT / 2) / math.cos(math.pi / 12)  # where squares end
    corners += [(far, (2 * k + 1) * math.pi / 12) for k in range(12)]
    found = Graph()
    for r in range(2 * size - 1):
        for c in range(2 * size - 1):
            if abs(r - c) < size:
                x, y = (3 + _ROOT) / 2 * (c - r), (1 + _ROOT) / 2 * (c + r)
                for length, angle in corners:
                    found.point((x + length * math.cos(angle), y + length * math.sin(angle)))
    return unit_graph(found.points)


def _quadhex(ludeme: Ludeme, on_cells: bool) -> Graph:
    """Build a hexagon of six kites, each of which is divided into quadrilaterals."""
    size = sizes_of(ludeme)[0]
    if ludeme.get("thirds") or size > _MOST_LAYERS:
        raise UnknownBoard("this quadhex")
    height = size * _ROOT / 2
    side, corner, middle = (0.0, height), (size / 2, height), (size * 3 / 4, height / 2)
    graph = Graph()
    for turn in range(6):
        angle = turn * math.pi / 3
        rows: list[list[int]] = []
        for i in range(size + 1):
            # From the centre along the line to the middle of a side, then across.
            start, end = _between((0.0, 0.0), middle, i / size), _between(side, corner, i / size)
            across = [_between(start, end, j / size) for j in range(size + 1)]
            rows.append([graph.point(_turned(point, angle)) for point in across])
        for row in (*rows, *zip(*rows, strict=True)):
            for a, b in itertools.pairwise(row):
                graph.join(a, b)
    graph.make_faces()
    graph.reorder()
    return graph


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _turned(point: Point, angle: float) -> Point:
    x, y = point
    cosine, sine = math.cos(angle), math.sin(angle)
    return x * cosine - y * sine, x * sine + y * cosine


TILINGS: dict[str, Callable[[Ludeme, bool], Graph]] = {"tiling": _tiling, "quadhex": _quadhex}
"""Tilings by their names: a ludeme, and whether cells are played on, in; their graph out."""
