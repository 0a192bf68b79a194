"""Strangers: other hosts and origins, sizes, hostile names, and requests that make no sense."""

from __future__ import annotations

import threading

import httpx
import pytest
from tests.web.conftest import serving, wait

from kibitz.budget import Budget
from kibitz.errors import BudgetExceededError
from kibitz.games import rule_text
from kibitz.web.server import request_guard
from kibitz.web.server.jobs import Job, Jobs, visitor
from kibitz.web.server.request_guard import Pace, error_view
from kibitz.web.session.sessions import Allowance

HOSTILE = """
(role <script>boom</script>)
(role "onload=boom)
(init (cell 1 1 <img/src=x/onerror=boom>))
(init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b))
(init (control <script>boom</script>))
(<= (legal ?r (mark ?x ?y)) (role ?r) (true (control ?r)) (true (cell ?x ?y b)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (cell ?x ?y <img/src=x/onerror=boom>)) (does ?r (mark ?x ?y)))
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does ?r (mark ?a ?b))
    (or (distinct ?x ?a) (distinct ?y ?b)))
(<= (next (control "onload=boom)) (true (control <script>boom</script>)))
(<= (next (control <script>boom</script>)) (true (control "onload=boom)))
(<= open (true (cell ?x ?y b)))
(<= terminal (not open))
(<= (goal ?r 50) (role ?r))
"""


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_another_host_is_refused(client: httpx.Client, host: str) -> None:
    answer = client.get("/api/games", headers={"host": host})
    assert answer.status_code in (400, 403)


def test_another_origin_may_not_change_anything(client: httpx.Client) -> None:
    for headers in (
        {"origin": "http://evil.example"},
        {"origin": "http://[::1"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
    ):
        answer = client.post("/api/check", json={"text": ""}, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "origin")
    same = {"origin": str(client.base_url).rstrip("/")}
    assert client.post("/api/check", json={"text": ""}, headers=same).status_code == 200


def test_too_much_is_refused_before_it_is_read(client: httpx.Client) -> None:
    answer = client.post("/api/check", json={"text": "x" * 2_000_000})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "size")
    answer = client.post("/api/check", json={"text": "x" * 400_000})
    assert answer.status_code == 422


def test_every_answer_forbids_scripts_from_elsewhere(client: httpx.Client) -> None:
    for path in ("/", "/static/main.js", "/api/games", "/nowhere"):
        headers = client.get(path).headers
        assert "script-src 'self';" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/nowhere"),
        ("DELETE", "/api/games"),
        ("GET", "/api/jobs/none"),
        ("GET", "/static/..%2fapp.py"),
    ],
)
def test_errors_have_one_shape(client: httpx.Client, method: str, path: str) -> None:
    answer = client.request(method, path)
    assert 400 <= answer.status_code < 500
    assert set(answer.json()["error"]) == {"code", "message", "hint", "line", "column"}


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "a.kif", "~0000", "nim:" + "9," * 500]
)
def test_names_open_no_files(client: httpx.Client, name: str) -> None:
    answer = client.get("/api/games/" + name.replace("/", "%2f"))
    assert answer.status_code in (400, 404, 422, 503)
    assert "root:" not in answer.text


def test_hostile_names_are_escaped_in_pictures(client: httpx.Client) -> None:
    answer = client.post("/api/games", json={"text": HOSTILE, "name": "hostile"})
    assert answer.status_code == 200, answer.text
    game = answer.json()["id"]
    wait(client, answer.json()["solving"]["id"])
    svg = client.get(f"/api/games/{game}/position", params={"line": "0"}).json()["svg"]
    assert "<script" not in svg
    assert "<img" not in svg
    page = client.get(f"/api/games/{game}/export", params={"form": "html", "line": "0"})
    assert "<script>boom" not in page.text
    assert page.headers["content-disposition"].startswith("attachment")


def test_rules_that_explode_end_with_the_budget() -> None:
    numbers = "".join(f"(n {i})" for i in range(60))
    text = (
        f"(role a) {numbers} (init (p 0 0 0 0 0)) (legal a go) (goal a 0)"
        "(<= (next (p ?a ?b ?c ?d ?e)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (does a go))"
        "(<= terminal (true (p 1 1 1 1 1)))"
    )
    with (
        serving(Allowance(grounding=Budget(seconds=1))) as address,
        httpx.Client(base_url=address, timeout=600) as client,
    ):
        answer = client.post("/api/games", json={"text": text})
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "budget")
        assert client.get("/api/games").status_code == 200


def test_no_more_jobs_are_taken_than_can_wait() -> None:
    import threading

    from kibitz.errors import BudgetExceededError

    jobs = Jobs(threads=1)
    gate = threading.Event()
    begun = [jobs.start("wait", "none", lambda _: gate.wait(600)) for _ in range(24)]
    with pytest.raises(BudgetExceededError):
        jobs.start("wait", "none", lambda _: None)
    for job in begun[1:]:
        job.cancel()
        assert job.view().status == "cancelled"
    gate.set()
    assert begun[0].wait(600)
    jobs.close()


def test_a_hint_at_options_of_the_command_line_is_not_shown_on_the_page() -> None:
    at_options = BudgetExceededError("too long", hint="allow more with --time", options=["--time"])
    status, view = error_view(at_options)
    assert (status, view.code, view.message) == (503, "budget", "too long")
    assert view.hint == "that is the budget of this page; the command line allows more"
    at_nothing = BudgetExceededError("too many visitors", hint="try again -- in a minute")
    assert error_view(at_nothing)[1].hint == "try again -- in a minute"

    def fail(_job: Job) -> None:
        raise at_options

    jobs = Jobs(threads=1)
    job = jobs.start("fail", "none", fail)
    assert job.wait(60)
    assert job.view().hint == view.hint
    jobs.close()


def test_a_page_that_is_read_only_takes_no_rules_and_few_requests_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(request_guard, "Pace", lambda: Pace(second=0, burst=10))
    with serving(is_read_only=True) as where, httpx.Client(base_url=where, timeout=600) as one:
        assert "data-read-only" in one.get("/").text
        for path in ("/api/games", "/api/open", "/api/check", "/api/design"):
            found = one.post(path, json={"text": rule_text("nim:1,2"), "name": "mine"})
            assert (found.status_code, found.json()["error"]["code"]) == (403, "read-only")
        assert one.get("/api/games/nim:1,2").status_code == 200
        statuses = [one.get("/api/games").status_code for _ in range(10)]
        assert statuses == [200] * 9 + [429]


def test_a_visitor_has_so_many_jobs_at_work() -> None:
    jobs, go = Jobs(threads=1, each=2), threading.Event()
    begun = [jobs.start("wait", "none", lambda _job: go.wait(60)) for _ in range(2)]
    with pytest.raises(BudgetExceededError, match="you have 2 jobs at work"):
        jobs.start("wait", "none", lambda _job: None)
    visitor.set("another")
    begun.append(jobs.start("wait", "none", lambda _job: None))
    visitor.set("")
    go.set()
    assert all(job.wait(60) for job in begun)
