"""Say where each part of a state is drawn: boards of cells, and the places beside them.

A fluent is read as *fields*: the constants in it from left to right, where a constant such as `c4`
counts as two if it names a row and a column. A pattern says which fields name the cell, and which
name what is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from kibitz.board.drawing.pieces import Piece, make_piece
from kibitz.gdl import Function, Term

Shows = Literal["piece", "tile", "side", "count", "item", "turn", "counter", "label"]
Kind = Literal["grid", "holes", "hex", "points", "strip", "heaps", "stacks", "graph"]
Segment = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class CellRef:
    """A cell by the index of its board and its own index there."""

    board: int
    cell: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell by its name in the rules, and its centre; one unit is the side of a cell.

    On a graph a cell is the line between two points, whose places are in `ends`.
    """

    key: tuple[str, ...]
    x: float
    y: float
    ends: tuple[float, float, float, float] | None = None

    @property
    def name(self) -> str:
        """The name of the cell for people."""
        return " ".join(self.key)


@dataclass(frozen=True, slots=True)
class Tick:
    """The name of a row or a column, its place along its axis, and how far inside it is."""

    text: str
    at: float
    inset: float = 0.0


@dataclass(frozen=True)
class Board:
    """Cells that are drawn together, and the pieces that may be on them.

    `walls` and `lines` are drawn between cells: walls separate them, lines join them. `points` are
    the ends of the lines of a graph, or the names of places in a ring and of pits; `sides` are
    edges in the colour of the role that joins them. A board may lie `on` another, by its number, as
    boxes lie between lines. The names of columns are below the board if `upwards`.
    """

    kind: Kind
    cells: tuple[Cell, ...]
    width: float
    height: float
    rows: tuple[Tick, ...] = ()
    columns: tuple[Tick, ...] = ()
    pieces: tuple[Piece, ...] = ()
    walls: tuple[Segment, ...] = ()
    lines: tuple[Segment, ...] = ()
    points: tuple[tuple[str, float, float], ...] = ()
    sides: tuple[tuple[Segment, str], ...] = ()
    on: int | None = None
    title: str = ""
    cell_width: float = 1.0
    cell_height: float = 1.0
    chequered: bool = False
    upwards: bool = False

    @cached_property
    def index(self) -> dict[tuple[str, ...], int]:
        """Each cell's index by its key."""
        return {cell.key: i for i, cell in enumerate(self.cells)}

    @cached_property
    def piece_of(self) -> dict[str, Piece]:
        """Each known piece by its name."""
        return {piece.name: piece for piece in self.pieces}

    @property
    def has_blank(self) -> bool:
        """Whether a piece stands for an empty cell."""
        return any(piece.shape == "blank" for piece in self.pieces)

    @property
    def has_tiles(self) -> bool:
        """Whether cells appear and disappear."""
        return any(piece.shape == "tile" for piece in self.pieces)

    def piece(self, name: str) -> Piece:
        """Return the piece for a name, known or not."""
        return self.piece_of.get(name) or make_piece(name, self.pieces)


@dataclass(frozen=True, slots=True)
class Pattern:
    """How fluents of one name and number of arguments are shown."""

    name: str
    arity: int
    shows: Shows
    board: int = -1
    key: tuple[int, ...] = ()
    value: tuple[int, ...] = ()
    split: tuple[int, ...] = ()
    shape: str = ""


@dataclass(frozen=True, slots=True)
class MovePattern:
    """How moves of one name and number of arguments are made: which fields name which cells."""

    name: str
    arity: int
    board: int = -1
    cells: tuple[tuple[int, ...], ...] = ()
    value: tuple[int, ...] = ()
    split: tuple[int, ...] = ()
    shape: str = ""


@dataclass(frozen=True, slots=True)
class FluentPlace:
    """Where a fluent is shown: on a cell, as whose turn it is, as a counter, or as a label."""

    shows: Shows
    text: str
    cell: CellRef | None = None
    piece: str = ""


@dataclass(frozen=True, slots=True)
class Gesture:
    """How a person makes a move: a click on a cell, a drag from cell to cell, or a button."""

    kind: Literal["click", "drag", "button"]
    text: str
    cells: tuple[CellRef, ...] = ()
    value: str = ""


@dataclass(frozen=True)
class Layout:
    """Boards and patterns of a game: what is shown where, and how moves are made.

    `names` has names of pieces and roles that differ from those in the rules, and `badges` the
    piece of the first board that stands for each role. `poison` is the one cell whose move loses at
    once when play begins, if there is one.

    >>> import kibitz
    >>> from kibitz.gdl import parse_terms
    >>> from kibitz.board import layout_of
    >>> layout = layout_of(kibitz.load("tictactoe"))
    >>> place = layout.place(parse_terms("(cell 1 3 x)")[0])
    >>> layout.cell(place.cell).key, place.piece
    (('1', '3'), 'x')
    >>> layout.gesture(parse_terms("(mark 1 3)")[0]).kind
    'click'
    """

    game: str
    boards: tuple[Board, ...]
    patterns: tuple[Pattern, ...]
    moves: tuple[MovePattern, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    badges: dict[str, str] = field(default_factory=dict)
    poison: CellRef | None = None

    @cached_property
    def _patterns(self) -> dict[tuple[str, int], Pattern]:
        return {(p.name, p.arity): p for p in self.patterns}

    @cached_property
    def _moves(self) -> dict[tuple[str, int], MovePattern]:
        return {(p.name, p.arity): p for p in self.moves}

    def cell(self, ref: CellRef | None) -> Cell:
        """Return a cell of a board."""
        if ref is None:
            raise ValueError("this place is on no board")
        return self.boards[ref.board].cells[ref.cell]

    def called(self, name: str) -> str:
        """Return the name of a piece or a role for people."""
        return self.names.get(name, name)

    def pattern(self, fluent: Function) -> Pattern | None:
        """Return the pattern that shows a fluent."""
        return self._patterns.get((fluent.name, len(fluent.args)))

    def place(self, fluent: Function) -> FluentPlace | None:
        """Return where a fluent is shown; None for one that these rules cannot have."""
        pattern = self.pattern(fluent)
        if pattern is None:
            return None
        text = str(fluent)
        if pattern.board < 0:
            return FluentPlace(pattern.shows, text)
        if shape_of(fluent) != pattern.shape:
            return FluentPlace("label", text)
        fields = fields_of(fluent, pattern.split)
        ref = self._find(pattern.board, fields, pattern.key)
        if ref is None:
            return FluentPlace("label", text)
        value = " ".join(fields[i] for i in pattern.value)
        board = self.boards[pattern.board]
        name = value or pattern.name
        full = f"{pattern.name} {value}".strip()
        return FluentPlace(pattern.shows, text, ref, full if full in board.piece_of else name)

    def gesture(self, move: Function) -> Gesture:
        """Return how a person makes a move."""
        text = str(move)
        pattern = self._moves.get((move.name, len(move.args)))
        if pattern is None or pattern.board < 0 or shape_of(move) != pattern.shape:
            return Gesture("button", text)
        fields = fields_of(move, pattern.split)
        refs: list[CellRef] = []
        for key in pattern.cells:
            found = self._match(pattern.board, fields, key)
            if not found:
                return Gesture("button", text)
            refs += found
        value = " ".join(fields[i] for i in pattern.value)
        return Gesture("drag" if len(pattern.cells) > 1 else "click", text, tuple(refs), value)

    def moves_at(self, moves: Iterable[Function], cell: CellRef) -> tuple[Function, ...]:
        """Return the moves that start at a cell: clicks on it and drags from it."""
        found = []
        for move in moves:
            gesture = self.gesture(move)
            starts = gesture.cells if gesture.kind == "click" else gesture.cells[:1]
            if cell in starts:
                found.append(move)
        return tuple(found)

    def _find(self, board: int, fields: Sequence[str], key: tuple[int, ...]) -> CellRef | None:
        index = self.boards[board].index.get(tuple(fields[i] for i in key))
        return None if index is None else CellRef(board, index)

    def _match(self, board: int, fields: Sequence[str], key: tuple[int, ...]) -> list[CellRef]:
        """Return the cells that a key names; -1 is any value, as where only a column is named."""
        if -1 not in key:
            ref = self._find(board, fields, key)
            return [] if ref is None else [ref]
        return [
            CellRef(board, i)
            for i, cell in enumerate(self.boards[board].cells)
            if all(k < 0 or cell.key[n] == fields[k] for n, k in enumerate(key))
        ]


_NAME = re.compile(r"([A-Za-z]+)[_-]?(\d+)")
_DIGITS = re.compile(r"(\d)(\d)")


def split_name(name: str) -> tuple[str, str]:
    """Split a constant that names two coordinates.

    >>> split_name("c4"), split_name("23")
    (('c', '4'), ('2', '3'))
    """
    match = _NAME.fullmatch(name) or _DIGITS.fullmatch(name)
    return (match[1], match[2]) if match else (name, "")


def fields_of(term: Function, split: Sequence[int] = ()) -> tuple[str, ...]:
    """Return the constants in a term from left to right; those at `split` count as two each.

    >>> from kibitz.gdl import parse_terms
    >>> fields_of(parse_terms("(move (square 1 2) c4)")[0], (2,))
    ('1', '2', 'c', '4')
    """
    leaves: list[str] = []
    for arg in term.args:
        _leaves(arg, leaves)
    if not split:
        return tuple(leaves)
    fields: list[str] = []
    for number, leaf in enumerate(leaves):
        fields += split_name(leaf) if number in split else (leaf,)
    return tuple(fields)


def shape_of(term: Term) -> str:
    """Return a term with its constants blanked out, so that terms of one shape have like fields.

    >>> from kibitz.gdl import parse_terms
    >>> shape_of(parse_terms("(move (square 1 2) c4)")[0])
    '(move (square _ _) _)'
    """
    if isinstance(term, Function) and term.args:
        inside = (shape_of(a) if isinstance(a, Function) and a.args else "_" for a in term.args)
        return f"({term.name} {' '.join(inside)})"
    return str(term)


def _leaves(term: Term, into: list[str]) -> None:
    if isinstance(term, Function) and term.args:
        for arg in term.args:
            _leaves(arg, into)
    else:
        into.append(str(term))


Map = Callable[[float, float], tuple[float, float]]


def flip(board: Board) -> Board:
    """Turn a board upside down."""
    height = board.height
    turned = _mapped(board, lambda x, y: (x, height - y))
    rows = tuple(Tick(t.text, height - t.at, t.inset) for t in reversed(board.rows))
    return replace(turned, rows=rows, upwards=not board.upwards)


def mirror(board: Board) -> Board:
    """Exchange left and right."""
    width = board.width
    turned = _mapped(board, lambda x, y: (width - x, y))
    return replace(
        turned, columns=tuple(Tick(t.text, width - t.at, t.inset) for t in reversed(board.columns))
    )


def transpose(board: Board) -> Board:
    """Exchange rows and columns."""
    turned = _mapped(board, lambda x, y: (y, x))
    return replace(
        turned,
        width=board.height,
        height=board.width,
        rows=tuple(Tick(t.text, t.at) for t in board.columns),
        columns=tuple(Tick(t.text, t.at) for t in board.rows),
        cell_width=board.cell_height,
        cell_height=board.cell_width,
        upwards=False,
    )


def turn_layout(layout: Layout) -> Layout:
    """Rotate all boards by 180 degrees, as the other side sees them.

    >>> import kibitz
    >>> from kibitz.board import layout_of
    >>> layout = layout_of(kibitz.load("breakthrough:4x4"))
    >>> turn_layout(layout).boards[0].cells[0] == layout.boards[0].cells[0]
    False
    >>> turn_layout(turn_layout(layout)) == layout
    True
    """
    boards = tuple(
        board if board.kind in ("heaps", "stacks") else mirror(flip(board))
        for board in layout.boards
    )
    return replace(layout, boards=boards)


def _mapped(board: Board, to: Map) -> Board:
    def segment(s: Segment) -> Segment:
        (x1, y1), (x2, y2) = to(s[0], s[1]), to(s[2], s[3])
        return (x1, y1, x2, y2) if (x1, y1) <= (x2, y2) else (x2, y2, x1, y1)

    cells = []
    for cell in board.cells:
        x, y = to(cell.x, cell.y)
        ends = None
        if cell.ends:
            ends = (*to(*cell.ends[:2]), *to(*cell.ends[2:]))
        cells.append(replace(cell, x=x, y=y, ends=ends))
    return replace(
        board,
        cells=tuple(cells),
        walls=tuple(map(segment, board.walls)),
        lines=tuple(map(segment, board.lines)),
        points=tuple((name, *to(x, y)) for name, x, y in board.points),
        sides=tuple((segment(edge), colour) for edge, colour in board.sides),
    )
