"""Where a role has no legal move and play has not ended, no value is given, by anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import kibitz

from kibitz.engine.compiled.game import CompiledGame
from kibitz.errors import KibitzError
from kibitz.gdl import read
from kibitz.present.report import make_report
from kibitz.solve import solve, solve_any
from kibitz.solve.cluster import solve_on_cluster
from kibitz.solve.symbolic import reach, solve_symbolically
from kibitz.space import explore, find_stuck
from kibitz.strategy import read_strategy, verify

# In the room behind the second door the guest has nothing to do, and play has not ended.
LATER = """
    (role host) (role guest) (init hall)
    (<= (legal host (open ?d)) (true hall) (door ?d)) (door 1) (door 2) (door 3)
    (<= (legal host rest) (not (true hall)))
    (<= (legal guest wait) (true hall))
    (<= (next (room ?d)) (does host (open ?d)))
    (<= terminal (true (room 1))) (<= terminal (true (room 3)))
    (<= (goal host 100) (true (room 1))) (<= (goal host 0) (not (true (room 1))))
    (<= (goal guest 0) (true (room 1))) (<= (goal guest 100) (not (true (room 1))))
"""
START = """
    (role host) (role guest) (init hall)
    (legal host rest) (<= (legal guest wait) (true yard))
    (<= (next yard) (true yard))
    (<= terminal (true room)) (goal host 50) (goal guest 50)
"""
TOGETHER = """
    (role one) (role two) (init start)
    (<= (legal ?r heads) (role ?r) (true start)) (<= (legal ?r tails) (role ?r) (true start))
    (<= (legal one heads) (true odd))
    (<= (next odd) (does one heads) (does two tails))
    (<= (next even) (not (does two tails)))
    (<= (next even) (not (does one heads)))
    (<= terminal (true even)) (goal one 100) (goal two 0)
"""


def game(text: str) -> CompiledGame:
    return CompiledGame(read(text, name="made"))


def test_stuck_states_are_counted_and_one_is_shown_with_the_way_to_it() -> None:
    found = find_stuck(explore(game(LATER)))
    assert found is not None
    assert (found.states, found.role) == (1, "guest")
    assert found.as_json()["example"] == {"path": [["(open 2)", "wait"]], "state": ["(room 2)"]}
    assert found.text.endswith("after (open 2)/wait, guest has none")
    at_once = find_stuck(explore(game(START)))
    assert at_once is not None
    assert at_once.text.startswith("made is stuck at the start: guest has no legal move")


@pytest.mark.parametrize("text", [LATER, START, TOGETHER])
def test_no_solver_gives_a_value(text: str) -> None:
    made = game(text)
    space = explore(made)
    strategy = read_strategy("true", made)
    for ask in (
        lambda: solve_any(space),
        lambda: solve_on_cluster(made, cluster="here"),
        lambda: verify(strategy, space, made.roles[0]),
    ):
        with pytest.raises(KibitzError, match="stuck"):
            ask()
    if text is not TOGETHER:
        with pytest.raises(KibitzError, match="stuck"):
            solve(space)
        with pytest.raises(KibitzError, match="stuck"):
            solve_symbolically(reach(made))


def test_a_report_has_no_value_and_no_outcome_of_a_game_that_is_stuck() -> None:
    for text in (LATER, START):
        report = make_report(read(text, name="made"))
        assert report.value is None
        assert "stuck" in report.why_unsolved
        assert not report.outcomes
        assert "stuck" in report.missing["rule_counts"]


@pytest.mark.parametrize("text", [LATER, START])
def test_no_command_claims_a_value_or_ends_in_an_internal_error(text: str, tmp_path: Path) -> None:
    sheet = tmp_path / "made.kif"
    sheet.write_text(text)
    rules = tmp_path / "any.strategy"
    rules.write_text("true\n")
    for arguments in (
        ("solve", str(sheet)),
        ("solve", str(sheet), "--symbolic"),
        ("explain", str(sheet)),
        ("report", str(sheet)),
        ("puzzles", str(sheet)),
        ("hardness", str(sheet)),
        ("teach", str(sheet), "-o", str(tmp_path / "lesson.html")),
        ("winsets", str(sheet)),
        ("winsets", str(sheet), "--set", "exact"),
        ("winsets", str(sheet), "--method", "symbolic"),
        ("synth", str(sheet), "--role", "host"),
        ("verify", str(sheet), str(rules), "--role", "host"),
        ("verify", str(sheet), str(rules), "--role", "host", "--engine", "reference"),
    ):
        done = kibitz(*arguments)
        said = " ".join((done.stdout + done.stderr).split())
        assert "stuck" in said, (arguments, said)
        for false in (
            "gets 50",
            "never ends",
            "a draw",
            "can be reached",
            "report it",
            "optimal yes",
        ):
            assert false not in said, (arguments, said)
    for option in ((), ("--symbolic",)):
        answer = kibitz("solve", str(sheet), "--json", *option)
        found = json.loads(answer.stdout)
        assert answer.returncode == 1
        assert found["value"] is None
        assert (found["stuck"]["states"], found["stuck"]["role"]) == (1, "guest")
