"""The games written in English in examples/, against the same games in plain Python."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from tests.effort import quick
from tests.rulebook.by_hand import GAMES as FIRST_GAMES, count, value
from tests.rulebook.by_hand_pieces import MORE_GAMES

import kibitz
from kibitz.space import explore

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = {**FIRST_GAMES, **MORE_GAMES}
FILES = sorted(EXAMPLES.glob("*.rules.txt"))
KNOWN = {
    "wythoff": (0, 100),  # 3 and 5 is a cold position
    "notakto": (100, 0),  # in the centre, then opposite the opponent
    "cram": (0, 100),  # on even sides the second player mirrors
    "dodgem": (100, 0),  # Berlekamp, Conway and Guy, Winning Ways
    "hexapawn": (0, 100),  # Gardner
}


def name_of(path: Path) -> str:
    return path.name.removesuffix(".rules.txt")


def test_every_game_has_at_most_twelve_lines() -> None:
    assert {name_of(path) for path in FILES} == {*GAMES, "duel"}
    for path in FILES:
        assert len(path.read_text("utf-8").splitlines()) <= 12, path.name


QUICK = {
    "burnt_bridges", "col", "harvest", "hexapawn", "hopping_frogs", "kings_and_guards", "little_l",
    "notakto", "wythoff",
}  # fmt: skip


@pytest.mark.parametrize("name", quick(sorted(GAMES), QUICK))
def test_states_and_value_are_those_of_the_game_in_python(name: str) -> None:
    game = kibitz.load(EXAMPLES / f"{name}.rules.txt")
    space = explore(game)
    by_hand = GAMES[name]
    assert (len(space), int(space.terminal.sum())) == count(by_hand)
    if len(game.roles) == 2:
        found = tuple(kibitz.solve(game).value(game.initial()).values())
        assert found == value(by_hand)
        assert found == KNOWN.get(name, found)


def test_the_duel_is_that_of_python() -> None:
    """Bullets of both, rounds and who was hit: a breadth-first search over joint choices."""
    game = kibitz.load(EXAMPLES / "duel.rules.txt")
    start: tuple[tuple[int, ...], int, tuple[bool, ...]] = ((0, 0), 0, (False, False))
    seen = {start}
    waiting, ends = list(seen), 0
    while waiting:
        bullets, turn, hit = waiting.pop()
        if turn == 5 or any(hit):
            ends += 1
            continue
        options = [["load", "shield", *["shoot"] * (b > 0)] for b in bullets]
        for joint in product(*options):
            after = tuple(
                min(2, b + (c == "load")) - (c == "shoot")
                for b, c in zip(bullets, joint, strict=True)
            )
            won = tuple(joint[p] == "shoot" and joint[1 - p] == "load" for p in (0, 1))
            state = (after, turn + 1, won)
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    space = explore(game)
    assert (len(space), int(space.terminal.sum())) == (len(seen), ends)
    assert set(game.initial().goals.values()) == {50}
