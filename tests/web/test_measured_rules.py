"""Rules by matches on the page: a job in a child, a list that can be loaded, and its strength."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.present.test_measured import found_by_hand
from tests.web.conftest import wait, wait_solved

from kibitz.engine import CompiledGame
from kibitz.measured import MeasuredRules, SearchOptions
from kibitz.web.session import measured_rules

GAME = "mnk:4,4,4"
"""It is more than the server of the tests may solve."""


def asked(client: httpx.Client, **more: Any) -> httpx.Response:
    wait_solved(client, GAME)
    body = {"kind": "measure", "role": "oplayer", **more}
    return client.post(f"/api/games/{GAME}/jobs", json=body)


def test_a_job_finds_a_list_that_can_be_loaded_and_played_against(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(
        game: CompiledGame, *, options: SearchOptions, report: Callable[[str], None]
    ) -> MeasuredRules:
        return found_by_hand(game, None, options, report=report)

    monkeypatch.setattr(measured_rules, "find_measured_rules", find)
    found: Any = wait(client, asked(client).json()["id"])
    assert found["status"] == "done", found
    result = found["result"]
    assert result["told"] == "2 rules for X and O, measured, not proved"
    assert result["strength"][1] == {
        "against": "tree search with 100 playouts a move (uct:100)",
        "points": "62.5",
        "interval": "40.1 to 81.2",
        "matches": "20",
    }
    assert result["sentences"][-1].startswith("Accuracy 93 %")
    assert result["measured"]["proved"] is False
    shown = client.post(
        f"/api/games/{GAME}/strategy", json={"text": result["text"], "role": "xplayer"}
    ).json()
    assert shown["verdict"] is None
    assert "at the limit of states" in shown["unchecked"]
    assert [rule["fires"] for rule in shown["rules"]] == [False, True]
    assert shown["rules"][0]["words"] == "Win at once if you can."
    played = {"role": "xplayer", "opponent": "strategy", "strategy": result["text"], "rules": 2}
    reply = client.post(f"/api/games/{GAME}/reply", json=played).json()
    assert reply["move"] in shown["moves"]


def test_such_a_job_is_cancelled_at_once(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(_game: CompiledGame, *, report: Callable[[str], None], **_: object) -> None:
        report("round 1")
        time.sleep(500)

    monkeypatch.setattr(measured_rules, "find_measured_rules", find)
    job = asked(client).json()["id"]
    while client.get(f"/api/jobs/{job}").json()["progress"] != "round 1":
        time.sleep(0.02)
    assert client.delete(f"/api/jobs/{job}").json()["status"] == "cancelled"


def test_what_may_be_asked_is_bounded(client: httpx.Client) -> None:
    assert asked(client, rules=50).status_code == 422
    assert asked(client, role="nobody").status_code == 400
