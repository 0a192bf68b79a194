"""Guard requests: hosts, origins, sizes, and connections for each address."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from kibitz.errors import (
    BudgetExceededError,
    GameNameError,
    KibitzError,
    RuleSheetError,
    StrategyError,
)
from kibitz.play import host_name
from kibitz.web.server.jobs import departure, page_hint, visitor
from kibitz.web.session.sessions import NotSolvedError

_EACH, _IN_ALL = 200, 1000
"""Connections of one address, behind which a whole class may be, and of all."""
_HEADERS_S = 10.0


class BoundedProtocol(H11Protocol):
    """HTTP that ends connections which do not send a whole head of a request in time."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, if there are not too many connections."""
        super().connection_made(transport)
        who = (self.client or ("",))[0]
        others = [getattr(other, "client", None) or ("",) for other in self.connections]
        if len(others) > _IN_ALL or sum(other[0] == who for other in others) > _EACH:
            transport.abort()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Go on until the next request is there."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._waiting is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(_HEADERS_S, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def make_server(app: Any) -> uvicorn.Server:
    """Make a server of an application, which takes no connection for longer than it needs."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=BoundedProtocol,
            ws="none",
            log_level="error",
            timeout_graceful_shutdown=1,
            access_log=False,
        )
    )


MOST_BODY = 1_000_000
_BODY_S = 20.0
_MOST_DROPPED = 16 * MOST_BODY
_MOST_VISITORS = 10_000
_TAKES_RULES = frozenset({"/api/games", "/api/open", "/api/check", "/api/design"})
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})
_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        b"img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ErrorView:
    """Error response: a stable code, a message, a hint at the remedy, and the place."""

    code: str
    message: str
    hint: str = ""
    line: int | None = None
    column: int | None = None


def error_view(error: KibitzError) -> tuple[int, ErrorView]:
    """Return the status and the view of an error."""
    match error:
        case StrategyError():
            line, column = error.source.position(error.diagnostic.place.start)
            found = error.diagnostic
            return 422, ErrorView(found.code, found.message, found.hint, line, column)
        case RuleSheetError():
            first = error.diagnostics[0]
            line, column = error.source.position(first.place.start)
            return 422, ErrorView(first.code, first.message, first.hint, line, column)
        case GameNameError():
            return 404, ErrorView("game", error.message, error.hint)
        case NotSolvedError():
            return 409, ErrorView("unsolved", error.message, error.hint)
        case BudgetExceededError():
            return 503, ErrorView("budget", error.message, page_hint(error))
    return 400, ErrorView("input", error.message, error.hint)


class Pace:
    """Lets each visitor ask so many times a second, and so many at once after a pause.

    >>> pace = Pace(second=1, burst=2)
    >>> [pace.allows("ann", now=0.0) for _ in range(3)], pace.allows("ann", now=1.0)
    ([True, True, False], True)
    """

    def __init__(self, *, second: float = 20, burst: float = 120) -> None:
        self.second, self.burst = second, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, who: str, *, now: float | None = None) -> bool:
        """Count a request, and return whether it is allowed."""
        now = time.monotonic() if now is None else now
        left, then = self._left.pop(who, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.second)
        self._left[who] = max(0.0, left - 1), now
        while len(self._left) > _MOST_VISITORS:
            self._left.popitem(last=False)
        return left >= 1


class Guard:
    """Refuses requests for other hosts, from other origins, or too large; adds safe headers.

    Where the page `is_read_only`, it takes no rules, and few requests a second of each visitor.
    """

    def __init__(
        self, app: Any, *, hosts: frozenset[str] = _LOOPBACK, is_read_only: bool = False
    ) -> None:
        self.app, self.hosts = app, hosts | _LOOPBACK
        self.pace = Pace() if is_read_only else None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {key.lower(): value.decode("latin-1") for key, value in scope["headers"]}
        who = (scope.get("client") or ("",))[0]
        refused = self._refusal(scope["method"], scope["path"], headers) or self._limit(scope, who)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_HEADERS]
            await send(message)

        try:
            body = await _whole_body(receive)
        except _RefusedError as error:
            refused = refused or error.args
        if refused is not None:
            await _answer(send_with_headers, *refused)
            return
        gone, left = threading.Event(), asyncio.Event()

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            gone.set()
            left.set()

        messages = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_read() -> Message:
            if messages:
                return messages.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        visitor.set(who)
        departure.set(gone)
        watching = asyncio.create_task(watch())
        try:
            await self.app(scope, receive_read, send_with_headers)
        finally:
            watching.cancel()

    def _limit(self, scope: Message, who: str) -> tuple[int, ErrorView] | None:
        if self.pace is None or not scope["path"].startswith("/api/"):
            return None
        if scope["method"] == "POST" and scope["path"] in _TAKES_RULES:
            hint = "kibitz web on your own machine takes them"
            return 403, ErrorView("read-only", "this page takes no rules of visitors", hint)
        if not self.pace.allows(who):
            return 429, ErrorView("pace", "too many requests at once", "wait a few seconds")
        return None

    def _refusal(
        self, method: str, path: str, headers: dict[bytes, str]
    ) -> tuple[int, ErrorView] | None:
        host = headers.get(b"host", "")
        if host_name(host) not in self.hosts:
            return 403, ErrorView("host", "this server is not known by that name")
        if method not in ("GET", "HEAD", "OPTIONS") or path.startswith("/api/"):
            origin = headers.get(b"origin")
            is_elsewhere = origin is not None and origin.partition("://")[2] != host
            site = headers.get(b"sec-fetch-site", "none")
            if is_elsewhere or site not in ("same-origin", "none"):
                return 403, ErrorView("origin", "requests for games and work come from the page")
        length = headers.get(b"content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > MOST_BODY:
            return _TOO_LARGE
        return None


_TOO_LARGE = 413, ErrorView("size", f"a request has {MOST_BODY:,} bytes at most")
_CLOSED: dict[bool, list[tuple[bytes, bytes]]] = {False: [], True: [(b"connection", b"close")]}
"""Whether the rest of a request may still come."""
_TOO_SLOW = 408, ErrorView("slow", f"a request is sent within {_BODY_S:g} s")


class _RefusedError(Exception):
    """Has a status and the view of an error."""


async def _whole_body(receive: Receive) -> bytes:
    """Read a body before anything is done with it; drop what is too much, up to a point.

    A client that is answered while it sends may not read the answer.
    """
    body, taken, more = bytearray(), 0, True
    try:
        async with asyncio.timeout(_BODY_S):
            while more and taken < _MOST_DROPPED:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _RefusedError(*_TOO_SLOW)
                part = message.get("body", b"")
                taken += len(part)
                if taken <= MOST_BODY:
                    body += part
                more = message.get("more_body", False)
    except TimeoutError:
        raise _RefusedError(*_TOO_SLOW) from None
    if taken > MOST_BODY:
        raise _RefusedError(*_TOO_LARGE)
    return bytes(body)


async def _answer(send: Send, status: int, error: ErrorView) -> None:
    body = json.dumps(
        {"error": {"code": error.code, "message": error.message, "hint": error.hint,
                   "line": None, "column": None}}
    ).encode()  # fmt: skip
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(b"content-type", b"application/json"), *_CLOSED[status in (408, 413)]],
        }
    )
    await send({"type": "http.response.body", "body": body})
