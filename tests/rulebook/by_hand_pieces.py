"""Games of examples/ with several kinds of pieces, long turns and points, in plain Python."""

from __future__ import annotations

from itertools import product

from tests.rulebook.by_hand import LINES, LOSES, WINS, ByHand, Result, State

__all__ = ["MORE_GAMES"]

Cell = tuple[int, int]
WAYS = [(x, y) for x, y in product((-1, 0, 1), repeat=2) if x or y]
KNIGHT = [(x, y) for x, y in product((-2, -1, 1, 2), repeat=2) if abs(x) != abs(y)]


def _add(cell: Cell, way: Cell) -> Cell:
    return cell[0] + way[0], cell[1] + way[1]


def _is_on(cell: Cell, columns: int, rows: int) -> bool:
    return 0 <= cell[0] < columns and 0 <= cell[1] < rows


def _harvest(state: State) -> list[State]:
    board, me = state
    free = [n for n, held in enumerate(board) if held == "."]
    return [((*board[:n], str(me), *board[n + 1 :]), 1 - me) for n in free]


def _harvest_end(state: State, found: list[State]) -> Result:
    board, _ = state
    if found:
        return None
    points = [
        2 * sum(all(board[n] == str(p) for n in line) for line in LINES) + (board[4] == str(p))
        for p in (0, 1)
    ]
    return (50, 50) if points[0] == points[1] else WINS[points[1] > points[0]]


def _frogs(state: State) -> list[State]:
    """Frogs of both, the frog that jumped, whose turn; a jump is followed by a stop or a jump."""
    *both, jumped, me = state
    own, other = both[me], both[1 - me]
    ahead = (0, 1) if me == 0 else (0, -1)
    held = own | other

    def moved(start: Cell, end: Cell, jumping: Cell | None, mover: int) -> State:
        after = [*both]
        after[me] = own - {start} | {end}
        return (*after, jumping, mover)

    found: list[State] = []
    for frog in own if jumped is None else {jumped}:
        over, behind = _add(frog, ahead), _add(_add(frog, ahead), ahead)
        if over in held and _is_on(behind, 2, 5) and behind not in held:
            found.append(moved(frog, behind, behind, me))
        for way in (ahead, (1, 0), (-1, 0)) if jumped is None else ():
            end = _add(frog, way)
            if _is_on(end, 2, 5) and end not in held:
                found.append(moved(frog, end, None, 1 - me))
    if jumped is not None or not found:
        found.append((*both, None, 1 - me))
    return found


def _frogs_end(state: State, found: list[State]) -> Result:
    home = [all(y == (4, 0)[player] for _, y in state[player]) for player in (0, 1)]
    return WINS[home.index(True)] if any(home) else None


def _kings(state: State) -> list[State]:
    """Pieces as pairs of cell and kind, of both."""
    *both, me = state
    own, other = (dict(side) for side in (both[me], both[1 - me]))
    found = []
    for cell, kind in own.items():
        for way in WAYS if kind == "king" else [way for way in WAYS if 0 in way]:
            end = _add(cell, way)
            while _is_on(end, 3, 3) and end not in own:
                kept = {at: held for at, held in own.items() if at != cell}
                mine = frozenset({**kept, end: kind}.items())
                theirs = frozenset((at, held) for at, held in other.items() if at != end)
                found.append((*((mine, theirs) if me == 0 else (theirs, mine)), 1 - me))
                if end in other or kind == "king":
                    break
                end = _add(end, way)
    return found


def _kings_end(state: State, found: list[State]) -> Result:
    for player in (0, 1):
        if "king" not in dict(state[player]).values():
            return LOSES[player]
    return None if found else LOSES[state[-1]]


def _isola(state: State) -> list[State]:
    """Pawns of both, walls, whether a wall is to be placed, whose turn."""
    *pawns, walls, is_walling, me = state
    cells = set(product(range(3), repeat=2)) - walls - set(pawns)
    if is_walling:
        return [(*pawns, walls | {cell}, False, 1 - me) for cell in cells]
    found = []
    for end in cells & {_add(pawns[me], way) for way in WAYS}:
        after = [*pawns]
        after[me] = end
        found.append((*after, walls, True, me))
    return found


def _bridges(state: State) -> list[State]:
    *knights, fires, me = state
    found = []
    for end in (_add(knights[me], way) for way in KNIGHT):
        if _is_on(end, 4, 4) and end not in {*knights, *fires}:
            after = [*knights]
            after[me] = end
            found.append((*after, fires | {knights[me]}, 1 - me))
    return found


def _stuck_loses(state: State, found: list[State]) -> Result:
    return None if found else LOSES[state[-1]]


_ROWS = [frozenset((x, y) for x in range(2)) for y in range(5)]
MORE_GAMES = {
    "harvest": ByHand(((".",) * 9, 0), _harvest, _harvest_end),
    "hopping_frogs": ByHand((_ROWS[0], _ROWS[4], None, 0), _frogs, _frogs_end),
    "kings_and_guards": ByHand(
        (
            frozenset({((0, 0), "king"), ((1, 0), "guard")}),
            frozenset({((2, 2), "king"), ((1, 2), "guard")}),
            0,
        ),
        _kings,
        _kings_end,
    ),
    "little_isola": ByHand(((1, 0), (1, 2), frozenset(), False, 0), _isola, _stuck_loses),
    "burnt_bridges": ByHand(((0, 0), (3, 3), frozenset(), 0), _bridges, _stuck_loses),
}
