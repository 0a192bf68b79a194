"""The ludeme of a tiling by several shapes in, its Graph out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from kibitz.ludii.boards.graph import Graph, Point, UnknownBoard
from kibitz.ludii.boards.shapes import sizes_of, unit_graph, words
from kibitz.ludii.ludemes import Ludeme

__all__ = ["TILINGS"]

_ROOT = math.sqrt(3)
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
