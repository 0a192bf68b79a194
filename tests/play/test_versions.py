"""Two checkouts meet as players: either begins as often, results are kept, the table counts."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from tools import versions

ROOT = Path(versions.__file__).parents[1]
needs_posix = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="stops processes")


def test_the_table_counts_from_the_side_of_the_second_version() -> None:
    def match(begins: bool, *goals: int, late: tuple[int, int] = (0, 0)) -> dict[str, Any]:
        marks = {"game": "some", "clock": 0.1, "second begins": begins}
        return marks | {"goals": goals, "late": late, "errors": []}

    played = [match(True, 100, 0, late=(0, 3)), match(False, 0, 100), match(False, 50, 50)]
    *_, line = versions.table([*played, match(True, 0, 100, late=(1, 0))])
    assert line == "| some | 0.1 | 2, 1, 1 | 62 % [22, 91] | 1 | 3 | 0 |"


@needs_posix
def test_matches_are_resumed_and_each_version_begins_as_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.jsonl"
    where = [str(ROOT), str(ROOT), "nim:2,2", "--names", "old", "new", "--results", str(kept)]
    for matches in ("2", "4"):
        args = ["--agent", "random", "--opening", "1", "--play-clock", "60", "--matches", matches]
        monkeypatch.setattr("sys.argv", ["versions.py", *where, *args])
        versions.main()
    lines = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert [line["second begins"] for line in lines] == [False, True, False, True]
    assert [line["moves"][0] for line in lines[::2]] == [line["moves"][0] for line in lines[1::2]]
    assert all(sorted(line["goals"]) == [0, 100] for line in lines)
    assert all(line["late"] == [0, 0] and not line["errors"] for line in lines)
    won = sum(line["goals"][0 if line["second begins"] else 1] == 100 for line in lines)
    assert f"| {won}, 0, {4 - won} |" in capsys.readouterr().out.splitlines()[-1]
