"""The same input gives the same output, whatever order Python's sets have."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

_TIMES = re.compile(r'[\d.]+ s\b|"\w*seconds": ?[-\d.e]+')


def outputs(*command: str) -> set[str]:
    """Give what a command prints under two seeds, but for times; it must print something."""
    found = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-m", "kibitz", *command],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        assert done.stdout.strip()
        found.add(_TIMES.sub("S s", done.stdout))
    return found


@pytest.mark.parametrize("game", ["nim:1,2,4", "crossdot:4,2"])
@pytest.mark.parametrize("command", ["frame", "invariants", "ground"])
def test_hash_seeds_change_no_output(command: str, game: str) -> None:
    assert len(outputs(command, game)) == 1


@pytest.mark.parametrize("command", ["check", "encode", "draw"])
def test_hash_seeds_change_nothing_that_rules_tell(command: str) -> None:
    assert len(outputs(command, "nim:1,2,4")) == 1


def test_hash_seeds_change_no_description_of_rules() -> None:
    """Here ends are described cell by cell, in an order that sets do not have."""
    rules = (
        "(role ann) (init (step 0)) (line 1 2) (line 3 4) (line 5 6) (line 1 6) (line 2 5)"
        " (<= (init (cell ?x b)) (line ?x ?y)) (<= (init (cell ?y b)) (line ?x ?y))"
        " (<= (legal ann (mark ?x)) (true (cell ?x b)))"
        " (<= (next (cell ?x x)) (does ann (mark ?x))) (<= (next (cell ?x x)) (true (cell ?x x)))"
        " (<= (next (cell ?x b)) (true (cell ?x b)) (not (marked ?x)))"
        " (<= (marked ?x) (does ann (mark ?x)))"
        " (<= terminal (line ?x ?y) (true (cell ?x x)) (true (cell ?y x))) (goal ann 100)"
    )
    code = (
        "from kibitz.engine import CompiledGame; from kibitz.english import story_of;"
        f"from kibitz.gdl import read; print(story_of(CompiledGame(read({rules!r}))))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1
    assert "ends when" in found.pop()


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    ["explain --no-cache --json", "synth --role player1 --rounds 3 --json", "puzzles --json",
     "hardness --role player1 --json", "learn tree --rules --json", "learn constraints --json",
     "report --json"],
)  # fmt: skip
def test_hash_seeds_change_nothing_that_is_found(command: str) -> None:
    assert len(outputs(*command.split(), "nim:1,2,4")) == 1


@pytest.mark.slow
def test_hash_seeds_change_nothing_about_strategies(tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    path.write_text("true => (reduce b 1)\n", "utf-8")
    assert len(outputs("moves", "nim:1,2,4", str(path), "--role", "player1", "--json")) == 1
    given = f"player1={path}"
    assert len(outputs("comply", "nim:1,2,4", "--strategy", given, "--outcomes", "--json")) == 1
