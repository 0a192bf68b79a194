"""Enter players at addresses into a ladder with Kibitz's agents, and print their ratings.

    python tools/ladder.py connectfour --player other=127.0.0.1:9148 --agent mcts --agent careful

Each two entrants play the same number of matches in either role. With --results FILE the matches
are added to that file, and ratings are fitted to all matches of the game in it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

from kibitz.cli.common.inputs import find_sheet, read_text
from kibitz.engine import CompiledGame
from kibitz.errors import KibitzError
from kibitz.play import (
    Agent,
    Clocks,
    Match,
    RemoteAgent,
    fit_ratings,
    make_agent,
    pair_results,
    play_matches,
)


def main() -> None:
    """Read the options, play, and print the ladder."""
    options = _options()
    try:
        game = CompiledGame(find_sheet(options.game))
        makes = {name: make_agent(name, read=read_text) for name in options.agent}
    except KibitzError as error:
        raise SystemExit(str(error)) from None
    if len(game.roles) != 2:
        raise SystemExit(f"{options.game} has {len(game.roles)} roles, and a ladder takes two")
    remote = dict(options.player)
    makes |= {name: _remote(address, options.play_clock) for name, address in remote.items()}
    results = _read_results(options.results, game.sheet.name)

    def watch(match: Match) -> None:
        found = pair_results([match])
        results.extend(found)
        players = ", ".join(f"{role}: {name}" for role, name in match.agents.items())
        errors = [error for step in match.steps for error in step.errors]
        print(f"{players}: {match.result}", *errors, sep="\n  ", flush=True)
        if options.results:
            with options.results.open("a", encoding="utf-8") as file:
                for result in found:
                    print(json.dumps({"game": game.sheet.name, "result": result}), file=file)

    for number in range(options.matches):
        for pair in permutations(makes, 2):
            if options.only and options.only not in pair:
                continue
            play_matches(
                game,
                {role: (name, makes[name]) for role, name in zip(game.roles, pair, strict=True)},
                clocks=Clocks(options.start_clock, options.play_clock),
                seed=options.seed + number,
                together=bool(remote.keys() & set(pair)),
                watch=watch,
            )
    for rating in fit_ratings(results):
        print(rating)


def _remote(address: str, play_s: float) -> Callable[[int], Agent]:
    return lambda seed: RemoteAgent(address, f"ladder.{time.time_ns()}.{seed}", play_s=play_s)


def _read_results(path: Path | None, game: str) -> list[tuple[str, str, float]]:
    if path is None or not path.exists():
        return []
    lines = map(json.loads, path.read_text("utf-8").splitlines())
    return [
        (first, second, score)
        for line in lines
        if line["game"] == game
        for first, second, score in [line["result"]]
    ]


def _named_address(text: str) -> tuple[str, str]:
    name, _, address = text.partition("=")
    if not address:
        raise argparse.ArgumentTypeError(f"{text} is not NAME=HOST:PORT")
    return name, address


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Rate players by address beside Kibitz's agents.")
    parser.add_argument("game", help="A game of the library, or the path of a rule sheet.")
    parser.add_argument(
        "--player", action="append", default=[], type=_named_address, metavar="NAME=HOST:PORT"
    )
    parser.add_argument("--agent", action="append", default=[], help="An agent of Kibitz.")
    parser.add_argument("--only", metavar="NAME", help="Only matches in which NAME takes part.")
    parser.add_argument("--matches", type=int, default=5, help="Matches of each two in each role.")
    parser.add_argument("--start-clock", type=float, default=30.0)
    parser.add_argument("--play-clock", type=float, default=5.0)
    parser.add_argument("--results", type=Path, metavar="FILE", help="Keep the results here.")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
