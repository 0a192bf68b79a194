"""Check the Conformance of a Game to traces of play elsewhere: whether both agree at every step.

A trace is one of the files that the page on Ludii describes. Compared are, at every step that has
them: who is to move, what stands where and what is in the hands, the set of legal moves by where
they start and end (and what they put there, where moves say so), that play has not ended; and
at the end of a trace whether play is over, the position, and the result of every player. What a
move does is compared for the moves that were made, by the positions after them.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.engine import Game, Move, State
from kibitz.errors import InputError
from kibitz.reading import bounded

__all__ = ["Conformance", "conform", "read_traces"]

_MOST_BYTES = 200_000_000
_HAND = re.compile(r"hand(\d+)\[\d+\]")
_ADD = re.compile(r"\(Add (\S+) to|\(Promote \S+ to ([^ )]+)\)")

Key = tuple[str, str, str]
"""Where a move starts and ends, and which piece it puts there; a hand is `hand`."""


@dataclass(frozen=True, slots=True)
class Conformance:
    """How far a game and its traces agree."""

    traces: int
    steps: int
    first_difference: Mapping[str, Any] | None = None

    @property
    def agree(self) -> bool:
        """Whether there is no difference."""
        return self.first_difference is None


@bounded("reading matches")
def read_traces(data: bytes, *, name: str) -> dict[str, Any]:
    """Read a trace file, compressed or not.

    >>> read_traces(b'{"traces": []}', name="empty.json")
    {'traces': []}
    """
    try:
        if data[:2] == b"\x1f\x8b":
            reader = zlib.decompressobj(31)
            data = reader.decompress(data, _MOST_BYTES)
        found = json.loads(data)
    except (ValueError, zlib.error, gzip.BadGzipFile, RecursionError) as error:
        raise InputError(f"{name} is no trace file: {error}") from None
    if not isinstance(found, dict) or not isinstance(found.get("traces"), list):
        raise InputError(f"{name} is no trace file: it has no traces")
    return found


def conform(game: Game, content: Mapping[str, Any]) -> Conformance:
    """Replay traces and compare; stop at the first difference.

    >>> from kibitz.engine import ReferenceGame
    >>> from kibitz.games import load_sheet
    >>> conform(ReferenceGame(load_sheet("nim:1,2")), {"traces": []}).agree
    True
    """
    steps = 0
    traces: Sequence[Mapping[str, Any]] = content["traces"]
    for number, trace in enumerate(traces):
        try:
            for steps_here, difference in _differences(game, trace):
                if difference:
                    where = {"trace": number, "step": steps_here, **difference}
                    return Conformance(number, steps + steps_here, where)
            steps += len(trace.get("steps", ()))
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"trace {number} cannot be read: {error!r}") from None
    return Conformance(len(traces), steps)


def _differences(
    game: Game, trace: Mapping[str, Any]
) -> Iterator[tuple[int, Mapping[str, Any] | None]]:
    """Go through a trace, and give the first difference at each step."""
    state = game.initial()
    steps = trace.get("steps", [])
    for number, step in enumerate(steps):
        yield number, _at_step(game, state, step)
        following = steps[number + 1].get("board") if number + 1 < len(steps) else trace["final"]
        after = _after(game, state, step, following)
        if after is None:
            yield number, {"what": "move", "chosen": step["chosen"]}
            return
        state = after
    yield len(steps), _at_end(state, trace)


def _at_step(game: Game, state: State, step: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if state.is_terminal:
        return {"what": "end", "expected": "play goes on", "found": "play is over"}
    if "mover" in step:
        found = _mover(state)
        if found != f"p{step['mover']}":
            return {"what": "mover", "expected": f"p{step['mover']}", "found": found}
    if "board" in step and (difference := _board_difference(state, step["board"])):
        return {"what": "board", **difference}
    if "legal" in step:
        moves = state.legal(_mover(state))
        ours = {_key_of(move) for move in moves}
        shown = any(key[0] and key[2] for key in ours)
        theirs = {_key(text, step.get("board", {}), shown) for text in step["legal"]}
        if ours != theirs:
            return {
                "what": "legal",
                "missing": sorted(map(_shown, theirs - ours))[:10],
                "extra": sorted(map(_shown, ours - theirs))[:10],
            }
    return None


def _at_end(state: State, trace: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if "final" in trace and (difference := _board_difference(state, trace["final"])):
        return {"what": "final board", **difference}
    if state.is_terminal != bool(trace.get("over")):
        words = {True: "play is over", False: "play goes on"}
        return {
            "what": "end",
            "expected": words[bool(trace.get("over"))],
            "found": words[state.is_terminal],
        }
    if state.is_terminal:
        expected = {
            f"p{player}": round(50 + 50 * value)
            for player, value in enumerate(trace["utility"], start=1)
        }
        if dict(state.goals) != expected:
            return {"what": "result", "expected": expected, "found": dict(state.goals)}
    return None


def _mover(state: State) -> str:
    return next((str(f.args[0]) for f in state.fluents if f.name == "control"), "")


def _board_difference(state: State, board: Mapping[str, str]) -> Mapping[str, Any] | None:
    theirs: Counter[tuple[str, str]] = Counter()
    for label, content in board.items():
        piece, _, number = content.partition("*")
        theirs[_place(label), _plain(piece)] += int(number) if number.isdigit() else 1
    ours: Counter[tuple[str, str]] = Counter()
    kinds = {piece for _, piece in theirs}
    for fluent in state.fluents:
        args = [str(arg) for arg in fluent.args]
        is_count = fluent.name == "cell" and args[1].isdigit() and args[1] not in kinds
        if is_count:  # so many pieces, all of one kind
            ours[args[0], next(iter(kinds), "piece")] += int(args[1])
        elif fluent.name == "cell":
            ours[args[0], args[1]] += 1
        elif fluent.name == "hand":
            ours[args[0].replace("p", "hand", 1), args[1]] += int(args[2])
    if ours == theirs:
        return None
    return {
        "missing": sorted(f"{a} {b}*{n}" for (a, b), n in (theirs - ours).items()),
        "extra": sorted(f"{a} {b}*{n}" for (a, b), n in (ours - theirs).items()),
    }


def _place(label: str) -> str:
    label = label.lower()
    hand = _HAND.fullmatch(label)
    return f"hand{hand[1]}" if hand else label


def _plain(piece: str) -> str:
    """Return what GDL calls a piece, with its state and value: `Disc1:s2:v3` is disc1_2_v3."""
    name, *marks = piece.lower().split(":")
    plain = "".join(char if char.isalnum() else "_" for char in name)
    return "_".join([plain, *(mark.removeprefix("s") for mark in marks)])


def _key(text: str, board: Mapping[str, str], shown: bool) -> Key:
    """Return the key of a move as a trace writes it: `A1>B2 (Move A1-B2)…`."""
    places, _, actions = text.partition(" ")
    start, _, end = places.partition(">")
    if start == "-" and end == "-":
        return ("", "", "swap" if "(Swap" in actions else "pass")
    piece = ""
    if shown and (added := _ADD.match(actions)):
        piece = _plain(added[1] or added[2])
    elif shown and start in board and _HAND.fullmatch(start.lower()):
        piece = _plain(board[start].partition("*")[0])
    place = _place(start)
    return ("hand" if place.startswith("hand") else place, _place(end), piece)


def _key_of(move: Move) -> Key:
    """Return the key of a move of the game: `(step a1 b2)`, `(place disc1 a1)`, `(drop b2)`, …"""
    verb = move.name.rstrip("0123456789").rstrip("_")
    args = [str(arg) for arg in move.args]
    match verb, args:
        case (("pass" | "swap"), []):
            return ("", "", verb)
        case (("place" | "promote"), [piece, end]):
            return (end, end, piece)
        case "drop", [*piece, end]:
            return ("hand", end, piece[0] if piece else "")
        case _, [end]:
            return (end, end, "")
        case _, [start, end]:
            return (start, end, "")
    return (verb, " ".join(args), "?")


def _after(
    game: Game, state: State, step: Mapping[str, Any], board: Mapping[str, str] | None
) -> State | None:
    """Make the move that was made; of several that look alike the one with the right position."""
    mover = _mover(state)
    moves = state.legal(mover)
    shown = any(key[0] and key[2] for key in map(_key_of, moves))
    wanted = _key(step["chosen"], step.get("board", {}), shown)
    alike = [move for move in moves if _key_of(move) == wanted]
    best: State | None = None
    for move in alike:
        joint = [move if role == mover else state.legal(role)[0] for role in game.roles]
        after = game.successor(state.key, tuple(joint))
        if best is None or (board is not None and _board_difference(after, board) is None):
            best = after
    return best


def _shown(key: Key) -> str:
    return f"{key[0]}>{key[1]} {key[2]}".strip()
