"""Derive ideas from a Grid, proved for boards of every size: mirror and two-row strategies.

Let a symmetry carry kinds of moves to kinds of moves. If no move takes what its own image needs,
then whatever the opponent takes from a position that is its own image, the image of it can be taken
too, which leaves such a position again; play ends, so the opponent is the first who cannot move.
Whether a move does so depends on where it is seen from the middle, so that it is decided for all
boards at once: let w be twice the way from a move to the middle; a half-turn carries what the move
needs at n to w - n, so that the moves in question are those where w is a sum of places that it
needs and takes, and rows and columns have the parity of w. Where there are some, the first move may
spoil them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from kibitz.engine import CompiledGame, Role
from kibitz.gdl import Function
from kibitz.solve import Solution
from kibitz.strategy import columns_of, named_symmetries, write_term
from kibitz.synth.insight.grids import Cell, Grid, Kind, grid_of
from kibitz.synth.insight.ideas import HoldsFor, Idea

_BITING = (
    "a move takes a place with all that are at least as far from the poisoned corner in both "
    "directions"
)


@dataclass(frozen=True, slots=True)
class MirrorProof:
    """That mirroring wins on all boards whose sides have these parities and least lengths.

    `begins` if it is for the role that makes the first move, which is to be in the middle.
    """

    parities: Cell
    least: Cell
    begins: bool


def grid_ideas(solution: Solution, role: Role) -> Iterator[Idea]:
    """Walk the rules for a role that wins a game on a grid, all proved for boards of every size.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> from kibitz.space import explore
    >>> idea = next(grid_ideas(solve(explore(CompiledGame(load_sheet("chomp:2x3")))), "player1"))
    >>> idea.rules
    ('next count((cell 1 _ choc)) - count((cell 2 _ choc)) = 1 => any',)
    """
    if solution.value()[role] < 100:
        return
    grid = grid_of(solution.space)
    if grid is None:
        return
    begins = bool(columns_of(solution.space).to_move(role)[0])
    names = _symmetries(solution.space.game, grid)
    if "half_turn" in names and grid.poison is None:
        proof = mirror_proof(grid, begins=begins)
        if proof is not None:
            yield _mirror_idea(grid, proof, names["half_turn"])
    if begins and grid.poison is not None and len(grid.kinds) == 1 and grid.kinds[0].orthant:
        if "diagonal" in names and grid.rows == grid.columns:
            yield from _square_ideas(grid, names["diagonal"])
        yield from _two_row_ideas(grid)


def mirror_proof(grid: Grid, *, begins: bool) -> MirrorProof | None:
    """Prove that leaving what a half-turn does not change wins on all boards of such sides."""
    parities = ((grid.rows - 1) % 2, (grid.columns - 1) % 2)
    if any(kind.orthant for kind in grid.kinds) or not _are_closed(grid.kinds):
        return None
    spoiling = [
        (kind, way)
        for kind in grid.kinds
        for way in {_sum(n, k) for n in kind.needs for k in kind.takes}
        if (way[0] % 2, way[1] % 2) == parities
    ]
    if not begins:
        return None if spoiling else MirrorProof(parities, (1, 1), begins)
    if not all(kind.needs <= kind.takes for kind in grid.kinds):
        return None
    # All moves that leave the whole board its own image: those which are their own image. Others
    # would be cut off at two sides at once, for which the board is too large.
    deep, wide = (max(_extent(kind.takes, axis) for kind in grid.kinds) for axis in (0, 1))
    if not all(kind.needs == kind.takes for kind in grid.kinds):
        if grid.rows < deep or grid.columns < wide:
            return None
    else:
        deep, wide = 1, 1
    middle = [
        (kind, way)
        for kind in grid.kinds
        for way in {_sum(a, b) for a in kind.takes for b in kind.takes}
        if (way[0] % 2, way[1] % 2) == parities
        and all((way[0] - r, way[1] - c) in kind.takes for r, c in kind.takes)
    ]
    if not middle:
        return None
    for first, there in middle:
        for kind, way in spoiling:
            off = ((there[0] - way[0]) // 2, (there[1] - way[1]) // 2)
            if not any(_sum(off, n) in first.takes for n in kind.needs):
                return None
    # Some first move must fit: the smallest one fits wherever it is no longer than the board.
    sizes = [tuple(_extent(kind.takes, axis) for axis in (0, 1)) for kind, _ in middle]
    least = min(sizes, key=sum)
    return MirrorProof(parities, (max(deep, least[0]), max(wide, least[1])), begins)


def difference_to_leave(*, most: int = 12) -> int | None:
    """Return the number by which two rows should differ, for rows of every length.

    Rows of lengths a ≥ b; a bite takes the end of the second one, or the ends of both from one
    column on; whoever has to take the first place of the first row loses. A rule about a - b is
    right if every move from a position that has it breaks it, and from others some move restores
    it. Both are statements about differences of a, b, a column and 0 in which constants are at most
    one more than the number; if they fail anywhere they fail where all of these are at most 4
    times (after the column is eliminated, 8 times) as much, so that trying those is a proof.

    >>> difference_to_leave()
    1
    """
    for number in range(most):
        bound = 8 * (number + 2)
        lengths = [(a, b) for a in range(1, bound + 1) for b in range(a + 1)]
        if all((a - b == number) != _can_leave(a, b, number) for a, b in lengths):
            return number
    return None


def _can_leave(a: int, b: int, number: int) -> bool:
    """Return whether some bite but the one at the poison leaves rows that differ by a number."""
    first = any(column - min(b, column) == number for column in range(1, a))
    return first or any(a - column == number for column in range(b))


def _sum(a: Cell, b: Cell) -> Cell:
    return a[0] + b[0], a[1] + b[1]


def _extent(cells: frozenset[Cell], axis: int) -> int:
    places = [cell[axis] for cell in cells]
    return max(places) - min(places) + 1


def _are_closed(kinds: tuple[Kind, ...]) -> bool:
    """Return whether a half-turn carries kinds of moves to kinds of moves."""
    known = {(kind.needs, kind.takes) for kind in kinds}
    for kind in kinds:
        corner = max(r for r, _ in kind.needs), max(c for _, c in kind.needs)
        turned = [
            frozenset((corner[0] - r, corner[1] - c) for r, c in cells)
            for cells in (kind.needs, kind.takes)
        ]
        if (turned[0], turned[1]) not in known:
            return False
    return True


def _symmetries(game: CompiledGame, grid: Grid) -> dict[str, str]:
    """Return the names of a half-turn and of a reflection in the main diagonal, where known."""
    last = (grid.rows - 1, grid.columns - 1)
    images = {
        "half_turn": {(r, c): (last[0] - r, last[1] - c) for r, c in grid.fluents},
        "diagonal": {(r, c): (c, r) for r, c in grid.fluents},
    }
    found = {}
    for (meant, image), (name, carrier) in product(images.items(), named_symmetries(game).items()):
        moves = carrier.moves[game.roles[0]]
        carried = moves if grid.by_moves else carrier.fluents
        if all(
            carried.get(fluent, fluent) == grid.fluents.get(image[cell])
            for cell, fluent in grid.fluents.items()
        ):
            found[meant] = name
    return found


def _mirror_idea(grid: Grid, proof: MirrorProof, name: str) -> Idea:
    rows, columns = ("an even" if odd else "an odd" for odd in proof.parities)
    least = [
        f"at least {length} {what}"
        for length, what in zip(
            proof.least, ("rows", "places" if grid.rows == 1 else "columns"), strict=True
        )
        if length > 2
    ]
    board = (
        f"every row of {columns} number of places"
        if grid.rows == 1
        else f"every board with {rows} number of rows and {columns} number of columns"
    )
    sizes = (
        board + (f" and {' and '.join(least)}" if least else "") + f", as long as {_taking(grid)}"
    )
    answer = (
        "whatever the opponent takes, its image is still there for you to take, since no move "
        "reaches its own image; so the opponent is the first who finds no move."
    )
    why = (
        f"Begin in the middle: every move that reaches its own image needs a place there. After "
        f"that, {answer}"
        if proof.begins
        else answer[0].upper() + answer[1:]
    )
    return Idea((f"next unchanged({name}) => any",), (why,), HoldsFor(True, sizes))


def _taking(grid: Grid) -> str:
    """Say what a move may take."""
    said = [_shape(kind) for kind in grid.kinds]
    if all(said) and all(kind.needs == kind.takes for kind in grid.kinds):
        return f"a move takes {' or '.join(filter(None, said))} that are still there"
    if len(grid.kinds) == 1 and grid.kinds[0].needs == {(0, 0)}:
        near = range(-1, 2)
        around = {(r, c) for r in ([0] if grid.rows == 1 else near) for c in near}
        if grid.kinds[0].takes == around:
            return "a move takes a place that is still there with all places that touch it"
    return "moves need and take the same shapes anywhere on the board"


def _shape(kind: Kind) -> str | None:
    """Say which places a move takes, where it has a short name."""
    deep, wide = (_extent(kind.takes, axis) for axis in (0, 1))
    if len(kind.takes) != deep * wide:
        return None
    if deep == wide == 1:
        return "one place"
    if deep == 1:
        return f"{wide} places side by side in a row"
    if wide == 1:
        return f"{deep} places side by side in a column"
    return f"{deep} by {wide} places"


def _square_ideas(grid: Grid, name: str) -> Iterator[Idea]:
    """Leave two arms of equal length: only on the diagonal does a bite reach its own image.

    Every place of the diagonal but the poisoned corner is beyond the one next to it, and a place
    that is eaten has all beyond it eaten.
    """
    signs = grid.kinds[0].orthant
    assert signs is not None
    corner = _corner(grid)
    if signs[0] != signs[1] or grid.poison != corner or grid.rows < 2:
        return
    beside = _sum(corner, signs)
    poison, eaten = (write_term(grid.fluents[cell]) for cell in (corner, beside))
    why = (
        "Begin with the place next to the poisoned corner on the diagonal: two arms of equal "
        "length are left. Whatever the opponent bites off one arm, you can bite off the other, so "
        "that the opponent is left with the poison."
    )
    rule = f"next unchanged({name}) and next not {eaten} and next {poison} => any"
    sizes = f"every board with as many rows as columns, at least 2, as long as {_BITING}"
    yield Idea((rule,), (why,), HoldsFor(True, sizes))


def _two_row_ideas(grid: Grid) -> Iterator[Idea]:
    """Leave two rows, or columns, that differ by what is proved to be right for every length."""
    if grid.poison != _corner(grid) or 2 not in (grid.rows, grid.columns) or not grid.row_argument:
        return
    number = difference_to_leave()
    if number is None:
        return
    across = grid.rows == 2
    argument = grid.column_argument if across else grid.row_argument
    corner = _corner(grid)
    other = (1 - corner[0], corner[1]) if across else (corner[0], 1 - corner[1])
    long, short = (_count(grid.fluents[cell], argument) for cell in (corner, other))
    lines, of = ("rows", "column") if across else ("columns", "row")
    why = (
        f"The {lines[:-1]} of the poison is then {number} longer than the other one. Every bite "
        f"changes that, and whatever the opponent leaves, you can make it {number} longer again; "
        "so the opponent is left with the poison."
    )
    rule = f"next {long} - {short} = {number} => any"
    sizes = f"every board of 2 {lines} with any number of {of}s, as long as {_BITING}"
    yield Idea((rule,), (why,), HoldsFor(True, sizes))


def _corner(grid: Grid) -> Cell:
    """Return the place from which a bite takes everything."""
    signs = grid.kinds[0].orthant
    assert signs is not None
    return (
        0 if signs[0] > 0 else grid.rows - 1,
        0 if signs[1] > 0 else grid.columns - 1,
    )


def _count(fluent: Function, argument: int) -> str:
    args = (*fluent.args[: argument - 1], Function("_"), *fluent.args[argument:])
    return f"count({write_term(Function(fluent.name, args))})"
