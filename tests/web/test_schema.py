"""Any request that the schema allows, and many that it does not: an answer, and never a 500."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from kibitz.web import make_app

LINES = ["", "4", "4.0", "4.1.0", "x", "99", "4..1", "0.0.0.0.0.0.0.0.0.0"]
TEXTS = st.sampled_from(
    ["", "true => (mark 2 2)", "true => (mark", "next next wins(me)", "symmetric first", "\0", "é"]
)


def interface() -> dict[str, Any]:
    """Give the schema; games and lines are drawn from a few, so that requests get somewhere."""
    raw = make_app().openapi()
    del raw["paths"]["/api/jobs/{job}/events"]  # streams are followed elsewhere
    for methods in raw["paths"].values():
        for about in methods.values():
            for parameter in about.get("parameters", []):
                if parameter["name"] == "key":
                    parameter["schema"] = {"enum": ["tictactoe", "nosuch", "~0"]}
                if parameter["name"] == "line":
                    parameter["schema"] = {"enum": LINES}
    return raw


SCHEMA = schemathesis.openapi.from_dict(interface())
OPERATIONS: dict[str, Any] = {
    operation.label: operation
    for found in SCHEMA.get_all_operations()
    if (operation := found.ok())  # type: ignore[union-attr]
}


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_no_request_makes_the_server_fail(
    solved: httpx.Client, label: str, mode: GenerationMode
) -> None:
    operation = OPERATIONS[label]
    if mode is GenerationMode.NEGATIVE and not (operation.query or operation.body):
        pytest.skip("nothing can be wrong in a request without parameters")

    @settings(
        max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(
        case=operation.as_strategy(generation_mode=mode), text=TEXTS, line=st.sampled_from(LINES)
    )
    def check(case: Any, text: str, line: str) -> None:
        body = case.body
        if mode is GenerationMode.POSITIVE and isinstance(body, dict):
            body |= {key: text for key in ("text", "strategy", "other") if key in body}
            body |= {"line": line} if "line" in body else {}
            body |= {"role": "xplayer"} if "role" in body else {}
            body |= {"seconds": 0.5} if "seconds" in body else {}
        response = case.call(base_url=str(solved.base_url))
        assert response.status_code < 500 or response.status_code == 503, response.text
        if response.status_code >= 400:
            assert set(response.json()["error"]) == {"code", "message", "hint", "line", "column"}

    check()
