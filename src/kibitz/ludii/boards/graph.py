"""Model a board as a graph, and name its perimeter, corners, sides and other places."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Point = tuple[float, float]

_NEAR = 0.001
_MOST_SIDES = 32


class UnknownBoard(ValueError):  # noqa: N818 - never leaves the package
    """Failure to determine the structure of a board."""


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


_SIDES = (
    "E",
    "NE",
    "NE",
    "NE",
    "N",
    "NW",
    "NW",
    "NW",
    "W",
    "SW",
    "SW",
    "SW",
    "S",
    "SE",
    "SE",
    "SE",
)


def perimeters_of(graph: Graph) -> list[list[int]]:
    """Walk around every connected part of a graph that lies in no other."""
    around = graph.neighbours()
    covered: set[int] = set()
    found: list[list[int]] = []
    while len(covered) < len(graph.points):
        start = min(
            (i for i in range(len(graph.points)) if i not in covered),
            key=lambda i: graph.points[i][0],
        )
        walk = _around(graph, around, start)
        shape = [graph.points[index] for index in walk]
        covered |= set(walk)
        covered |= {i for i, point in enumerate(graph.points) if _inside(point, shape)}
        found.append(walk)
    return [
        walk
        for walk in found
        if not any(
            other is not walk and _inside(graph.points[walk[0]], [graph.points[i] for i in other])
            for other in found
        )
    ]


def _around(graph: Graph, around: list[list[int]], start: int) -> list[int]:
    """Walk round counter-clockwise from the leftmost point."""
    if not around[start]:
        return [start]
    x, y = graph.points[start]
    here = min(
        around[start],
        key=lambda i: math.atan2(graph.points[i][0] - x, y - graph.points[i][1]),
    )
    walk, before = [start], start
    while here != start and len(walk) <= 4 * len(graph.edges):
        walk.append(here)
        others = around[here]
        here, before = others[(others.index(before) + 1) % len(others)], here
    return walk


def _inside(point: Point, shape: Sequence[Point]) -> bool:
    x, y = point
    inside = False
    for (xa, ya), (xb, yb) in zip(shape, [*shape[1:], *shape[:1]], strict=True):
        if (ya > y) != (yb > y) and x < (xb - xa) * (y - ya) / (yb - ya) + xa:
            inside = not inside
    return inside


def corners_of(graph: Graph, perimeters: Sequence[Sequence[int]]) -> tuple[set[int], set[int]]:
    """Return the points at which perimeters turn outwards, and those at which they turn inwards."""
    convex: set[int] = set()
    concave: set[int] = set()
    for walk in perimeters:
        size = len(walk)
        if size < 6:
            convex |= set(walk)
            continue
        shape = [graph.points[index] for index in walk]
        sharpness = [_sharpness(shape, n) for n in range(size)]
        smooth = [
            (4 * sharpness[n] + sharpness[(n + 1) % size] + sharpness[n - 1]) / 6
            for n in range(size)
        ]
        kept = {
            n
            for n in range(size)
            if smooth[n] >= 0.32
            and smooth[n] >= smooth[n - 1] - 0.001
            and smooth[n] >= smooth[(n + 1) % size] - 0.001
        }
        for n in range(size):  # also neighbours that are almost as sharp
            if n in kept:
                kept |= {
                    m for m in ((n - 1) % size, (n + 1) % size) if smooth[m] >= 0.95 * smooth[n]
                }
        convex |= {walk[n] for n in kept}
        concave |= {
            walk[n]
            for n in range(size)
            if smooth[n] <= -0.25
            and smooth[n] <= smooth[n - 1] + 0.001
            and smooth[n] <= smooth[(n + 1) % size] + 0.001
        }
    return convex, concave


def _sharpness(shape: Sequence[Point], n: int) -> float:
    """Add up how far a point lies from the lines between those one, two and three further on."""
    size, here = len(shape), shape[n]
    total = 0.0
    for k in (1, 2, 3):
        a, b = shape[(n - k) % size], shape[(n + k) % size]
        turn = (here[0] - a[0]) * (b[1] - here[1]) - (here[1] - a[1]) * (b[0] - here[0])
        total += math.copysign(distance(here, a, b), turn) / k
    return total


def distance(point: Point, a: Point, b: Point) -> float:
    """Return the distance of a point from the line through two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy)
    if length < 1e-9:
        return math.hypot(point[0] - a[0], point[1] - a[1])
    return abs((point[0] - a[0]) * dy - (point[1] - a[1]) * dx) / length


def outer_faces(graph: Graph, perimeter: set[int]) -> set[int]:
    """Return the faces with a point on the perimeter."""
    return {index for index, face in enumerate(graph.faces) if perimeter & set(face)}


def corner_faces(
    graph: Graph, perimeters: Sequence[Sequence[int]], convex: set[int], concave: set[int]
) -> set[int]:
    """Return the faces at corners: beside an edge between two, or beside an edge from one."""
    corners = convex | concave
    rim = {
        frozenset(pair)
        for walk in perimeters
        for pair in zip(walk, [*walk[1:], walk[0]], strict=True)
    }
    beside: dict[frozenset[int], list[int]] = {}
    for index, face in enumerate(graph.faces):
        for side in sides_of(face):
            beside.setdefault(side, []).append(index)
    on_rim = {index for walk in perimeters for index in walk}
    found: set[int] = set()
    for corner in corners:
        edges = [frozenset(edge) for edge in graph.edges if corner in edge]
        between = [edge for edge in edges if edge <= corners]
        for edge in between or [edge for edge in edges if edge in rim]:
            if between or corner in convex:
                found |= set(beside.get(edge, [])[:1])
            else:
                found |= {
                    index
                    for index, face in enumerate(graph.faces)
                    if corner in face and len(on_rim & set(face)) == 1
                }
    return found


def sides_by_direction(
    graph: Graph, perimeters: Sequence[Sequence[int]], corners: set[int]
) -> dict[str, set[int]]:
    """Return the points on each side: a run of the perimeter between corners."""
    middle = graph.middle(range(len(graph.points)))
    found: dict[str, set[int]] = {}
    for walk in perimeters:
        turns = [n for n, index in enumerate(walk) if index in corners]
        for k, start in enumerate(turns):
            end = turns[(k + 1) % len(turns)]
            length = (end - start) % len(walk) or len(walk)
            run = [walk[(start + n) % len(walk)] for n in range(length + 1)]
            x, y = graph.middle(run)
            angle = math.atan2(y - middle[1], x - middle[0]) % (2 * math.pi)
            name = _SIDES[int((angle + math.pi / 16) / (math.pi / 8)) % 16]
            found.setdefault(name, set()).update(run)
    return found


def extremes_of(points: Sequence[Point]) -> dict[str, tuple[int, ...]]:
    """Return the places at the left, right, top and bottom end."""
    if not points:
        return dict.fromkeys(("left", "right", "bottom", "top"), ())
    xs, ys = zip(*points, strict=True)
    near = 0.01
    return {
        "left": tuple(i for i, x in enumerate(xs) if x - min(xs) < near),
        "right": tuple(i for i, x in enumerate(xs) if max(xs) - x < near),
        "bottom": tuple(i for i, y in enumerate(ys) if y - min(ys) < near),
        "top": tuple(i for i, y in enumerate(ys) if max(ys) - y < near),
    }


def centre_of(
    points: Sequence[Point], perimeter: Iterable[int], corners: Iterable[int]
) -> tuple[int, ...]:
    """Return the places for which the squared distances to the perimeter and corners are least."""
    far = [points[i] for i in corners]
    if len(points) < 100:
        far += [points[i] for i in perimeter]
    sums = [sum((x - a) ** 2 + (y - b) ** 2 for a, b in far) for x, y in points]
    least = min(sums, default=0.0)
    return tuple(i for i, value in enumerate(sums) if abs(value - least) < 0.0001)


def phases_of(neighbours: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Colour places so that neighbours differ, those first whose neighbours have two colours."""
    phases: dict[int, int] = {}
    for start in range(len(neighbours)):
        if start in phases:
            continue
        phases[start] = 0
        visited: set[int] = set()
        queue = deque([start])
        while queue:
            here = queue.popleft()
            if here in visited:
                continue
            taken = {phases[other] for other in neighbours[here] if other in phases}
            phases[here] = next(phase for phase in range(5) if phase not in taken or phase == 4)
            visited.add(here)
            for other in neighbours[here]:
                if other not in visited:
                    seen = {phases[one] for one in neighbours[other] if one in phases}
                    (queue.appendleft if len(seen) > 1 else queue.append)(other)
    return tuple(phases[index] for index in range(len(neighbours)))


_SAME_LINE = 0.001
"""Places of a dense board that are as near as this share a row, whatever the size of the board."""


def coordinates_of(points: Sequence[Point]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return row and column of each place, along the directions that fit best."""
    if not points:
        return (), ()
    xs, ys = zip(*points, strict=True)
    left, bottom, width, height = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    unit = (width + height) / 2 / math.sqrt(len(points))
    below = (left + width / 2, bottom - height)
    beside = (left - width, bottom + height / 2)
    for is_fine in (False, True):  # finer where two places would share row and column
        margin = _SAME_LINE if is_fine else 0.6 * unit
        slants = 1 if is_fine else 5
        turn, rows = _best(points, below, width, margin, [k * math.pi / 12 for k in range(slants)])
        angles = [turn + math.pi / 2 + k * math.pi / 12 for k in range(min(slants, 3))]
        columns = _best(points, beside, width, margin, angles)[1]
        if len(set(zip(rows, columns, strict=True))) == len(points):
            break
    return rows, columns


def _best(
    points: Sequence[Point], start: Point, width: float, margin: float, angles: Iterable[float]
) -> tuple[float, tuple[int, ...]]:
    best: tuple[float, float, tuple[int, ...]] | None = None
    for angle in angles:
        end = (start[0] + width * math.cos(angle), start[1] + width * math.sin(angle))
        error, groups = _groups([distance(point, start, end) for point in points], margin)
        if best is None or error < best[0]:
            best = (error, angle, groups)
            if error < 0.01:
                break
    assert best is not None
    return best[1:]


def _groups(distances: Sequence[float], margin: float) -> tuple[float, tuple[int, ...]]:
    """Group distances that are near the mean of their group; also return how bad the fit is."""
    order = sorted(range(len(distances)), key=lambda i: distances[i])
    groups: list[list[int]] = []
    mean = 0.0
    for index in order:
        if not groups or abs(distances[index] - mean) > margin:
            groups.append([])
        groups[-1].append(index)
        mean = sum(distances[i] for i in groups[-1]) / len(groups[-1])
    error = 0.01 * len(groups)
    number = [0] * len(distances)
    for n, group in enumerate(groups):
        mean = sum(distances[i] for i in group) / len(group)
        error += (mean - distances[group[-1]]) ** 2 / len(group)
        for index in group:
            number[index] = n
    return error, tuple(number)
