"""Rule sheets from public competitions: all are accepted, and matches of another engine agree."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tests.effort import quick, spread
from tests.foreign import FOREIGN, needs_foreign

from kibitz.budget import Budget
from kibitz.engine import Game, ReferenceGame, make_game
from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.replays import read_moves, replay
from kibitz.errors import Severity
from kibitz.gdl import RuleSheet, diagnose, parse, read, to_kif, to_ruleform

RULES = sorted(path.stem for path in (FOREIGN / "rules").glob("*.kif")) or ["none"]
TRACES = sorted(path.stem for path in (FOREIGN / "traces").glob("*.json")) or ["none"]
FIRST_STEPS = 6
LARGE = {"chineseCheckers6", "crisscross", "crissrace"}
SLOW_TO_GROUND = {
    "3pffa",
    "amazonsTorus_10x10",
    "brawl",
    "chineseCheckers4",
    "chineseCheckers6",
    "colonelBlotto",
    "crissrace",
    "gt_attrition",
    "gt_two_thirds_6p",
    "hexPie",
    "laikLee_hex",
    "mineClearingSmall",
    "minichess",
    "mummymaze2p",
    "nineBoardTicTacToePie",
    "quarto",
    "ruleDepthExponential",
}
"""These take more than two seconds to set up, or are played ungrounded."""
QUICK_TO_GROUND = [name for name in TRACES if name not in SLOW_TO_GROUND]


def rules(name: str) -> bytes:
    return (FOREIGN / "rules" / f"{name}.kif").read_bytes()


def sheet(name: str) -> RuleSheet:
    return read(rules(name), name=name, form="kif")


def trace(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FOREIGN / "traces" / f"{name}.json").read_text("utf-8"))
    return loaded


@needs_foreign
@pytest.mark.parametrize("name", RULES)
def test_a_foreign_rule_sheet_has_no_errors(name: str) -> None:
    _, found = diagnose(rules(name), name=name, form="kif")
    assert [d for d in found if d.severity is Severity.ERROR] == []


@needs_foreign
@pytest.mark.parametrize("name", RULES)
def test_a_foreign_rule_sheet_survives_both_notations(name: str) -> None:
    sheet = parse(rules(name), form="kif")
    assert parse(to_kif(sheet), form="kif") == sheet
    assert parse(to_ruleform(sheet), form="rules") == sheet


def replay_and_compare(game: Game, most: int | None) -> None:
    expected = trace(game.sheet.name)
    assert list(game.roles) == expected["roles"]
    text = "\n".join(f"({' '.join(step['joint'])})" for step in expected["steps"][:-1])
    steps = islice(zip(expected["steps"], replay(game, read_moves(text)), strict=True), most)
    for number, (wanted, step) in enumerate(steps):
        found = {
            "state": list(step.state),
            "terminal": step.terminal,
            "goals": step.goals,
            "legal": {role: list(moves) for role, moves in step.legal.items()},
        }
        assert found == {key: wanted[key] for key in found}, f"step {number}"


@needs_foreign
@pytest.mark.parametrize("name", spread([name for name in TRACES if name not in LARGE], 20))
def test_the_first_steps_of_a_foreign_match_agree(name: str) -> None:
    replay_and_compare(ReferenceGame(sheet(name)), FIRST_STEPS)


@needs_foreign
@pytest.mark.slow
@pytest.mark.parametrize("name", TRACES)
def test_a_whole_foreign_match_agrees(name: str) -> None:
    replay_and_compare(ReferenceGame(sheet(name)), None)


@needs_foreign
@pytest.mark.parametrize("name", quick(TRACES, QUICK_TO_GROUND[2::4]))
def test_a_whole_foreign_match_agrees_with_the_compiled_engine(name: str) -> None:
    game = make_game(sheet(name), budget=Budget(seconds=400))
    assert isinstance(game, CompiledGame) or name in SLOW_TO_GROUND
    replay_and_compare(game, None)


@needs_foreign
def test_there_are_foreign_rule_sheets_for_all_matches() -> None:
    assert len(TRACES) > 50
    assert set(TRACES) <= set(RULES)
    assert Path(FOREIGN / "README.md").is_file()
