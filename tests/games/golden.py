"""Golden transcripts: one match of each game, for people to read and for engines to replay.

`python -m tests.games.golden` writes them anew, as the hand-written games play: a puzzle is
solved in the fewest moves; other games show the longest of a hundred random matches that a person
cares to read through.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import TypeVar

from tests.games.by_hand import Game, by_hand

FOLDER = Path(__file__).parent / "golden"

MATCHES = {
    "tictactoe": "tictactoe",
    "mnk": "mnk:3,4,3,RC",
    "connectfour": "connectfour",
    "connect": "connect:3,4x4",
    "bottom2": "bottom2",
    "crossdot": "crossdot",
    "sum15": "sum15",
    "nim": "nim:1,3,5,7,misere",
    "piles": "piles:1,2,3,3",
    "marks": "marks",
    "kayles": "kayles",
    "chomp": "chomp",
    "domineering": "domineering",
    "sim": "sim",
    "hex": "hex",
    "threemensmorris": "threemensmorris",
    "breakthrough": "breakthrough:5x4",
    "knightthrough": "knightthrough:5x4",
    "pawnwhopping": "pawnwhopping:6x4",
    "tictacchec": "tictacchec",
    "roshambo": "roshambo",
    "lightsout": "lightsout",
    "hanoi": "hanoi",
    "eightpuzzle": "eightpuzzle",
    "maze": "maze",
    "pegsolitaire": "pegsolitaire",
}
"""The match shown for each game of the catalogue."""

LONGEST = 16
"""Joint moves that a person cares to read through."""

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Step:
    """A state of a match, as texts: its fluents, and either what was played or the goals."""

    fluents: Iterable[str]
    legal: Iterable[Iterable[str]] = ()
    played: tuple[str, ...] = ()
    goals: tuple[int | None, ...] = ()


def write(name: str, roles: tuple[str, ...], steps: Iterable[Step]) -> str:
    """Set a match out for reading, a paragraph for each state."""
    width = max(map(len, [*roles, "played"])) + 2
    paragraphs = [f"{name}, played by {' and '.join(roles)}"]
    for step in steps:
        lines = [("state", sorted(step.fluents))]
        if step.played:
            lines += [(r, sorted(moves)) for r, moves in zip(roles, step.legal, strict=True)]
            lines += [("played", list(step.played))]
        else:
            lines += [("goals", [f"{r} {g}" for r, g in zip(roles, step.goals, strict=True)])]
        paragraphs.append("\n".join(_line(label, words, width) for label, words in lines))
    return "\n\n".join(paragraphs) + "\n"


def _line(label: str, words: list[str], width: int) -> str:
    """Write words after a label, in lines of 100, no word broken."""
    text = " ".join(word.replace(" ", "\xa0") for word in words)
    filled = fill(
        text,
        width=100,
        initial_indent=label.ljust(width),
        subsequent_indent=" " * width,
        break_on_hyphens=False,
    )
    return filled.replace("\xa0", " ")


def hand_played(game: Game[S]) -> list[Step]:
    """Play a match worth showing."""
    if len(game.roles) == 1:
        moves = shortest_solution(game)
    else:
        matches = [random_match(game, seed) for seed in range(100)]
        moves = max((match for match in matches if len(match) <= LONGEST), key=len)
    state = game.initial()
    steps = []
    for joint in moves:
        steps.append(Step(game.fluents(state), game.moves(state), played=joint))
        state = game.step(state, joint)
    return [*steps, Step(game.fluents(state), goals=game.goals(state))]


def shortest_solution(game: Game[S]) -> list[tuple[str, ...]]:
    """Solve a puzzle, breadth first."""
    paths: dict[S, list[tuple[str, ...]]] = {game.initial(): []}
    for state in (queue := list(paths)):
        if game.is_over(state):
            if game.goals(state) == (100,):
                return paths[state]
            continue
        for move in game.moves(state)[0]:
            following = game.step(state, (move,))
            if following not in paths:
                paths[following] = [*paths[state], (move,)]
                queue.append(following)
    raise AssertionError("the puzzle has no solution")


def random_match(game: Game[S], seed: int) -> list[tuple[str, ...]]:
    choose = random.Random(seed).choice
    state = game.initial()
    played = []
    while not game.is_over(state):
        played.append(tuple(choose(sorted(moves)) for moves in game.moves(state)))
        state = game.step(state, played[-1])
    return played


def main() -> None:
    for family, name in MATCHES.items():
        game = by_hand(name)
        text = write(name, game.roles, hand_played(game))
        (FOLDER / f"{family}.txt").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
