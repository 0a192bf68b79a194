from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from kibitz import __version__, doctor

AS_KIBITZ = "import sys; sys.argv[0] = 'kibitz'; from kibitz.cli import main; main()"


def test_doctor_says_what_is_there(run: Run) -> None:
    result = run("doctor")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith(f"kibitz {__version__} in ")
    for line in (f"clingo      {version('clingo')}", "native code by llvmlite", "optional"):
        assert line in result.out


def test_doctor_prints_json(run: Run) -> None:
    found = run("doctor", "--json").json
    assert found["is_well"] is True
    assert found["engine_states_per_s"] > 1e5
    assert {part["name"] for part in found["optional"]} >= {"ray", "chromium", "eprover", "ILASP"}
    assert found["usable_cores"] >= 1


def test_doctor_finds_what_is_missing(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:

    def versions(name: str) -> str:
        return version("no-such-package" if name == "lark" else name)

    monkeypatch.setattr(doctor, "version", versions)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    result = run("doctor")
    assert result.status == 1
    assert "lark        missing" in result.out
    assert "ILASP       missing, for a second opinion" in result.out


def test_doctor_says_what_is_slow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    monkeypatch.setenv("KIBITZ_CACHE", str(closed))
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    monkeypatch.setattr(os, "getloadavg", lambda: (99.0, 0.0, 0.0))
    told = "\n".join(doctor.examine(trial_s=0.05).slow)
    assert "KIBITZ_CACHE" in told
    assert "load 99.0" in told


def complete(words: str) -> list[str]:
    """Ask as bash does, with the last word still being typed."""
    env = {
        **os.environ,
        "_KIBITZ_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-c", AS_KIBITZ], env=env, capture_output=True, text=True, check=False
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("kibitz sol", {"solve"}),
        ("kibitz solve tict", {"tictactoe", "tictacchec"}),
        ("kibitz solve --sym", {"--symbolic"}),
    ],
)
def test_shells_complete_commands_games_and_options(words: str, expected: set[str]) -> None:
    assert set(complete(words)) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_can_be_shown_for_every_shell(shell: str) -> None:
    env = {**os.environ, "_KIBITZ_COMPLETE": f"source_{shell}"}
    done = subprocess.run(
        [sys.executable, "-c", AS_KIBITZ], env=env, capture_output=True, text=True, check=False
    )
    assert "_KIBITZ_COMPLETE" in done.stdout


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version").out == f"{__version__}\n"
