"""Build the Graph that a ludeme describes: shapes, and operations on graphs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from kibitz.ludii.boards.graph import Graph, Point, UnknownBoard
from kibitz.ludii.boards.shapes import MOST_AWAY, MOST_POINTS, SHAPES, TILINGS, number
from kibitz.ludii.tokens import Ludeme

_GENERATORS = {**SHAPES, **TILINGS}
_MERGED = 0.01
"""Points nearer than this become one when graphs are merged."""


def build_graph(ludeme: Ludeme, *, on_cells: bool) -> Graph:
    """Build the graph that a ludeme describes; raise UnknownBoard for what is not known.

    >>> from kibitz.ludii.tokens import parse_ludemes
    >>> graph = build_graph(parse_ludemes("(shift 1 0 (wedge 2))", name="x"), on_cells=False)
    >>> graph.points
    [(2.0, 1.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]
    """
    if ludeme.shape != "call":
        raise UnknownBoard(f"{ludeme} is no graph")
    if ludeme.name in _GENERATORS:
        graph = _GENERATORS[ludeme.name](ludeme, on_cells)
    elif ludeme.name in _OPERATIONS:
        graph = _OPERATIONS[ludeme.name](ludeme, on_cells)
    else:
        raise UnknownBoard(ludeme.kind)
    if len(graph.points) > MOST_POINTS:
        raise UnknownBoard(f"a board of more than {MOST_POINTS:,} points")
    if any(not abs(place) <= MOST_AWAY for point in graph.points for place in point):
        raise OverflowError(f"a point that is more than {MOST_AWAY:,} away")
    return graph


def _parts(ludeme: Ludeme, on_cells: bool) -> list[Graph]:
    """Build the graphs inside a ludeme, which may stand in a list."""
    found: list[Graph] = []
    for item in ludeme.unlabelled():
        if item.shape == "list":
            found += [build_graph(one, on_cells=on_cells) for one in item.items]
        elif item.shape == "call" and item.name in (_GENERATORS.keys() | _OPERATIONS.keys()):
            found.append(build_graph(item, on_cells=on_cells))
        elif item.shape == "call" and not _is_number(item):
            raise UnknownBoard(item.kind)
    if not found:
        raise UnknownBoard(f"{ludeme.name} without a graph")
    return found


def _is_number(ludeme: Ludeme) -> bool:
    try:
        number(ludeme)
    except UnknownBoard:
        return False
    return True


def _numbers(ludeme: Ludeme) -> list[float]:
    """Return the numbers of an operation, at least one."""
    found = [number(item) for item in ludeme.unlabelled() if _is_number(item)]
    if not found:
        raise UnknownBoard(f"{ludeme.name} without a number")
    return found


def _moved(graph: Graph, place: Callable[[Point], Point]) -> Graph:
    graph.points = [place(point) for point in graph.points]
    return graph


def _shift(ludeme: Ludeme, on_cells: bool) -> Graph:
    dx, dy = (*_numbers(ludeme), 0.0)[:2]
    return _moved(_parts(ludeme, on_cells)[0], lambda p: (p[0] + dx, p[1] + dy))


def _scale(ludeme: Ludeme, on_cells: bool) -> Graph:
    values = _numbers(ludeme)
    sx, sy = (values * 2)[:2] if len(values) == 1 else values[:2]
    return _moved(_parts(ludeme, on_cells)[0], lambda p: (p[0] * sx, p[1] * sy))


def _rotate(ludeme: Ludeme, on_cells: bool) -> Graph:
    """Turn a graph around the middle of its bounds."""
    graph = _parts(ludeme, on_cells)[0]
    angle = math.radians(_numbers(ludeme)[0])
    left, bottom, right, top = graph.bounds()
    x0, y0 = (left + right) / 2, (bottom + top) / 2
    cos, sin = math.cos(angle), math.sin(angle)

    def place(point: Point) -> Point:
        dx, dy = point[0] - x0, point[1] - y0
        return (x0 + dx * cos - dy * sin, y0 + dy * cos + dx * sin)

    graph.turn += angle
    return _moved(graph, place)


def _skew(ludeme: Ludeme, on_cells: bool) -> Graph:
    graph = _parts(ludeme, on_cells)[0]
    amount, bottom = _numbers(ludeme)[0], graph.bounds()[1]
    return _moved(graph, lambda p: (p[0] + (p[1] - bottom) * amount, p[1]))


def _union(ludeme: Ludeme, on_cells: bool) -> Graph:
    return _together(_parts(ludeme, on_cells), near=0)


def _merge(ludeme: Ludeme, on_cells: bool) -> Graph:
    graph = _together(_parts(ludeme, on_cells), near=_MERGED)
    graph.make_faces()
    return graph


def _together(graphs: Sequence[Graph], near: float) -> Graph:
    """Put graphs over one another; points that are near become one, the first."""
    whole = Graph()
    for graph in graphs:
        new = {}
        for index, point in enumerate(graph.points):
            found = whole.find(point, near) if near else None
            if found is None:
                found = len(whole.points)
                whole.points.append(point)
            new[index] = found
        for a, b in graph.edges:
            whole.join(new[a], new[b], curved=frozenset((a, b)) in graph.curved)
        whole.faces += [tuple(new[index] for index in face) for face in graph.faces]
        whole.pivots |= {new[a]: new[b] for a, b in graph.pivots.items()}
    return whole


def _rows(ludeme: Ludeme | None) -> list[tuple[Ludeme, ...]]:
    found = [item.items for item in ludeme.items] if ludeme else []
    if any(len(row) < 2 for row in found):
        raise UnknownBoard(f"{ludeme} is no list of pairs")
    return found


def _at(graph: Graph, place: Ludeme) -> int | None:
    """Return the point that an index or a pair of coordinates names."""
    if place.shape == "list":
        return graph.find((number(place.items[0]), number(place.items[1])))
    index = int(number(place))
    return index if 0 <= index < len(graph.points) else None


def _add(ludeme: Ludeme, on_cells: bool) -> Graph:
    graph = _parts(ludeme, on_cells)[0]
    if ludeme.get("connect") or ludeme.get("cells"):
        raise UnknownBoard("add with cells or connect")
    for row in _rows(ludeme.get("vertices")):
        graph.point((number(row[0]), number(row[1])))
    for row in [*_rows(ludeme.get("edges")), *_rows(ludeme.get("edgesCurved"))]:
        ends = [
            graph.point((number(end.items[0]), number(end.items[1])))
            if end.shape == "list"
            else _at(graph, end)
            for end in row[:2]
        ]
        if ends[0] is not None and ends[1] is not None:
            graph.join(ends[0], ends[1], curved=len(row) > 2)
    return graph


def _remove(ludeme: Ludeme, on_cells: bool) -> Graph:
    graph = _parts(ludeme, on_cells)[0]
    trim = (item := ludeme.get("trimEdges")) is None or item.name == "True"
    if cells := ludeme.get("cells"):
        graph.without_faces([int(number(item)) for item in cells.items], trim=trim)
    for row in _rows(ludeme.get("edges")):
        a, b = (_at(graph, end) for end in row[:2])
        if a is not None and b is not None:
            graph.without_edge(a, b)
    if vertices := ludeme.get("vertices"):
        found = [_at(graph, item) for item in vertices.items]
        graph.without_points(index for index in found if index is not None)
    return graph


def _split(ludeme: Ludeme, on_cells: bool) -> Graph:
    """Put a point where two edges cross, and join it to the four ends."""
    graph = _parts(ludeme, on_cells)[0]
    for _ in range(MOST_POINTS):
        crossing = _first_crossing(graph)
        if crossing is None:
            break
        first, second, point = crossing
        graph.edges = [edge for edge in graph.edges if edge not in (first, second)]
        middle = graph.point(point)
        for end in (*first, *second):
            graph.join(end, middle)
    graph.make_faces()
    return graph


def _first_crossing(
    graph: Graph,
) -> tuple[tuple[int, int], tuple[int, int], Point] | None:
    for i, (a, b) in enumerate(graph.edges):
        (ax, ay), (bx, by) = graph.points[a], graph.points[b]
        for c, d in graph.edges[i + 1 :]:
            if {a, b} & {c, d}:
                continue
            (cx, cy), (dx, dy) = graph.points[c], graph.points[d]
            turn = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
            if abs(turn) < 1e-9:
                continue
            s = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / turn
            t = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / turn
            if 0.001 < s < 0.999 and 0.001 < t < 0.999:
                return (a, b), (c, d), (ax + s * (bx - ax), ay + s * (by - ay))
    return None


def _make_faces(ludeme: Ludeme, on_cells: bool) -> Graph:
    graph = _parts(ludeme, on_cells)[0]
    graph.make_faces()
    return graph


def _renumber(ludeme: Ludeme, on_cells: bool) -> Graph:
    graph = _parts(ludeme, on_cells)[0]
    graph.reorder()
    return graph


def _graph(ludeme: Ludeme, on_cells: bool) -> Graph:
    graph = Graph([(number(row[0]), number(row[1])) for row in _rows(ludeme.get("vertices"))])
    for row in _rows(ludeme.get("edges")):
        graph.join(int(number(row[0])), int(number(row[1])))
    if any(not 0 <= index < len(graph.points) for edge in graph.edges for index in edge):
        raise UnknownBoard("an edge between points that are not there")
    graph.make_faces()
    return graph


_OPERATIONS: dict[str, Callable[[Ludeme, bool], Graph]] = {
    "add": _add,
    "graph": _graph,
    "makeFaces": _make_faces,
    "merge": _merge,
    "remove": _remove,
    "renumber": _renumber,
    "rotate": _rotate,
    "scale": _scale,
    "shift": _shift,
    "skew": _skew,
    "splitCrossings": _split,
    "union": _union,
}
