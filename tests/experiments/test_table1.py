"""Paper 002, Table 1: how many states foreign games have, by grounding, compiling and counting.

The counts agree with the paper to the three digits that it prints. They count the initial state
and every joint-move successor down to a depth, each as often as it is met, terminal states being
expanded like others.
"""

from __future__ import annotations

import pytest
from tests.effort import quick
from tests.foreign import FOREIGN, needs_foreign

from kibitz.budget import Budget
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.compiled.perft import perft
from kibitz.gdl import read

COUNTS = {
    "ticTacToe": (9, 986_410),
    "sum15": (8, 623_530),
    "ruleDepthLinear": (20, 2_097_151),
    "knightsTour": (10, 2_693_872),
    "stateSpaceMedium": (10, 1_398_101),
    "duplicateStateMedium": (10, 1_398_101),
    "buttons": (13, 2_391_484),
    "blocks": (14, 1_235_314),
    "nim1": (8, 740_020),
    "nim2": (5, 997_397),
    "nim3": (3, 158_012),
    "breakthrough": (4, 267_675),
    "knightThrough": (3, 65_161),
    "sheepAndWolf": (7, 31_100),
    "checkers_v1": (5, 26_890),
    "chineseCheckers1": (6, 133_649),
    "chineseCheckers2": (6, 139_303),
    "chineseCheckers4_v1": (6, 53_179),
    "hanoi": (13, 1_038_707),
    "pentago": (5, 2_832_805),
    "bunk_t": (3, 259_282),
    "roshambo2": (5, 1_118_481),
    "stateSpaceLarge": (9, 349_525),
    "ticTicToe": (3, 142_948),
    "chomp": (3, 65_577),
    "pawnWhopping": (5, 233_829),
    "point_grab": (3, 1_010_101),
    "wallmaze": (6, 289_263),
    "max_knights": (2, 4_097),
    "minichess": (8, 193_130),
    "amazons": (1, 2_177),
}
"""The paper had other versions of minichess and amazons; theirs are counts of two programs."""

SLOW = {"amazons"}


def game(name: str, seconds: float = 600) -> CompiledGame:
    text = (FOREIGN / "rules" / f"{name}.kif").read_bytes()
    return CompiledGame(read(text, name=name, form="kif"), budget=Budget(seconds=seconds))


@needs_foreign
@pytest.mark.parametrize("name", quick(list(COUNTS), [n for n in COUNTS if n not in SLOW][::3]))
def test_a_game_of_table_1_has_the_known_number_of_states(name: str) -> None:
    depth, states = COUNTS[name]
    assert perft(game(name), depth).states == states


@needs_foreign
@pytest.mark.parametrize(
    ("name", "depth", "states"), [("ticTacToe", 9, 549_946), ("sum15", 8, 422_074)]
)
def test_a_game_of_table_1_has_fewer_states_if_play_stops(
    name: str, depth: int, states: int
) -> None:
    assert perft(game(name), depth, stop_at_terminal=True).states == states
