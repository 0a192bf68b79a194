"""Clients that send half a request, too much, or from elsewhere, and those that go away."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx
import pytest
from tests.web.conftest import serving

from kibitz.web.server import request_guard
from kibitz.web.server.child_jobs import in_child
from kibitz.web.server.jobs import CancelledError, check_departure, departure
from kibitz.web.session import games
from kibitz.web.session.sessions import Allowance


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Give the address of a server that waits for requests for half a second."""
    monkeypatch.setattr(request_guard, "_HEADERS_S", 0.5)
    monkeypatch.setattr(request_guard, "_BODY_S", 0.5)
    monkeypatch.setattr(request_guard, "_EACH", 20)
    with serving() as address:
        yield address


@contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    where = urlsplit(address)
    assert where.hostname is not None
    with socket.create_connection((where.hostname, where.port or 0), timeout=60) as made:
        yield made


def answer_of(made: socket.socket) -> bytes:
    """Read until the server closes the connection."""
    found = b""
    try:
        while part := made.recv(65536):
            found += part
    except ConnectionResetError:
        pass
    return found


@pytest.mark.parametrize("head", [b"", b"GET / HTTP/1.1\r\nhost: localhost\r\n"])
def test_a_connection_that_sends_no_whole_head_is_closed(hurried: str, head: bytes) -> None:
    with connected(hurried) as made:
        made.sendall(head)
        assert answer_of(made) == b""


def test_a_second_request_that_is_not_finished_is_closed_too(hurried: str) -> None:
    with connected(hurried) as made:
        made.sendall(b"HEAD / HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert made.recv(65536).startswith(b"HTTP/1.1 200")
        made.sendall(b"GET / HTTP/1.1\r\n")
        assert answer_of(made) == b""


def test_a_body_that_does_not_come_is_not_waited_for(hurried: str) -> None:
    head = b"POST /api/check HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"
    with connected(hurried) as made:
        made.sendall(head)
        assert answer_of(made).startswith(b"HTTP/1.1 408")


def test_an_address_has_so_many_connections(hurried: str) -> None:
    opened = [
        socket.create_connection(("127.0.0.1", urlsplit(hurried).port or 0)) for _ in range(25)
    ]
    try:
        opened[-1].settimeout(60)
        assert answer_of(opened[-1]) == b""
        deadline = time.monotonic() + 60
        while True:  # the others end in time
            try:
                assert httpx.get(hurried).status_code == 200
                return
            except httpx.TransportError:
                assert time.monotonic() < deadline
                time.sleep(0.1)
    finally:
        for one in opened:
            one.close()


def test_a_body_in_chunks_has_the_same_bound(client: httpx.Client) -> None:
    parts = (b" " * 100_000 for _ in range(20))
    found = client.post("/api/check", content=parts)
    assert (found.status_code, found.json()["error"]["code"]) == (413, "size")
    whole = (part for part in (b'{"text": "(ro', b'le x)"}'))
    found = client.post("/api/check", content=whole, headers={"content-type": "application/json"})
    assert found.status_code == 200


def test_another_site_may_not_start_work(client: httpx.Client) -> None:
    for path in ("/api/games/nim:1,2", "/api/games"):
        for headers in (
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
            {"origin": "http://evil.example"},
        ):
            found = client.get(path, headers=headers)
            assert (found.status_code, found.json()["error"]["code"]) == (403, "origin")
    assert client.get("/api/games", headers={"sec-fetch-site": "same-origin"}).status_code == 200
    assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_the_head_of_a_page_is_answered(client: httpx.Client, path: str) -> None:
    found = client.head(path)
    assert (found.status_code, found.content) == (200, b"")
    assert found.headers["content-type"].startswith("text/html")


def test_work_ends_with_the_visitor_who_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = threading.Event(), threading.Event()

    def endless(*_: object) -> None:
        def work(_report: object) -> None:
            time.sleep(3600)

        begun.set()
        try:
            in_child(work, budget=Allowance().working, doing="it")
        except CancelledError:
            ended.set()
            raise

    monkeypatch.setattr(games, "_check", endless)
    with serving() as address:
        body = b'{"text": "(role x)"}'
        head = f"content-length: {len(body)}\r\ncontent-type: application/json\r\n\r\n"
        with connected(address) as made:
            made.sendall(b"POST /api/check HTTP/1.1\r\nhost: localhost\r\n" + head.encode() + body)
            assert begun.wait(60)
        assert ended.wait(60)


def test_work_that_nobody_waits_for_goes_on() -> None:
    check_departure()
    gone = threading.Event()
    token = departure.set(gone)
    check_departure()
    gone.set()
    with pytest.raises(CancelledError):
        check_departure()
    departure.reset(token)
