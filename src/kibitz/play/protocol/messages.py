"""Messages of the protocol: text in, Message out, and back.

Servers differ in letter case, spacing, and in whether a message has parentheses around it; all of
that is accepted. Rules and moves stay text here: they may use the server's symbols.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.errors import ProtocolError

__all__ = [
    "Abort",
    "Info",
    "Message",
    "Play",
    "Preview",
    "Start",
    "Stop",
    "parse_message",
]

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
