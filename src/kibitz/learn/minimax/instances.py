"""Start positions of paper 004, from small to classical, for its two games."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.errors import InputError


@dataclass(frozen=True, slots=True)
class Instance:
    """A library game, and the fluents of the state to start from; its initial state if none."""

    game: str
    fluents: str = ""


def _marks(a: tuple[tuple[int, int], ...], b: tuple[tuple[int, int], ...], turn: str) -> Instance:
    has = [f"(has {player} (c {r} {c}))" for player, at in (("a", a), ("b", b)) for r, c in at]
    free = [
        f"(free (c {r} {c}))" for r in range(1, 4) for c in range(1, 4) if (r, c) not in (*a, *b)
    ]
    return Instance("marks", " ".join([*has, *free, f"(control {turn})"]))


INSTANCES: dict[str, dict[str, Instance]] = {
    "nim": {
        "S": Instance("piles:2,2,3,0"),
        "M": Instance("piles:1,2,3,3"),
        "L": Instance("piles:1,3,3,4"),
        "classical": Instance("piles:1,3,5,7"),
    },
    "tictactoe": {
        "S": _marks(((1, 2),), ((1, 1), (3, 3)), "a"),
        "M": _marks(((3, 1),), ((3, 3),), "a"),
        "L": _marks(((1, 3),), (), "b"),
        "classical": Instance("marks"),
    },
}
"""The instances of each game by size (paper 004, figures 14 and 15)."""


def find_instance(game: str, size: str) -> Instance:
    """Return an instance; raise InputError where there is none.

    >>> find_instance("nim", "S").game
    'piles:2,2,3,0'
    """
    family = {"piles": "nim", "marks": "tictactoe"}.get(game, game)
    if family not in INSTANCES:
        raise InputError(
            f"{game} has no instances by size",
            hint=f"games that do: {' '.join(INSTANCES)}; others start from --position",
        )
    sizes = INSTANCES[family]
    if size not in sizes:
        raise InputError(f"{game} has no instance {size}", hint=f"instances: {' '.join(sizes)}")
    return sizes[size]
