"""Graph: points joined by edges, and the faces between them; what board ludemes build."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

__all__ = ["Graph", "Point", "UnknownBoard"]

Point = tuple[float, float]

_NEAR = 0.001
_MOST_SIDES = 32


class UnknownBoard(ValueError):  # noqa: N818 - never leaves the package
    """What a board is made of is not known."""


@dataclass
class Graph:
    """Points, edges as pairs of their indices, and faces as their corners in turn.

    `curved` are the edges along a circle, `pivots` say around which point a point turns, and `turn`
    by what angle the whole was rotated, which leaves the order of neighbours as it was.

    >>> graph = Graph([(0, 0), (1, 0), (0, 1)], [(0, 1), (1, 2), (2, 0)])
    >>> graph.make_faces()
    >>> graph.faces
    [(0, 2, 1)]
    """

    points: list[Point] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)
    faces: list[tuple[int, ...]] = field(default_factory=list)
    curved: set[frozenset[int]] = field(default_factory=set)
    pivots: dict[int, int] = field(default_factory=dict)
    turn: float = 0.0

    def find(self, point: Point, near: float = _NEAR) -> int | None:
        """Return the index of the point at a place."""
        x, y = point
        for index, (a, b) in enumerate(self.points):
            if abs(a - x) + abs(b - y) < near:
                return index
        return None

    def point(self, point: Point) -> int:
        """Return the index of the point at a place, where one is added if there is none."""
        found = self.find(point)
        if found is None:
            self.points.append(point)
            found = len(self.points) - 1
        return found

    def join(self, a: int, b: int, *, curved: bool = False) -> None:
        """Add an edge between two points, unless there is one."""
        if a != b and frozenset((a, b)) not in self.edge_set():
            self.edges.append((a, b))
            if curved:
                self.curved.add(frozenset((a, b)))

    def edge_set(self) -> set[frozenset[int]]:
        """Return the edges as sets of two points."""
        return {frozenset(edge) for edge in self.edges}

    def neighbours(self) -> list[list[int]]:
        """Return, for each point, those joined to it, by the angle from -180 degrees on."""
        found: list[list[int]] = [[] for _ in self.points]
        for a, b in self.edges:
            found[a].append(b)
            found[b].append(a)
        for index, others in enumerate(found):
            angles = {other: self._angle(index, other) for other in others}
            others.sort(key=angles.__getitem__)
        return found

    def _angle(self, start: int, end: int) -> float:
        (xa, ya), (xb, yb) = self.points[start], self.points[end]
        angle = math.atan2(yb - ya, xb - xa) - self.turn
        if not self.turn:
            return angle
        # A hair more than half a turn still counts as half a turn.
        return math.pi - (math.pi - angle + 1e-7) % (2 * math.pi)

    def make_faces(self) -> None:
        """Find all faces, in the order of their first points: each is walked round clockwise."""
        around = self.neighbours()
        seen: set[frozenset[int]] = set()
        self.faces = []
        for start, others in enumerate(around):
            for first in others:
                face = self._walk(around, start, first)
                if len(face) >= 3 and frozenset(face) not in seen and self._area(face) < -1e-9:
                    seen.add(frozenset(face))
                    self.faces.append(tuple(face))

    def _walk(self, around: list[list[int]], start: int, first: int) -> list[int]:
        """Leave a point by the edge after that to `first`, turn that way, until it is back."""
        face, here, before = [start], start, first
        while len(face) <= _MOST_SIDES:
            others = around[here]
            if len(others) < 2:
                return []
            here, before = others[(others.index(before) + 1) % len(others)], here
            if here == start:
                return face
            if here in face:
                return []
            face.append(here)
        return []

    def _area(self, face: Sequence[int]) -> float:
        corners = [self.points[index] for index in face]
        turned = corners[1:] + corners[:1]
        return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, turned, strict=True))

    def middle(self, indices: Iterable[int]) -> Point:
        """Return the middle of some points."""
        points = [self.points[index] for index in indices]
        return (sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points))

    def reorder(self) -> None:
        """Number points and faces from the bottom up and from left to right."""
        order = sorted(range(len(self.points)), key=lambda i: _rank(self.points[i]))
        self._renumber(order)
        self.faces.sort(key=lambda face: _rank(self.middle(face)))

    def _renumber(self, order: Sequence[int]) -> None:
        """Keep the points with these indices, in this order, and what lies on them alone."""
        new = {old: index for index, old in enumerate(order)}
        self.points = [self.points[old] for old in order]
        self.edges = [(new[a], new[b]) for a, b in self.edges if a in new and b in new]
        self.faces = [tuple(new[i] for i in f) for f in self.faces if all(i in new for i in f)]
        self.curved = {
            frozenset(new[i] for i in e) for e in self.curved if all(i in new for i in e)
        }
        self.pivots = {new[a]: new[b] for a, b in self.pivots.items() if a in new and b in new}

    def without_points(self, gone: Iterable[int]) -> None:
        """Remove points, with their edges and faces."""
        removed = set(gone)
        self._renumber([i for i in range(len(self.points)) if i not in removed])

    def without_edge(self, a: int, b: int) -> None:
        """Remove an edge, and the faces beside it."""
        gone = frozenset((a, b))
        self.edges = [edge for edge in self.edges if frozenset(edge) != gone]
        self.faces = [face for face in self.faces if gone not in sides_of(face)]

    def without_faces(self, gone: Iterable[int], *, trim: bool) -> None:
        """Remove faces; to trim is to remove the edges that then belong to no face."""
        removed = set(gone)
        lost = [sides_of(face) for index, face in enumerate(self.faces) if index in removed]
        self.faces = [face for index, face in enumerate(self.faces) if index not in removed]
        if trim:
            kept = {side for face in self.faces for side in sides_of(face)}
            orphans = {side for sides in lost for side in sides} - kept
            self.edges = [edge for edge in self.edges if frozenset(edge) not in orphans]

    def bounds(self) -> tuple[float, float, float, float]:
        """Return the least and greatest coordinates: left, bottom, right, top."""
        if not self.points:
            return (0, 0, 0, 0)
        xs, ys = zip(*self.points, strict=True)
        return (min(xs), min(ys), max(xs), max(ys))


def sides_of(face: Sequence[int]) -> set[frozenset[int]]:
    """Return the edges around a face."""
    return {frozenset((face[i - 1], face[i])) for i in range(len(face))}


def _rank(point: Point) -> float:
    return point[1] * 100 + point[0]
