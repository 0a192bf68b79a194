"""The commands of learn, as programs and people call them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_a_tree_gives_the_keys_that_programs_read(run: Run) -> None:
    result = run("learn", "tree", "nim", "--instance", "S", "--method", "minimax", "--json")
    assert result.status == 0
    assert {"nodes", "value", "rules", "seconds"} <= set(result.json)
    assert (result.json["nodes"], result.json["value"]) == (390, 100)


def test_rules_are_printed_and_saved(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rules.lp"
    result = run("learn", "tree", "nim:1,2,2", "--rules", "-o", path)
    assert result.status == 0
    assert "best_do(" in result.out
    assert path.read_text("utf-8").strip() in result.out.replace("\n  ", "\n")


def test_a_tree_is_saved_as_json_and_drawn(run: Run, tmp_path: Path) -> None:
    for name in ("tree.json", "tree.svg"):
        assert run("learn", "tree", "nim:1,2", "-o", tmp_path / name).status == 0
    tree = json.loads((tmp_path / "tree.json").read_text("utf-8"))
    assert tree["score"] == 100
    assert tree["children"]
    assert (tmp_path / "tree.svg").read_text("utf-8").startswith("<svg")


def test_wrong_use_is_told(run: Run, tmp_path: Path) -> None:
    for args in (
        ("nim:1,2", "-o", tmp_path / "tree.txt"),
        ("kayles:4", "--instance", "S"),
        ("nim:1,2", "--rules", "--mask", "heap"),
    ):
        result = run("learn", "tree", *args)
        assert (result.status, result.out) == (2, "")
        assert "hint" in result.err
