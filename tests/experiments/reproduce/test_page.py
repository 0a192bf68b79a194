"""The page of reproduced tables says what the commands that it names find."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.cli.conftest import Run, run
from tests.experiments.reproduce.test_whole import check

from kibitz.experiments.reproduce.claims import CLAIMS, Claim
from kibitz.experiments.reproduce.learning import mask_text

__all__ = ["run"]

PAGE = (Path(__file__).parents[3] / "docs" / "reproduced.md").read_text("utf-8")


def sections() -> dict[tuple[str, str], str]:
    """Return the text of each table by its paper and its name."""
    found = {}
    for paper in re.split(r"^## Paper ", PAGE, flags=re.MULTILINE)[1:]:
        for part in re.split(r"^### ", paper, flags=re.MULTILINE)[1:]:
            found[paper[:3], part.splitlines()[0]] = part
    return found


def rows_of(paper: str, name: str) -> list[dict[str, str]]:
    """Return the rows of a table of the page."""
    lines = [line for line in sections()[paper, name].splitlines() if line.startswith("|")]
    cells = [re.split(r"(?<!\\) \| ", line[2:-2]) for line in lines]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]


def test_every_table_names_its_command() -> None:
    tables = [text for text in sections().values() if "\n| ---" in text]
    assert len(tables) >= 16
    for text in tables:
        assert re.match(r".+\n\n`kibitz [^`]+`", text), text[:60]


@pytest.mark.parametrize(
    "claim",
    [claim for claim in CLAIMS if claim.paper == "003"],
    ids=lambda claim: str(claim.where),
)
def test_claims_of_the_page_are_those_found(claim: Claim) -> None:
    row = next(row for row in rows_of(claim.paper, "Claims") if row["claim"] == claim.where)
    assert row["found"] == check(claim).text


def test_winning_positions_of_the_page_are_those_found(run: Run) -> None:
    games = ["connect:3,4x4,RD", "bottom2:3,3x3", "mnk:3,3,3"]
    found = run("reproduce", "positions", *games, "--json").json["rows"]
    assert len(found) >= 10
    kinds = {1: "CONNECT", 2: "Bottom-2", 3: "Tic-Tac-Toe"}
    summary = "Table 7, as measured: positions by the depth that makes them easy"
    for row in found:
        key = (row["game"], str(row["rounds"]))
        for other, more in ((3, 0), (2, 3)):
            name = f"Table {row['table'] + more}: {kinds[row['table']]} against depth {other}"
            shown = next(r for r in rows_of("003", name) if (r["game"], r["j"]) == key)
            assert shown["states, ours"] == f"{row['states']:,}"
            assert shown["\\|W_j\\|, ours"] == f"{row['positions']:,}"
            for classes in row["classes"]:
                if classes["other"] == other and classes["own"] <= 3:
                    _, medium, hard = classes["exact"]
                    assert shown[f"M/H k1={classes['own']}, exact"] == f"{medium}/{hard}"
        categories = next(r for r in rows_of("003", summary) if (r["game"], r["j"]) == key)
        assert list(categories.values())[2:] == [str(count) for count in row["categories"]]


@pytest.mark.parametrize("game", ["nim", "tictactoe"])
def test_trees_of_the_page_are_those_found(run: Run, game: str) -> None:
    name = "Tables 1 and 2: nodes of game trees; Figure 19: seconds"
    shown = {
        row["approach"]: row["nodes, ours"]
        for row in rows_of("004", name)
        if (row["game"], row["instance"]) == (game, "S")
    }
    ways = {
        "minimax": ["--method", "minimax"],
        "pruned": ["--method", "pruned"],
        "rules": ["--method", "pruned", "--rules", "--mask", mask_text(game)],
    }
    for approach, options in ways.items():
        found = json.loads(run("learn", "tree", game, "--instance", "S", *options, "--json").out)
        assert shown[approach] == f"{found['nodes']:,}"
