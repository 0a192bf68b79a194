"""The games in examples/*.rules.txt a second time, in plain Python: states, moves and ends.

A state is a tuple whose last item is the number of the player to move. A game gives the moves as
the states they lead to, and the result of a state: None, or the points of each player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

__all__ = ["GAMES", "ByHand", "count", "value"]

State = tuple[Any, ...]
Result = tuple[int, ...] | None


@dataclass(frozen=True)
class ByHand:
    """A game: where it starts, where moves lead, and how it ends."""

    start: State
    moves: Callable[[State], list[State]]
    result: Callable[[State, list[State]], Result]


def count(game: ByHand) -> tuple[int, int]:
    """Count the states that can be reached, and those where play has ended."""
    after, ends = _reached(game)
    return len(after), len(ends)


def _reached(game: ByHand) -> tuple[dict[State, list[State]], dict[State, tuple[int, ...]]]:
    after: dict[State, list[State]] = {}
    ends: dict[State, tuple[int, ...]] = {}
    waiting = [game.start]
    while waiting:
        state = waiting.pop()
        if state in after:
            continue
        found = game.moves(state)
        result = game.result(state, found)
        if result is not None:
            ends[state] = result
            found = []
        after[state] = found
        waiting += found
    return after, ends


def value(game: ByHand) -> tuple[int, ...]:
    """Return what two players get with best play; what never ends counts 50 for each."""
    after, ends = _reached(game)
    known = dict(ends)
    is_changed = True
    while is_changed:
        is_changed = False
        for state, found in after.items():
            if state in known:
                continue
            me = state[-1]
            best = max((known[s][me] for s in found if s in known), default=-1)
            if best == 100 or (found and all(s in known for s in found)):
                known[state] = next(known[s] for s in found if s in known and known[s][me] == best)
                is_changed = True
    return known.get(game.start, (50, 50))


WINS = ((100, 0), (0, 100))
LOSES = ((0, 100), (100, 0))
Board = tuple[str, ...]


def _stuck_loses(state: State, found: list[State]) -> Result:
    return None if found else LOSES[state[-1]]


def _put(board: Board, *changes: tuple[int, str]) -> Board:
    new = list(board)
    for where, what in changes:
        new[where] = what
    return tuple(new)


def _wythoff(state: State) -> list[State]:
    a, b, me = state
    return [
        (x, y, 1 - me)
        for x in range(a + 1)
        for y in range(b + 1)
        if (x, y) != (a, b) and (x == a or y == b or a - x == b - y)
    ]


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def _mark(sign: str, players: int) -> Callable[[State], list[State]]:
    def moves(state: State) -> list[State]:
        board, me = state
        mark = sign or str(me)
        return [
            (_put(board, (i, mark)), (me + 1) % players) for i, c in enumerate(board) if c == "."
        ]

    return moves


def _line(board: Board, mark: str) -> bool:
    return any(all(board[i] == mark for i in line) for line in LINES)


def _notakto(state: State, found: list[State]) -> Result:
    return WINS[state[-1]] if _line(state[0], "x") else None


def _three(state: State, found: list[State]) -> Result:
    won = [p for p in range(3) if _line(state[0], str(p))]
    if won:
        return tuple(100 if p in won else 0 for p in range(3))
    return None if found else (50, 50, 50)


def _cram(state: State) -> list[State]:
    board, me = state
    flat = [(i, i + 1) for i in range(16) if i % 4 < 3]
    upright = [(i, i + 4) for i in range(12)]
    return [
        (_put(board, (i, "#"), (j, "#")), 1 - me)
        for i, j in flat + upright
        if board[i] == board[j] == "."
    ]


def _at(x: int, y: int, size: int = 3) -> int:
    return y * size + x


def _dodgem(state: State) -> list[State]:
    board, me = state
    found = []
    for x, y in product(range(3), repeat=2):
        if board[_at(x, y)] != "wb"[me]:
            continue
        if (y if me == 0 else x) == 2:
            found.append((_put(board, (_at(x, y), ".")), 1 - me))
        for dx, dy in ((0, 1), (-1, 0), (1, 0)) if me == 0 else ((1, 0), (0, 1), (0, -1)):
            if 0 <= x + dx < 3 and 0 <= y + dy < 3 and board[_at(x + dx, y + dy)] == ".":
                there = _at(x + dx, y + dy)
                found.append((_put(board, (_at(x, y), "."), (there, "wb"[me])), 1 - me))
    return found


def _dodgem_end(state: State, found: list[State]) -> Result:
    board, me = state
    gone = [p for p in (0, 1) if "wb"[p] not in board]
    if gone:
        return WINS[gone[0]]
    return None if found else WINS[me]


def _hexapawn(state: State) -> list[State]:
    board, me = state
    ahead = 1 if me == 0 else -1
    found = []
    for x, y in product(range(3), repeat=2):
        if board[_at(x, y)] != "wb"[me] or not 0 <= y + ahead < 3:
            continue
        for dx in (-1, 0, 1):
            if 0 <= x + dx < 3 and board[_at(x + dx, y + ahead)] == ("bw"[me] if dx else "."):
                there = _at(x + dx, y + ahead)
                found.append((_put(board, (_at(x, y), "."), (there, "wb"[me])), 1 - me))
    return found


def _hexapawn_end(state: State, found: list[State]) -> Result:
    board, me = state
    for player, row in ((0, 2), (1, 0)):
        if "wb"[player] in board[3 * row : 3 * row + 3]:
            return WINS[player]
    return None if found else LOSES[me]


def _fox(state: State) -> list[State]:
    fox, hounds, me = state
    found: list[State] = []
    if me == 0:
        for dx, dy in product((-1, 1), repeat=2):
            there = fox[0] + dx, fox[1] + dy
            if 0 <= there[0] < 6 and 0 <= there[1] < 6 and there not in hounds:
                found.append((there, hounds, 1))
        return found
    for x, y in hounds:
        for dx in (-1, 1):
            there = x + dx, y - 1
            if 0 <= there[0] < 6 and there[1] >= 0 and there not in hounds and there != fox:
                found.append((fox, frozenset(hounds - {(x, y)} | {there}), 0))
    return found


def _fox_end(state: State, found: list[State]) -> Result:
    if state[0][1] == 5:
        return WINS[0]
    return None if found else LOSES[state[-1]]


def _picaria(state: State) -> list[State]:
    board, hands, me = state
    free = [i for i in range(9) if board[i] == "."]
    if hands[me]:
        less = tuple(h - (p == me) for p, h in enumerate(hands))
        return [(_put(board, (i, str(me))), less, 1 - me) for i in free]
    return [
        (_put(board, (i, "."), (j, str(me))), hands, 1 - me)
        for i in range(9)
        if board[i] == str(me)
        for j in free
        if max(abs(i % 3 - j % 3), abs(i // 3 - j // 3)) == 1
    ]


def _picaria_end(state: State, found: list[State]) -> Result:
    won = [p for p in (0, 1) if _line(state[0], str(p))]
    if won:
        return WINS[won[0]]
    return None if found else LOSES[state[-1]]


def _mancala(state: State) -> list[State]:
    pits, me = state
    found = []
    for start in range(4 * me, 4 * me + 3):
        if pits[start]:
            new = list(pits)
            new[start] = 0
            for step in range(1, pits[start] + 1):
                new[(start + step) % 8] += 1
            found.append((tuple(new), 1 - me))
    return found


def _mancala_end(state: State, found: list[State]) -> Result:
    south, north = state[0][3], state[0][7]
    if found:
        return None
    return (50, 50) if south == north else WINS[int(north > south)]


TOUCHING = {
    frozenset(pair)
    for line in ("nesw", "nms", "emw", "wn", "noe")
    for pair in pairwise(line)
}  # fmt: skip


def _col(state: State) -> list[State]:
    board, me = state
    found = []
    for i, point in enumerate("neswmo"):
        near = [j for j, other in enumerate("neswmo") if frozenset(point + other) in TOUCHING]
        if board[i] == "." and all(board[j] != str(me) for j in near):
            found.append((_put(board, (i, str(me))), 1 - me))
    return found


STONES = frozenset({(1, 1), (1, 2), (2, 0)})
Pair = frozenset[tuple[int, int]]


def _pairs() -> Iterator[Pair]:
    for x, y in product(range(3), repeat=2):
        for there in ((x + 1, y), (x, y + 1)):
            if max(there) < 3 and not {(x, y), there} & STONES:
                yield frozenset({(x, y), there})


def _little_l(state: State) -> list[State]:
    *both, me = state
    return [
        (*(pair if p == me else both[p] for p in (0, 1)), 1 - me)
        for pair in _pairs()
        if pair != both[me] and not pair & both[1 - me]
    ]


EMPTY = (".",) * 9

GAMES = {
    "wythoff": ByHand((3, 5, 0), _wythoff, _stuck_loses),
    "notakto": ByHand((EMPTY, 0), _mark("x", 2), _notakto),
    "cram": ByHand(((".",) * 16, 0), _cram, _stuck_loses),
    "dodgem": ByHand((tuple(".ww" + "b.." + "b.."), 0), _dodgem, _dodgem_end),
    "hexapawn": ByHand((tuple("www" + "..." + "bbb"), 0), _hexapawn, _hexapawn_end),
    "fox_and_hounds": ByHand(((2, 0), frozenset({(1, 5), (3, 5), (5, 5)}), 0), _fox, _fox_end),
    "picaria": ByHand((EMPTY, (3, 3), 0), _picaria, _picaria_end),
    "small_mancala": ByHand(((2, 2, 2, 0, 2, 2, 2, 0), 0), _mancala, _mancala_end),
    "col": ByHand(((".",) * 6, 0), _col, _stuck_loses),
    "little_l": ByHand(
        (frozenset({(0, 0), (0, 1)}), frozenset({(2, 1), (2, 2)}), 0), _little_l, _stuck_loses
    ),
    "three_for_three": ByHand((EMPTY, 0), _mark("", 3), _three),
}
