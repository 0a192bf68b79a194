"""What is compiled into gates is bounded by parts, positions and time."""

from __future__ import annotations

import math
import time

import pytest

from kibitz.engine import CompiledGame
from kibitz.games import load_sheet
from kibitz.policy import MoveMasks, NotCompilableError
from kibitz.strategy import read_strategy


@pytest.fixture(scope="module")
def masks() -> MoveMasks:
    return MoveMasks(CompiledGame(load_sheet("tictactoe")), "xplayer")


def compile_with(masks: MoveMasks, **limits: float) -> None:
    text = "true => any also most ways(me, 1)"
    plan = read_strategy(text, masks.game).plan("xplayer")
    with masks.limited(1 << 20, 50_000, **limits):
        masks.plan(plan)


@pytest.mark.parametrize(
    ("limits", "why"),
    [({"parts": 5}, "too many parts"), ({"deadline": -1.0}, "no time")],
)
def test_what_is_beyond_a_limit_is_not_compiled(
    masks: MoveMasks, limits: dict[str, float], why: str
) -> None:
    with pytest.raises(NotCompilableError, match=why):
        compile_with(masks, **limits)


def test_limits_end_with_their_context(masks: MoveMasks) -> None:
    compile_with(masks, parts=10**6, deadline=time.monotonic() + 10**6)
    assert masks.unrolled.most_parts == masks.unrolled.deadline == math.inf
