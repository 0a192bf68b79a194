"""Every game of the catalogue is documented, counted, shown in a transcript, and sound."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.games.conftest import EXAMPLES
from tests.games.counting import known_counts
from tests.games.golden import FOLDER, MATCHES

from kibitz.games import Entry, catalogue, rule_text
from kibitz.gdl import diagnose

DOCS = (Path(__file__).parents[2] / "docs" / "games.md").read_text("utf-8")
SMALLEST = ["mnk:1,1,1", "connect:1,1x1", "bottom1:1,1x1", "crossdot:1,1", "nim:0", "kayles:1"]
SMALLEST += ["chomp:1x1", "domineering:1x1", "hex:1", "lightsout:1x1", "hanoi:1"]
SMALLEST += ["breakthrough:4x2", "knightthrough:4x4", "pawnwhopping:4x1"]
LARGEST = ["mnk:20,20,20", "connect:20,20x20", "bottom20:20,20x20", "crossdot:50,20", "kayles:50"]
LARGEST += ["chomp:20x20", "domineering:20x20", "hex:14", "lightsout:20x20", "hanoi:12"]
LARGEST += ["breakthrough:20x20", "knightthrough:20x20", "pawnwhopping:20x20"]
LARGEST += ["nim:" + ",".join(["50"] * 26)]

entries = pytest.mark.parametrize("entry", catalogue(), ids=lambda entry: entry.name)


@entries
def test_a_game_has_its_line_in_the_docs(entry: Entry) -> None:
    known = known_counts()[entry.name]
    parameters = f"`:{entry.parameters}`" if entry.parameters else ""
    count = known.get("reachable", sum(known["perft"]))
    line = f"| `{entry.name}` | {parameters} | {entry.summary.rstrip('.')} | {count:,} "
    assert line in DOCS


@entries
def test_a_game_has_a_transcript(entry: Entry) -> None:
    assert MATCHES[entry.name].partition(":")[0] == entry.name
    assert (FOLDER / f"{entry.name}.txt").exists()


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_has_known_counts(name: str) -> None:
    known = known_counts()[name]
    assert known["source"]
    assert sum(known["perft"]) > 1
    assert ("reachable" in known) == ("terminal" in known)


@pytest.mark.parametrize("name", [*EXAMPLES, *SMALLEST, *LARGEST])
def test_a_rule_sheet_has_neither_errors_nor_warnings(name: str) -> None:
    assert diagnose(rule_text(name), name=name)[1] == ()


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_rule_sheet_opens_with_what_the_game_is(name: str) -> None:
    header = rule_text(name).partition("\n\n")[0].splitlines()
    assert header[0].startswith(f"; {name}: ")
    assert all(line.startswith(";") for line in header)
    for part in ("Roles:", "Fluents:", "Moves:"):
        assert any(line.startswith(f"; {part}") for line in header)


def test_rule_files_keep_to_a_hundred_columns() -> None:
    folder = Path(__file__).parents[2] / "src" / "kibitz" / "games" / "rules"
    paths = list(folder.glob("*.kif"))
    assert paths
    for path in paths:
        assert all(len(line) <= 100 for line in path.read_text("utf-8").splitlines()), path.name
