"""A Grid in, its orientation out: which axis goes down the page, and in which direction.

Evidence, the strongest first: where pieces first land when they fall, on which sides the players
start, which way moves called north or up go, letters beside numbers as on a chessboard, what the
rules call their variables, and last the sides again, where all start in one outer row.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from kibitz.board.layout.grids import Grid, style_of
from kibitz.board.layout.static_facts import owner_of
from kibitz.board.layout.survey import Survey
from kibitz.gdl import Function, Rule, Variable, atoms_of

__all__ = ["Orientation", "ragged_rows", "turn"]


@dataclass(frozen=True, slots=True)
class Orientation:
    """Which axis, 0 or 1, is drawn from top to bottom, and which axes run backwards."""

    vertical: int = 0
    upwards: bool = False
    leftwards: bool = False


def turn(grid: Grid, survey: Survey, *, is_chess: bool = False) -> Orientation:
    """Decide the orientation of a grid; the first row of a chessboard is at the bottom."""
    ragged = ragged_rows(grid)
    if ragged is not None:
        return Orientation(ragged)
    sides = _sides(grid, survey)
    found = _falling(grid, survey) or (None if _on_one_edge(grid, survey) else sides)
    if found:
        return found
    first, second = map(style_of, grid.orders)
    if first[:1] == "c" and second[:1] == "r":
        return Orientation(1)
    found = _ways(grid, survey)
    if found:
        return found
    if first == "letters" != second:
        return Orientation(1, upwards=True)
    if second == "letters" != first:
        return Orientation(0, upwards=True)
    return _names(grid, survey) or sides or Orientation(upwards=is_chess)


def ragged_rows(grid: Grid) -> int | None:
    """Return the axis whose rows all start at the first column and differ in length by odd numbers.

    Such rows are drawn centred, each shifted by half a cell: triangles, hexagons, stars.
    """
    for axis in (0, 1):
        across = grid.orders[1 - axis]
        lengths = []
        for name in grid.orders[axis]:
            row = {key[-1 - axis] for key in grid.cells if key[axis - 2] == name}
            if row != set(across[: len(row)]):
                break
            lengths.append(len(row))
        else:
            steps = [abs(a - b) for a, b in pairwise(lengths)]
            if steps and all(step % 2 for step in steps):
                return axis
    return None


def _falling(grid: Grid, survey: Survey) -> Orientation | None:
    """First pieces land anywhere in a row, but only in the last rows: there is the ground."""
    if grid.pieces(survey.initial):
        return None
    landed: set[tuple[str, str]] = set()
    for step in survey.first_steps:
        landed |= set(grid.pieces(step.after))
    for axis in (1, 0):
        along, across = grid.orders[axis], grid.orders[1 - axis]
        rows = {cell[axis] for cell in landed}
        columns = {cell[1 - axis] for cell in landed}
        if columns == set(across) and len(rows) < len(along) and len(landed) > 1:
            if rows == set(along[: len(rows)]):
                return Orientation(axis, upwards=True)
            if rows == set(along[-len(rows) :]):
                return Orientation(axis, upwards=False)
    return None


def _on_one_edge(grid: Grid, survey: Survey) -> bool:
    """Return whether all pieces start in one outer row or column, from where they may run."""
    cells = grid.pieces(survey.initial)
    lines = ({cell[axis] for cell in cells} for axis in (0, 1))
    ends = ({order[0], order[-1]} for order in grid.orders)
    return any(len(line) == 1 and line <= end for line, end in zip(lines, ends, strict=True))


def _sides(grid: Grid, survey: Survey) -> Orientation | None:
    """The players start on opposite sides: the first one, or white, sits at the bottom."""
    sides: dict[str, list[tuple[str, str]]] = {}
    for cell, name in grid.pieces(survey.initial).items():
        owner = owner_of(name, survey.owners)
        if owner:
            sides.setdefault(owner, []).append(cell)
    roles = [role for role in survey.game.roles if role in sides]
    if len(roles) != 2:
        return None
    roles.sort(key=lambda role: role.lower() != "white")
    apart = []
    for axis in (0, 1):
        order = {name: n for n, name in enumerate(grid.orders[axis])}
        first, second = ([order[cell[axis]] for cell in sides[role]] for role in roles)
        if max(first) < min(second):
            apart.append(Orientation(axis, upwards=True))
        elif max(second) < min(first):
            apart.append(Orientation(axis, upwards=False))
    return apart[0] if len(apart) == 1 else None


_WAYS = {"north": -1, "up": -1, "south": 1, "down": 1}
_ACROSS = {"west": -1, "left": -1, "east": 1, "right": 1}


def _ways(grid: Grid, survey: Survey) -> Orientation | None:
    """See where things go by moves called after directions."""
    orders = [{name: n for n, name in enumerate(order)} for order in grid.orders]
    votes: Counter[tuple[int, bool]] = Counter()
    for step in survey.steps:
        named = [way for move in step.joint if (way := _way(move))]
        before, after = grid.pieces(step.before), grid.pieces(step.after)
        left = [cell for cell in before if cell not in after]
        come = [cell for cell in after if cell not in before]
        if len(named) != 1 or len(left) != 1 or len(come) != 1:
            continue
        moved = [orders[k][come[0][k]] - orders[k][left[0][k]] for k in (0, 1)]
        if (moved[0] == 0) == (moved[1] == 0):
            continue
        axis = 0 if moved[0] else 1
        if named[0] in _WAYS:
            votes[axis, moved[axis] * _WAYS[named[0]] < 0] += 1
    if not votes:
        return None
    (axis, upwards), _ = min(votes.items(), key=lambda item: (-item[1], item[0]))
    return Orientation(axis, upwards)


def _way(move: Function) -> str | None:
    words = [move.name, *(str(arg) for arg in move.args)]
    for word in words:
        lower = word.lower().removeprefix("mov_").removeprefix("go").removeprefix("move")
        if lower in _WAYS or lower in _ACROSS:
            return lower
    return None


def _names(grid: Grid, survey: Survey) -> Orientation | None:
    """Look at what the rules call the fields: x and y, or rows and columns."""
    if grid.table.split or len(grid.axes) != 2:
        return None
    votes: Counter[str] = Counter()
    for rule in survey.game.sheet.rules:
        for term in _terms(rule):
            if term.name != grid.table.name or len(term.args) != grid.table.arity:
                continue
            if max(grid.axes) >= len(term.args):
                return None
            first, second = (term.args[k] for k in grid.axes)
            if isinstance(first, Variable) and isinstance(second, Variable):
                votes[_axis_name(first.name) + _axis_name(second.name)] += 1
    if votes["xy"] > votes["yx"]:
        return Orientation(1, upwards=True)
    if votes["cr"] > votes["rc"]:
        return Orientation(1)
    return None


def _axis_name(name: str) -> str:
    lower = name.lower()
    for start, axis in (("col", "c"), ("row", "r"), ("x", "x"), ("y", "y"), ("file", "c")):
        if lower.startswith(start):
            return axis
    return "?"


def _terms(rule: Rule) -> list[Function]:
    atoms = [rule.head, *(atom for part in rule.body for atom, _ in atoms_of(part))]
    return [
        atom.args[0]
        for atom in atoms
        if atom.relation in ("true", "next", "init") and atom.args
        if isinstance(atom.args[0], Function)
    ]
