"""A Graph in, what its places are called out: perimeter, corners, sides, centre, rows, phases."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence

from kibitz.ludii.boards.graph import Graph, Point, sides_of

__all__ = [
    "centre_of",
    "coordinates_of",
    "corner_faces",
    "corners_of",
    "distance",
    "extremes_of",
    "outer_faces",
    "perimeters_of",
    "phases_of",
    "sides_by_direction",
]

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
