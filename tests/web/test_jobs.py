"""Long work: cancelled at once, bounded, and no hindrance to others."""

from __future__ import annotations

import contextlib
import importlib
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.web.conftest import serving, wait, wait_solved

from kibitz.budget import Budget
from kibitz.errors import BudgetExceededError
from kibitz.games import rule_text
from kibitz.space import Limits
from kibitz.web.server.child_jobs import in_child
from kibitz.web.server.jobs import Job, Jobs, Places
from kibitz.web.session.sessions import Allowance, NotSolvedError, Sessions


def children() -> set[int]:
    """Give the children of all threads of this process."""
    found: set[int] = set()
    for path in Path("/proc/self/task").glob("*/children"):
        found |= {int(word) for word in path.read_text().split()}
    return found


def begin(jobs: Jobs, seconds: float, marker: Path) -> Job:
    """Begin a job whose child works in vain for a while, and says by a file that it does."""

    def work() -> int:
        marker.write_text(str(os.getpid()))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass
        return 1

    budget = Budget(seconds=600, bytes=2_000_000_000)
    return jobs.start(
        "spin",
        "none",
        lambda job: in_child(lambda _: work(), budget=budget, doing="it", check=job.check),
    )


def test_a_job_that_never_reports_is_cancelled_at_once_and_its_child_is_gone(
    tmp_path: Path,
) -> None:
    jobs = Jobs(threads=1)
    marker = tmp_path / "child"
    job = begin(jobs, 500, marker)
    while not marker.exists() or not marker.read_text():
        time.sleep(0.01)
    child = int(marker.read_text())
    assert child in children()
    job.cancel()
    assert job.view().status == "cancelled"
    deadline = time.monotonic() + 600
    while child in children() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert child not in children()
    after = jobs.start("count", "none", lambda _: 42)  # the only thread is free again
    assert after.wait(60)
    assert after.view().result == 42
    jobs.close()


def test_a_child_is_made_while_another_thread_compiles() -> None:
    """Both take the locks in one order, or each would wait for the other for ever."""
    from llvmlite.binding import ffi

    from kibitz.core import COMPILING

    begun = threading.Event()

    def compile_something() -> None:
        with COMPILING:
            begun.set()
            time.sleep(0.3)
            with ffi.lib._lock:
                pass

    made: list[int] = []

    def fork() -> None:
        made.append(in_child(lambda _: 7, budget=Budget(seconds=600), doing="it"))

    in_child(lambda _: 7, budget=Budget(seconds=600), doing="it")  # from now on locks are taken
    threads = [threading.Thread(target=compile_something, daemon=True)]
    threads[0].start()
    begun.wait()
    threads.append(threading.Thread(target=fork, daemon=True))
    threads[1].start()
    for thread in threads:
        thread.join(600)
    assert made == [7]


def test_what_a_child_reports_is_seen_and_its_errors_are_its_own() -> None:
    jobs = Jobs(threads=1)
    seen: list[str] = []

    def work(job: Job) -> None:
        def told(report: object) -> None:
            report("half of it")  # type: ignore[operator]
            raise BudgetExceededError("too much of it")

        def listen(news: str) -> None:
            seen.append(news)
            job.report(news)

        in_child(told, budget=Budget(seconds=600), doing="it", report=listen, check=job.check)

    job = jobs.start("half", "none", work)
    assert job.wait(120)
    assert seen == ["half of it"]
    assert (job.view().status, job.view().error) == ("failed", "too much of it")
    jobs.close()


def test_a_child_that_takes_too_much_memory_ends_as_failed() -> None:
    budget = Budget(seconds=600, bytes=200_000_000)
    with pytest.raises(BudgetExceededError, match="needs more than"):
        in_child(lambda _: len(bytearray(400_000_000)), budget=budget, doing="filling")


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let synthesis never end."""
    monkeypatch.setattr(
        "kibitz.web.session.rule_editing.synthesise", lambda *_, **__: time.sleep(3600)
    )


@pytest.mark.usefixtures("endless")
def test_synthesis_is_cancelled_over_the_interface(solved: httpx.Client) -> None:
    asked = {"kind": "complete", "role": "xplayer", "seconds": 60}
    job = solved.post("/api/games/tictactoe/jobs", json=asked).json()["id"]
    deadline = time.monotonic() + 600
    while solved.get(f"/api/jobs/{job}").json()["status"] != "running":
        assert time.monotonic() < deadline
    assert solved.delete(f"/api/jobs/{job}").json()["status"] == "cancelled"
    assert wait(solved, job)["status"] == "cancelled"


def test_a_cancelled_solution_is_not_kept_and_can_be_begun_again() -> None:
    jobs = Jobs(threads=1)
    sessions = Sessions(jobs, Allowance(solving=Limits(states=10_000_000, seconds=600)))
    session = sessions.open("connectfour")
    job = sessions.solve(session)
    while job.view().progress in ("", "listing states") and not job.is_over:
        time.sleep(0.01)
    job.cancel()
    assert job.view().status == "cancelled"
    assert session.solution is None
    with pytest.raises(NotSolvedError):
        session.need_solution()
    again = sessions.solve(session)
    assert again is not job
    again.cancel()
    jobs.close()


def test_games_are_given_up_when_solutions_take_too_much_memory_together() -> None:
    jobs = Jobs(threads=1)
    sessions = Sessions(jobs, Allowance(bytes=200_000))
    for name in ("nim:1,2", "tictactoe", "nim:1,3"):
        assert sessions.solve(sessions.open(name)).wait(600)
    assert "tictactoe" not in sessions._open
    assert "nim:1,3" in sessions._open
    assert sessions.open("tictactoe").solution is None  # made anew when it is asked for
    jobs.close()


def test_the_least_used_games_are_given_up_first() -> None:
    sessions = Sessions(Jobs(threads=1), Allowance(games=2))
    first = sessions.open("nim:1,2")
    sessions.open("nim:1,3")
    assert sessions.open("nim:1,2") is first
    sessions.open("nim:1,4")
    assert set(sessions._open) == {"nim:1,2", "nim:1,4"}


@pytest.fixture
def hurried() -> Iterator[httpx.Client]:
    """Give a client for a server that grounds for twenty seconds at most."""
    with (
        serving(Allowance(grounding=Budget(seconds=20))) as address,
        httpx.Client(base_url=address, timeout=600) as made,
    ):
        yield made


@pytest.mark.slow
def test_others_are_answered_while_long_work_goes_on(hurried: httpx.Client) -> None:
    solved = hurried
    wait_solved(solved, "tictactoe")
    wait_solved(solved, "nim:1,2,4,5")
    asked = {"kind": "complete", "role": "player1", "seconds": 60}
    works = [solved.post("/api/games/nim:1,2,4,5/jobs", json=asked).json()["id"] for _ in range(3)]
    numbers = "".join(f"(n {i})" for i in range(60))
    heavy = (
        f"(role a) {numbers} (init (p 0 0 0 0 0)) (legal a go) (goal a 0)"
        "(<= (next (p ?a ?b ?c ?d ?e)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (does a go))"
        "(<= terminal (true (p 1 1 1 1 1)))"
    )
    pasting = threading.Thread(
        target=lambda: httpx.post(f"{solved.base_url}/api/games", json={"text": heavy}, timeout=300)
    )
    pasting.start()
    try:
        slowest = 0.0
        for line in ("4", "4.0", "4.1", "4.0.2"):
            begin = time.monotonic()
            answer = solved.get("/api/games/tictactoe/position", params={"line": line})
            assert answer.status_code == 200
            slowest = max(slowest, time.monotonic() - begin)
        assert slowest < 30  # it does not wait for the others
        small = solved.post("/api/games", json={"text": rule_text("nim:2,2"), "name": "b"}).json()
        assert wait(solved, small["solving"]["id"])["status"] == "done"
    finally:
        for job in works:
            solved.delete(f"/api/jobs/{job}")
        pasting.join()


@pytest.mark.usefixtures("endless")
def test_any_number_may_watch_a_job(address: str, solved: httpx.Client) -> None:
    asked = {"kind": "complete", "role": "xplayer", "seconds": 60}
    job = solved.post("/api/games/tictactoe/jobs", json=asked).json()["id"]
    with contextlib.ExitStack() as open_streams:
        watcher = open_streams.enter_context(
            httpx.Client(base_url=address, limits=httpx.Limits(max_connections=100), timeout=300)
        )
        streams = [
            open_streams.enter_context(watcher.stream("GET", f"/api/jobs/{job}/events"))
            for _ in range(60)
        ]
        assert solved.get("/api/games/tictactoe/position").status_code == 200
        solved.delete(f"/api/jobs/{job}")
        for stream in streams:
            *_, last = [text for text in stream.iter_lines() if text.startswith("data: ")]
            assert '"status": "cancelled"' in last


def test_only_so_many_games_are_made_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    places = Places(1, each=2, patience_s=0.1)
    monkeypatch.setattr("kibitz.web.session.sessions._GROUNDING", places)
    made = Sessions(Jobs(threads=1))
    with places.take(), pytest.raises(BudgetExceededError, match="too many visitors are at work"):
        made.open("nim:1,2")
    assert made.open("nim:1,2").game.roles


def test_no_child_is_made_while_another_thread_imports_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, gate = threading.Event(), threading.Event()
    monkeypatch.setattr(threading, "gates", (begun, gate), raising=False)
    text = "import threading\nbegun, gate = threading.gates\nbegun.set()\ngate.wait(60)\nN = 42\n"
    (tmp_path / "slow_to_import.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    importer = threading.Thread(target=importlib.import_module, args=("slow_to_import",))
    importer.start()
    assert begun.wait(60)
    threading.Timer(0.1, gate.set).start()
    found = in_child(
        lambda _report: importlib.import_module("slow_to_import").N,
        budget=Budget(seconds=30),
        doing="importing",
    )
    importer.join()
    assert found == 42
