"""Any request that the schema allows, and many that it does not: an answer as the schema says.

Never a 500, errors in one shape, and every answer as its description promises, so that the OpenAPI
page is true.
"""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, strategies as st
from schemathesis import GenerationMode
from tests.effort import examples
from tests.web.conftest import wait_solved
from tests.web.test_guard import HOSTILE

from kibitz.games import rule_text
from kibitz.web import make_app

GAMES = ["tictactoe", "nim:1,2", "roshambo", "nosuch", "~0"]
LINES = ["", "4", "4.0", "4.1.0", "0.0", "x", "99", "4..1", "0.0.0.0.0.0.0.0.0.0"]
TEXTS = st.sampled_from(
    [
        "", "true => (mark 2 2)", "true => (mark", "next next wins(me)", "symmetric first", "\0",
        "é", "previous (cell 1 1 x) => (mark 2 2)", "true => (reduce a 0)",
        "wins(me) else legal(me)",
    ]
)  # fmt: skip
ROLES = st.sampled_from(["xplayer", "oplayer", "player1", "player2", "nobody", ""])
SHEETS = st.sampled_from([rule_text("nim:1,2"), "(role a", "", "(role a) (init p) (legal a b)"])


def interface() -> dict[str, Any]:
    """Give the schema; games and lines are drawn from a few, so that requests get somewhere."""
    raw = make_app().openapi()
    del raw["paths"]["/api/jobs/{job}/events"]  # streams are followed elsewhere
    for methods in raw["paths"].values():
        for about in methods.values():
            for parameter in about.get("parameters", []):
                if parameter["name"] == "key":
                    parameter["schema"] = {"enum": GAMES}
                if parameter["name"] == "line":
                    parameter["schema"] = {"enum": LINES}
                if parameter["name"] == "move":
                    parameter["schema"] = {"enum": [0, 1, 8, 99]}
                if parameter["name"] == "role":
                    parameter["schema"] = {"enum": ["xplayer", "player1", "nobody"]}
    return raw


SCHEMA = schemathesis.openapi.from_dict(interface())
OPERATIONS: dict[str, Any] = {
    operation.label: operation
    for found in SCHEMA.get_all_operations()
    if (operation := found.ok())  # type: ignore[union-attr]
}


@pytest.fixture(scope="module")
def several(solved: httpx.Client) -> httpx.Client:
    """Give a client for a server that has solved some games, of several kinds."""
    for game in ("nim:1,2", "roshambo"):
        wait_solved(solved, game)
    return solved


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_every_request_is_answered_as_the_schema_says(
    several: httpx.Client, label: str, mode: GenerationMode
) -> None:
    operation = OPERATIONS[label]
    seen: set[int] = set()
    if mode is GenerationMode.NEGATIVE and not (operation.query or operation.body):
        pytest.skip("nothing can be wrong in a request without parameters")

    @examples(16, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(
        case=operation.as_strategy(generation_mode=mode),
        text=TEXTS,
        line=st.sampled_from(LINES),
        role=ROLES,
        sheet=SHEETS,
    )
    def check(case: Any, text: str, line: str, role: str, sheet: str) -> None:
        body = case.body
        if mode is GenerationMode.POSITIVE and not seen:  # one that must succeed
            text, line, role, sheet = "true => (mark 2 2)", "", "xplayer", rule_text("nim:1,2")
            case.path_parameters |= {"key": "tictactoe"} if "{key}" in label else {}
            case.query |= {"line": ""} if "line" in case.query else {}
            case.query |= {"move": 0} if "move" in case.query else {}
            case.query |= {"role": "xplayer"} if "role" in case.query else {}
            if isinstance(body, dict) and "moves" in body:
                body |= {"literals": [{"fluent": "(cell 1 1 x)"}], "moves": ["(mark 2 2)"]}
        if label in ("POST /api/games", "POST /api/check"):
            text = sheet
        if mode is GenerationMode.POSITIVE and isinstance(body, dict):
            body |= {key: text for key in ("text", "strategy", "other") if key in body}
            body |= {"line": line} if "line" in body else {}
            body |= {"lines": [line]} if "lines" in body else {}
            body |= {"role": role} if "role" in body else {}
            body |= {"seconds": 0.5} if "seconds" in body else {}
        response = case.call(base_url=str(several.base_url))
        seen.add(response.status_code)
        assert response.status_code < 500 or response.status_code == 503, response.text
        if response.status_code >= 400:
            assert set(response.json()["error"]) == {"code", "message", "hint", "line", "column"}
        known = operation.definition.raw["responses"]
        assert str(response.status_code) in known or response.status_code == 405
        if response.headers["content-type"] == "application/json":
            operation.validate_response(response, case=case)
        if label.endswith("/jobs") and response.status_code == 200:
            several.delete(f"/api/jobs/{response.json()['id']}")

    check()
    if mode is GenerationMode.POSITIVE and "{job}" not in label:
        assert 200 in seen  # or else nothing was tested but refusals


def test_every_view_has_its_json_twin(several: httpx.Client) -> None:
    """What each view of the page asks for is a request of the schema, and needs nothing else."""
    game = "/api/games/tictactoe"
    play = several.get(f"{game}/position", params={"line": "4"}).json()
    assert {"svg", "moves", "played", "goals"} <= set(play)
    see = several.get(f"{game}/timeline", params={"line": "4.0"}).json()
    assert len(see["moments"]) == 3
    beside = {"text": "true => (mark 2 2)", "role": "xplayer"}
    strategy = several.post(f"{game}/strategy", json=beside).json()
    assert strategy["rules"][0]["words"] == "Take the centre if you can."
    wish = {"kind": "puzzles", "role": "xplayer"}
    assert several.post(f"{game}/jobs", json=wish).json()["kind"] == "puzzles"
    rules = several.get(game).json()
    assert rules["rules"].startswith("; tictactoe")
    assert several.post("/api/check", json={"text": rules["rules"]}).json()["is_valid"]


def test_hostile_names_pass_through_every_request(client: httpx.Client) -> None:
    found = client.post("/api/games", json={"text": HOSTILE, "name": "hostile"}).json()
    key = found["id"]
    wait_solved(client, key)
    first, second = found["roles"]
    answers = [
        client.get(f"/api/games/{key}"),
        client.get(f"/api/games/{key}/position", params={"line": "0", "values": True}),
        client.get(f"/api/games/{key}/timeline", params={"line": "0"}),
        client.get(f"/api/games/{key}/why", params={"move": 0, "role": first}),
        client.get(f"/api/games/{key}/hint", params={"step": 3}),
        client.post(f"/api/games/{key}/reply", json={"role": first}),
        client.post(f"/api/games/{key}/strategy/suggest", json={"role": first}),
        client.post(f"/api/games/{key}/strategy", json={"text": "", "role": second}),
    ]
    for answer in answers:
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/json"
        told = answer.json()
        for drawn in (told.get("svg", ""), told.get("caption", "")):
            assert "<script" not in drawn
            assert "<img" not in drawn
