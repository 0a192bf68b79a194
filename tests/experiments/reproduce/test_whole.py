from __future__ import annotations

import json
from functools import cache

import pytest
from tests.cli.conftest import Run, run
from tests.present.report.test_making import Balanced

from kibitz.experiments.reproduce import positions
from kibitz.experiments.reproduce.all_papers import Whole, reproduce_all, to_html, to_markdown
from kibitz.experiments.reproduce.claims import CLAIMS, DIFFERENCES, TITLES, Claim, ClaimResult
from kibitz.experiments.reproduce.positions import printed_rows
from kibitz.pages import plain_markdown

__all__ = ["run"]

FAILING = {
    ("000", "Definition 4"),
    ("000", "Table III"),
    ("000", "Table IV"),
    ("000", "footnote 6"),
    ("001", "section 4.2, item 2"),
    ("001", "section 4.2, item 3"),
    ("001", "section 4.2, item 3, note"),
    ("001", "section 4.2, item 4"),
    ("001", "Observation 6"),
    ("001", "formula (6.2)"),
    ("001", "formula (6.3)"),
    ("003", "section on tree exploration"),
    ("003", "section 3.3, large k1"),
}


@cache
def check(claim: Claim) -> ClaimResult:
    """Check a claim, once for all tests."""
    return claim.check()


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: f"{c.paper} {c.where}: {c.printed}")
def test_claims_hold_but_for_those_known_to_fail(claim: Claim) -> None:
    found = check(claim)
    assert found.holds == ((claim.paper, claim.where) not in FAILING)
    assert found.holds or claim.why
    assert found.text


def test_every_paper_says_what_differs() -> None:
    assert list(TITLES) == list(DIFFERENCES) == ["000", "001", "002", "003", "004"]


@pytest.fixture(scope="module")
def small() -> Whole:
    few = [row for row in printed_rows() if row.game in ("mnk:3,3,3,RCD", "connect:4,5x5,RCD")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(positions, "printed_rows", lambda: few)
        return reproduce_all(seconds=1000, quick=True, only=["001", "003"])


def test_tables_have_the_paper_s_figures_beside_ours(small: Whole) -> None:
    tables = {table.name: table for table in small.papers[1].tables}
    table = tables["Table 3: Tic-Tac-Toe against depth 3"]
    row = next(r for r in table.rows if r[0].startswith("mnk:3,3,3") and r[1] == "2")
    figures = dict(zip(table.columns, row, strict=True))
    assert figures["states, ours"] == "5,478"
    assert figures["|W_j|, ours"] == figures["|W_j|"] == "36"
    assert figures["M/H k1=1, exact"] == "12/0"
    left = tables["Table 7, as measured: positions by the depth that makes them easy"].left_out
    assert any("connect:4,5x5" in reason for reason in left)


def test_the_page_is_whole_and_the_markdown_has_the_same_rows(small: Whole) -> None:
    page = to_html(small)
    Balanced(page)
    text = to_markdown(small)
    for paper in small.papers:
        for table in paper.tables:
            for row in table.rows:
                assert "| " + " | ".join(map(plain_markdown, row)) + " |" in text
    assert json.loads(json.dumps(small.as_json()))["papers"][0]["number"] == "001"


def test_an_interrupt_leaves_what_was_measured() -> None:
    def progress(message: str) -> None:
        if message.endswith("Observation 4"):
            raise KeyboardInterrupt

    found = reproduce_all(seconds=2000, only=["001"], progress=progress)
    assert found.was_interrupted
    assert len(found.papers[0].tables[0].rows) == 6
    assert "Interrupted" in to_html(found)


def test_no_time_is_reported_row_by_row() -> None:
    found = reproduce_all(seconds=0, quick=True, only=["002"])
    table = found.papers[0].tables[0]
    assert table.rows == []
    assert all(reason.endswith(": no time") for reason in table.left_out)


def test_the_command_refuses_what_it_does_not_know(run: Run) -> None:
    assert run("reproduce", "all", "007").status == 2
    assert run("reproduce", "all", "001", "-o", "all.docx").status == 2


@pytest.mark.slow
def test_all_papers_can_be_measured_quickly() -> None:
    found = reproduce_all(seconds=120, quick=True)
    assert [paper.number for paper in found.papers] == list(TITLES)
    for paper in found.papers:
        assert any(table.rows for table in paper.tables)
