"""Every page that Kibitz writes: one head, one theme, nothing from elsewhere, tags that match."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import pytest

import kibitz
from kibitz.board import export, play_through, svg_board
from kibitz.engine import CompiledGame
from kibitz.experiments.reproduce import (
    Generalised,
    LearningRow,
    Measured,
    frame_html,
    learning_html,
    positions_html,
    to_html as papers_html,
)
from kibitz.experiments.reproduce.all_papers import Paper, PaperTable, Whole
from kibitz.experiments.reproduce.frame import read_table
from kibitz.experiments.reproduce.positions import measure_tables, printed_rows
from kibitz.games import load_sheet
from kibitz.gdl import read
from kibitz.pages import write_page
from kibitz.present import (
    Explanation,
    Report,
    Study,
    StudyOptions,
    Wish,
    explanation_page,
    lesson_page,
    make_lesson,
    make_report,
    report_page,
)
from kibitz.puzzles import DepthSkill, choose_puzzles, find_positions, to_html as puzzles_html
from kibitz.strategy import export_strategy, read_strategy
from kibitz.web import make_app
from kibitz.web.server.app import reference_page

SOURCE = Path(kibitz.__file__).parent
HOSTILE = "<script>alert(1)</script>"
VOID = {"meta", "link", "br", "input"}


class Outline(HTMLParser):
    """Sees that each tag is closed where it should be, and keeps attributes of all tags."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "p" and "p" in self.open:
            self.wrong.append(f"p in p at {self.getpos()}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")


@cache
def hostile_report() -> Report:
    text = load_sheet("nim:1,2").source.text.replace("player1", "<b>x</b>")
    return make_report(read(text, name=HOSTILE), Wish(rule_seconds=0.2))


def explanation() -> str:
    study = Study(load_sheet("nim:1,2"), StudyOptions())
    study.run("player1")
    return explanation_page(study.known)


def lesson() -> str:
    study = Study(load_sheet("nim:1,2"), StudyOptions())
    study.run("player1")
    return lesson_page(make_lesson(study.known, study.known.parts[0], study.synthesised["player1"]))


def comparison() -> str:
    one = make_report(load_sheet("roshambo"), Wish(rule_seconds=0))
    return report_page([hostile_report(), one], [(HOSTILE, HOSTILE)])


def puzzles() -> str:
    game = CompiledGame(load_sheet("tictactoe"))
    found = find_positions(game, "xplayer")
    return puzzles_html(choose_puzzles(found, 2, own=DepthSkill(1), other=DepthSkill(1)))


def match() -> str:
    return str(export(play_through(kibitz.load("tictactoe"), []), "html"))


def strategy() -> str:
    game = kibitz.load("tictactoe")
    return str(export_strategy(read_strategy("(cell 1 1 x) => (mark 2 2)", game), "html"))


def papers() -> str:
    rows: list[tuple[str, ...]] = [("1", "yes"), (HOSTILE, "no")]
    table = PaperTable(HOSTILE, ("a", "b, ours"), HOSTILE, HOSTILE, rows, [HOSTILE])
    return papers_html(
        Whole([Paper("001", HOSTILE, [table], (HOSTILE,))], "here", "now", 1.0, True)
    )


def frame() -> str:
    seconds = {"original": 1.0, "direct": 0.8, "pruned": 0.4}
    found = [
        Measured(
            row, HOSTILE, 3, 10, seconds, {"pruned": 0.1}, 9, 3, ("direct",), {"pruned": 1.0}, {},
            (HOSTILE,),
        )
        for row in read_table()[:8]
    ]  # fmt: skip
    return frame_html(found, [HOSTILE])


def positions() -> str:
    rows = [row for row in printed_rows() if row.game == "mnk:3,3,3,RCD"]
    return positions_html(measure_tables(rows))


def learning() -> str:
    row = LearningRow(HOSTILE, "S", "rules", None, 3, 0.1, 9, 3, 3, 3, None, 0.001)
    return learning_html([row], [Generalised("nim S", HOSTILE, "a", 0, 3, 100, 100, 9, 3, 3, 3)])


def interface() -> str:
    return reference_page(make_app().openapi())


PAGES: list[Callable[[], str]] = [
    explanation, lesson, comparison, puzzles, match, strategy, papers, frame, positions, learning,
    interface,
]  # fmt: skip


written = cache(lambda made: str(made()))
"""Each page is made once."""

each_page = pytest.mark.parametrize("made", PAGES, ids=lambda made: made.__name__)


@each_page
def test_a_page_is_whole(made: Callable[[], str]) -> None:
    page = written(made)
    seen = Outline(page)
    assert seen.wrong == []
    assert seen.open == []
    names = [tag for tag, _ in seen.tags]
    assert [names.count(tag) for tag in ("html", "head", "body", "main", "h1")] == [1] * 5
    assert page.startswith('<!doctype html>\n<html lang="en">')
    assert re.search(r"<title>[^<]+</title>", page.partition("</head>")[0])
    metas = {found.get("name"): found.get("content") for tag, found in seen.tags if tag == "meta"}
    assert metas["viewport"] == "width=device-width, initial-scale=1"
    assert metas["color-scheme"] == "light dark"
    assert not {"link", "img", "iframe"} & set(names)
    links = [found.get(key) for _, found in seen.tags for key in ("src", "href") if key in found]
    allowed = ("#", "/") if made is interface else ("#",)
    assert all(link and link.startswith(allowed) for link in links)
    assert not re.search(r"https?:", page.replace("http://www.w3.org/2000/svg", ""))
    assert "url(" not in page
    assert page.count("<style>") == 1
    assert names.count("script") == (made is lesson)
    assert "alert(1)</script>" not in page
    ids = [found["id"] for _, found in seen.tags if "id" in found]
    assert len(ids) == len(set(ids))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no Chromium on this system")
    with sync_api.sync_playwright() as play:
        found = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield found
        found.close()


WIDE = "document.documentElement.scrollWidth - innerWidth"
GROUND = "getComputedStyle(document.body).backgroundColor"
BOARD = """(e => e && getComputedStyle(e).getPropertyValue("--kb-paper"))(
  document.querySelector("svg"))"""


@each_page
def test_a_page_fits_a_telephone_has_a_dark_side_and_is_printed_light(
    made: Callable[[], str], browser: Any
) -> None:
    opened = browser.new_page(viewport={"width": 360, "height": 700})
    opened.set_content(written(made))
    assert opened.evaluate(WIDE) <= 0
    light = opened.evaluate(GROUND), opened.evaluate(BOARD)
    assert light[0] == "rgb(255, 255, 255)"
    opened.emulate_media(color_scheme="dark")
    dark = opened.evaluate(GROUND), opened.evaluate(BOARD)
    assert dark[0] == "rgb(22, 25, 29)"
    assert dark[1] != light[1] or light[1] is None
    opened.emulate_media(color_scheme="dark", media="print")
    assert (opened.evaluate(GROUND), opened.evaluate(BOARD)) == light
    opened.close()


def test_a_hostile_name_is_text() -> None:
    page = written(comparison)
    assert "&lt;script&gt;alert(1)" in page
    assert "<b>x" not in page
    assert "\x00" not in write_page("match", game="a\x00b\ud800", figures=[])


def test_wrong_nesting_would_be_seen() -> None:
    assert Outline("<p><b>x</p></b>").wrong
    assert Outline("<p>a<p>b</p></p>").wrong
    assert Outline("<p><b>x</b><br></p>").wrong == []


def test_only_one_file_writes_the_head_of_a_document() -> None:
    texts = [path for path in SOURCE.rglob("*") if path.suffix in (".py", ".j2", ".html", ".js")]
    heads = [
        str(path.relative_to(SOURCE))
        for path in texts
        if re.search(r"^\s*\S{0,4}<!doctype|<head>", path.read_text("utf-8"), re.I | re.M)
    ]
    assert sorted(heads) == ["pages/templates/base.html.j2", "web/static/index.html"]
    styled = [
        path.name for path in texts if re.search(r"font-size:|@media print", path.read_text())
    ]
    assert styled == []


def test_only_one_module_uses_matplotlib_to_draw() -> None:
    users = [
        p
        for p in SOURCE.rglob("*.py")
        if re.search("import matplotlib|from matplotlib", p.read_text())
    ]
    assert [path.name for path in users] == ["svg.py"]


def test_a_value_that_a_template_does_not_get_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError, match="figures"):
        write_page("match", game="nim")
    given = SimpleNamespace(title="x", parts=(), faults="")
    with pytest.raises(jinja2.UndefinedError, match="no attribute 'story'"):
        write_page("explanation", explanation=given, text=None)


def test_boards_on_a_page_share_one_style() -> None:
    game = kibitz.load("tictactoe")
    svg = svg_board(game.initial())
    page = write_page("match", game="x", figures=[(svg, "a"), (svg, "b")])
    assert svg.count("<style>") == 1
    assert page.count("--kb-ink:") == svg.count("--kb-ink:")
    assert page.count("<svg ") == 2


def test_states_without_an_end_have_a_share_as_well() -> None:
    counts = {"won by a": 1, "drawn": 0, "won by b": 2, "without an end": 1}
    report = Report("x", ("a", "b"), "k", 4, 1, 3, True, "a", values_of_states=counts)
    assert "without an end 25%" in report_page([report])


def test_an_explanation_without_rules_is_a_page() -> None:
    page = explanation_page(Explanation(HOSTILE, HOSTILE, ()))
    assert Outline(page).wrong == []
    assert "How to play</span>" in page
