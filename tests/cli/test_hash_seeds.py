"""The same input gives the same output, whatever order Python's sets have."""

from __future__ import annotations

import os
import re
import subprocess
import sys

ALL = """
import sys
import kibitz.cli

kibitz.cli.begin_program = lambda: None  # It may fork.
for command in ("frame", "invariants", "ground"):
    for game in ("nim:1,2,4", "crossdot:4,2"):
        print("$", command, game, flush=True)
        sys.argv = ["kibitz", command, game]
        try:
            kibitz.cli.main()
        except SystemExit as leaving:
            assert not leaving.code
"""


def test_hash_seeds_change_no_output() -> None:
    outputs = []
    for seed in ("1", "2", "3"):
        done = subprocess.run(
            [sys.executable, "-c", ALL],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        outputs.append(re.sub(r"[\d.]+ s\b", "S s", done.stdout).splitlines())
    assert len([line for line in outputs[0] if line.startswith("$")]) == 6
    assert len(outputs[0]) > 50
    assert outputs[0] == outputs[1] == outputs[2]
