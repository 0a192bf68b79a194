"""One request, one answer: HTTP as match servers and players use it, within a time limit.

Bodies are bounded, a silent peer costs a thread for a few seconds at most, and the answer reports
whatever is wrong with a request. Match servers are programs; what a browser sends for a page of
another host is refused, so that no page that the user visits can start matches.
"""

from __future__ import annotations

import re
import socket
import socketserver
import time
from collections.abc import Callable
from urllib.parse import unquote_plus, urlsplit

from kibitz.errors import InputError, KibitzError

__all__ = ["Server", "ask", "host_name", "serve"]

_MOST_BYTES = 4_000_000
_PATIENCE_S = 10.0
_CONNECT_S = 5.0
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})

Answer = Callable[[str], str]
"""Returns the answer to a message; raises KibitzError for an invalid one."""


def ask(url: str, text: str, *, seconds: float) -> str:
    """Send a message to a player; return the answer, or raise InputError if none comes in time."""
    host, port = _address(url)
    body = text.encode()
    head = (
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\n"
        f"Receiver: {host}\r\nContent-Type: text/acl\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    deadline = time.monotonic() + seconds
    try:
        with socket.create_connection((host, port), timeout=min(_CONNECT_S, seconds)) as link:
            link.settimeout(max(0.01, deadline - time.monotonic()))
            link.sendall(head.encode() + body)
            return _body(link, deadline)[1]
    except OSError as error:
        raise InputError(f"no answer from {url}: {error or 'time is over'}") from None


def host_name(authority: str) -> str:
    """Return the host of `HOST:PORT`, without its port.

    >>> host_name("LocalHost:80"), host_name("[::1]:80")
    ('localhost', '[::1]')
    """
    if authority.startswith("["):
        return authority.partition("]")[0] + "]"
    return authority.partition(":")[0].lower()


def _address(url: str) -> tuple[str, int]:
    parts = urlsplit(url if "//" in url else f"//{url}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host:
        raise InputError(f"{url} is not the address of a player", hint="such as 127.0.0.1:9147")
    return host, port or 9147


def _body(link: socket.socket, deadline: float) -> tuple[str, str]:
    """Read head and body of a request or an answer."""
    data = b""
    while b"\r\n\r\n" not in data and b"\n\n" not in data:
        part = _receive(link, deadline)
        data += part
        if not part or len(data) > _MOST_BYTES:
            raise OSError("the head has no end")
    mark = b"\r\n\r\n" if b"\r\n\r\n" in data else b"\n\n"
    raw_head, _, body = data.partition(mark)
    head = raw_head.decode("latin-1")
    length = _length(head)
    if length is not None and length > _MOST_BYTES:
        raise OSError("the body is too long")
    while len(body) < (length if length is not None else _MOST_BYTES):
        part = _receive(link, deadline)
        if not part:
            break
        body += part
    if length is not None and len(body) < length:
        raise OSError("the body is cut off")
    return head, body[:length].decode("utf-8", errors="replace")


def _receive(link: socket.socket, deadline: float) -> bytes:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("time is over")
    link.settimeout(left)
    return link.recv(65536)


def _values(head: str, name: str) -> list[str]:
    """Return the values of the headers of a name."""
    lines = (line.partition(":") for line in head.splitlines()[1:])
    return [value.strip() for key, _, value in lines if key.strip().lower() == name]


def _length(head: str) -> int | None:
    for value in _values(head, "content-length"):
        if not re.fullmatch(r"[0-9]{1,9}", value):
            raise OSError("Content-Length is not a number")
        return int(value)
    return 0 if head.split(" ", 1)[0].upper() in ("GET", "OPTIONS", "HEAD") else None


class _Handler(socketserver.BaseRequestHandler):
    server: Server

    def handle(self) -> None:
        try:
            head, body = _body(self.request, time.monotonic() + _PATIENCE_S)
            verb, _, rest = head.partition(" ")
            if verb.upper() == "GET":
                body = unquote_plus(rest.partition(" ")[0].lstrip("/"))
            status, text = "200 OK", self.server.refusal(head)
            if text:
                status = "403 Forbidden"
            elif verb.upper() != "OPTIONS":
                try:
                    text = self.server.answer(body)
                except KibitzError as error:
                    status, text = "400 Bad Request", f"{error.message}\n"
            self.reply(status, text, _values(head, "origin") if status != "403 Forbidden" else [])
        except OSError:
            return  # The other side is gone, or does not send HTTP.

    def reply(self, status: str, text: str, origins: list[str]) -> None:
        body = text.encode()
        head = f"HTTP/1.0 {status}\r\nContent-Type: text/acl\r\nContent-Length: {len(body)}\r\n"
        for origin in origins[:1]:
            head += (
                f"Access-Control-Allow-Origin: {origin}\r\nVary: Origin\r\n"
                "Access-Control-Allow-Headers: Sender, Receiver, Content-Type, Accept\r\n"
                "Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n"
            )
        self.request.sendall(f"{head}Connection: close\r\n\r\n".encode() + body)


class Server(socketserver.ThreadingTCPServer):
    """Answers messages, each connection in its own thread.

    Pages of `allowed` hosts may send messages too. On a loopback address, requests are for it or
    for an allowed name: a page can give its own name the address of this machine.
    """

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self, host: str, port: int, answer: Answer, *, allowed: frozenset[str] = frozenset()
    ) -> None:
        self.answer = answer
        self.allowed = frozenset(map(str.lower, allowed))
        shown = f"[{host}]" if ":" in host else host.lower()
        is_loopback = shown in _LOOPBACK or shown.startswith("127.")
        self.names = _LOOPBACK | self.allowed | {shown} if is_loopback else None
        super().__init__((host, port), _Handler)

    def refusal(self, head: str) -> str:
        """Return why a request is refused; an empty text if it is not."""
        if self.names is not None:
            for host in _values(head, "host"):
                if host_name(host) not in self.names:
                    return "this player is not known by that name; --allow HOST adds one\n"
        pages = [*_values(head, "origin"), *_values(head, "referer")]
        hosts = {host_name(page.partition("://")[2].partition("/")[0]) for page in pages}
        sites = {*_values(head, "sec-fetch-site")} - {"none"}
        if hosts - self.allowed or (sites and not hosts):
            return "pages of other hosts cannot start matches; --allow HOST permits those of one\n"
        return ""

    def handle_error(self, request: object, client_address: object) -> None:
        """Drop a connection that fails; the next one is served."""


def serve(
    answer: Answer,
    *,
    host: str = "127.0.0.1",
    port: int = 9147,
    allowed: frozenset[str] = frozenset(),
) -> Server:
    """Bind a port; raise InputError where it is taken."""
    try:
        return Server(host, port, answer, allowed=allowed)
    except OSError as error:
        raise InputError(
            f"cannot listen on {host}:{port}: {error.strerror or error}", hint="try another --port"
        ) from None
