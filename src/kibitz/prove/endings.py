"""List endings below positions, by material too, with their values.

What lies below a position is listed and solved backwards, once. The values go into the table of a
search, which stops where it meets one of them. A value that holds only because play need not end
is left out, for the search answers by ends alone: of a position from which play can go in circles
only the side that wins by force is known.

The layout says what a board is, as for drawings. What a cell holds is a man, unless it stands for
nothing: what does so, random play shows, which then leaves fewer and fewer men. Only the choice of
positions rests on that, and never their values: whatever follows them is listed, and solved.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.board import CellRef, layout_of
from kibitz.core import constant
from kibitz.engine import CompiledGame, State
from kibitz.errors import IncompleteError, InputError, KibitzError
from kibitz.gdl import Function
from kibitz.prove.proof import mover_of
from kibitz.prove.table import pack, read_file, rules_digest
from kibitz.rows import least_images, row_words
from kibitz.solve import Solution, solve, solve_any
from kibitz.space import (
    SEVERAL,
    Limits,
    StateSpace,
    explore,
    longest_matches,
    rows_of,
    subspace_of,
    write_arrays,
)

if TYPE_CHECKING:
    from kibitz.prove.search import Prover


Rows = npt.NDArray[np.uint64]
Goals = npt.NDArray[np.int16]

_KIND = "endings"
_CHUNK = 1 << 15
_WORK = 60
"""The work that an ending is said to have taken, as a power, so that nothing takes its place."""


@dataclass(frozen=True)
class Endings:
    """Positions in order of their rows, each with bounds on the first role's goal.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("nim:1,2,4"))
    >>> found = endings_below(game, game.initial(), states=1_000, seconds=60)
    >>> len(found), found.bounds(game.initial())
    (52, (100, 100))
    """

    game: CompiledGame
    rows: Rows
    low: Goals
    high: Goals
    total: int | None
    about: str = ""

    def __len__(self) -> int:
        return len(self.rows)

    def bounds(self, state: State) -> tuple[int, int] | None:
        """Return bounds on what the first role gets from a position; None if it is none of these.

        Bounds that meet are the value.
        """
        if not len(self):
            return None
        row = rows_of(self.game, [state])[0]
        place = int(np.searchsorted(_whole(self.rows), _whole(row[None, :])[0]))
        if place == len(self) or (self.rows[place] != row).any():
            return None
        return int(self.low[place]), int(self.high[place])

    def joined(self, other: Endings) -> Endings:
        """Return the positions of both."""
        rows = np.concatenate([self.rows, other.rows])
        _, first = np.unique(_whole(rows), return_index=True)
        low, high = np.concatenate([self.low, other.low]), np.concatenate([self.high, other.high])
        return replace(self, rows=rows[first], low=low[first], high=high[first])

    def enter(self, prover: Prover) -> None:
        """Write the values into the table of a search; raise InputError if it has no room."""
        values, table = prover.values, prover.table
        if self.total is not None and self.total != prover.total:
            raise KibitzError(
                f"in {self.game.sheet.name} endings give the roles goals that are not opposed, "
                "and search takes only games in which one role's gain is the other's loss"
            )
        table.make_room(2 * len(self) * (len(values) - 1))
        if len(self) * (len(values) - 1) > table.places // 2:
            raise InputError(
                f"a table of {table.places:,} positions has no room for {len(self):,} endings",
                hint="allow more with --memory",
            )
        least, most = np.searchsorted(values, self.low), np.searchsorted(values, self.high)
        never = constant("INFINITE")
        for start in range(0, len(self), _CHUNK):
            part = slice(start, start + _CHUNK)
            rows = least_images(self.rows[part], prover.images)
            for aim in range(1, len(values)):
                for found, numbers in (
                    (least[part] >= aim, (0, never)), (most[part] < aim, (never, 0))
                ):  # fmt: skip
                    entry = np.uint64(pack(*numbers, aim, _WORK))
                    table.take(rows[found], np.full(found.sum(), entry))

    def save(self, path: str | Path) -> None:
        """Write them to a file, whole or not at all."""
        notes = {
            "kind": _KIND,
            "game": self.game.sheet.name,
            "rules": rules_digest(self.game),
            "total": self.total,
            "about": self.about,
        }
        write_arrays(path, {"rows": self.rows, "low": self.low, "high": self.high}, notes)

    @classmethod
    def load(cls, game: CompiledGame, path: str | Path) -> Endings:
        """Read a file; raise InputError if it is damaged or of another game."""
        arrays, notes = read_file(path, hint="kibitz endings GAME --men N -o FILE writes one")
        if notes.get("kind") != _KIND or set(arrays) != {"rows", "low", "high"}:
            raise InputError(f"{path} holds no endings", hint="name another file")
        if notes.get("rules") != rules_digest(game):
            raise InputError(
                f"{path} holds endings of {notes.get('game')}, not of these rules",
                hint="name another file",
            )
        rows, low, high = (np.array(arrays[name]) for name in ("rows", "low", "high"))
        total = notes.get("total")
        if rows.ndim != 2 or not len(rows) == len(low) == len(high):
            raise InputError(f"{path} is damaged: its arrays have different sizes")
        if total is not None and not isinstance(total, int):
            raise InputError(f"{path} is damaged: the sum of its goals is no number")
        return cls(game, rows, low, high, total, str(notes.get("about", "")))


def endings_of(solution: Solution, *, about: str = "") -> Endings:
    """Return what the states of a solved space give by force, whatever way leads to them.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.solve import solve
    >>> len(endings_of(solve(explore(CompiledGame(load_sheet("nim:1,2"))))))
    8
    """
    space = solution.space
    value = solution.values.astype(np.int16)
    must_end = longest_matches(space) >= 0
    slots = space.game.program.layout.goal_values
    goals = [goal for role, goal in slots if role == 0 and goal is not None]
    least, most = min(goals), max(goals)
    low = np.where(must_end | (value > solution.middle), value, least).astype(np.int16)
    high = np.where(must_end | (value < solution.middle), value, most).astype(np.int16)
    is_known = must_end | (value != solution.middle)
    rows = np.ascontiguousarray(space.states[is_known])
    order = np.argsort(_whole(rows))
    total = solution.total if len(space.game.roles) > 1 else None
    return Endings(
        space.game, rows[order], low[is_known][order], high[is_known][order], total, about
    )


def endings_below(
    game: CompiledGame, state: State, *, states: int = 50_000, seconds: float = 1.0
) -> Endings:
    """List and solve what lies below a position, or below those after it, if that is little.

    Positions with more than so many states below them are left to those after them, the nearest
    first, until the time is up.
    """
    deadline = time.monotonic() + seconds
    words = row_words(game.program.layout.fluent_count)
    found = Endings(
        game, np.zeros((0, words), np.uint64), np.zeros(0, np.int16), np.zeros(0, np.int16), None
    )
    waiting, seen = deque([state]), {state.key}
    while waiting and (left := deadline - time.monotonic()) > 0:
        here = waiting.popleft()
        if here.is_terminal or found.bounds(here) is not None:
            continue
        limits = Limits(states=states, seconds=left, bytes=1_000_000_000)
        try:
            solution = solve_any(explore(game, starts=[here], limits=limits, threads=1))
        except IncompleteError:
            for move in here.legal(mover_of(here)):
                after = here.play(move)
                if after.key not in seen:
                    seen.add(after.key)
                    waiting.append(after)
            continue
        if solution.kind == "exact":
            below = endings_of(solution)
            found = found.joined(below) if len(found) else below
    return found


def _whole(rows: Rows) -> npt.NDArray[Any]:
    """Return rows as values that have an order, equal where the rows are."""
    plain = np.ascontiguousarray(rows)
    return plain.view(np.dtype((np.void, plain.shape[1] * 8))).ravel()


Progress = Callable[[int, int], None]

_LEAST_CELLS = 4
_MATCHES = 30
_MOST_PLIES = 300


@dataclass(frozen=True)
class Material:
    """The cells of a board, each with what stands for nothing there and the men it can hold.

    `empty` is None for a cell that holds nothing where no fluent of it is true. `others` are the
    groups of fluents beside the board, each with None where none of it need hold.
    """

    game: CompiledGame
    empty: tuple[Function | None, ...]
    men: tuple[tuple[Function, ...], ...]
    others: tuple[tuple[Function | None, ...], ...]

    def count(self, state: State) -> int:
        """Return how many men are on the board."""
        fluents = set(state.fluents)
        return sum(any(man in fluents for man in men) for men in self.men)

    def positions(self, most: int) -> int:
        """Return how many ways there are to place at most so many men."""
        ways = [1, *(0 for _ in range(most))]
        for men in self.men:
            for count in range(most, 0, -1):
                ways[count] += ways[count - 1] * len(men)
        return sum(ways) * prod(map(len, self.others))

    def rows(self, most: int) -> Rows:
        """Return every placement of at most so many men, with everything else that may hold."""
        words = row_words(len(self.game.network.fluents))
        place = {fluent: number for number, fluent in enumerate(self.game.network.fluents)}

        def bits(*fluents: Function | None) -> Rows:
            row = np.zeros(words, dtype=np.uint64)
            for fluent in fluents:
                if fluent is not None and fluent in place:  # what is hidden has no bit
                    row[place[fluent] >> 6] |= np.uint64(1) << np.uint64(place[fluent] & 63)
            return row

        grouped = {f for group in (*self.men, *self.others, self.empty) for f in group}
        initial = self.game.initial().fluents
        base = bits(*self.empty, *(f for f in initial if f not in grouped))
        last: list[Rows] = [base[None, :]]  # placements by the last cell that has a man
        found = [base[None, :]]
        for _ in range(most):
            before = last[0]
            following = [np.zeros((0, words), dtype=np.uint64)]
            for number, (empty, men) in enumerate(zip(self.empty, self.men, strict=True)):
                parts = [before ^ (bits(empty) ^ bits(man)) for man in men]
                following.append(np.concatenate(parts))
                if number + 1 < len(last):
                    before = np.concatenate([before, last[number + 1]])
            last = following
            found.append(np.concatenate(following))
        boards = np.concatenate(found)
        for fluents, _ in self.game.grounding.groups:  # such as the one place of each man
            held = sum(((boards & bits(one)) != 0).any(axis=1).astype(np.int8) for one in fluents)
            boards = boards[np.asarray(held) <= 1]
        chosen = [bits(*choice) for choice in product(*self.others)]
        return np.concatenate([boards | choice for choice in chosen])


def material_of(game: CompiledGame, *, seed: int = 1) -> Material:
    """Find the men of a capture game; raise InputError, in one sentence, where there are none.

    >>> from kibitz.games import load_sheet
    >>> found = material_of(CompiledGame(load_sheet("breakthrough:4x4")))
    >>> str(found.empty[0]), [str(man) for man in found.men[0]], len(found.men)
    ('(cell 1 1 b)', ['(cell 1 1 black)', '(cell 1 1 white)'], 16)
    """
    name = game.sheet.name
    layout = layout_of(game)
    network = game.network
    on_cell: dict[CellRef, list[tuple[Function, str]]] = defaultdict(list)
    for fluent in (*network.fluents, *(hidden.fluent for hidden in network.hidden)):
        place = layout.place(fluent)
        if place is not None and place.cell is not None:
            on_cell[place.cell].append((fluent, place.piece))
    boards = [
        {ref: held for ref, held in on_cell.items() if ref.board == n}
        for n, board in enumerate(layout.boards)
        if board.kind not in ("heaps", "stacks")
    ]
    cells = list(max(boards, key=len, default={}).values())
    if len(cells) < _LEAST_CELLS or not any(len(held) > 1 for held in cells):
        raise InputError(f"{name} has no board of cells that hold men, so men cannot be counted")
    of_cells = {fluent for held in cells for fluent, _ in held}
    exact = {frozenset(fluents) for fluents, is_exact in game.grounding.groups if is_exact}
    others = tuple(
        fluents if is_exact else (*fluents, None)
        for fluents, is_exact in game.grounding.groups
        if not of_cells & set(fluents)
    )
    always = [
        {piece for _, piece in held}
        for held in cells
        if frozenset(fluent for fluent, _ in held) in exact
    ]
    shared = set.intersection(*always) if always else {""}
    start = set(game.initial().fluents)
    grows, fitting = False, []
    for empty in sorted(shared):
        nothing = tuple(next((f for f, piece in held if piece == empty), None) for held in cells)
        men = tuple(
            tuple(sorted((f for f, piece in held if piece != empty), key=str)) for held in cells
        )
        held = [piece for cell in cells for f, piece in cell if f in start and piece != empty]
        if len(held) == len(cells) and len(set(held)) == 1:
            continue  # a board that is full of one thing at the start is empty
        made = Material(game, nothing, men, others)
        changes = _changes(made, seed)
        grows = grows or max(changes, default=0) > 0
        if max(changes, default=0) <= 0 and min(changes, default=0) < 0:
            fitting.append((len(held) + sum(changes), made))
    if fitting:
        return min(fitting, key=lambda pair: pair[0])[1]
    if grows:
        raise InputError(f"in {name} moves add men to the board, so few men are no ending")
    raise InputError(f"in {name} random play captures no man, so positions with few are not met")


def endings_with_men(
    game: CompiledGame,
    men: int,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Endings:
    """List and solve all positions with at most so many men, reached in play or not.

    Left out are those from which play can come to a state without a legal move, to moves at the
    same time, or to goals that are not opposed: such positions come from no match of a sound game.

    >>> from kibitz.games import load_sheet
    >>> len(endings_with_men(CompiledGame(load_sheet("breakthrough:4x4")), 2))
    992
    """
    limits = limits or Limits(states=20_000_000, seconds=600, bytes=4_000_000_000)
    if men < 1:
        raise InputError(f"{men} men are too few for an ending", hint="ask for one or more")
    if len(game.roles) != 2:
        raise InputError(f"{game.sheet.name} is no game of two, and endings by men are for those")
    found = material_of(game)
    count = found.positions(men)
    if count > limits.states:
        raise InputError(
            f"{game.sheet.name} has {count:,} positions with at most {men} men, and "
            f"{limits.states:,} may be listed",
            hint="ask for fewer men",
        )
    space = explore(game, starts=found.rows(men), limits=limits, progress=progress)
    space.require_complete()
    if not _has_at_most(found, space, men):
        raise InputError(
            f"in {game.sheet.name} a move adds men to the board, so few men are no ending"
        )
    slots = game.program.layout.goal_values
    first, second = ([v for r, v in slots if r == role and v is not None] for role in (0, 1))
    total = max(first) + min(second)
    kept = ~_leads_to(space, _flaws(space, total))
    if not kept.any():
        raise InputError(f"no position of {game.sheet.name} with at most {men} men has a value")
    part = subspace_of(space, kept, np.ones(space.edges, dtype=np.bool_))
    return endings_of(solve(part, total=total), about=f"at most {men} men")


def _changes(made: Material, seed: int) -> list[int]:
    """Return by how much the number of men changes with each move of some random matches."""
    source, found = random.Random(seed), []
    for _ in range(_MATCHES):
        state = made.game.initial()
        count = made.count(state)
        for _ in range(_MOST_PLIES):
            moves = [state.legal(role) for role in made.game.roles]
            if state.is_terminal or not all(moves):
                break
            state = state.step([source.choice(legal) for legal in moves])
            before, count = count, made.count(state)
            found.append(count - before)
    return found


def _has_at_most(made: Material, space: StateSpace, men: int) -> bool:
    """Return whether no state of a space has more men."""
    place = {fluent: number for number, fluent in enumerate(made.game.network.fluents)}
    hidden = {one.fluent: one.unless for one in made.game.network.hidden}

    def holds(fluent: Function) -> npt.NDArray[np.bool_]:
        numbers = [place[fluent]] if fluent in place else list(hidden[fluent])
        is_true = np.zeros(len(space), dtype=np.bool_)
        for number in numbers:
            word = space.states[:, number >> 6]
            is_true |= (word >> np.uint64(number & 63) & np.uint64(1)).astype(np.bool_)
        return is_true if fluent in place else ~is_true

    total = np.zeros(len(space), dtype=np.int32)
    for cell in made.men:
        for man in cell:
            total += holds(man)
    return bool((total <= men).all())


def _flaws(space: StateSpace, total: int) -> npt.NDArray[np.bool_]:
    """Mark states that no sound game has: stuck, with several to move, or with unopposed goals."""
    goals = space.goals.astype(np.int32)
    ends = (goals < 0).any(axis=1) | (goals.sum(axis=1) != total)
    is_stuck = np.diff(space.first_edge) == 0
    flaws: npt.NDArray[np.bool_] = np.where(
        space.terminal, ends, is_stuck | (space.turn == SEVERAL)
    )
    return flaws


def _leads_to(space: StateSpace, marked: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Mark the states from which play can come to a marked one."""
    source = np.repeat(np.arange(len(space)), np.diff(space.first_edge))
    while True:
        more = marked.copy()
        more[source[marked[space.target]]] = True
        if (more == marked).all():
            return marked
        marked = more
