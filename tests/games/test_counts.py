"""The rules have as many states and plays as the same games written by hand."""

from __future__ import annotations

import pytest
from tests.effort import one_of_each_family, quick
from tests.engine.exploring import layers
from tests.games.by_hand import by_hand
from tests.games.conftest import BUDGET, count, engine, reference
from tests.games.counting import LIMIT, Known, known_counts, perft, reachable

from kibitz.engine.compiled.blocks import Blocks
from kibitz.engine.compiled.perft import perft as count_plays

COUNTS = known_counts()
SMALL = [name for name in COUNTS if COUNTS[name].get("reachable", LIMIT + 1) <= LIMIT]
TINY = [name for name in SMALL if COUNTS[name]["reachable"] < 2_000]


@pytest.mark.parametrize("name", one_of_each_family(list(COUNTS)))
def test_the_rules_have_the_known_number_of_plays(name: str) -> None:
    known = COUNTS[name]["perft"]
    found = count_plays(engine(name), len(known) - 1, stop_at_terminal=True)
    assert list(found.per_depth) == known


@pytest.mark.parametrize("name", COUNTS)
def test_the_reference_engine_finds_the_known_number_of_plays(name: str) -> None:
    game = reference(name)
    known = COUNTS[name]["perft"]
    for depth, plays in enumerate(known):
        if sum(known[: depth + 1]) > BUDGET:
            break
        assert count(game, depth) == plays


@pytest.mark.parametrize("name", quick(SMALL, TINY))
def test_the_rules_have_the_known_number_of_states(name: str) -> None:
    game = engine(name)
    found = list(layers(game))
    assert sum(map(len, found)) == COUNTS[name]["reachable"]
    terminal = sum(int(Blocks(game).terminal(layer).sum()) for layer in found)
    assert terminal == COUNTS[name]["terminal"]


@pytest.mark.parametrize("name", quick(SMALL, TINY))
def test_the_games_by_hand_have_the_known_number_of_states(name: str) -> None:
    known = COUNTS[name]
    found: Known = {"reachable": known["reachable"], "terminal": known["terminal"]}
    assert reachable(by_hand(name), LIMIT) == found


@pytest.mark.parametrize("name", COUNTS)
def test_the_games_by_hand_have_the_known_number_of_plays(name: str) -> None:
    found = perft(by_hand(name), nodes=1_000, depth=12)
    assert found == COUNTS[name]["perft"][: len(found)]
