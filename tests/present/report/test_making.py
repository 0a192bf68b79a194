from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from tests.foreign import FOREIGN, needs_foreign
from tests.present.report.sheets import THREE

from kibitz.engine.compiled.game import CompiledGame
from kibitz.engine.compiled.simulation import simulate
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.present.report import Report, Wish, make_report
from kibitz.present.report.fairness import fairness_of
from kibitz.present.report.page import report_page
from kibitz.present.report.sampling import mean_of, share_of
from kibitz.present.report.text import as_text, compare_text, comparison

QUICK = Wish(rule_seconds=0.3, seconds=300)


class Balanced(HTMLParser):
    """Sees that every tag is closed, and that nothing is fetched from elsewhere."""

    empty = frozenset({"meta", "br", "rect", "line", "circle", "polygon", "path", "link", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        assert tag not in ("script", "link", "img")
        assert named.get("src") is None
        assert (named.get("href") or "#").startswith("#")
        if tag not in self.empty:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.empty:
            assert self.open.pop() == tag


@pytest.fixture(scope="module")
def tictactoe() -> Report:
    return make_report(load_sheet("tictactoe"), QUICK)


def test_a_win_that_can_be_forced_is_not_left_open(tictactoe: Report) -> None:
    unsolved = replace(
        tictactoe, value={"sure": {"xplayer": 100, "oplayer": 0}}, why_unsolved="huge"
    )
    found = fairness_of(unsolved)
    assert found.sentence == (
        "X can force 100 of 100, whatever others do. The game is not solved: huge."
    )
    open_one = fairness_of(replace(unsolved, value={"sure": {"xplayer": 50, "oplayer": 0}}))
    assert open_one.sentence.startswith("Whether it is fair with best play is not known")


def test_a_report_has_what_designers_ask_for(tictactoe: Report) -> None:
    assert tictactoe.value == {"value": {"xplayer": 50, "oplayer": 50}, "distance": 9}
    assert tictactoe.drawn_states == pytest.approx(1068 / 5478)
    assert tictactoe.first == "xplayer"
    assert tictactoe.advantage("random") == pytest.approx(737 / 1260 - 121 / 420)
    assert tictactoe.advantage("perfect") == 0
    assert tictactoe.symmetries is not None
    assert tictactoe.symmetries.order == 8
    assert [counted.role for counted in tictactoe.rule_counts] == ["xplayer", "oplayer"]
    assert tictactoe.rule_counts[0].rules >= 5  # type: ignore[operator]  # fewer are impossible
    assert len(tictactoe.hardest) == 3
    assert tictactoe.missing == {}
    text = as_text(tictactoe)
    assert "with best play it is a draw after 9 moves" in text
    assert "255,168 different matches" in text
    Balanced(report_page([tictactoe]))


def test_a_report_is_json(tictactoe: Report) -> None:
    plain = json.loads(json.dumps(tictactoe.as_json()))
    assert plain["first_mover_advantage"]["perfect"] == 0
    assert plain["decisions"]["that_matter"] == 3191
    assert "picture" not in plain["hardest"][0]


def test_variants_are_compared(tictactoe: Report) -> None:
    other = make_report(load_sheet("nim:1,2"), QUICK)
    table = compare_text([tictactoe, other])
    assert "5,478" in table
    assert comparison(other)["rules"] == 2
    whole = report_page([tictactoe, other], [("mnk:9,9,9", "it is too large")])
    assert "2 games compared" in whole
    assert "it is too large" in whole
    Balanced(whole)


@pytest.mark.slow
def test_a_game_that_is_too_large_is_sampled_with_intervals() -> None:
    found = make_report(
        load_sheet("connect:4,5x5"), Wish(seconds=8, max_states=2000, rule_seconds=0)
    )
    assert not found.is_complete
    assert "at least" in found.why_unsolved
    random = found.sampled[0]
    assert random.length.low < random.length.mean < random.length.high
    other = simulate(CompiledGame(load_sheet("connect:4,5x5")), playouts=50_000).mean_length
    assert other is not None
    assert random.length.low - 0.5 < other < random.length.high + 0.5
    assert random.player == "random"
    assert "not solved" in as_text(found)
    Balanced(report_page([found]))


def test_one_role_three_roles_and_roles_at_once_have_reports() -> None:
    maze = make_report(load_sheet("maze"), QUICK)
    assert maze.kind == "one role"
    assert maze.lengths["best"].mean == 12
    three = make_report(read(THREE, name="three"), QUICK)
    assert three.kind == "each role for itself"
    assert three.advantage("random") == pytest.approx(-1 / 2)
    assert "rule_counts" in three.missing
    both = make_report(load_sheet("roshambo"), QUICK)
    assert both.value is not None
    assert both.value["value"] == {"player1": 50.0, "player2": 50.0}
    assert both.decisions is None
    for found in (maze, three, both):
        assert as_text(found)
        Balanced(report_page([found]))


def test_an_interrupt_leaves_what_was_found() -> None:
    def progress(message: str) -> None:
        if message == "openings":
            raise KeyboardInterrupt

    found = make_report(load_sheet("nim:1,2"), QUICK, progress=progress)
    assert found.was_interrupted
    assert found.decisions is not None
    assert found.openings == ()
    assert "interrupted" in as_text(found)
    assert "Interrupted" in report_page([found])


def test_names_from_strangers_are_escaped() -> None:
    text = '(role "<b>") (init p) (legal "<b>" "<i>") (<= (next p) (true p)) (<= terminal (true p))'
    sheet = read(text.replace('"', ""), name="<script>.kif")
    whole = report_page([make_report(sheet, QUICK)])
    assert "<script>" not in whole
    Balanced(whole)


@needs_foreign
def test_a_foreign_game_has_a_report() -> None:
    path = FOREIGN / "rules" / "ticTicToe.kif"
    found = make_report(read(path.read_bytes(), name=str(path)), QUICK)
    assert found.title == "ticTicToe.kif"
    assert found.deadwood is not None
    assert [dead.why for dead in found.deadwood.rules] == ["nothing depends on index, in 3 rules"]
    Balanced(report_page([found]))


def test_intervals_are_wide_enough() -> None:
    assert share_of(10, 10).high == 1
    assert share_of(5, 10).low == pytest.approx(0.2366, abs=1e-4)
    assert mean_of([3.0]).low == 3
