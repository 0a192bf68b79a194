"""Hold what a search proved of a position, and who moves there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kibitz.engine import Move, Role, State
from kibitz.errors import KibitzError


def mover_of(state: State) -> Role:
    """Return the one role that has a choice; the first role where none has.

    >>> from kibitz.engine import make_game
    >>> from kibitz.games import load_sheet
    >>> mover_of(make_game(load_sheet("nim:1,2")).initial().play("(reduce a 0)"))
    'player2'
    """
    roles = state.game.roles
    several = [role for role in roles if len(state.legal(role)) > 1]
    if len(several) > 1:
        raise KibitzError(
            f"in {state.game.sheet.name} roles choose at the same time, and search takes turns only"
        )
    return several[0] if several else roles[0]


@dataclass(frozen=True)
class Proof:
    """The value of a position for each role, or bounds on it, and how it was found.

    `bounds` always hold: a role can guarantee the lower one, where play that never ends counts as
    the middle, and cannot guarantee more than the upper one. A lower one that is the least goal of
    the rules is no claim that the role can make play end. Where they meet for all roles, the
    position is proved, and `value` has them. `best` are moves that keep the value; `are_best_all`
    says whether every other move is proved to give something away. `moves` has bounds for the moves
    of whoever is to move. `plies` are those to the end with best play, where they were asked for;
    more than `more_plies_than` are needed.
    Of a position that is open, `decided_moves` says of how many moves the value is known. `book`
    says which search made the book of proofs that this one used, if there is one.
    """

    state: State
    bounds: Mapping[Role, tuple[int, int]]
    mover: Role | None
    best: tuple[Move, ...] = ()
    are_best_all: bool = False
    moves: Mapping[Move, Mapping[Role, tuple[int, int]]] = field(default_factory=dict)
    line: tuple[tuple[Move, ...], ...] = ()
    plies: int | None = None
    positions: int = 0
    seconds: float = 0.0
    method: str = "search"
    why_open: str = ""
    more_plies_than: int | None = None
    decided_moves: int | None = None
    book: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether the bounds meet."""
        return all(low == high for low, high in self.bounds.values())

    @property
    def value(self) -> dict[Role, int] | None:
        """The goal that each role can guarantee, None as long as that is open."""
        return {role: low for role, (low, _) in self.bounds.items()} if self.is_exact else None

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        write = self.state.game.write
        rate = self.positions / self.seconds if self.seconds else 0.0
        return {
            "game": self.state.game.sheet.name,
            "method": self.method,
            "value": self.value,
            "exact": self.is_exact,
            "proved": self.is_exact,
            "bounds": {role: list(pair) for role, pair in self.bounds.items()},
            "mover": self.mover,
            "best": [write(move) for move in self.best],
            "are_best_all": self.are_best_all,
            "moves": {write(move): _values(bounds) for move, bounds in self.moves.items()},
            "line": [[write(move) for move in joint] for joint in self.line],
            "plies": self.plies,
            "more_plies_than": self.more_plies_than,
            "positions": self.positions,
            "positions_per_second": round(rate, 1),
            "seconds": round(self.seconds, 3),
            "why_open": self.why_open or None,
            "decided_moves": self.decided_moves,
            "book": self.book or None,
            "legal_moves": len(self.state.legal(self.mover)) if self.mover else 0,
        }


def _values(bounds: Mapping[Role, tuple[int, int]]) -> dict[Role, int | list[int]]:
    return {role: low if low == high else [low, high] for role, (low, high) in bounds.items()}
