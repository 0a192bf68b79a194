"""Files to download: positions, matches, strategies, tried lines."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from tests.web.test_guard import HOSTILE

FORMS = ("svg", "png", "tex", "html", "md", "txt", "json", "dot")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("what", ["position", "match"])
def test_positions_and_matches_are_given_in_every_format(
    solved: httpx.Client, form: str, what: str
) -> None:
    params: dict[str, Any] = {"form": form, "what": what, "line": "4.0.1"}
    answer = solved.get("/api/games/tictactoe/export", params=params)
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].endswith(f'"tictactoe-{what}.{form}"')
    if form == "json":
        assert len(answer.json()["positions"]) == (4 if what == "match" else 1)
    if form == "txt" and what == "match":
        assert answer.text.startswith("1. xplayer (mark 2 2)\n2. oplayer (mark 1 1)\n")
    if form == "html":
        assert answer.text.count("<svg") == (4 if what == "match" else 1)


@pytest.mark.parametrize("form", FORMS)
def test_strategies_are_given_in_every_format(solved: httpx.Client, form: str) -> None:
    asked = {"text": "(cell 1 1 o) => (mark 2 2)\ntrue => (mark 1 1)", "form": form}
    answer = solved.post("/api/games/tictactoe/strategy/export", json=asked)
    assert answer.status_code == 200
    assert answer.content
    assert answer.headers["content-disposition"].startswith("attachment")


def test_tried_lines_are_a_tree(solved: httpx.Client) -> None:
    lines = ["4.0.1", "4.0.2", "4.1"]
    url = "/api/games/tictactoe/lines/export"
    dot = solved.post(url, json={"lines": lines, "form": "dot"}).text
    assert dot.count("->") == 5
    told = json.loads(solved.post(url, json={"lines": lines, "form": "json"}).text)
    assert [one["line"] for one in told["lines"]] == lines
    text = solved.post(url, json={"lines": lines, "form": "txt"}).text
    assert text.count("1. xplayer (mark 2 2)") == 3
    assert solved.post(url, json={"lines": ["99"], "form": "dot"}).status_code == 400


def test_hostile_names_are_escaped_in_every_file(client: httpx.Client) -> None:
    game = client.post("/api/games", json={"text": HOSTILE, "name": "hostile"}).json()["id"]
    for what in ("position", "match"):
        for form in ("svg", "html"):
            params = {"form": form, "what": what, "line": "0"}
            text = client.get(f"/api/games/{game}/export", params=params).text
            assert "<script" not in text
            assert "<img" not in text
    rule = "(cell 1 2 b) => (mark 1 2)"
    for form in ("svg", "html"):
        asked = {"text": rule, "form": form}
        text = client.post(f"/api/games/{game}/strategy/export", json=asked).text
        assert "<script" not in text
        assert "<svg" in text
