"""Colours that can be read, and games from files that are drawn as files beside them say."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from kibitz.board.drawing.picture import THEME
from kibitz.cli.programs.web import _add_file
from kibitz.games import rule_text
from kibitz.pages import THEME_CSS
from kibitz.web.server.jobs import Jobs
from kibitz.web.session.sessions import Sessions


def luminance(colour: str) -> float:
    """Give the relative luminance of #rrggbb, after WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def schemes() -> list[dict[str, str]]:
    """Give the colours of the page, light and dark."""
    text = THEME_CSS.read_text("utf-8") + THEME_CSS.with_name("page.css").read_text("utf-8")
    found = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", text)
    return [{name: pair[which] for name, *pair in found} for which in (0, 1)]


def test_texts_of_the_page_can_be_read_in_light_and_dark() -> None:
    for colours in schemes():
        for name in ("ink", "soft", "win", "draw", "loss", "accent"):
            for ground in ("paper", "ground"):
                assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
        assert contrast(colours["accent"], colours["accent-ink"]) >= 4.5
        for tone in ("even", "mix", "open", *(f"tone{n}" for n in range(6))):
            assert contrast(colours[tone], colours["on"]) >= 4.5, tone


def test_the_page_and_pages_in_files_have_one_theme(client: httpx.Client) -> None:
    assert client.get("/static/theme.css").text == THEME_CSS.read_text("utf-8")
    assert '<link rel="stylesheet" href="/static/theme.css">' in client.get("/").text
    assert "--paper:" not in client.get("/static/kibitz.css").text


@pytest.mark.parametrize("which", [0, 1])
def test_values_on_boards_can_be_read(which: int) -> None:
    for name in ("good", "even", "bad", "mark"):
        assert contrast(THEME[name][which], THEME["paper"][which]) >= 4.5, name


def test_a_game_from_a_file_is_drawn_as_the_file_beside_it_says(tmp_path: Path) -> None:
    path = tmp_path / "mine.kif"
    path.write_text(rule_text("tictactoe"))
    sessions = Sessions(Jobs(threads=1))
    plain = sessions.open(_add_file(sessions, path.read_bytes(), str(path)))
    assert plain.name == "mine"
    assert plain.is_kept
    (tmp_path / "mine.board.toml").write_text("flip = true\n")
    other = Sessions(Jobs(threads=1))
    turned = other.open(_add_file(other, path.read_bytes(), str(path)))
    first, last = plain.layout.boards[0].cells[0], turned.layout.boards[0].cells[0]
    assert first.key == last.key
    assert (first.x, first.y) != (last.x, last.y)
