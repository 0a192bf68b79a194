"""Rules of GDL-II: what proves or advises refuses them, what plays or draws takes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.hidden_coin import COIN


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "coin.kif").write_text(COIN)
    (tmp_path / "call.strategy").write_text("true => (call heads)\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "explain coin.kif",
        "teach coin.kif -o lesson.html",
        "report coin.kif",
        "solve coin.kif",
        "solve coin.kif --search",
        "solve coin.kif --symbolic",
        "solve coin.kif --compact",
        "verify coin.kif call.strategy --role caller",
        "verify coin.kif call.strategy --role caller --engine reference",
        "minimise coin.kif call.strategy --role caller",
        "repair coin.kif call.strategy --role caller",
        "diff coin.kif call.strategy call.strategy --role caller",
        "synth coin.kif --role caller",
        "synth coin.kif --role caller --measured",
        "synth coin.kif --role caller --insight",
        "learn tree coin.kif",
        "learn constraints coin.kif",
        "puzzles coin.kif",
        "winsets coin.kif --role caller",
        "hardness coin.kif",
        "match coin.kif --role caller=optimal",
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_proves_or_advises_refuses_chance_and_what_is_hidden(run: Run, command: str) -> None:
    status, out, err = run(*command.split())
    assert (status, out) == (1, "")
    assert "coin.kif:1:1: GDL042: this role is chance" in err
    assert "coin.kif:20:5: GDL043: 'sees' hides" in err
    assert "--as-gdl1" in err


@pytest.mark.parametrize(
    "command",
    ["draw coin.kif", "perft coin.kif --depth 2", "simulate coin.kif --playouts 10",
     "match coin.kif", "symmetries coin.kif", "frame coin.kif"],
)  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_what_only_plays_or_draws_takes_them(run: Run, command: str) -> None:
    assert run(*command.split()).status == 0


@pytest.mark.usefixtures("folder")
def test_the_option_makes_chance_a_player_before_or_behind_the_command(run: Run) -> None:
    for command in ("--as-gdl1 solve coin.kif", "solve coin.kif --as-gdl1 --timeout 60"):
        assert "with best play caller wins" in run(*command.split()).out
    assert run("check", "coin.kif", "--as-gdl1").out.count("no errors, no warnings; all ") == 1
    assert run("solve", "coin.kif").status == 1  # The option is for one command.


@pytest.mark.usefixtures("folder")
def test_a_person_at_the_terminal_plays_without_hints(run: Run) -> None:
    status, out, err = run("play", "coin.kif", "--role", "caller", stdin="h\nv\n1\n")
    assert status == 0
    assert "of 100" not in out
    assert err.count("GDL043") == 2
    assert "not examined" in out
    assert "there is chance, or something hidden" in out
