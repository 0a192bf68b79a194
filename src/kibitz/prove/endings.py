"""Positions in, those below them with their values out: endings that a search need not look into.

What lies below a position is listed and solved backwards, once. The values go into the table of a
search, which stops where it meets one of them. A value that holds only because play need not end
is left out, for the search answers by ends alone: of a position from which play can go in circles
only the side that wins by force is known.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.core import constant
from kibitz.engine import CompiledGame, State
from kibitz.errors import IncompleteError, InputError, KibitzError
from kibitz.prove.movers import mover_of
from kibitz.prove.table import pack, read_file, rules_digest
from kibitz.rows import least_images, row_words
from kibitz.solve import Solution, solve_any
from kibitz.space import Limits, explore, longest_matches, rows_of, write_arrays

if TYPE_CHECKING:
    from kibitz.prove.search import Prover

__all__ = ["Endings", "endings_below", "endings_of"]

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
