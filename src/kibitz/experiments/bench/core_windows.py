"""Run loops of the core in windows of processor time, for `kibitz bench core`.

Run by its path in a child process, so that it measures whichever Kibitz is on the path: it may call
only what versions that are compared have in common. Reads the length of a window from each line of
stdin, and writes what was done in it and in how many CPU-seconds.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

Work = Callable[[float], float]
"""Does some work, at most for so many seconds where it can be stopped, and returns how much."""

_WARM_S = 1.2
_MATCHES, _BLOCK_ROUNDS, _SEARCHED, _PLAYOUTS, _ROUNDS = 4096, 5000, 200_000, 1000, 8
_PLAYED = (
    *("tictactoe", "connectfour", "nim:1,2,4,5", "sum15"),
    *("sim", "breakthrough", "knightthrough", "tictacchec"),
)


def _game(name: str, backend: str = "auto") -> Any:
    from kibitz.engine import CompiledGame
    from kibitz.games import load_sheet

    return CompiledGame(load_sheet(name), backend=backend)


def _gates(name: str, backend: str) -> Work:
    game = _game(name, backend)
    machine, memory = game.machine, game.machine.memory()
    gates = game.program.view.gate_count + game.program.step.gate_count

    def work(_: float) -> float:
        for _again in range(1000):
            machine.view(memory)
            machine.step(memory)
        return float(1000 * gates)

    return work


def _perft(name: str, depth: int) -> Work:
    from kibitz.engine import perft

    game = _game(name)
    return lambda _: sum(perft(game, depth, stop_at_terminal=True, threads=1).per_depth)


def _playouts(name: str) -> Work:
    tally = _game(name).machine.playouts(1)

    def work(_: float) -> float:
        before = int(tally.counts[0])
        tally.run(_BLOCK_ROUNDS)
        return int(tally.counts[0]) - before

    return work


def _listing(name: str) -> Work:
    from kibitz.space import explore

    game = _game(name)
    return lambda _: explore(game, threads=1).edges


def _layers(name: str) -> Work:
    from kibitz.space import explore_layers

    game = _game(name)
    return lambda _: explore_layers(game, threads=1).edges


def _sweep(name: str) -> Work:
    from kibitz.solve import solve
    from kibitz.space import explore

    space = explore(_game(name), threads=1)

    def work(_: float) -> float:
        solve(space)
        return space.edges

    return work


def _layer_sweep(name: str) -> Work:
    from kibitz.solve import solve_layers
    from kibitz.space import explore_layers

    space = explore_layers(_game(name), threads=1)

    def work(_: float) -> float:
        solve_layers(space, threads=1)
        return space.edges

    return work


def _checking(name: str, strategy: str, role: str) -> Work:
    from kibitz.solve import solve
    from kibitz.space import explore
    from kibitz.strategy import read_strategy, shipped_text, verify

    game = _game(name)
    solution = solve(explore(game, threads=1))
    rules = read_strategy(shipped_text(strategy), game)

    def work(_: float) -> float:
        verify(rules, solution, role)
        return len(solution.space)

    return work


def _list_search(name: str, role: str) -> Work:
    from kibitz.synth import Options, synthesise

    game = _game(name)
    options = Options(rounds=_ROUNDS, proof_conflicts=1)

    def work(_: float) -> float:
        synthesise(game, role, options)
        return _ROUNDS

    return work


def _following(name: str) -> Work:
    from kibitz.experiments.bench import EIGHT_RULES
    from kibitz.policy import compile_strategy, play_matches
    from kibitz.strategy import read_strategy

    game = _game(name)
    strategy = read_strategy(EIGHT_RULES, game)
    policies = {role: compile_strategy(strategy, role) for role in game.roles}
    return lambda _: play_matches(game, policies, _MATCHES, threads=1).moves


def _search(name: str) -> Work:
    from kibitz.prove import Spending, prove, warm_up

    game = _game(name)
    warm_up(game)
    spending = Spending(positions=_SEARCHED, memory=100_000_000, threads=1)
    return lambda _: prove(game, spending=spending, listing=False).positions


def _trees(name: str) -> Work:
    import numpy as np

    from kibitz.engine import Blocks
    from kibitz.policy import tree_values

    game = _game(name)
    rows = Blocks(game).expand(Blocks(game).initial()).states
    many = np.repeat(rows, 512 // len(rows), axis=0)

    def work(_: float) -> float:
        tree_values(game, many, _PLAYOUTS, threads=1)
        return _PLAYOUTS * len(many)

    return work


def _tree_search(name: str) -> Work:
    from kibitz.play import make_search

    game = _game(name)
    search = make_search(game, seed=1)

    def work(seconds: float) -> float:
        before = search.playouts
        search.run(game.initial(), deadline=time.monotonic() + seconds)
        return search.playouts - before

    return work


WINDOWS: dict[str, Callable[[], Work]] = {
    "gates interpreted: tictacchec": lambda: _gates("tictacchec", "interpreter"),
    "gates interpreted: hex:11": lambda: _gates("hex:11", "interpreter"),
    "gates in a straight line: breakthrough": lambda: _gates("breakthrough", "straight"),
    "gates in a straight line: mnk:15,15,5": lambda: _gates("mnk:15,15,5", "straight"),
    "perft: tictactoe": lambda: _perft("tictactoe", 10),
    "perft: connectfour": lambda: _perft("connectfour", 10),
    "perft: breakthrough": lambda: _perft("breakthrough", 6),
    **{f"playouts: {name}": lambda name=name: _playouts(name) for name in _PLAYED},  # type: ignore[misc]
    "listing moves: connect:4,4x4": lambda: _listing("connect:4,4x4"),
    "listing moves: breakthrough:5x3": lambda: _listing("breakthrough:5x3"),
    "inserts: nim:9,11,13,15": lambda: _listing("nim:9,11,13,15"),
    "inserts in layers: connect:4,4x5": lambda: _layers("connect:4,4x5"),
    "backward sweep: connect:4,4x5": lambda: _sweep("connect:4,4x5"),
    "backward sweep: nim:9,11,13,15": lambda: _sweep("nim:9,11,13,15"),
    "backward sweep in layers: connect:4,4x5": lambda: _layer_sweep("connect:4,4x5"),
    "checking a list: tictactoe": lambda: _checking("tictactoe", "tictactoe-five", "xplayer"),
    "searching lists: tictactoe": lambda: _list_search("tictactoe", "oplayer"),
    "following a list: connectfour": lambda: _following("connectfour"),
    "searched positions: connect:4,6x6": lambda: _search("connect:4,6x6"),
    "searched positions: breakthrough:6x6": lambda: _search("breakthrough:6x6"),
    "tree playouts in blocks: connectfour": lambda: _trees("connectfour"),
    "tree playouts: connectfour": lambda: _tree_search("connectfour"),
}
"""What is measured: a name, and what makes the work ready."""


def run_window(work: Work, seconds: float) -> tuple[float, float]:
    """Repeat some work for a number of CPU-seconds; return how much was done, and in how many."""
    done, start = 0.0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        done += work(seconds - spent)
    return done, spent


def main() -> None:
    """Make the work that is named ready, then run a window for each line of stdin."""
    try:
        work = WINDOWS[sys.argv[1]]()
        run_window(work, _WARM_S)  # loops are linked with a game's gates after a while
    except Exception as error:
        print(json.dumps({"failure": f"{type(error).__name__}: {error}"}), flush=True)
        return
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        print(json.dumps(run_window(work, float(line))), flush=True)


if __name__ == "__main__":
    main()
