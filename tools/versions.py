"""Let two checkouts of Kibitz meet as players, with the same CPU-seconds for every move.

    git worktree add ../before COMMIT
    python tools/versions.py ../before . connectfour other/pentago.kif --results versions.jsonl

Every two matches begin with the same random moves, and each version has either role once. While one
thinks the other stands still, and only the CPU-seconds of its own process count, so that other work
on the machine changes nothing. Matches are added to the file of results as they end, so that a run
that was broken off goes on where it was; the table at the end is that of all matches in the file
with the same versions, clock and games.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from kibitz.cli.common.inputs import find_sheet
from kibitz.engine import Game, Move, State, make_game
from kibitz.errors import KibitzError
from kibitz.gdl import to_kif
from kibitz.policy import share_interval

PLAYER = Path(__file__).with_name("version_player.py")
_LONGEST = 1000
"""A match with so many moves is broken off; it counts as drawn, as does an end without goals."""
_GRACE = 1.2
"""An answer is late that took so many times its clock."""
_LEAST_WARM_UP_S = 20.0
"""The time that each version has before its first match of a game."""


class Version:
    """A player in a process of its own, which runs only while it is asked."""

    def __init__(self, checkout: Path, game: Game, agent: str, start_s: float) -> None:
        self.checkout = checkout
        source = str((checkout / "src").resolve())
        self.process = subprocess.Popen(
            [sys.executable, str(PLAYER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": source},
        )
        self.ask({"rules": to_kif(game.sheet), "name": game.sheet.name, "agent": agent})
        self._warm_up(game, max(_LEAST_WARM_UP_S, start_s))

    def _warm_up(self, game: Game, seconds: float) -> None:
        """Make the first moves of a match, so that all code is compiled and loaded."""
        role, state, moves = game.roles[0], game.initial(), list[list[str]]()
        self.ask({"role": role, "seed": 0, "seconds": seconds})
        for _ in range(4):
            if state.is_terminal:
                break
            if len(state.legal(role)) > 1:
                self.ask({"moves": moves, "seconds": 0.2})
            joint = [state.legal(one)[0] for one in game.roles]
            state = state.step(joint)
            moves.append([str(move) for move in joint])
        self.ask({})

    def ask(self, request: dict[str, object]) -> dict[str, Any]:
        """Let the process answer one request, and stand still again."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.send_signal(signal.SIGCONT)
        print(json.dumps(request), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the player of {self.checkout} ended without an answer")
        self.process.send_signal(signal.SIGSTOP)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self.process:
            self.process.kill()


def play(
    game: Game,
    versions: Sequence[Version],
    *,
    seed: int,
    start_s: float,
    play_s: float,
    opening: int,
) -> dict[str, Any]:
    """Play one match, the first version in the first role; return its result as plain data."""
    source = random.Random(seed)
    state, moves = _opened(game, source, opening)
    late, errors = [0, 0], list[str]()
    for version, role in zip(versions, game.roles, strict=True):
        version.ask({"role": role, "seed": seed, "seconds": start_s})
    while not state.is_terminal and len(moves) < _LONGEST:
        joint: list[Move] = []
        for number, role in enumerate(game.roles):
            legal = {str(move): move for move in state.legal(role)}
            if not legal:
                raise SystemExit(f"{role} has no legal move in a match of {game.sheet.name}")
            if len(legal) == 1:
                joint.extend(legal.values())
                continue
            answer = versions[number].ask({"moves": moves, "seconds": play_s})
            late[number] += answer["seconds"] > _GRACE * play_s
            move = answer.get("move", "")
            if move not in legal:
                errors.append(f"{role}: {answer.get('error', f'{move} is not legal')}")
            joint.append(legal.get(move) or source.choice(list(legal.values())))
        state = state.step(joint)
        moves.append([str(move) for move in joint])
    for version in versions:
        version.ask({})
    goals = list(state.goals.values()) if state.is_terminal else []
    if None in goals or not goals:
        goals = [50, 50]
    return {"goals": goals, "late": late, "errors": errors, "moves": moves}


def _opened(game: Game, source: random.Random, plies: int) -> tuple[State, list[list[str]]]:
    """Return a state after random moves, none of which ends the match, and the moves to it."""
    while True:
        state, moves = game.initial(), list[list[str]]()
        for _ in range(plies):
            joint = [source.choice(state.legal(role)) for role in game.roles]
            state = state.step(joint)
            moves.append([str(move) for move in joint])
            if state.is_terminal:
                break
        else:
            return state, moves


def table(results: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write a line of a Markdown table for each game, from the side of the second version."""
    by_game: dict[str, list[dict[str, Any]]] = {}
    for result in results:
        by_game.setdefault(result["game"], []).append(result)
    yield (
        "| game | CPU-seconds a move | won, drawn, lost | points "
        "| late | late of the first | fallbacks |"
    )
    yield "|---|---|---|---|---|---|---|"
    for name, matches in by_game.items():
        won = sum(_lead(match) > 0 for match in matches)
        lost = sum(_lead(match) < 0 for match in matches)
        points, count = won + (len(matches) - won - lost) / 2, len(matches)
        low, high = (round(100 * bound) for bound in share_interval(points, count))
        late = [sum(_of_second(match, "late")[way] for match in matches) for way in (0, 1)]
        yield (
            f"| {Path(name).stem} | {matches[0]['clock']:g} | {won}, {count - won - lost}, {lost} "
            f"| {100 * points / count:.0f} % [{low}, {high}] | {late[0]} | {late[1]} "
            f"| {sum(len(match['errors']) for match in matches)} |"
        )


def _of_second(match: dict[str, Any], key: str) -> list[int]:
    """Return what a match has for the second version, and then what it has for the first."""
    values: list[int] = match[key]
    return values if match["second begins"] else values[::-1]


def _lead(match: dict[str, Any]) -> int:
    mine, theirs = _of_second(match, "goals")
    return mine - theirs


def main() -> None:
    """Read the options, play what is missing, and print the table."""
    options = _options()
    games = {}
    for name in options.games:
        try:
            games[name] = make_game(find_sheet(name))
        except KibitzError as error:
            raise SystemExit(str(error)) from None
        if len(games[name].roles) != 2:
            raise SystemExit(f"{name} has {len(games[name].roles)} roles, and this takes two")
    for target in range(options.round, options.matches + options.round, options.round):
        for game in games.values():
            _play_missing(game, min(target, options.matches), options)
    print(*table(_kept(options, [game.sheet.name for game in games.values()])), sep="\n")


def _play_missing(game: Game, target: int, options: argparse.Namespace) -> None:
    done = len(_kept(options, [game.sheet.name]))
    if done >= target:
        return
    with _both(options, game) as (first, second):
        for number in range(done, target):
            seats = (second, first) if number % 2 else (first, second)
            found = play(
                game, seats, seed=options.seed + number // 2, start_s=options.start_clock,
                play_s=options.play_clock, opening=options.opening,
            )  # fmt: skip
            kept = _marks(options) | {"game": game.sheet.name, "second begins": number % 2 == 1}
            with options.results.open("a", encoding="utf-8") as file:
                print(json.dumps(kept | found), file=file)
            print(f"{game.sheet.name} {number + 1}: {_lead(kept | found):+}", flush=True)


@contextmanager
def _both(options: argparse.Namespace, game: Game) -> Iterator[tuple[Version, Version]]:
    with (
        Version(options.first, game, options.agent, options.start_clock) as first,
        Version(options.second, game, options.agent, options.start_clock) as second,
    ):
        yield first, second


def _marks(options: argparse.Namespace) -> dict[str, object]:
    """Return what matches have in common that count together."""
    return {
        "versions": options.names or [_commit(options.first), _commit(options.second)],
        "agent": options.agent,
        "clock": options.play_clock,
    }


def _commit(checkout: Path) -> str:
    command = ["git", "-C", str(checkout), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _kept(options: argparse.Namespace, names: list[str]) -> list[dict[str, Any]]:
    if not options.results.exists():
        return []
    marks = _marks(options)
    lines = map(json.loads, options.results.read_text("utf-8").splitlines())
    return [line for line in lines if line["game"] in names and line.items() >= marks.items()]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Let two checkouts of Kibitz meet as players.")
    parser.add_argument("first", type=Path, help="A checkout, the one to measure against.")
    parser.add_argument("second", type=Path, help="The checkout that is measured.")
    parser.add_argument("games", nargs="+", help="Games of two roles, by name or path.")
    parser.add_argument("--names", nargs=2, help="What the versions are called, not their commits.")
    parser.add_argument("--agent", default="auto")
    parser.add_argument("--matches", type=int, default=100, help="Of each game; an even number.")
    parser.add_argument("--round", type=int, default=20, help="Then comes the next game.")
    parser.add_argument("--start-clock", type=float, default=0.5, help="CPU-seconds.")
    parser.add_argument("--play-clock", type=float, default=0.1, help="CPU-seconds a move.")
    parser.add_argument("--opening", type=int, default=2, help="Random moves at the beginning.")
    parser.add_argument("--results", type=Path, metavar="FILE", required=True)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("broken off"))
    main()
