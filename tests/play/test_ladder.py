"""The ladder for players elsewhere: matches over the network, results kept, ratings of all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.play.test_protocol import listening, make_random
from tools import ladder


def test_a_player_is_entered_by_its_address_and_results_add_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "results.jsonl"
    clocks = ["--start-clock", "60", "--play-clock", "60", "--matches", "1"]
    with listening(make_random) as (_, address):
        for _ in range(2):
            args = ["nim:1,2", "--player", f"there={address}", "--agent", "optimal", *clocks]
            monkeypatch.setattr("sys.argv", ["ladder.py", *args, "--results", str(kept)])
            ladder.main()
    lines = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert len(lines) == 4
    assert {name for line in lines for name in line["result"][:2]} == {"there", "optimal"}
    printed = capsys.readouterr().out.splitlines()
    assert printed[-2].startswith("optimal +")
    assert printed[-1].startswith("there -")
    assert printed[-1].endswith("of 4 points")


def test_an_address_without_a_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["ladder.py", "nim:1,2", "--player", "127.0.0.1:9"])
    with pytest.raises(SystemExit):
        ladder.main()
