"""Board features of the pieces of each role: ownership, location, adjacency, groups, captures."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import cast

from kibitz.attached import Attached
from kibitz.board import Board, Cell, layout_of
from kibitz.engine import CompiledGame, Role, State
from kibitz.errors import KibitzError
from kibitz.gdl import Function, Term
from kibitz.strategy.syntax.numbers import Number
from kibitz.strategy.tree import Formula, Holds, Next, conjunction, disjunction, negation

Place = tuple[str, int, int]
"""A fluent's name, its arity, and which of its arguments is what is owned."""

_MATCHES, _LONGEST = 20, 200
"""Random matches in which things are seen to appear, and their length."""
_MOST_SHARED = 1
"""The most values that moves of several roles make, such as what stands for an empty place."""
_STRAY = 0.1
"""How often others may seem to make what one makes, as where both want to go to the same place."""
_KNOWN: Attached[CompiledGame, dict[Place, dict[Term, Role]]] = Attached()


def owned_things(game: CompiledGame, role: Role) -> dict[Place, list[Function]]:
    """Return the fluents that say what a role has where, by name, arity and owned argument.

    >>> from kibitz.games import load_sheet
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> {place: len(things) for place, things in owned_things(game, "xplayer").items()}
    {('cell', 3, 2): 9}
    """
    owners = _owners(game)
    found: dict[Place, list[Function]] = {}
    hidden = (hidden.fluent for hidden in game.network.hidden)
    for fluent in (*game.network.fluents, *hidden):
        name, arity = fluent.name, len(fluent.args)
        owned = [k for k in range(arity) if (name, arity, k) in owners]
        if len(owned) == 1 and arity > 1:
            place = (name, arity, owned[0])
            if owners[place].get(fluent.args[owned[0]]) == role:
                found.setdefault(place, []).append(fluent)
    return found


def _owners(game: CompiledGame) -> dict[Place, dict[Term, Role]]:
    """Return who owns the values of an argument, where each role owns some.

    Of the arguments of a fluent, that one is what is owned whose values are made by several roles
    least often: men of both sides come to most rows, and to some row those of one side only.
    """
    if game in _KNOWN:
        return _KNOWN[game]
    _KNOWN[game] = {}
    best: dict[tuple[str, int], int] = {}
    for makers in _makers(game):
        for place, known in makers.items():
            owners = {value: top for value, by in known.items() if (top := _only(by)) is not None}
            shared = len(known) - len(owners)
            if set(owners.values()) == set(game.roles) and shared < len(owners):
                fluent = place[:2]
                if shared < best.get(fluent, _MOST_SHARED + 1):
                    best[fluent] = shared
                    _KNOWN[game] = {
                        one: found for one, found in _KNOWN[game].items() if one[:2] != fluent
                    }
                if shared == best.get(fluent):
                    _KNOWN[game].setdefault(place, owners)
    return _KNOWN[game]


def _only(by: Counter[Role]) -> Role | None:
    """Return who makes a value, if hardly anybody else does."""
    ((top, times),) = by.most_common(1)
    return top if by.total() - times <= _STRAY * times else None


def _makers(game: CompiledGame) -> tuple[dict[Place, dict[Term, Counter[Role]]], ...]:
    """Count by whose moves the values of arguments appear, and by whose they become more."""
    appearing: dict[Place, dict[Term, Counter[Role]]] = {}
    growing: dict[Place, dict[Term, Counter[Role]]] = {}
    fluents = (*game.network.fluents, *(hidden.fluent for hidden in game.network.hidden))
    for maker, before, after in _changes(game):
        changed = after ^ before
        more: Counter[tuple[Place, Term]] = Counter()
        while changed:
            index = changed.bit_length() - 1
            changed ^= 1 << index
            fluent, is_new = fluents[index], after >> index & 1
            for k, value in enumerate(fluent.args):
                place = (fluent.name, len(fluent.args), k)
                more[place, value] += 1 if is_new else -1
                if is_new:
                    appearing.setdefault(place, {}).setdefault(value, Counter())[maker] += 1
        for (place, value), count in more.items():
            if count > 0:
                growing.setdefault(place, {}).setdefault(value, Counter())[maker] += 1
    return appearing, growing


def _changes(game: CompiledGame) -> Iterator[tuple[Role, int, int]]:
    """Yield who moved, and all fluents before and after the move as bits.

    Where several choose at a time, what changes by the move of one is what does not change where it
    makes another one and the others make the same.
    """
    steps = list(random_steps(game))
    unless = [sum(1 << n for n in hidden.unless) for hidden in game.network.hidden]
    shown = len(game.network.fluents)

    def bits(state: State) -> int:
        key = cast(int, state.key)
        held = sum(1 << n for n, others in enumerate(unless, start=shown) if not key & others)
        return key | held

    if any(len(movers) > 1 for _, movers, _ in steps):
        source = random.Random(2)
        for before, movers, _ in steps:
            joint = [source.choice(before.legal(role)) for role in game.roles]
            old, new = bits(before), bits(game.successor(before.key, tuple(joint)))
            for role in movers:
                other = list(joint)
                other[game.roles.index(role)] = source.choice(before.legal(role))
                otherwise = bits(game.successor(before.key, tuple(other)))
                yield role, old, old ^ ((new ^ old) & ~(otherwise ^ old))
    else:
        yield from (
            (movers[0], bits(before), bits(after)) for before, movers, after in steps if movers
        )


def random_steps(game: CompiledGame) -> Iterator[tuple[State, list[Role], State]]:
    """Play some random matches: for each step the state, who could choose, and the next state."""
    source = random.Random(1)
    for _ in range(_MATCHES):
        state = game.initial()
        for _ in range(_LONGEST):
            legal = {role: state.legal(role) for role in game.roles}
            if state.is_terminal or not all(legal.values()):
                break
            after = game.successor(state.key, tuple(map(source.choice, legal.values())))
            yield state, [role for role, moves in legal.items() if len(moves) > 1], after
            state = after


_MOST_PAIRS = 20_000
_MOST_COORDINATES = 2
"""With more numbers, places that are near one another need not be neighbours on a board."""


def things_of(game: CompiledGame, role: Role) -> Number | None:
    """Return how many things a role has; None if it owns nothing.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("breakthrough:4x3"))
    >>> number_in(things_of(game, "white"), game.initial().fluents)
    6
    """
    things = [thing for owned in owned_things(game, role).values() for thing in owned]
    if not things:
        return None
    return Number("count", tuple((thing, 1) for thing in sorted(things, key=str)))


def neighbouring_pairs(game: CompiledGame, role: Role) -> Number | None:
    """Return how many pairs of a role's things are neighbours; None if no places have numbers.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("breakthrough:4x3"))
    >>> number_in(neighbouring_pairs(game, "white"), game.initial().fluents)
    11
    """
    things: list[Function] = []
    pairs: list[int] = []
    for place, owned in owned_things(game, role).items():
        places = _coordinates(game, place, owned)
        at: dict[tuple[int, ...], list[int]] = {}
        for thing, where in places.items():
            at.setdefault(where, []).append(len(things))
            things.append(thing)
        for where, here in at.items():
            for other in _after(where):
                pairs += [x for a in here for b in at.get(other, ()) for x in (2 * a, 2 * b, -1)]
    if not pairs or len(pairs) > 3 * _MOST_PAIRS:
        return None
    return Number("cases", tuple((thing, n) for n, thing in enumerate(things)), table=tuple(pairs))


def _after(where: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the neighbouring places that come later in order."""
    found: list[tuple[int, ...]] = [()]
    for x in where:
        found = [(*before, x + step) for before in found for step in (-1, 0, 1)]
    return [other for other in found if other > where]


def _coordinates(
    game: CompiledGame, place: Place, owned: list[Function]
) -> dict[Function, tuple[int, ...]]:
    """Return where things are, by the numbers of their other arguments; none without numbers."""
    from kibitz.strategy.syntax.number_reader import numbers_of_values

    _, arity, at = place
    others = [k for k in range(arity) if k != at]
    if len(others) > _MOST_COORDINATES:
        return {}
    columns = []
    for k in others:
        values = {cast(Function, thing.args[k]) for thing in owned}
        numbers = numbers_of_values(values, game.sheet)
        if numbers is None:
            return {}
        columns.append({thing: numbers[cast(Function, thing.args[k])] for thing in owned})
    return {thing: tuple(column[thing] for column in columns) for thing in owned}


_CLOSE = 0.01


def groups_of(game: CompiledGame, things: Sequence[Function]) -> Number | None:
    """Return how many groups of neighbours things form; None if they are not on a board.

    >>> from kibitz.games import load_sheet
    >>> from kibitz.strategy.syntax.numbers import number_in
    >>> game = CompiledGame(load_sheet("tictactoe"))
    >>> empty = [f for f in game.initial().fluents if f.name == "cell"]
    >>> number_in(groups_of(game, empty), empty[:1] + empty[8:])
    2
    """
    placed = _placed(game, things)
    if placed is None:
        return None
    board, cells = placed
    pairs = [
        place
        for (a, one), (b, other) in combinations(enumerate(cells), 2)
        if _are_neighbours(board, one, other)
        for place in (a, b)
    ]
    numbered = tuple((thing, place) for place, thing in enumerate(things))
    return Number("groups", numbered, table=tuple(pairs)) if pairs else None


def dark_of(game: CompiledGame, things: Sequence[Function]) -> Number | None:
    """Return how many things are on dark cells; None if these are not in rows and columns."""
    return _of_colour(game, things, 0)


def light_of(game: CompiledGame, things: Sequence[Function]) -> Number | None:
    """Return how many things are on light cells; None if these are not in rows and columns."""
    return _of_colour(game, things, 1)


def _of_colour(game: CompiledGame, things: Sequence[Function], colour: int) -> Number | None:
    placed = _placed(game, things)
    if placed is None or placed[0].kind != "grid":
        return None
    board, cells = placed
    here = [
        thing
        for thing, cell in zip(things, cells, strict=True)
        if round(cell.x - 0.5 + board.height - cell.y - 0.5) % 2 == colour
    ]
    return Number("count", tuple((thing, 1) for thing in here)) if here else None


def _placed(game: CompiledGame, things: Sequence[Function]) -> tuple[Board, list[Cell]] | None:
    """Return the board on which things are, and their cells, if they all are on the same."""
    try:
        layout = layout_of(game)
    except KibitzError:
        return None
    cells = [place.cell if (place := layout.place(thing)) else None for thing in things]
    refs = [cell for cell in cells if cell is not None]
    if len(refs) < len(cells) or len({ref.board for ref in refs}) != 1:
        return None
    board = layout.boards[refs[0].board]
    return board, [board.cells[ref.cell] for ref in refs]


def _are_neighbours(board: Board, one: Cell, other: Cell) -> bool:
    if board.lines:
        ends = (one.x, one.y, other.x, other.y)
        return any(
            all(abs(a - b) < _CLOSE for a, b in zip(line, ends, strict=True))
            for x1, y1, x2, y2 in board.lines
            for line in ((x1, y1, x2, y2), (x2, y2, x1, y1))
        )
    return float((one.x - other.x) ** 2 + (one.y - other.y) ** 2) < 1 + _CLOSE


_CAPTURES: Attached[CompiledGame, dict[Role, Formula]] = Attached()
_SEEN: Attached[CompiledGame, bool] = Attached()


def taken(game: CompiledGame, role: Role) -> Formula:
    """Return the formula that something of a role is taken; it is false if it owns nothing.

    >>> from kibitz.games import load_sheet
    >>> len(taken(CompiledGame(load_sheet("breakthrough:4x3")), "white").parts)
    12
    """
    known = _CAPTURES.setdefault(game, {})
    if role not in known:
        known[role] = disjunction(
            conjunction([held := disjunction(map(Holds, sorted(things, key=str))), _gone(held)])
            for things in _places(game, role)
        )
    return known[role]


def _gone(held: Formula) -> Formula:
    return Next(negation(held))


def something_is_taken(game: CompiledGame) -> bool:
    """Return whether a move takes something of another role in some random matches.

    >>> from kibitz.games import load_sheet
    >>> names = ("tictactoe", "breakthrough:4x3")
    >>> [something_is_taken(CompiledGame(load_sheet(name))) for name in names]
    [False, True]
    """
    if game not in _SEEN:
        _SEEN[game] = _is_seen(game)
    return _SEEN[game]


def _is_seen(game: CompiledGame) -> bool:
    places = {role: _places(game, role) for role in game.roles}
    for before, movers, after in random_steps(game):
        held_before, held_after = frozenset(before.fluents), frozenset(after.fluents)
        for role in game.roles:
            if role in movers:
                continue
            held = (where for where in places[role] if not where.isdisjoint(held_before))
            if any(map(held_after.isdisjoint, held)):
                return True
    return False


def _places(game: CompiledGame, role: Role) -> list[frozenset[Function]]:
    """Return for each place what a role can have there."""
    found: dict[tuple[object, ...], list[Function]] = {}
    for (name, arity, at), owned in owned_things(game, role).items():
        for thing in owned:
            where = (name, arity, thing.args[:at], thing.args[at + 1 :])
            found.setdefault(where, []).append(thing)
    return [frozenset(things) for things in found.values()]
