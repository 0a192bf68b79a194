"""Solve one game by other means, JSON out.

Run as `python -m kibitz.experiments.bench.others hand|search|peer NAME`.

*hand* and *search* are modules of the folder `benchmarks`, compiled before the clock starts: one
lists a game, the other searches its first position. *peer* is OpenSpiel's value iteration over all
states of one of its games.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from kibitz.experiments.bench.yardsticks import find_yardstick

HAND: dict[str, tuple[str, tuple[int, ...]]] = {
    "sim": ("sim_solving", ()),
    "connect:3,4x4": ("connect_solving", (4, 4, 3)),
    "connect:4,4x4": ("connect_solving", (4, 4, 4)),
    "connect:4,4x5": ("connect_solving", (4, 5, 4)),
    "connect:4,5x5": ("connect_solving", (5, 5, 4)),
}
"""For games of the library, the module that solves them and what it is called with."""

HAND_SEARCH: dict[str, tuple[str, tuple[int, ...]]] = {
    "connect:4,4x5": ("connect_search", (4, 5)),
    "connect:4,5x5": ("connect_search", (5, 5)),
    "connect:4,5x6": ("connect_search", (5, 6)),
    "connect:4,6x5": ("connect_search", (6, 5)),
    "connectfour": ("connect_search", (6, 7)),
}
"""The same for the search of a game's first position."""

PEER = {
    "tictactoe": "tic_tac_toe",
    "nim:1,3,5": "nim(pile_sizes=1;3;5,is_misere=false)",
    "connect:3,3x3": "connect_four(rows=3,columns=3,x_in_row=3)",
    "connect:3,4x4": "connect_four(rows=4,columns=4,x_in_row=3)",
}
"""What OpenSpiel calls games of the library."""


def by_hand(game: str, *, searches: bool = False) -> dict[str, Any] | None:
    """Solve a game by code written for it; None where there is none."""
    name, arguments = (HAND_SEARCH if searches else HAND)[game]
    module = find_yardstick(name)
    if not module:
        return None
    module.solve(*((3,) * len(arguments)))  # compiles it
    return _timed(lambda: module.solve(*arguments))


def has_peer() -> bool:
    """Return whether OpenSpiel is installed with cvxpy, which its value iteration imports."""
    return all(map(importlib.util.find_spec, ("pyspiel", "cvxpy")))


def by_peer(game: str) -> dict[str, Any] | None:
    """Solve a game by OpenSpiel's value iteration; None where that is not installed."""
    if not has_peer():
        return None
    pyspiel = importlib.import_module("pyspiel")
    solver = importlib.import_module("open_spiel.python.algorithms.value_iteration")

    def run() -> dict[str, Any]:
        loaded = pyspiel.load_game(PEER[game])
        values = solver.value_iteration(loaded, depth_limit=-1, threshold=0.01)
        first = float(values[str(loaded.new_initial_state())])
        return {"states": len(values), "value": 50 + 50 * first}

    return _timed(run)


def _timed(run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    start, cpu_start = time.perf_counter(), time.process_time()
    result = run()
    cpu_s, seconds = time.process_time() - cpu_start, time.perf_counter() - start
    return {**result, "seconds": seconds, "cpu_s": cpu_s}


def main() -> None:
    """Solve what the arguments name, and write the result, or null."""
    kind, game = sys.argv[1:3]
    print(json.dumps(by_peer(game) if kind == "peer" else by_hand(game, searches=kind == "search")))


if __name__ == "__main__":
    main()
