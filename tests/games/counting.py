"""A hand-written game in; how many states it has, and how many plays of each length, out.

`python -m tests.games.counting NAME ...` prints the figures of games as counts.json holds them.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Hashable
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from tests.games.by_hand import Game, by_hand

S = TypeVar("S", bound=Hashable)

LIMIT = 300_000
"""States that are still counted by hand."""


class Known(TypedDict, total=False):
    """What is known of a game. Play stops at terminal states."""

    reachable: int
    """States that can be reached, the initial and the terminal ones among them."""
    terminal: int
    """The terminal ones of these."""
    perft: list[int]
    """Plays of 0, 1, 2, ... joint moves, those that ended earlier not counted again."""
    source: str


def known_counts() -> dict[str, Known]:
    text = (Path(__file__).parent / "counts.json").read_text("utf-8")
    counts: dict[str, Known] = json.loads(text)
    return counts


def reachable(game: Game[S], limit: int) -> Known | None:
    """Count states, terminal ones as well; None when there are more than the limit."""
    queue = [game.initial()]
    seen = set(queue)
    terminal = 0
    for state in queue:
        terminal += game.is_over(state)
        new = set(game.successors(state)) - seen
        seen |= new
        queue += new
        if len(queue) > limit:
            return None
    return {"reachable": len(queue), "terminal": terminal}


def perft(game: Game[S], *, nodes: int, depth: int) -> list[int]:
    """Count plays of each length up to a depth, as long as they are few enough in all."""
    level = Counter([game.initial()])
    counts = [1]
    while len(counts) <= depth:
        following: Counter[S] = Counter()
        for state, plays in level.items():
            for successor in game.successors(state):
                following[successor] += plays
        level = following
        if not level or sum(counts) + level.total() > nodes:
            break
        counts.append(level.total())
    return counts


def main(names: list[str]) -> None:
    found: dict[str, Known] = {}
    for name in names:
        game: Game[Any] = by_hand(name)
        found[name] = reachable(game, LIMIT) or {}
        found[name]["perft"] = perft(game, nodes=600_000, depth=12)
        found[name]["source"] = "by hand"
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
