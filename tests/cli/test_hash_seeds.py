"""The same input gives the same output, whatever order Python's sets have."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

_TIMES = re.compile(r'[\d.]+ s\b|"\w*seconds": ?[-\d.e]+')
_RUN = """
import json, sys
from typer.testing import CliRunner
from kibitz.cli import app
for command in json.loads(sys.argv[1]):
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    print(json.dumps(done.stdout))
"""
"""Runs commands in one process, as starting Python takes longer than most of them."""


def outputs(code: str, *arguments: str, seeds: tuple[str, ...] = ("1", "2")) -> list[str]:
    """Give what a program prints under each seed."""
    return [
        subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        ).stdout
        for seed in seeds
    ]


def same_output(*commands: str) -> None:
    """Check that commands print the same under two seeds, but for times, and print something."""
    asked = json.dumps([command.split() for command in commands])
    one, other = (map(json.loads, lines.splitlines()) for lines in outputs(_RUN, asked))
    for command, first, second in zip(commands, one, other, strict=True):
        assert first.strip(), command
        assert _TIMES.sub("S s", first) == _TIMES.sub("S s", second), command


def test_hash_seeds_change_no_output() -> None:
    games = ("nim:1,2,4", "crossdot:4,2")
    deep = [f"{command} {game}" for command in ("frame", "invariants", "ground") for game in games]
    same_output(*deep, *(f"{command} nim:1,2,4" for command in ("check", "encode", "draw")))


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
    first, *others = outputs(code, seeds=("1", "2", "3"))
    assert others == [first, first]
    assert "ends when" in first


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    ["explain --no-cache --json", "synth --role player1 --rounds 3 --json", "puzzles --json",
     "hardness --role player1 --json", "learn tree --rules --json", "learn constraints --json",
     "report --json"],
)  # fmt: skip
def test_hash_seeds_change_nothing_that_is_found(command: str) -> None:
    same_output(f"{command} nim:1,2,4")


@pytest.mark.slow
def test_hash_seeds_change_nothing_about_strategies(tmp_path: Path) -> None:
    path = tmp_path / "mine.strategy"
    path.write_text("true => (reduce b 1)\n", "utf-8")
    same_output(
        f"moves nim:1,2,4 {path} --role player1 --json",
        f"comply nim:1,2,4 --strategy player1={path} --outcomes --json",
    )
