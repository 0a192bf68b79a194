"""The rules have as many states and plays as the same games written by hand."""

from __future__ import annotations

import pytest
from tests.games.by_hand import by_hand
from tests.games.conftest import BUDGET, count, engine, successors
from tests.games.counting import LIMIT, Known, known_counts, perft, reachable

COUNTS = known_counts()
SMALL = [name for name, known in COUNTS.items() if known.get("reachable", BUDGET) <= BUDGET // 3]
BY_HAND = [
    pytest.param(name, marks=() if known["reachable"] < 2_000 else pytest.mark.slow)
    for name, known in COUNTS.items()
    if known.get("reachable", LIMIT + 1) <= LIMIT
]


@pytest.mark.parametrize("name", COUNTS)
def test_the_rules_have_the_known_number_of_plays(name: str) -> None:
    game = engine(name)
    known = COUNTS[name]["perft"]
    for depth, plays in enumerate(known):
        if sum(known[: depth + 1]) > BUDGET:
            break
        assert count(game, depth) == plays


@pytest.mark.parametrize("name", SMALL)
def test_the_rules_have_the_known_number_of_states(name: str) -> None:
    queue = [engine(name).initial()]
    seen = set(queue)
    for state in queue:
        new = set(successors(state)) - seen
        seen |= new
        queue += new
    assert len(queue) == COUNTS[name]["reachable"]
    assert sum(state.is_terminal for state in queue) == COUNTS[name]["terminal"]


@pytest.mark.parametrize("name", BY_HAND)
def test_the_games_by_hand_have_the_known_number_of_states(name: str) -> None:
    known = COUNTS[name]
    found: Known = {"reachable": known["reachable"], "terminal": known["terminal"]}
    assert reachable(by_hand(name), LIMIT) == found


@pytest.mark.parametrize("name", COUNTS)
def test_the_games_by_hand_have_the_known_number_of_plays(name: str) -> None:
    found = perft(by_hand(name), nodes=1_000, depth=12)
    assert found == COUNTS[name]["perft"][: len(found)]
