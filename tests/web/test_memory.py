"""What the page keeps is forgotten, and work for it ends, before it takes too much jobs."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
import weakref
from pathlib import Path

import httpx
import numpy as np
import pytest
from tests.web.conftest import wait, wait_solved

from kibitz.budget import Budget
from kibitz.errors import BudgetExceededError
from kibitz.games import rule_text
from kibitz.web.server import jobs
from kibitz.web.server.child_jobs import in_child
from kibitz.web.server.jobs import MEMORY, Job, Jobs
from kibitz.web.session.opponents import estimate_view
from kibitz.web.session.positions import position_view
from kibitz.web.session.sessions import Sessions

on_linux = pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="the system does not say what it gave"
)


class Kept:
    """Forgets one thing after another."""

    def __init__(self, things: list[object]) -> None:
        self.things = things

    def forget_one(self) -> bool:
        return bool(self.things) and self.things.pop() is not None


@pytest.fixture
def spacious(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave 100 MB beside what this process has now."""
    jobs.trim()
    own = jobs._resident(os.getpid())
    monkeypatch.setattr(MEMORY, "bound", (own + 100_000_000) / jobs._SHARE)


def test_an_error_that_is_kept_keeps_nothing_that_was_at_work() -> None:
    class Large:
        pass

    seen: list[weakref.ref[Large]] = []

    def work(_job: Job) -> None:
        large = Large()
        seen.append(weakref.ref(large))
        try:
            raise KeyError(large)
        except KeyError:
            raise BudgetExceededError("too large") from None

    jobs = Jobs(threads=1)
    job = jobs.start("fail", "none", work)
    assert job.wait(60)
    jobs.close()
    gc.collect()
    assert job.view().error == "too large"
    assert seen[0]() is None


def test_a_game_that_was_looked_at_is_forgotten_with_its_session() -> None:
    jobs = Jobs(threads=1)
    sessions = Sessions(jobs)
    session = sessions.open("tictactoe")
    assert sessions.solve(session).wait(600)
    position_view(session, session.walk("4"))
    game = weakref.ref(session.game)
    jobs.close()
    del session, sessions, jobs
    gc.collect()
    assert game() is None


def test_an_estimate_leaves_no_tree_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    server = os.getpid()

    def made(*_: object, **__: object) -> object:
        assert os.getpid() != server
        raise BudgetExceededError("this is a child")

    monkeypatch.setattr("kibitz.play.opponents.make_search", made)
    session = Sessions(Jobs(threads=1)).open("nim:1,2,4")
    with pytest.raises(BudgetExceededError, match="this is a child"):
        estimate_view(session, session.walk(""))


@on_linux
@pytest.mark.usefixtures("spacious")
def test_what_is_spare_is_forgotten_first() -> None:
    kept = Kept([np.ones(5_000_000) for _ in range(6)])
    MEMORY.spares.add(kept)
    MEMORY._looked = 0
    MEMORY.check()
    assert 0 < len(kept.things) < 4


@on_linux
@pytest.mark.usefixtures("spacious")
def test_the_largest_child_ends_when_nothing_is_spare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MEMORY, "within", lambda budget: budget)  # which would end it by itself

    def work(_report: object) -> None:
        large = np.ones(40_000_000)
        while large.any():
            pass

    with pytest.raises(BudgetExceededError, match="no memory left for this"):
        in_child(work, budget=Budget(seconds=600), doing="it")


@on_linux
@pytest.mark.usefixtures("spacious")
def test_work_gets_what_is_left() -> None:
    assert 50_000_000 < MEMORY.within(Budget()).bytes < 110_000_000
    assert MEMORY.within(Budget(bytes=1_000_000)).bytes == 1_000_000
    large = np.ones(10_000_000)
    with pytest.raises(BudgetExceededError, match="no memory left"):
        MEMORY.within(Budget())
    assert large.all()


@on_linux
@pytest.mark.parametrize("games", [3, pytest.param(100, marks=pytest.mark.slow)])
def test_the_page_keeps_to_its_memory_whatever_is_pasted(games: int) -> None:
    command = [sys.executable, "-m", "kibitz", "web", "--port", "0", "--memory", "0.6"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            found = re.search(r"http://\S+/", server.stderr.readline())
            assert found is not None
            most = 0
            with httpx.Client(base_url=found[0], timeout=600) as client:
                wait_solved(client, "tictactoe")
                first = jobs._resident(server.pid)
                for number in range(games):
                    text = f"{rule_text('tictactoe')}\n; {number}"
                    game = client.post("/api/games", json={"text": text}).json()
                    assert wait(client, game["solving"]["id"])["status"] == "done"
                    assert client.get(f"/api/games/{game['id']}/estimate").status_code == 200
                    most = max(most, sum(map(jobs._resident, jobs._family(server.pid))))
            assert most < 600_000_000
            assert jobs._resident(server.pid) < first + 100_000_000
        finally:
            server.terminate()
