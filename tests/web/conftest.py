"""A server for the tests of the page, in a thread of its own, and clients for it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from kibitz.budget import Budget
from kibitz.space import Limits
from kibitz.web import make_app, make_server
from kibitz.web.session.sessions import Allowance

SMALL = Allowance(
    grounding=Budget(seconds=120, bytes=3_000_000_000),
    solving=Limits(states=60_000, seconds=600, bytes=500_000_000),
    analysis=Budget(seconds=600, bytes=200_000_000),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Try what failed in the browser, a program that is not ours, once more; the report says so."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Give the address of a running server."""
    with serving(SMALL) as found:
        yield found


@contextmanager
def serving(allowance: Allowance | None = None, *, is_read_only: bool = False) -> Iterator[str]:
    """Run a server, and give its address."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = make_server(make_app(allowance=allowance, is_read_only=is_read_only))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 600
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(60)
    listener.close()


@pytest.fixture(scope="session")
def client(address: str) -> Iterator[httpx.Client]:
    """Give a client for the server."""
    with httpx.Client(base_url=address, timeout=600) as made:
        yield made


@pytest.fixture(scope="session")
def solved(client: httpx.Client) -> httpx.Client:
    """Give a client for a server that has solved tic-tac-toe."""
    wait_solved(client, "tictactoe")
    return client


def wait_solved(client: httpx.Client, game: str) -> dict[str, object]:
    """Open a game and wait until its job is over; give the job."""
    job = client.get(f"/api/games/{game}").json()["solving"]
    return wait(client, job["id"])


def wait(client: httpx.Client, job: str, seconds: float = 600) -> dict[str, object]:
    """Wait until a job is over, and give it."""
    deadline = time.monotonic() + seconds
    while True:
        view: dict[str, object] = client.get(f"/api/jobs/{job}").json()
        if view["status"] in ("done", "failed", "cancelled") or time.monotonic() > deadline:
            return view
        time.sleep(0.05)
