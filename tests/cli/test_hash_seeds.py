"""The same input gives the same output, whatever order Python's sets have."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest


@pytest.mark.parametrize("game", ["nim:1,2,4", "crossdot:4,2"])
@pytest.mark.parametrize("command", ["frame", "invariants", "ground"])
def test_hash_seeds_change_no_output(command: str, game: str) -> None:
    outputs = set()
    for seed in ("1", "2", "3"):
        done = subprocess.run(
            [sys.executable, "-m", "kibitz", command, game],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        outputs.add(re.sub(r"[\d.]+ s\b", "S s", done.stdout))
    assert len(outputs) == 1
