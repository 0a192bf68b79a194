"""Connections: how many an address may have, and how long one may take to send its request."""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["make_server"]

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
