"""Read positions as Kibitz prints them, and give states as plain values for JSON.

A drawing is read by where the game would draw each cell, and what is found is drawn again: a text
that does not come out the same is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from textwrap import dedent
from typing import Any

from kibitz.board.drawing.position import arrange, board_lines, cell_text, label_text, text_board
from kibitz.board.layout.detection import layout_of
from kibitz.board.layout.layout import CellRef, FluentPlace, Gesture, Layout
from kibitz.engine import CompiledGame, Game, State
from kibitz.errors import InputError, KibitzError
from kibitz.gdl import Function, atoms_of, parse_terms


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell and the names of what is drawn on it, including its tile."""

    board: int
    cell: int
    name: str
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardMoveView:
    """A legal move: whose, its text, and how a person makes it."""

    role: str
    move: str
    gesture: Gesture


@dataclass(frozen=True, slots=True)
class BoardView:
    """A state as a page shows it. Cells that show nothing are left out."""

    game: str
    state: tuple[str, ...]
    cells: tuple[CellView, ...]
    turns: tuple[str, ...]
    counters: tuple[str, ...]
    labels: tuple[str, ...]
    moves: tuple[BoardMoveView, ...]
    is_terminal: bool
    goals: dict[str, int | None]


def view_of(state: State, layout: Layout | None = None) -> BoardView:
    """Describe a state: what each cell shows, what is beside the board, and the legal moves.

    >>> import kibitz
    >>> view = view_of(kibitz.load("nim:1,2").initial())
    >>> [(cell.name, cell.pieces) for cell in view.cells], view.turns
    ([('a', ('1',)), ('b', ('2',))], ('Player 1 to move',))
    """
    layout = layout or layout_of(state.game)
    position = arrange(layout, state.fluents)
    cells = tuple(
        CellView(ref.board, ref.cell, layout.cell(ref).name, tuple(p.piece for p in places))
        for ref, places in sorted(position.cells.items(), key=lambda i: (i[0].board, i[0].cell))
    )
    write = state.game.write
    moves = [] if state.is_terminal else [(r, m) for r in state.game.roles for m in state.legal(r)]
    return BoardView(
        layout.game,
        tuple(map(write, state.fluents)),
        cells,
        position.turns,
        position.counters,
        position.labels,
        tuple(BoardMoveView(role, write(move), layout.gesture(move)) for role, move in moves),
        state.is_terminal,
        state.goals,
    )


def position_json(state: State, layout: Layout | None = None) -> dict[str, Any]:
    """Return a state as plain lists and dicts."""
    import msgspec

    found: dict[str, Any] = msgspec.to_builtins(view_of(state, layout))
    return found


def layout_json(layout: Layout) -> dict[str, Any]:
    """Return a layout as plain lists and dicts.

    >>> import kibitz
    >>> from kibitz.board import layout_of
    >>> list(layout_json(layout_of(kibitz.load("sim"))))
    ['game', 'boards', 'patterns', 'moves', 'names', 'badges', 'poison']
    """
    import msgspec

    found: dict[str, Any] = msgspec.to_builtins(layout)
    return found


_EMPTY = ("", ".", "·")
_WIDEST = 12
_MOST_READINGS = 1000
_PROBE = 0xE000
"""The first of the characters that mark where cells are drawn; no game uses them."""


def read_position(game: Game, text: str) -> State:
    """Return the state of a text as Kibitz prints positions.

    >>> import kibitz
    >>> game = kibitz.load("tictactoe")
    >>> state = read_position(game, '''
    ...     1 2 3
    ...   1 . . .
    ...   2 . x .
    ...   3 . . .
    ...   O to move
    ... ''')
    >>> state == game.initial().play("(mark 2 2)")
    True
    >>> read_position(game, "3/1x1/3 oplayer") == state
    True
    """
    try:
        terms = parse_terms(text, name="position")
    except KibitzError:
        terms = ()
    kinds = {
        (atom.args[0].name, len(atom.args[0].args))
        for rule in game.sheet.rules
        for atom in (rule.head, *(atom for part in rule.body for atom, _ in atoms_of(part)))
        if atom.relation in ("init", "next", "true") and isinstance(atom.args[0], Function)
    }
    if terms and all((term.name, len(term.args)) in kinds for term in terms):
        return game.state_of(terms)
    if not isinstance(game, CompiledGame):
        raise InputError(
            f"a drawing of {game.sheet.name} cannot be read, for it could not be grounded",
            hint="give the fluents that hold, such as (control white)",
        )
    reading = _Reading(game, layout_of(game))
    rows, _, role = text.strip().rpartition(" ")
    if role in game.roles and "\n" not in rows:
        return reading.of_rows(rows.split("/"), role)
    return reading.of_drawing(text)


class _Reading:
    """Appearance of each fluent of a game in a text drawing."""

    def __init__(self, game: CompiledGame, layout: Layout) -> None:
        self.game, self.layout = game, layout
        network = game.network
        fluents = (*network.fluents, *(hidden.fluent for hidden in network.hidden))
        self.on_cell: dict[CellRef, dict[str, list[Function]]] = {}
        self.beside: dict[tuple[str, int], list[Function]] = {}
        self.turns: dict[str, list[Function]] = {}
        for fluent in fluents:
            place = layout.place(fluent) or FluentPlace("label", str(fluent))
            if place.cell is not None:
                shown = cell_text(layout.boards[place.cell.board], [place])
                self.on_cell.setdefault(place.cell, {}).setdefault(shown, []).append(fluent)
            elif place.shows == "turn":
                for said in arrange(layout, [fluent]).turns:
                    self.turns.setdefault(said, []).append(fluent)
            else:
                self.beside.setdefault((fluent.name, len(fluent.args)), []).append(fluent)

    def of_rows(self, rows: Sequence[str], role: str) -> State:
        """Read rows of signs, with numbers for empty cells, and whose turn it is."""
        board = self.layout.boards[0] if self.layout.boards else None
        levels = sorted({cell.y for cell in board.cells}) if board else []
        if board is None or len(levels) != len(rows):
            raise self.error(f"a board of {len(levels)} rows, where the text has {len(rows)}")
        shown: list[list[str] | None] = [None] * len(board.cells)
        for y, row in zip(levels, rows, strict=True):
            signs = [
                sign
                for part in re.findall(r"\d+|\D", row)
                for sign in ([""] * int(part) if part.isdigit() and len(part) < 4 else [part])
            ]
            cells = sorted((cell.x, n) for n, cell in enumerate(board.cells) if cell.y == y)
            if len(cells) != len(signs):
                raise self.error(f"{len(cells)} cells in a row, where {row!r} has {len(signs)}")
            for (_, n), sign in zip(cells, signs, strict=True):
                shown[n] = [sign] if sign else list(_EMPTY)
        choices = [
            [found for sign in signs or () for found in self.fluents_at(CellRef(0, n), sign)]
            for n, signs in enumerate(shown)
        ]
        said = [f for fluents in self.turns.values() for f in fluents if role in map(str, f.args)]
        turns: list[tuple[Function, ...]] = [(fluent,) for fluent in said] or [()]
        return self.only_state([*choices, turns], lambda state: True)

    def of_drawing(self, text: str) -> State:
        """Read a board in letters, and what stands below it."""
        plain = re.sub(r"[\[\]]", " ", text.expandtabs())
        lines = [re.sub(r"\s*<?$", "", line) for line in dedent(plain).splitlines()]
        while lines and not lines[0]:
            del lines[0]
        while lines and not lines[-1]:
            del lines[-1]
        given = list(lines)
        choices: list[list[tuple[Function, ...]]] = []
        for number, board in enumerate(self.layout.boards):
            if board.kind == "stacks":
                choices += self.piles(number, lines)
            else:
                choices += self.cells(number, lines)
        choices += [option for line in lines if line for option in self.words(line.strip())]

        def is_same(state: State) -> bool:
            drawn = text_board(state, self.layout).splitlines()
            return _flush(drawn) == _flush(given)

        return self.only_state(choices, is_same)

    def cells(self, number: int, lines: list[str]) -> list[list[tuple[Function, ...]]]:
        """Take the lines of a board off a text, and return what may hold on each cell."""
        board = self.layout.boards[number]
        unknown = ""
        for width, shift in product(range(1, _WIDEST), range(4)):
            probes = [chr(_PROBE + n) * width for n in range(len(board.cells))]
            drawn = board_lines(board, probes).splitlines()
            spans: dict[int, tuple[int, int]] = {}
            for y, line in enumerate(drawn):
                for x, char in enumerate(line):
                    if ord(char) >= _PROBE:
                        spans.setdefault(ord(char) - _PROBE, (y, max(0, x - shift)))
            if len(spans) < len(board.cells) or len(drawn) > len(lines):
                continue
            shown = []
            for n in range(len(board.cells)):
                y, x = spans[n]
                end = None if board.kind == "heaps" else max(0, x + width)
                shown.append(lines[y][x:end].strip())
            choices = [self.fluents_at(CellRef(number, n), sign) for n, sign in enumerate(shown)]
            if all(choices):
                spaced = [sign or " " for sign in shown]
                if _flush(board_lines(board, spaced).splitlines()) == _flush(lines[: len(drawn)]):
                    del lines[: len(drawn)]
                    return choices
            elif not shift and not unknown:
                wrong = next(n for n, found in enumerate(choices) if not found)
                known = " ".join(self.on_cell.get(CellRef(number, wrong), {}))
                name = board.cells[wrong].name
                unknown = f"{shown[wrong]!r} stands for nothing on {name}, which may have {known}"
        raise self.error(unknown or "it has another number of lines or columns")

    def fluents_at(self, ref: CellRef, sign: str) -> list[tuple[Function, ...]]:
        """Return the fluents that a sign on a cell may stand for."""
        board, known = self.layout.boards[ref.board], self.on_cell.get(ref, {})
        found: list[tuple[Function, ...]] = []
        if cell_text(board, []).strip() == sign:
            found.append(())
        plain = {shown.strip("() "): fluents for shown, fluents in known.items()}
        parts = [plain.get(part, []) for part in sign.strip("()").split("+")]
        found += list(product(*parts))
        if board.has_tiles:
            tiles = [
                fluent
                for fluents in known.values()
                for fluent in fluents
                if (place := self.layout.place(fluent)) and place.shows == "tile"
            ]
            found += [(*some, tile) for some in found for tile in tiles if tile not in some]
        return found

    def piles(self, number: int, lines: list[str]) -> Iterator[list[tuple[Function, ...]]]:
        """Take the lines of piles off a text, and return what lies on what."""
        board = self.layout.boards[number]
        on: dict[tuple[str, str], list[Function]] = {}
        for ref, known in self.on_cell.items():
            for fluent in (f for fluents in known.values() for f in fluents):
                place = self.layout.place(fluent)
                if ref.board == number and place is not None:
                    on.setdefault((place.piece, board.cells[ref.cell].name), []).append(fluent)
        while lines and ":" in lines[0]:
            ground, _, items = lines[0].partition(":")
            if ground.strip() not in {cell.name for cell in board.cells}:
                break
            below = ground.strip()
            for item in items.split():
                options = on.get((item, below), []) or on.get((item, ground.strip()), [])
                if not options:
                    raise self.error(f"{item} never lies on {below}")
                yield [(fluent,) for fluent in options]
                below = item
            del lines[0]

    def words(self, line: str) -> Iterator[list[tuple[Function, ...]]]:
        """Return what a line beside the board may stand for: turns, counters, or labels."""
        for parts in (line.split(", "), line.split("; "), [line]):
            found = [self.said(part) for part in parts]
            if all(found):
                yield from found
                return
        raise self.error(f"{line!r} is nothing that stands below its board")

    def said(self, text: str) -> list[tuple[Function, ...]]:
        """Return the sets of fluents that are written so."""
        found: list[tuple[Function, ...]] = [(fluent,) for fluent in self.turns.get(text, [])]
        for (_, arity), fluents in self.beside.items():
            items = {}
            for fluent in fluents:
                if label_text(self.layout, [fluent]) == text:
                    found.append((fluent,))
                words = " ".join(self.layout.called(str(arg)) for arg in fluent.args)
                items[words] = fluent
            _, colon, rest = text.partition(": ")
            listed = [items.get(one) for one in rest.split(" " if arity == 1 else ", ")]
            some = tuple(fluent for fluent in listed if fluent is not None)
            if colon and len(some) == len(listed) > 1 and label_text(self.layout, some) == text:
                found.append(some)
        return found

    def only_state(
        self, choices: list[list[tuple[Function, ...]]], is_same: Callable[[State], bool]
    ) -> State:
        """Return the one state of all choices that looks as the text does."""
        states: dict[State, None] = {}
        problem: KibitzError | None = None
        for some in islice(product(*choices), _MOST_READINGS):
            try:
                state = self.game.state_of(fluent for fluents in some for fluent in fluents)
            except KibitzError as error:
                problem = problem or error
                continue
            if is_same(state):
                states[state] = None
        if len(states) > 1:
            raise self.error(f"{len(states)} positions look like this")
        if not states:
            raise problem or self.error("it is drawn otherwise")
        return next(iter(states))

    def error(self, why: str) -> InputError:
        name = self.game.sheet.name
        start = text_board(self.game.initial(), self.layout)
        return InputError(
            f"the text is no position of {name} as Kibitz prints it: {why}",
            hint=f"the first one is\n{start}\nor give the fluents that hold, "
            f"such as {self.game.initial()}"[:2000],
        )


def _flush(lines: Sequence[str]) -> list[str]:
    """Strip what a terminal or an editor may add to lines or take from them."""
    return dedent("\n".join(line.rstrip() for line in lines)).splitlines()
