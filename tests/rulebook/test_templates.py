"""Every template is a game that can be solved, at other sizes too, and nothing is broken in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run, run as run
from tests.effort import quick

from kibitz.budget import Budget
from kibitz.engine import CompiledGame
from kibitz.errors import InputError, Severity
from kibitz.gdl import read
from kibitz.rulebook import TEMPLATES, as_gdl, write_template
from kibitz.solve import solve_any
from kibitz.space import diagnose_play, explore


@pytest.mark.parametrize("kind", quick(list(TEMPLATES), TEMPLATES.keys() - {"simultaneous"}))
def test_a_template_is_a_sound_game(kind: str) -> None:
    text = write_template(kind, name="My game")
    assert len(text.splitlines()) <= 12
    sheet = read(as_gdl(text, name="rules"), name="rules", form="kif")
    game = CompiledGame(sheet)
    space = explore(game)
    assert space.is_complete
    solve_any(space)
    found = diagnose_play(sheet, Budget(), is_translated=True).diagnostics
    assert [d.message for d in found if d.severity is not Severity.REMARK] == []


@pytest.mark.parametrize("kind", [k for k, made in TEMPLATES.items() if made.has_board])
def test_a_template_can_be_larger(kind: str) -> None:
    made = TEMPLATES[kind]
    text = write_template(kind, columns=made.columns + 2, rows=made.rows + 1)
    game = CompiledGame(read(as_gdl(text, name="rules"), name="rules", form="kif"))
    assert not game.initial().is_terminal


def test_what_makes_no_game_is_refused() -> None:
    with pytest.raises(InputError, match="no template chess"):
        write_template("chess")
    with pytest.raises(InputError, match="2 to 26 columns"):
        write_template("race", columns=1)
    with pytest.raises(InputError, match="sign in it"):
        write_template("race", name="A. B")


def test_new_writes_a_file_that_is_a_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.rules.txt"
    done = run("new", path, "--template", "take-away", "--name", "Ten", "--size", "10")
    assert done.status == 0
    assert path.read_text() == done.out
    assert "There is a pile of 10 counters." in done.out
    assert "no errors, no warnings" in run("check", path).out
    again = run("new", path, "--template", "race")
    assert again.status == 2
    assert "is there already" in again.err
    assert run("new", tmp_path / "x.rules.txt", "--template", "race", "--size", "a").status == 2
    assert "--template line-game|race" in run("new", tmp_path / "y.rules.txt").err
