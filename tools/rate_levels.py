"""Rate the levels of `kibitz play` and plain tree search on one scale, random play being 0.

    python tools/rate_levels.py connectfour --matches 24 --results levels.jsonl

Each two that are near one another in the list meet as often in either role. Matches with plain tree
search (uct:N) are played in blocks. With --results FILE matches are added to that file, and ratings
are fitted to all matches of the game in it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kibitz.cli.common.inputs import find_sheet
from kibitz.engine import CompiledGame
from kibitz.play import (
    LADDER_OF_LEVELS,
    AgentPolicy,
    Clocks,
    agent_policy,
    fit_ratings,
    make_agent,
    pair_results,
    play_in_blocks,
    play_matches,
)

PairResult = tuple[str, str, float]


def main() -> None:
    """Read the options, play, and print the ratings."""
    options = _options()
    game = CompiledGame(find_sheet(options.game))
    for number, one in enumerate(options.agents):
        for other in options.agents[number + 1 : number + 1 + options.near]:
            for pair in (one, other), (other, one):
                found = _play(game, pair, options)
                print(*pair, sum(score for _, _, score in found), "of", len(found), flush=True)
                with options.results.open("a", encoding="utf-8") as file:
                    for result in found:
                        print(json.dumps({"game": options.game, "result": result}), file=file)
    lines = map(json.loads, options.results.read_text("utf-8").splitlines())
    ratings = fit_ratings(tuple(line["result"]) for line in lines if line["game"] == options.game)
    zero = next((rating.elo for rating in ratings if rating.name == "level:1"), 0.0)
    for rating in reversed(ratings):
        low, high = rating.interval
        print(f"{rating.name} {rating.elo - zero:.0f} ({low - zero:.0f} to {high - zero:.0f})")


def _play(
    game: CompiledGame, names: tuple[str, str], options: argparse.Namespace
) -> list[PairResult]:
    """Play matches in which the first name has the first role."""
    seats = dict(zip(game.roles, names, strict=True))
    if any(name.startswith("uct:") for name in names):
        policies = {
            role: agent_policy(game, role, name, read=str)
            or AgentPolicy(make_agent(name), name=name, seed=options.seed, move_s=60)
            for role, name in seats.items()
        }
        matches = play_in_blocks(game, policies, options.matches, names=seats, seed=options.seed)
        return pair_results(matches)
    found: list[PairResult] = []
    play_matches(
        game,
        {role: (name, make_agent(name)) for role, name in seats.items()},
        matches=options.matches,
        clocks=Clocks(2 * options.play_clock, options.play_clock),
        seed=options.seed,
        watch=lambda match: found.extend(pair_results([match])),
    )
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Rate levels and plain tree search.")
    parser.add_argument("game", help="A game of the library with two roles, or a path.")
    parser.add_argument("--agents", nargs="+", default=list(LADDER_OF_LEVELS))
    parser.add_argument("--matches", type=int, default=12, help="Of each two, in each role.")
    parser.add_argument("--near", type=int, default=2, help="How far apart in the list two meet.")
    parser.add_argument("--play-clock", type=float, default=0.5, help="Seconds for a move.")
    parser.add_argument("--results", type=Path, metavar="FILE", required=True)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
