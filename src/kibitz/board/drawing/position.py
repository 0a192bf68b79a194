"""Place the fluents of a state on its boards, and draw them in letters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from kibitz.board.drawing.marks import Mark, cells_of
from kibitz.board.layout.detection import layout_of
from kibitz.board.layout.layout import Board, Cell, CellRef, FluentPlace, Layout, Tick
from kibitz.board.layout.list_boards import count_of
from kibitz.engine import State
from kibitz.gdl import Function


@dataclass(frozen=True)
class Position:
    """A state as it is shown; every fluent is in exactly one of these."""

    cells: dict[CellRef, tuple[FluentPlace, ...]]
    turns: tuple[str, ...]
    counters: tuple[str, ...]
    labels: tuple[str, ...]

    def at(self, cell: CellRef) -> tuple[FluentPlace, ...]:
        """Return what is shown on a cell."""
        return self.cells.get(cell, ())


def arrange(layout: Layout, fluents: Iterable[Function]) -> Position:
    """Put every fluent in its place.

    >>> import kibitz
    >>> from kibitz.board import layout_of
    >>> state = kibitz.load("nim:2,3").initial()
    >>> arrange(layout_of(state.game), state.fluents).turns
    ('Player 1 to move',)
    """
    cells: dict[CellRef, list[FluentPlace]] = {}
    turns: list[str] = []
    counters: dict[tuple[str, int], list[Function]] = {}
    labels: dict[tuple[str, int], list[Function]] = {}
    for fluent in fluents:
        place = layout.place(fluent) or FluentPlace("label", str(fluent))
        if place.cell is not None:
            cells.setdefault(place.cell, []).append(place)
        elif place.shows == "turn":
            turns.append(_turn(layout, fluent))
        else:
            beside = counters if place.shows == "counter" else labels
            beside.setdefault((fluent.name, len(fluent.args)), []).append(fluent)
    frozen = {cell: tuple(places) for cell, places in cells.items()}
    texts = (
        tuple(label_text(layout, alike) for alike in found.values()) for found in (counters, labels)
    )
    return Position(frozen, tuple(turns), *texts)


def pile_up(board: Board, number: int, position: Position) -> dict[int, tuple[str, ...]]:
    """Return the pile on each cell of the ground, from the bottom up.

    Where things lie on things, as in (on c b) (on b a), whatever lies on nothing is the ground. Of
    several things on one place the last in order lies below, such as the largest disk.
    """
    above: dict[str, list[str]] = {}
    for n, cell in enumerate(board.cells):
        order = {piece.name: k for k, piece in enumerate(board.pieces)}
        items = [place.piece for place in position.at(CellRef(number, n))]
        above[cell.name] = sorted(items, key=lambda item: -order.get(item, 0))
    lying = {item for items in above.values() for item in items}
    piles: dict[int, tuple[str, ...]] = {}
    for n, cell in enumerate(board.cells):
        if cell.name in lying:
            continue
        pile: list[str] = []
        stack = above[cell.name][::-1]
        while stack:
            item = stack.pop()
            if item not in pile:
                pile.append(item)
                stack += above.get(item, [])[::-1]
        piles[n] = tuple(pile)
    missing = [item for item in sorted(lying) if not any(item in pile for pile in piles.values())]
    if missing:  # Things that lie on one another in a cycle, which no sensible rules allow.
        first = next(n for n, cell in enumerate(board.cells) if set(above[cell.name]) & {*missing})
        piles[first] = tuple(missing)
    return piles


_TURN_WORDS = ("control", "turn", "to", "move", "whose")


def _turn(layout: Layout, fluent: Function) -> str:
    """Say whose turn it is; more words where there is more to it than that."""
    pattern = layout.pattern(fluent)
    words = [str(arg) for arg in fluent.args]
    role = layout.called(words.pop(pattern.key[0] if pattern and pattern.key else 0))
    named = [word for word in spaced(fluent.name).split() if word not in _TURN_WORDS]
    more = " ".join([*named, *words])
    return f"{role} to move ({more})" if more else f"{role} to move"


def label_text(layout: Layout, fluents: Sequence[Function]) -> str:
    """Write fluents of one name, the name once: `hand: red 3, blue 2`; `step 4` needs no colon."""
    if any(isinstance(arg, Function) and arg.args for fluent in fluents for arg in fluent.args):
        return ", ".join(map(str, fluents))
    name, count = spaced(fluents[0].name), len(fluents[0].args)
    rest = [" ".join(layout.called(str(arg)) for arg in fluent.args) for fluent in fluents]
    if len(rest) == 1 and (not count or (count == 1 and rest[0].isdigit())):
        return f"{name} {rest[0]}".strip()
    return f"{name}: {(' ' if count == 1 else ', ').join(rest)}"


def spaced(name: str) -> str:
    """Write a name of several words as such.

    >>> spaced("boxCount"), spaced("last_move"), spaced("Score")
    ('box count', 'last move', 'Score')
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_+", " ", name).split()
    return " ".join(words).lower() if len(words) > 1 else name


@dataclass(frozen=True)
class Stencil(Position):
    """Constraints of a rule on cells: required and forbidden content; the rest is open."""

    forbidden: dict[CellRef, tuple[FluentPlace, ...]]
    beside: tuple[str, ...]


ANSI = {
    "red": "31", "blue": "34", "green": "32", "yellow": "33", "orange": "33", "purple": "35",
    "sky": "36", "light": "97", "dark": "90", "wall": "90", "grey": "90", "tile": "33",
}  # fmt: skip

_LABELS = ("label", "second")


def text_board(
    state: State,
    layout: Layout | None = None,
    *,
    colour: bool = False,
    marks: Sequence[Mark] = (),
    turns: bool = True,
) -> str:
    """Draw a state in letters: marked cells in brackets, labels after a colon, the turn below.

    >>> import kibitz
    >>> print(text_board(kibitz.load("tictactoe").initial().step(["(mark 2 2)", "noop"])))
      1 2 3
    1 . . .
    2 . x .
    3 . . .
    O to move
    """
    layout = layout or layout_of(state.game)
    position = arrange(layout, state.fluents)
    labels = {cell: m.text for m in marks if m.style in _LABELS for cell in m.cells}
    marked = cells_of(mark for mark in marks if mark.style not in _LABELS)
    parts = []
    for number, board in enumerate(layout.boards):
        if board.kind == "stacks":
            parts.append(_stacks(board, number, position))
            continue
        shown, colours = [], []
        for index in range(len(board.cells)):
            ref = CellRef(number, index)
            places = position.at(ref)
            label = f":{labels[ref]}" if ref in labels else ""
            shown.append(cell_text(board, places) + label)
            piece = board.piece(places[0].piece) if places else None
            colours.append(ANSI.get(piece.colour, "") if piece and colour else "")
        pointed = {ref.cell for ref in marked if ref.board == number}
        parts.append(board_lines(board, shown, colours, marked=pointed))
    if turns and position.turns:
        parts.append(", ".join(position.turns))
    if position.counters:
        parts.append("; ".join(position.counters))
    parts += position.labels
    parts += [mark.text for mark in marks if not mark.cells]
    return "\n".join(parts)


def board_lines(
    board: Board,
    shown: Sequence[str],
    colours: Sequence[str] = (),
    *,
    marked: Collection[int] = (),
) -> str:
    """Put what each cell shows where it belongs, with the names of rows and columns."""
    if board.walls:
        return _maze(board, [f"[{t}]" if n in marked else t for n, t in enumerate(shown)])
    if board.kind in ("heaps", "stacks"):
        names = [cell.name for cell in board.cells]
        side = max(map(len, names))
        lines = [f"{name.rjust(side)} {t}" for name, t in zip(names, shown, strict=True)]
        return "\n".join(f"{line} <" if n in marked else line for n, line in enumerate(lines))
    if board.kind == "graph":
        board = _matrix(board)
    if board.kind == "points" and board.points:
        board = _unrolled(board)
    rows = sorted({cell.y for cell in board.cells})
    row_names = {tick.at: tick.text for tick in board.rows}
    side = max(map(len, row_names.values()), default=0 if marked else -1) + 1
    width = max(map(len, [*shown, *(tick.text for tick in board.columns)]), default=1)
    pitch = width + 1

    def offset(x: float, text: str) -> int:
        return side + round((x - 0.5) * pitch) + width - len(text)

    lines = []
    previous = None
    for y in rows:
        if previous is not None and y - previous > 1.2:
            lines.append("")
        previous = y
        line = row_names.get(y, "").rjust(side - 1)
        seen = len(line)
        row = [(cell.x, n) for n, cell in enumerate(board.cells) if cell.y == y]
        for x, n in sorted(row):
            before, after = ("[", "]") if n in marked else ("", "")
            line += " " * (offset(x, shown[n]) - seen - len(before)) + before
            seen = offset(x, shown[n]) + len(shown[n]) + len(after)
            code = colours[n] if colours else ""
            line += f"\x1b[{code}m{shown[n]}\x1b[0m" if code else shown[n]
            line += after
        lines.append(line.rstrip())
    if board.columns:
        head = ""
        for tick in sorted(board.columns, key=lambda tick: tick.at):
            head = head.ljust(offset(tick.at, tick.text)) + tick.text
        lines.insert(len(lines) if board.upwards else 0, head)
    return "\n".join(lines)


def cell_text(board: Board, places: Sequence[FluentPlace]) -> str:
    """Write what stands on a cell; things beyond the edge of a board of tiles in parentheses."""
    if board.kind == "heaps":
        return "+".join(heap_text(place.piece) for place in places)
    tiles = [place for place in places if place.shows == "tile"]
    others = [place for place in places if place.shows != "tile"]
    text = "+".join(glyph_of(board, place) for place in others or tiles)
    if board.has_tiles and others and not tiles:
        return f"({text})"
    return text or (" " if board.has_blank or board.walls or board.has_tiles else ".")


def glyph_of(board: Board, place: FluentPlace) -> str:
    """Return the sign for what is shown on a cell."""
    return board.piece(place.piece).glyph


def heap_text(name: str) -> str:
    """Write a number of counters.

    >>> heap_text("3"), heap_text("s0"), heap_text("99")
    ('●●● 3', '0', '99')
    """
    count = count_of(name)
    if count is None:
        return name
    return f"{'●' * count} {count}" if 0 < count <= 40 else str(count)


def _stacks(board: Board, number: int, position: Position) -> str:
    """Write the pile on each place, from the ground up."""
    piles = pile_up(board, number, position)
    side = max((len(board.cells[n].name) for n in piles), default=0)
    return "\n".join(
        f"{board.cells[n].name.rjust(side)}: {' '.join(items)}".rstrip()
        for n, items in piles.items()
    )


def _unrolled(board: Board) -> Board:
    """Turn a ring into a row, from its first place around."""
    cells = tuple(Cell(cell.key, n + 0.5, 0.5) for n, cell in enumerate(board.cells))
    return Board(
        "strip", cells, len(cells), 1, columns=tuple(Tick(cell.name, cell.x) for cell in cells)
    )


def _matrix(board: Board) -> Board:
    """Turn the lines of a graph into the half of a table; those of a mesh stay where they are."""
    if board.rows:
        apart = board.rows[1].at - board.rows[0].at

        def to(at: float) -> float:
            return (at - 0.5) * 2 / apart + 0.5

        cells = tuple(Cell(cell.key, to(cell.x), to(cell.y)) for cell in board.cells)
        rows = tuple(Tick(tick.text, to(tick.at)) for tick in board.rows)
        columns = tuple(Tick(tick.text, to(tick.at)) for tick in board.columns)
        return Board("grid", cells, 2 * len(columns) - 1, 2 * len(rows) - 1, rows, columns)
    names = [name for name, _, _ in board.points]
    at = {name: n + 0.5 for n, name in enumerate(names)}
    cells = tuple(Cell(cell.key, at[cell.key[1]], at[cell.key[0]]) for cell in board.cells)
    rows = tuple(Tick(name, y) for name, y in at.items() if any(c.y == y for c in cells))
    columns = tuple(Tick(name, x) for name, x in at.items() if any(c.x == x for c in cells))
    return Board("grid", cells, len(names), len(names), rows, columns)


def _maze(board: Board, shown: Sequence[str]) -> str:
    """Draw cells with walls between them."""
    width = max(map(len, shown), default=1) + 2
    walls = set(board.walls)
    at = {(int(c.x), int(c.y)): text for c, text in zip(board.cells, shown, strict=True)}
    across, down = int(board.width), int(board.height)
    names = {int(tick.at): tick.text for tick in board.rows}
    side = max(map(len, names.values()), default=0)
    lines = []
    for y in range(down + 1):
        line = " " * side + " "
        for x in range(across):
            closed = y in (0, down) or (float(x), float(y), float(x + 1), float(y)) in walls
            line += "+" + ("-" if closed else " ") * width
        lines.append(line + "+")
        if y == down:
            break
        line = names.get(y, "").rjust(side) + " "
        for x in range(across + 1):
            closed = x in (0, across) or (float(x), float(y), float(x), float(y + 1)) in walls
            line += "|" if closed else " "
            if x < across:
                line += at.get((x, y), "").center(width)
        lines.append(line)
    head = " " * side + " "
    for tick in board.columns:
        head += " " + tick.text.center(width)
    lines.insert(len(lines) if board.upwards else 0, head.rstrip())
    return "\n".join(lines)
