"""Boxes in a row, where neighbours win: two threats, or pairs of boxes that the opponent needs."""

from __future__ import annotations

import pytest

from kibitz.engine import CompiledGame
from kibitz.english import plain_rule, read_back, scene_of
from kibitz.games import load_sheet
from kibitz.solve import solve
from kibitz.space import explore
from kibitz.synth import find_insight, insight_sentences
from kibitz.synth.insight.insight import sizes_sentence
from kibitz.synth.insight.mark_rows import mark_row_of


@pytest.mark.parametrize("role", ["player1", "player2"])
def test_three_side_by_side_are_held_by_pairs_after_threats(role: str) -> None:
    solution = solve(explore(CompiledGame(load_sheet("crossdot:7,3"))))
    found = find_insight(solution, role)
    assert found is not None
    *threats, pairs = insight_sentences(found)
    assert threats == ["Win at once if you can.", "Make a double threat if you can."]
    assert pairs.endswith("box 1 with box 2; box 3 with box 4; box 5 with box 6 if you can.")
    assert not found.holds_for.proved
    said = sizes_sentence(found.holds_for)
    assert "is proved for rows of any length, where 3 side by side win, and no more" in said


@pytest.mark.parametrize("role", ["player1", "player2"])
def test_nine_boxes_take_three_rules_and_pairs_are_named_by_their_ends(role: str) -> None:
    solution = solve(explore(CompiledGame(load_sheet("crossdot:9,3"))))
    found = find_insight(solution, role)
    assert found is not None
    win, force, pairs = insight_sentences(found)
    assert win == "Win at once if you can."
    assert force in (
        "Force a win within three moves if you can.",
        "Make a double threat if you can.",
    )
    assert pairs.endswith(
        ": box 1 with box 2; box 3 with box 4 and so on to box 7 with box 8 if you can."
    )
    scene = scene_of(solution.space.game, role)
    meant = plain_rule(found.rules[-1])
    assert meant is not None
    assert {rule.asked for rule in read_back(scene, pairs)} == {meant.asked}


@pytest.mark.parametrize("name", ["tictactoe", "kayles:4", "nim:1,2"])
def test_other_games_are_no_such_rows(name: str) -> None:
    assert mark_row_of(explore(CompiledGame(load_sheet(name)))) is None
