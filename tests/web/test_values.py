"""Values of games that are too large, of more than two players, and of simultaneous moves."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from tests.prove.test_prove import LARGE
from tests.web.conftest import SMALL, serving, wait, wait_solved

from kibitz.board import layout_of
from kibitz.engine import make_game
from kibitz.games import load_sheet
from kibitz.space import Limits
from kibitz.web.session import positions

THREE = """
(role red) (role green) (role blue)
(init (turn red))
(<= (legal ?r (give ?s)) (true (turn ?r)) (role ?s) (distinct ?r ?s))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (turn green)) (true (turn red)))
(<= (next (turn blue)) (true (turn green)))
(<= (next (got ?r ?s)) (does ?r (give ?s)))
(<= (next (got ?r ?s)) (true (got ?r ?s)))
(<= terminal (true (got blue ?s)))
(<= (goal red 60) (true (got green red))) (<= (goal red 20) (not (true (got green red))))
(<= (goal green 40) (true (got red green))) (<= (goal green 10) (not (true (got red green))))
(<= (goal blue 30) (true (got red blue))) (<= (goal blue 0) (not (true (got red blue))))
"""


@pytest.fixture(scope="module")
def three(client: httpx.Client) -> str:
    game = client.post("/api/games", json={"text": THREE, "name": "three"}).json()
    assert wait(client, game["solving"]["id"])["status"] == "done"
    return str(game["id"])


def test_of_many_arrows_the_best_of_each_piece_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    state = make_game(load_sheet("breakthrough:4x4")).initial()
    worth: Any = {
        ("white", move): SimpleNamespace(kind="estimate", rank=n, goal=n, label=f"≈{n}")
        for n, move in enumerate(state.legal("white"))
    }
    layout = layout_of(state.game)
    assert len(positions._value_marks(layout, worth)) == len(worth) == 6
    monkeypatch.setattr(positions, "MOST_ARROWS", 5)
    marks = positions._value_marks(layout, worth)
    assert len({mark.cells[0] for mark in marks}) == len(marks) == 4
    assert max(int(mark.text[1:]) for mark in marks) == 5


def test_with_three_players_moves_have_goals_for_each(client: httpx.Client, three: str) -> None:
    found = client.get(f"/api/games/{three}/position").json()
    assert [worth["kind"] for worth in found["worth"].values()] == ["maxn"] * 3
    # Whatever red gives, green is free to give to red or blue, as neither changes its own goal.
    assert found["worth"]["red"]["goals"]["red"] == [20, 60]
    moves = {move["text"]: move["worth"] for move in found["moves"] if move["worth"]}
    assert set(moves) == {"(give blue)", "(give green)"}
    assert moves["(give green)"]["goals"]["green"] == [40, 40]
    assert moves["(give blue)"]["goals"]["green"] == [10, 10]
    assert moves["(give green)"]["label"] == "20–60"
    timeline = client.get(f"/api/games/{three}/timeline", params={"line": "0"}).json()
    assert set(timeline["moments"][1]["worth"]) == {"red", "green", "blue"}


def test_why_and_replies_care_for_the_mover_alone(client: httpx.Client, three: str) -> None:
    found = client.get(f"/api/games/{three}/why", params={"move": 0}).json()
    assert (found["role"], found["keeps_value"]) == ("red", True)
    assert len(found["refutation_moves"]) == 3
    asked = {"role": "red", "opponent": "perfect"}
    assert client.post(f"/api/games/{three}/reply", json=asked).status_code == 200


def test_where_roles_choose_at_once_moves_have_shares(client: httpx.Client) -> None:
    assert wait_solved(client, "roshambo")["status"] == "done"
    found = client.get("/api/games/roshambo/position").json()
    for role in found["roles"]:
        shares = [m["worth"]["share"] for m in found["moves"] if m["role"] == role]
        assert sum(shares) == pytest.approx(1, abs=1e-4)
        assert {m["worth"]["label"] for m in found["moves"] if m["role"] == role} == {"50"}
    why = client.get("/api/games/roshambo/why", params={"move": 0, "role": "player2"}).json()
    assert why["role"] == "player2"
    assert "33%" in why["verdict"]
    answers = {
        client.post(
            "/api/games/roshambo/reply",
            json={"role": "player1", "opponent": "perfect", "seed": seed},
        ).json()["move"]
        for seed in range(12)
    }
    assert len(answers) == 3  # best play mixes


def test_games_that_are_too_large_have_estimates_that_say_so(client: httpx.Client) -> None:
    assert wait_solved(client, "connectfour")["status"] == "failed"
    line = "3.3.3.3.3.2.4.2"
    where = {"line": line}
    before = client.get("/api/games/connectfour/position", params=where).json()
    assert all(move["worth"] is None for move in before["moves"])
    found = client.get("/api/games/connectfour/estimate", params=where).json()
    assert found["playouts"] > 0
    kinds = {one["worth"]["kind"] for one in found["moves"]}
    assert kinds <= {"estimate", "exact"}
    for one in found["moves"]:
        worth = one["worth"]
        assert worth["label"].startswith("≈") == (worth["kind"] == "estimate")
    values: dict[str, Any] = {**where, "values": True}
    after = client.get("/api/games/connectfour/position", params=values).json()
    labels = {move["worth"]["label"] for move in after["moves"] if move["worth"]}
    assert labels == {one["worth"]["label"] for one in found["moves"]}
    assert any(label in after["svg"] for label in labels)
    hidden: dict[str, Any] = {**where, "hide": True}
    practice = client.get("/api/games/connectfour/position", params=hidden).json()
    assert all(move["worth"] is None for move in practice["moves"])


def test_the_search_proves_a_win_at_once(client: httpx.Client) -> None:
    wait_solved(client, "connectfour")
    where = {"line": "3.2.3.2.3.2"}
    found = client.get("/api/games/connectfour/estimate", params=where).json()
    best = found["moves"][0]
    assert (best["move"], best["worth"]["label"]) == ("(drop 4)", "W1")
    hints = [
        client.get("/api/games/connectfour/hint", params=where | {"step": step}).json()
        for step in (1, 2, 3)
    ]
    assert [one["text"] for one in hints] == [
        "A move wins.", "Look at the marked cells.", "The move is: drop in column 4.",
    ]  # fmt: skip


LATE = "3.3.3.3.3.2.4.2.1.1.4"


def test_a_search_proves_the_moves_of_a_position_of_a_game_too_large(client: httpx.Client) -> None:
    wait_solved(client, "connectfour")
    asked = {"kind": "analyse", "line": LATE}
    job = client.post("/api/games/connectfour/jobs", json=asked).json()
    found: dict[str, Any] = wait(client, job["id"])
    assert found["status"] == "done"
    result = found["result"]
    assert result == found["partial"]
    assert (result["role"], result["proved"], result["is_complete"]) == ("oplayer", 7, True)
    assert result["text"] == "Proved: with best play O wins."
    position = client.get("/api/games/connectfour/position", params={"line": LATE}).json()
    shown = {move["text"]: move["worth"]["goal"] for move in position["moves"] if move["worth"]}
    assert shown == {one["move"]: one["worth"]["goal"] for one in result["moves"]}
    for one in result["moves"]:  # one after another, by the same search on the line after it
        after = client.get(
            "/api/games/connectfour/why", params={"line": LATE, "move": one["number"]}
        ).json()
        assert (after["move"], after["worth"]["goal"]) == (one["move"], one["worth"]["goal"])
        assert after["keeps_value"] is (one["worth"]["goal"] == 100)
        end = client.get(
            "/api/games/connectfour/position", params={"line": after["refutation"]}
        ).json()
        assert end["is_terminal"]
        assert end["goals"]["oplayer"] == one["worth"]["goal"]


def test_estimates_deepen_while_moves_are_proved(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "_DEEPER_S", (0, 0))
    wait_solved(client, LARGE)
    line = {"line": "3.3"}
    first = client.get(f"/api/games/{LARGE}/estimate", params=line).json()["playouts"]
    job = client.post(f"/api/games/{LARGE}/jobs", json={"kind": "analyse", **line}).json()
    deadline, seen = time.monotonic() + 600, 0
    while seen <= first:
        assert time.monotonic() < deadline
        time.sleep(0.05)
        seen = (client.get(f"/api/jobs/{job['id']}").json()["partial"] or {}).get("playouts", 0)
    client.delete(f"/api/jobs/{job['id']}")
    wait(client, job["id"])


def test_why_says_which_moves_end_play(solved: httpx.Client) -> None:
    line = "0.3.0.3"  # x in two cells of a row, and now the third
    ends = [
        solved.get("/api/games/tictactoe/why", params={"line": line, "move": n}).json()["is_end"]
        for n in range(5)
    ]
    assert ends == [True, False, False, False, False]


def test_a_search_is_cancelled_and_keeps_what_it_knew(client: httpx.Client) -> None:
    wait_solved(client, LARGE)
    job = client.post(f"/api/games/{LARGE}/jobs", json={"kind": "analyse"}).json()
    deadline = time.monotonic() + 600
    while not (client.get(f"/api/jobs/{job['id']}").json()["partial"] or {}).get("positions"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    client.delete(f"/api/jobs/{job['id']}")
    found: dict[str, Any] = wait(client, job["id"])
    assert (found["status"], found["result"]) == ("cancelled", None)
    assert found["partial"]["text"] == "The value is not decided yet."
    assert "not decided, " in found["partial"]["moves"][0]["text"]
    assert "searched" in found["partial"]["moves"][0]["text"]


def test_solved_games_and_ends_are_not_searched(client: httpx.Client) -> None:
    wait_solved(client, "tictactoe")
    asked = {"kind": "analyse"}
    assert client.post("/api/games/tictactoe/jobs", json=asked).status_code == 400
    over = {"kind": "analyse", "line": "3.2.3.2.3.2.3"}
    assert client.post("/api/games/connectfour/jobs", json=over).status_code == 400


def test_games_that_search_does_not_take_say_so() -> None:
    limit = Limits(states=2, seconds=600, bytes=500_000_000)
    with serving(replace(SMALL, solving=limit)) as address, httpx.Client(base_url=address) as one:
        wait_solved(one, "roshambo")
        job = one.post("/api/games/roshambo/jobs", json={"kind": "analyse"}, timeout=600).json()
        found = wait(one, job["id"])
        assert found["status"] == "failed"
        assert "choose at the same time" in str(found["error"])


def test_a_strategy_of_an_unsolved_game_plays_and_is_not_checked(client: httpx.Client) -> None:
    wait_solved(client, "connectfour")
    rule = "true => (drop 4)"
    asked = {"role": "xplayer", "opponent": "strategy", "strategy": rule}
    assert client.post("/api/games/connectfour/reply", json=asked).json()["move"] == "(drop 4)"
    deep = {"role": "xplayer", "opponent": "depth", "depth": 2, "line": "3.2.3.2.3.2"}
    assert client.post("/api/games/connectfour/reply", json=deep).json()["move"] == "(drop 4)"
    rules = {"text": f"next wins(me) => any\n{rule}", "role": "xplayer"}
    told = client.post("/api/games/connectfour/strategy", json=rules).json()
    assert told["verdict"] is None
    assert "at the limit of states" in told["unchecked"]
    assert [one["fires"] for one in told["rules"]] == [False, True]
    assert told["moves"] == ["(drop 4)"]
    won = client.post(
        "/api/games/connectfour/strategy", json={**rules, "line": "3.2.3.2.3.2"}
    ).json()
    assert [one["fires"] for one in won["rules"]] == [True, False]


def test_strategies_are_checked_for_what_they_are_sure_of_where_nothing_is_optimal(
    client: httpx.Client, three: str
) -> None:
    asked = {"text": "true => (give blue)", "role": "red"}
    found = client.post(f"/api/games/{three}/strategy", json=asked).json()
    assert found["verdict"]["badge"] == "checked"
    assert found["verdict"]["guarantees"]["red"] == 20
    jobs = client.post(f"/api/games/{three}/jobs", json={"kind": "complete", "role": "red"})
    assert jobs.status_code == 409
