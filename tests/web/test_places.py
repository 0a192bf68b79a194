from __future__ import annotations

import asyncio
import threading
import time
from contextvars import copy_context
from typing import Any

import pytest

from kibitz.errors import BudgetExceededError
from kibitz.web.server.jobs import Places, visitor
from kibitz.web.server.request_guard import Guard


def enter(places: Places, who: str) -> Any:
    """Take a place as somebody; give what leaves it."""
    place = places.take()

    def begin() -> None:
        visitor.set(who)
        place.__enter__()

    copy_context().run(begin)
    return lambda: place.__exit__(None, None, None)


def test_one_visitor_leaves_a_place_for_others() -> None:
    places = Places(3, each=2, patience_s=0)
    leave = enter(places, "a")
    taken = [enter(places, "a")]
    with pytest.raises(BudgetExceededError, match="you have 2"):
        enter(places, "a")
    taken += [enter(places, "b")]
    with pytest.raises(BudgetExceededError, match="too many visitors"):
        enter(places, "c")
    leave()
    taken += [enter(places, "c")]
    assert len(taken) == 3


def test_who_waits_gets_the_place_that_becomes_free() -> None:
    places = Places(1, each=1, patience_s=60)
    leave = enter(places, "a")
    came = threading.Event()

    def come() -> None:
        with places.take():
            came.set()

    thread = threading.Thread(target=come)
    thread.start()
    assert not came.is_set()
    leave()
    assert came.wait(60)
    thread.join()


def test_only_so_many_of_a_visitor_wait() -> None:
    places = Places(1, each=1, waiting=1, patience_s=600)
    leave = enter(places, "a")

    def wait() -> None:
        enter(places, "a")()

    thread = threading.Thread(target=wait)
    thread.start()
    while not places._waiting["a"]:
        time.sleep(0.01)
    with pytest.raises(BudgetExceededError, match="you have 1 games or questions at work"):
        enter(places, "a")
    leave()
    thread.join()
    assert not places._waiting
    enter(places, "a")()


def test_the_guard_says_who_asks() -> None:
    seen: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(visitor.get())

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "headers": [(b"host", b"localhost")],
        "client": ("192.0.2.7", 1234),
    }

    async def receive() -> Any:
        return {"type": "http.request"}

    asyncio.run(Guard(app)(scope, receive, None))  # type: ignore[arg-type]
    assert seen == ["192.0.2.7"]
