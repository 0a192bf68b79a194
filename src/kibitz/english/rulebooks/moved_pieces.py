"""Changes by which a piece goes elsewhere in, moves with their directions out."""

from __future__ import annotations

import kibitz.rulebook as m
from kibitz.english.rulebooks.changes import Change, Everyone, PlayerMoves, offset, straight_way
from kibitz.english.rulebooks.positions import Cell

_FEW_WORDS = 3
_KNIGHT = ("like a knight", "forward like a knight")


def travel(own: PlayerMoves, everyone: Everyone) -> list[m.Move]:
    """Return steps and slides, each kind of piece by itself."""
    made: dict[str, dict[int, list[Change]]] = {}
    for player, each in everyone.items():
        for _, change in each.kinds.get("travel", []):
            (start,) = (c for c in change.cells if not c[2])
            made.setdefault(each.name(start[1]), {}).setdefault(player, []).append(change)
    found: list[m.Move] = []
    for kind in sorted(made):
        moves = _travel_of(own, made[kind], everyone)
        if not moves:
            return []
        found += moves
    return found


def _travel_of(own: PlayerMoves, made: dict[int, list[Change]], everyone: Everyone) -> list[m.Move]:
    """Return the moves of one kind of piece."""
    steps: dict[tuple[str, str], dict[int, set[str]]] = {}
    double = _double_steps(own, made)
    doubled = {id(change) for changes in double.values() for change, _, _ in changes}
    slides = False
    knights = False
    for player, changes in made.items():
        for change in changes:
            if id(change) in doubled:
                continue
            (start,) = (c for c in change.cells if not c[2])
            (end,) = (c for c in change.cells if c is not start)
            if end[1] and not own.actors.is_other(end[1], player):
                return []
            way = own.way(start[0], end[0])
            if not way:
                dx, dy = offset(own.view.cells[start[0]], own.view.cells[end[0]])
                if {abs(dx), abs(dy)} == {1, 2}:
                    knights, way = True, "forward" if (dy > 0) == (player == 0) else "back"
                elif dx == 0 or dy == 0 or abs(dx) == abs(dy):
                    slides, way = True, straight_way(dx, dy)
                else:
                    return []
            target = "capture" if end[1] else "empty"
            key = own.name(start[1]), target
            steps.setdefault(key, {}).setdefault(player, set()).add(way)
    if knights:
        heads = {way for each in steps.values() for found in each.values() for way in found}
        like = (_KNIGHT[1],) if heads == {"forward"} else (_KNIGHT[0],)
        kinds = sorted({kind for kind, _ in steps})
        target = "either" if any(t == "capture" for _, t in steps) else "empty"
        return [m.Step(kind, like, target) for kind in kinds]
    moves: list[m.Move] = []
    make = m.Slide if slides else m.Step
    for kind in sorted({kind for kind, _ in steps}):
        quiet, takes = steps.get((kind, "empty"), {}), steps.get((kind, "capture"), {})
        found = _by_target(
            own,
            everyone,
            {p: quiet.get(p, set()) for p in everyone},
            {p: takes.get(p, set()) for p in everyone},
        )
        if not found:
            return []
        moves += [make(kind, words, target) for target, words in found]
    return moves + _doubles(own, double, everyone) if double else moves


def _by_target(
    own: PlayerMoves, everyone: Everyone, quiet: dict[int, set[str]], takes: dict[int, set[str]]
) -> list[tuple[str, tuple[str, ...]]]:
    """Return what a piece may move onto, each with the words for its directions; none if unknown.

    Captures are rare: where many words would be needed, a piece that captured in some of its
    directions is taken to capture in all of them.
    """
    split = {
        "either": {p: quiet[p] & takes[p] for p in quiet},
        "empty": {p: quiet[p] - takes[p] for p in quiet},
        "capture": {p: takes[p] - quiet[p] for p in quiet},
    }
    seen = [(target, ways) for target, ways in split.items() if any(ways.values())]
    found = [(target, own.words(ways, everyone)) for target, ways in seen]
    if all(words for _, words in found) and sum(len(words) for _, words in found) <= _FEW_WORDS:
        return found
    if any(takes.values()) and all(takes[p] <= quiet[p] for p in quiet):
        seen = [("either", quiet)]
    found = [(t, own.words(w, everyone) or own.wider_words(w, everyone)) for t, w in seen]
    return found if all(words for _, words in found) else []


def _double_steps(
    own: PlayerMoves, made: dict[int, list[Change]]
) -> dict[int, list[tuple[Change, str, Cell]]]:
    """Return moves of two steps, if none goes farther: directions and where they start."""
    found: dict[int, list[tuple[Change, str, Cell]]] = {}
    for player, changes in made.items():
        for change in changes:
            (start,) = (c for c in change.cells if not c[2])
            (end,) = (c for c in change.cells if c is not start)
            a, b = own.view.cells[start[0]], own.view.cells[end[0]]
            dx, dy = offset(a, b)
            if max(abs(dx), abs(dy)) > 2:
                return {}
            if (abs(dx), abs(dy)) in ((0, 2), (2, 0), (2, 2)):
                if end[1]:
                    return {}
                found.setdefault(player, []).append((change, straight_way(dx, dy), a))
    return found


def _doubles(
    own: PlayerMoves, double: dict[int, list[tuple[Change, str, Cell]]], everyone: Everyone
) -> list[m.Move]:
    assert own.geometry is not None
    ways = {p: {way for _, way, _ in found} for p, found in double.items()}
    words = own.words({p: ways.get(p, set()) for p in everyone}, everyone)
    if not words or own.view.kind != "grid":
        return []
    rows = {p: {int(cell[1]) for _, _, cell in found} for p, found in double.items()}
    every = sorted({row for found in rows.values() for row in found})
    kinds = {own.name(old) for f in double.values() for c, *_ in f for _, old, _ in c.cells if old}
    return [m.DoubleStep(kind, words, m.Rows(tuple(every))) for kind in sorted(kinds)]


def jump(own: PlayerMoves, everyone: Everyone) -> list[m.Move]:
    """Return jumps over a neighbour, which is captured."""
    found: dict[tuple[str, m.Whose], dict[int, set[str]]] = {}
    for player, each in everyone.items():
        for _, change in each.kinds.get("jump", []):
            (end,) = (c for c in change.cells if not c[1])
            emptied = [c for c in change.cells if not c[2]]
            for start, middle in (emptied, emptied[::-1]):
                way = own.way(start[0], middle[0])
                is_same = start[1] == end[2] or all(
                    own.actors.is_own(content, player) for content in (start[1], end[2])
                )
                if way and is_same and own.way(middle[0], end[0]) == way:
                    key = each.name(start[1]), each.whose(middle[1])
                    found.setdefault(key, {}).setdefault(player, set()).add(way)
                    break
            else:
                return []
    moves: list[m.Move] = []
    for (kind, over), ways in sorted(found.items(), key=str):
        words = own.words(ways, everyone)
        if not 1 <= len(words) < _FEW_WORDS:  # captures are rare: some ways may not have been seen
            words = own.wider_words(ways, everyone)
        if not words:
            return []
        moves.append(m.Jump(kind, words, over, True))
    return moves


def swap(own: PlayerMoves, everyone: Everyone) -> list[m.Move]:
    """Return moves that exchange two pieces."""
    others = set()
    for each in everyone.values():
        for _, change in each.kinds.get("swap", []):
            held = [old for _, old, _ in change.cells]
            rest = [c for c in held if not own.actors.is_own(c, each.player)]
            others.add(each.whose(rest[0]) if rest else m.Whose(m.YOU, "piece"))
    return [m.Swap("piece", other) for other in sorted(others, key=str)]
