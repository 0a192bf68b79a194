"""Exchange messages of the protocol over HTTP.

Servers differ in letter case, spacing, and in whether a message has parentheses around it; all of
that is accepted. Rules and moves stay text here: they may use the server's symbols.

Bodies are bounded, a silent peer costs a thread for a few seconds at most, and the answer reports
whatever is wrong with a request. Match servers are programs; what a browser sends for a page of
another host is refused, so that no page that the user visits can start matches.
"""

from __future__ import annotations

import re
import socket
import socketserver
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote_plus, urlsplit

from kibitz.errors import InputError, KibitzError, ProtocolError

_TOKEN = re.compile(r"[()]|;[^\n]*|[^\s();]+")


@dataclass(frozen=True, slots=True)
class Info:
    """Asks for the player's name, and whether it is free."""

    def __str__(self) -> str:
        return "( INFO )"


@dataclass(frozen=True, slots=True)
class Preview:
    """Shows rules ahead of a match."""

    rules: str
    clock_s: float

    def __str__(self) -> str:
        return f"( PREVIEW ( {self.rules} ) {self.clock_s:g} )"


@dataclass(frozen=True, slots=True)
class Start:
    """Begins a match."""

    match: str
    role: str
    rules: str
    start_s: float
    play_s: float

    def __str__(self) -> str:
        clocks = f"{self.start_s:g} {self.play_s:g}"
        return f"( START {self.match} {self.role} ( {self.rules} ) {clocks} )"


@dataclass(frozen=True, slots=True)
class Play:
    """Gives the last joint move, if there was one, and asks for the next."""

    match: str
    moves: tuple[str, ...] | None

    def __str__(self) -> str:
        return f"( PLAY {self.match} {_joint(self.moves)} )"


@dataclass(frozen=True, slots=True)
class Stop:
    """Gives the last joint move of a match that is over."""

    match: str
    moves: tuple[str, ...] | None

    def __str__(self) -> str:
        return f"( STOP {self.match} {_joint(self.moves)} )"


@dataclass(frozen=True, slots=True)
class Abort:
    """Ends a match that will not be finished."""

    match: str

    def __str__(self) -> str:
        return f"( ABORT {self.match} )"


Message = Info | Preview | Start | Play | Stop | Abort


def _joint(moves: Sequence[str] | None) -> str:
    return "NIL" if moves is None else f"( {' '.join(moves)} )"


def parse_message(text: str) -> Message:
    """Read a message; raise ProtocolError if it is not one.

    >>> parse_message("(play M1 ((mark 1 1) noop))")
    Play(match='M1', moves=('(mark 1 1)', 'noop'))
    >>> parse_message("( INFO )"), parse_message("info")
    (Info(), Info())
    """
    parts = _split(text)
    if len(parts) == 1 and parts[0].startswith("("):
        parts = _split(parts[0][1:-1])
    if not parts:
        raise ProtocolError("the message is empty")
    word, *rest = parts
    match word.lower(), rest:
        case "info", _:
            return Info()
        case "preview", [rules, *clock]:
            return Preview(_inside(rules, "rules"), _seconds(clock[0]) if clock else 0.0)
        case "start", [name, role, rules, start, play]:
            return Start(name, role, _inside(rules, "rules"), _seconds(start), _seconds(play))
        case "play", [name, moves]:
            return Play(name, _moves(moves))
        case "stop", [name, moves]:
            return Stop(name, _moves(moves))
        case "abort", [name]:
            return Abort(name)
        case ("preview" | "start" | "play" | "stop" | "abort") as known, _:
            raise ProtocolError(f"{known.upper()} does not take {len(rest)} arguments")
    raise ProtocolError(
        f"{word[:40]} is not a message", hint="write INFO, PREVIEW, START, PLAY, STOP or ABORT"
    )


def _split(text: str) -> list[str]:
    """Split a text into words and groups in parentheses."""
    parts: list[str] = []
    depth = start = 0
    for token in _TOKEN.finditer(text):
        sign = token.group()
        if sign == "(":
            if depth == 0:
                start = token.start()
            depth += 1
        elif sign == ")":
            depth -= 1
            if depth < 0:
                raise ProtocolError(f"character {token.start() + 1}: a ) without its (")
            if depth == 0:
                parts.append(text[start : token.end()])
        elif depth == 0 and not sign.startswith(";"):
            parts.append(sign)
    if depth:
        raise ProtocolError(f"character {start + 1}: a ( without its )")
    return parts


def _inside(text: str, what: str) -> str:
    if not text.startswith("("):
        raise ProtocolError(f"the {what} are not in parentheses: {text[:40]}")
    return text[1:-1].strip()


def _moves(text: str) -> tuple[str, ...] | None:
    return None if text.lower() == "nil" else tuple(_split(_inside(text, "moves")))


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1e6:
        raise ProtocolError(f"{text[:40]} is not a number of seconds")
    return value


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
